// The workspace of a step: who lives where. The kernels of a step share it, and each reads and writes single slots that
// were given out one by one as the step was recorded: that is a tape, not a function of blocks.
#include "run/recorder.hpp"

#include <algorithm>
#include <string>

namespace noslip {

Recorder::Recorder(const StepRecipe& recipe, StepLayout& layout) : recipe_(recipe), layout_(layout) {
  layout.parameter_count = static_cast<int>(recipe.parameters.size());
  layout.state_count = static_cast<int>(recipe.state.size());
  layout.work_count = recipe.has_work ? 1 : 0;
  layout.end_multiplier_count = static_cast<int>(recipe.end_multipliers.size());
  layout.acceleration_count = static_cast<int>(recipe.accelerations.size());
  layout.multiplier_count = static_cast<int>(recipe.multipliers.size());
  layout.parameters = place(recipe.parameters);
  layout.t = place(recipe.t);
  layout.h = place(recipe.h);
  std::vector<Expr> state, compensation, unknowns;
  for (const StateVariable& variable : recipe.state) {
    state.push_back(variable.symbol);
    compensation.push_back(variable.low);
  }
  for (const Solve& solve : recipe.solves) {
    for (const Unknown& unknown : solve.unknowns) unknowns.push_back(unknown.symbol);
  }
  layout.unknown_count = static_cast<int>(unknowns.size());
  layout.state = place(state);
  layout.compensation = place(compensation);
  layout.end_multipliers = reserve(layout.end_multiplier_count);
  layout.accelerations = place(recipe.accelerations);
  layout.multipliers = place(recipe.multipliers);
  layout.unknowns = place(unknowns);
  for (const StateVariable& variable : recipe.state) {
    if (variable.stored_as_seen) settled_.push_back(recipe.graph->symbol("settled." + variable.symbol.name()));
  }
  layout.settled_count = static_cast<int>(settled_.size());
  layout.settled = place(settled_);
  std::vector<Expr> held;
  for (const Definition& definition : recipe.solves.back().held_in_matrix) held.push_back(definition.symbol);
  layout.held_count = static_cast<int>(held.size());
  layout.held = place(held);
  layout.norm = reserve(1);
  layout.scale = reserve(1);
  layout.motion = reserve(1);
  layout.looseness = reserve(1);
  layout.watch = reserve(1);
  layout.side = reserve(1);
}

int Recorder::reserve(int count) {
  const int first = layout_.size;
  layout_.size += count;
  return first;
}

int Recorder::place(std::span<const Expr> symbols) {
  const int first = reserve(static_cast<int>(symbols.size()));
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    inputs_.push_back({symbols[i], static_cast<std::uint32_t>(first + static_cast<int>(i))});
  }
  return first;
}

Expr Recorder::new_symbol(const std::string& stem) {
  return recipe_.graph->symbol(stem + "." + std::to_string(++new_symbols_));
}

void Recorder::add(Outputs& outputs, Expr expression, int slot) {
  outputs.push_back({expression, static_cast<std::uint32_t>(slot)});
}

Tape Recorder::tape(const Outputs& outputs) const {
  Tape made(inputs_, outputs);
  const auto add = [this](const auto& value) {  // FNV-1a
    const auto* const bytes = reinterpret_cast<const unsigned char*>(&value);
    for (std::size_t i = 0; i < sizeof(value); ++i) fingerprint_ = (fingerprint_ ^ bytes[i]) * 1099511628211ULL;
  };
  for (const quad& constant : made.constants()) add(constant);
  for (const std::uint32_t slot : made.input_slots()) add(slot);
  for (const Instruction& instruction : made.code()) {
    for (const std::uint32_t part :
         {static_cast<std::uint32_t>(instruction.op), instruction.a, instruction.b, instruction.c}) {
      add(part);
    }
  }
  for (const Tape::Store& store : made.stores()) {
    add(store.value);
    add(store.slot);
  }
  return made;
}

Tape Recorder::first_guess() const {
  Outputs outputs;
  int slot = layout_.unknowns;
  for (const Solve& solve : recipe_.solves) {
    for (const Unknown& unknown : solve.unknowns) add(outputs, unknown.first_guess, slot++);
  }
  for (int i = 0; i < layout_.held_count; ++i) add(outputs, recipe_.graph->constant(0), layout_.held + i);
  return tape(outputs);
}

void Recorder::begin_numbers(const StepStart& start) {
  numbers_.assign(layout_.size, 0.0);
  const auto put = [&](int slot, const std::vector<double>& values) {
    std::copy(values.begin(), values.end(), numbers_.begin() + slot);
  };
  put(layout_.parameters, start.parameters);
  put(layout_.state, start.state);
  put(layout_.accelerations, start.accelerations);
  put(layout_.multipliers, start.multipliers);
  numbers_[layout_.t] = start.t;
  numbers_[layout_.h] = start.h;
  run(first_guess());
}

void Recorder::run(const Tape& tape) {
  numbers_.resize(layout_.size, 0.0);
  const Kernel<double> kernel(tape, Backend::interpreter);
  std::vector<double> scratch(kernel.scratch_size());
  kernel(numbers_.data(), scratch.data());
}

std::vector<double> Recorder::numbers(std::span<const Expr> expressions) {
  const int first = layout_.size;  // beyond everything that has been placed; nothing is kept there
  Outputs outputs;
  for (std::size_t e = 0; e < expressions.size(); ++e) add(outputs, expressions[e], first + static_cast<int>(e));
  std::vector<double> workspace = numbers_;
  workspace.resize(first + expressions.size());
  const Kernel<double> kernel(tape(outputs), Backend::interpreter);
  std::vector<double> scratch(kernel.scratch_size());
  kernel(workspace.data(), scratch.data());
  return {workspace.begin() + first, workspace.end()};
}

}  // namespace noslip
