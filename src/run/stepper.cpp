// A program, a state, and the time.
#include <noslip/run/stepper.hpp>

#include <algorithm>
#include <type_traits>

#include <fmt/format.h>

#include <noslip/core/default_arithmetic.hpp>

#include "run/input_names.hpp"
#include "run/step_arithmetic.hpp"
#include "run/stepper_data.hpp"

namespace noslip {

template <class T>
Stepper<T>::Stepper(Program<T> program, double step, const Settings& set) {
  const DefaultArithmetic arithmetic;
  const auto in_t = [](const std::vector<quad>& numbers) { return std::vector<T>(numbers.begin(), numbers.end()); };
  const std::vector<quad> values = program.system().parameter_values_quad(set);
  data_ = std::make_unique<StepperData<T>>(std::move(program), T(step), in_t(values));
  try {
    const InitialStateQuad initial = data_->system.initial_state_quad(values);
    const std::vector<T> q = in_t(initial.q), v = in_t(initial.v), z = in_t(initial.z);
    for (std::size_t l = 0; l < data_->lanes; ++l) data_->set_state(T(initial.t), q, v, z, static_cast<int>(l));
  } catch (const InputError& error) {
    data_->problem = error.problems();
  }
}
template <class T>
Stepper<T>::~Stepper() = default;
template <class T>
Stepper<T>::Stepper(Stepper&&) noexcept = default;
template <class T>
Stepper<T>& Stepper<T>::operator=(Stepper&&) noexcept = default;

template <class T>
const Program<T>& Stepper<T>::program() const {
  return data_->program;
}

template <class T>
void Stepper<T>::set_state(T t, std::span<const T> q, std::span<const T> v, std::span<const T> z, int lane) {
  const DefaultArithmetic arithmetic;
  data_->set_state(t, q, v, z, lane);
}

template <class T>
void Stepper<T>::set_state(const InitialState& state, int lane) {
  const DefaultArithmetic arithmetic;
  if constexpr (std::is_same_v<T, double>) {
    data_->set_state(state.t, state.q, state.v, state.z, lane);
  } else {
    std::vector<T>& given = data_->given;
    given.clear();
    for (const std::vector<double>* values : {&state.q, &state.v, &state.z}) {
      given.insert(given.end(), values->begin(), values->end());
    }
    const std::span<const T> all(given);
    const std::size_t v = state.q.size(), z = v + state.v.size();
    data_->set_state(T(state.t), all.first(v), all.subspan(v, state.v.size()), all.subspan(z), lane);
  }
}

template <class T>
void Stepper<T>::project_states(bool projects) {
  data_->projects = projects;
}

namespace {

[[noreturn]] void refuse_input(std::size_t input, std::size_t count) {
  throw InputError(fmt::format("there is no input {}", input), fmt::format("the system has {} inputs", count));
}

template <class T>
[[noreturn]] void refuse_number(T value, const char* what) {
  throw InputError(fmt::format("one of the {} is {}", what, to_text(static_cast<double>(value))),
                   "give finite numbers");
}

template <class T>
void require_numbers(std::span<const T> values, std::size_t wanted, const char* what) {
  if (values.size() != wanted) {
    throw InputError(fmt::format("{} values for {} {}", values.size(), wanted, what), "give one for each");
  }
  for (const T& value : values) {
    if (!is_finite(value)) refuse_number(value, what);
  }
}

}  // namespace

template <class T>
void Stepper<T>::set_parameters(std::span<const T> values, int lane) {
  const DefaultArithmetic arithmetic;
  data_->require_lane(lane);
  require_numbers(values, data_->parameter_count, "parameters");
  data_->set_parameters(values, static_cast<std::size_t>(lane));
}

template <class T>
void Stepper<T>::set_inputs(std::span<const T> values, int lane) {
  const DefaultArithmetic arithmetic;
  data_->require_lane(lane);
  require_numbers(values, data_->input_count, "inputs");
  if (data_->has_quick_inputs) {
    for (std::size_t i = 0; i < values.size(); ++i) data_->set_input(i, values[i], static_cast<std::size_t>(lane));
    return;
  }
  data_->change(static_cast<std::size_t>(lane), [&](std::span<T> all) {
    std::copy(values.begin(), values.end(), all.begin() + static_cast<std::ptrdiff_t>(data_->parameter_count));
  });
}

template <class T>
void Stepper<T>::set_input(std::size_t input, T value, int lane) {
  const StepArithmetic<T> arithmetic;
  data_->require_lane(lane);
  if (input >= data_->input_count) refuse_input(input, data_->input_count);
  if (!is_finite(value)) refuse_number(value, "inputs");
  data_->set_input(input, value, static_cast<std::size_t>(lane));
}

template <class T>
void Stepper<T>::set_input(std::string_view name, T value, int lane) {
  std::vector<Problem> problems;
  const std::size_t input = find_input(data_->system, name, problems);
  if (!problems.empty()) throw InputError(std::move(problems));
  set_input(input, value, lane);
}

template <class T>
void Stepper<T>::set_step(T h) {
  const DefaultArithmetic arithmetic;
  data_->set_step(h);
}

template <class T>
bool Stepper<T>::step() {
  const StepArithmetic<T> arithmetic;
  if (!data_->has_state) data_->require_state();
  return data_->step();
}

template <class T>
long long Stepper<T>::advance(long long steps) {
  const DefaultArithmetic arithmetic;
  data_->require_state();
  return data_->advance(steps);
}

template <class T>
T Stepper<T>::t() const {
  const StepArithmetic<T> arithmetic;
  return data_->time();
}
template <class T>
T Stepper<T>::step_size() const {
  const StepArithmetic<T> arithmetic;
  return data_->next_step();
}
template <class T>
bool Stepper<T>::divides_steps() const {
  return data_->has_divided;
}
template <class T>
long long Stepper<T>::steps() const {
  return data_->steps_since_set;
}

template <class T>
std::span<const T> Stepper<T>::q(int lane) const {
  const StepArithmetic<T> arithmetic;
  data_->require_lane(lane);
  return data_->part(lane, 0, data_->q_count);
}
template <class T>
std::span<const T> Stepper<T>::v(int lane) const {
  const StepArithmetic<T> arithmetic;
  data_->require_lane(lane);
  return data_->part(lane, data_->q_count, data_->v_count);
}
template <class T>
std::span<const T> Stepper<T>::z(int lane) const {
  const StepArithmetic<T> arithmetic;
  data_->require_lane(lane);
  return data_->part(lane, data_->q_count + data_->v_count, data_->z_count);
}
template <class T>
std::span<const T> Stepper<T>::parameters(int lane) const {
  data_->require_lane(lane);
  return std::span<const T>(data_->parameters[static_cast<std::size_t>(lane)]).first(data_->parameter_count);
}
template <class T>
std::span<const T> Stepper<T>::inputs(int lane) const {
  data_->require_lane(lane);
  return std::span<const T>(data_->parameters[static_cast<std::size_t>(lane)]).subspan(data_->parameter_count);
}

template <class T>
std::span<const T> Stepper<T>::multipliers(int lane) const {
  const DefaultArithmetic arithmetic;
  data_->require_lane(lane);
  data_->require_state();
  return data_->multipliers_in(lane);
}

template <class T>
T Stepper<T>::energy(int lane) const {
  const StepArithmetic<T> arithmetic;
  data_->require_lane(lane);
  data_->require_state();
  return data_->energy_in(static_cast<std::size_t>(lane));
}

template <class T>
T Stepper<T>::work(int lane) const {
  const StepArithmetic<T> arithmetic;
  data_->require_lane(lane);
  data_->require_state();
  const StepLayout& layout = data_->layout();
  const T own = layout.work_count > 0 ? data_->engine->state(lane, layout.solved_count()) : T(0);
  return own + data_->jumps[static_cast<std::size_t>(lane)];
}

template <class T>
T Stepper<T>::residual(int lane) const {
  const DefaultArithmetic arithmetic;
  data_->require_lane(lane);
  data_->require_state();
  data_->evaluate();
  const MonitorFunctions<T>& monitored = data_->data().monitored;
  T largest = 0;
  for (std::size_t r = 0; r < monitored.constraint_count; ++r) {
    const T size = size_of(data_->value(monitored.names.size() + r, static_cast<std::size_t>(lane)));
    largest = size <= largest ? largest : size;  // a NaN counts
  }
  return largest;
}

template <class T>
Outcome Stepper<T>::outcome(int lane) const {
  data_->require_lane(lane);
  if (!data_->problem.empty()) return {Status::failed, to_text(data_->problem.front())};
  if (!data_->what.empty()) {
    return {Status::failed,
            fmt::format("{} at t = {}", data_->what, to_short_text(static_cast<double>(data_->time())))};
  }
  if (!data_->engine || !data_->engine->failed(lane)) return {};
  const bool iterates = !data_->data().steps->is_explicit();
  return {Status::failed, fmt::format("{} at t = {} with step {}; try a smaller step",
                                      iterates ? "Newton did not converge" : "a value is not finite any more",
                                      to_short_text(static_cast<double>(data_->time())),
                                      to_short_text(static_cast<double>(step_size())))};
}

template <class T>
double Stepper<T>::iterations_mean() const {
  const DefaultArithmetic arithmetic;
  return data_->steps_made > 0 ? static_cast<double>(data_->iterations) / static_cast<double>(data_->steps_made) : 0;
}

template class Stepper<double>;
template class Stepper<long double>;
template class Stepper<quad>;

}  // namespace noslip
