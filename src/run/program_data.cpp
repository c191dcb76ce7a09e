// From a system and the name of a method to kernels.
#include "run/program_data.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include <noslip/core/option_name.hpp>
#include <noslip/core/stopping.hpp>

#include "run/reference_start.hpp"
#include "run/start_order.hpp"
#include "tableau/legendre.hpp"

namespace noslip {

namespace {

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

std::shared_ptr<const Method> fitting_method(const System& system, const std::string& name) {
  std::shared_ptr<const Method> method = find_method(name);
  const std::string reason = method->why_not(system);
  if (reason.empty()) return method;
  throw InputError(fmt::format("method '{}' cannot integrate system '{}': {}", name, system.name(), reason));
}

template <class T>
Backend backend_for(Backend wanted) {
  if constexpr (std::is_same_v<T, double>) return wanted;
  if (wanted == Backend::jit) {
    throw InputError("machine code computes in double precision only",
                     "use " + option("backend", "auto") + ", or " + option("precision", "double"));
  }
  return Backend::interpreter;
}

/// Multipliers that are variables are given, or searched from those of the state (from `first` on); zero is as good a
/// guess as any where the problem has no solution.
template <class T>
void find_guesses(MotionSolver<T>& solver, const Offers& offers, std::size_t first, T t, std::span<const T> state,
                  std::span<T> accelerations, std::span<T> multipliers) {
  if (offers.given_multipliers) return;
  if (offers.multiplier_variables) {
    std::copy_n(state.begin() + static_cast<std::ptrdiff_t>(first), multipliers.size(), multipliers.begin());
  }
  solver.solve(t, state, accelerations, multipliers);
}

}  // namespace

bool operator==(const ProgramKey& a, const ProgramKey& b) {
  return &a.system.data() == &b.system.data() && a.options == b.options && a.looks_inside == b.looks_inside &&
         a.order_at == b.order_at;
}

template <class T>
bool ProgramData<T>::is_fused() const {
  const auto& solves = steps->plans.front().solves;
  return std::all_of(solves.begin(), solves.end(), [](const SolveProgram<T>& solve) { return solve.fused; });
}

template <class T>
bool ProgramData<T>::may_need_pivots() const {
  const StepPlan<T>& plan = steps->plans.front();
  return is_fused() && (!plan.solves.empty() || plan.is_watched);
}

template <class T>
ContinuousProblem<T> ProgramData<T>::problem() const {
  auto solver = std::make_shared<MotionSolver<T>>(continuous.template equations<T>());
  return [solver, offers = system.offers(), first = recipe.first_multiplier](
             T t, std::span<const T> state, std::span<const T> parameters, std::span<T> a, std::span<T> lambda) {
    solver->set_parameters(parameters);
    find_guesses(*solver, offers, first, t, state, a, lambda);
  };
}

template <class T>
void ProgramData<T>::complete(Start<T>& where, MotionSolver<T>& solver, std::vector<T>& accelerations,
                              std::vector<T>& multipliers) const {
  accelerations.assign(recipe.accelerations.size(), T(0));
  multipliers.assign(recipe.multipliers.size(), T(0));
  solver.set_parameters(where.parameters);
  find_guesses<T>(solver, system.offers(), recipe.first_multiplier, where.t, where.state, accelerations, multipliers);
  complete(where, accelerations, multipliers);
}

template <class T>
void ProgramData<T>::complete(Start<T>& where, std::vector<T>& accelerations, std::vector<T>& multipliers) const {
  accelerations.resize(recipe.accelerations.size());
  multipliers.resize(recipe.multipliers.size());
  if (system.offers().given_multipliers) {
    multipliers = {where.state.end() - static_cast<std::ptrdiff_t>(system.z().size()), where.state.end()};
  }
  where.state.resize(recipe.state.size(), T(0));
  carry(multipliers, [&](std::size_t i, T value) { where.state[i] = value; });
}

template <class T>
bool ProgramData<T>::carries_multipliers() const {
  const Offers& offers = system.offers();
  const std::size_t own = system.q().size() + system.v().size() + system.z().size() + (recipe.has_work ? 1 : 0);
  return !offers.given_multipliers && (offers.multiplier_variables || own < recipe.state.size());
}

template <class T>
bool ProgramData<T>::renew_multipliers(LaneStepper<T>& stepper, int lane, T t, MotionSolver<T>& solver,
                                       std::span<T> state, std::span<T> accelerations,
                                       std::span<T> multipliers) const {
  if (!carries_multipliers()) return false;
  const StopShield shield;  // this is part of a step
  stepper.copy_folded_state(lane, state);
  if (system.offers().multiplier_variables) {
    std::copy_n(state.begin() + static_cast<std::ptrdiff_t>(system.q().size() + system.v().size()), multipliers.size(),
                multipliers.begin());
  }
  if (!solver.solve(t, state, accelerations, multipliers)) return false;
  carry(multipliers, [&](std::size_t i, T value) { stepper.put(lane, static_cast<int>(i), value); });
  return true;
}

/// The numbers of a step from a state that only the system decides; none if there is no state to choose pivots at.
template <class T>
std::optional<StepStart> ProgramData<T>::reference() const {
  MotionSolver<T> solver(continuous.template equations<T>());
  StartCheck<T> check(start_functions);
  const auto start_at = [](const ReferenceStart& found) {
    return Start<T>{T(found.t),
                    {found.parameters.begin(), found.parameters.end()},
                    {found.state.begin(), found.state.end()}};
  };
  std::vector<T> accelerations(system.v().size()), multipliers(system.multiplier_names().size());
  const auto is_certain = [&](const ReferenceStart& at) {
    const Start<T> start = start_at(at);
    solver.set_parameters(start.parameters);
    return check.is_certain(solver, start.t, start.state, start.parameters, false, accelerations, multipliers);
  };
  const std::optional<ReferenceStart> found = reference_start(system, continuous, is_certain);
  if (!found) return std::nullopt;
  Start<T> start = start_at(*found);
  complete(start, solver, accelerations, multipliers);
  return step_start(start, reference_step, accelerations, multipliers);
}

template <class T>
ProgramData<T>::ProgramData(const ProgramKey& of)
    : key(of),
      method(fitting_method(system, key.options.method)),
      recipe(method->record(system)),
      continuous(system, usual_parameters(system)),
      start_functions(system),
      columns(row_columns(system)) {
  for (const Expr& multiplier : recipe.end_multipliers) has_end_multiplier.push_back(multiplier.graph != nullptr);
  std::vector<Expr> observed;
  if (key.looks_inside) inside = inside_recipe(recipe, observed);
  // What is eliminated beforehand is solved exactly, whatever the tolerance.
  const StepExtras extras{key.options.tolerance > 0, observed};
  const std::optional<StepStart> order_at = key.order_at ? key.order_at : reference();
  if (!order_at) return;
  const Backend backend = backend_for<T>(key.options.backend);
  steps = std::make_shared<StepProgram<T>>(recipe, *order_at, backend, key.options.lanes, extras);
  monitored = MonitorFunctions<T>(system, layout(), steps->is_machine_code ? Backend::automatic : Backend::interpreter,
                                  key.options.lanes);
  watched = WatchedFunctions<T>(system, steps->is_machine_code ? Backend::automatic : Backend::interpreter);
}

template struct ProgramData<double>;
template struct ProgramData<long double>;
template struct ProgramData<quad>;

}  // namespace noslip
