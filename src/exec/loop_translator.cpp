#include "exec/loop_translator.hpp"

#include <algorithm>
#include <cassert>

namespace noslip {

#if NOSLIP_HAS_ASMJIT

namespace {

// An input that goes to another slot as it is may have been overwritten in its own by the end of a run.
bool can_stay(const LoopForm& loop, const LoopForm::Carried& carried) {
  return carried.output >= loop.tape.first_result() || loop.is_constant[carried.output];
}

std::vector<bool> which_stay(const LoopForm& loop, std::span<const LoopTranslator::Resident> residents) {
  std::vector<bool> stays(loop.carried.size(), false);
  for (const auto& resident : residents) {
    if (resident.carried >= 0) stays[static_cast<std::size_t>(resident.carried)] = true;
  }
  return stays;
}

std::vector<double> constants_and_limit(std::vector<double> constants, double limit) {
  constants.push_back(limit);
  return constants;
}

}  // namespace

LoopTranslator::LoopTranslator(const LoopForm& loop, std::span<const Resident> residents,
                               const std::vector<bool>& stays, const LoopGuard& guard, int width, int stride, Isa isa)
    : Translator(loop.tape, Lifetimes(loop, stays), {isa, width, stride, has_calls(loop.tape), true},
                 constants_and_limit(constants_of(loop.tape), guard.limit)),
      loop_(loop),
      residents_(residents.begin(), residents.end()),
      guard_(guard) {
  wanted_.assign(tape_.value_count(), -1);
  for (const Resident& resident : residents_) {
    if (resident.carried >= 0) wanted_[resident.before] = resident.reg;
  }
}

LoopTranslator::LoopTranslator(const LoopForm& loop, std::span<const Resident> residents, const LoopGuard& guard,
                               int width, int stride, Isa isa)
    : LoopTranslator(loop, residents, which_stay(loop, residents), guard, width, stride, isa) {}

std::vector<LoopTranslator::Resident> LoopTranslator::find_residents(const LoopForm& loop, int width, int stride,
                                                                     Isa isa) {
  std::vector<bool> stays;
  for (const LoopForm::Carried& carried : loop.carried) stays.push_back(can_stay(loop, carried));
  LoopTranslator trial(loop, {}, stays, {}, width, stride, isa);
  trial.translate_beginning();
  trial.translate_run();

  std::vector<int> carried_as(loop.tape.value_count(), -1);
  for (std::size_t i = 0; i < loop.carried.size(); ++i) {
    if (stays[i]) carried_as[loop.carried[i].output] = static_cast<int>(i);
  }
  std::vector<Resident> residents;
  // One register is left free, to exchange others.
  for (int reg = 0; reg < trial.registers_.count(); ++reg) {
    const std::uint32_t value = trial.registers_.held(reg);
    if (value == RegisterFile::nothing || residents.size() + 1 == static_cast<std::size_t>(trial.registers_.count())) {
      continue;
    }
    if (loop.is_constant[value]) {
      residents.push_back({reg, value, value, -1});
    } else if (const int number = carried_as[value]; number >= 0) {
      residents.push_back({reg, loop.carried[static_cast<std::size_t>(number)].input, value, number});
    }
  }
  return residents;
}

// What is the same in all runs, and the registers as every run finds them.
void LoopTranslator::translate_beginning() {
  translate(0, loop_.first_repeated);
  for (int reg = 0; reg < registers_.count(); ++reg) {
    if (registers_.held(reg) != RegisterFile::nothing) spill(reg);
  }
  registers_.clear();
  for (const Resident& resident : residents_) {
    code_.load(resident.reg, home_[resident.value]);
    registers_.assign(resident.reg, resident.value);
    // From now on its slot is not up to date.
    if (resident.carried >= 0) has_home_[resident.value] = false;
  }
}

void LoopTranslator::translate_run() {
  save_inputs();
  translate(loop_.first_repeated, static_cast<std::uint32_t>(tape_.code().size()));
  write_outputs(Lifetimes::never);
}

// The lowest register that no resident has.
int LoopTranslator::unused_register() const {
  for (int reg = 0; reg < registers_.count(); ++reg) {
    const bool is_used = std::any_of(residents_.begin(), residents_.end(),
                                     [&](const Resident& resident) { return resident.reg == reg; });
    if (!is_used) return reg;
  }
  assert(false);
  return -1;
}

// Everything to the register where the next run expects it, all at once.
void LoopTranslator::move_residents() {
  struct Move {
    int to, from;
  };
  std::vector<Move> moves;
  for (const Resident& resident : residents_) {
    const int from = registers_.of(resident.before);
    if (from >= 0 && from != resident.reg) moves.push_back({resident.reg, from});
  }
  while (!moves.empty()) {
    const auto is_needed = [&](int reg) {
      return std::any_of(moves.begin(), moves.end(), [&](const Move& move) { return move.from == reg; });
    };
    const auto next = std::find_if(moves.begin(), moves.end(), [&](const Move& move) { return !is_needed(move.to); });
    if (next != moves.end()) {
      code_.move(next->to, next->from);
      moves.erase(next);
      continue;
    }
    // Only cycles are left: one register of them goes aside.
    const int aside = unused_register(), from = moves.front().from;
    code_.move(aside, from);
    for (Move& move : moves) {
      if (move.from == from) move.from = aside;
    }
  }
  for (const Resident& resident : residents_) {
    if (registers_.of(resident.before) < 0) code_.load(resident.reg, home_[resident.before]);
  }
}

std::vector<Source> LoopTranslator::guarded_values() const {
  std::vector<Source> values;
  for (const std::uint32_t slot : guard_.slots) {
    values.push_back({-1, {MemoryPlace::Base::workspace, slot}});
    for (const Resident& resident : residents_) {
      const bool is_it =
          resident.carried >= 0 && loop_.carried[static_cast<std::size_t>(resident.carried)].slot == slot;
      if (is_it) values.back() = {resident.reg, {}};
    }
  }
  return values;
}

std::shared_ptr<const void> LoopTranslator::run() {
  translate_beginning();
  code_.begin_run();
  translate_run();
  move_residents();
  const auto limit = static_cast<std::uint32_t>(tape_.constants().size());
  code_.end_run(guarded_values(), {MemoryPlace::Base::pool, limit}, unused_register());
  for (const Resident& resident : residents_) {
    if (resident.carried < 0) continue;
    const std::uint32_t slot = loop_.carried[static_cast<std::size_t>(resident.carried)].slot;
    code_.store({MemoryPlace::Base::workspace, slot}, resident.reg);
  }
  return code_.finish();
}

#endif

}  // namespace noslip
