#include "exec/program.hpp"

#include <cassert>
#include <limits>

#include "exec/run_order.hpp"

namespace noslip {
namespace {

constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

std::uint32_t operand(const Instruction& instruction, int k) {
  return k == 0 ? instruction.a : k == 1 ? instruction.b : instruction.c;
}

// Where each value of a tape is kept. A result may take the place of an operand that dies with it: every operation
// reads before it writes.
class Places {
 public:
  Places(const Tape& tape, const RunOrder& order)
      : tape_(tape), place_(tape.value_count()), count_(tape.first_result()) {
    for (std::uint32_t k = 0; k < count_; ++k) place_[k] = k;
    find_last_uses(order);
    for (std::uint32_t position = 0; position < order.instructions.size(); ++position) {
      occupy(order.instructions[position], position);
    }
  }

  std::uint32_t operator[](std::uint32_t value) const { return place_[value]; }
  /// Where the cosine of the sincos instruction k goes, needed or not.
  std::uint32_t of_second(std::uint32_t k) const {
    return has_second(k) ? place_[tape_.first_result() + k + 1] : waste_;
  }
  std::uint32_t count() const { return count_; }

 private:
  bool has_second(std::uint32_t k) const {
    return k + 1 < tape_.code().size() && tape_.code()[k + 1].op == TapeOp::second;
  }

  void find_last_uses(const RunOrder& order) {
    last_use_.assign(tape_.value_count(), never);
    for (std::uint32_t position = 0; position < order.instructions.size(); ++position) {
      const Instruction& instruction = tape_.code()[order.instructions[position]];
      for (int i = 0; i < arity(instruction.op); ++i) last_use_[operand(instruction, i)] = position;
    }
    for (const Tape::Store& store : tape_.stores()) {
      last_use_[store.value] = static_cast<std::uint32_t>(order.instructions.size());
    }
  }

  void occupy(std::uint32_t k, std::uint32_t position) {
    const Instruction& instruction = tape_.code()[k];
    const std::uint32_t own = tape_.first_result() + k;
    for (int i = 0; i < arity(instruction.op); ++i) {
      const std::uint32_t value = operand(instruction, i);
      if (last_use_[value] != position) continue;
      last_use_[value] = never;  // an operand that is read twice is given back once
      free_.push_back(place_[value]);
    }
    place_[own] = take();
    if (instruction.op == TapeOp::sincos) {
      if (has_second(k)) {
        place_[own + 1] = take();
        give_back_unused(own + 1);
      } else if (waste_ == never) {
        waste_ = count_++;
      }
    }
    give_back_unused(own);
  }

  std::uint32_t take() {
    if (free_.empty()) return count_++;
    const std::uint32_t place = free_.back();
    free_.pop_back();
    return place;
  }
  void give_back_unused(std::uint32_t value) {
    if (last_use_[value] == never) free_.push_back(place_[value]);
  }

  const Tape& tape_;
  std::vector<std::uint32_t> place_, last_use_, free_;
  std::uint32_t count_;
  std::uint32_t waste_ = never;  // for cosines that nobody asked for
};

template <class Index>
std::vector<Step<Index>> make_steps(const Tape& tape, const RunOrder& order, const Places& places,
                                    std::uint32_t width) {
  std::vector<Step<Index>> steps;
  steps.reserve(order.instructions.size());
  const auto index = [&](std::uint32_t place) { return static_cast<Index>(place * width); };
  for (const std::uint32_t k : order.instructions) {
    const Instruction& instruction = tape.code()[k];
    const int count = arity(instruction.op);
    Step<Index> step{index(places[instruction.a]), 0, 0, index(places[tape.first_result() + k])};
    if (count > 1) step.b = index(places[instruction.b]);
    if (count > 2) step.c = index(places[instruction.c]);
    if (instruction.op == TapeOp::sincos) step.c = index(places.of_second(k));
    steps.push_back(step);
  }
  return steps;
}

}  // namespace

template <class T>
typename Kernel<T>::Program make_program(const Tape& tape, int lanes) {
  typename Kernel<T>::Program program;
  const auto width = static_cast<std::uint32_t>(lanes);
  for (const quad constant : tape.constants()) {
    program.constants.insert(program.constants.end(), width, static_cast<T>(constant));
  }
  for (std::uint32_t k = tape.first_input(); k < tape.first_result(); ++k) {
    program.loads.push_back({k * width, tape.input_slots()[k - tape.first_input()] * width});
  }
  const RunOrder order = order_in_runs(tape);
  const Places places(tape, order);
  for (const RunOrder::Run& run : order.runs) program.runs.push_back({run.op, run.count});
  if (places.count() * width <= std::numeric_limits<std::uint16_t>::max()) {
    program.steps = make_steps<std::uint16_t>(tape, order, places, width);
  } else {
    program.wide_steps = make_steps<std::uint32_t>(tape, order, places, width);
  }
  for (const Tape::Store& store : tape.stores()) {
    program.stores.push_back({places[store.value] * width, store.slot * width});
  }
  program.scratch_size = static_cast<std::size_t>(places.count()) * width + (lanes > 1 ? 8 : 0);  // eight to align
  return program;
}

template Kernel<double>::Program make_program<double>(const Tape&, int);
template Kernel<long double>::Program make_program<long double>(const Tape&, int);
template Kernel<quad>::Program make_program<quad>(const Tape&, int);

}  // namespace noslip
