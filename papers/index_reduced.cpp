// Records the reduced equations and their derivatives, from what the system knows of itself.
#include "index_reduced.hpp"

#include <algorithm>

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
    residuals.push_back(dot(graph, put(system.mass()[i].dense()), acceleration) - put(system.acceleration_rhs()[i]) -
                        sum(graph, reaction));
  }
  for (int r = 0; r < m_; ++r) {
    residuals.push_back(dot(graph, put(system.constraints()[r].K.dense()), acceleration) -
                        put(system.constraint_rhs()[r]));
    k.push_back(put(system.constraints()[r].k));
  }
  std::vector<Expr> variables = y;
  variables.insert(variables.end(), rate.begin(), rate.end());
  const std::vector<Entry> derivatives = jacobian(residuals, variables);

  std::vector<Expr> by_time, entries;
  for (const Expr& residual : residuals) by_time.push_back(derivative(residual, t));
  for (const Entry& entry : derivatives) {
    entries.push_back(entry.value);
    places_.push_back({entry.row, entry.column});
  }
  right_hand_side_.resize(n_ + m_);
  const auto compiled = [](const Function<double>::Blocks& inputs, const Function<double>::Blocks& outputs) {
    return Evaluation<double>(Function<double>(inputs, outputs, Backend::automatic));
  };
  residual_ = compiled({{t}, y, rate}, {residuals});
  linearised_ = compiled({{t}, y, rate}, {residuals, by_time, entries});
  monitored_ = compiled({{t}, y}, {{put(system.energy())}, k});
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

void IndexReduced::residual(double t, std::span<const double> y, std::span<const double> rate, std::span<double> r) {
  residual_.set(0, t).set(1, y).set(2, rate).run();
  std::copy_n(residual_.output(0).begin(), size(), r.begin());
}

void IndexReduced::newton_matrix(double t, std::span<const double> y, std::span<const double> rate, double c,
                                 std::span<double> matrix) {
  linearised_.set(0, t).set(1, y).set(2, rate).run();
  std::fill(matrix.begin(), matrix.end(), 0.0);
  for (std::size_t e = 0; e < places_.size(); ++e) {
    const auto [row, column] = places_[e];
    const double value = linearised_.output(2)[e];
    const bool is_rate = column >= size();
    matrix[static_cast<std::size_t>(is_rate ? column - size() : column) * size() + row] += is_rate ? c * value : value;
  }
}

void IndexReduced::rates(double t, std::span<const double> y, std::span<double> rate) {
  // M v' = g + K^T lambda: what is left of the residual where v' is zero.
  std::fill(rate.begin(), rate.end(), 0.0);
  std::copy_n(y.begin() + n_, n_, rate.begin());
  linearised_.set(0, t).set(1, y).set(2, rate).run();
  mass_.clear();
  for (std::size_t e = 0; e < places_.size(); ++e) {
    const int row = places_[e].row - n_, column = places_[e].column - size() - n_;
    if (row >= 0 && row < n_ && column >= 0) mass_.entry(row, column) = linearised_.output(2)[e];
  }
  for (int i = 0; i < n_; ++i) rate[n_ + i] = -linearised_.output(0)[n_ + i];
  mass_.factorise();
  mass_.solve(rate.subspan(n_, n_));
  // The total derivative of the last two equations vanishes: linear equations for v'' and lambda'.
  linearised_.set(0, t).set(1, y).set(2, rate).run();
  saddle_.clear();
  for (int i = 0; i < n_ + m_; ++i) right_hand_side_[i] = -linearised_.output(1)[n_ + i];
  for (std::size_t e = 0; e < places_.size(); ++e) {
    const int row = places_[e].row - n_, column = places_[e].column;
    if (row < 0) continue;
    const double value = linearised_.output(2)[e];
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
  monitored_.set(0, t).set(1, y).run();
  return monitored_.output(0)[0];
}

std::span<const double> IndexReduced::constraints(double t, std::span<const double> y) {
  monitored_.set(0, t).set(1, y).run();
  return monitored_.output(1);
}

}  // namespace noslip::papers
