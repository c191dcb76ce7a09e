// Whether the steps of a run can be believed. After every step: is it a jump? Was it hard to solve? And afterwards, for
// a few steps of the run: does the method do the same with steps of half the size, as far as its order promises?
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <noslip/core/status.hpp>

#include "run/setup.hpp"
#include "run/state_functions.hpp"

namespace noslip {

template <class T>
class Scrutiny {
 public:
  Scrutiny(const System& system, const RunSetup<T>& setup, const RunOptions& options);

  void start(double balance) { balance_before_ = balance; }
  /// Looks at the step of size h from t that led from `before` to `after` (whole states, angles continuous); `balance`
  /// is the energy without work after it. Returns why the step cannot be believed, or nothing.
  std::string look(T t, T h, std::span<const T> before, std::span<const T> after, double balance);

  /// What is to be said of the run, in the order of time. Takes some of its steps again.
  std::vector<Warning> conclude(const Monitored& balance);

 private:
  /// A step that is taken again, and in two and four parts.
  struct Step {
    T t = 0, h = 0;
    std::vector<T> before;
  };
  struct Finding {
    double error = 0;   ///< what halving the step changes, relative to what the step changes: positions or velocities
    double energy = 0;  ///< change of the energy balance in the step, divided by that in two of half the size
  };
  /// Sizes of the positions, and of the rest of the state without the work.
  struct Sizes {
    T positions = 0, rest = 0;
  };

  bool take(const Step& step, int parts, std::vector<T>& after);
  std::optional<Finding> halve(const Step& step);
  double balance_at(T t, std::span<const T> state) const;
  Sizes sizes_of(std::span<const T> state) const;
  Sizes change_of(std::span<const T> before, std::span<const T> after) const;
  void warn(const char* code, T t, std::string message);
  void warn_of_step(T t, double error);
  void look_at_turns(T t, T h, std::span<const T> after);

  const System& system_;
  const RunSetup<T>& setup_;
  const RunOptions& options_;
  int order_;
  std::size_t q_count_, solved_count_;
  std::size_t followed_count_;  ///< of the state: positions, velocities, momenta; no multipliers, no work
  bool has_energy_, is_smooth_, is_fused_ = false;
  std::vector<std::pair<std::size_t, std::size_t>> rotations_;  ///< first and count of angular velocities in the state
  std::unique_ptr<Stepper<T>> stepper_;                         ///< for steps that are taken again
  std::vector<T> once_, twice_;
  std::optional<StateFunctions<T>> energy_;  ///< E, p . v
  std::vector<Warning> warnings_;

  long long steps_ = 0;
  int taken_again_ = 0;
  Sizes largest_, last_change_;
  std::vector<Step> samples_;  ///< the steps 1, 2, 4, 8, ...
  Step worst_;                 ///< that changed the energy balance most
  double balance_before_ = 0, largest_change_of_balance_ = 0;
};

extern template class Scrutiny<double>;
extern template class Scrutiny<long double>;
extern template class Scrutiny<quad>;

}  // namespace noslip
