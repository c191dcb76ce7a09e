// Machine code for a tape, once or many times in a row.
#include "exec/machine_code.hpp"

#include <algorithm>
#include <cassert>
#include <optional>
#include <stdexcept>
#include <vector>

#include "exec/executable_memory.hpp"
#include "exec/loop_translator.hpp"
#include "exec/rolled.hpp"
#include "exec/segment_translator.hpp"
#include "exec/translator.hpp"

namespace noslip {

#if NOSLIP_HAS_ASMJIT

namespace {

// Some systems forbid memory that was writable to become executable.
bool can_execute() {
  static const bool is_allowed = executable_memory(1, [](std::byte*) { return true; }) != nullptr;
  return is_allowed;
}

int passes_of(int lanes, Isa isa) { return lanes == 8 && isa != Isa::avx512 ? 2 : 1; }

}  // namespace

std::string why_no_machine_code(Isa isa) {
  if (isa == Isa::baseline) return "processor without AVX2 and FMA";
  if (!can_execute()) return "the system does not allow executable memory";
  return {};
}

namespace {

/// Shorter tapes fit into the caches as they are.
constexpr std::size_t longest_straight = 3000;

/// Lookups have the address of the tables in them.
std::shared_ptr<const void> with_tables(std::shared_ptr<const void> entry, const Tape& tape) {
  if (entry == nullptr || tape.tables()->empty()) return entry;
  const auto both = std::make_shared<const std::pair<std::shared_ptr<const void>, std::shared_ptr<const std::vector<Table>>>>(
      entry, tape.tables());
  return {both, entry.get()};
}

/// Without an entry if the tape does not repeat itself, or the system refuses the memory.
MachineCode compile_rolled(const Tape& tape, Isa isa) {
  const int width = isa == Isa::avx512 ? 8 : 4;
  const std::optional<RolledTape> rolled = roll(tape, static_cast<std::uint32_t>(width));
  if (!rolled) return {};
  std::vector<std::shared_ptr<const void>> functions;
  std::size_t scratch_size = 0;
  for (const Segment& segment : rolled->segments) {
    SegmentTranslator translator(segment, rolled->scratch_size, width, isa);
    functions.push_back(translator.run());
    if (functions.back() == nullptr) return {};
    scratch_size = std::max(scratch_size, translator.scratch_size());
  }
  return {with_tables(call_in_turn(functions), tape), scratch_size, 1};
}

}  // namespace

MachineCode compile(const Tape& tape, int lanes, Isa isa) {
  assert(why_no_machine_code(isa).empty());
  if (lanes == 1 && tape.code().size() > longest_straight) {
    MachineCode rolled = compile_rolled(tape, isa);
    if (rolled.entry != nullptr) return rolled;
  }
  const int passes = passes_of(lanes, isa);
  Translator translator(tape, lanes / passes, lanes, isa);
  std::shared_ptr<const void> entry = translator.run();
  return {with_tables(std::move(entry), tape), translator.scratch_size(), passes};
}

MachineCode compile_loop(const Tape& tape, int lanes, Isa isa, const LoopGuard& guard) {
  assert(why_no_machine_code(isa).empty());
  const int passes = passes_of(lanes, isa), width = lanes / passes;
  if (passes > 1 && !guard.slots.empty()) return {};
  const LoopForm loop(tape);
  LoopTranslator translator(loop, LoopTranslator::find_residents(loop, width, lanes, isa), guard, width, lanes, isa);
  std::shared_ptr<const void> entry = translator.run();
  return {with_tables(std::move(entry), tape), translator.scratch_size(), passes};
}

#else

std::string why_no_machine_code(Isa) { return "built without asmjit"; }

MachineCode compile(const Tape&, int, Isa) { throw std::logic_error("machine code: built without asmjit"); }

MachineCode compile_loop(const Tape& tape, int lanes, Isa isa, const LoopGuard&) { return compile(tape, lanes, isa); }

#endif

}  // namespace noslip
