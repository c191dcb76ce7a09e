// Records the reduced equations and their derivatives, from what the system knows of itself.
#include "index_reduced.hpp"

#include <algorithm>
#include <cstdint>

#include <noslip/expr/derivative.hpp>

namespace noslip::papers {

IndexReduced::IndexReduced(const System& system, const std::map<std::string, double>& set)
    : n_(system.dimension()),
      m_(static_cast<int>(system.constraints().size())),
      continuous_(system, system.parameter_values(set)),
      mass_(n_),
      saddle_(n_ + m_) {
  Graph graph;
  Substitution put(graph);
  const std::vector<double> parameters = system.parameter_values(set);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    put.replace(system.parameters()[i].symbol, graph.constant(Number::real(parameters[i])));
  }
  const Expr t = put(system.t());
  std::vector<Expr> y, rate, lambda;
  for (const std::vector<Expr>* part : {&system.q(), &system.v()}) {
    for (const Expr& symbol : *part) y.push_back(put(symbol));
  }
  for (int r = 0; r < m_; ++r) lambda.push_back(graph.symbol("multiplier." + std::to_string(r)));
  y.insert(y.end(), lambda.begin(), lambda.end());
  for (int i = 0; i < size(); ++i) rate.push_back(graph.symbol("rate." + std::to_string(i)));
  const std::span<const Expr> acceleration(rate.data() + n_, static_cast<std::size_t>(n_));

  std::vector<Expr> residuals, k;
  for (int i = 0; i < n_; ++i) residuals.push_back(rate[i] - y[n_ + i]);
  for (int i = 0; i < n_; ++i) {
    std::vector<Expr> reaction;
    for (int r = 0; r < m_; ++r) reaction.push_back(put(system.constraints()[r].K[i]) * lambda[r]);
    residuals.push_back(dot(graph, put(system.mass()[i]), acceleration) - put(system.acceleration_rhs()[i]) -
                        sum(graph, reaction));
  }
  for (int r = 0; r < m_; ++r) {
    residuals.push_back(dot(graph, put(system.constraints()[r].K), acceleration) - put(system.constraint_rhs()[r]));
    k.push_back(put(system.constraints()[r].k));
  }
  std::vector<Expr> variables = y;
  variables.insert(variables.end(), rate.begin(), rate.end());
  const std::vector<Entry> derivatives = jacobian(residuals, variables);

  std::vector<Tape::Input> inputs{{t, 0}};
  for (const Expr& symbol : variables) inputs.push_back({symbol, static_cast<std::uint32_t>(inputs.size())});
  rate_slot_ = 1 + size();
  residual_slot_ = rate_slot_ + size();
  time_slot_ = residual_slot_ + size();
  derivative_slot_ = time_slot_ + size();
  monitor_slot_ = derivative_slot_ + static_cast<int>(derivatives.size());
  workspace_.resize(monitor_slot_ + 1 + m_);
  right_hand_side_.resize(n_ + m_);

  std::vector<Tape::Output> outputs;
  const auto add = [&](Expr expression, int slot) {
    outputs.push_back({expression, static_cast<std::uint32_t>(slot)});
  };
  const auto compiled = [&] {
    Kernel<double> kernel(Tape(inputs, outputs), Backend::automatic);
    scratch_.resize(std::max(scratch_.size(), kernel.scratch_size()));
    return kernel;
  };
  for (int i = 0; i < size(); ++i) add(residuals[i], residual_slot_ + i);
  residual_ = compiled();
  for (int i = 0; i < size(); ++i) add(derivative(residuals[i], t), time_slot_ + i);
  for (const Entry& entry : derivatives) {
    add(entry.value, derivative_slot_ + static_cast<int>(places_.size()));
    places_.push_back({entry.row, entry.column});
  }
  linearised_ = compiled();
  outputs.clear();
  add(put(system.energy()), monitor_slot_);
  for (int r = 0; r < m_; ++r) add(k[r], monitor_slot_ + 1 + r);
  monitored_ = compiled();
}

std::vector<double> IndexReduced::start(const InitialState& initial) const {
  continuous_.require_consistent(initial);
  std::vector<Problem> problems;
  const ContinuousState state = continuous_.evaluate(initial, problems);
  std::vector<double> y = initial.q;
  y.insert(y.end(), initial.v.begin(), initial.v.end());
  y.insert(y.end(), state.multipliers.begin(), state.multipliers.end());
  return y;
}

void IndexReduced::put(double t, std::span<const double> y, std::span<const double> rate) {
  workspace_[0] = t;
  std::copy(y.begin(), y.end(), workspace_.begin() + 1);
  std::copy(rate.begin(), rate.end(), workspace_.begin() + rate_slot_);
}

void IndexReduced::residual(double t, std::span<const double> y, std::span<const double> rate, std::span<double> r) {
  put(t, y, rate);
  run(residual_);
  std::copy_n(workspace_.begin() + residual_slot_, size(), r.begin());
}

void IndexReduced::newton_matrix(double t, std::span<const double> y, std::span<const double> rate, double c,
                                 std::span<double> matrix) {
  put(t, y, rate);
  run(linearised_);
  std::fill(matrix.begin(), matrix.end(), 0.0);
  for (std::size_t e = 0; e < places_.size(); ++e) {
    const auto [row, column] = places_[e];
    const double value = workspace_[derivative_slot_ + e];
    const bool is_rate = column >= size();
    matrix[static_cast<std::size_t>(is_rate ? column - size() : column) * size() + row] += is_rate ? c * value : value;
  }
}

void IndexReduced::rates(double t, std::span<const double> y, std::span<double> rate) {
  // M v' = g + K^T lambda: what is left of the residual where v' is zero.
  std::fill(rate.begin(), rate.end(), 0.0);
  std::copy_n(y.begin() + n_, n_, rate.begin());
  put(t, y, rate);
  run(linearised_);
  mass_.clear();
  for (std::size_t e = 0; e < places_.size(); ++e) {
    const int row = places_[e].row - n_, column = places_[e].column - size() - n_;
    if (row >= 0 && row < n_ && column >= 0) mass_.entry(row, column) = workspace_[derivative_slot_ + e];
  }
  for (int i = 0; i < n_; ++i) rate[n_ + i] = -workspace_[residual_slot_ + n_ + i];
  mass_.factorise();
  mass_.solve(rate.subspan(n_, n_));
  // The total derivative of the last two equations vanishes: linear equations for v'' and lambda'.
  put(t, y, rate);
  run(linearised_);
  saddle_.clear();
  for (int i = 0; i < n_ + m_; ++i) right_hand_side_[i] = -workspace_[time_slot_ + n_ + i];
  for (std::size_t e = 0; e < places_.size(); ++e) {
    const int row = places_[e].row - n_, column = places_[e].column;
    if (row < 0) continue;
    const double value = workspace_[derivative_slot_ + e];
    if (column < 2 * n_) {
      right_hand_side_[row] -= value * rate[column];
    } else {
      const bool is_multiplier = column < size();
      saddle_.entry(row, is_multiplier ? column - n_ : column - size() - n_) = value;
    }
  }
  saddle_.factorise();
  saddle_.solve(right_hand_side_);
  std::copy_n(right_hand_side_.begin() + n_, m_, rate.begin() + 2 * n_);
}

double IndexReduced::energy(double t, std::span<const double> y) {
  put(t, y, {});
  run(monitored_);
  return workspace_[monitor_slot_];
}

std::span<const double> IndexReduced::constraints(double t, std::span<const double> y) {
  put(t, y, {});
  run(monitored_);
  return {workspace_.data() + monitor_slot_ + 1, static_cast<std::size_t>(m_)};
}

}  // namespace noslip::papers
