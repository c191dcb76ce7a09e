// One function evaluates everything that is looked at; the histories keep sums only.
#include "run/monitor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <noslip/expr/rounding.hpp>

#include "model/state_blocks.hpp"
#include "run/state_sizes.hpp"

namespace noslip {

namespace {

/// Rounding leaves less; more is a step that has gone wrong.
constexpr double largest_group_defect = 1e-8;

/// Residuals of constraints, in units of the rounding errors of their terms: what is worth a word, and what is a step
/// that has gone wrong.
constexpr double notable_residual = 1e4, largest_residual = 1e10;

/// What has to stay zero: velocity constraints, position constraints, derivatives of the latter, and what tells numbers
/// from elements of a group.
std::vector<Expr> residuals_of(const System& system) {
  std::vector<Expr> residuals;
  for (const Constraint& constraint : system.constraints()) residuals.push_back(constraint.k);
  for (const HolonomicConstraint& constraint : system.holonomic()) residuals.push_back(constraint.g);
  for (std::size_t r = system.constraints().size(); r < system.velocity_level().size(); ++r) {
    residuals.push_back(system.velocity_level()[r].k);
  }
  residuals.insert(residuals.end(), system.group_defect().begin(), system.group_defect().end());
  return residuals;
}

}  // namespace

std::vector<PlacedBlock> inputs_of(const System& system, const StepLayout& layout) {
  const auto slot = [](int index) { return static_cast<std::size_t>(index); };
  return {{{system.t()}, slot(layout.t)},
          {parameter_symbols(system), slot(layout.parameters)},
          {entries_of({system.q(), system.v(), system.z()}), slot(layout.state)}};
}

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
int Monitor<T>::slots(const System& system) {
  return (system.has_energy() ? 1 : 0) + static_cast<int>(system.invariants().size() + residuals_of(system).size());
}

template <class T>
Monitor<T>::Monitor(const System& system, const StepLayout& layout, Backend backend, std::string excuse)
    : layout_(layout),
      has_energy_(system.has_energy()),
      constraint_count_(residuals_of(system).size() - system.group_defect().size()),
      excuse_(std::move(excuse)) {
  std::vector<Expr> outputs, exact;
  if (has_energy_) {
    names_.push_back("energy");
    outputs.push_back(system.energy());
  }
  for (const auto& [name, expression] : system.invariants()) {
    names_.push_back(name);
    outputs.push_back(expression);
  }
  for (const Expr& residual : residuals_of(system)) outputs.push_back(residual);
  const std::vector<PlacedBlock> inputs = inputs_of(system, layout);
  const std::vector<PlacedBlock> results{{outputs, static_cast<std::size_t>(layout.extra)}};
  function_ = Function<T>(inputs, results, backend);
  scratch_.resize(function_.scratch_size());

  for (const auto& [name, expression] : system.exact()) {
    const auto place = std::find(system.coordinates().begin(), system.coordinates().end(), name);
    if (place == system.coordinates().end()) continue;  // a multiplier
    exact_coordinates_.push_back(static_cast<int>(place - system.coordinates().begin()));
    exact.push_back(expression);
  }
  const ExprMatrix symbols{inputs[0].block, inputs[1].block, inputs[2].block};
  exact_ = Evaluation<T>(Function<T>(symbols, {exact}));
  for (const Constraint& constraint : system.constraints()) residual_names_.push_back(constraint.text);
  for (const HolonomicConstraint& constraint : system.holonomic()) residual_names_.push_back(constraint.text);
  for (const HolonomicConstraint& constraint : system.holonomic()) {
    residual_names_.push_back("the derivative of " + constraint.text);
  }
  Graph graph;
  Substitution copy(graph);
  std::vector<Expr> constraints = copy(residuals_of(system));
  constraints.resize(constraint_count_);
  const Expr h = graph.symbol("step size");
  const auto of_state = constraints.empty() ? std::vector<std::pair<Expr, Expr>>{} : sizes_of_state(system, copy, h);
  const std::vector<Expr> sizes = rounding_sizes(constraints, of_state);
  ExprMatrix given = copied(copy, symbols);
  given.push_back({h});
  sizes_ = Evaluation<T>(Function<T>(given, {sizes}));
  histories_.resize(names_.size());
  largest_residual_.resize(residuals_of(system).size(), 0.0);
}

template <class T>
void Monitor<T>::evaluate(T* workspace, T t) {
  workspace[layout_.t] = t;
  function_(workspace, scratch_.data());
}

template <class T>
void Monitor<T>::read(Evaluation<T>& evaluation, const T* workspace, T t) const {
  const auto from = [&](std::size_t block) {
    const auto place = function_.input(block);
    return std::span<const T>(workspace + place.first, place.size);
  };
  evaluation.set(0, t).set(1, from(1)).set(2, from(2));
}

template <class T>
void Monitor<T>::start(T* workspace, T t0) {
  t0_ = t0;
  evaluate(workspace, t0);
  initial_.assign(workspace + layout_.extra, workspace + layout_.extra + names_.size());
  for (std::size_t i = 0; i < names_.size(); ++i) histories_[i].start(static_cast<double>(initial_[i]));
  if (has_energy_) {
    energy_now_ = static_cast<double>(initial_[0]);
    balance_.start(energy_now_);
  }
  constraint_now_ = 0;
  for (std::size_t r = 0; r < largest_residual_.size(); ++r) {
    const double k = std::fabs(static_cast<double>(workspace[layout_.extra + names_.size() + r]));
    largest_residual_[r] = k;
    if (r < constraint_count_) constraint_now_ = std::max(constraint_now_, k);
  }
}

template <class T>
bool Monitor<T>::look(T* workspace, T t) {
  evaluate(workspace, t);
  const T* values = workspace + layout_.extra;
  for (std::size_t i = 0; i < names_.size() + largest_residual_.size(); ++i) {
    if (values[i] - values[i] == 0) continue;
    const std::size_t residual = i - names_.size();
    what_ = i < names_.size()              ? fmt::format("{} is not finite", names_[i])
            : residual < constraint_count_ ? fmt::format("constraint {} is not finite", residual + 1)
                                           : "a rotation is not finite";
    return false;
  }
  for (std::size_t r = constraint_count_; r < largest_residual_.size(); ++r) {
    if (std::fabs(static_cast<double>(values[names_.size() + r])) <= largest_group_defect) continue;
    what_ = "a rotation matrix is no longer orthogonal";
    return false;
  }
  for (std::size_t r = 0; r < constraint_count_; ++r) {
    const double k = std::fabs(static_cast<double>(values[names_.size() + r]));
    if (k > largest_residual_[r] && !is_kept(workspace, r, k, t)) return false;
  }
  return true;
}

template <class T>
double Monitor<T>::balance(const T* workspace) const {
  if (!has_energy_) return std::numeric_limits<double>::quiet_NaN();
  const T work = layout_.work_count > 0 ? workspace[layout_.work()] : T(0);
  return static_cast<double>(workspace[layout_.extra] - work);
}

template <class T>
void Monitor<T>::record(const T* workspace, T t) {
  const T* values = workspace + layout_.extra;
  const double time = static_cast<double>(t - t0_);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    histories_[i].add(time, static_cast<double>(values[i]), static_cast<double>(values[i] - initial_[i]));
  }
  if (has_energy_) energy_now_ = static_cast<double>(values[0]);
  if (layout_.work_count > 0) {
    const T work = workspace[layout_.work()];
    work_now_ = static_cast<double>(work);
    balance_.add(time, static_cast<double>(values[0] - work), static_cast<double>(values[0] - initial_[0] - work));
  }
  constraint_now_ = 0;
  for (std::size_t r = 0; r < largest_residual_.size(); ++r) {
    const double k = std::fabs(static_cast<double>(values[names_.size() + r]));
    largest_residual_[r] = std::max(largest_residual_[r], k);
    if (r < constraint_count_) constraint_now_ = std::max(constraint_now_, k);
  }
}

template <class T>
bool Monitor<T>::is_kept(const T* workspace, std::size_t r, double residual, T t) {
  read(sizes_, workspace, workspace[layout_.t]);
  sizes_.set(3, workspace[layout_.h]).run();
  const double size = static_cast<double>(sizes_.output(0)[r]);
  const double units = residual / (static_cast<double>(epsilon<T>()) * size);
  if (!std::isfinite(units) || units <= notable_residual) return true;
  if (excuse_.empty() && units > largest_residual) {
    what_ = fmt::format("constraint {} is violated by {:.1e}", residual_names_[r], residual);
    return false;
  }
  if (!warnings_.empty()) return true;
  warnings_.push_back({"constraints",
                       fmt::format("constraints are not at rounding error: {} has the residual {:.1e} at t = {}; {}",
                                   residual_names_[r], residual, to_short_text(static_cast<double>(t)),
                                   excuse_.empty() ? "use a smaller step" : excuse_),
                       static_cast<double>(t)});
  return true;
}

template <class T>
void Monitor<T>::fill(Trajectory& trajectory, const System& system) const {
  const double none = std::numeric_limits<double>::quiet_NaN();
  trajectory.energy = has_energy_ ? histories_[0].result("energy") : Monitored{"energy", none, none, none, none};
  trajectory.has_work = layout_.work_count > 0;
  trajectory.balance = trajectory.has_work ? balance_.result("energy without work") : trajectory.energy;
  for (std::size_t i = has_energy_ ? 1 : 0; i < names_.size(); ++i) {
    trajectory.invariants.push_back(histories_[i].result(names_[i]));
  }
  const std::size_t velocities = system.constraints().size(), positions = system.holonomic().size();
  for (std::size_t r = 0; r < velocities; ++r) {
    trajectory.constraints.push_back({system.constraints()[r].text, largest_residual_[r]});
    trajectory.max_constraint = std::max(trajectory.max_constraint, largest_residual_[r]);
  }
  for (std::size_t r = 0; r < positions; ++r) {
    const double g = largest_residual_[velocities + r], rate = largest_residual_[velocities + positions + r];
    trajectory.holonomic.push_back({system.holonomic()[r].text, g, rate});
    trajectory.max_holonomic = std::max(trajectory.max_holonomic, g);
    trajectory.max_holonomic_rate = std::max(trajectory.max_holonomic_rate, rate);
  }
  trajectory.has_rotations = constraint_count_ < largest_residual_.size();
  for (std::size_t r = constraint_count_; r < largest_residual_.size(); ++r) {
    trajectory.max_group_defect = std::max(trajectory.max_group_defect, largest_residual_[r]);
  }
}

template <class T>
T Monitor<T>::error(T* workspace, T t) const {
  read(exact_, workspace, t);
  exact_.run();
  T largest = 0;
  for (std::size_t i = 0; i < exact_coordinates_.size(); ++i) {
    const T difference = workspace[layout_.state + exact_coordinates_[i]] - exact_.output(0)[i];
    const T size = difference < 0 ? -difference : difference;
    if (!(size <= largest)) largest = size;
  }
  return largest;
}

template class Monitor<double>;
template class Monitor<long double>;
template class Monitor<quad>;

}  // namespace noslip
