#include <noslip/tape/side_by_side.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "tape/renumber.hpp"

namespace noslip {

Tape side_by_side(const Tape& tape, std::uint32_t offset, std::span<const std::uint32_t> shared) {
  assert(tape.calls().empty());
  std::array<std::vector<std::uint32_t>, 2> number;  // of a value in each copy
  for (auto& each : number) each.resize(tape.value_count());
  for (std::uint32_t constant = 0; constant < tape.first_input(); ++constant) {
    number[0][constant] = number[1][constant] = constant;
  }
  std::vector<std::uint32_t> slots;
  for (std::uint32_t input = tape.first_input(); input < tape.first_result(); ++input) {
    const std::uint32_t slot = tape.input_slots()[input - tape.first_input()];
    const auto place = [&](std::uint32_t one) {
      slots.push_back(one);
      return tape.first_input() + static_cast<std::uint32_t>(slots.size()) - 1;
    };
    number[0][input] = place(slot);
    const bool is_shared = std::find(shared.begin(), shared.end(), slot) != shared.end();
    number[1][input] = is_shared ? number[0][input] : place(slot + offset);
  }
  const std::uint32_t first_result = tape.first_input() + static_cast<std::uint32_t>(slots.size());
  std::vector<Instruction> code;
  const auto add = [&](std::size_t copy, std::uint32_t k) {
    number[copy][tape.first_result() + k] = first_result + static_cast<std::uint32_t>(code.size());
    code.push_back(renumbered(tape.code()[k], number[copy]));
  };
  for (std::uint32_t k = 0; k < tape.code().size(); ++k) {
    const bool has_second = k + 1 < tape.code().size() && tape.code()[k + 1].op == TapeOp::second;
    for (const std::size_t copy : {0, 1}) {
      add(copy, k);
      if (has_second) add(copy, k + 1);
    }
    if (has_second) ++k;
  }
  std::vector<Tape::Store> stores;
  for (const Tape::Store& store : tape.stores()) {
    assert(std::find(shared.begin(), shared.end(), store.slot) == shared.end());
    stores.push_back({number[0][store.value], store.slot});
    stores.push_back({number[1][store.value], store.slot + offset});
  }
  return Tape::from_parts(tape.constants(), std::move(slots), std::move(code), std::move(stores), {}, tape.tables());
}

}  // namespace noslip
