#include "exec/rolled.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_set>

#include "exec/followers.hpp"

namespace noslip {

namespace {

constexpr std::uint32_t none = Followers::none;
/// So much of a tape has to be in loops, of so many instructions each on average.
constexpr double least_part = 0.5;
constexpr std::size_t least_instructions_per_segment = 40;

/// Results that follow each other with the same operands moving on.
struct Run {
  std::uint32_t first = 0, count = 0;
  std::uint8_t moves = 0;
  std::uint32_t stage = 0;
  bool is_stored = false;
};

/// A segment under construction: values of the long tape become values of the short one.
class Body {
 public:
  explicit Body(const Tape& tape) : tape_(tape) {}

  bool is_empty() const { return code_.empty() && stores_.empty(); }

  /// A value that is there already, or comes from a place or the constants.
  std::uint32_t operand(std::uint32_t value, const Segment::Place& place) {
    const auto key = std::pair(value, place.is_same);
    if (const auto found = number_.find(key); found != number_.end()) return found->second;
    std::uint32_t number = 0;
    if (value < tape_.first_input()) {
      number = constant_bit | static_cast<std::uint32_t>(constants_.size());
      constants_.push_back(tape_.constants()[value]);
    } else {
      number = input_bit | static_cast<std::uint32_t>(inputs_.size());
      inputs_.push_back(static_cast<std::uint32_t>(places_.size()));
      places_.push_back(place);
    }
    return number_[key] = number;
  }
  /// `value` is known inside from now on.
  void add(std::uint32_t value, Instruction instruction) {
    number_[{value, false}] = static_cast<std::uint32_t>(code_.size());
    code_.push_back(instruction);
  }
  void store(std::uint32_t number, const Segment::Place& place) {
    stores_.push_back({number, static_cast<std::uint32_t>(places_.size())});
    places_.push_back(place);
  }
  std::uint32_t number_of(std::uint32_t value) const { return number_.at({value, false}); }

  Segment finish(std::uint32_t count) {
    const auto first_input = static_cast<std::uint32_t>(constants_.size());
    const auto first_result = first_input + static_cast<std::uint32_t>(inputs_.size());
    const auto settled = [&](std::uint32_t number) {
      if ((number & constant_bit) != 0) return number & ~constant_bit;
      if ((number & input_bit) != 0) return first_input + (number & ~input_bit);
      return first_result + number;
    };
    for (Instruction& instruction : code_) {
      const int reads = arity(instruction.op);
      instruction.a = settled(instruction.a);
      instruction.b = reads > 1 ? settled(instruction.b) : 0;
      instruction.c = reads > 2 ? settled(instruction.c) : 0;
    }
    for (Tape::Store& store : stores_) store.value = settled(store.value);
    return {Tape::from_parts(std::move(constants_), std::move(inputs_), std::move(code_), std::move(stores_), {},
                             tape_.tables()),
            std::move(places_), count};
  }

 private:
  static constexpr std::uint32_t constant_bit = 1U << 31, input_bit = 1U << 30;

  const Tape& tape_;
  std::map<std::pair<std::uint32_t, bool>, std::uint32_t>
      number_;  // of values, by whether they are the same in all runs
  std::vector<quad> constants_;
  std::vector<std::uint32_t> inputs_;
  std::vector<Instruction> code_;
  std::vector<Tape::Store> stores_;
  std::vector<Segment::Place> places_;
};

class Roller {
 public:
  Roller(const Tape& tape, std::uint32_t width)
      : tape_(tape),
        width_(width),
        followers_(tape),
        run_of_(tape.value_count(), none),
        stage_(tape.value_count(), 0),
        place_(tape.value_count()),
        chain_first_(tape.value_count(), none) {}

  std::optional<RolledTape> run() {
    find_runs();
    std::size_t covered = 0;
    for (const Run& run : runs_) covered += run.count;
    if (static_cast<double>(covered) < least_part * static_cast<double>(tape_.code().size())) return std::nullopt;
    if (!stores_are_simple() || !sines_have_cosines()) return std::nullopt;
    find_stages();
    find_what_is_stored();
    give_places();
    copy_inputs();
    for (std::uint32_t stage = 0; stage <= last_stage_; ++stage) {
      add_single_instructions(stage);
      add_loops(stage);
    }
    write_results();
    if (result_.segments.size() * least_instructions_per_segment > tape_.code().size()) return std::nullopt;
    result_.scratch_size = top_;
    return std::move(result_);
  }

 private:
  bool is_result(std::uint32_t value) const { return value >= tape_.first_result(); }
  bool is_input(std::uint32_t value) const { return value >= tape_.first_input() && !is_result(value); }
  const Instruction& instruction(std::uint32_t value) const { return tape_.code()[value - tape_.first_result()]; }

  // Chains of followers, cut where other operands begin to move.
  void find_runs() {
    std::vector<std::uint32_t> chain;
    for (std::uint32_t head = tape_.first_result(); head < tape_.value_count(); ++head) {
      if (followers_.follows[head]) continue;
      chain.clear();
      for (std::uint32_t value = head; value != none; value = followers_.next[value]) chain.push_back(value);
      if (chain.size() < width_) continue;
      for (const std::uint32_t value : chain) chain_first_[value] = head;
      for (std::size_t begin = 0; begin < chain.size();) {
        const std::size_t end = end_of_run(chain, begin);
        if (end - begin < width_) {
          begin = std::max(end - 1, begin + 1);
          continue;
        }
        for (std::size_t k = begin; k < end; ++k) run_of_[chain[k]] = static_cast<std::uint32_t>(runs_.size());
        runs_.push_back({chain[begin], static_cast<std::uint32_t>(end - begin), followers_.moves[chain[begin]]});
        begin = end;
      }
    }
  }
  std::size_t end_of_run(const std::vector<std::uint32_t>& chain, std::size_t begin) const {
    const TapeOp op = instruction(chain[begin]).op;
    const std::uint8_t moves = followers_.moves[chain[begin]];
    TapeOperands operands = operands_of(instruction(chain[begin]));
    std::size_t end = begin + 1;
    for (; end < chain.size(); ++end) {
      for (int i = 0; i < operands.count; ++i) {
        if ((moves >> i & 1U) != 0) operands.ids[i] = followers_.next[operands.ids[i]];
      }
      if (!are_equivalent(op, operands, operands_of(instruction(chain[end])))) break;
    }
    return end;
  }

  // An input that goes to a slot which is another input would have to be saved first.
  bool stores_are_simple() {
    is_input_slot_.insert(tape_.input_slots().begin(), tape_.input_slots().end());
    return std::none_of(tape_.stores().begin(), tape_.stores().end(), [&](const Tape::Store& store) {
      return is_input(store.value) && slot_of(store.value) != store.slot && is_input_slot_.contains(store.slot);
    });
  }
  // A cosine has to stand behind its sine, in a loop or outside; where some have none, both are in runs of their own.
  bool sines_have_cosines() const {
    const std::vector<Instruction>& code = tape_.code();
    for (std::size_t k = 0; k < code.size(); ++k) {
      if (code[k].op == TapeOp::sincos && (k + 1 == code.size() || code[k + 1].op != TapeOp::second)) return false;
    }
    return true;
  }
  std::uint32_t slot_of(std::uint32_t input) const { return tape_.input_slots()[input - tape_.first_input()]; }

  /// Does the run read the members of another one, in its own order, from `operand` on?
  bool is_beside(const Run& run, std::uint32_t operand) const {
    if (run_of_[operand] == none) return false;
    const Run& other = runs_[run_of_[operand]];
    return other.first == operand && other.count == run.count;
  }

  // Single instructions of a stage come before its loops.
  void find_stages() {
    std::vector<std::uint32_t> order(tape_.code().size());
    std::iota(order.begin(), order.end(), tape_.first_result());
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t x, std::uint32_t y) { return followers_.depth[x] < followers_.depth[y]; });
    for (const std::uint32_t value : order) {
      if (run_of_[value] == none) {
        for_each_operand(value, [&](int, std::uint32_t operand) {
          const std::uint32_t after = run_of_[operand] == none ? stage_[operand] : runs_[run_of_[operand]].stage + 1;
          stage_[value] = std::max(stage_[value], after);
        });
        last_stage_ = std::max(last_stage_, stage_[value]);
      } else if (Run& run = runs_[run_of_[value]]; run.first == value) {
        run.stage = stage_of(run);
        last_stage_ = std::max(last_stage_, run.stage);
      }
    }
  }
  std::uint32_t stage_of(const Run& run) const {
    std::uint32_t stage = 0;
    for_each_operand(run.first, [&](int i, std::uint32_t operand) {
      const bool moves = (run.moves >> i & 1U) != 0;
      for (std::uint32_t k = 0, value = operand; k < (moves ? run.count : 1); ++k, value = followers_.next[value]) {
        if (!is_result(value)) continue;
        if (run_of_[value] == none) {
          stage = std::max(stage, stage_[value]);
        } else {
          stage = std::max(stage, runs_[run_of_[value]].stage + (moves && is_beside(run, operand) ? 0 : 1));
        }
      }
    });
    return stage;
  }
  template <class Visit>
  void for_each_operand(std::uint32_t value, Visit visit) const {
    const TapeOperands operands = operands_of(instruction(value));
    for (int i = 0; i < operands.count; ++i) visit(i, operands.ids[i]);
  }
  bool is_inside(const Run& run, int i, std::uint32_t operand) const {
    return (run.moves >> i & 1U) != 0 && is_result(operand) && is_beside(run, operand) &&
           runs_[run_of_[operand]].stage == run.stage;
  }

  void find_what_is_stored() {
    is_stored_.assign(tape_.value_count(), false);
    const auto need = [&](std::uint32_t value) {
      if (!is_result(value)) return;
      is_stored_[value] = true;
      if (run_of_[value] != none) runs_[run_of_[value]].is_stored = true;
    };
    for (std::uint32_t value = tape_.first_result(); value < tape_.value_count(); ++value) {
      if (run_of_[value] != none) continue;
      for_each_operand(value, [&](int, std::uint32_t operand) {
        if (is_result(operand) && (run_of_[operand] != none || stage_[operand] != stage_[value])) need(operand);
      });
    }
    for (const Run& run : runs_) {
      for_each_operand(run.first, [&](int i, std::uint32_t operand) {
        if (is_inside(run, i, operand)) return;
        const bool moves = (run.moves >> i & 1U) != 0;
        for (std::uint32_t k = 0, value = operand; k < (moves ? run.count : 1); ++k, value = followers_.next[value]) {
          need(value);
        }
      });
    }
    for (const Tape::Store& store : tape_.stores()) need(store.value);
  }

  // Chains become arrays. What is an output anyway is in its slot at once, if nobody reads there what was before.
  void give_places() {
    std::vector<std::uint32_t> slot(tape_.value_count(), none);
    for (const Tape::Store& store : tape_.stores()) {
      if (is_result(store.value) && !is_input_slot_.contains(store.slot)) slot[store.value] = store.slot;
    }
    std::vector<bool> has_array(tape_.value_count(), false);
    for (std::uint32_t value = tape_.first_result(); value < tape_.value_count(); ++value) {
      const bool is_needed = is_stored_[value] || (run_of_[value] != none && runs_[run_of_[value]].is_stored);
      if (is_needed && chain_first_[value] != none) has_array[chain_first_[value]] = true;
    }
    for (std::uint32_t head = tape_.first_result(); head < tape_.value_count(); ++head) {
      if (has_array[head]) {
        const bool is_output = are_neighbours(head, slot);
        if (!is_output) top_ = (top_ + 7) / 8 * 8;
        for (std::uint32_t value = head; value != none; value = followers_.next[value]) {
          place_[value] = is_output ? in_workspace(slot[value]) : in_scratch(top_++);
        }
      } else if (is_stored_[head] && chain_first_[head] == none) {
        place_[head] = slot[head] != none ? in_workspace(slot[head]) : in_scratch(top_++);
      }
    }
  }
  bool are_neighbours(std::uint32_t head, const std::vector<std::uint32_t>& slot) const {
    if (slot[head] == none) return false;
    std::uint32_t wanted = slot[head];
    for (std::uint32_t value = head; value != none; value = followers_.next[value]) {
      if (slot[value] != wanted++) return false;
    }
    return true;
  }
  static MemoryPlace in_workspace(std::uint32_t slot) { return {MemoryPlace::Base::workspace, slot}; }
  static MemoryPlace in_scratch(std::uint32_t index) { return {MemoryPlace::Base::scratch, index}; }

  MemoryPlace memory_of(std::uint32_t value) const {
    return is_input(value) ? in_workspace(slot_of(value)) : place_[value];
  }
  MemoryPlace moving(MemoryPlace place) const {
    const bool is_workspace = place.base == MemoryPlace::Base::workspace;
    return {is_workspace ? MemoryPlace::Base::moving_workspace : MemoryPlace::Base::moving_scratch, place.index};
  }

  void add_single_instructions(std::uint32_t stage) {
    Body body(tape_);
    for (const std::uint32_t value : single_instructions(stage)) {
      Instruction copy = instruction(value);
      std::uint32_t* const reads[] = {&copy.a, &copy.b, &copy.c};
      for_each_operand(value, [&](int i, std::uint32_t operand) {
        *reads[i] = body.operand(operand, {memory_of(operand), false});
      });
      body.add(value, copy);
      if (is_stored_[value]) body.store(body.number_of(value), {memory_of(value), false});
    }
    if (!body.is_empty()) result_.segments.push_back(body.finish(1));
  }
  const std::vector<std::uint32_t>& single_instructions(std::uint32_t stage) {
    if (singles_.empty()) {
      singles_.resize(last_stage_ + 1);
      for (std::uint32_t value = tape_.first_result(); value < tape_.value_count(); ++value) {
        if (run_of_[value] == none) singles_[stage_[value]].push_back(value);
      }
    }
    return singles_[stage];
  }

  void add_loops(std::uint32_t stage) {
    std::map<std::uint32_t, std::vector<const Run*>> by_count;
    for (const Run* run : runs_of(stage)) by_count[run->count].push_back(run);
    for (auto& [count, runs] : by_count) {
      std::sort(runs.begin(), runs.end(), [](const Run* x, const Run* y) { return x->first < y->first; });
      Body body(tape_);
      for (const Run* run : runs) {
        Instruction copy = instruction(run->first);
        std::uint32_t* const reads[] = {&copy.a, &copy.b, &copy.c};
        for_each_operand(run->first, [&](int i, std::uint32_t operand) {
          const bool moves = (run->moves >> i & 1U) != 0;
          *reads[i] = is_inside(*run, i, operand)
                          ? body.number_of(operand)
                          : body.operand(operand, {moves ? moving(memory_of(operand)) : memory_of(operand), !moves});
        });
        body.add(run->first, copy);
        if (run->is_stored) body.store(body.number_of(run->first), {moving(memory_of(run->first)), false});
      }
      result_.segments.push_back(body.finish(count));
    }
  }
  const std::vector<const Run*>& runs_of(std::uint32_t stage) {
    if (runs_by_stage_.empty()) {
      runs_by_stage_.resize(last_stage_ + 1);
      for (const Run& run : runs_) runs_by_stage_[run.stage].push_back(&run);
    }
    return runs_by_stage_[stage];
  }

  // Before anything is overwritten.
  void copy_inputs() {
    std::vector<Tape::Store> copies;
    for (const Tape::Store& store : tape_.stores()) {
      if (is_input(store.value) && slot_of(store.value) != store.slot) copies.push_back(store);
    }
    add_copies(std::move(copies));
  }
  // When everything has been read.
  void write_results() {
    std::vector<Tape::Store> copies;
    for (const Tape::Store& store : tape_.stores()) {
      if (is_input(store.value)) continue;
      const MemoryPlace place = place_[store.value];
      const bool is_there = place.base == MemoryPlace::Base::workspace && place.index == store.slot;
      if (!is_there) copies.push_back(store);
    }
    add_copies(std::move(copies));
  }
  void add_copies(std::vector<Tape::Store> copies) {
    std::sort(copies.begin(), copies.end(), [](const Tape::Store& x, const Tape::Store& y) { return x.slot < y.slot; });
    std::map<std::uint32_t, std::vector<Tape::Store>> by_count;
    Body single(tape_);
    for (std::size_t begin = 0, end = 0; begin < copies.size(); begin = end) {
      end = begin + 1;
      while (end < copies.size() && copies[end].slot == copies[end - 1].slot + 1 &&
             is_in_memory_behind(copies[end].value, copies[end - 1].value)) {
        ++end;
      }
      if (end - begin >= width_) {
        by_count[static_cast<std::uint32_t>(end - begin)].push_back(copies[begin]);
        continue;
      }
      for (std::size_t k = begin; k < end; ++k) {
        const auto [value, slot] = copies[k];
        single.store(single.operand(value, {value < tape_.first_input() ? MemoryPlace{} : memory_of(value), false}),
                     {in_workspace(slot), false});
      }
    }
    for (const auto& [count, stores] : by_count) {
      Body body(tape_);
      for (const auto& [value, slot] : stores) {
        body.store(body.operand(value, {moving(memory_of(value)), false}), {moving(in_workspace(slot)), false});
      }
      result_.segments.push_back(body.finish(count));
    }
    if (!single.is_empty()) result_.segments.push_back(single.finish(1));
  }
  bool is_in_memory_behind(std::uint32_t value, std::uint32_t before) const {
    if (value < tape_.first_input() || before < tape_.first_input()) return false;
    const MemoryPlace a = memory_of(before), b = memory_of(value);
    return a.base == b.base && b.index == a.index + 1;
  }

  const Tape& tape_;
  std::uint32_t width_;
  Followers followers_;
  std::vector<Run> runs_;
  std::vector<std::uint32_t> run_of_, stage_;  // of values; stages of those that are in no run
  std::vector<MemoryPlace> place_;             // of results
  std::vector<std::uint32_t> chain_first_;     // of chains that are long enough for arrays
  std::vector<bool> is_stored_;
  std::unordered_set<std::uint32_t> is_input_slot_;
  std::vector<std::vector<std::uint32_t>> singles_;
  std::vector<std::vector<const Run*>> runs_by_stage_;
  std::uint32_t last_stage_ = 0, top_ = 0;
  RolledTape result_;
};

}  // namespace

std::optional<RolledTape> roll(const Tape& tape, std::uint32_t width) { return Roller(tape, width).run(); }

}  // namespace noslip
