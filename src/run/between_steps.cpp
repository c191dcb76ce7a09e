// Hands every step to those who look inside.
#include "run/between_steps.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace noslip {

namespace {

/// `jumps`: the work of changes between the steps.
template <class T>
Sample sample_at(const System& system, const Continuous& continuous, const InputPlaces& inputs, T t,
                 std::span<const T> state, std::span<const T> parameters, T jumps, WatchedOutputs<T>& outputs) {
  const auto q = state.begin(), v = q + static_cast<std::ptrdiff_t>(system.q().size());
  const auto z = v + static_cast<std::ptrdiff_t>(system.v().size());
  const InitialState here{
      static_cast<double>(t), {q, v}, {v, z}, {z, z + static_cast<std::ptrdiff_t>(system.z().size())}};
  std::vector<Problem> ignored;
  const ContinuousState values = continuous.evaluate(here, ignored);
  // The work is the last of the state.
  const auto work = static_cast<double>(jumps + (system.structure().does_work ? state.back() : T(0)));
  Sample sample{here.t, here.q, here.v, values.multipliers, values.energy, values.max_constraint, work};
  sample.multipliers.resize(system.multiplier_names().size(), std::numeric_limits<double>::quiet_NaN());
  inputs.read(t, parameters, sample.inputs);
  outputs.add_to(sample, t, state, parameters);
  return sample;
}

}  // namespace

template <class T>
Sample BetweenSteps<T>::sample(T t, std::span<const T> state) const {
  return sample_at<T>(system_, continuous_, inputs_, t, state, parameters_, jumps_, outputs_);
}

template <class T>
BetweenSteps<T>::BetweenSteps(const System& system, const RunSetup<T>& setup, const RunOptions& options, T end,
                              InputPlaces inputs, Trajectory& trajectory)
    : system_(system),
      continuous_(setup.continuous()),
      outputs_(system, setup.program->watched),
      options_(options),
      inputs_(std::move(inputs)),
      parameters_(setup.start.parameters),
      trajectory_(trajectory),
      inside_(system, setup),
      watch_(system, setup, options),
      order_(options.at.size()),
      end_(end),
      state_(setup.start.state.size()) {
  std::vector<Problem> problems;
  const T rounding = T(32 * std::numeric_limits<double>::epsilon()) * std::max(end < 0 ? -end : end, T(options.step));
  for (const quad asked : options.at) {
    if (T(asked) >= setup.start.t && T(asked) <= end + rounding) continue;
    problems.push_back({fmt::format("time {} is outside of the run", to_text(static_cast<double>(asked))),
                        {},
                        fmt::format("it goes from {} to {}", to_text(static_cast<double>(setup.start.t)),
                                    to_text(static_cast<double>(end)))});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return options.at[a] < options.at[b]; });
  trajectory_.values.resize(order_.size());
  if (!options.dense) return;
  const auto to_sample = [system, continuous = setup.continuous(), places = inputs_, watched = setup.program->watched](
                             T t, std::span<const T> state, std::span<const T> parameters, T jumps) {
    const Continuous here = continuous.with_parameters({parameters.begin(), parameters.end()});
    WatchedOutputs<T> outputs(system, watched);
    return sample_at(system, here, places, t, state, parameters, jumps, outputs);
  };
  kept_ = std::make_shared<KeptSteps<T>>(setup.start.t, setup.start.state, setup.start.parameters,
                                         InsideStep<T>(system, setup), to_sample);
  trajectory_.dense = kept_;
}

template <class T>
void BetweenSteps<T>::start(T t, std::span<const T> state, std::span<const T> parameters) {
  use(parameters, 0);
  if (watch_.has_something()) watch_.start(t, state, parameters);
  if (kept_) kept_->restart(t, state, parameters, 0, false);
  visit(t, state);
}

template <class T>
void BetweenSteps<T>::visit(T t, std::span<const T> state) {
  for (; next_ < order_.size() && time(order_[next_]) <= t; ++next_) {
    trajectory_.values[order_[next_]] = sample(t, state);
  }
}

template <class T>
bool BetweenSteps<T>::visit_times(const StepView<T>& step, T end, bool waits) {
  for (; next_ < order_.size() && time(order_[next_]) <= end; ++next_) {
    const T t = time(order_[next_]);
    if (waits && t == end) break;
    const T theta = t >= step.end ? T(1) : std::max(T(0), std::min((t - step.t) / step.h, T(1)));
    if (!inside_.at(step, theta, state_)) return false;
    trajectory_.values[order_[next_]] = sample(t, state_);
  }
  return true;
}

template <class T>
void BetweenSteps<T>::tell_events() {
  for (const auto& found : watch_.found()) {
    if (watch_.is_guard(found)) continue;
    EventHit hit{found.event, found.number, found.direction, sample(found.t, found.state)};
    if (options_.event_sink) {
      options_.event_sink(hit);
    } else {
      trajectory_.hits.push_back(std::move(hit));
    }
  }
}

template <class T>
typename BetweenSteps<T>::Verdict BetweenSteps<T>::take(const StepView<T>& step, bool waits, bool is_break) {
  T end = step.end;
  bool stops = false;
  if (watch_.has_something()) {
    if (!watch_.look(step, inside_, is_break)) return Verdict::fails;
    tell_events();
    stops = watch_.end() != nullptr;
    if (stops) end = watch_.end()->t;
  }
  if (!visit_times(step, end, waits && !stops)) return Verdict::fails;
  if (kept_) {
    kept_->add(step);
    if (stops) kept_->cut(end);
  }
  return !stops ? Verdict::goes_on : acts() ? Verdict::acts : Verdict::stops;
}

template <class T>
bool BetweenSteps<T>::acts_again(T t, std::span<const T> state) {
  watch_.look_again({t, T(options_.step), t, state, state, {}}, inside_);
  tell_events();
  return watch_.acts();
}

template <class T>
void BetweenSteps<T>::restart(T t, std::span<const T> state, std::span<const T> parameters, T jumps, bool has_moved) {
  use(parameters, jumps);
  if (watch_.has_something()) watch_.restart(t, state, parameters);
  if (kept_) kept_->restart(t, state, parameters, jumps, has_moved);
}

template <class T>
void BetweenSteps<T>::change_inputs(T t, std::span<const T> state, std::span<const T> parameters, T jumps) {
  use(parameters, jumps);
  if (kept_) kept_->restart(t, state, parameters, jumps, false);
  if (!watch_.has_something()) return;
  watch_.jump(t, state, parameters);
  tell_events();
}

template <class T>
void BetweenSteps<T>::use(std::span<const T> parameters, T jumps) {
  parameters_.assign(parameters.begin(), parameters.end());
  jumps_ = jumps;
  continuous_ = continuous_.with_parameters({parameters.begin(), parameters.end()});
  inside_.set_parameters(parameters);
}

template <class T>
void BetweenSteps<T>::finish(T t) {
  if (watch_.has_something() && stop() == nullptr) {
    watch_.finish(t);
    tell_events();
  }
  // What the run has not reached has no value.
  std::vector<bool> is_reached(order_.size(), false);
  for (std::size_t i = 0; i < next_; ++i) is_reached[order_[i]] = true;
  std::vector<Sample> reached;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    if (is_reached[i]) reached.push_back(std::move(trajectory_.values[i]));
  }
  trajectory_.values = std::move(reached);
}

template <class T>
void BetweenSteps<T>::carry(Archive& archive) {
  archive.fixed(parameters_);
  archive(jumps_, next_);
  require_saved(next_ <= order_.size());
  if (archive.loads()) use(std::vector<T>(parameters_), jumps_);
  watch_.carry(archive, parameters_);
  archive.fixed(trajectory_.values);
  archive(trajectory_.hits);
  if (kept_) archive(*kept_);
}

template class BetweenSteps<double>;
template class BetweenSteps<long double>;
template class BetweenSteps<quad>;

}  // namespace noslip
