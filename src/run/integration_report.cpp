// What a run tells: rows, final values, warnings.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include <noslip/core/option_name.hpp>

#include "run/integration.hpp"

namespace noslip {

template <class T>
Sample Integration<T>::sample(T t) const {
  if (stopped_at_) return *stopped_at_;
  Sample sample;
  sample.t = static_cast<double>(t);
  const auto q = state_.begin(), v = q + position_count();
  sample.q.assign(q, v);
  sample.v.assign(v, v + static_cast<std::ptrdiff_t>(system_.v().size()));
  sample.multipliers = multipliers(sample);
  sample.energy = monitor_.energy();
  sample.work = monitor_.work();
  sample.max_constraint = monitor_.constraint_now();
  controls_.inputs().read(t, std::span<const T>(parameters_), sample.inputs);
  outputs_.add_to(sample, t, state_, parameters_);
  return sample;
}

/// Does the last step have all multipliers?
template <class T>
bool Integration<T>::all_are_own() const {
  const std::vector<bool>& own = setup_.program->has_end_multiplier;
  return !own_multipliers_.empty() && std::find(own.begin(), own.end(), false) == own.end();
}

/// Puts the method's own multipliers, where it has them, in the place of those of the continuous problem.
template <class T>
template <class Value>
void Integration<T>::put_own(std::vector<Value>& values) const {
  for (std::size_t r = 0; r < own_multipliers_.size(); ++r) {
    if (setup_.program->has_end_multiplier[r]) values[r] = static_cast<Value>(own_multipliers_[r]);
  }
}

/// The method's own, or where it has none (and at the start) those of the continuous problem.
template <class T>
std::vector<double> Integration<T>::multipliers(const Sample& sample) const {
  if (system_.multiplier_names().empty()) return {};
  if (all_are_own()) return {own_multipliers_.begin(), own_multipliers_.end()};
  if (system_.offers().given_multipliers) {
    const auto z = state_.begin() + position_count();
    return {z, z + static_cast<std::ptrdiff_t>(system_.z().size())};
  }
  // Where the equations of motion are well-conditioned, their solution has all digits at once.
  std::vector<T> accelerations(system_.v().size()), lambda(system_.multiplier_names().size());
  if (setup_.tools->check.can_solve(*setup_.solver, T(sample.t), seen(), accelerations, lambda)) {
    std::vector<double> values(lambda.begin(), lambda.end());
    put_own(values);
    return values;
  }
  std::vector<Problem> ignored;
  const auto q = seen().begin(), v = q + position_count();
  const auto z = v + static_cast<std::ptrdiff_t>(system_.v().size());
  const InitialState here{sample.t, {q, v}, {v, z}, {z, z + static_cast<std::ptrdiff_t>(system_.z().size())}};
  std::vector<double> values = continuous().evaluate(here, ignored).multipliers;
  values.resize(system_.multiplier_names().size(), std::numeric_limits<double>::quiet_NaN());
  put_own(values);
  return values;
}

/// The same, not rounded to double.
template <class T>
std::vector<quad> Integration<T>::multipliers_in_full(const std::vector<double>& rounded) {
  if (all_are_own()) return {own_multipliers_.begin(), own_multipliers_.end()};
  if (std::is_same_v<T, double>) return {rounded.begin(), rounded.end()};
  std::vector<T> accelerations(system_.v().size()), values(rounded.begin(), rounded.end());
  if (!setup_.solver->solve(t_, seen(), accelerations, values)) return {rounded.begin(), rounded.end()};
  put_own(values);
  return {values.begin(), values.end()};
}

template <class T>
void Integration<T>::store(T t) {
  stored_ = t;
  if (options_.sink) {
    options_.sink(sample(t));
  } else {
    trajectory_.samples.push_back(sample(t));
  }
}

template <class T>
void Integration<T>::describe() {
  const MethodTraits& traits = setup_.program->method->traits();
  trajectory_.about = {.system = system_.name(),
                       .method = traits.name,
                       .order = traits.order_on(system_),
                       .step = static_cast<double>(options_.step),
                       .backend = setup_.program->steps->backend(),
                       .precision = precision_of<T>,
                       .columns = setup_.program->columns,
                       .factors = system_.factors(),
                       .has_exact = !system_.exact().empty()};
  trajectory_.events = options_.events;
  trajectory_.last = sample(t_);
  const auto v = state_.begin() + position_count();
  trajectory_.last_quad = {quad(t_),
                           {state_.begin(), v},
                           {v, v + static_cast<std::ptrdiff_t>(system_.v().size())},
                           multipliers_in_full(trajectory_.last.multipliers)};
  monitor_.fill(trajectory_, system_);
  trajectory_.momenta = momenta();
  if (stopped_at_) end_at_event();
  if (starts_on_exact_) {
    trajectory_.error_at_end = static_cast<double>(monitor_.error(last_workspace().data(), t_));
  }
  const double steps = static_cast<double>(std::max(trajectory_.steps + (ends_inside_ ? 1 : 0), 1LL));
  trajectory_.solver = {static_cast<double>(stepper().total_iterations()) / steps, stepper().most_iterations()};
  trajectory_.warnings = setup_.warnings;
  const std::vector<Warning> of_events = between_ ? between_->warnings() : std::vector<Warning>();
  const std::vector<Warning> of_switches = switches_ ? switches_->warnings() : std::vector<Warning>();
  for (const std::vector<Warning>& some :
       {monitor_.warnings(), scrutiny_.conclude(trajectory_.balance), of_events, of_switches}) {
    trajectory_.warnings.insert(trajectory_.warnings.end(), some.begin(), some.end());
  }
  if (between_) describe_guards();
  if (trajectory_.warnings.size() < 2) return;
  std::stable_sort(trajectory_.warnings.begin(), trajectory_.warnings.end(),
                   [](const Warning& a, const Warning& b) { return a.t < b.t; });
}

template <class T>
void Integration<T>::describe_guards() {
  trajectory_.guards = between_->guards();
  std::string failed, unknown;
  double first_failed = std::numeric_limits<double>::infinity(), first_unknown = first_failed;
  const auto add = [](std::string& to, const GuardResult& guard, const char* what, double at, double& first) {
    to += fmt::format("{}guard '{}' {} t = {}", to.empty() ? "" : ", ", guard.text, what, to_short_text(at));
    first = std::min(first, at);
  };
  for (const GuardResult& guard : trajectory_.guards) {
    if (!guard.holds()) add(failed, guard, "fails at", guard.failed_at, first_failed);
    if (!std::isnan(guard.unknown_from)) add(unknown, guard, "has no value from", guard.unknown_from, first_unknown);
  }
  if (!failed.empty() && trajectory_.stops_at_guard) {
    trajectory_.warnings.push_back({"guards", failed + "; the run stops there", first_failed});
  } else if (!failed.empty()) {
    trajectory_.warnings.push_back({"guards",
                                    fmt::format("{}; from there on the system does not describe what happens, and {} "
                                                "stops there",
                                                failed, option("strict")),
                                    first_failed});
  } else if (!unknown.empty()) {
    trajectory_.warnings.push_back(
        {"guards", unknown + " on, where it cannot be checked; give it a value there", first_unknown});
  }
}

/// Final values are those of the last state, which may be no step.
template <class T>
void Integration<T>::end_at_event() {
  trajectory_.energy.final = stopped_at_->energy;
  trajectory_.balance.final = stopped_at_->energy - stopped_at_->work;
  std::vector<Expr> invariants;
  for (const auto& [name, expression] : system_.invariants()) invariants.push_back(expression);
  const StateFunctions<T> functions(system_, invariants, parameters_);
  const std::span<const T> values = functions(t_, state_);
  for (std::size_t i = 0; i < values.size(); ++i) trajectory_.invariants[i].final = static_cast<double>(values[i]);
}

template <class T>
std::vector<double> Integration<T>::momenta() const {
  setup_.tools->momenta.set(parameters_);
  const std::span<const T> p = setup_.tools->momenta(t_, seen());
  return {p.begin(), p.end()};
}

/// A workspace with the last good state, angles continuous (after a failure the stepper's own may hold a later one).
template <class T>
std::vector<T> Integration<T>::last_workspace() {
  const StepLayout& layout = setup_.layout();
  std::vector<T> workspace(stepper().workspace(), stepper().workspace() + layout.size);
  std::copy(state_.begin(), state_.end(), workspace.begin() + layout.state);
  return workspace;
}

#define NOSLIP_INSTANTIATE(T)                                                                  \
  template Sample Integration<T>::sample(T) const;                                             \
  template bool Integration<T>::all_are_own() const;                                           \
  template std::vector<double> Integration<T>::multipliers(const Sample&) const;               \
  template std::vector<quad> Integration<T>::multipliers_in_full(const std::vector<double>&);  \
  template void Integration<T>::store(T);                                                      \
  template void Integration<T>::describe_guards();                                             \
  template void Integration<T>::describe();                                                    \
  template void Integration<T>::end_at_event();                                                \
  template std::vector<double> Integration<T>::momenta() const;                                \
  template std::vector<T> Integration<T>::last_workspace();
NOSLIP_INSTANTIATE(double)
NOSLIP_INSTANTIATE(long double)
NOSLIP_INSTANTIATE(quad)
#undef NOSLIP_INSTANTIATE

}  // namespace noslip
