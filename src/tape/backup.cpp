#include <noslip/tape/backup.hpp>

#include <algorithm>
#include <cassert>
#include <numeric>

#include "tape/renumber.hpp"

namespace noslip {
namespace {

/// The place of a value in the list, where it is put if it is not there yet.
template <class Value>
std::uint32_t place_in(std::vector<Value>& list, Value value) {
  const auto found = std::find(list.begin(), list.end(), value);
  const auto place = static_cast<std::uint32_t>(found - list.begin());
  if (found == list.end()) list.push_back(value);
  return place;
}

}  // namespace

Tape with_backup(const Tape& tape, const Backup& backup) {
  std::vector<quad> constants = tape.constants();
  const std::uint32_t zero = place_in(constants, quad(0));
  std::vector<std::uint32_t> inputs = tape.input_slots();
  for (const std::uint32_t slot : backup.replaced) {
    if (std::find(inputs.begin(), inputs.end(), slot) == inputs.end()) inputs.push_back(slot);
  }
  // Values of the tape in the new one: constants as before, the others behind what was added.
  const auto first_input = static_cast<std::uint32_t>(constants.size());
  const auto first_result = first_input + static_cast<std::uint32_t>(inputs.size());
  std::vector<std::uint32_t> number(tape.value_count());
  std::iota(number.begin(), number.begin() + tape.first_input(), 0U);
  std::iota(number.begin() + tape.first_input(), number.begin() + tape.first_result(), first_input);
  std::iota(number.begin() + tape.first_result(), number.end(), first_result);

  std::vector<Instruction> code;
  for (const Instruction& instruction : tape.code()) code.push_back(renumbered(instruction, number));
  std::vector<Tape::Store> stores;
  for (const Tape::Store& store : tape.stores()) stores.push_back({number[store.value], store.slot});
  for (std::size_t i = 0; i < backup.replaced.size(); ++i) {
    const std::uint32_t input = first_input + place_in(inputs, backup.replaced[i]);
    stores.push_back({input, backup.kept + static_cast<std::uint32_t>(i)});
  }
  // 0 * x is zero unless x is infinite or no number. Two sums do not wait for each other.
  std::uint32_t sums[] = {zero, zero};
  std::size_t turn = 0;
  for (const std::uint32_t slot : backup.checked) {
    const auto store = std::find_if(tape.stores().begin(), tape.stores().end(),
                                    [&](const Tape::Store& candidate) { return candidate.slot == slot; });
    assert(store != tape.stores().end());
    code.push_back({TapeOp::fma, number[store->value], zero, sums[turn % 2]});
    sums[turn++ % 2] = first_result + static_cast<std::uint32_t>(code.size() - 1);
  }
  code.push_back({TapeOp::add, sums[0], sums[1]});
  stores.push_back({first_result + static_cast<std::uint32_t>(code.size() - 1), backup.verdict});
  return Tape::from_parts(std::move(constants), std::move(inputs), std::move(code), std::move(stores), tape.calls());
}

}  // namespace noslip
