// Records the elimination of Newton's matrix and the correction.
#include "run/iteration.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include <noslip/expr/degree.hpp>
#include <noslip/solve/linear.hpp>

#include "expr/work.hpp"
#include "run/hoist.hpp"

namespace noslip {

namespace {

/// Recorded eliminations longer than this run slower than loops over a dense matrix, and take long to compile; those of
/// sparse matrices with little fill-in may be as long as their number of unknowns demands.
constexpr long long longest_fused = 60000, fused_per_unknown = 200;

/// Held values that take more are held in every plan; the second number is for a plan that is rarely needed.
constexpr std::size_t most_work_of_held = 1000000, most_rare_work_of_held = 100000;

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

/// The largest of the values, times the number of deciding unknowns: their corrections are summed.
Expr times_deciding(Graph& graph, const Solve& solve, const std::vector<Expr>& values) {
  const auto deciding = std::count_if(solve.unknowns.begin(), solve.unknowns.end(),
                                      [](const Unknown& unknown) { return unknown.decides_convergence; });
  return Number(static_cast<long long>(deciding)) * largest(graph, values);
}

/// What an iteration leaves behind beside the unknowns.
void record_values(const Equations& equations, const StepLayout& layout, Outputs& outputs) {
  for (std::size_t i = 0; i < equations.settled.size(); ++i) {
    Recorder::add(outputs, equations.settled[i], layout.settled + static_cast<int>(i));
  }
  for (std::size_t i = 0; i < equations.held.size(); ++i) {
    if (equations.held[i].graph == nullptr) continue;
    Recorder::add(outputs, equations.held[i], layout.held + static_cast<int>(i));
  }
}

void record_scales(const Equations& equations, const StepLayout& layout, Outputs& outputs) {
  Recorder::add(outputs, equations.scale, layout.scale);
  if (equations.motion.graph != nullptr) Recorder::add(outputs, equations.motion, layout.motion);
}

/// Replaces expressions that take work by symbols that read them back from the workspace.
class Keeper {
 public:
  Keeper(Recorder& recorder, Outputs& outputs) : recorder_(recorder), outputs_(outputs) {}

  void keep(Expr& value) {
    if (value.is_constant() || value.op() == Op::symbol) return;
    const auto [found, added] = kept_.try_emplace(value.id);
    if (added) {
      const Expr symbol = recorder_.new_symbol("factor");
      Recorder::add(outputs_, value, recorder_.place(symbol));
      found->second = symbol;
    }
    value = found->second;
  }

  void keep(Factors& factors) {
    for (std::size_t k = 0; k < factors.rows.size(); ++k) {
      for (Factors::Term& term : factors.lower[k]) keep(term.value);
      for (Factors::Term& term : factors.upper[k]) keep(term.value);
      keep(factors.inverse_pivots[k]);
    }
  }

 private:
  Recorder& recorder_;
  Outputs& outputs_;
  std::unordered_map<NodeId, Expr> kept_;
};

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
  if (!equations.followers.empty()) {
    std::vector<Expr> changes, sizes;
    for (const int i : equations.followers) {
      changes.push_back(correction[i]);
      sizes.push_back(equations.unknowns[i] + correction[i]);
    }
    const Number part = Number::real(SolveProgram<double>::loose_part);
    Recorder::add(outputs, sum_of_sizes(graph, changes) - part * sum_of_sizes(graph, sizes), layout.looseness);
  }
  record_values(equations, layout, outputs);
}

/// In iterations with old factors. A processor makes several multiply-adds of a full matrix in the time of an instruction,
/// and half a one of a sparse matrix, whose `order` is known. Zero if it is not.
double renewal_cost(const Tape& residual, const Tape& linearise, const Equations& equations,
                    const EliminationOrder& order) {
  constexpr double call = 20, per_instruction = 4, sparse_per_instruction = 0.5;
  const auto cost = [&](const Tape& tape) {
    const auto calls = std::count_if(tape.code().begin(), tape.code().end(),
                                     [](const Instruction& each) { return is_function(each.op); });
    return static_cast<double>(tape.code().size()) + call * static_cast<double>(calls);
  };
  const auto n = static_cast<double>(equations.unknowns.size());
  double factors = n * n * n / 3 / per_instruction, solution = n * n / per_instruction;
  if (!is_solved_dense(equations.unknowns.size(), equations.entries.size())) {
    if (!order.regular()) return 0;
    factors = static_cast<double>(order.operations) / sparse_per_instruction;
    solution = static_cast<double>(order.entries) / sparse_per_instruction;
  }
  return (cost(linearise) - cost(residual) + factors) / (cost(residual) + solution);
}

}  // namespace

bool Equations::are_smooth_in_unknowns() const {
  const std::vector<bool> smooth = are_smooth(residuals, unknowns);
  return std::find(smooth.begin(), smooth.end(), false) == smooth.end();
}

void Equations::find_followers(const std::vector<bool>& decides) {
  std::vector<Expr> others;
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    if (!decides[i]) others.push_back(unknowns[i]);
  }
  std::vector<Expr> curved;  // equations that are not linear in all of them together
  const std::vector<std::optional<int>> degrees = polynomial_degrees(residuals, others);
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    if (!degrees[i] || *degrees[i] > 1) curved.push_back(residuals[i]);
  }
  std::unordered_set<NodeId> found;
  for (const Expr& symbol : symbols_of(curved)) found.insert(symbol.id);
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    if (!decides[i] && found.contains(unknowns[i].id)) followers.push_back(static_cast<int>(i));
  }
}

void Equations::differentiate(Graph& graph, std::span<const Definition> values, std::span<const Expr> eliminated) {
  entries = jacobian(residuals, unknowns);
  if (values.empty()) return;
  const std::vector<Expr> kept = eliminated.empty() ? std::vector<Expr>{} : symbols_of(eliminated);  // in order
  const auto is_older = [](Expr a, Expr b) { return a.id < b.id; };
  Substitution put(graph);
  for (const Definition& definition : values) {
    const Expr value = graph.alias(definition.value);
    put.replace(definition.symbol, value);
    const bool is_kept = std::binary_search(kept.begin(), kept.end(), definition.symbol, is_older);
    held.push_back(is_kept ? value : Expr{});
  }
  for (Expr& residual : residuals) residual = put(residual);
  for (Entry& entry : entries) entry.value = put(entry.value);
}

Equations Equations::part(const EquationBlock& block, bool is_last) const {
  Equations result;
  std::vector<int> row_of(residuals.size(), -1), column_of(unknowns.size(), -1);
  for (const int i : block.rows) {
    row_of[i] = static_cast<int>(result.residuals.size());
    result.residuals.push_back(residuals[i]);
  }
  for (const int j : block.columns) {
    column_of[j] = static_cast<int>(result.unknowns.size());
    result.unknowns.push_back(unknowns[j]);
    result.slots.push_back(slots[j]);
  }
  for (const Entry& entry : entries) {
    if (row_of[entry.row] < 0 || column_of[entry.column] < 0) continue;
    result.entries.push_back({row_of[entry.row], column_of[entry.column], entry.value});
  }
  for (const Entry& entry : deciding) {
    if (column_of[entry.column] < 0) continue;
    result.deciding.push_back({result.deciding_count++, column_of[entry.column], entry.value});
  }
  for (const int j : followers) {
    if (column_of[j] >= 0) result.followers.push_back(column_of[j]);
  }
  const Number share = Number(static_cast<long long>(result.deciding_count)) /
                       Number(static_cast<long long>(std::max(deciding_count, 1)));
  result.scale = share * scale;
  if (motion.graph != nullptr) result.motion = share * motion;
  if (is_last) result.settled = settled;
  result.renews = renews;
  result.lasts = lasts;
  return result;
}

bool can_fuse(const EliminationOrder& order, std::size_t entries) {
  return order.regular() &&
         order.operations <= longest_recorded(order.rows.size(), entries, longest_fused, fused_per_unknown);
}

Expr motion_of(Graph& graph, const Solve& solve) { return times_deciding(graph, solve, solve.scale); }

Expr scale_of(Graph& graph, const Solve& solve) {
  std::vector<Expr> values = solve.scale;
  values.insert(values.end(), solve.background.begin(), solve.background.end());
  return times_deciding(graph, solve, values);
}

bool stays_held(const Solve& solve, bool rarely) {
  std::vector<Expr> values, unknowns;
  for (const Definition& held : solve.held_in_matrix) values.push_back(held.value);
  for (const Unknown& unknown : solve.unknowns) unknowns.push_back(unknown.symbol);
  return jacobian_work(values, unknowns) > (rarely ? most_rare_work_of_held : most_work_of_held);
}

std::vector<Expr> settled_by(const StepRecipe& recipe, const Solve& solve) {
  std::vector<Expr> increments;
  if (&solve != &recipe.solves.back()) return increments;
  for (const StateVariable& variable : recipe.state) {
    if (variable.stored_as_seen) increments.push_back(variable.total_increment(*recipe.graph));
  }
  return increments;
}

template <class T>
bool fuse(SolveProgram<T>& program, Graph& graph, const Equations& equations, const EliminationOrder& order,
          Recorder& recorder, const StepLayout& layout, Backend backend, int lanes) {
  if (!can_fuse(order, equations.entries.size())) return false;
  const Factors factors = factorise(graph, equations.entries, order);
  Outputs first_outputs, reuse_outputs;
  record_iteration(graph, equations, factors, layout, first_outputs);
  record_scales(equations, layout, first_outputs);
  std::vector<Expr> growth;
  for (std::size_t k = 0; k < factors.rows.size(); ++k) {
    if (factors.inverse_pivots[k].is_constant()) continue;
    growth.push_back(factors.inverse_pivots[k] * Number::real(order.pivots[k]));
  }
  Recorder::add(first_outputs, sum_of_sizes(graph, growth), layout.watch);
  Expr side = graph.constant(1);
  for (const Expr& each : growth) side = side * each;
  Recorder::add(first_outputs, side, layout.side);
  program.renews = equations.renews || equations.unknowns.size() <= most_renewed;
  if (!program.renews) {
    Keeper keeper(recorder, first_outputs);
    Factors kept_factors = factors;
    keeper.keep(kept_factors);
    Equations with_kept = equations;
    for (Entry& entry : with_kept.deciding) keeper.keep(entry.value);
    record_iteration(graph, with_kept, kept_factors, layout, reuse_outputs);
    if (equations.lasts) record_scales(equations, layout, reuse_outputs);
    program.reuse = Kernel<T>(recorder.tape(reuse_outputs), backend, lanes);
  }
  program.factorise = Kernel<T>(recorder.tape(first_outputs), backend, lanes);
  program.fused = true;
  return true;
}

EliminationOrder order_at_start(const Equations& equations, Recorder& recorder) {
  std::vector<Expr> values;
  for (const Entry& entry : equations.entries) values.push_back(entry.value);
  return choose_order(static_cast<int>(equations.unknowns.size()), equations.entries, recorder.numbers(values));
}

std::vector<EquationBlock> blocks_to_solve(const Equations& equations, const EliminationOrder& order) {
  const std::size_t n = equations.unknowns.size();
  EquationBlock all;
  for (std::size_t i = 0; i < n; ++i) all.rows.push_back(static_cast<int>(i));
  all.columns = all.rows;
  if (equations.renews || !equations.held.empty() || !order.regular() || !is_solved_dense(n, equations.entries.size())) return {all};
  std::vector<EquationBlock> blocks = diagonal_blocks(equations.entries, order);
  std::vector<bool> decides(n, false);
  for (const Entry& entry : equations.deciding) decides[entry.column] = true;
  for (const EquationBlock& block : blocks) {
    if (std::none_of(block.columns.begin(), block.columns.end(), [&](int j) { return decides[j]; })) return {all};
  }
  return blocks;
}

Outputs hoist(Graph& graph, Equations& equations, Recorder& recorder) {
  Outputs outputs;
  Substitution places(graph);
  for (const Expr& part : unchanging_parts(equations.residuals, equations.unknowns)) {
    const Expr symbol = recorder.new_symbol("kept");
    Recorder::add(outputs, part, recorder.place(symbol));
    places.replace(part, symbol);
  }
  for (Expr& residual : equations.residuals) residual = places(residual);
  for (Entry& entry : equations.entries) entry.value = places(entry.value);
  return outputs;
}

template <class T>
void add_pivoting(SolveProgram<T>& program, const Equations& equations, const EliminationOrder& order,
                  Recorder& recorder, const StepLayout& layout, Backend backend, int lanes) {
  const int count = static_cast<int>(equations.unknowns.size());
  program.can_pivot = true;
  program.residual_slot = recorder.reserve(count);
  program.jacobian_slot = recorder.reserve(static_cast<int>(equations.entries.size()));
  Outputs residual_outputs;
  for (int i = 0; i < count; ++i) Recorder::add(residual_outputs, equations.residuals[i], program.residual_slot + i);
  record_scales(equations, layout, residual_outputs);
  record_values(equations, layout, residual_outputs);
  Outputs all_outputs = residual_outputs;
  for (std::size_t e = 0; e < equations.entries.size(); ++e) {
    const Entry& entry = equations.entries[e];
    program.pattern.emplace_back(entry.row, entry.column);
    Recorder::add(all_outputs, entry.value, program.jacobian_slot + static_cast<int>(e));
  }
  const Tape residual = recorder.tape(residual_outputs), linearise = recorder.tape(all_outputs);
  program.residual = Kernel<T>(residual, backend, lanes);
  program.linearise = Kernel<T>(linearise, backend, lanes);
  if (!program.fused) program.renewal = renewal_cost(residual, linearise, equations, order);
}

#define NOSLIP_INSTANTIATE(T)                                                                        \
  template bool fuse(SolveProgram<T>&, Graph&, const Equations&, const EliminationOrder&, Recorder&, \
                     const StepLayout&, Backend, int);                                               \
  template void add_pivoting(SolveProgram<T>&, const Equations&, const EliminationOrder&, Recorder&,  \
                             const StepLayout&, Backend, int);
NOSLIP_INSTANTIATE(double)
NOSLIP_INSTANTIATE(long double)
NOSLIP_INSTANTIATE(quad)
#undef NOSLIP_INSTANTIATE

}  // namespace noslip
