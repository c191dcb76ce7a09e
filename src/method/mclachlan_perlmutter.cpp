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
#include <fmt/format.h>

#include <noslip/method/discrete.hpp>

#include "method/step_builder.hpp"
#include "method/work.hpp"

namespace noslip {

namespace {

class McLachlanPerlmutterRecording {
 public:
  explicit McLachlanPerlmutterRecording(const System& system)
      : step_(system),
        graph_(step_.graph),
        n_(step_.v0.size()),
        moved_q_(zeros(graph_, n_)),
        moved_v_(zeros(graph_, step_.velocities())),
        moved_p_(zeros(graph_, step_.conjugate.start().size())),
        now_v_(step_.v0) {}

  StepRecipe record(const Composition& composition) {
    quad begin = 0;
    const std::size_t parts = composition.fractions.size();
    for (std::size_t part = 0; part < parts; ++part) {
      const quad end = part + 1 == parts ? quad(1) : begin + composition.fractions[part];
      const Expr fraction = coefficient(graph_, composition.fractions[part]);
      step(step_.time(begin), step_.time(end), graph_.alias(fraction * step_.h), part + 1 == parts);
      begin = end;
    }
    return std::move(step_.recipe);
  }

 private:
  Vector velocities(const char* stem) { return step_.new_velocities(fmt::format("{}{}_", stem, step_.recipe.solves.size())); }
  Vector symbols(const char* stem, std::size_t count) {
    return new_symbols(graph_, fmt::format("{}{}_", stem, step_.recipe.solves.size()), count);
  }

  /// One step from where the parts before have led.
  void step(Expr t0, Expr t1, Expr h, bool is_last) {
    StepRecipe& recipe = step_.recipe;
    const Expr half = graph_.alias(h / Number(2)), t_half = t0 + half;
    const Vector X = velocities("X"), Y = velocities("Y"), w = velocities("w");
    const Vector z = symbols("z", step_.system.constraints().size()), P = symbols("P", moved_p_.size());
    Solve first, second;
    if (!recipe.solves.empty()) name_state(first);
    const Vector q0 = alias(step_.q0 + moved_q_), v0 = now_v_, p0 = alias(step_.conjugate.start() + moved_p_);
    const Vector V1 = alias(v0 + X), V2 = alias(v0 + Y), to_half = moved_q_ + half * V1;
    // q1 - q0 = h v0 + h/2 (X + Y), in an order in which Y, the last to be known, has the shortest way to go.
    const Vector early = moved_q_ + (h * v0 + half * X), late = half * Y, to_end = early + late;
    const Vector mean_velocity = alias(v0 + (X + Y) / 2), q_half = alias(step_.q0 + to_half);
    Vector q1 = alias(step_.q0 + to_end), v1 = alias(v0 + w), p1 = alias(p0 + P);
    const Stage start = step_.stage(t0, q0, v0, p0);
    const Stage before = step_.stage(t_half, q_half, V1, p0), after = step_.stage(t_half, q_half, V2, p1);
    Stage between = step_.stage(t_half, q_half, mean_velocity, alias(p0 + P / 2));
    if (is_last) {  // the state that will be stored, but see StepBuilder::end on momenta
      q1 = step_.move_positions(early, late);
      const Vector stored = recipe.move(n_, moved_v_, head(w, step_.velocities()));
      if (step_.has_plain_momenta || !P.empty()) v1 = joined(stored, tail(v1, step_.velocities()));
      p1 = recipe.move(2 * n_, moved_p_, P);
    }
    const Stage end = step_.stage(t1, q1, v1, p1);

    const Vector to_second = step_.momentum_change(start, after, {Y, P});
    between.react(graph_, h, z);
    const Vector mean_force = (before.force + after.force) / 2;
    second.require(to_second - (h * mean_force + between.reactions));
    if (P.empty()) {
      first.require(step_.momentum_change(start, before, {X, {}}));
      second.require(step_.momentum_change(start, end, {w, {}}) - to_second);
    }
    step_.tie(first, before);
    step_.tie(second, after);
    step_.tie(second, end);
    second.require(end.k);

    step_.seek(first, {X, {}}, 0, {X, {}});
    step_.seek(second, {{}, P}, 1, {{}, P});
    for (const Vector& increment : {Y, w}) step_.seek(second, {increment, {}}, 1, {increment, {}});
    second.seek(z, h * recipe.multipliers, z, false);
    step_.add(std::move(first), v0, X);
    step_.add(std::move(second), v0, w);
    add_work(recipe, h, {0.5, 0.5}, {before, after});
    add_reaction_work(recipe, {1}, {between});
    moved_q_ = to_end;
    moved_v_ = moved_v_ + head(w, step_.velocities());
    moved_p_ = moved_p_ + P;
    now_v_ = alias(v0 + w);
  }

  /// The state between two parts gets names: later equations then do not contain the earlier ones.
  void name_state(Solve& solve) {
    const auto name = [&](const char* stem, Vector& values) {
      const Vector names = symbols(stem, values.size());
      for (std::size_t i = 0; i < names.size(); ++i) solve.before.push_back({names[i], values[i]});
      values = names;
    };
    name("q", moved_q_);
    name("v", moved_v_);
    name("n", now_v_);
    name("p", moved_p_);
    if (!step_.recipe.has_work) return;
    Vector work = {step_.recipe.state.back().increment};
    name("work", work);
    step_.recipe.state.back().increment = work.front();
  }

  StepBuilder step_;
  Graph& graph_;
  const std::size_t n_;
  Vector moved_q_, moved_v_, moved_p_;  // how far the parts so far have moved the state
  Vector now_v_;                        // the velocity where they have led to
};

}  // namespace

StepRecipe record_mclachlan_perlmutter(const System& system, const Composition& composition) {
  return McLachlanPerlmutterRecording(system).record(composition);
}

SparkCoefficients mclachlan_perlmutter_pair() { return {lobatto_iiib(2), lobatto_iiia(2), lobatto_iiia(2), {}}; }

}  // namespace noslip
