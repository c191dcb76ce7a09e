// One state that moves step by step, or a few side by side: for control loops, games, and everything that wants to look
// at every step.
//
//   noslip::Stepper car(noslip::Program(noslip::System::load("car.toml"), {.method = "mp"}), 0.01);
//   while (car.t() < 10) {
//     car.set_input(0, controller(car.q(), car.v()));   // an entry of [inputs]
//     if (!car.step()) break;                           // car.outcome() says why
//   }
//
// A stepper solves every step to rounding error, or says that it could not; whether the step size follows the motion it
// does not check (integrate does). It is light and movable; threads have one each. Nothing is allocated by step(),
// advance(), set_*() and what reads the state, unless something is refused. Exceptions:
//
// - set_state() checks a state in full if a quick check does not settle it: if constraints hold, but only to more than
//   a few units in the last place of their terms; if the equations of motion are not well-conditioned in the units of
//   the system; if multipliers that have to be searched (nonideal reactions, dae2, odae) vanish with the accelerations.
// - set_state() finds momenta that are variables and were left out; with project_states(true) it also finds the momenta
//   or the z of a dae2 system again.
// - Equations of motion with large sparse matrices choose an order of elimination whenever they are solved: for
//   multipliers(), and for a step that begins again with another guess.
// - If the first step from a state needs pivoting, a program is compiled for that start.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <noslip/core/given.hpp>
#include <noslip/core/status.hpp>
#include <noslip/run/program.hpp>

namespace noslip {

template <class T>
struct StepperData;

template <class T = double>
class Stepper {
 public:
  /// Steps of this size from the initial state of the system, with the default values of parameters and inputs; `set`
  /// are parameters that differ. InputError for a step size that makes no sense, and for several lanes of a system
  /// with a controller ([sampled]). If the initial state is inconsistent, a state has to be set before the first
  /// step.
  explicit Stepper(Program<T> program, double step, const Settings& set = {});
  ~Stepper();
  Stepper(Stepper&&) noexcept;
  Stepper& operator=(Stepper&&) noexcept;

  const Program<T>& program() const;

  /// From here on. InputError for numbers that are not as many as the system has variables, not finite, or violate the
  /// constraints (with `projects`, the nearest ones that do not are taken). Momenta that are variables (z) may be left
  /// out. All lanes have the time of the one that was set last.
  void set_state(T t, std::span<const T> q, std::span<const T> v, std::span<const T> z = {}, int lane = 0);
  void set_state(const InitialState& state, int lane = 0);
  void project_states(bool projects);  ///< instead of refusing; off at first
  /// All of them, in the order of System::parameters() and System::inputs(), or one by its place there. InputError for
  /// other counts and for numbers that are not finite. The state stays, and so does its work: what a change of an input
  /// adds to the energy is added to the work. If the times of [sampled] depend on parameters, the new ones hold from the
  /// next sample on, which is taken when it was due; InputError for times that make no sense. Nothing has changed after
  /// an InputError. With parameters that make the state impossible (a constraint that it violates, no inertia) the
  /// stepper has no state until one is set.
  void set_parameters(std::span<const T> values, int lane = 0);
  void set_inputs(std::span<const T> values, int lane = 0);
  void set_input(std::size_t input, T value, int lane = 0);
  void set_input(std::string_view name, T value, int lane = 0);  ///< InputError for an unknown name
  /// Positive, or negative to go back in time. After a failed step a stepper with one lane tries again, from the last
  /// good state. Among several lanes, those that have failed stay failed until their state is set.
  void set_step(T h);

  /// One step for all lanes that have not failed. False if a lane has failed: its state is the last good one. When all
  /// have failed, time stands still.
  ///
  /// With a controller ([sampled]) a step begins at every sample and whenever its inputs change. If the step size does
  /// not divide the time between, smaller equal steps are made: step() goes on by less than what was asked for. t()
  /// says how far it went, divides_steps() whether that has happened.
  bool step();
  /// So many, each as step() makes it; returns how many were made by the lane that got furthest.
  long long advance(long long steps);

  T t() const;
  T step_size() const;         ///< as asked for; with a controller that of the last step, which may be smaller
  bool divides_steps() const;  ///< steps are smaller than asked for, since the state or the step size was set or loaded
  long long steps() const;  ///< that were made since the state or the step size was set
  /// Valid until the state changes (q, v, z), a lane is read after another one, or for multipliers() until it is called
  /// again. Angles are continuous, however many turns they have made.
  std::span<const T> q(int lane = 0) const;
  std::span<const T> v(int lane = 0) const;
  std::span<const T> z(int lane = 0) const;  ///< multipliers or momenta that are variables of the system
  std::span<const T> parameters(int lane = 0) const;
  std::span<const T> inputs(int lane = 0) const;
  /// In the order of the constraints: the method's own where it has values at the end of a step, otherwise those of the
  /// equations of motion; NaN if these have no solution.
  std::span<const T> multipliers(int lane = 0) const;
  T energy(int lane = 0) const;    ///< NaN where the system has none
  T work(int lane = 0) const;      ///< done on the system since the state was set
  T residual(int lane = 0) const;  ///< largest size over all constraints and the derivatives of position constraints
  Outcome outcome(int lane = 0) const;
  double iterations_mean() const;  ///< per step, of the lane with most

  /// Everything that the next step depends on, as bytes: a stepper of an equal program that has loaded it goes on with
  /// the same bits, also in another process and on another machine of the same kind.
  std::string save() const;
  /// InputError for bytes of another system, method, precision, number of lanes or version; the stepper is as before.
  void load(std::string_view saved);

 private:
  std::unique_ptr<StepperData<T>> data_;
};

extern template class Stepper<double>;
extern template class Stepper<long double>;
extern template class Stepper<quad>;

}  // namespace noslip
