// Whether the steps of a run can be believed. After every step: is it a jump? Was it hard to solve? And afterwards, for
// a few steps of the run: does the method do the same with steps of half and of a third of the size, as far as its
// order promises?
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <noslip/core/archive.hpp>
#include <noslip/core/status.hpp>

#include "run/setup.hpp"
#include "run/state_functions.hpp"

namespace noslip {

template <class T>
class Scrutiny {
 public:
  Scrutiny(const System& system, const RunSetup<T>& setup, const RunOptions& options);

  void start(double balance) { balance_before_ = balance; }
  /// From here on with these parameters, from a state that may have jumped.
  void restart(std::span<const T> parameters, double balance);
  /// Looks at the step of size h from t that led from `before` to `after` (whole states, angles continuous); `balance`
  /// is the energy without work after it. Returns why the step cannot be believed, or nothing.
  std::string look(T t, T h, std::span<const T> before, std::span<const T> after, double balance);

  /// What is to be said of the run, in the order of time. Takes some of its steps again.
  std::vector<Warning> conclude(const Monitored& balance);
  /// All that it remembers of the steps so far.
  void carry(Archive& archive);

 private:
  /// A step that is taken again, and in two and three parts.
  struct Step {
    std::size_t place = 0;  ///< of the state before it
    T t = 0, h = 0;
    std::size_t constants = 0;  ///< which of constants_ were in force
    void carry(Archive& archive) { archive(place, t, h, constants); }
  };
  struct Finding {
    bool is_solved = true;  ///< smaller steps have solutions, too
    /// What smaller steps change, relative to the way of the step or of the mean step so far: positions or velocities.
    double error = 0;
  };
  /// Sizes of the positions, and of the rest of the state without the work.
  struct Sizes {
    T positions = 0, rest = 0;
    void carry(Archive& archive) { archive(positions, rest); }
  };
  /// Of a step: its change, how much that differs from the step before, and what the state is after it.
  struct Move {
    Sizes change, bend, after;
  };
  /// Places of states among RunTools::states: of parts of a step that was divided, and of steps; samples follow.
  struct Place {
    enum : std::size_t { once, middle, twice, thrice, last, worst, now, rough };
  };

  std::span<T> state(std::size_t place) const {
    return std::span(setup_.tools->states).subspan(place * state_count_, state_count_);
  }
  /// A step that has just been made, with its state before it in this place.
  Step kept(std::size_t place, T t, T h, std::span<const T> before);

  /// Takes the step again in equal parts, after each of which the state is given to `see`.
  template <class See>
  bool take(const Step& step, int parts, See see);
  std::optional<Finding> divide(const Step& step);
  void use(const Step& step);  ///< its parameters
  void thin_out();
  double balance_at(T t, std::span<const T> at);
  T speed_at_rest(const Step& step) const;
  /// Change of the energy balance in a step that was just divided, beside that in two of half the size.
  double gain_by_halves(const Step& step);
  double kinetic_at(T t, std::span<const T> at);  ///< sum of |p v|/2
  void look_at_energy(const Monitored& balance);
  /// The largest values of size(i), where i is a place in the state.
  template <class Size>
  Sizes largest(const Size& size) const;
  Sizes sizes_of(std::span<const T> state) const;
  Sizes change_of(std::span<const T> before, std::span<const T> after) const;
  Move move_of(T h, std::span<const T> before, std::span<const T> after) const;
  void remember_if_rough(T t, T h, std::span<const T> before, const Move& move);
  void warn(const char* code, T t, std::string message);
  void warn_of_step(T t, const Finding& finding);
  /// Whether smaller steps end on the same branch of solutions as the step.
  void look_at_branch(const Step& step);
  void look_at_turns(T t, T h, std::span<const T> after);

  const System& system_;
  const RunSetup<T>& setup_;
  const RunOptions& options_;
  int order_;
  std::size_t state_count_, q_count_, solved_count_;
  std::size_t followed_count_;  ///< of the state: positions, velocities, momenta; no multipliers, no work
  bool has_energy_, has_corners_, is_fused_ = false;
  std::vector<std::pair<std::size_t, std::size_t>> rotations_;  ///< first and count of angular velocities in the state
  LaneStepper<T>* stepper_ = nullptr;  ///< for steps that are taken again
  std::optional<StateFunctions<T>> gradients_;
  std::vector<std::size_t> gradient_sizes_;
  std::vector<Warning> warnings_;
  std::vector<std::vector<T>> constants_;  ///< parameters that were in force, in the order of time
  std::size_t used_ = 0;                   ///< which of them stepper_ and functions have

  long long steps_ = 0;
  int taken_again_ = 0, reversed_again_ = 0;
  long long pivoted_steps_ = 0, pivoted_iterations_ = 0;
  T first_pivoted_ = 0;  ///< time of the first step that was solved with pivoting
  Sizes largest_, last_change_, usual_change_, all_changes_;
  Step last_;
  std::vector<Step> samples_;  ///< the steps 1, 2, 4, 8, ...
  struct RoughStep {
    double roughness = -1;
    Step step;
    void carry(Archive& archive) { archive(roughness, step); }
  };
  std::array<RoughStep, 4> roughest_;  ///< the least rough one first; of a step that there is not yet -1
  Step worst_;                         ///< that changed the energy balance most
  double balance_before_ = 0, largest_change_of_balance_ = 0;
};

extern template class Scrutiny<double>;
extern template class Scrutiny<long double>;
extern template class Scrutiny<quad>;

}  // namespace noslip
