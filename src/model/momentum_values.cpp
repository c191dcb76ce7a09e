#include "model/momentum_values.hpp"

#include <cmath>
#include <limits>

#include <Eigen/Core>

#include "model/regularity.hpp"

namespace noslip {
namespace {

std::vector<quad> exact(const std::vector<double>& values) { return {values.begin(), values.end()}; }

}  // namespace

MomentumValues::MomentumValues(const System& system, const std::vector<double>& parameters)
    : system_(system),
      parameters_(exact(parameters)),
      map_(system.hamiltonian(), system.t(), system.q(), system.velocity_names(), system.step_constants()) {}

MomentumValues MomentumValues::with_parameters(const std::vector<double>& parameters) const {
  MomentumValues copy(*this);
  copy.parameters_.assign(parameters.begin(), parameters.end());
  return copy;
}

std::vector<Problem> MomentumValues::problems(const InitialState& state) const {
  const std::vector<quad> q = exact(state.q);
  const LegendreMap::Point point{state.t, q, parameters_};
  // Where momenta are not part of the state, H_pp does not contain them.
  std::vector<quad> p = exact(state.z);
  p.resize(system_.v().size(), 0);
  const auto n = static_cast<Eigen::Index>(p.size());
  const std::vector<quad> entries = map_.inverse_mass(point, p);
  Eigen::MatrixXd inverse_mass(n, n);
  for (Eigen::Index i = 0; i < n * n; ++i) {
    inverse_mass(i / n, i % n) = static_cast<double>(entries[static_cast<std::size_t>(i)]);
  }
  std::vector<Problem> result;
  if (!inverse_mass.allFinite()) {
    result.push_back({"a second derivative of the Hamiltonian by the momenta is not finite at the initial state",
                      {},
                      "check the initial values and the parameters"});
    return result;
  }
  result = singular_inverse_mass(inverse_mass, system_.velocity_names());
  if (!result.empty() || !system_.has_implicit_momenta()) return result;

  const std::vector<quad> v = map_.velocities(point, p);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double expected = static_cast<double>(v[k]);
    // Momenta are known to a unit in the last place, velocities that follow from them accordingly.
    double terms = std::abs(expected);
    for (Eigen::Index j = 0; j < n; ++j) {
      terms += std::abs(inverse_mass(i, j) * state.z[static_cast<std::size_t>(j)]);
    }
    if (std::abs(expected - state.v[k]) <= 64 * std::numeric_limits<double>::epsilon() * terms) continue;
    result.push_back({"the initial velocity " + system_.v()[k].name() + " = " + to_short_text(state.v[k]) +
                          " does not belong to the momenta, which give " + to_short_text(expected),
                      {},
                      "take the state from System::initial_state or System::with_initial"});
  }
  return result;
}

void MomentumValues::follow(InitialState& state) const {
  if (!system_.has_implicit_momenta()) return;
  const std::vector<quad> q = exact(state.q), v = exact(state.v), guess = exact(state.z);
  const auto p = map_.momenta({state.t, q, parameters_}, v, guess);
  for (std::size_t i = 0; i < state.z.size(); ++i) {
    state.z[i] = p ? static_cast<double>((*p)[i]) : std::numeric_limits<double>::quiet_NaN();
  }
}

std::vector<Entry> hessian_at(Expr function, const std::vector<Expr>& variables,
                              std::span<const std::size_t> places) {
  std::vector<Expr> own;
  for (const std::size_t place : places) own.push_back(variables[place]);
  std::vector<Entry> result = hessian(function, own);
  for (Entry& entry : result) {
    entry.row = static_cast<int>(places[static_cast<std::size_t>(entry.row)]);
    entry.column = static_cast<int>(places[static_cast<std::size_t>(entry.column)]);
  }
  return result;
}

std::vector<Entry> velocity_hessian(Graph& graph, Substitution& copy, const System& system,
                                    const Constraint& constraint) {
  const std::vector<Expr> v = copy(system.v());
  if (!system.has_implicit_momenta()) return hessian_at(copy(constraint.k), v, constraint.K.places());
  // d/dv K = K_v + K_p M
  const std::vector<Expr> K = copy(constraint.K.dense()), p = copy(system.z());
  const std::size_t n = v.size();
  std::vector<Expr> dense(n * n, graph.constant(0));
  for (const Entry& entry : jacobian(K, v)) {
    dense[static_cast<std::size_t>(entry.row) * n + static_cast<std::size_t>(entry.column)] = entry.value;
  }
  for (const Entry& entry : jacobian(K, p)) {
    for (std::size_t j = 0; j < n; ++j) {
      Expr& sum = dense[static_cast<std::size_t>(entry.row) * n + j];
      sum = sum + entry.value * copy(system.mass()[static_cast<std::size_t>(entry.column)][j]);
    }
  }
  std::vector<Entry> result;
  for (std::size_t i = 0; i < dense.size(); ++i) {
    if (!dense[i].is_zero()) result.push_back({static_cast<int>(i / n), static_cast<int>(i % n), dense[i]});
  }
  return result;
}

}  // namespace noslip
