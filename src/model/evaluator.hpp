// The continuous problem of one kind of system: what Continuous forwards to.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <noslip/exec/kernel.hpp>
#include <noslip/expr/derivative.hpp>
#include <noslip/model/continuous.hpp>
#include "model/rounding_bounds.hpp"

namespace noslip {

class ContinuousEvaluator {
 public:
  ContinuousEvaluator(const System& system, std::vector<double> parameters)
      : system_(system), parameters_(std::move(parameters)) {}
  virtual ~ContinuousEvaluator() = default;
  virtual ContinuousState evaluate(const InitialState& state, std::vector<Problem>& problems) const = 0;
  virtual InitialState project(const InitialState& state) const = 0;
  virtual ContinuousState require_consistent(const InitialState& state) const = 0;

 protected:
  /// The inputs of every kernel: t, q, v, z, parameters, in the slots 0, 1, ...
  std::vector<Tape::Input> inputs() const;
  /// A workspace with these inputs filled in, and room for outputs behind them.
  std::vector<double> workspace(const InitialState& state, std::size_t outputs) const;
  std::size_t input_count() const;
  /// InputError unless the state has as many numbers as the system has variables.
  void require_shape(const InitialState& state) const {
    system_.require_shape(state.q.size(), state.v.size(), state.z.size());
  }
  /// Problems of numbers of a state that are not finite, by the names of the variables.
  std::vector<Problem> not_finite(const InitialState& state) const;

  /// Second derivatives of constraints; no entries where they are linear or affine.
  struct Curvature {
    struct Place {
      int constraint, row, column;
    };
    Kernel<double> kernel;  // outputs: the entries
    std::vector<Place> entries;
  };
  /// From the Hessian of each constraint, in a graph that `copy` copies into. (The graph is one of its own: the
  /// system's may be in use by other threads.)
  Curvature make_curvature(Substitution& copy, const std::vector<std::vector<Entry>>& hessians) const;
  /// The sum of multiplier * second derivative over the constraints, a matrix of this size.
  Eigen::MatrixXd curvature(const Curvature& of, const InitialState& state, const Eigen::VectorXd& multipliers,
                            std::size_t size) const;

  /// How far each input may be off, in the order of inputs().
  std::vector<double> input_errors(const InitialState& state) const;
  /// Of functions of the system.
  RoundingBounds make_bounds(const std::vector<Expr>& functions) const;
  /// How far these functions may be from their exact values for rounding alone. What a constraint is measured with.
  Eigen::VectorXd rounding(const RoundingBounds& bounds, const InitialState& state) const {
    return bounds(workspace(state, 0), input_errors(state));
  }

  System system_;
  std::vector<double> parameters_;
};

Eigen::VectorXd as_vector(const std::vector<double>& values);

std::shared_ptr<const ContinuousEvaluator> mechanical_evaluator(const System& system, std::vector<double> parameters);
std::shared_ptr<const ContinuousEvaluator> index_two_evaluator(const System& system, std::vector<double> parameters);

std::shared_ptr<const ContinuousEvaluator> odae_evaluator(const System& system, std::vector<double> parameters);
std::shared_ptr<const ContinuousEvaluator> skew_gradient_evaluator(const System& system,
                                                                   std::vector<double> parameters);

/// Outputs of a kernel, read one after the other.
class OutputReader {
 public:
  explicit OutputReader(const double* first) : at_(first) {}
  double number() { return *at_++; }
  Eigen::VectorXd vector(Eigen::Index size) {
    const double* start = at_;
    at_ += size;
    return Eigen::Map<const Eigen::VectorXd>(start, size);
  }
  Eigen::MatrixXd matrix(Eigen::Index rows, Eigen::Index columns) {
    const double* start = at_;
    at_ += rows * columns;
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return Eigen::Map<const RowMajor>(start, rows, columns);
  }

 private:
  const double* at_;
};

}  // namespace noslip
