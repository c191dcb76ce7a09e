// The functions of a dae2 system and their derivatives as numbers.
#include <cmath>
#include <limits>

#include <noslip/expr/derivative.hpp>
#include "model/index_two_evaluator.hpp"

namespace noslip {

using Eigen::Index;

bool IndexTwoValues::all_finite() const {
  return f.allFinite() && g.allFinite() && hidden.allFinite() && g_t.allFinite() && hidden_t.allFinite() &&
         f_z.allFinite() && g_y.allFinite() && hidden_y.allFinite() && hidden_z.allFinite();
}

/// The derivatives live in a graph of their own: the system's may be in use by other threads.
void IndexTwoEvaluator::make_kernels() {
  Graph graph;
  Substitution copy(graph);
  std::vector<Tape::Input> given = inputs();
  for (Tape::Input& input : given) input.symbol = copy(input.symbol);
  const std::vector<Expr> t{copy(system_.t())}, y = copy(system_.q()), z = copy(system_.z());
  const std::vector<Expr> f = copy(system_.position_rates()), hidden = copy(system_.hidden_constraints());
  std::vector<Expr> g;
  for (const Constraint& constraint : system_.constraints()) g.push_back(copy(constraint.k));

  std::vector<Tape::Output> outputs;
  const auto slot = [&] { return static_cast<std::uint32_t>(given.size() + outputs.size()); };
  const auto add = [&](const std::vector<Expr>& expressions) {
    for (const Expr expression : expressions) outputs.push_back({expression, slot()});
  };
  add(f);
  add(g);
  add(hidden);
  const auto add_jacobian = [&](const std::vector<Expr>& functions, const std::vector<Expr>& variables) {
    std::vector<Expr> dense(functions.size() * variables.size(), graph.constant(0));
    for (const Entry& entry : jacobian(functions, variables)) {
      dense[static_cast<std::size_t>(entry.row) * variables.size() + static_cast<std::size_t>(entry.column)] =
          entry.value;
    }
    add(dense);
  };
  add_jacobian(g, t);
  add_jacobian(hidden, t);
  add_jacobian(f, z);
  add_jacobian(g, y);
  add_jacobian(hidden, y);
  add_jacobian(hidden, z);
  outputs_ = outputs.size();
  kernel_ = Kernel<double>(Tape(given, outputs), Backend::interpreter);

  std::vector<Expr> constraints;
  for (const Constraint& constraint : system_.constraints()) constraints.push_back(constraint.k);
  constraint_bounds_ = make_bounds(constraints);
  hidden_bounds_ = make_bounds(system_.hidden_constraints());
}

IndexTwoEvaluator::Curvature IndexTwoEvaluator::make_curvature() const {
  Graph graph;
  Substitution copy(graph);
  const std::vector<Expr> y = copy(system_.q());
  std::vector<std::vector<Entry>> hessians;
  for (const Constraint& constraint : system_.constraints()) hessians.push_back(hessian(copy(constraint.k), y));
  return ContinuousEvaluator::make_curvature(copy, hessians);
}

IndexTwoValues IndexTwoEvaluator::values(const InitialState& state) const {
  std::vector<double> work = workspace(state, outputs_);
  std::vector<double> scratch(kernel_.scratch_size());
  kernel_(work.data(), scratch.data());
  const auto n = static_cast<Index>(state.q.size()), m = static_cast<Index>(state.z.size());
  OutputReader read(work.data() + input_count());
  IndexTwoValues result;
  result.f = read.vector(n);
  result.g = read.vector(m);
  result.hidden = read.vector(m);
  result.g_t = read.vector(m);
  result.hidden_t = read.vector(m);
  result.f_z = read.matrix(n, m);
  result.g_y = read.matrix(m, n);
  result.hidden_y = read.matrix(m, n);
  result.hidden_z = read.matrix(m, m);
  result.g_rounding = rounding(constraint_bounds_, state);
  result.hidden_rounding = rounding(hidden_bounds_, state);
  return result;
}

}  // namespace noslip
