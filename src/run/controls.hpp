// What changes the inputs of a system while it moves: series of values, the controller of the system file, controllers
// in C++.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <noslip/core/bytes.hpp>
#include <noslip/exec/function.hpp>
#include <noslip/model/sampled.hpp>
#include <noslip/run/control.hpp>

namespace noslip {

/// Where the inputs of a system as it was given are among the constants of a step. One that is linear in time has three
/// places there (with_linear_inputs): the value, the rate, and since when.
struct InputPlaces {
  std::vector<std::size_t> first;
  std::vector<bool> is_linear;

  InputPlaces(const System& system, const Control& control);
  /// Their values at this time.
  template <class T>
  void read(T t, std::span<const T> parameters, std::vector<double>& values) const {
    values.resize(first.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
      const T* const at = &parameters[first[i]];
      values[i] = static_cast<double>(is_linear[i] ? at[0] + at[1] * (t - at[2]) : at[0]);
    }
  }
  /// One of them is held from now on, until somebody changes it.
  template <class T>
  void hold(std::size_t input, T value, std::span<T> parameters) const {
    parameters[first[input]] = value;
    if (is_linear[input]) parameters[first[input] + 1] = T(0);
  }
};

/// Things happen at certain times only, and steps begin there: nothing changes inside of a step. One object per run.
template <class T>
class Controls {
 public:
  /// `system`: with linear inputs where the control has some, which has been checked (Control::check). `parameters`:
  /// values of System::step_constants().
  Controls(const System& system, const Control& control, T t0, std::span<const T> parameters);

  /// From t0 on, with samples as at the start of a run. InputError for times of [sampled] that make no sense, and for
  /// samples that t0 is too large to tell apart; nothing has changed then. Allocates nothing while the parameters are
  /// those of the last time.
  void restart(T t0, std::span<const T> parameters);
  /// The system has other parameters from now on. If the times of [sampled] depend on them, the next sample is taken
  /// when it was due; from there on the new times hold. InputError as for restart().
  void follow(std::span<const T> parameters);

  bool is_empty() const { return clocks_.empty() && series_.empty(); }
  /// The first time after t at which something happens; infinity if nothing does.
  T next(T t) const;
  bool is_due(T t) const;  ///< does something happen at t?
  /// Does what is due at t, where the system has this state (q, v, ...; angles continuous). Writes the inputs among
  /// `parameters`; true if one has changed. Allocates nothing.
  bool act(T t, std::span<const T> state, std::span<T> parameters);
  /// Does it come before the other time, by more than rounding?
  bool is_before(T change, T end) const { return change + rounding(end) < end; }
  const InputPlaces& inputs() const { return places_; }
  /// The first input that is not finite, in a sentence; empty if all are.
  std::string what_is_not_finite(std::span<const T> parameters) const;

  void save(ByteWriter& to) const;
  void load(ByteReader& from, T t);  ///< of a stepper that has come to t

 private:
  /// Samples at begin, begin + every, ...
  struct Clock {
    T every = 0, delay = 0, begin = 0;
    long long samples = 0;  ///< so far
    std::function<void(double, std::span<const double>, std::span<const double>, std::span<double>)> function;
    std::vector<bool> gives;  ///< which of the inputs
    struct Computed {
      T at = 0;  ///< when they act
      std::vector<T> inputs;
    };
    /// Computed, and not acting yet: a ring, from `first` on.
    std::vector<Computed> ring = {};
    std::size_t first = 0, waiting = 0;
    Computed& entry(std::size_t i) { return ring[(first + i) % ring.size()]; }
    const Computed& entry(std::size_t i) const { return ring[(first + i) % ring.size()]; }
  };
  struct Series {
    std::size_t first = 0;  ///< among the parameters: the value; of a linear one also the rate, and since when
    bool is_linear = false;
    std::vector<T> times, values;
    std::size_t next = 0;  ///< entry that comes next
  };

  T rounding(T t) const;
  T sample_time(const Clock& clock) const { return clock.begin + T(clock.samples) * clock.every; }
  void compute(Clock& clock, T t, std::span<const T> state, std::span<const T> parameters, std::span<T> inputs);
  /// Has something changed that the times of [sampled], or the values before its first sample, depend on?
  bool has_other_times(std::span<const T> parameters) const;
  void use(const SampledTimes& times, std::span<const T> parameters);
  void make_room(Clock& clock) const;
  /// Behind those that wait.
  typename Clock::Computed& free_entry(Clock& clock) const;
  void put(const Series& series, std::size_t entry, std::span<T> parameters) const;

  System system_;
  InputPlaces places_;
  std::size_t first_input_, q_count_, v_count_, input_count_;
  T t0_;
  std::vector<Clock> clocks_;             ///< the first is that of the system file, where it has one
  std::optional<Evaluation<T>> sampled_;  ///< of t; state; parameters; last values: the values now
  std::vector<int> sampled_inputs_;       ///< by value; -1: none
  std::vector<T> last_, first_;  ///< values of the last sample, and before the first
  std::vector<std::size_t> times_depend_on_;  ///< parameters and inputs, by place
  std::vector<T> times_at_;                   ///< values of all at which the times were found; empty: not known
  bool has_acted_ = false;                    ///< since the restart
  std::vector<Series> series_;
  std::vector<double> q_, v_, inputs_;  ///< for functions in C++
  std::vector<T> before_;
};

extern template class Controls<double>;
extern template class Controls<long double>;
extern template class Controls<quad>;

}  // namespace noslip
