#include "exec/lifetimes.hpp"

#include <algorithm>
#include <unordered_map>

namespace noslip {
namespace {

// `second` reads nothing: its sincos has put the cosine where it belongs.
template <class Visit>
void for_each_read(const Tape& tape, Visit visit) {
  for (std::uint32_t k = 0; k < tape.code().size(); ++k) {
    const Instruction& instruction = tape.code()[k];
    if (instruction.op == TapeOp::second) continue;
    const int count = arity(instruction.op);
    visit(instruction.a, 2 * k);
    if (count > 1) visit(instruction.b, 2 * k);
    if (count > 2) visit(instruction.c, 2 * k);
  }
}

}  // namespace

void Lifetimes::time_stores(const Tape& tape, const std::vector<std::uint32_t>& left_out, std::uint32_t earliest) {
  const auto is_input = [&](std::uint32_t value) { return value >= tape.first_input() && value < tape.first_result(); };
  const auto slot_of = [&](std::uint32_t input) { return tape.input_slots()[input - tape.first_input()]; };
  std::vector<std::uint32_t> first_read(tape.first_result(), never), last_read(tape.first_result(), 0);
  for_each_read(tape, [&](std::uint32_t value, std::uint32_t time) {
    if (value >= tape.first_result()) return;
    first_read[value] = std::min(first_read[value], time);
    last_read[value] = time;
  });
  std::unordered_map<std::uint32_t, std::uint32_t> last_read_of_slot;
  for (std::uint32_t input = tape.first_input(); input < tape.first_result(); ++input) {
    std::uint32_t& last = last_read_of_slot[slot_of(input)];
    last = std::max(last, last_read[input]);
  }

  const std::uint32_t end = 2 * static_cast<std::uint32_t>(tape.code().size()) + 1;
  std::vector<std::uint32_t> stored_inputs;
  std::unordered_map<std::uint32_t, bool> is_written;
  for (const Tape::Store& store : tape.stores()) {
    if (std::binary_search(left_out.begin(), left_out.end(), store.slot)) continue;
    std::uint32_t time = end;
    if (is_input(store.value)) {
      if (slot_of(store.value) == store.slot) continue;
      // Where nobody reads the slot, an input is copied as it is read first: no store can have overwritten it yet.
      if (earliest == 0 && !last_read_of_slot.contains(store.slot)) {
        time = first_read[store.value] == never ? 0 : first_read[store.value];
      } else {
        stored_inputs.push_back(store.value);
      }
    }
    is_written[store.slot] = true;
    if (store.value >= tape.first_result()) {
      time = 2 * (store.value - tape.first_result()) + 1;
      if (const auto read = last_read_of_slot.find(store.slot); read != last_read_of_slot.end()) {
        time = std::max({time, read->second + 1, earliest});
      }
    }
    stores_.push_back({time, store.value, store.slot});
  }
  std::stable_sort(stores_.begin(), stores_.end(),
                   [](const TimedStore& a, const TimedStore& b) { return a.time < b.time; });
  std::sort(stored_inputs.begin(), stored_inputs.end());
  stored_inputs.erase(std::unique(stored_inputs.begin(), stored_inputs.end()), stored_inputs.end());
  for (const std::uint32_t input : stored_inputs) {
    if (is_written.contains(slot_of(input))) inputs_to_save_.push_back(input);
  }
}

Lifetimes::Lifetimes(const Tape& tape) {
  time_stores(tape, {}, 0);
  collect(tape, {});
}

Lifetimes::Lifetimes(const LoopForm& loop, const std::vector<bool>& stays) {
  const Tape& tape = loop.tape;
  const std::uint32_t begin = 2 * loop.first_repeated, end = 2 * static_cast<std::uint32_t>(tape.code().size()) + 2;
  std::vector<std::uint32_t> left_out;
  for (std::size_t i = 0; i < loop.carried.size(); ++i) {
    if (stays[i]) left_out.push_back(loop.carried[i].slot);
  }
  std::sort(left_out.begin(), left_out.end());
  time_stores(tape, left_out, begin + 1);

  std::vector<std::uint32_t> first_read(tape.value_count(), never);
  const auto note = [&](std::uint32_t value, std::uint32_t time) {
    if (time >= begin) first_read[value] = std::min(first_read[value], time);
  };
  for_each_read(tape, note);
  for (const TimedStore& store : stores_) note(store.value, store.time);
  for (std::size_t i = 0; i < loop.carried.size(); ++i) {
    if (stays[i]) note(loop.carried[i].output, end);
  }
  std::vector<Read> later;
  for (std::uint32_t value = 0; value < tape.value_count(); ++value) {
    if (loop.is_constant[value] && first_read[value] != never) {
      later.push_back({value, end + first_read[value] - begin});
    }
  }
  for (std::size_t i = 0; i < loop.carried.size(); ++i) {
    if (!stays[i]) continue;
    const std::uint32_t first = std::min(first_read[loop.carried[i].input], end);
    later.push_back({loop.carried[i].output, end + first - begin});
  }
  collect(tape, later);
}

void Lifetimes::collect(const Tape& tape, const std::vector<Read>& later) {
  const auto for_each = [&](const auto& visit) {
    for_each_read(tape, visit);
    for (const TimedStore& store : stores_) visit(store.value, store.time);
    for (const Read& read : later) visit(read.value, read.time);
  };
  first_.assign(tape.value_count() + 1, 0);
  for_each([&](std::uint32_t value, std::uint32_t) { ++first_[value + 1]; });
  for (std::size_t k = 1; k < first_.size(); ++k) first_[k] += first_[k - 1];
  times_.resize(first_.back());
  cursor_.assign(first_.begin(), first_.end() - 1);
  std::vector<std::uint32_t> next = cursor_;
  for_each([&](std::uint32_t value, std::uint32_t time) { times_[next[value]++] = time; });
  for (std::uint32_t value = 0; value < tape.value_count(); ++value) {
    std::sort(times_.begin() + first_[value], times_.begin() + first_[value + 1]);
  }
}

}  // namespace noslip
