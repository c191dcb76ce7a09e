// A mechanical system with its velocity constraints differentiated, as solvers for other equations take it (Hilden
// 2009, sec. 2.3). With y = (q, v, lambda):
//
//   index 1:  q' = v,   M v' = g + K^T lambda,   K v' = gamma               (2.11)
//   index 0:  the same with the last two differentiated once more, solved for lambda'; v' from lambda   (2.12)
//
// The constraints k(q, v) = 0 themselves are no part of either, so that solutions drift away from them.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include <noslip/exec/function.hpp>
#include <noslip/model/continuous.hpp>
#include <noslip/solve/dense.hpp>

namespace noslip::papers {

class IndexReduced {
 public:
  /// A system of coordinates with velocity constraints, nothing nonideal.
  IndexReduced(const System& system, const std::map<std::string, double>& set);

  int size() const { return 2 * n_ + m_; }  ///< of y
  int dimension() const { return n_; }      ///< of q and of v
  int multiplier_count() const { return m_; }
  /// q, v and lambda of the continuous problem at a consistent state.
  std::vector<double> start(const InitialState& initial) const;

  /// The residual of the index-1 equations.
  void residual(double t, std::span<const double> y, std::span<const double> rate, std::span<double> r);
  /// d residual/dy + c d residual/dy', by columns.
  void newton_matrix(double t, std::span<const double> y, std::span<const double> rate, double c,
                     std::span<double> matrix);
  /// y' of the index-0 equations.
  void rates(double t, std::span<const double> y, std::span<double> rate);

  double energy(double t, std::span<const double> y);
  /// k(q, v), one value per constraint.
  std::span<const double> constraints(double t, std::span<const double> y);

 private:
  struct Place {
    int row, column;  ///< column: of y, or of y' where it is size() or more
  };

  int n_, m_;
  Continuous continuous_;
  Evaluation<double> residual_;    ///< of t; y; y'
  Evaluation<double> linearised_;  ///< of t; y; y': the residual; its derivatives by t; by y and y' where not zero
  Evaluation<double> monitored_;   ///< of t; y: energy; constraints
  std::vector<Place> places_;      ///< of the derivatives by y and y'
  std::vector<double> right_hand_side_;
  DenseSolver<double> mass_, saddle_;
};

}  // namespace noslip::papers
