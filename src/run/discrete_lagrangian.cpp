// Two sets of equations, both solved by Newton's method with dense matrices: the step itself, as its recipe has it, and
// the same stages as functions of the two ends. The derivatives of the second are those of implicit functions.
#include <noslip/run/discrete_lagrangian.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <noslip/core/default_arithmetic.hpp>
#include <noslip/core/error.hpp>
#include <noslip/expr/derivative.hpp>
#include <noslip/method/method.hpp>
#include <noslip/method/spark.hpp>
#include <noslip/method/stage.hpp>
#include <noslip/solve/implicit.hpp>

#include "method/vectors.hpp"

namespace noslip {

namespace {

using Numbers = std::vector<double>;

Numbers numbers_of(std::span<const double> values) { return {values.begin(), values.end()}; }

Numbers value_of(const Function<double>& function, const Numbers& inputs) {
  return numbers_of(function({inputs}).output(0));
}

/// Newton's method from x, until corrections stop getting smaller.
void solve_for(const ImplicitFunction<double>& equations, const Numbers& given, Numbers& x) {
  NewtonOptions<double> options;
  options.tiny = 1e-15;
  options.small = 1e-11;
  if (ImplicitSolver<double>(equations).set(0, given).solve(x, options).has_converged()) return;
  throw InputError("Newton's method did not find the step", "choose a smaller step, and a state on the constraints");
}

Numbers joined(std::initializer_list<const Numbers*> parts) {
  Numbers all;
  for (const Numbers* part : parts) all.insert(all.end(), part->begin(), part->end());
  return all;
}

Numbers all_impulses(const DiscreteStep& step) {
  Numbers all;
  for (const auto* impulses : {&step.impulses, &step.node_impulses}) {
    for (const Numbers& each : *impulses) all.insert(all.end(), each.begin(), each.end());
  }
  return all;
}

Numbers piece(const Numbers& values, std::size_t& first, int count) {
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
  first += static_cast<std::size_t>(count);
  return {begin, begin + count};
}

}  // namespace

struct DiscreteLagrangian::Data {
  int n = 0, m = 0, l = 0, s = 0, nodes = 0;  // coordinates, velocity and position constraints, stages, nodes
  Numbers parameters;
  // the step: given t, h, parameters, q, v; unknowns of its recipe
  Function<double> guess, outcome;  // outcome: h lambda_j, h mu_j, q1 - q0, v1 - v0, V_i
  ImplicitFunction<double> step;
  // the ends: given t, h, parameters, q0, q1, h lambda_j, h mu_j; unknowns v0, V_i, v1
  ImplicitFunction<double> ends;
  Function<double> by_ends;  // derivatives of the equations with respect to q0 and q1, one column after the other
  Function<double>
      quantities;  // L_d; its derivatives by q0, q1, unknowns; p0; p1; weights of dV_i in f_d^- and in f_d^+

  void record_step(const StepRecipe& recipe);
  void record_ends(const System& system, const SparkCoefficients& spark);
};

void DiscreteLagrangian::Data::record_step(const StepRecipe& recipe) {
  Vector given = {recipe.t, recipe.h}, unknowns, residuals, guesses, results;
  given.insert(given.end(), recipe.parameters.begin(), recipe.parameters.end());
  Substitution exact(*recipe.graph);  // a single step has lost nothing to rounding yet
  const std::span<const StateVariable> state(recipe.state.data(), 2 * static_cast<std::size_t>(n));
  for (const StateVariable& variable : state) {
    given.push_back(variable.symbol);
    exact.replace(variable.low, recipe.graph->constant(0));
  }
  for (const auto& start : {recipe.accelerations, recipe.multipliers}) {
    for (const Expr& symbol : start) exact.replace(symbol, recipe.graph->constant(0));
  }
  for (const Solve& solve : recipe.solves) {
    for (const Unknown& unknown : solve.unknowns) {
      unknowns.push_back(unknown.symbol);
      guesses.push_back(exact(unknown.first_guess));
    }
    for (const Expr& residual : solve.residuals) residuals.push_back(exact(residual));
  }
  for (const auto& impulses : {recipe.stage_impulses, recipe.node_impulses}) {
    for (const Vector& impulse : impulses) results.insert(results.end(), impulse.begin(), impulse.end());
  }
  for (const StateVariable& variable : state) results.push_back(exact(variable.total_increment(*recipe.graph)));
  for (const Vector& velocity : recipe.stage_velocities)
    results.insert(results.end(), velocity.begin(), velocity.end());
  guess = Function<double>({given}, {guesses});
  step = ImplicitFunction<double>({given}, unknowns, residuals);
  Vector inputs = given;
  inputs.insert(inputs.end(), unknowns.begin(), unknowns.end());
  outcome = Function<double>({inputs}, {results});
}

void DiscreteLagrangian::Data::record_ends(const System& system, const SparkCoefficients& spark) {
  Graph graph;
  const Expr t = graph.symbol("t"), h = graph.symbol("discrete.h");
  Vector given = {t, h};
  for (const Parameter& constant : system.step_constants()) given.push_back(graph.symbol(constant.name));
  const Vector q0 = new_symbols(graph, "q0_", n), q1 = new_symbols(graph, "q1_", n);
  const Vector v0 = new_symbols(graph, "v0_", n), v1 = new_symbols(graph, "v1_", n);
  Vectors V, z, y, F, outside, R, S;
  for (int j = 0; j < s; ++j) {
    V.push_back(new_symbols(graph, fmt::format("V{}_", j + 1), n));
    z.push_back(new_symbols(graph, fmt::format("z{}_", j + 1), m));
  }
  const auto add = [](Vector& list, const Vector& more) { list.insert(list.end(), more.begin(), more.end()); };
  add(given, q0);
  add(given, q1);
  for (int j = 0; j < nodes; ++j) y.push_back(new_symbols(graph, fmt::format("y{}_", j), l));
  for (const auto& impulses : {z, y}) {
    for (const Vector& each : impulses) add(given, each);
  }
  Vector unknowns = v0;
  for (const Vector& each : V) add(unknowns, each);
  add(unknowns, v1);

  const Stage start = stage_at(system, graph, t, q0, v0), end = stage_at(system, graph, t + h, q1, v1);
  std::vector<Stage> stages;
  Vector actions;
  for (int i = 0; i < s; ++i) {
    const Expr T = t + coefficient(graph, spark.q.c[i]) * h;
    const Vector Q = q0 + h * sum(spark.q.a[i], V);
    stages.push_back(stage_at(system, graph, T, Q, V[i]));
    Substitution at(graph);
    at.replace(system.t(), T);
    replace(at, system.q(), Q);
    replace(at, system.v(), V[i]);
    actions.push_back(h * coefficient(graph, spark.q.b[i]) * at(system.lagrangian()));
    F.push_back(h * stages[i].force);
    outside.push_back(h * at(system.applied_forces()));
    R.push_back(sum(z[i], stages[i].K));
  }
  for (int j = 0; j < nodes; ++j) {
    const Vector Q = q0 + h * sum(spark.nodes->reach[j], V);
    const PositionNode node = node_at(system, graph, t + coefficient(graph, spark.nodes->c[j]) * h, Q);
    actions.push_back(coefficient(graph, spark.nodes->b[j]) * dot(graph, y[j], node.g));
    S.push_back(node.reactions(graph, h, y[j]));
  }
  const Weights none;
  Vector residuals;
  for (int i = 0; i <= s; ++i) {  // (6.1b), (6.1d)
    const Stage& at = i < s ? stages[i] : end;
    const Weights& force = i < s ? spark.forces.a[i] : spark.forces.b;
    const Weights& reaction = i < s ? spark.reactions.a[i] : spark.reactions.b;
    const Weights& node = nodes == 0 ? none : i < s ? spark.nodes->a[i] : spark.nodes->b;
    add(residuals, at.p - start.p - sum(force, F) - sum(reaction, R) - sum(node, S));
  }
  add(residuals, q1 - q0 - h * sum(spark.q.b, V));  // (6.1c)

  ends = ImplicitFunction<double>({given}, unknowns, residuals);
  Vector inputs = given, columns, values;
  add(inputs, unknowns);
  for (const Vector& end_point : {q0, q1}) {
    for (const Expr& x : end_point) {
      for (const Expr& residual : residuals) columns.push_back(derivative(residual, x));
    }
  }
  by_ends = Function<double>({inputs}, {columns});
  const Expr action = sum(graph, actions);
  values.push_back(action);
  for (const Vector& variables : {q0, q1, unknowns}) add(values, gradient(action, variables));
  add(values, start.p);
  add(values, end.p);
  for (const bool is_minus : {true, false}) {
    for (int i = 0; i < s; ++i) {
      const auto rest = [&](const Tableau& tableau) {
        Weights weights = tableau.a[i];
        for (int j = 0; j < s; ++j) weights[j] = is_minus ? -weights[j] : tableau.b[j] - weights[j];
        return weights;
      };
      const Vector impulse = sum(rest(spark.forces), outside) + sum(rest(spark.reactions), R);
      add(values, h * coefficient(graph, spark.q.b[i]) * impulse);
    }
  }
  quantities = Function<double>({inputs}, {values});
}

bool has_discrete_lagrangian(const System& system, const Method& method) {
  return system.offers().lagrangian && !system.is_on_group() && system.velocities().empty() &&
         system.nonideal().empty() && system.states().empty() && method.spark() != nullptr && method.traits().lagrange_dalembert &&
         method.why_not(system).empty() && (system.holonomic().empty() || method.traits().symplectic);
}

DiscreteLagrangian::DiscreteLagrangian(const System& system, const std::string& method, Numbers parameter_values) {
  const DefaultArithmetic arithmetic;
  const std::shared_ptr<const Method> found = find_method(method);
  const SparkCoefficients* spark = found->spark();
  if (!has_discrete_lagrangian(system, *found)) {
    throw InputError(
        fmt::format("method '{}' has no discrete Lagrangian on '{}'", method, system.name()),
        "take a mechanical system in coordinates and a SPARK method that satisfies the discrete Lagrange-d'Alembert "
        "principle ('noslip methods' tells which), for example gauss:2 or lobatto-ab:3");
  }
  auto data = std::make_shared<Data>();
  data->n = system.dimension();
  data->m = static_cast<int>(system.constraints().size());
  data->l = static_cast<int>(system.holonomic().size());
  data->s = spark->q.stages();
  data->nodes = data->l == 0 ? 0 : spark->nodes->last() + 1;
  data->parameters = std::move(parameter_values);
  data->record_step(found->record(system));
  data->record_ends(system, *spark);
  data_ = std::move(data);
}

DiscreteStep DiscreteLagrangian::step(double t0, const Numbers& q0, const Numbers& v0, double h) const {
  const DefaultArithmetic arithmetic;
  const int n = data_->n, s = data_->s;
  DiscreteStep result;
  result.t0 = t0;
  result.h = h;
  result.q0 = q0;
  result.v0 = v0;
  const Numbers time = {t0, h};
  const Numbers given = joined({&time, &data_->parameters, &q0, &v0});
  Numbers x = value_of(data_->guess, given);
  solve_for(data_->step, given, x);
  const Numbers outcome = value_of(data_->outcome, joined({&given, &x}));
  std::size_t at = 0;
  for (int j = 0; j < s; ++j) result.impulses.push_back(piece(outcome, at, data_->m));
  for (int j = 0; j < data_->nodes; ++j) result.node_impulses.push_back(piece(outcome, at, data_->l));
  result.q1 = q0;
  result.v1 = v0;
  for (double& q : result.q1) q += outcome[at++];
  for (double& v : result.v1) v += outcome[at++];

  const Numbers impulses = all_impulses(result);
  const Numbers between = joined({&time, &data_->parameters, &q0, &result.q1, &impulses});
  Numbers inside = v0;
  inside.insert(inside.end(), outcome.begin() + static_cast<std::ptrdiff_t>(at), outcome.end());
  inside.insert(inside.end(), result.v1.begin(), result.v1.end());
  const Numbers everything = joined({&between, &inside});
  ImplicitSolver<double> solver(data_->ends);
  const LinearSolver<double>& matrix = solver.set(0, between).factors(inside);
  const Numbers columns = value_of(data_->by_ends, everything);
  const Numbers values = value_of(data_->quantities, everything);
  const std::size_t unknowns = inside.size();
  at = 0;
  result.lagrangian = values[at++];
  result.gradient0 = piece(values, at, n);
  result.gradient1 = piece(values, at, n);
  const Numbers by_unknowns = piece(values, at, static_cast<int>(unknowns));
  result.p0 = piece(values, at, n);
  result.p1 = piece(values, at, n);
  const Numbers minus = piece(values, at, s * n), plus = piece(values, at, s * n);
  for (int side = 0; side < 2; ++side) {
    Numbers& gradient = side == 0 ? result.gradient0 : result.gradient1;
    Numbers& force = side == 0 ? result.force_minus : result.force_plus;
    const Numbers& weights = side == 0 ? minus : plus;
    for (int k = 0; k < n; ++k) {
      const auto first = columns.begin() + static_cast<std::ptrdiff_t>(unknowns) * (side * n + k);
      Numbers change(first, first + static_cast<std::ptrdiff_t>(unknowns));  // minus d(unknowns)/dq
      matrix.solve(change);
      for (std::size_t i = 0; i < unknowns; ++i) gradient[k] -= by_unknowns[i] * change[i];
      double total = 0;
      for (int i = 0; i < s * n; ++i) total -= weights[i] * change[n + i];
      force.push_back(total);
    }
  }
  return result;
}

double DiscreteLagrangian::value(const DiscreteStep& near, const Numbers& q0, const Numbers& q1) const {
  const DefaultArithmetic arithmetic;
  const Numbers time = {near.t0, near.h};
  const Numbers impulses = all_impulses(near);
  Numbers inside = near.v0;
  for (int i = 0; i < data_->s; ++i) {
    for (int k = 0; k < data_->n; ++k) inside.push_back((q1[k] - q0[k]) / near.h);
  }
  inside.insert(inside.end(), near.v1.begin(), near.v1.end());
  const Numbers given = joined({&time, &data_->parameters, &q0, &q1, &impulses});
  solve_for(data_->ends, given, inside);
  return value_of(data_->quantities, joined({&given, &inside})).front();
}

}  // namespace noslip
