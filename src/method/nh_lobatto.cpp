// The nonholonomic partitioned Runge-Kutta integrator (14) of Martin de Diego and Sato 2022, with a = Lobatto IIIA and
// ahat = Lobatto IIIB:
//
//   Q_i = q0 + h sum_j a_ij V_j,   P_i = p0 + h sum_j ahat_ij W_j,   P_i = L_v(T_i, Q_i, V_i)      (14b), (14c)
//   W_j = F(T_j, Q_j, V_j) + K(T_j, Q_j, V_j)^T Lambda_j                                          (14c)
//   p_i = p0 + h sum_j a_ij W_j,   p_i = L_v(T_i, Q_i, v_i),   k(T_i, Q_i, v_i) = 0                (14d), (14e)
//   q1 = Q_s,   v1 = v_s,   lambda_1 = Lambda_s                                                    (14a)
//
// The first stage is the start: Q_1 = q0, v_1 = v0, and Lambda_1 = lambda_0 is given. So the multiplier is carried from
// step to step; its first value comes from the continuous problem. Unknowns are D_i = V_i - v0, d_i = v_i - v0 for i >
// 1, and z_i = h Lambda_i for i > 1; with momenta M v, the impulses U_j = M^-1 h W_j take the place of D and d. Where a
// Hamiltonian gives v(t, q, p) (conjugate.hpp), this is the form (15) of the same paper with V_i = H_p(T_i, Q_i, P_i)
// and k(T_i, Q_i, H_p(T_i, Q_i, p_i)) = 0; unknowns are D_i, E_i = P_i - p0 and e_i = p_i - p0.
#include <noslip/method/nh_lobatto.hpp>

#include <fmt/format.h>

#include "method/flat_spark.hpp"

namespace noslip {

namespace {

class NhLobattoRecording : FlatSpark {
 public:
  NhLobattoRecording(const System& system, const SparkCoefficients& pair)
      : FlatSpark(system, pair, Constraints::projected) {}

  StepRecipe record() {
    const auto &a = spark_.q.a, &ahat = spark_.forces.a;
    choose_stages();
    for (int i = 0; i < s_; ++i) add_stage(step_.at(stage_time(i), place(i), D_[i]));  // (14b)
    for (int i = 1; i < s_; ++i) add_on_constraint(i);                                                  // (14e), (14a)
    Vectors W;                                                                                          // (14c)
    for (const Stage& stage : stages_) W.push_back(step_.h * stage.force + stage.reactions);
    for (int i = 0; i < s_; ++i) {
      if (has_impulses_) {
        stages_solve_.require(times(mass_, U_[i]) - W[i]);
        continue;
      }
      stages_solve_.require(step_.momentum_change(stages_[i], D_[i]) - sum(ahat[i], W));  // (14c)
      if (i == 0) continue;
      const OnConstraint& here = on_constraint_[i - 1];
      stages_solve_.require(step_.momentum_change(here.at, here.change) - sum(a[i], W));  // (14d)
    }
    if (!has_impulses_) {
      seek_changes(D_.v);
      seek_places();
    }
    velocity_conditions({});  // (14e)
    describe_inside();
    return finish();
  }

 private:
  /// Of stage i, from q0.
  Vector place(int i) const { return has_places() ? move_to_stage(i) : move(spark_.q.c[i], spark_.q.a[i]); }

  void add_on_constraint(int i) {
    const std::string name = fmt::format("{}_", i + 1);
    Change d = has_impulses_ ? Change{sum(spark_.q.a[i], U_), {}} : step_.new_following_change("d" + name, "e" + name);
    if (i == s_ - 1) return add_end(std::move(d), m_ > 0);
    const Stage at = step_.following(stage_time(i), alias(step_.q0 + place(i)), d);
    on_constraint_.push_back({i, std::move(d), at});
  }
};

}  // namespace

StepRecipe record_nh_lobatto(const System& system, int stages) {
  const SparkCoefficients pair = nh_lobatto_pair(stages);
  return NhLobattoRecording(system, pair).record();
}

SparkCoefficients nh_lobatto_pair(int stages) {
  SparkCoefficients result{lobatto_iiia(stages), lobatto_iiib(stages), lobatto_iiib(stages), {}};
  result.first_multiplier_given = true;
  result.end_multipliers.assign(stages, 0);
  result.end_multipliers.back() = 1;
  return result;
}

}  // namespace noslip
