#include "ensemble/lane_group.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace noslip {

namespace {

// What makes a member doubtful. Constraints: beside the largest number of the state. Energy: beside what there is of it.
constexpr double doubtful_residual = 1e-10, doubtful_defect = 1e-8, doubtful_energy = 0.1;

}  // namespace

LaneGroup::LaneGroup(const EnsemblePlan& plan, const ProgramData<double>& program, const LaneFunctions& functions,
                     LaneStepper<double>& stepper)
    : plan_(plan),
      program_(program),
      functions_(functions),
      stepper_(stepper),
      scratch_(functions.scratch_size),
      state_(program.recipe.state.size()) {
  const auto lanes = static_cast<std::size_t>(plan.lanes);
  for (std::vector<double>* values : {&balance_, &most_kinetic_, &most_speed_}) values->resize(lanes);
  doubtful_.reserve(lanes);
  stepper.prepare_to_advance();
}

std::size_t LaneGroup::moving() const {
  return static_cast<std::size_t>(std::count(doubtful_.begin(), doubtful_.end(), false));
}

void LaneGroup::set(std::span<const Start<double>> starts) {
  used_ = starts.size();
  doubtful_.assign(used_, false);
  set_lanes(starts);
}

/// Lanes that have no member of their own do what another one does.
void LaneGroup::set_lanes(std::span<const Start<double>> starts) {
  const auto some =
      static_cast<std::size_t>(std::find(doubtful_.begin(), doubtful_.end(), false) - doubtful_.begin());
  for (int l = 0; l < plan_.lanes; ++l) {
    const auto own = static_cast<std::size_t>(l);
    const Start<double>& start = starts[own < used_ && !doubtful_[own] ? own : some];
    stepper_.set_parameters(l, start.parameters);
    stepper_.set_state(l, start.state);
  }
}

std::vector<bool> LaneGroup::find_certain() {
  std::vector<bool> certain(used_, functions_.margin_count > 0);
  if (functions_.margin_count == 0) return certain;
  const auto lanes = static_cast<std::size_t>(plan_.lanes);
  double* const workspace = stepper_.workspace();
  std::fill_n(workspace + static_cast<std::size_t>(program_.layout().t) * lanes, lanes, plan_.t0);
  functions_.margins(workspace, scratch_.data());
  for (std::size_t l = 0; l < used_; ++l) {
    for (std::size_t i = 0; i < functions_.margin_count; ++i) {
      certain[l] = certain[l] && slot(functions_.margin_slot + i, l) >= 0;
    }
  }
  return certain;
}

bool LaneGroup::make_first_step() {
  stepper_.step(plan_.t0, plan_.h);
  bool are_suited = true;
  for (std::size_t l = 0; l < used_; ++l) {
    if (!stepper_.has_pivoted(static_cast<int>(l))) continue;
    doubtful_[l] = true;
    are_suited = false;
  }
  return are_suited;
}

void LaneGroup::start_again(std::span<const Start<double>> starts) {
  if (moving() > 0) set_lanes(starts);
}

double LaneGroup::balance(std::size_t lane) const {
  if (!program_.monitored.has_energy) return 0;
  const StepLayout& layout = program_.layout();
  const double work = layout.work_count > 0 ? slot(static_cast<std::size_t>(layout.work()), lane) : 0;
  return slot(static_cast<std::size_t>(layout.size), lane) - work;
}

void LaneGroup::begin_watch() {
  std::fill(most_kinetic_.begin(), most_kinetic_.end(), 0.0);
  std::fill(most_speed_.begin(), most_speed_.end(), 0.0);
  std::fill(balance_.begin(), balance_.end(), std::numeric_limits<double>::quiet_NaN());
  evaluate(plan_.t0);
  watch();
}

void LaneGroup::evaluate(double t) {
  const auto lanes = static_cast<std::size_t>(plan_.lanes);
  double* const workspace = stepper_.workspace();
  std::fill_n(workspace + static_cast<std::size_t>(program_.layout().t) * lanes, lanes, t);
  program_.monitored.in_workspace(workspace, scratch_.data());
}

void LaneGroup::watch() {
  const MonitorFunctions<double>& monitored = program_.monitored;
  const StepLayout& layout = program_.layout();
  functions_.kinetic(stepper_.workspace(), scratch_.data());
  const auto state = static_cast<std::size_t>(layout.state), count = static_cast<std::size_t>(layout.state_count);
  const std::size_t residuals = static_cast<std::size_t>(layout.size) + monitored.names.size();
  const bool keeps_constraints = program_.method->traits().keeps_constraints && plan_.options.run.tolerance == 0;
  for (std::size_t l = 0; l < used_; ++l) {
    if (doubtful_[l]) continue;
    bool is_good = !stepper_.failed(static_cast<int>(l));
    double largest = most_speed_[l];
    for (std::size_t i = 0; i < count; ++i) {
      const double size = std::fabs(slot(state + i, l));
      is_good &= size - size == 0;
      largest = std::max(largest, size);
    }
    most_speed_[l] = largest;
    for (std::size_t i = 0; i < monitored.slots(); ++i) {
      const double value = slot(static_cast<std::size_t>(layout.size) + i, l);
      is_good &= value - value == 0;
    }
    for (std::size_t r = 0; r < monitored.residual_names.size(); ++r) {
      const bool is_constraint = r < monitored.constraint_count;
      const double allowed = is_constraint ? doubtful_residual * largest : doubtful_defect;
      if (keeps_constraints || !is_constraint) is_good &= std::fabs(slot(residuals + r, l)) <= allowed;
    }
    const double now = balance(l);
    most_kinetic_[l] = std::max(most_kinetic_[l], slot(functions_.kinetic_slot, l));
    if (std::isnan(balance_[l])) balance_[l] = now;
    is_good &= std::fabs(now - balance_[l]) <= doubtful_energy * (std::fabs(balance_[l]) + most_kinetic_[l]);
    doubtful_[l] = !is_good;
  }
}

/// The state with angles that go on beyond a turn, behind the workspace of the stepper.
void LaneGroup::unfold() {
  const auto lanes = static_cast<std::size_t>(plan_.lanes);
  const std::size_t count = state_size(plan_.system);
  double* const workspace = stepper_.workspace();
  double* const whole = workspace + functions_.whole_slot * lanes;
  if (!stepper_.has_angles()) {
    std::copy_n(workspace + static_cast<std::size_t>(program_.layout().state) * lanes, count * lanes, whole);
    return;
  }
  for (std::size_t l = 0; l < lanes; ++l) {
    stepper_.copy_state(static_cast<int>(l), state_);
    for (std::size_t i = 0; i < count; ++i) whole[i * lanes + l] = state_[i];
  }
}

void LaneGroup::store(std::size_t row, double t, std::span<double* const> values) {
  using Kind = LaneFunctions::Source::Kind;
  unfold();
  if (functions_.has_functions) functions_.functions(stepper_.workspace(), scratch_.data());
  const auto energy = static_cast<std::size_t>(program_.layout().size);
  for (std::size_t l = 0; l < used_; ++l) {
    if (doubtful_[l]) continue;
    for (std::size_t c = 0; c < functions_.sources.size(); ++c) {
      const LaneFunctions::Source& source = functions_.sources[c];
      double& value = values[l][c * plan_.rows() + row];
      switch (source.kind) {
        case Kind::time: value = t; break;
        case Kind::state: value = slot(functions_.whole_slot + source.index, l); break;
        case Kind::workspace: value = slot(source.index, l); break;
        case Kind::energy: value = slot(energy, l); break;
      }
    }
  }
}

}  // namespace noslip
