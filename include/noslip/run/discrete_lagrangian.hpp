// A step of a SPARK method as discrete mechanics: Jay 2009, thm. 6.1, and Jay 2007, thm. 4.3, to inspect and to verify.
//
// Where the coefficients satisfy (6.2), steps obey the forced discrete Euler-Lagrange equations (4.5a),
//   D_q1 L_d(q_k-1, q_k) + D_q0 L_d(q_k, q_k+1) + f_d^+(q_k-1, q_k) + f_d^-(q_k, q_k+1) = 0,
// with L_d = h sum_i b_i L(T_i, Q_i, V_i) + h sum_j b'_j mu_j g(T'_j, Q'_j), the second sum over the nodes where
// position constraints act (Jay 2007 writes -Lambda for mu). L_d and the stages are functions of the two ends (t0, q0)
// and (t1, q1) through (6.1a) to (6.1d), with the multipliers of the step held: (4.5a) is the same for every way in
// which these may vary, and this one always exists. (With (6.1e) among the equations there is none for Lobatto IIIA-B,
// where that condition depends on the ends alone.)
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <noslip/model/system.hpp>

namespace noslip {

/// One step from (q0, v0) to (q1, v1).
struct DiscreteStep {
  double t0 = 0, h = 0;
  std::vector<double> q0, v0, q1, v1;
  std::vector<std::vector<double>> impulses;       ///< h lambda_j of velocity constraints, one vector per stage
  std::vector<std::vector<double>> node_impulses;  ///< h mu_j of position constraints, one vector per node
  std::vector<double> p0, p1;                      ///< L_v at the ends
  double lagrangian = 0;                           ///< L_d
  std::vector<double> gradient0, gradient1;        ///< of L_d with respect to q0 and q1
  std::vector<double> force_minus, force_plus;     ///< f_d^- and f_d^+: reactions of velocity constraints, [forces]
};

/// A SPARK method that satisfies (6.2) of Jay 2009, and with position constraints (4.1) of Jay 2007, on a Lagrangian
/// system in coordinates.
bool has_discrete_lagrangian(const System& system, const class Method& method);

class DiscreteLagrangian {
 public:
  /// InputError unless has_discrete_lagrangian.
  DiscreteLagrangian(const System& system, const std::string& method, std::vector<double> parameter_values);

  /// The step of size h from a consistent state. InputError where Newton's method does not find it.
  DiscreteStep step(double t0, const std::vector<double>& q0, const std::vector<double>& v0, double h) const;

  /// L_d between other ends, with the multipliers of `near` held; the stages are found from those of `near`.
  double value(const DiscreteStep& near, const std::vector<double>& q0, const std::vector<double>& q1) const;

 private:
  struct Data;
  std::shared_ptr<const Data> data_;
};

}  // namespace noslip
