// The method of McLachlan and Perlmutter (J. Nonlinear Sci. 16 (2006) 283; Jay 2009, eq. (7.3); Hilden 2009, eq. (3.4))
// for any Lagrangian, in the form that stays symmetric and of order 2 where the mass matrix depends on q: Lobatto IIIB
// on q, IIIA on p.
//
//   L_v(t_h, q_h, V1) = p0,   q_h = q0 + h/2 V1,   t_h = t0 + h/2
//   p1 = p0 + h/2 (F(t_h, q_h, V1) + F(t_h, q_h, V2)) + h K(t_h, q_h, (V1 + V2)/2)^T lambda
//   L_v(t_h, q_h, V2) = p1,   q1 = q_h + h/2 V2
//   L_v(t1, q1, v1) = p1,   k(t1, q1, v1) = 0
//
// With momenta M v this is V1 = v0, V2 = v1 and the method of the papers. Unknowns are the increments X = V1 - v0,
// Y = V2 - v0, w = v1 - v0 and z = h lambda; where a Hamiltonian gives v(t, q, p) (conjugate.hpp), also P = p1 - p0.
#include <noslip/method/discrete.hpp>

#include <fmt/format.h>

#include <noslip/method/stage.hpp>

#include "method/coefficients.hpp"
#include "method/conjugate.hpp"
#include "method/work.hpp"

namespace noslip {

namespace {

using Vector = std::vector<Expr>;

class McLachlanPerlmutterRecording {
 public:
  explicit McLachlanPerlmutterRecording(const System& system)
      : system_(system),
        n_(system.dimension()),
        m_(static_cast<int>(system.constraints().size())),
        is_plain_(has_plain_momenta(system)),
        recipe_(begin_recipe(system)),
        graph_(*recipe_.graph),
        conjugate_(system, recipe_) {
    for (int i = 0; i < n_; ++i) {
      q_.push_back(recipe_.state[i].symbol);
      v_.push_back(recipe_.state[n_ + i].symbol);
    }
    now_v_ = v_;
    moved_q_ = moved_v_ = Vector(n_, graph_.constant(0));
    if (conjugate_.exists()) moved_p_ = moved_q_;
  }

  StepRecipe record(const Composition& composition) {
    quad begin = 0;
    const std::size_t parts = composition.fractions.size();
    for (std::size_t part = 0; part < parts; ++part) {
      const quad end = part + 1 == parts ? quad(1) : begin + composition.fractions[part];
      const Expr fraction = coefficient(graph_, composition.fractions[part]);
      step(recipe_.t + coefficient(graph_, begin) * recipe_.h, recipe_.t + coefficient(graph_, end) * recipe_.h,
           graph_.alias(fraction * recipe_.h), part + 1 == parts);
      begin = end;
    }
    return std::move(recipe_);
  }

 private:
  Vector symbols(const char* stem, int count) {
    return new_symbols(graph_, fmt::format("{}{}_", stem, recipe_.solves.size()), count);
  }

  Vector plus(const Vector& base, const Vector& increment) {
    Vector sums;
    for (std::size_t i = 0; i < base.size(); ++i) sums.push_back(graph_.alias(base[i] + increment[i]));
    return sums;
  }

  /// One step from where the parts before have led.
  void step(Expr t0, Expr t1, Expr h, bool is_last) {
    const Expr half = graph_.alias(h / Number(2)), t_half = t0 + half;
    const Vector X = symbols("X", n_), Y = symbols("Y", n_), w = symbols("w", n_), z = symbols("z", m_);
    const Vector P = symbols("P", conjugate_.exists() ? n_ : 0);
    Solve first, second;
    if (!recipe_.solves.empty()) name_state(first);
    const Vector q0 = plus(q_, moved_q_), v0 = now_v_;
    const Vector V1 = plus(v0, X), V2 = plus(v0, Y);
    // q1 - q0 = h v0 + h/2 (X + Y), in an order in which Y, the last to be known, has the shortest way to go.
    Vector to_half, early, to_end, mean_velocity;
    for (int i = 0; i < n_; ++i) {
      to_half.push_back(moved_q_[i] + half * V1[i]);
      early.push_back(moved_q_[i] + (h * v0[i] + half * X[i]));
      to_end.push_back(early[i] + half * Y[i]);
      mean_velocity.push_back(graph_.alias(v0[i] + (X[i] + Y[i]) / Number(2)));
      if (!is_last) continue;
      StateVariable& q = recipe_.state[i];
      StateVariable& v = recipe_.state[n_ + i];
      q.increment = early[i];
      q.late = half * Y[i];
      q.settles = m_ > 0;
      v.increment = moved_v_[i];
      v.late = w[i];
    }
    Vector p0, p_mean, p1;
    for (std::size_t i = 0; i < P.size(); ++i) {
      p0.push_back(graph_.alias(conjugate_.start()[i] + moved_p_[i]));
      p_mean.push_back(graph_.alias(p0[i] + P[i] / Number(2)));
      p1.push_back(graph_.alias(p0[i] + P[i]));
      recipe_.state[2 * n_ + i].increment = moved_p_[i];
      recipe_.state[2 * n_ + i].late = P[i];
    }
    const Vector q_half = plus(q_, to_half);
    const Stage start = stage_at(system_, graph_, t0, q0, v0, p0);
    const Stage before = stage_at(system_, graph_, t_half, q_half, V1, p0);
    const Stage after = stage_at(system_, graph_, t_half, q_half, V2, p1);
    const Stage between = stage_at(system_, graph_, t_half, q_half, mean_velocity, p_mean);
    const Stage end = end_point(t1, to_end, w, p1, is_last);

    const bool ties = conjugate_.exists();
    const Vector to_second = momentum_increment(system_, graph_, after, start, ties ? P : Y);
    const Vector to_last = momentum_increment(system_, graph_, end, start, ties ? P : w);
    const Vector friction = between.nonideal_impulse(graph_, h, z);
    for (int i = 0; i < n_; ++i) {
      const Expr mean_force = (before.force[i] + after.force[i]) / Number(2);
      const Expr kick = h * mean_force + between.reaction(graph_, i, z) + friction[i];
      second.residuals.push_back(to_second[i] - kick);
    }
    if (ties) {
      conjugate_.tie(first, before);
      conjugate_.tie(second, after);
      conjugate_.tie(second, end);
      for (int i = 0; i < n_; ++i) second.unknowns.push_back({P[i], conjugate_.first_guess(i, 1), P[i], true});
    } else {
      first.residuals = momentum_increment(system_, graph_, before, start, X);
      for (int i = 0; i < n_; ++i) second.residuals.push_back(to_last[i] - to_second[i]);
    }
    for (int r = 0; r < m_; ++r) second.residuals.push_back(end.k[r]);

    for (const Expr& x : X) first.unknowns.push_back({x, graph_.constant(0), x, true});
    for (const Vector& increments : {Y, w}) {
      for (int i = 0; i < n_; ++i)
        second.unknowns.push_back({increments[i], h * recipe_.accelerations[i], increments[i], true});
    }
    for (int r = 0; r < m_; ++r) second.unknowns.push_back({z[r], h * recipe_.multipliers[r], z[r], false});
    first.scale = second.scale = v0;
    first.scale.insert(first.scale.end(), X.begin(), X.end());
    second.scale.insert(second.scale.end(), w.begin(), w.end());
    recipe_.solves.push_back(std::move(first));
    recipe_.solves.push_back(std::move(second));
    add_work(recipe_, h, {quad(0.5), quad(0.5)}, {before, after});
    add_reaction_work(recipe_, {quad(1)}, {between}, {z});
    add_nonideal_work(recipe_, {quad(1)}, {between}, {friction});
    for (int i = 0; i < n_; ++i) {
      moved_q_[i] = to_end[i];
      moved_v_[i] = moved_v_[i] + w[i];
      now_v_[i] = graph_.alias(v0[i] + w[i]);
      if (ties) moved_p_[i] = moved_p_[i] + P[i];
    }
  }

  /// The state between two parts gets names: later equations then do not contain the earlier ones.
  void name_state(Solve& solve) {
    for (const auto& [stem, values] : {std::pair{"q", &moved_q_}, {"v", &moved_v_}, {"n", &now_v_}}) {
      const Vector names = symbols(stem, n_);
      for (int i = 0; i < n_; ++i) solve.before.push_back({names[i], (*values)[i]});
      *values = names;
    }
    if (conjugate_.exists()) {
      const Vector names = symbols("p", n_);
      for (int i = 0; i < n_; ++i) solve.before.push_back({names[i], moved_p_[i]});
      moved_p_ = names;
    }
    if (!recipe_.has_work) return;
    const Expr work = symbols("work", 1).front();
    solve.before.push_back({work, recipe_.state.back().increment});
    recipe_.state.back().increment = work;
  }

  /// At the end of the whole step this is the state that will be stored (but see spark.cpp on momenta).
  Stage end_point(Expr t1, const Vector& to_end, const Vector& w, Vector p1, bool is_last) {
    Vector q1, v1;
    const bool stores_next = is_plain_ || conjugate_.exists();
    for (int i = 0; i < n_; ++i) {
      q1.push_back(is_last ? recipe_.state[i].next(graph_) : graph_.alias(q_[i] + to_end[i]));
      v1.push_back(is_last && stores_next ? recipe_.state[n_ + i].next(graph_) : graph_.alias(now_v_[i] + w[i]));
    }
    for (std::size_t i = 0; i < p1.size() && is_last; ++i) p1[i] = recipe_.state[2 * n_ + i].next(graph_);
    return stage_at(system_, graph_, t1, q1, v1, p1);
  }

  const System& system_;
  const int n_, m_;
  const bool is_plain_;
  StepRecipe recipe_;
  Graph& graph_;
  Conjugate conjugate_;
  Vector q_, v_;                        // the state at the start of the whole step
  Vector moved_q_, moved_v_, moved_p_;  // how far the parts so far have moved it
  Vector now_v_;                        // the velocity where they have led to
};

}  // namespace

StepRecipe record_mclachlan_perlmutter(const System& system, const Composition& composition) {
  return McLachlanPerlmutterRecording(system).record(composition);
}

SparkCoefficients mclachlan_perlmutter_pair() { return {lobatto_iiib(2), lobatto_iiia(2), lobatto_iiia(2), {}}; }

}  // namespace noslip
