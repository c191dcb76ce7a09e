// What a stepper holds: a program, an engine that runs it, the state and the time.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <noslip/run/stepper.hpp>

#include "run/controls.hpp"
#include "run/program_data.hpp"
#include "run/start_check.hpp"
#include "run/step_grid.hpp"

namespace noslip {

template <class T>
struct StepperData {
  StepperData(Program<T> of, T step, const std::vector<T>& values);  ///< of parameters and inputs

  const ProgramData<T>& data() const { return program.data(); }
  const StepLayout& layout() const { return data().layout(); }
  T time() const { return grid ? grid->time(count) : t0 + T(count) * h; }
  /// That the next step has, unless something happens before its end.
  T next_step() const { return grid ? grid->h : h; }
  bool has_own_multipliers(std::size_t lane) const { return (stepped >> lane & 1U) != 0; }

  void require_lane(int lane) const {
    if (static_cast<std::size_t>(lane) >= lanes) refuse_lane(lane);
  }
  void require_state() const;
  void set_state(T time, std::span<const T> q, std::span<const T> v, std::span<const T> z, int lane);
  void set_step(T step);
  void set_parameters(std::span<const T> values, std::size_t lane);
  /// Parameters or inputs of a lane change; what that does to the energy is work.
  template <class Change>
  void change(std::size_t lane, const Change& make) {
    const T before = has_state ? energy_in(lane) : T(0);
    make(std::span<T>(parameters[lane]));
    if (engine) has_changed(lane, before);
  }
  /// One input of a lane changes: the same, and quick where neither the energy nor the state follows.
  void set_input(std::size_t input, T value, std::size_t lane) {
    const std::size_t place = parameter_count + input;
    if (!has_quick_inputs) return change(lane, [&](std::span<T> all) { all[place] = value; });
    parameters[lane][place] = value;
    engine->set_parameter(static_cast<int>(lane), static_cast<int>(place), value);
    stepped &= ~(1U << lane);
  }
  void use_constants(std::size_t lane);  ///< parameters and inputs, as they are now
  bool step() {
    if (is_first || !is_plain) return is_first ? first_step() : one_step();
    if (!engine->step(t0 + T(count) * h, h)) return false;
    ++count, ++steps_since_set, ++steps_made;
    iterations += engine->iterations();
    stepped = ~0U;
    return true;
  }
  long long advance(long long steps);

  /// Valid until the next call.
  std::span<const T> part(int lane, std::size_t first, std::size_t size) {
    if (has_state && shows_workspace) return {engine->workspace() + layout().state + first, size};
    return copied_part(lane, first, size);
  }
  std::span<const T> multipliers_in(int lane);
  T energy_in(std::size_t lane);
  /// ProgramData::monitored of all lanes, into the workspace.
  void evaluate();
  T value(std::size_t i, std::size_t lane) const {
    return engine->workspace()[(static_cast<std::size_t>(layout().size) + i) * lanes + lane];
  }
  /// What a saved state has to be one of.
  std::string identity() const;

  Program<T> program;
  std::shared_ptr<const ProgramData<T>> usual;  ///< the program that was given: its order is tried first
  System system;
  std::size_t parameter_count, input_count;
  MotionSolver<T> solver;
  StartCheck<T> check;
  std::unique_ptr<LaneStepper<T>> engine, usual_engine;  ///< the second while another order is in use
  std::optional<Controls<T>> controls;
  std::optional<StepGrid<T>> grid;  ///< where controls say when steps begin
  T h, t0 = 0;
  long long count = 0;                           ///< steps since t0
  long long steps_since_set = 0, steps_made = 0;  ///< since the state or the step size was set; since this was made
  long long iterations = 0;  ///< of the steps that were made, whichever engine made them
  std::size_t q_count, v_count, z_count, lanes;
  std::vector<std::vector<T>> parameters;  ///< by lane: parameters, then inputs
  std::vector<T> state, first_state, shown, accelerations, multipliers, scratch, jumps, constants;
  std::vector<T> given;  ///< a state in double, in the precision of this stepper
  unsigned stepped = 0;  ///< lanes whose state is the end of a step that is not short
  bool projects = false, has_state = false, is_first = true;
  bool has_quick_inputs = false;  ///< nothing but steps depends on inputs
  bool shows_workspace = false;   ///< one lane without angles: the state in the workspace is what the caller sees
  bool is_plain = false;          ///< one lane, and nobody but the caller sets inputs: all steps have the size h
  bool has_divided = false;       ///< a step is smaller than h, since the state or h was set
  std::string what;              ///< is wrong with the inputs
  std::vector<Problem> problem;  ///< of the initial state of the system

 private:
  [[noreturn]] void refuse_lane(int lane) const;
  /// The step. InputError for one that makes no sense.
  T allowed(T step) const;
  void make_engine();
  /// Goes over to a program that has another order of elimination; a state has to be set.
  void use(const std::shared_ptr<const ProgramData<T>>& other);
  /// Of lane 0, for another order.
  StepStart start_at(T time) const;
  void set_with_all_checks(T time, std::size_t lane, bool momenta_follow);
  std::span<const T> copied_part(int lane, std::size_t first, std::size_t size);
  void has_changed(std::size_t lane, T energy_before);
  bool control();
  /// With the program that suits the start, as in RunSetup.
  bool first_step();
  bool one_step();
  bool count_step(bool is_good, T size);
};

extern template struct StepperData<double>;
extern template struct StepperData<long double>;
extern template struct StepperData<quad>;

}  // namespace noslip
