// Polynomials of the step, or a step that ends inside.
#include "run/inside_step.hpp"

#include <algorithm>

namespace noslip {

namespace {

constexpr double units_that_are_no_step = 64;  // of a time

}  // namespace

template <class T>
InsideStep<T>::InsideStep(const System& system, const RunSetup<T>& setup)
    : moves_velocities_(setup.program->inside.moves_velocities),
      state_count_(setup.start.state.size()),
      q_count_(system.q().size()),
      v_count_(system.v().size()),
      multiplier_count_(system.offers().multiplier_variables ? system.z().size() : 0),
      newton_(system.v().size()) {
  std::size_t most_nodes = 0;
  for (const InsideRecipe::Part& part : setup.program->inside.parts) {
    parts_.push_back(
        {part.is_of_positions, static_cast<std::size_t>(part.first), static_cast<std::size_t>(part.variables), {}});
    for (const std::vector<quad>& row : part.legendre) parts_.back().legendre.emplace_back(row.begin(), row.end());
    most_nodes = std::max(most_nodes, part.legendre.size());
  }
  integrals_.resize(most_nodes + 1);
  p_.resize(v_count_);
  const bool has_work = setup.layout().work_count > 0;
  if (has_work && !parts_.empty()) energy_.emplace(setup.program->monitored.energy, setup.start.parameters);
  if (parts_.empty()) {
    stepper_ = setup.new_stepper();
  } else if (!moves_velocities_ && v_count_ > 0) {
    std::vector<Expr> outputs = system.momenta();
    const std::vector<Expr> mass = values_of(system.mass());
    outputs.insert(outputs.end(), mass.begin(), mass.end());
    momenta_.emplace(system, outputs, setup.start.parameters);
    mass_.emplace(static_cast<int>(v_count_), places_of(system.mass()));
  }
}

template <class T>
void InsideStep<T>::set_parameters(std::span<const T> parameters) {
  if (stepper_) stepper_->set_parameters(parameters);
  if (momenta_) momenta_->set(parameters);
  if (energy_) energy_->set(parameters);
}

template <class T>
bool InsideStep<T>::at(const StepView<T>& step, T theta, std::span<T> state) {
  if (!find(step, theta, state)) return false;
  if (energy_ && theta != 0 && theta != 1) state[state_count_ - 1] = work_at(step, theta, state);
  return true;
}

template <class T>
bool InsideStep<T>::find(const StepView<T>& step, T theta, std::span<T> state) {
  if (theta == 0 || theta == 1) {
    std::copy_n((theta == 0 ? step.before : step.after).begin(), state_count_, state.begin());
    return true;
  }
  return stepper_ ? by_step(step, theta, state) : by_polynomial(step, theta, state);
}

template <class T>
bool InsideStep<T>::by_step(const StepView<T>& step, T theta, std::span<T> state) {
  const T rounding = T(units_that_are_no_step) * epsilon<T>() * std::max(size_of(step.t), size_of(step.end));
  if (theta * step.h <= rounding) {
    std::copy_n(step.before.begin(), state_count_, state.begin());
    return true;
  }
  stepper_->set_state(0, step.before);
  if (!stepper_->step(step.t, theta * step.h)) {
    // Rounding errors, divided by a short step, may leave it without a solution: then a step back from the end.
    stepper_->set_state(0, step.after);
    if (!stepper_->step(step.end, (theta - 1) * step.h)) return false;
  }
  stepper_->copy_state(0, state);
  // Multipliers of a short step are rounding errors, divided by it: a search for them begins between the ends.
  for (std::size_t i = q_count_ + v_count_; i < q_count_ + v_count_ + multiplier_count_; ++i) {
    state[i] = step.before[i] + theta * (step.after[i] - step.before[i]);
  }
  return true;
}

template <class T>
bool InsideStep<T>::after(T t, std::span<const T> before, T time, std::span<T> state) {
  if (!stepper_) return false;
  stepper_->set_state(0, before);
  if (!stepper_->step(t, time)) return false;
  stepper_->copy_state(0, state);
  std::copy_n(before.begin() + static_cast<std::ptrdiff_t>(q_count_ + v_count_), multiplier_count_,
              state.begin() + static_cast<std::ptrdiff_t>(q_count_ + v_count_));
  return true;
}

/// From the balance E - W, which a step changes by its error only: inside a step it changes evenly.
template <class T>
T InsideStep<T>::work_at(const StepView<T>& step, T theta, std::span<const T> state) const {
  const auto balance = [&](T t, std::span<const T> at) { return (*energy_)(t, at)[0] - at[state_count_ - 1]; };
  const T before = balance(step.t, step.before), after = balance(step.end, step.after);
  return (*energy_)(step.time(theta), state)[0] - (before + theta * (after - before));
}

/// int_0^theta P_k(2 s - 1) ds = (P_(k+1) - P_(k-1))/(2 (2k + 1)), and theta for k = 0.
template <class T>
void InsideStep<T>::integrate_legendre(T theta) {
  const T x = 2 * theta - 1;
  T before = 1, here = x;  // P_(k-1), P_k
  integrals_[0] = theta;
  for (std::size_t k = 1; k < integrals_.size(); ++k) {
    const T next = (T(2 * k + 1) * x * here - T(k) * before) / T(k + 1);
    integrals_[k] = (next - before) / T(2 * (2 * k + 1));
    before = here;
    here = next;
  }
}

template <class T>
void InsideStep<T>::add(const Part& part, const StepView<T>& step, std::span<T> to) const {
  for (std::size_t j = 0; j < part.legendre.size(); ++j) {
    T weight = 0;
    for (std::size_t k = part.legendre[j].size(); k-- > 0;) weight += part.legendre[j][k] * integrals_[k];
    const auto changes = step.observed.subspan(part.first + j * part.variables, part.variables);
    for (std::size_t i = 0; i < part.variables; ++i) to[i] += weight * changes[i];
  }
}

template <class T>
bool InsideStep<T>::by_polynomial(const StepView<T>& step, T theta, std::span<T> state) {
  // What has no polynomial (the z of a dae2 system, carried multipliers) is where a search for it may begin.
  for (std::size_t i = 0; i < state_count_; ++i) {
    state[i] = step.before[i] + (i < q_count_ ? T(0) : theta * (step.after[i] - step.before[i]));
  }
  integrate_legendre(theta);
  const std::span<T> v = state.subspan(q_count_, v_count_);
  if (moves_velocities_) {
    std::copy_n(step.before.begin() + static_cast<std::ptrdiff_t>(q_count_), v_count_, v.begin());
  } else if (momenta_) {
    std::copy_n((*momenta_)(step.t, step.before).begin(), v_count_, p_.begin());
  }
  for (const Part& part : parts_) {
    add(part, step, part.is_of_positions ? state.first(q_count_) : moves_velocities_ ? v : std::span<T>(p_));
  }
  return !momenta_ || find_velocities(step.time(theta), state);
}

/// p(t, q, v) = p_ for v, which is part of the state.
template <class T>
struct InsideStep<T>::VelocityEquations {
  InsideStep& inside;
  T t;
  std::span<const T> state;

  bool correct(std::span<const T>, std::span<T> dv) {
    const std::size_t n = dv.size();
    const std::span<const T> values = (*inside.momenta_)(t, state);
    LinearSolver<T>& mass = *inside.mass_;
    for (std::size_t i = 0; i < n; ++i) dv[i] = values[i] - inside.p_[i];
    std::copy(values.begin() + static_cast<std::ptrdiff_t>(n), values.end(), mass.entries().begin());
    mass.factorise();
    mass.solve(dv);
    return true;
  }
};

template <class T>
bool InsideStep<T>::find_velocities(T t, std::span<T> state) {
  mass_->forget_order();  // a state inside a step depends on nothing but the step
  VelocityEquations equations{*this, t, state};
  NewtonOptions<T> options;
  options.tiny = 4 * epsilon<T>();
  options.small = T(1e6) * epsilon<T>();
  return newton_(state.subspan(q_count_, v_count_), equations, options).has_converged();
}

template class InsideStep<double>;
template class InsideStep<long double>;
template class InsideStep<quad>;

}  // namespace noslip
