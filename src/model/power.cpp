// What changes the energy E = v . L_v - L along a motion: dE/dt = v . f - L_t + lambda . K v (Jay 2009, sec. 2.2, with
// forces). States u in L are like the time there: their change takes L_u . u' away.
//
// Where the constraints hold, K v may be replaced by K v - k. This is zero for constraints linear in v, whose reactions
// do no work, minus the part without v for affine ones, and keeps that apart from what a method leaves of k at its
// stages. A constraint homogeneous of degree d in v has K v = d k (Euler), which is zero where it holds.
#include <cmath>
#include <random>

#include <noslip/expr/derivative.hpp>

#include "model/system_data.hpp"

namespace noslip {
namespace {

/// Is K v = d k for some d? Looked at in points taken at random, of all sizes, also of the parameters: an identity
/// holds in all of them, another equation hardly in two. Points where k is not defined say nothing.
bool is_homogeneous(Expr k, Expr Kv) {
  constexpr int points = 32, least_defined = 8;
  const quad tolerance = 1e-24;
  const Expr expressions[] = {k, Kv};
  Evaluation<quad> at(Function<quad>({symbols_of(expressions)}, {{k}, {Kv}}));
  std::minstd_rand random(1);
  const auto uniform = [&] { return static_cast<double>(random()) / static_cast<double>(std::minstd_rand::max()); };
  int defined = 0;
  quad degree = 0;
  for (int i = 0; i < points; ++i) {
    for (quad& value : at.input(0)) {
      const double size = std::pow(10.0, 4 * uniform() - 2);
      value = uniform() < 0.5 ? -size : size;
    }
    at.run();
    const quad ratio = at.output(1)[0] / at.output(0)[0];
    if (ratio - ratio != 0) continue;  // not finite
    if (defined++ == 0) degree = ratio;
    const quad defect = ratio - degree;
    if ((defect < 0 ? -defect : defect) > tolerance * (1 + (degree < 0 ? -degree : degree))) return false;
  }
  return defined >= least_defined;
}

}  // namespace

void derive_power(SystemData& data) {
  Graph& graph = *data.graph;
  data.power = dot(graph, data.v, data.applied_forces) - derivative(data.lagrangian, data.t);
  for (const FirstOrderState& state : data.states) {
    data.power = data.power - derivative(data.lagrangian, state.symbol) * state.rate;
  }
  bool does_work = !data.power.is_zero();
  Substitution at_rest(graph);
  for (const Expr& v : data.v) at_rest.replace(v, graph.constant(0));
  for (const Constraint& constraint : data.velocity_level) {
    Expr power = graph.constant(0);
    const Expr Kv = dot(graph, constraint.K, data.v);
    if (constraint.kind == ConstraintKind::affine && !data.has_implicit_momenta) {
      power = -at_rest(constraint.k);
    } else if (constraint.kind != ConstraintKind::linear) {
      if (data.has_implicit_momenta || !is_homogeneous(constraint.k, Kv)) power = Kv - constraint.k;
    }
    does_work = does_work || !power.is_zero();
    data.reaction_powers.push_back(power);
  }
  data.structure.does_work = does_work || data.structure.has_nonideal;
}

}  // namespace noslip
