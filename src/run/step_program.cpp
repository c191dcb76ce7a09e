// Records the Newton iterations of a recipe and compiles them.
#include <noslip/run/step_program.hpp>

#include <algorithm>
#include <cassert>
#include <optional>
#include <unordered_set>

#include <noslip/solve/linear.hpp>
#include <noslip/tape/repeat.hpp>

#include "run/explicit_step.hpp"
#include "run/hoist.hpp"
#include "run/iteration.hpp"
#include "run/reduction.hpp"
#include "run/step_loops.hpp"

namespace noslip {

namespace {

/// The new state by compensated summation (Kahan) unless it is plain, the multipliers at the end, and the guesses for
/// the next step. `put` rewrites an expression of the recipe in what the plan knows; `guesses` are unknowns with their
/// slots; `settled` are the symbols of the increments that have settled, empty where no iteration has seen them.
template <class Put>
Outputs record_finish(const StepRecipe& recipe, const StepLayout& layout,
                      const std::vector<std::pair<const Unknown*, int>>& guesses, const std::vector<Expr>& settled,
                      Put put) {
  Graph& graph = *recipe.graph;
  Outputs outputs;
  std::size_t next_settled = 0;
  for (std::size_t i = 0; i < recipe.state.size(); ++i) {
    const StateVariable& variable = recipe.state[i];
    if (variable.value.graph != nullptr) {
      Recorder::add(outputs, put(variable.value), layout.state + static_cast<int>(i));
      if (variable.value_low.graph == nullptr) continue;
      Recorder::add(outputs, put(variable.value_low), layout.compensation + static_cast<int>(i));
      continue;
    }
    // Aliases keep the simplifier from seeing that (a + b) - a is b, which in floating point it is not.
    const Expr increment = graph.alias(put(variable.total_increment(graph)));
    Expr next = graph.alias(variable.symbol + increment);
    if (variable.stored_as_seen && !settled.empty()) {
      const Expr seen = settled[next_settled++];
      next = graph.alias(graph.alias(variable.symbol + seen) + graph.alias(increment - seen));
    }
    Recorder::add(outputs, next, layout.state + static_cast<int>(i));
    if (!variable.is_compensated) continue;
    Recorder::add(outputs, increment - graph.alias(next - variable.symbol), layout.compensation + static_cast<int>(i));
  }
  for (std::size_t r = 0; r < recipe.end_multipliers.size(); ++r) {
    if (recipe.end_multipliers[r].graph == nullptr) continue;
    Recorder::add(outputs, put(recipe.end_multipliers[r]), layout.end_multipliers + static_cast<int>(r));
  }
  for (const auto& [unknown, slot] : guesses) Recorder::add(outputs, put(unknown->next_guess), slot);
  return outputs;
}

/// Values that the caller wants to see, before the state moves on.
template <class T, class Put>
void record_observation(StepPlan<T>& plan, std::span<const Expr> observed, const Recorder& recorder,
                        const StepLayout& layout, int lanes, Put put) {
  if (observed.empty()) return;
  Outputs outputs;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    Recorder::add(outputs, put(observed[i]), layout.observed + static_cast<int>(i));
  }
  plan.observe = Kernel<T>(recorder.tape(outputs),
                           plan.finish.is_machine_code() ? Backend::automatic : Backend::interpreter, lanes);
}

/// On which branch of solutions the step ends.
template <class T, class Put>
void record_branch(StepPlan<T>& plan, const StepRecipe& recipe, const Recorder& recorder, const StepLayout& layout,
                   int lanes, Put put) {
  if (recipe.branch_sides.empty()) return;
  Expr least = put(recipe.branch_sides.front());
  for (const Expr& side : recipe.branch_sides) least = min(least, put(side));
  Outputs outputs;
  Recorder::add(outputs, least, layout.branch);
  plan.tell_branch = Kernel<T>(recorder.tape(outputs),
                               plan.finish.is_machine_code() ? Backend::automatic : Backend::interpreter, lanes);
}

/// The loop of an explicit plan.
template <class T>
void record_loop(StepPlan<T>& plan, const Tape& finish, const StepLayout& layout) {
  if (!plan.solves.empty() || !plan.finish.is_machine_code() || finish.code().size() > most_instructions) return;
  const auto slot = [](int number) { return static_cast<std::uint32_t>(number); };
  Repetition repetition;
  repetition.time = {slot(layout.t), slot(layout.start), slot(layout.number), slot(layout.h)};
  if (plan.is_watched) repetition.sum = {slot(layout.watch), slot(layout.watched)};
  plan.loop = repeated(finish, repetition);
  plan.can_loop = true;
}

std::vector<std::pair<const Unknown*, int>> all_guesses(const StepRecipe& recipe, const StepLayout& layout) {
  std::vector<std::pair<const Unknown*, int>> guesses;
  int slot = layout.unknowns;
  for (const Solve& solve : recipe.solves) {
    for (const Unknown& unknown : solve.unknowns) {
      if (!solve.guesses_every_step) guesses.emplace_back(&unknown, slot);
      ++slot;
    }
  }
  return guesses;
}

/// The recipe as it is. As a last resort only (`rarely`) it is not worth machine code.
template <class T>
StepPlan<T> record_whole_plan(const StepRecipe& recipe, Recorder& recorder, const StepLayout& layout, Backend backend,
                              int lanes, bool rarely, const StepExtras& extras) {
  Graph& graph = *recipe.graph;
  const Backend plain = rarely ? Backend::interpreter : backend;
  StepPlan<T> plan;
  int slot = layout.unknowns;
  for (const Solve& solve : recipe.solves) {
    SolveProgram<T> program;
    if (!solve.before.empty() || solve.guesses_every_step) {
      Outputs outputs;
      Substitution meanings(graph);  // a definition contains none that follows it
      for (const Definition& definition : solve.before) {
        const Expr value = graph.alias(meanings(definition.value));
        meanings.replace(definition.symbol, value);
        Recorder::add(outputs, value, recorder.place(definition.symbol));
      }
      if (solve.guesses_every_step) {
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
      if (unknown.decides_convergence) {
        program.deciding.push_back(number);
        equations.deciding.push_back({equations.deciding_count++, number, graph.constant(1)});
      }
      equations.unknowns.push_back(unknown.symbol);
      equations.slots.push_back(slot++);
    }
    assert(equations.unknowns.size() == solve.residuals.size());
    equations.renews = solve.guesses_every_step;
    equations.lasts = extras.as_stated;
    // Here what is held is a function of the unknowns as all else is: this plan has to find what the other cannot.
    const std::vector<Definition> held = stays_held(solve, rarely) ? solve.held_in_matrix : std::vector<Definition>{};
    Substitution values(graph);
    if (held.empty()) {
      for (const Definition& each : solve.held_in_matrix) values.replace(each.symbol, graph.alias(each.value));
    }
    equations.residuals = values(solve.residuals);
    if (!recipe.has_linear_reactions) {
      std::vector<bool> decides;
      for (const Unknown& unknown : solve.unknowns) decides.push_back(unknown.decides_convergence);
      equations.find_followers(decides);
    }
    program.followers = equations.followers;
    equations.differentiate(graph, held, {});
    program.is_smooth = !recipe.has_corners || equations.are_smooth_in_unknowns();
    equations.scale = scale_of(graph, solve);
    if (!solve.background.empty()) equations.motion = motion_of(graph, solve);
    program.motion_slot = solve.background.empty() ? layout.scale : layout.motion;
    equations.settled = settled_by(recipe, solve);
    program.slots = equations.slots;
    if (!rarely) {
      const EliminationOrder order = order_at_start(equations, recorder);
      if (!fuse(program, graph, equations, order, recorder, layout, backend, lanes)) {
        const std::vector<EquationBlock> blocks = blocks_to_solve(equations, order);
        for (const EquationBlock& block : blocks) {
          Equations part = equations.part(block, &block == &blocks.back());
          SolveProgram<T> each = program;
          each.has_prepare = program.has_prepare && &block == &blocks.front();
          if (!each.has_prepare && is_solved_dense(part.unknowns.size(), part.entries.size())) {
            const Outputs before = hoist(graph, part, recorder);
            each.has_prepare = !before.empty();
            if (each.has_prepare) each.prepare = Kernel<T>(recorder.tape(before), plain, lanes);
          }
          each.slots = part.slots;
          each.followers = part.followers;
          each.deciding.clear();
          for (const Entry& entry : part.deciding) each.deciding.push_back(entry.column);
          add_pivoting(each, part, order, recorder, layout, plain, lanes);
          plan.solves.push_back(std::move(each));
        }
        continue;
      }
    }
    // Beside a fused iteration these serve rare steps only and are not worth compiling.
    add_pivoting(program, equations, {}, recorder, layout, Backend::interpreter, lanes);
    plan.solves.push_back(std::move(program));
  }
  const auto as_it_is = [](Expr expression) { return expression; };
  const Outputs outputs =
      record_finish(recipe, layout, all_guesses(recipe, layout), recorder.settled_symbols(), as_it_is);
  plan.finish = Kernel<T>(recorder.tape(outputs), plain, lanes);
  record_observation(plan, extras.observed, recorder, layout, lanes, as_it_is);
  record_branch(plan, recipe, recorder, layout, lanes, as_it_is);
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
  std::optional<StepPlan<T>> record(std::span<const Expr> observed) {
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
    Tape tape = recorder_.tape(outputs);
    if (plan.solves.empty() && tape.code().size() > most_instructions) {
      const Outputs constants = hoist_fixed(graph_, outputs, fixed_, recorder_, places_);
      plan.has_constants = !constants.empty();
      if (plan.has_constants) plan.constants = Kernel<T>(recorder_.tape(constants), backend_, lanes_);
      tape = recorder_.tape(outputs);
    }
    const bool is_whole = plan.solves.empty() && !plan.has_constants;
    plan.finish = Kernel<T>(is_whole ? explicit_step(tape, layout_) : tape, backend_, lanes_);
    record_loop(plan, tape, layout_);
    const auto put_places = rewriter();
    record_observation(plan, observed, recorder_, layout_, lanes_, put_places);
    record_branch(plan, recipe_, recorder_, layout_, lanes_, put_places);
    return plan;
  }

 private:
  /// Names are replaced by what they stand for, and what is in the workspace already by the symbol of its place.
  std::pair<std::shared_ptr<Substitution>, std::shared_ptr<Substitution>> substitutions() {
    auto meanings = std::make_shared<Substitution>(graph_);
    for (const Definition& known : known_) meanings->replace(known.symbol, known.value);
    auto places = std::make_shared<Substitution>(graph_);
    for (const Definition& place : places_) places->replace(place.value, place.symbol);
    return {std::move(meanings), std::move(places)};
  }
  auto rewriter() {
    auto [meanings, places] = substitutions();
    return [meanings = meanings, places = places](Expr expression) { return (*places)((*meanings)(expression)); };
  }

  std::vector<Expr> rewritten(const std::vector<Expr>& expressions) {
    const auto put = rewriter();
    std::vector<Expr> result;
    for (const Expr& expression : expressions) result.push_back(put(expression));
    return result;
  }

  bool add(const Solve& solve, int first_slot, StepPlan<T>& plan) {
    if (solve.keeps_unknowns) return false;
    if (!solve.before.empty()) {
      auto [meanings, places] = substitutions();
      for (const Definition& definition : solve.before) {  // which contains none that follows it
        const Expr value = graph_.alias((*places)((*meanings)(definition.value)));
        meanings->replace(definition.symbol, value);
        known_.push_back({definition.symbol, value});
        unplaced_.push_back(value);
      }
    }
    std::vector<Expr> unknowns, explicit_ones, held;
    for (const Definition& definition : solve.held_in_matrix) held.push_back(definition.symbol);
    for (const Unknown& unknown : solve.unknowns) {
      unknowns.push_back(unknown.symbol);
      if (unknown.is_explicit) explicit_ones.push_back(unknown.symbol);
    }
    const std::vector<Expr> residuals = rewritten(solve.residuals);
    Reduction reduction = reduce(graph_, unknowns, residuals, fixed_, held, explicit_ones,
                                 [&](std::span<const Expr> expressions) { return recorder_.numbers(expressions); });
    if (2 * reduction.kept.size() > unknowns.size() && !reduction.has_explicit) {
      reduction = Reduction{{}, residuals, unknowns, {}, false};
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
      if (!solve.guesses_every_step) guesses_.emplace_back(&solve.unknowns[i], equations.slots.back());
    }
    std::vector<Expr> deciding;
    for (std::size_t i = 0; i < solve.unknowns.size(); ++i) {
      if (solve.unknowns[i].decides_convergence) deciding.push_back(reduction.values[i]);
    }
    equations.renews = solve.guesses_every_step;
    equations.residuals = reduction.residuals;
    if (!recipe_.has_linear_reactions) {
      std::vector<bool> decides;
      for (const std::size_t i : reduction.kept) decides.push_back(solve.unknowns[i].decides_convergence);
      equations.find_followers(decides);
    }
    program.followers = equations.followers;
    equations.deciding = jacobian(deciding, equations.unknowns);
    equations.deciding_count = static_cast<int>(deciding.size());
    {
      Substitution values(graph_);
      for (std::size_t i = 0; i < solve.unknowns.size(); ++i) {
        if (reduction.values[i] != solve.unknowns[i].symbol)
          values.replace(solve.unknowns[i].symbol, reduction.values[i]);
      }
      const auto put = rewriter();
      equations.scale = values(put(scale_of(graph_, solve)));
      if (!solve.background.empty()) equations.motion = values(put(motion_of(graph_, solve)));
      program.motion_slot = solve.background.empty() ? layout_.scale : layout_.motion;
      for (const Expr& increment : settled_by(recipe_, solve)) {
        equations.settled.push_back(values(put(increment)));
        has_settled_ = true;
      }
      std::vector<Definition> held;
      for (const Definition& each : solve.held_in_matrix) held.push_back({each.symbol, values(put(each.value))});
      equations.differentiate(graph_, held, reduction.values);
    }
    const EliminationOrder order = order_at_start(equations, recorder_);
    if (!can_fuse(order, equations.entries.size())) return false;
    program.is_smooth = !recipe_.has_corners || equations.are_smooth_in_unknowns();
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
      for (const Definition& held : later->held_in_matrix) changing.push_back(held.symbol);
    }
    std::vector<Expr*> expressions;
    for (Expr& residual : equations.residuals) expressions.push_back(&residual);
    for (Entry& entry : equations.entries) expressions.push_back(&entry.value);
    for (Entry& entry : equations.deciding) expressions.push_back(&entry.value);
    for (Expr& value : reduction.values) expressions.push_back(&value);
    expressions.push_back(&equations.scale);
    if (equations.motion.graph != nullptr) expressions.push_back(&equations.motion);
    for (Expr& increment : equations.settled) expressions.push_back(&increment);
    for (Expr& value : equations.held) {
      if (value.graph != nullptr) expressions.push_back(&value);
    }
    std::vector<Expr> roots;
    for (const Expr* expression : expressions) roots.push_back(*expression);
    std::vector<Expr> parts = unchanging_parts(roots, changing);
    std::unordered_set<NodeId> are_parts;
    for (const Expr& part : parts) are_parts.insert(part.id);
    for (const Expr& value : unplaced_) {
      const bool takes_work = value.op() == Op::alias;
      if (takes_work && are_parts.insert(value.id).second) parts.push_back(value);
    }
    unplaced_.clear();
    Outputs outputs;
    if (solve.guesses_every_step) {
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
                            const StepExtras& extras)
    : lanes(lane_count),
      has_branch_sides(!recipe.branch_sides.empty()),
      starts_on_constraints(recipe.starts_on_constraints),
      angles(recipe.angles) {
  Recorder recorder(recipe, layout);
  layout.branch = recorder.reserve(has_branch_sides ? 1 : 0);
  layout.start = recorder.reserve(3);
  layout.number = layout.start + 1;
  layout.watched = layout.start + 2;
  layout.before = recorder.reserve(layout.moving_count());
  layout.verdict = recorder.reserve(1);
  layout.observed_count = static_cast<int>(extras.observed.size());
  layout.observed = recorder.reserve(layout.observed_count);
  recorder.begin_numbers(start);
  if (!extras.as_stated) {
    auto reduced = ReducedPlan<T>(recipe, recorder, layout, backend, lanes).record(extras.observed);
    if (reduced) plans.push_back(std::move(*reduced));
  }
  plans.push_back(record_whole_plan<T>(recipe, recorder, layout, backend, lanes, !plans.empty(), extras));
  // Explicit steps need a guess only where they are given up.
  first_guess = Kernel<T>(recorder.first_guess(), is_explicit() ? Backend::interpreter : backend, lanes);
  is_machine_code = plans.front().finish.is_machine_code();
  fingerprint = recorder.fingerprint();
  const auto make_room = [&](const Kernel<T>& kernel) { scratch_size = std::max(scratch_size, kernel.scratch_size()); };
  make_room(first_guess);
  for (StepPlan<T>& plan : plans) {
    make_room(plan.finish);
    make_room(plan.constants);
    if (!extras.observed.empty()) make_room(plan.observe);
    if (has_branch_sides) make_room(plan.tell_branch);
    for (SolveProgram<T>& solve : plan.solves) {
      solve.number = solve_count++;
      for (const Kernel<T>* kernel :
           {&solve.prepare, &solve.factorise, &solve.reuse, &solve.linearise, &solve.residual}) {
        make_room(*kernel);
      }
    }
  }
}

template <class T>
const LoopKernel<T>* StepProgram<T>::loop() const {
  return plans.front().can_loop ? &loop_.get([&] { return compile_loop(*this); }) : nullptr;
}

template <class T>
const LoopKernel<T>* StepProgram<T>::loop_of_two() const {
  if (!plans.front().can_loop || !is_loop_of_two_useful(lanes)) return nullptr;
  return &loop_of_two_.get([&] { return compile_loop_of_two(*this); });
}

template struct StepProgram<double>;
template struct StepProgram<long double>;
template struct StepProgram<quad>;

}  // namespace noslip
