// The continuous problem of one kind of system: what Continuous forwards to.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <Eigen/Core>

#include <noslip/core/lazy.hpp>
#include <noslip/exec/function.hpp>
#include <noslip/expr/derivative.hpp>
#include <noslip/model/continuous.hpp>

#include "model/equations_of_motion.hpp"
#include "model/rounding_bounds.hpp"
#include "model/sparse_cholesky.hpp"
#include "model/state_blocks.hpp"

namespace noslip {

class ContinuousEvaluator {
 public:
  ContinuousEvaluator(const System& system, std::vector<double> parameters)
      : system_(system), parameters_(std::move(parameters)) {}
  virtual ~ContinuousEvaluator() = default;
  /// A copy that has other values of the parameters, and shares everything that is compiled.
  virtual std::shared_ptr<const ContinuousEvaluator> with_parameters(std::vector<double> parameters) const = 0;
  virtual ContinuousState evaluate(const InitialState& state, std::vector<Problem>& problems) const = 0;
  virtual InitialState project(const InitialState& state) const = 0;
  virtual ContinuousState require_consistent(const InitialState& state) const = 0;
  /// Made when they are asked for first; by one thread, if several ask.
  template <class T>
  const EquationsOfMotion<T>& equations() const;
  const System& system() const { return system_; }

 protected:
  ContinuousEvaluator(const ContinuousEvaluator&) = default;
  /// What with_parameters() returns.
  template <class Evaluator>
  static std::shared_ptr<Evaluator> copy_with(const Evaluator& original, std::vector<double> parameters) {
    auto copy = std::make_shared<Evaluator>(original);
    copy->parameters_ = std::move(parameters);
    return copy;
  }
  /// A function of state_blocks(system) there.
  Evaluation<double> at(const Function<double>& function, const InitialState& state) const {
    return function({state.t, state.q, state.v, state.z, parameters_});
  }
  /// All of its inputs, one after the other.
  std::vector<double> numbers(const InitialState& state) const;
  /// Accelerations and multipliers there; of several solutions the one near state.z. With a large condition (see
  /// ContinuousState) they are found in quadruple precision: the state then is all that limits their digits.
  struct Motion {
    bool is_found = false;                    ///< the vectors are zero if not
    Eigen::VectorXd a, lambda, ideal_lambda;  ///< the last one without nonideal reactions; empty if there are none
  };
  Motion motion(const InitialState& state, double condition) const;
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
    Function<double> function;  // the entries
    std::vector<Place> entries;
  };
  /// From the Hessian of each constraint, in a graph that `copy` copies into. (The graph is one of its own: the
  /// system's may be in use by other threads.)
  Curvature make_curvature(Substitution& copy, const std::vector<std::vector<Entry>>& hessians) const;
  /// The sum of multiplier * second derivative over the constraints, a matrix of this size.
  SparseRows curvature(const Curvature& of, const InitialState& state, const Eigen::VectorXd& multipliers,
                       std::size_t size) const;

  /// How far each of numbers() may be off.
  std::vector<double> input_errors(const InitialState& state) const;
  /// Of functions of the system.
  RoundingBounds make_bounds(const std::vector<Expr>& functions) const;
  /// How far these functions may be from their exact values for rounding alone. What a constraint is measured with.
  Eigen::VectorXd rounding(const RoundingBounds& bounds, const InitialState& state) const {
    return bounds(numbers(state), input_errors(state));
  }

  System system_;
  std::vector<double> parameters_;

 private:
  template <class T>
  Motion motion_in(const InitialState& state) const;

  using InAllPrecisions =
      std::tuple<Lazy<EquationsOfMotion<double>>, Lazy<EquationsOfMotion<long double>>, Lazy<EquationsOfMotion<quad>>>;
  std::shared_ptr<InAllPrecisions> equations_ = std::make_shared<InAllPrecisions>();
};

Eigen::VectorXd as_vector(const std::vector<double>& values);

std::shared_ptr<const ContinuousEvaluator> mechanical_evaluator(const System& system, std::vector<double> parameters);
std::shared_ptr<const ContinuousEvaluator> index_two_evaluator(const System& system, std::vector<double> parameters);

std::shared_ptr<const ContinuousEvaluator> odae_evaluator(const System& system, std::vector<double> parameters);
std::shared_ptr<const ContinuousEvaluator> skew_gradient_evaluator(const System& system,
                                                                   std::vector<double> parameters);

/// Output blocks of a function, read one after the other.
class OutputReader {
 public:
  explicit OutputReader(const Evaluation<double>& values) : values_(values) {}
  double number() { return next()[0]; }
  Eigen::VectorXd vector() {
    const std::span<const double> block = next();
    return Eigen::Map<const Eigen::VectorXd>(block.data(), static_cast<Eigen::Index>(block.size()));
  }
  Eigen::MatrixXd matrix(Eigen::Index rows, Eigen::Index columns) {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return Eigen::Map<const RowMajor>(next().data(), rows, columns);
  }
  /// Of entries at these places, in the order of rows and columns; the others are zero.
  SparseRows matrix(Eigen::Index rows, Eigen::Index columns, std::span<const std::pair<int, int>> places) {
    const std::span<const double> block = next();
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t e = 0; e < places.size(); ++e) entries.emplace_back(places[e].first, places[e].second, block[e]);
    SparseRows result(rows, columns);
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
  }

 private:
  std::span<const double> next() { return values_.output(block_++); }
  const Evaluation<double>& values_;
  std::size_t block_ = 0;
};

}  // namespace noslip
