#include <noslip/tape/backup.hpp>

#include <algorithm>
#include <cassert>
#include <numeric>
#include <unordered_map>

#include "tape/renumber.hpp"

namespace noslip {
namespace {

/// The place of zero among the constants, where it is put if it is not there yet.
std::uint32_t place_of_zero(std::vector<quad>& constants) {
  const auto found = std::find(constants.begin(), constants.end(), quad(0));
  const auto place = static_cast<std::uint32_t>(found - constants.begin());
  if (found == constants.end()) constants.push_back(0);
  return place;
}

}  // namespace

Tape with_backup(const Tape& tape, const Backup& backup) {
  std::vector<quad> constants = tape.constants();
  const std::uint32_t zero = place_of_zero(constants);
  std::vector<std::uint32_t> inputs = tape.input_slots();
  std::unordered_map<std::uint32_t, std::uint32_t> place_of_input;  // by slot
  for (std::uint32_t i = 0; i < inputs.size(); ++i) place_of_input.emplace(inputs[i], i);
  for (const std::uint32_t slot : backup.replaced) {
    if (place_of_input.emplace(slot, static_cast<std::uint32_t>(inputs.size())).second) inputs.push_back(slot);
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
    const std::uint32_t input = first_input + place_of_input.at(backup.replaced[i]);
    stores.push_back({input, backup.kept + static_cast<std::uint32_t>(i)});
  }
  // 0 * x is zero unless x is infinite or no number. Two sums do not wait for each other.
  std::uint32_t sums[] = {zero, zero};
  std::size_t turn = 0;
  std::unordered_map<std::uint32_t, std::uint32_t> stored;  // the value of a slot
  for (const Tape::Store& store : tape.stores()) stored.emplace(store.slot, store.value);
  for (const std::uint32_t slot : backup.checked) {
    assert(stored.contains(slot));
    code.push_back({TapeOp::fma, number[stored.at(slot)], zero, sums[turn % 2]});
    sums[turn++ % 2] = first_result + static_cast<std::uint32_t>(code.size() - 1);
  }
  code.push_back({TapeOp::add, sums[0], sums[1]});
  stores.push_back({first_result + static_cast<std::uint32_t>(code.size() - 1), backup.verdict});
  return Tape::from_parts(std::move(constants), std::move(inputs), std::move(code), std::move(stores), tape.calls());
}

}  // namespace noslip
