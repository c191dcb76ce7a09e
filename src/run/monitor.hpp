// What a run looks at after every step: energy, its balance with the work done, constraints, invariants.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <noslip/core/archive.hpp>
#include <noslip/exec/function.hpp>
#include <noslip/run/run.hpp>
#include <noslip/run/step_program.hpp>

#include "run/monitor_functions.hpp"

namespace noslip {

/// Largest error and least-squares slope of one quantity, without storing it.
class ErrorHistory {
 public:
  void start(double value) { initial_ = final_ = value; }
  void add(double time, double value, double error);
  Monitored result(const std::string& name) const;
  void carry(Archive& archive) {
    archive(initial_, final_, largest_, count_, time_, error_, time_time_, time_error_);
  }

 private:
  double initial_ = 0, final_ = 0, largest_ = 0;
  long double count_ = 0, time_ = 0, error_ = 0, time_time_ = 0, time_error_ = 0;
};

template <class T>
class Monitor {
 public:
  /// Reads the workspace of a stepper with this layout, and writes its results behind it. `excuse` says why constraints
  /// need not hold to rounding error in this run; it is empty where they have to.
  Monitor(const MonitorFunctions<T>& functions, const StepLayout& layout, std::string excuse = {});

  void start(T* workspace, T t0);
  /// Looks at the state at time t. False if a value is not finite, a rotation matrix none, or a constraint violated
  /// (`what` says which).
  bool look(T* workspace, T t);
  double balance(const T* workspace) const;  ///< the energy without work of the state that was looked at
  /// Enters what was looked at into the history of the run.
  void record(const T* workspace, T t);

  /// The state has changed between two steps: what that adds to the energy is work. Returns false as look() does.
  bool jump(T* workspace, T t);

  double energy() const { return energy_now_; }  ///< NaN where the system has none
  double work() const { return work_now_; }
  T jumps() const { return jumps_; }  ///< part of the work that was done between steps
  bool has_work() const { return layout_.work_count > 0 || has_jumped_; }
  double constraint_now() const { return constraint_now_; }
  const std::string& what() const { return what_; }
  const std::vector<Warning>& warnings() const { return warnings_; }
  long long closer_looks() const { return sizes_count_; }  ///< at residuals, beside their rounding errors
  void fill(Trajectory& trajectory, const System& system) const;
  /// Largest |q - exact| at time t over the coordinates that the system has a closed form for. Allocates.
  T error(const T* workspace, T t) const;
  /// All that start(), look() and record() leave behind.
  void carry(Archive& archive);

 private:
  void evaluate(T* workspace, T t);
  T work_in(const T* workspace) const;
  /// Reads t, parameters and state of this workspace.
  void read(Evaluation<T>& evaluation, const T* workspace, T t) const;
  /// The rounding errors of the terms of all residuals at this state.
  void evaluate_sizes(const T* workspace);
  /// Compares residual r with its rounding errors. False if it is a violation.
  bool is_kept(std::size_t r, double residual, T t);

  const MonitorFunctions<T>& functions_;
  const StepLayout& layout_;
  std::vector<T> scratch_;
  std::optional<Evaluation<T>> sizes_;  // where a residual was worth a closer look
  long long sizes_count_ = 0;
  std::vector<T> initial_;
  std::vector<ErrorHistory> histories_;
  ErrorHistory balance_;
  std::vector<double> largest_residual_;
  std::string what_, excuse_;
  std::vector<Warning> warnings_;
  T t0_ = 0;
  T jumps_ = 0;  // of the energy, so far
  T last_energy_ = 0;
  bool has_jumped_ = false;
  double energy_now_ = std::numeric_limits<double>::quiet_NaN(), work_now_ = 0, constraint_now_ = 0;
};

extern template class Monitor<double>;
extern template class Monitor<long double>;
extern template class Monitor<quad>;

}  // namespace noslip
