// How far the value of a function may be from the exact one for rounding alone: of its inputs, and of every operation.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include <Eigen/Core>

#include <noslip/expr/graph.hpp>

namespace noslip {

/// A running error analysis to first order, for functions of one graph. What is summed counts, not what remains of it:
/// x' - y' is known to a unit in the last place of x' and y'. Immutable, cheap to
/// copy, and for many threads; not for inner loops.
class RoundingBounds {
 public:
  /// One unit in the last place, with which a number or an operation is known.
  static constexpr double unit = std::numeric_limits<double>::epsilon();
  /// Bounds are this many times the first-order estimate: values come from several roundings.
  static constexpr double margin = 32;

  RoundingBounds() = default;
  RoundingBounds(std::span<const Expr> functions, std::span<const Expr> inputs);

  /// Bounds of the functions, from the values of the inputs and how far each may be off. Zero where the function is
  /// exact, for example a sum of terms that are all zero.
  Eigen::VectorXd operator()(std::span<const double> values, std::span<const double> errors) const;

 private:
  struct Step {
    Op op = Op::constant;
    std::uint32_t a = 0, b = 0, c = 0;  // earlier steps
    int number = 0;                     // of a power: the exponent; of a symbol: which input; of a call: which one
    double constant = 0;
  };
  struct ExternalCall {
    Call call;
    std::vector<std::uint32_t> arguments;  // steps
  };
  struct Data {
    std::vector<Step> steps;
    std::vector<ExternalCall> calls;
    std::vector<std::pair<Table, int>> tables;  // and which derivative
    std::vector<std::uint32_t> functions;
  };
  std::shared_ptr<const Data> data_ = std::make_shared<Data>();
};

}  // namespace noslip
