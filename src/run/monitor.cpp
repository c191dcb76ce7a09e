// One function evaluates everything that is looked at; the histories keep sums only.
#include "run/monitor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace noslip {

namespace {

/// Rounding leaves less; more is a step that has gone wrong.
constexpr double largest_group_defect = 1e-8;

/// Residuals of constraints, in units of the rounding errors of their terms: what is worth a word, and what is a step
/// that has gone wrong.
constexpr double notable_residual = 1e4, largest_residual = 1e10;

}  // namespace

void ErrorHistory::add(double time, double value, double error) {
  final_ = value;
  if (!(std::fabs(error) <= largest_)) largest_ = std::fabs(error);  // a NaN counts
  count_ += 1;
  time_ += time;
  error_ += error;
  time_time_ += static_cast<long double>(time) * time;
  time_error_ += static_cast<long double>(time) * error;
}

Monitored ErrorHistory::result(const std::string& name) const {
  const long double spread = count_ * time_time_ - time_ * time_;
  const long double slope = spread > 0 ? (count_ * time_error_ - time_ * error_) / spread : 0;
  return {name, initial_, final_, largest_, static_cast<double>(slope)};
}

template <class T>
Monitor<T>::Monitor(const MonitorFunctions<T>& functions, const StepLayout& layout, std::string excuse)
    : functions_(functions),
      layout_(layout),
      scratch_(functions.in_workspace.scratch_size()),
      initial_(functions.names.size()),
      histories_(functions.names.size()),
      largest_residual_(functions.residual_names.size(), 0.0),
      excuse_(std::move(excuse)) {}

template <class T>
void Monitor<T>::evaluate(T* workspace, T t) {
  workspace[layout_.t] = t;
  functions_.in_workspace(workspace, scratch_.data());
}

template <class T>
void Monitor<T>::read(Evaluation<T>& evaluation, const T* workspace, T t) const {
  const auto from = [&](std::size_t block) {
    const auto place = functions_.in_workspace.input(block);
    return std::span<const T>(workspace + place.first, place.size);
  };
  evaluation.set(0, t).set(1, from(1)).set(2, from(2));
}

template <class T>
void Monitor<T>::start(T* workspace, T t0) {
  t0_ = t0;
  evaluate(workspace, t0);
  initial_.assign(workspace + layout_.size, workspace + layout_.size + functions_.names.size());
  for (std::size_t i = 0; i < functions_.names.size(); ++i) histories_[i].start(static_cast<double>(initial_[i]));
  if (functions_.has_energy) {
    last_energy_ = initial_[0];
    energy_now_ = static_cast<double>(initial_[0]);
    balance_.start(energy_now_);
  }
  constraint_now_ = 0;
  for (std::size_t r = 0; r < largest_residual_.size(); ++r) {
    const double k = std::fabs(static_cast<double>(workspace[layout_.size + functions_.names.size() + r]));
    largest_residual_[r] = k;
    if (r < functions_.constraint_count) constraint_now_ = std::max(constraint_now_, k);
  }
}

template <class T>
bool Monitor<T>::look(T* workspace, T t) {
  evaluate(workspace, t);
  const T* values = workspace + layout_.size;
  for (std::size_t i = 0; i < functions_.names.size() + largest_residual_.size(); ++i) {
    if (values[i] - values[i] == 0) continue;
    const std::size_t residual = i - functions_.names.size();
    what_ = i < functions_.names.size()              ? fmt::format("{} is not finite", functions_.names[i])
            : residual < functions_.constraint_count ? fmt::format("constraint {} is not finite", residual + 1)
                                           : "a rotation is not finite";
    return false;
  }
  for (std::size_t r = functions_.constraint_count; r < largest_residual_.size(); ++r) {
    if (std::fabs(static_cast<double>(values[functions_.names.size() + r])) <= largest_group_defect) continue;
    what_ = "a rotation matrix is no longer orthogonal";
    return false;
  }
  bool has_sizes = false;
  for (std::size_t r = 0; r < functions_.constraint_count; ++r) {
    const double k = std::fabs(static_cast<double>(values[functions_.names.size() + r]));
    if (!(k > largest_residual_[r])) continue;
    if (!has_sizes) evaluate_sizes(workspace);
    has_sizes = true;
    if (!is_kept(r, k, t)) return false;
  }
  return true;
}

template <class T>
double Monitor<T>::balance(const T* workspace) const {
  if (!functions_.has_energy) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(workspace[layout_.size] - work_in(workspace));
}

template <class T>
T Monitor<T>::work_in(const T* workspace) const {
  return jumps_ + (layout_.work_count > 0 ? workspace[layout_.work()] : T(0));
}

template <class T>
bool Monitor<T>::jump(T* workspace, T t) {
  const T before = last_energy_;
  if (!look(workspace, t)) return false;
  if (!functions_.has_energy) return true;
  last_energy_ = workspace[layout_.size];
  if (last_energy_ == before) return true;
  has_jumped_ = true;
  jumps_ += last_energy_ - before;
  energy_now_ = static_cast<double>(last_energy_);
  work_now_ = static_cast<double>(work_in(workspace));
  return true;
}

template <class T>
void Monitor<T>::record(const T* workspace, T t) {
  const T* values = workspace + layout_.size;
  const double time = static_cast<double>(t - t0_);
  for (std::size_t i = 0; i < functions_.names.size(); ++i) {
    histories_[i].add(time, static_cast<double>(values[i]), static_cast<double>(values[i] - initial_[i]));
  }
  if (functions_.has_energy) {
    const T work = work_in(workspace);
    last_energy_ = values[0];
    energy_now_ = static_cast<double>(values[0]);
    work_now_ = static_cast<double>(work);
    balance_.add(time, static_cast<double>(values[0] - work), static_cast<double>(values[0] - initial_[0] - work));
  }
  constraint_now_ = 0;
  for (std::size_t r = 0; r < largest_residual_.size(); ++r) {
    const double k = std::fabs(static_cast<double>(values[functions_.names.size() + r]));
    largest_residual_[r] = std::max(largest_residual_[r], k);
    if (r < functions_.constraint_count) constraint_now_ = std::max(constraint_now_, k);
  }
}

template <class T>
void Monitor<T>::evaluate_sizes(const T* workspace) {
  if (!sizes_) sizes_.emplace(functions_.sizes);
  read(*sizes_, workspace, workspace[layout_.t]);
  sizes_->set(3, workspace[layout_.h]).run();
  ++sizes_count_;
}

template <class T>
bool Monitor<T>::is_kept(std::size_t r, double residual, T t) {
  const double size = static_cast<double>(sizes_->output(0)[r]);
  const double units = residual / (static_cast<double>(epsilon<T>()) * size);
  if (!std::isfinite(units) || units <= notable_residual) return true;
  if (excuse_.empty() && units > largest_residual) {
    what_ = fmt::format("constraint {} is violated by {:.1e}", functions_.residual_names[r], residual);
    return false;
  }
  if (!warnings_.empty()) return true;
  warnings_.push_back({"constraints",
                       fmt::format("constraints are not at rounding error: {} has the residual {:.1e} at t = {}; {}",
                                   functions_.residual_names[r], residual, to_short_text(static_cast<double>(t)),
                                   excuse_.empty() ? "use a smaller step" : excuse_),
                       static_cast<double>(t)});
  return true;
}

template <class T>
void Monitor<T>::fill(Trajectory& trajectory, const System& system) const {
  const double none = std::numeric_limits<double>::quiet_NaN();
  trajectory.energy = functions_.has_energy ? histories_[0].result("energy") : Monitored{"energy", none, none, none, none};
  trajectory.balance = {has_work() ? balance_.result("energy without work") : trajectory.energy, has_work()};
  for (std::size_t i = functions_.has_energy ? 1 : 0; i < functions_.names.size(); ++i) {
    trajectory.invariants.push_back(histories_[i].result(functions_.names[i]));
  }
  const std::size_t velocities = system.constraints().size(), positions = system.holonomic().size();
  for (std::size_t r = 0; r < velocities; ++r) {
    trajectory.constraints.by_name.push_back({system.constraints()[r].text, largest_residual_[r], system.constraints()[r].name});
    trajectory.constraints.max_abs = std::max(trajectory.constraints.max_abs, largest_residual_[r]);
  }
  for (std::size_t r = 0; r < positions; ++r) {
    const double g = largest_residual_[velocities + r], rate = largest_residual_[velocities + positions + r];
    trajectory.holonomic.by_name.push_back({system.holonomic()[r].text, g, rate, system.holonomic()[r].name});
    trajectory.holonomic.max_abs = std::max(trajectory.holonomic.max_abs, g);
    trajectory.holonomic.max_abs_rate = std::max(trajectory.holonomic.max_abs_rate, rate);
  }
  for (std::size_t r = functions_.constraint_count; r < largest_residual_.size(); ++r) {
    if (!trajectory.rotations) trajectory.rotations.emplace();
    trajectory.rotations->max_abs = std::max(trajectory.rotations->max_abs, largest_residual_[r]);
  }
}

template <class T>
T Monitor<T>::error(const T* workspace, T t) const {
  Evaluation<T> exact(functions_.exact);
  read(exact, workspace, t);
  exact.run();
  T largest = 0;
  for (std::size_t i = 0; i < functions_.exact_coordinates.size(); ++i) {
    const T difference = workspace[layout_.state + functions_.exact_coordinates[i]] - exact.output(0)[i];
    const T size = difference < 0 ? -difference : difference;
    if (!(size <= largest)) largest = size;
  }
  return largest;
}

template <class T>
void Monitor<T>::carry(Archive& archive) {
  archive(balance_, what_, warnings_, t0_, jumps_, last_energy_, has_jumped_, energy_now_, work_now_,
          constraint_now_);
  archive.fixed(initial_);
  archive.fixed(histories_);
  archive.fixed(largest_residual_);
}

template class Monitor<double>;
template class Monitor<long double>;
template class Monitor<quad>;

}  // namespace noslip
