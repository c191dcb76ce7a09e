#include "model/chart_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace noslip {

ChartValues::ChartValues(const System& system)
    : size_(system.q().size()), dimension_(static_cast<std::size_t>(system.dimension())) {
  Graph graph;  // the system's may be in use by other threads
  std::vector<Expr> g, xi;
  std::vector<Tape::Input> inputs;
  const auto read = [&](std::vector<Expr>& symbols, const char* name, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      symbols.push_back(graph.symbol(fmt::format("{}.{}", name, i)));
      inputs.push_back({symbols.back(), static_cast<std::uint32_t>(inputs.size())});
    }
  };
  read(g, "g", size_);
  read(xi, "xi", dimension_);
  std::vector<Tape::Output> outputs;
  const auto write = [&](std::span<const Expr> values) {
    for (const Expr& value : values) {
      outputs.push_back({value, static_cast<std::uint32_t>(inputs.size() + outputs.size())});
    }
  };
  write(system.group().increment(Retraction::exp, g, xi));
  for (const std::vector<Expr>& row : system.group().tangent_less_one(Retraction::exp, xi)) write(row);
  const std::vector<Expr> defect = system.group().defect(g);
  write(defect);
  defects_ = defect.size();
  kernel_ = Kernel<double>(Tape(inputs, outputs), Backend::interpreter);
}

std::vector<double> ChartValues::run(const std::vector<double>& g, const Eigen::VectorXd& xi) const {
  std::vector<double> workspace = g, scratch(kernel_.scratch_size());
  workspace.insert(workspace.end(), xi.begin(), xi.end());
  const std::size_t first = workspace.size();
  workspace.resize(first + size_ + dimension_ * dimension_ + defects_);
  kernel_(workspace.data(), scratch.data());
  return {workspace.begin() + static_cast<std::ptrdiff_t>(first), workspace.end()};
}

std::vector<double> ChartValues::moved(const std::vector<double>& g, const Eigen::VectorXd& xi) const {
  const std::vector<double> increment = run(g, xi);
  std::vector<double> result = g;
  for (std::size_t i = 0; i < size_; ++i) result[i] += increment[i];
  return result;
}

Eigen::MatrixXd ChartValues::tangent(const Eigen::VectorXd& xi) const {
  const std::vector<double> values = run(std::vector<double>(size_, 0), xi);
  const auto n = static_cast<Eigen::Index>(dimension_);
  Eigen::MatrixXd result = Eigen::MatrixXd::Identity(n, n);
  for (Eigen::Index i = 0; i < n * n; ++i) {
    result(i / n, i % n) += values[size_ + static_cast<std::size_t>(i)];
  }
  return result;
}

std::vector<Problem> ChartValues::problems(const std::vector<double>& g) const {
  const std::vector<double> values = run(g, Eigen::VectorXd::Zero(static_cast<Eigen::Index>(dimension_)));
  double largest = 0;
  for (std::size_t i = values.size() - defects_; i < values.size(); ++i) {
    if (!(std::fabs(values[i]) <= largest)) largest = std::fabs(values[i]);
  }
  constexpr double allowed = 1e-13;
  if (largest <= allowed) return {};
  return {{fmt::format("the initial positions hold no rotation: R^T R differs from the unit matrix by {}",
                       to_short_text(largest)),
           {},
           "give an orthogonal matrix with the determinant 1, to rounding"}};
}

}  // namespace noslip
