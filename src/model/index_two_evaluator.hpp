// The continuous problem of a dae2 system. With G = g_t + g_y f, the hidden constraint:
//   z   from G(t, y, z) = 0; G_z = g_y f_z is regular for a system of index 2
//   z'  from G_t + G_y f + G_z z' = 0
#pragma once

#include "model/evaluator.hpp"

namespace noslip {

/// What the functions of the system are at one point.
struct IndexTwoValues {
  Eigen::VectorXd f, g, hidden;   ///< hidden: G
  Eigen::VectorXd g_t, hidden_t;  ///< derivatives
  Eigen::MatrixXd f_z, g_y, hidden_y, hidden_z;
  Eigen::VectorXd g_rounding, hidden_rounding;  ///< how far g and G may be from zero for rounding alone

  bool all_finite() const;
};

class IndexTwoEvaluator : public ContinuousEvaluator {
 public:
  IndexTwoEvaluator(const System& system, std::vector<double> parameters)
      : ContinuousEvaluator(system, std::move(parameters)) {
    make_functions();
  }

  std::shared_ptr<const ContinuousEvaluator> with_parameters(std::vector<double> parameters) const override {
    return copy_with(*this, std::move(parameters));
  }
  ContinuousState evaluate(const InitialState& state, std::vector<Problem>& problems) const override;
  InitialState project(const InitialState& state) const override;
  ContinuousState require_consistent(const InitialState& state) const override;

 private:
  void make_functions();
  Curvature make_curvature() const;  // g_yy
  IndexTwoValues values(const InitialState& state) const;
  std::vector<Problem> not_finite_constraints(const IndexTwoValues& at) const;
  std::vector<Problem> not_finite_at_start(const IndexTwoValues& at) const;
  const std::string& text_of(Eigen::Index constraint) const {
    return system_.constraints()[static_cast<std::size_t>(constraint)].text;
  }
  std::string named_z(const std::vector<double>& z) const;

  Function<double> function_;                         // everything in IndexTwoValues but the roundings
  RoundingBounds constraint_bounds_, hidden_bounds_;  // of g and of G
};

}  // namespace noslip
