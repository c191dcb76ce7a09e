#include "run/exact.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include <noslip/exec/function.hpp>
#include <noslip/expr/derivative.hpp>

#include "model/equations_of_motion.hpp"
#include "model/state_blocks.hpp"

namespace noslip {
namespace {

/// The velocities with which q changes in time. Those of the body on a group: the columns of its frame are orthogonal.
std::vector<Expr> velocities_of(const System& system, const std::vector<Expr>& q, Expr t) {
  std::vector<Expr> rates;
  const std::span<const Expr> places = std::span(q).first(system.configuration().size());
  for (const Expr f : places) rates.push_back(derivative(f, t));
  if (!system.is_on_group()) return rates;
  const ExprMatrix frame = system.group().frame(places);
  std::vector<Expr> v = transposed_times(frame, rates);
  for (std::size_t a = 0; a < v.size(); ++a) {
    Expr square = frame[0][a] * frame[0][a];
    for (std::size_t i = 1; i < frame.size(); ++i) square = square + frame[i][a] * frame[i][a];
    v[a] = v[a] / square;
  }
  return v;
}

}  // namespace

struct ExactSolution::Data {
  System system;
  std::vector<quad> parameters;
  EquationsOfMotion<quad> equations;
  Function<quad> solution;  // of t; parameters: q; v; the multipliers that the table names
};

std::optional<ExactSolution> ExactSolution::of(const System& system, const Settings& settings) {
  // The derivatives live in a graph of their own: the system's may be in use by other threads.
  Graph graph;
  Substitution copy(graph);
  const ExprMatrix inputs{{copy(system.t())}, copy(parameter_symbols(system))};
  const auto named = [&](const std::vector<std::string>& names) {
    std::vector<Expr> result;
    for (const std::string& name : names) {
      for (const auto& [known, f] : system.exact()) {
        if (known == name) result.push_back(copy(f));
      }
    }
    return result;
  };
  const std::vector<Expr> q = named(system.coordinates()), multipliers = named(system.multiplier_names());
  // Velocities follow from the positions of a mechanical system; others are given like them.
  const bool follow = system.offers().lagrangian;
  const std::vector<Expr> z = follow ? std::vector<Expr>{} : named(system.velocity_names());
  if (q.size() != system.coordinates().size() || (!follow && z.size() != system.v().size())) return std::nullopt;

  ExactSolution solution;
  solution.data_ = std::make_shared<const Data>(
      Data{system, system.parameter_values_quad(settings), EquationsOfMotion<quad>(system),
           Function<quad>(inputs, {q, follow ? velocities_of(system, q, inputs[0][0]) : z, multipliers})});
  return solution;
}

QuadState ExactSolution::at(quad t, const std::vector<quad>& near) const {
  const Evaluation<quad> values = data_->solution({t, data_->parameters});
  const auto numbers = [&](std::size_t block) -> std::vector<quad> {
    return {values.output(block).begin(), values.output(block).end()};
  };
  QuadState state{t, numbers(0), numbers(1), numbers(2)};
  const std::size_t constraints = data_->system.multiplier_names().size();
  if (state.multipliers.size() != constraints) {
    std::vector<quad> here = state.q, accelerations(state.v.size());
    here.insert(here.end(), state.v.begin(), state.v.end());
    // Momenta that are part of the state are not known here; of several solutions one has to be near.
    const bool is_meant =
        !data_->system.has_implicit_momenta() && (data_->system.offers().lagrangian || near.size() == constraints);
    state.multipliers = near;
    state.multipliers.resize(constraints, quad(0));
    MotionSolver<quad> solver(data_->equations, data_->parameters);
    if (!is_meant || !solver.solve(t, here, accelerations, state.multipliers)) {
      state.multipliers.assign(constraints, std::numeric_limits<double>::quiet_NaN());
    }
  }
  return state;
}

bool ExactSolution::passes(const InitialState& state) const {
  constexpr double tolerance = 1e-10;
  const QuadState here = at(quad(state.t));
  const auto agree = [](const std::vector<quad>& exact, const std::vector<double>& given) {
    if (exact.size() != given.size()) return false;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const double value = static_cast<double>(exact[i]);
      if (!(std::fabs(value - given[i]) <= tolerance * std::fmax(1.0, std::fabs(value)))) return false;
    }
    return true;
  };
  return agree(here.q, state.q) && agree(here.v, state.v);
}

}  // namespace noslip
