// From the user's words to a stepper.
#include "run/setup.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include <noslip/core/option_name.hpp>

#include "tableau/legendre.hpp"

namespace noslip {

namespace {

template <class To, class From>
std::vector<To> converted(const std::vector<From>& values) {
  return {values.begin(), values.end()};
}

/// The state in pieces: q, v and z, as many as the system has of each.
InitialState in_pieces(const System& system, double t, const std::vector<double>& state) {
  const auto count = [](const std::vector<Expr>& symbols) { return static_cast<std::ptrdiff_t>(symbols.size()); };
  const auto q = state.begin(), v = q + count(system.q()), z = v + count(system.v());
  return {t, {q, v}, {v, z}, {z, z + count(system.z())}};
}

template <class T, class Given>
Start<T> in_one_piece(const Given& given) {
  Start<T> start;
  start.t = T(given.t);
  for (const auto& values : {given.q, given.v, given.z}) {
    start.state.insert(start.state.end(), values.begin(), values.end());
  }
  return start;
}

/// Momenta that are part of the state may be left out where velocities are given.
InitialStateQuad with_momenta(const System& system, InitialStateQuad initial, const std::vector<quad>& parameters) {
  if (!system.has_implicit_momenta() || !initial.z.empty() || initial.v.size() != system.v().size()) return initial;
  initial.z.resize(system.z().size());
  Settings velocities;
  for (std::size_t i = 0; i < initial.v.size(); ++i) velocities[system.v()[i].name()] = initial.v[i];
  return system.with_initial(std::move(initial), velocities, parameters);
}

template <class T>
Start<T> find_start(const System& system, const InitialState* initial, const Settings& set, const Settings& init) {
  auto start = in_one_piece<T>(given_start(system, initial, set, init));
  start.parameters = converted<T>(system.parameter_values_quad(set));
  return start;
}

/// Lagrange's polynomials on the nodes, each as a sum of Legendre's, which stay well conditioned for many nodes.
std::vector<std::vector<quad>> in_legendre_polynomials(const std::vector<quad>& nodes) {
  std::vector<std::vector<quad>> values;
  for (const quad node : nodes) values.push_back(legendre(static_cast<int>(nodes.size()) - 1, 2 * node - 1));
  const std::vector<std::vector<quad>> inverse = inverse_matrix(values);
  std::vector<std::vector<quad>> result(nodes.size());
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    for (const std::vector<quad>& row : inverse) result[j].push_back(row[j]);
  }
  return result;
}

InsideRecipe inside_recipe(const StepRecipe& recipe, std::vector<Expr>& observed) {
  InsideRecipe inside;
  inside.moves_velocities = recipe.moves_velocities;
  for (const auto* polynomials : {&recipe.positions_inside, &recipe.momenta_inside}) {
    for (const StepPolynomial& polynomial : *polynomials) {
      inside.parts.push_back({polynomials == &recipe.positions_inside, static_cast<int>(observed.size()),
                              static_cast<int>(polynomial.changes.front().size()),
                              in_legendre_polynomials(polynomial.nodes)});
      for (const std::vector<Expr>& changes : polynomial.changes) {
        observed.insert(observed.end(), changes.begin(), changes.end());
      }
    }
  }
  return inside;
}

}  // namespace

InitialStateQuad given_start(const System& system, const InitialState* initial, const Settings& set,
                             const Settings& init) {
  const std::vector<quad> parameters = system.parameter_values_quad(set);
  InitialStateQuad start =
      initial != nullptr ? with_momenta(system, to_quad(*initial), parameters) : system.initial_state_quad(parameters);
  system.require_shape(start.q.size(), start.v.size(), start.z.size());
  return init.empty() ? start : system.with_initial(std::move(start), init, parameters);
}

template <class T>
void RunSetup<T>::make_consistent(Start<T>& where, std::vector<Warning>* announced) const {
  const std::vector<double> given = converted<double>(where.state);
  InitialState state_in_double = in_pieces(system_, static_cast<double>(where.t), given);
  if (project_) {
    state_in_double = continuous->project(state_in_double);
    const std::vector<double> moved = in_one_piece<double>(state_in_double).state;
    for (std::size_t i = 0; i < moved.size(); ++i) {
      // What did not have to move keeps the digits that a double has not.
      if (std::fabs(moved[i] - given[i]) > 4e-16 * std::fabs(moved[i])) where.state[i] = T(moved[i]);
    }
  }
  const ContinuousState at_start = continuous->require_consistent(state_in_double);
  if (announced == nullptr) return;
  if (auto warning = condition_warning(at_start, state_in_double.t, static_cast<double>(epsilon<T>()))) {
    announced->push_back(std::move(*warning));
  }
}

template <class T>
void RunSetup<T>::complete(Start<T>& where, std::vector<T>& accelerations, std::vector<T>& multipliers) const {
  accelerations.assign(acceleration_count_, T(0));
  multipliers.assign(multiplier_count_, T(0));
  problem(where.t, where.state, accelerations, multipliers);
  const auto own = where.state.end() - static_cast<std::ptrdiff_t>(system_.z().size());
  const Offers& offers = system_.offers();
  if (offers.given_multipliers) {
    multipliers = {own, where.state.end()};
  } else if (offers.multiplier_variables) {
    std::copy(multipliers.begin(), multipliers.end(), own);
  }
  while (where.state.size() + (has_work_ ? 1 : 0) < state_count_) {  // the method carries multipliers
    where.state.insert(where.state.end(), multipliers.begin(), multipliers.end());
  }
  if (has_work_) where.state.push_back(0);
}

template <class T>
std::vector<T> RunSetup<T>::state_at(const InitialState& initial, std::vector<Warning>* announced) const {
  Start<T> where = find_start<T>(system_, &initial, set_, init_);
  make_consistent(where, announced);
  std::vector<T> accelerations, multipliers;
  complete(where, accelerations, multipliers);
  return where.state;
}

template <class T>
RunSetup<T>::RunSetup(const System& system, const InitialState* initial, const RunOptions& options, int lanes,
                      int extra_slots, bool looks_inside)
    : system_(system), set_(options.set), init_(options.init), project_(options.project) {
  method = find_method(options.method);
  if (const std::string reason = method->why_not(system); !reason.empty()) {
    throw InputError(
        fmt::format("method '{}' cannot integrate system '{}': {}", options.method, system.name(), reason));
  }
  start = find_start<T>(system, initial, options.set, options.init);
  continuous = std::make_shared<Continuous>(system, converted<double>(start.parameters));
  make_consistent(start, &warnings);

  recipe = method->record(system);
  for (const Expr& multiplier : recipe.end_multipliers) has_end_multiplier.push_back(multiplier.graph != nullptr);
  state_count_ = recipe.state.size();
  acceleration_count_ = recipe.accelerations.size();
  multiplier_count_ = recipe.multipliers.size();
  has_work_ = recipe.has_work;
  solver = std::make_shared<MotionSolver<T>>(continuous->template equations<T>(), start.parameters);
  // Multipliers that are variables are given, or searched from those of the state; zero is as good a guess as any where
  // the problem has no solution.
  problem = [solver = solver, offers = system.offers(), first_multiplier = recipe.first_multiplier](
                T time, std::span<const T> state, std::span<T> a, std::span<T> lambda) {
    if (offers.given_multipliers) return;
    if (offers.multiplier_variables) {
      std::copy_n(state.begin() + first_multiplier, lambda.size(), lambda.begin());
    }
    solver->solve(time, state, a, lambda);
  };
  std::vector<T> accelerations, multipliers;
  complete(start, accelerations, multipliers);
  const StepStart numbers{static_cast<double>(start.t),        static_cast<double>(options.step),
                          converted<double>(start.parameters), converted<double>(start.state),
                          converted<double>(accelerations),    converted<double>(multipliers)};
  Backend backend = options.backend;
  if constexpr (!std::is_same_v<T, double>) {
    if (backend == Backend::jit) {
      throw InputError("machine code computes in double precision only",
                       "use " + option("backend", "auto") + ", or " + option("precision", "double"));
    }
    backend = Backend::interpreter;
  }
  // What is eliminated beforehand is solved exactly, whatever the tolerance.
  StepExtras extras{extra_slots, options.tolerance > 0, {}};
  std::vector<Expr> observed;
  if (looks_inside && options.between == Between::polynomial) inside = inside_recipe(recipe, observed);
  extras.observed = observed;
  program = std::make_shared<StepProgram<T>>(recipe, numbers, backend, lanes, extras);
  stepper = std::make_unique<Stepper<T>>(program, problem, options.tolerance);
  stepper->set_parameters(start.parameters);
  for (int l = 0; l < lanes; ++l) stepper->set_state(l, start.state);
}

template struct RunSetup<double>;
template struct RunSetup<long double>;
template struct RunSetup<quad>;

}  // namespace noslip
