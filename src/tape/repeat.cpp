#include <noslip/tape/repeat.hpp>

#include <algorithm>
#include <cassert>

#include "tape/renumber.hpp"

namespace noslip {
namespace {

class Repeated {
 public:
  explicit Repeated(const Tape& tape) : tape_(tape), number_(tape.value_count(), 0) {}

  Tape run(const Repetition& repetition) {
    const auto& slots = tape_.input_slots();
    const auto is_read = [&](std::uint32_t slot) { return std::find(slots.begin(), slots.end(), slot) != slots.end(); };
    std::vector<Tape::Store> wanted;
    std::optional<std::uint32_t> summand;
    for (const Tape::Store& store : tape_.stores()) {
      if (is_read(store.slot)) wanted.push_back(store);
      if (repetition.sum && store.slot == repetition.sum->of) summand = store.value;
    }
    assert(!repetition.sum || summand);
    find_needed(wanted, summand);

    const bool has_time = repetition.time && is_needed_slot(repetition.time->t);
    constants_ = tape_.constants();
    if (has_time && std::find(constants_.begin(), constants_.end(), quad(1)) == constants_.end()) {
      constants_.push_back(1);
    }
    for (std::uint32_t input = tape_.first_input(); input < tape_.first_result(); ++input) {
      const std::uint32_t slot = slots[input - tape_.first_input()];
      const bool is_time = has_time && slot == repetition.time->t;
      if (is_needed_[input] && !is_time) number_[input] = place_input(slot);
    }
    if (has_time) {
      for (const std::uint32_t slot : {repetition.time->start, repetition.time->number, repetition.time->h}) {
        place_input(slot);
      }
    }
    if (summand) place_input(repetition.sum->to);
    for (std::uint32_t value = 0; value < tape_.first_input(); ++value) number_[value] = value;
    for (std::uint32_t input = tape_.first_input(); input < tape_.first_result(); ++input) {
      if (is_needed_[input]) number_[input] += first_input();
    }

    std::vector<Tape::Store> stores;
    if (has_time) stores.push_back(add_time(*repetition.time));
    copy_code();
    for (const Tape::Store& store : wanted) stores.push_back({number_[store.value], store.slot});
    if (summand) {
      const std::uint32_t sum = value_of_slot(repetition.sum->to);
      stores.push_back({add({TapeOp::add, sum, number_[*summand]}), repetition.sum->to});
    }
    return Tape::from_parts(std::move(constants_), std::move(inputs_), std::move(code_), std::move(stores), {},
                            tape_.tables());
  }

 private:
  std::uint32_t first_input() const { return static_cast<std::uint32_t>(constants_.size()); }
  std::uint32_t value_of_slot(std::uint32_t slot) const {
    const auto found = std::find(inputs_.begin(), inputs_.end(), slot);
    return first_input() + static_cast<std::uint32_t>(found - inputs_.begin());
  }
  // The number among the inputs.
  std::uint32_t place_input(std::uint32_t slot) {
    const auto found = std::find(inputs_.begin(), inputs_.end(), slot);
    const auto number = static_cast<std::uint32_t>(found - inputs_.begin());
    if (found == inputs_.end()) inputs_.push_back(slot);
    return number;
  }
  std::uint32_t add(Instruction instruction) {
    code_.push_back(instruction);
    return first_input() + static_cast<std::uint32_t>(inputs_.size() + code_.size() - 1);
  }

  void find_needed(const std::vector<Tape::Store>& wanted, std::optional<std::uint32_t> summand) {
    is_needed_.assign(tape_.value_count(), false);
    for (const Tape::Store& store : wanted) is_needed_[store.value] = true;
    if (summand) is_needed_[*summand] = true;
    for (std::size_t k = tape_.code().size(); k-- > 0;) {
      if (!is_needed_[tape_.first_result() + k]) continue;
      for_each_operand(tape_.code()[k], [&](std::uint32_t operand) { is_needed_[operand] = true; });
    }
  }
  bool is_needed_slot(std::uint32_t slot) const {
    for (std::uint32_t input = tape_.first_input(); input < tape_.first_result(); ++input) {
      if (tape_.input_slots()[input - tape_.first_input()] == slot) return is_needed_[input];
    }
    return false;
  }

  Tape::Store add_time(const Repetition::Time& time) {
    const std::uint32_t number = value_of_slot(time.number);
    const auto one =
        static_cast<std::uint32_t>(std::find(constants_.begin(), constants_.end(), quad(1)) - constants_.begin());
    const std::uint32_t passed = add({TapeOp::mul, number, value_of_slot(time.h)});
    const std::uint32_t t = add({TapeOp::add, value_of_slot(time.start), passed});
    for (std::uint32_t input = tape_.first_input(); input < tape_.first_result(); ++input) {
      if (tape_.input_slots()[input - tape_.first_input()] == time.t) number_[input] = t;
    }
    return {add({TapeOp::add, number, one}), time.number};
  }

  void copy_code() {
    for (std::uint32_t k = 0; k < tape_.code().size(); ++k) {
      if (!is_needed_[tape_.first_result() + k]) continue;
      number_[tape_.first_result() + k] = add(renumbered(tape_.code()[k], number_));
    }
  }

  const Tape& tape_;
  std::vector<std::uint32_t> number_;  // of a value of the tape in the new one
  std::vector<bool> is_needed_;
  std::vector<quad> constants_;
  std::vector<std::uint32_t> inputs_;
  std::vector<Instruction> code_;
};

}  // namespace

Tape repeated(const Tape& tape, const Repetition& repetition) {
  assert(tape.calls().empty());  // such tapes are interpreted, one run after the other
  return Repeated(tape).run(repetition);
}

}  // namespace noslip
