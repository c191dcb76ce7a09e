// Lagrange-d'Alembert SPARK integrators: L. O. Jay, Lagrange-d'Alembert SPARK integrators for nonholonomic Lagrangian
// systems (2009), equations (6.1), called 000 in this project.
//
//   Q_i = q0 + h sum_j a_ij V_j                                                              (6.1a)
//   P_i = p0 + h sum_j ahat_ij F_j + h sum_j atilde_ij R_j                                   (6.1b)
//   q1  = q0 + h sum_j b_j V_j                                                               (6.1c)
//   p1  = p0 + h sum_j bhat_j F_j + h sum_j btilde_j R_j                                     (6.1d)
//   0   = sum_j omega_ij k(T_j, Q_j, V_j)   for i = 1 .. s-1                                 (6.1e)
//   0   = k(t1, q1, v1)                                                                      (6.1f)
//
// with P_i = L_v(T_i, Q_i, V_i), F_i = L_q(T_i, Q_i, V_i) + f, R_i = K(T_i, Q_i, V_i)^T lambda_i (000 has R = -K^T psi).
//
// Unknowns are increments, which keeps the rounding errors of a step at the size of the step, and z_i = h lambda_i, which
// keeps the condition of the equations independent of h. In general they are D_i = V_i - v0 and w = v1 - v0. Where the
// mass matrix M is constant and ahat = atilde (Gauss), the impulses U_j = M^-1 (h F_j + h R_j) are unknowns instead:
//   V_i = v0 + sum_j ahat_ij U_j,   v1 = v0 + sum_j bhat_j U_j,   M U_j = h F_j + h R_j,
// the same step with fewer unknowns and equations of a stage that contain the forces of that stage only.
#include <noslip/method/spark.hpp>

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <noslip/method/stage.hpp>

namespace noslip {

namespace {

using Vector = std::vector<Expr>;

/// Of a condition on coefficients that are known to quadruple precision.
const quad negligible_defect = quad(1e-28);

Expr coefficient(Graph& graph, quad value) { return graph.constant(Number::real(value)); }

/// sum_j weights_j * columns_j[i]
Expr combine(Graph& graph, const std::vector<quad>& weights, const std::vector<Vector>& columns, std::size_t i) {
  Vector terms;
  for (std::size_t j = 0; j < weights.size(); ++j) terms.push_back(coefficient(graph, weights[j]) * columns[j][i]);
  return sum(graph, terms);
}

Vector new_symbols(Graph& graph, const std::string& stem, int count) {
  Vector symbols;
  for (int i = 0; i < count; ++i) symbols.push_back(graph.symbol(fmt::format("step.{}{}", stem, i + 1)));
  return symbols;
}

/// Weights that continue a function, known at the nodes of this step, to the time `x` (in steps) in the next one. Only
/// the last few nodes are used: extrapolation with many of them amplifies rounding errors more than it gains.
std::vector<quad> continuation(const std::vector<quad>& nodes, quad x) {
  constexpr std::size_t most = 8;
  const std::size_t skipped = nodes.size() > most ? nodes.size() - most : 0;
  const std::vector<quad> last(nodes.begin() + static_cast<std::ptrdiff_t>(skipped), nodes.end());
  std::vector<quad> weights(skipped, quad(0));
  for (const quad weight : lagrange_weights(last, x)) weights.push_back(weight);
  return weights;
}

/// Velocity increments along a step are continued into the next one by a polynomial through the start, the stages and the
/// end; stages that coincide with an end point are left out. Returns the weights of D_1 ... D_s and w in V(1 + x) - v1.
std::vector<quad> next_increment(const std::vector<quad>& c, quad x) {
  std::vector<quad> nodes = {0};
  std::vector<std::size_t> stage_of;
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (c[i] == 0 || c[i] == 1) continue;
    nodes.push_back(c[i]);
    stage_of.push_back(i);
  }
  nodes.push_back(1);
  const std::vector<quad> at_nodes = continuation(nodes, 1 + x);
  std::vector<quad> weights(c.size() + 1, quad(0));
  for (std::size_t k = 0; k < stage_of.size(); ++k) weights[stage_of[k]] = at_nodes[k + 1];
  weights.back() = at_nodes.back() - 1;
  return weights;
}

/// The same for the impulses U, D = A U and w = b U: the matrix that takes the impulses of a step to those of the next.
/// Where A is singular, the impulses themselves are continued.
std::vector<std::vector<quad>> next_impulses(const Tableau& tableau) {
  const std::size_t s = tableau.b.size();
  const std::vector<std::vector<quad>> inverse = inverse_matrix(tableau.a);
  std::vector<std::vector<quad>> next(s, std::vector<quad>(s, quad(0)));
  for (std::size_t i = 0; i < s; ++i) {
    if (inverse.empty()) {
      next[i] = continuation(tableau.c, 1 + tableau.c[i]);
      continue;
    }
    const std::vector<quad> weights = next_increment(tableau.c, tableau.c[i]);
    for (std::size_t l = 0; l < s; ++l) {
      quad increment = weights[s] * tableau.b[l];
      for (std::size_t j = 0; j < s; ++j) increment += weights[j] * tableau.a[j][l];
      for (std::size_t k = 0; k < s; ++k) next[k][l] += inverse[k][i] * increment;
    }
  }
  return next;
}

class Spark final : public Method {
 public:
  Spark(MethodTraits traits, SparkCoefficients coefficients)
      : traits_(std::move(traits)), coefficients_(std::move(coefficients)) {}

  const MethodTraits& traits() const override { return traits_; }
  std::string why_not(const System& system) const override {
    return system.kind() == SystemKind::mechanical ? "" : "it is a method for mechanical systems, given by a Lagrangian";
  }
  StepRecipe record(const System& system) const override { return record_spark(system, coefficients_); }

 private:
  MethodTraits traits_;
  SparkCoefficients coefficients_;
};

/// The parts of one step that the two choices of unknowns share.
class Recording {
 public:
  Recording(const System& system, const SparkCoefficients& spark)
      : system_(system),
        spark_(spark),
        n_(system.dimension()),
        m_(static_cast<int>(system.constraints().size())),
        s_(spark.q.stages()),
        recipe_(begin_recipe(system)),
        graph_(*recipe_.graph) {
    for (int i = 0; i < n_; ++i) {
      q0_.push_back(recipe_.state[i].symbol);
      v0_.push_back(recipe_.state[n_ + i].symbol);
    }
    for (int j = 0; j < s_; ++j) z_.push_back(new_symbols(graph_, fmt::format("z{}_", j + 1), m_));
  }

  StepRecipe record() {
    const bool impulses = system_.structure().constant_mass && spark_.forces.a == spark_.reactions.a &&
                          spark_.forces.b == spark_.reactions.b;
    impulses ? choose_impulses() : choose_increments();
    evaluate_stages(impulses);
    impulses ? impulse_equations() : momentum_equations();
    constraint_equations();
    guess_multipliers();
    solve_.scale = v0_;
    solve_.scale.insert(solve_.scale.end(), w_.begin(), w_.end());
    recipe_.solves.push_back(std::move(solve_));
    for (int i = 0; i < n_; ++i) {
      recipe_.state[i].increment = move(1, spark_.q.b, i);
      recipe_.state[n_ + i].increment = w_[i];
    }
    return std::move(recipe_);
  }

 private:
  Expr h() const { return recipe_.h; }

  /// Unknowns U_j; D_i and w follow from them.
  void choose_impulses() {
    for (int j = 0; j < s_; ++j) U_.push_back(new_symbols(graph_, fmt::format("U{}_", j + 1), n_));
    for (int i = 0; i < s_; ++i) {
      D_.emplace_back();
      for (int k = 0; k < n_; ++k) D_[i].push_back(combine(graph_, spark_.forces.a[i], U_, k));
    }
    for (int k = 0; k < n_; ++k) w_.push_back(combine(graph_, spark_.forces.b, U_, k));
    const std::vector<std::vector<quad>> next = next_impulses(spark_.forces);
    for (int j = 0; j < s_; ++j) {
      for (int k = 0; k < n_; ++k) {
        solve_.unknowns.push_back(
            {U_[j][k], h() * recipe_.accelerations[k], combine(graph_, next[j], U_, k), true});
      }
    }
  }

  /// Unknowns D_i and w.
  void choose_increments() {
    for (int i = 0; i < s_; ++i) D_.push_back(new_symbols(graph_, fmt::format("D{}_", i + 1), n_));
    w_ = new_symbols(graph_, "w", n_);
    std::vector<Vector> known = D_;
    known.push_back(w_);
    const auto add = [&](Expr symbol, quad c, int k) {
      const Expr first = h() * coefficient(graph_, c) * recipe_.accelerations[k];
      solve_.unknowns.push_back({symbol, first, combine(graph_, next_increment(spark_.q.c, c), known, k), true});
    };
    for (int i = 0; i < s_; ++i) {
      for (int k = 0; k < n_; ++k) add(D_[i][k], spark_.q.c[i], k);
    }
    for (int k = 0; k < n_; ++k) add(w_[k], 1, k);
  }

  /// h (c v0 + sum_j a_j D_j): since sum_j a_ij = c_i, this is h sum_j a_ij V_j.
  Expr move(quad c, const std::vector<quad>& a, int k) {
    return h() * (coefficient(graph_, c) * v0_[k] + combine(graph_, a, D_, k));
  }

  void evaluate_stages(bool impulses) {
    for (int i = 0; i < s_; ++i) {  // (6.1a)
      const quad c = spark_.q.c[i];
      Vector Q, V;
      for (int k = 0; k < n_; ++k) {
        Q.push_back(graph_.alias(q0_[k] + move(c, spark_.q.a[i], k)));
        V.push_back(graph_.alias(v0_[k] + D_[i][k]));
      }
      stages_.push_back(stage_at(system_, graph_, recipe_.t + coefficient(graph_, c) * h(), Q, V));
    }
    // The end point is the very numbers that will be stored, low parts included: the constraint then holds for them, also
    // where one unit in the last place of a large angle is more than rounding in the constraint. Momenta of a mass matrix
    // that changes must not see the low part of the velocity: they would undo it.
    Vector q1, v1;
    for (int k = 0; k < n_; ++k) {  // (6.1c)
      q1.push_back(graph_.alias(q0_[k] + graph_.alias(move(1, spark_.q.b, k) + recipe_.state[k].low)));
      v1.push_back(graph_.alias(v0_[k] + (impulses ? graph_.alias(w_[k] + recipe_.state[n_ + k].low) : w_[k])));
    }
    end_ = stage_at(system_, graph_, recipe_.t + h(), q1, v1);
    for (int j = 0; j < s_; ++j) {
      forces_.push_back(stages_[j].force);
      reactions_.emplace_back();
      for (int k = 0; k < n_; ++k) reactions_[j].push_back(stages_[j].reaction(graph_, k, z_[j]));
    }
  }

  void impulse_equations() {
    Substitution copy(graph_);
    for (int j = 0; j < s_; ++j) {
      for (int k = 0; k < n_; ++k) {
        const Expr impulse = dot(graph_, copy(system_.mass()[k]), U_[j]);
        solve_.residuals.push_back(impulse - h() * forces_[j][k] - reactions_[j][k]);
      }
    }
  }

  /// (6.1b) and (6.1d)
  void momentum_equations() {
    const Stage start = stage_at(system_, graph_, recipe_.t, q0_, v0_);
    const auto add = [&](const Stage& at, const Vector& increment, const std::vector<quad>& force,
                         const std::vector<quad>& reaction) {
      const Vector difference = momentum_increment(system_, graph_, at, start, increment);
      for (int k = 0; k < n_; ++k) {
        solve_.residuals.push_back(difference[k] - h() * combine(graph_, force, forces_, k) -
                                   combine(graph_, reaction, reactions_, k));
      }
    };
    for (int i = 0; i < s_; ++i) add(stages_[i], D_[i], spark_.forces.a[i], spark_.reactions.a[i]);
    add(end_, w_, spark_.forces.b, spark_.reactions.b);
  }

  /// (6.1e) and (6.1f)
  void constraint_equations() {
    for (int r = 0; r < m_; ++r) {
      for (int i = 0; i < s_ - 1; ++i) {
        Vector terms;
        for (int j = 0; j < s_; ++j) terms.push_back(coefficient(graph_, spark_.omega[i][j]) * stages_[j].k[r]);
        solve_.residuals.push_back(sum(graph_, terms));
      }
      solve_.residuals.push_back(end_.k[r]);
    }
  }

  void guess_multipliers() {
    for (int j = 0; j < s_; ++j) {
      const std::vector<quad> weights = continuation(spark_.q.c, 1 + spark_.q.c[j]);
      for (int r = 0; r < m_; ++r) {
        solve_.unknowns.push_back({z_[j][r], h() * recipe_.multipliers[r], combine(graph_, weights, z_, r), false});
      }
    }
  }

  const System& system_;
  const SparkCoefficients& spark_;
  const int n_, m_, s_;
  StepRecipe recipe_;
  Graph& graph_;
  Solve solve_;
  Vector q0_, v0_, w_;
  std::vector<Vector> U_, D_, z_, forces_, reactions_;
  std::vector<Stage> stages_;
  Stage end_;
};

}  // namespace

StepRecipe record_spark(const System& system, const SparkCoefficients& coefficients) {
  return Recording(system, coefficients).record();
}

SparkCoefficients gauss_spark(int stages) {
  const Tableau tableau = gauss(stages);
  // omega_ij = b_j P_(i-1)(2 c_j - 1): the same conditions as with b_j c_j^(i-1), but orthogonal for any s.
  std::vector<std::vector<quad>> omega;
  std::vector<quad> before(stages, quad(0)), legendre(stages, quad(1));
  for (int i = 0; i + 1 < stages; ++i) {
    omega.emplace_back();
    for (int j = 0; j < stages; ++j) {
      omega[i].push_back(tableau.b[j] * legendre[j]);
      const quad x = 2 * tableau.c[j] - 1;
      const quad next = ((2 * i + 1) * x * legendre[j] - i * before[j]) / (i + 1);
      before[j] = legendre[j];
      legendre[j] = next;
    }
  }
  return {tableau, tableau, tableau, omega};
}

bool satisfies_lagrange_dalembert(const SparkCoefficients& coefficients) {
  return defect_symplectic(coefficients.q, coefficients.forces) < negligible_defect &&
         coefficients.q.b == coefficients.forces.b;
}

bool is_symmetric(const SparkCoefficients& coefficients) {
  return defect_symmetric(coefficients.q) < negligible_defect && defect_symmetric(coefficients.forces) < negligible_defect &&
         defect_symmetric(coefficients.reactions) < negligible_defect;
}

std::shared_ptr<const Method> make_gauss(int stages) {
  MethodTraits traits;
  traits.name = fmt::format("gauss:{}", stages);
  traits.summary = "Gauss SPARK: velocity constraints hold at the end of every step, energy without drift";
  traits.source = "L. O. Jay, Lagrange-d'Alembert SPARK integrators (2009), sections 6 and 7; Math. Comput. 75 (2006)";
  traits.stages = stages;
  traits.order = 2 * stages;
  SparkCoefficients coefficients = gauss_spark(stages);
  traits.symmetric = is_symmetric(coefficients);
  traits.keeps_constraints = true;  // (6.1f)
  traits.lagrange_dalembert = satisfies_lagrange_dalembert(coefficients);
  return std::make_shared<Spark>(std::move(traits), std::move(coefficients));
}

}  // namespace noslip
