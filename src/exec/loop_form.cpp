#include "exec/loop_form.hpp"

#include <unordered_map>

#include "tape/renumber.hpp"

namespace noslip {
namespace {

bool reads_constants_only(const Instruction& instruction, const std::vector<bool>& is_constant) {
  bool all = true;
  for_each_operand(instruction, [&](std::uint32_t operand) { all = all && is_constant[operand]; });
  return all;
}

}  // namespace

LoopForm::LoopForm(const Tape& given) {
  std::unordered_map<std::uint32_t, std::uint32_t> input_of_slot;
  for (std::uint32_t input = given.first_input(); input < given.first_result(); ++input) {
    input_of_slot.emplace(given.input_slots()[input - given.first_input()], input);
  }
  is_constant.assign(given.value_count(), true);
  std::vector<Tape::Store> stores;
  for (const Tape::Store& store : given.stores()) {
    const auto input = input_of_slot.find(store.slot);
    if (input != input_of_slot.end()) {
      if (input->second == store.value) continue;
      is_constant[input->second] = false;
      carried.push_back({input->second, store.value, store.slot});
    }
    stores.push_back(store);
  }
  for (std::uint32_t k = 0; k < given.code().size(); ++k) {
    is_constant[given.first_result() + k] = reads_constants_only(given.code()[k], is_constant);
  }

  std::vector<std::uint32_t> number(given.value_count());
  for (std::uint32_t value = 0; value < given.first_result(); ++value) number[value] = value;
  std::vector<Instruction> code;
  std::vector<bool> is_constant_now(is_constant.begin(), is_constant.begin() + given.first_result());
  for (const bool wanted : {true, false}) {
    for (std::uint32_t k = 0; k < given.code().size(); ++k) {
      const std::uint32_t own = given.first_result() + k;
      if (is_constant[own] != wanted) continue;
      number[own] = given.first_result() + static_cast<std::uint32_t>(code.size());
      code.push_back(renumbered(given.code()[k], number));
      is_constant_now.push_back(wanted);
    }
    if (wanted) first_repeated = static_cast<std::uint32_t>(code.size());
  }
  is_constant = std::move(is_constant_now);
  for (Tape::Store& store : stores) store.value = number[store.value];
  for (Carried& each : carried) each.output = number[each.output];
  tape = Tape::from_parts(given.constants(), given.input_slots(), std::move(code), std::move(stores), {},
                          given.tables());
}

}  // namespace noslip
