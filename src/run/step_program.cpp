// Records the Newton iterations of a recipe and compiles them.
#include <noslip/run/step_program.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <optional>

#include <noslip/solve/elimination.hpp>

#include "run/hoist.hpp"
#include "run/recorder.hpp"
#include "run/reduction.hpp"

namespace noslip {

namespace {

/// Recorded eliminations longer than this run slower than loops over a dense matrix, and take long to compile.
constexpr long long longest_fused = 60000;
constexpr std::size_t most_fused_unknowns = 300;
/// So few unknowns are factorised in every iteration.
constexpr std::size_t most_renewed = 2;

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

/// What the sum of the deciding corrections is compared with: their number times the largest of the
/// values that the solve names (velocities).
Expr scale_of(Graph& graph, const Solve& solve) {
  const auto deciding = std::count_if(solve.unknowns.begin(), solve.unknowns.end(),
                                      [](const Unknown& unknown) { return unknown.decides; });
  return Number(static_cast<long long>(deciding)) * largest(graph, solve.scale);
}

/// Equations to iterate.
struct Equations {
  std::vector<Expr> unknowns;
  std::vector<int> slots;
  std::vector<Expr> residuals;
  std::vector<Entry> entries;  ///< the Jacobian
  std::vector<Entry>
      deciding;  ///< row: a quantity that decides convergence; its change is the sum of value * correction
  int deciding_count = 0;
  Expr scale;
  std::vector<Expr> settled;  ///< increments of the state that equations see
  bool renews = false;        ///< a new Jacobian in every iteration
};

/// The increments that settle, where this is the last solve of the recipe.
std::vector<Expr> settled_by(const StepRecipe& recipe, const Solve& solve) {
  std::vector<Expr> increments;
  if (&solve != &recipe.solves.back()) return increments;
  for (const StateVariable& variable : recipe.state) {
    if (variable.settles) increments.push_back(variable.total_increment(*recipe.graph));
  }
  return increments;
}

void record_settled(const Equations& equations, const StepLayout& layout, Outputs& outputs) {
  for (std::size_t i = 0; i < equations.settled.size(); ++i) {
    Recorder::add(outputs, equations.settled[i], layout.settled + static_cast<int>(i));
  }
}

/// Replaces every factor that takes work by a symbol that reads it back from the workspace.
Factors kept_in_workspace(Recorder& recorder, Factors factors, Outputs& outputs) {
  std::map<NodeId, Expr> kept;
  const auto keep = [&](Expr& value) {
    if (value.is_constant() || value.op() == Op::symbol) return;
    const auto [found, added] = kept.try_emplace(value.id);
    if (added) {
      const Expr symbol = recorder.new_symbol("factor");
      Recorder::add(outputs, value, recorder.place(symbol));
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

/// The outputs of one Newton iteration with these factors.
void record_iteration(Graph& graph, const Equations& equations, const Factors& factors, const StepLayout& layout,
                      Outputs& outputs) {
  std::vector<Expr> right_hand_side;
  for (const Expr& residual : equations.residuals) right_hand_side.push_back(-residual);
  const std::vector<Expr> correction = noslip::solve(graph, factors, right_hand_side);
  for (std::size_t i = 0; i < correction.size(); ++i) {
    Recorder::add(outputs, equations.unknowns[i] + correction[i], equations.slots[i]);
  }
  std::vector<Expr> deciding(equations.deciding_count, graph.constant(0));
  for (const Entry& entry : equations.deciding) {
    deciding[entry.row] = deciding[entry.row] + entry.value * correction[entry.column];
  }
  Recorder::add(outputs, sum_of_sizes(graph, deciding), layout.norm);
  record_settled(equations, layout, outputs);
}

/// Makes `factorise` and `reuse`; false if the elimination is too long or the first state singular.
template <class T>
bool fuse(SolveProgram<T>& program, Graph& graph, const Equations& equations, const EliminationOrder& order,
          Recorder& recorder, const StepLayout& layout, Backend backend, int lanes) {
  if (!order.regular() || order.operations > longest_fused) return false;
  const Factors factors = factorise(graph, equations.entries, order);
  Outputs first_outputs, reuse_outputs;
  record_iteration(graph, equations, factors, layout, first_outputs);
  Recorder::add(first_outputs, equations.scale, layout.scale);
  std::vector<Expr> growth;
  for (std::size_t k = 0; k < factors.rows.size(); ++k) {
    if (factors.inverse_pivots[k].is_constant()) continue;
    growth.push_back(factors.inverse_pivots[k] * Number::real(std::fabs(order.pivots[k])));
  }
  Recorder::add(first_outputs, sum_of_sizes(graph, growth), layout.watch);
  program.renews = equations.renews || equations.unknowns.size() <= most_renewed;
  if (!program.renews) {
    const Factors kept = kept_in_workspace(recorder, factors, first_outputs);
    record_iteration(graph, equations, kept, layout, reuse_outputs);
    program.reuse = Kernel<T>(recorder.tape(reuse_outputs), backend, lanes);
  }
  program.factorise = Kernel<T>(recorder.tape(first_outputs), backend, lanes);
  program.fused = true;
  return true;
}

EliminationOrder order_at_start(const Equations& equations, Recorder& recorder) {
  if (equations.unknowns.size() > most_fused_unknowns) return {};
  std::vector<Expr> values;
  for (const Entry& entry : equations.entries) values.push_back(entry.value);
  return choose_order(static_cast<int>(equations.unknowns.size()), equations.entries, recorder.numbers(values));
}

/// The kernels of a dense solve with pivoting.
template <class T>
void add_pivoting(SolveProgram<T>& program, const Equations& equations, Recorder& recorder, const StepLayout& layout,
                  Backend backend, int lanes) {
  const int count = static_cast<int>(equations.unknowns.size());
  program.can_pivot = true;
  program.residual_slot = recorder.reserve(count);
  program.jacobian_slot = recorder.reserve(static_cast<int>(equations.entries.size()));
  Outputs residual_outputs;
  for (int i = 0; i < count; ++i) Recorder::add(residual_outputs, equations.residuals[i], program.residual_slot + i);
  Recorder::add(residual_outputs, equations.scale, layout.scale);
  record_settled(equations, layout, residual_outputs);
  Outputs all_outputs = residual_outputs;
  for (std::size_t e = 0; e < equations.entries.size(); ++e) {
    const Entry& entry = equations.entries[e];
    program.pattern.emplace_back(entry.row, entry.column);
    Recorder::add(all_outputs, entry.value, program.jacobian_slot + static_cast<int>(e));
  }
  program.residual = Kernel<T>(recorder.tape(residual_outputs), backend, lanes);
  program.linearise = Kernel<T>(recorder.tape(all_outputs), backend, lanes);
}

/// The new state by compensated summation (Kahan), the multipliers at the end, and the guesses for the next step.
/// `put` rewrites an expression of the recipe in what the plan knows; `guesses` are unknowns with their slots;
/// `settled` are the symbols of the increments that have settled, empty where no iteration has seen them.
template <class Put>
Outputs record_finish(const StepRecipe& recipe, const StepLayout& layout,
                      const std::vector<std::pair<const Unknown*, int>>& guesses, const std::vector<Expr>& settled,
                      Put put) {
  Graph& graph = *recipe.graph;
  Outputs outputs;
  std::size_t next_settled = 0;
  for (std::size_t i = 0; i < recipe.state.size(); ++i) {
    const StateVariable& variable = recipe.state[i];
    // Aliases keep the simplifier from seeing that (a + b) - a is b, which in floating point it is not.
    const Expr increment = graph.alias(put(variable.total_increment(graph)));
    Expr next = graph.alias(variable.symbol + increment);
    if (variable.settles && !settled.empty()) {
      const Expr seen = settled[next_settled++];
      next = graph.alias(graph.alias(variable.symbol + seen) + graph.alias(increment - seen));
    }
    Recorder::add(outputs, next, layout.state + static_cast<int>(i));
    Recorder::add(outputs, increment - graph.alias(next - variable.symbol), layout.compensation + static_cast<int>(i));
  }
  for (std::size_t r = 0; r < recipe.end_multipliers.size(); ++r) {
    if (recipe.end_multipliers[r].graph == nullptr) continue;
    Recorder::add(outputs, put(recipe.end_multipliers[r]), layout.end_multipliers + static_cast<int>(r));
  }
  for (const auto& [unknown, slot] : guesses) Recorder::add(outputs, put(unknown->next_guess), slot);
  return outputs;
}

std::vector<std::pair<const Unknown*, int>> all_guesses(const StepRecipe& recipe, const StepLayout& layout) {
  std::vector<std::pair<const Unknown*, int>> guesses;
  int slot = layout.unknowns;
  for (const Solve& solve : recipe.solves) {
    for (const Unknown& unknown : solve.unknowns) {
      if (!solve.guesses_anew) guesses.emplace_back(&unknown, slot);
      ++slot;
    }
  }
  return guesses;
}

/// The recipe as it is. As a last resort only (`rarely`) it is not worth machine code.
template <class T>
StepPlan<T> record_whole_plan(const StepRecipe& recipe, Recorder& recorder, const StepLayout& layout, Backend backend,
                              int lanes, bool rarely) {
  Graph& graph = *recipe.graph;
  const Backend plain = rarely ? Backend::interpreter : backend;
  StepPlan<T> plan;
  int slot = layout.unknowns;
  for (const Solve& solve : recipe.solves) {
    SolveProgram<T> program;
    if (!solve.before.empty() || solve.guesses_anew) {
      Outputs outputs;
      std::vector<Definition> earlier;
      for (const Definition& definition : solve.before) {
        Substitution meanings(graph);
        for (const Definition& known : earlier) meanings.replace(known.symbol, known.value);
        earlier.push_back({definition.symbol, graph.alias(meanings(definition.value))});
        Recorder::add(outputs, earlier.back().value, recorder.place(definition.symbol));
      }
      if (solve.guesses_anew) {
        Substitution meanings(graph);
        for (const Definition& known : earlier) meanings.replace(known.symbol, known.value);
        int unknown_slot = slot;
        for (const Unknown& unknown : solve.unknowns) {
          Recorder::add(outputs, meanings(unknown.first_guess), unknown_slot++);
        }
      }
      const Tape tape = recorder.tape(outputs);
      recorder.run(tape);
      program.prepare = Kernel<T>(tape, plain, lanes);
      program.has_prepare = true;
    }
    Equations equations;
    for (const Unknown& unknown : solve.unknowns) {
      const int number = static_cast<int>(equations.unknowns.size());
      if (unknown.decides) {
        program.deciding.push_back(number);
        equations.deciding.push_back({equations.deciding_count++, number, graph.constant(1)});
      }
      equations.unknowns.push_back(unknown.symbol);
      equations.slots.push_back(slot++);
    }
    assert(equations.unknowns.size() == solve.residuals.size());
    equations.renews = solve.guesses_anew;
    equations.residuals = solve.residuals;
    equations.entries = jacobian(solve.residuals, equations.unknowns);
    equations.scale = scale_of(graph, solve);
    equations.settled = settled_by(recipe, solve);
    program.slots = equations.slots;
    if (!rarely) fuse(program, graph, equations, order_at_start(equations, recorder), recorder, layout, backend, lanes);
    // Beside a fused iteration these serve rare steps only and are not worth compiling.
    add_pivoting(program, equations, recorder, layout, program.fused ? Backend::interpreter : plain, lanes);
    plan.solves.push_back(std::move(program));
  }
  const auto as_it_is = [](Expr expression) { return expression; };
  const Outputs outputs =
      record_finish(recipe, layout, all_guesses(recipe, layout), recorder.settled_symbols(), as_it_is);
  plan.finish = Kernel<T>(recorder.tape(outputs), plain, lanes);
  return plan;
}

/// The recipe with everything linear eliminated, as far as that helps.
template <class T>
class ReducedPlan {
 public:
  ReducedPlan(const StepRecipe& recipe, Recorder& recorder, const StepLayout& layout, Backend backend, int lanes)
      : recipe_(recipe), graph_(*recipe.graph), recorder_(recorder), layout_(layout), backend_(backend), lanes_(lanes) {
    fixed_ = recipe.parameters;
    fixed_.push_back(recipe.h);
  }

  /// Nothing if no solve gets smaller by half, or if the rest cannot be fused.
  std::optional<StepPlan<T>> record() {
    StepPlan<T> plan;
    int first_slot = layout_.unknowns;
    for (const Solve& solve : recipe_.solves) {
      if (!add(solve, first_slot, plan)) return std::nullopt;
      first_slot += static_cast<int>(solve.unknowns.size());
    }
    if (!has_gained_) return std::nullopt;
    const auto put = rewriter();
    Outputs outputs = record_finish(recipe_, layout_, guesses_,
                                    has_settled_ ? recorder_.settled_symbols() : std::vector<Expr>{}, put);
    if (!growth_.empty()) {
      std::vector<Expr> growth;
      for (const Expr& each : growth_) growth.push_back(put(each));
      Recorder::add(outputs, sum(graph_, growth), layout_.watch);
      plan.is_watched = true;
    }
    plan.finish = Kernel<T>(recorder_.tape(outputs), backend_, lanes_);
    return plan;
  }

 private:
  /// Names are replaced by what they stand for, and what is in the workspace already by the symbol of its place.
  auto rewriter() {
    auto meanings = std::make_shared<Substitution>(graph_);
    for (const Definition& known : known_) meanings->replace(known.symbol, known.value);
    auto places = std::make_shared<Substitution>(graph_);
    for (const Definition& place : places_) places->replace(place.value, place.symbol);
    return [meanings, places](Expr expression) { return (*places)((*meanings)(expression)); };
  }

  std::vector<Expr> rewritten(const std::vector<Expr>& expressions) {
    const auto put = rewriter();
    std::vector<Expr> result;
    for (const Expr& expression : expressions) result.push_back(put(expression));
    return result;
  }

  bool add(const Solve& solve, int first_slot, StepPlan<T>& plan) {
    if (solve.unknowns.size() > most_fused_unknowns) return false;
    for (const Definition& definition : solve.before) {
      const Expr value = graph_.alias(rewriter()(definition.value));
      known_.push_back({definition.symbol, value});
      unplaced_.push_back(value);
    }
    std::vector<Expr> unknowns;
    for (const Unknown& unknown : solve.unknowns) unknowns.push_back(unknown.symbol);
    const std::vector<Expr> residuals = rewritten(solve.residuals);
    Reduction reduction = reduce(graph_, unknowns, residuals, fixed_,
                                 [&](std::span<const Expr> expressions) { return recorder_.numbers(expressions); });
    if (2 * reduction.kept.size() > unknowns.size()) {
      reduction = Reduction{{}, residuals, unknowns, {}};
      for (std::size_t i = 0; i < unknowns.size(); ++i) reduction.kept.push_back(i);
      if (!has_gained_ && &solve == &recipe_.solves.back()) return false;
    } else {
      has_gained_ = true;
    }
    growth_.insert(growth_.end(), reduction.growth.begin(), reduction.growth.end());
    if (!reduction.is_explicit() && !iterate(solve, reduction, first_slot, plan)) return false;
    std::vector<bool> is_kept(unknowns.size(), false);
    for (const std::size_t i : reduction.kept) is_kept[i] = true;
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
      if (!is_kept[i]) known_.push_back({unknowns[i], graph_.alias(reduction.values[i])});
    }
    return true;
  }

  /// What is left of a solve becomes an iteration; everything in it that does not change is evaluated once before.
  bool iterate(const Solve& solve, Reduction& reduction, int first_slot, StepPlan<T>& plan) {
    SolveProgram<T> program;
    Equations equations;
    for (const std::size_t i : reduction.kept) {
      equations.unknowns.push_back(solve.unknowns[i].symbol);
      equations.slots.push_back(first_slot + static_cast<int>(i));
      if (!solve.guesses_anew) guesses_.emplace_back(&solve.unknowns[i], equations.slots.back());
    }
    std::vector<Expr> deciding;
    for (std::size_t i = 0; i < solve.unknowns.size(); ++i) {
      if (solve.unknowns[i].decides) deciding.push_back(reduction.values[i]);
    }
    equations.renews = solve.guesses_anew;
    equations.residuals = reduction.residuals;
    equations.entries = jacobian(reduction.residuals, equations.unknowns);
    equations.deciding = jacobian(deciding, equations.unknowns);
    equations.deciding_count = static_cast<int>(deciding.size());
    {
      Substitution values(graph_);
      for (std::size_t i = 0; i < solve.unknowns.size(); ++i) {
        if (reduction.values[i] != solve.unknowns[i].symbol)
          values.replace(solve.unknowns[i].symbol, reduction.values[i]);
      }
      equations.scale = values(rewriter()(scale_of(graph_, solve)));
      for (const Expr& increment : settled_by(recipe_, solve)) {
        equations.settled.push_back(values(rewriter()(increment)));
        has_settled_ = true;
      }
    }
    const EliminationOrder order = order_at_start(equations, recorder_);
    if (!order.regular() || order.operations > longest_fused) return false;
    prepare(solve, equations, reduction, program);
    program.slots = equations.slots;
    if (!fuse(program, graph_, equations, order, recorder_, layout_, backend_, lanes_)) return false;
    plan.solves.push_back(std::move(program));
    return true;
  }

  void prepare(const Solve& solve, Equations& equations, Reduction& reduction, SolveProgram<T>& program) {
    // Unknowns of later solves change too.
    std::vector<Expr> changing;
    for (const Solve* later = &solve; later <= &recipe_.solves.back(); ++later) {
      for (const Unknown& unknown : later->unknowns) changing.push_back(unknown.symbol);
    }
    std::vector<Expr*> expressions;
    for (Expr& residual : equations.residuals) expressions.push_back(&residual);
    for (Entry& entry : equations.entries) expressions.push_back(&entry.value);
    for (Entry& entry : equations.deciding) expressions.push_back(&entry.value);
    for (Expr& value : reduction.values) expressions.push_back(&value);
    expressions.push_back(&equations.scale);
    for (Expr& increment : equations.settled) expressions.push_back(&increment);
    std::vector<Expr> roots;
    for (const Expr* expression : expressions) roots.push_back(*expression);
    std::vector<Expr> parts = unchanging_parts(roots, changing);
    for (const Expr& value : unplaced_) {
      const bool takes_work = value.op() == Op::alias;
      if (takes_work && std::find(parts.begin(), parts.end(), value) == parts.end()) parts.push_back(value);
    }
    unplaced_.clear();
    Outputs outputs;
    if (solve.guesses_anew) {
      const auto put = rewriter();
      for (std::size_t i = 0; i < reduction.kept.size(); ++i) {
        Recorder::add(outputs, put(solve.unknowns[reduction.kept[i]].first_guess), equations.slots[i]);
      }
    }
    if (parts.empty() && outputs.empty()) return;
    for (const Expr& part : parts) {
      const Expr symbol = recorder_.new_symbol("kept");
      Recorder::add(outputs, part, recorder_.place(symbol));
      places_.push_back({symbol, part});
    }
    const Tape tape = recorder_.tape(outputs);
    recorder_.run(tape);
    program.prepare = Kernel<T>(tape, backend_, lanes_);
    program.has_prepare = true;
    Substitution places(graph_);
    for (const Definition& place : places_) places.replace(place.value, place.symbol);
    for (Expr* expression : expressions) *expression = places(*expression);
    for (Definition& known : known_) known.value = places(known.value);
    for (Expr& growth : growth_) growth = places(growth);
  }

  const StepRecipe& recipe_;
  Graph& graph_;
  Recorder& recorder_;
  const StepLayout& layout_;
  Backend backend_;
  int lanes_;
  std::vector<Expr> fixed_;
  std::vector<Definition> known_;   // unknowns and definitions: what they are
  std::vector<Definition> places_;  // what is in the workspace, under which symbol
  std::vector<Expr> unplaced_;      // definitions that are not there yet
  std::vector<Expr> growth_;
  std::vector<std::pair<const Unknown*, int>> guesses_;
  bool has_gained_ = false, has_settled_ = false;
};

}  // namespace

template <class T>
StepProgram<T>::StepProgram(const StepRecipe& recipe, const StepStart& start, Backend backend, int lane_count,
                            int extra_slots)
    : lanes(lane_count) {
  Recorder recorder(recipe, layout, extra_slots);
  recorder.begin_numbers(start);
  if (auto reduced = ReducedPlan<T>(recipe, recorder, layout, backend, lanes).record()) {
    plans.push_back(std::move(*reduced));
  }
  plans.push_back(record_whole_plan<T>(recipe, recorder, layout, backend, lanes, !plans.empty()));
  first_guess = Kernel<T>(recorder.first_guess(), plans.size() > 1 ? Backend::interpreter : backend, lanes);
  is_machine_code = plans.front().finish.is_machine_code();
  const auto make_room = [&](const Kernel<T>& kernel) { scratch_size = std::max(scratch_size, kernel.scratch_size()); };
  make_room(first_guess);
  for (const StepPlan<T>& plan : plans) {
    make_room(plan.finish);
    for (const SolveProgram<T>& solve : plan.solves) {
      for (const Kernel<T>* kernel :
           {&solve.prepare, &solve.factorise, &solve.reuse, &solve.linearise, &solve.residual}) {
        make_room(*kernel);
      }
    }
  }
}

template struct StepProgram<double>;
template struct StepProgram<long double>;
template struct StepProgram<quad>;

}  // namespace noslip
