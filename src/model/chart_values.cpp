#include "model/chart_values.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace noslip {

ChartValues::ChartValues(const System& system)
    : size_(system.configuration().size()), dimension_(static_cast<std::size_t>(system.dimension())) {
  Graph graph;  // the system's may be in use by other threads
  const auto symbols = [&graph](const char* name, std::size_t count) {
    std::vector<Expr> result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(graph.symbol(fmt::format("{}.{}", name, i)));
    return result;
  };
  const std::vector<Expr> g = symbols("g", size_), xi = symbols("xi", dimension_);
  const Group& group = system.group();
  function_ = Function<double>({g, xi}, {group.increment(Retraction::exp, g, xi),
                                         entries_of(group.tangent_less_one(Retraction::exp, xi)), group.defect(g)});
}

Evaluation<double> ChartValues::at(const std::vector<double>& g, const Eigen::VectorXd& xi) const {
  return function_({std::span(g).first(size_), std::span(xi.data(), dimension_)});
}

std::vector<double> ChartValues::moved(const std::vector<double>& g, const Eigen::VectorXd& xi) const {
  const Evaluation<double> there = at(g, xi);
  std::vector<double> result = g;
  for (std::size_t i = 0; i < size_; ++i) result[i] += there.output(0)[i];
  return result;
}

Eigen::MatrixXd ChartValues::tangent(const Eigen::VectorXd& xi) const {
  const Evaluation<double> there = at(std::vector<double>(size_, 0), xi);
  const auto n = static_cast<Eigen::Index>(dimension_);
  Eigen::MatrixXd result = Eigen::MatrixXd::Identity(n, n);
  for (Eigen::Index i = 0; i < n * n; ++i) result(i / n, i % n) += there.output(1)[static_cast<std::size_t>(i)];
  return result;
}

std::vector<Problem> ChartValues::problems(const std::vector<double>& g) const {
  const Evaluation<double> here = at(g, Eigen::VectorXd::Zero(static_cast<Eigen::Index>(dimension_)));
  double largest = 0;
  for (const double defect : here.output(2)) {
    if (!(std::fabs(defect) <= largest)) largest = std::fabs(defect);
  }
  constexpr double allowed = 1e-13;
  if (largest <= allowed) return {};
  return {{fmt::format("the initial positions hold no rotation: R^T R differs from the unit matrix by {}",
                       to_short_text(largest)),
           {},
           "give an orthogonal matrix with the determinant 1, to rounding"}};
}

}  // namespace noslip
