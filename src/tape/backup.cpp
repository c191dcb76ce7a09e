#include <noslip/tape/backup.hpp>

#include <algorithm>
#include <cassert>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "tape/renumber.hpp"

namespace noslip {
namespace {

/// From so many numbers on they are checked in many sums, which can be made side by side.
constexpr std::size_t many = 500;

}  // namespace

Tape with_backup(const Tape& tape, const Backup& backup) {
  std::vector<quad> constants = tape.constants();
  const auto found = std::find(constants.begin(), constants.end(), quad(0));
  const auto zero = static_cast<std::uint32_t>(found - constants.begin());
  if (found == constants.end()) constants.push_back(quad(0));
  std::vector<std::uint32_t> inputs = tape.input_slots();
  std::unordered_map<std::uint32_t, std::uint32_t> place_of_slot;
  for (std::size_t i = 0; i < inputs.size(); ++i) place_of_slot.emplace(inputs[i], static_cast<std::uint32_t>(i));
  for (const std::uint32_t slot : backup.replaced) {
    if (place_of_slot.emplace(slot, static_cast<std::uint32_t>(inputs.size())).second) inputs.push_back(slot);
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
    const std::uint32_t input = first_input + place_of_slot.at(backup.replaced[i]);
    stores.push_back({input, backup.kept + static_cast<std::uint32_t>(i)});
  }
  // 0 * x is zero unless x is infinite or no number. Sums do not wait for each other.
  std::unordered_map<std::uint32_t, std::uint32_t> stored;
  for (const Tape::Store& store : tape.stores()) stored.emplace(store.slot, number[store.value]);
  std::vector<std::uint32_t> sums(backup.checked.size() < many ? 2 : 64, zero);
  const auto add = [&](const Instruction& instruction) {
    code.push_back(instruction);
    return first_result + static_cast<std::uint32_t>(code.size() - 1);
  };
  for (std::size_t i = 0; i < backup.checked.size(); ++i) {
    assert(stored.contains(backup.checked[i]));
    std::uint32_t& sum = sums[i % sums.size()];
    sum = add({TapeOp::fma, stored.at(backup.checked[i]), zero, sum});
  }
  for (std::size_t half = sums.size() / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) sums[i] = add({TapeOp::add, sums[i], sums[i + half]});
  }
  stores.push_back({sums.front(), backup.verdict});
  return Tape::from_parts(std::move(constants), std::move(inputs), std::move(code), std::move(stores), tape.calls(),
                          tape.tables());
}

}  // namespace noslip
