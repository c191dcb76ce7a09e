// What EventWatch evaluates: expressions of events and guards, and functions in C++.
#include <algorithm>
#include <limits>

#include "run/event_watch.hpp"

namespace noslip {

namespace {

/// Units in the last place by which a number of a state may be off: actions compute in double.
constexpr double units_of_states = 4;

}  // namespace

template <class T>
std::span<const T> EventWatch<T>::evaluate(T t, std::span<const T> state) {
  const std::span<const T> of_texts = evaluate_texts(t, state);
  const auto has_function = [](const Watched& watched) { return static_cast<bool>(watched.event.function); };
  if (std::none_of(events_.begin(), events_.end(), has_function)) return of_texts;
  const auto q = state.begin(), v = q + static_cast<std::ptrdiff_t>(q_count_);
  q_.assign(q, v);
  v_.assign(v, v + static_cast<std::ptrdiff_t>(v_count_));
  if (of_texts.data() != all_.data()) all_.assign(of_texts.begin(), of_texts.end());
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (events_[i].event.function) all_[i] = T(events_[i].event.function(static_cast<double>(t), q_, v_));
  }
  return all_;
}

template <class T>
std::span<const T> EventWatch<T>::evaluate_texts(T t, std::span<const T> state) {
  std::span<const T> seen = state;
  if (multipliers_ && are_state_) {
    seen_.assign(state.begin(), state.end());
    const auto carried = seen_.begin() + static_cast<std::ptrdiff_t>(first_multiplier_);
    std::copy_n(carried, lambda_.size(), lambda_.begin());
    if (multipliers_->solve(t, state, accelerations_, lambda_)) std::copy(lambda_.begin(), lambda_.end(), carried);
    seen = seen_;
  } else if (multipliers_ && !multipliers_->solve(t, state, accelerations_, lambda_)) {
    std::fill(lambda_.begin(), lambda_.end(), T(std::numeric_limits<double>::quiet_NaN()));
  }
  const auto values_of = [&](const StateFunctions<T>& functions) {
    return are_state_ ? functions(t, seen) : functions(t, seen, lambda_);
  };
  const std::span<const T> values = values_of(functions_);
  if (!margins_) return values;
  all_.assign(values.begin(), values.end());
  const std::span<const T> margins = values_of(*margins_);
  all_.insert(all_.end(), margins.begin(), margins.end());
  return all_;
}

template <class T>
void EventWatch<T>::set_parameters(std::span<const T> parameters) {
  functions_.set(parameters);
  if (margins_) margins_->set(parameters);
}

template <class T>
T EventWatch<T>::rounding(std::size_t number, T t, std::span<const T> state) {
  const T part = T(units_of_states * std::numeric_limits<double>::epsilon());
  const T value = evaluate(t, state)[number];
  T sum = size_of(evaluate(t + part * t, state)[number] - value);
  state_.assign(state.begin(), state.end());
  for (std::size_t i = 0; i < q_count_ + v_count_; ++i) {
    state_[i] += part * state[i];
    const T change = size_of(evaluate(t, state_)[number] - value);
    if (is_finite(change)) sum += change;
    state_[i] = state[i];
  }
  return sum;
}

#define NOSLIP_INSTANTIATE(T)                                                       \
  template std::span<const T> EventWatch<T>::evaluate(T, std::span<const T>);       \
  template std::span<const T> EventWatch<T>::evaluate_texts(T, std::span<const T>); \
  template void EventWatch<T>::set_parameters(std::span<const T>);                  \
  template T EventWatch<T>::rounding(std::size_t, T, std::span<const T>);
NOSLIP_INSTANTIATE(double)
NOSLIP_INSTANTIATE(long double)
NOSLIP_INSTANTIATE(quad)
#undef NOSLIP_INSTANTIATE

}  // namespace noslip
