// Records the Newton iteration of a recipe and compiles it.
#include <noslip/run/step_program.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <noslip/solve/elimination.hpp>

namespace noslip {

namespace {

/// Recorded eliminations longer than this run slower than loops over a dense matrix, and take long to compile.
constexpr long long longest_fused = 6000;
constexpr std::size_t most_fused_unknowns = 120;

using Inputs = std::vector<Tape::Input>;
using Outputs = std::vector<Tape::Output>;

/// Sum of the sizes: unlike a maximum it does not lose a NaN.
Expr sum_of_sizes(Graph& graph, const std::vector<Expr>& values) {
  std::vector<Expr> sizes;
  for (const Expr& value : values) sizes.push_back(abs(value));
  return sum(graph, sizes);
}

Expr largest(Graph& graph, const std::vector<Expr>& values) {
  if (values.empty()) return graph.constant(0);
  std::vector<Expr> level;
  for (const Expr& value : values) level.push_back(abs(value));
  while (level.size() > 1) {
    std::vector<Expr> next;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) next.push_back(max(level[i], level[i + 1]));
    if (level.size() % 2 == 1) next.push_back(level.back());
    level = std::move(next);
  }
  return level.front();
}

/// What the sum of the deciding corrections is compared with: their number times the largest velocity.
Expr scale_of(Graph& graph, const Solve& solve) {
  const auto deciding = std::count_if(solve.unknowns.begin(), solve.unknowns.end(),
                                      [](const Unknown& unknown) { return unknown.decides; });
  return Number(static_cast<long long>(deciding)) * largest(graph, solve.scale);
}

/// Assigns slots and keeps the list of what a kernel may read.
class Recorder {
 public:
  Recorder(const StepRecipe& recipe, StepLayout& layout) : recipe_(recipe), layout_(layout) {
    layout.parameter_count = static_cast<int>(recipe.parameters.size());
    layout.state_count = static_cast<int>(recipe.state.size());
    layout.dimension = static_cast<int>(recipe.accelerations.size());
    layout.multiplier_count = static_cast<int>(recipe.multipliers.size());
    layout.parameters = place(recipe.parameters);
    layout.t = place({&recipe.t, 1});
    layout.h = place({&recipe.h, 1});
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
    layout.accelerations = place(recipe.accelerations);
    layout.multipliers = place(recipe.multipliers);
    layout.unknowns = place(unknowns);
    layout.norm = reserve(1);
    layout.scale = reserve(1);
    layout.watch = reserve(1);
  }

  int reserve(int count) {
    const int first = layout_.size;
    layout_.size += count;
    return first;
  }

  int place(std::span<const Expr> symbols) {
    const int first = reserve(static_cast<int>(symbols.size()));
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      inputs_.push_back({symbols[i], static_cast<std::uint32_t>(first + static_cast<int>(i))});
    }
    return first;
  }

  Tape tape(const Outputs& outputs) const { return Tape(inputs_, outputs); }

  static void add(Outputs& outputs, Expr expression, int slot) {
    outputs.push_back({expression, static_cast<std::uint32_t>(slot)});
  }

  Tape first_guess() const {
    Outputs outputs;
    int slot = layout_.unknowns;
    for (const Solve& solve : recipe_.solves) {
      for (const Unknown& unknown : solve.unknowns) add(outputs, unknown.first_guess, slot++);
    }
    return tape(outputs);
  }

  /// The new state by compensated summation (Kahan), and the guesses for the next step.
  Tape finish() const {
    Graph& graph = *recipe_.graph;
    Outputs outputs;
    for (std::size_t i = 0; i < recipe_.state.size(); ++i) {
      const StateVariable& variable = recipe_.state[i];
      // Aliases keep the simplifier from seeing that (a + b) - a is b, which in floating point it is not.
      const Expr increment = graph.alias(variable.increment + variable.low);
      const Expr next = graph.alias(variable.symbol + increment);
      add(outputs, next, layout_.state + static_cast<int>(i));
      add(outputs, increment - graph.alias(next - variable.symbol), layout_.compensation + static_cast<int>(i));
    }
    int slot = layout_.unknowns;
    for (const Solve& solve : recipe_.solves) {
      for (const Unknown& unknown : solve.unknowns) add(outputs, unknown.next_guess, slot++);
    }
    return tape(outputs);
  }

 private:
  const StepRecipe& recipe_;
  StepLayout& layout_;
  Inputs inputs_;
};

/// The numbers of the first state, for the choice of pivots.
std::vector<double> first_workspace(const StepLayout& layout, const StepStart& start, const Tape& first_guess) {
  std::vector<double> workspace(layout.size, 0.0);
  const auto put = [&](int slot, const std::vector<double>& values) {
    std::copy(values.begin(), values.end(), workspace.begin() + slot);
  };
  put(layout.parameters, start.parameters);
  put(layout.state, start.state);
  put(layout.accelerations, start.accelerations);
  put(layout.multipliers, start.multipliers);
  workspace[layout.t] = start.t;
  workspace[layout.h] = start.h;
  const Kernel<double> guess(first_guess, Backend::interpreter);
  std::vector<double> scratch(guess.scratch_size());
  guess(workspace.data(), scratch.data());
  return workspace;
}

std::vector<double> evaluate(Recorder& recorder, const StepLayout& layout, std::vector<double> workspace,
                             const std::vector<Entry>& entries) {
  const int first = layout.size;  // beyond everything that has been placed; nothing is kept there
  Outputs outputs;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    Recorder::add(outputs, entries[e].value, first + static_cast<int>(e));
  }
  workspace.resize(first + entries.size());
  const Kernel<double> kernel(recorder.tape(outputs), Backend::interpreter);
  std::vector<double> scratch(kernel.scratch_size());
  kernel(workspace.data(), scratch.data());
  return {workspace.begin() + first, workspace.end()};
}

/// Replaces every factor that takes work by a symbol that reads it back from the workspace.
Factors kept_in_workspace(Graph& graph, Recorder& recorder, Factors factors, Outputs& outputs) {
  std::map<NodeId, Expr> kept;
  const auto keep = [&](Expr& value) {
    if (value.is_constant() || value.op() == Op::symbol) return;
    const auto [found, added] = kept.try_emplace(value.id);
    if (added) {
      const Expr symbol = graph.symbol(fmt::format("factor.{}", value.id));
      Recorder::add(outputs, value, recorder.place({&symbol, 1}));
      found->second = symbol;
    }
    value = found->second;
  };
  for (std::size_t k = 0; k < factors.rows.size(); ++k) {
    for (Factors::Term& term : factors.lower[k]) keep(term.value);
    for (Factors::Term& term : factors.upper[k]) keep(term.value);
    keep(factors.inverse_pivots[k]);
  }
  return factors;
}

template <class T>
SolveProgram<T> make_solve(const StepRecipe& recipe, const Solve& solve, int first, Recorder& recorder,
                           const StepLayout& layout, const std::vector<double>& start, Backend backend, int lanes) {
  Graph& graph = *recipe.graph;
  SolveProgram<T> program;
  program.first = first;
  program.count = static_cast<int>(solve.unknowns.size());
  std::vector<Expr> unknowns;
  for (const Unknown& unknown : solve.unknowns) unknowns.push_back(unknown.symbol);
  for (int i = 0; i < program.count; ++i) {
    if (solve.unknowns[i].decides) program.deciding.push_back(i);
  }
  assert(unknowns.size() == solve.residuals.size());
  const std::vector<Entry> entries = jacobian(solve.residuals, unknowns);

  EliminationOrder order;
  if (unknowns.size() <= most_fused_unknowns) {
    order = choose_order(program.count, entries, evaluate(recorder, layout, start, entries));
    program.fused = order.regular() && order.operations <= longest_fused;
  }
  if (program.fused) {
    std::vector<Expr> right_hand_side;
    for (const Expr& residual : solve.residuals) right_hand_side.push_back(-residual);
    const auto iteration = [&](const Factors& factors, Outputs& outputs) {
      const std::vector<Expr> correction = noslip::solve(graph, factors, right_hand_side);
      std::vector<Expr> deciding;
      for (int i = 0; i < program.count; ++i) {
        Recorder::add(outputs, unknowns[i] + correction[i], layout.unknowns + first + i);
        if (solve.unknowns[i].decides) deciding.push_back(correction[i]);
      }
      Recorder::add(outputs, sum_of_sizes(graph, deciding), layout.norm);
    };
    const Factors factors = factorise(graph, entries, order);
    Outputs first_outputs, reuse_outputs;
    iteration(factors, first_outputs);
    Recorder::add(first_outputs, scale_of(graph, solve), layout.scale);
    std::vector<Expr> growth;
    for (int k = 0; k < program.count; ++k) {
      if (factors.inverse_pivots[k].is_constant()) continue;
      growth.push_back(factors.inverse_pivots[k] * Number::real(std::fabs(order.pivots[k])));
    }
    Recorder::add(first_outputs, sum_of_sizes(graph, growth), layout.watch);
    const Factors kept = kept_in_workspace(graph, recorder, factors, first_outputs);
    iteration(kept, reuse_outputs);
    program.factorise = Kernel<T>(recorder.tape(first_outputs), backend, lanes);
    program.reuse = Kernel<T>(recorder.tape(reuse_outputs), backend, lanes);
  }

  // In a fused program these serve rare steps only and are not worth compiling.
  const Backend plain = program.fused ? Backend::interpreter : backend;
  program.residual_slot = recorder.reserve(program.count);
  program.jacobian_slot = recorder.reserve(static_cast<int>(entries.size()));
  Outputs residual_outputs;
  for (int i = 0; i < program.count; ++i) {
    Recorder::add(residual_outputs, solve.residuals[i], program.residual_slot + i);
  }
  Recorder::add(residual_outputs, scale_of(graph, solve), layout.scale);
  Outputs all_outputs = residual_outputs;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    program.pattern.emplace_back(entries[e].row, entries[e].column);
    Recorder::add(all_outputs, entries[e].value, program.jacobian_slot + static_cast<int>(e));
  }
  program.residual = Kernel<T>(recorder.tape(residual_outputs), plain, lanes);
  program.linearise = Kernel<T>(recorder.tape(all_outputs), plain, lanes);
  return program;
}

}  // namespace

template <class T>
StepProgram<T>::StepProgram(const StepRecipe& recipe, const StepStart& start, Backend backend, int lane_count,
                            int extra_slots)
    : lanes(lane_count) {
  Recorder recorder(recipe, layout);
  layout.extra = recorder.reserve(extra_slots);
  const Tape guess = recorder.first_guess();
  const std::vector<double> numbers = first_workspace(layout, start, guess);
  int first = 0;
  for (const Solve& solve : recipe.solves) {
    solves.push_back(make_solve<T>(recipe, solve, first, recorder, layout, numbers, backend, lanes));
    first += solves.back().count;
  }
  first_guess = Kernel<T>(guess, backend, lanes);
  finish = Kernel<T>(recorder.finish(), backend, lanes);
  is_machine_code = finish.is_machine_code();
  scratch_size = std::max(first_guess.scratch_size(), finish.scratch_size());
  for (const SolveProgram<T>& solve : solves) {
    for (const Kernel<T>* kernel : {&solve.linearise, &solve.residual}) {
      scratch_size = std::max(scratch_size, kernel->scratch_size());
    }
    if (!solve.fused) continue;
    for (const Kernel<T>* kernel : {&solve.factorise, &solve.reuse}) {
      scratch_size = std::max(scratch_size, kernel->scratch_size());
    }
  }
}

template struct StepProgram<double>;
template struct StepProgram<long double>;
template struct StepProgram<quad>;

}  // namespace noslip
