#include "ensemble/lane_runner.hpp"

#include <algorithm>
#include <cmath>

#include "run/monitor_functions.hpp"

namespace noslip {

namespace {

/// Steps between two looks at the lanes: often enough to find failures and to be stopped, too rarely to cost anything.
constexpr long long steps_at_once = 256;

// What makes a member doubtful. Constraints: beside the largest number of the state. Energy: beside what there is of it.
constexpr double doubtful_residual = 1e-10, doubtful_defect = 1e-8, doubtful_energy = 0.1;

/// Sum of |p v|/2: a size of the kinetic energy that does not cancel.
Expr kinetic_size(const System& system, Graph& graph) {
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < system.momenta().size() && i < system.v().size(); ++i) {
    terms.push_back(abs(graph.counterpart(system.momenta()[i]) * graph.counterpart(system.v()[i])));
  }
  return terms.empty() ? graph.constant(0) : sum(graph, terms) / Number(2);
}

std::size_t state_size(const System& system) { return system.q().size() + system.v().size() + system.z().size(); }

/// The functions among the columns.
std::vector<Expr> functions_of(const EnsemblePlan& plan, Graph& graph) {
  std::vector<Expr> functions;
  for (const Column& column : plan.table.columns) {
    if (column.kind == ColumnKind::expression) functions.push_back(plan.system.expression(graph, column.text, "column"));
  }
  return functions;
}

std::size_t extra_slots(const EnsemblePlan& plan) {
  return 1 + state_size(plan.system) + plan.table.columns.size();
}

RunSetup<double> setup_for(const EnsemblePlan& plan, std::size_t member) {
  std::vector<double> values(plan.starts.names().size());
  plan.starts.read(member, 1, values.data());
  return RunSetup<double>(plan.system, plan.starts.state(member), plan.starts.run(values.data()), plan.lanes,
                          extra_slots(plan), false, Order::as_usual);
}

}  // namespace

LaneRunner::LaneRunner(const EnsemblePlan& plan, std::size_t first)
    : plan_(plan), setup_(setup_for(plan, first)), state_(setup_.start.state.size()) {
  const System& system = plan.system;
  const StepLayout& layout = setup_.layout();
  const auto lanes = static_cast<std::size_t>(plan.lanes);
  first_slot_ = static_cast<std::size_t>(layout.size) + setup_.program->monitored.slots();
  const std::size_t whole_state = first_slot_ + 1, outputs = whole_state + state_size(system);
  const Backend backend = setup_.program->steps->is_machine_code ? Backend::automatic : Backend::interpreter;
  Graph graph(system.graph());
  const std::vector<PlacedBlock> in_workspace = inputs_of(system, layout);
  const std::vector<PlacedBlock> size{{{kinetic_size(system, graph)}, first_slot_}};
  kinetic_ = Function<double>(in_workspace, size, backend, plan.lanes);

  const std::vector<Expr> functions = functions_of(plan, graph);
  if (!functions.empty()) {
    std::vector<PlacedBlock> inputs = in_workspace;
    inputs.back().slot = whole_state;
    functions_ = Function<double>(inputs, std::vector<PlacedBlock>{{functions, outputs}}, backend, plan.lanes);
  }
  std::size_t next = outputs;
  for (const Column& column : plan.table.columns) {
    using Kind = Source::Kind;
    switch (column.kind) {
      case ColumnKind::time: sources_.push_back({Kind::time}); break;
      case ColumnKind::coordinate: sources_.push_back({Kind::state, column.index}); break;
      case ColumnKind::velocity: sources_.push_back({Kind::state, system.q().size() + column.index}); break;
      case ColumnKind::energy: sources_.push_back({Kind::energy}); break;
      case ColumnKind::work: sources_.push_back({Kind::workspace, static_cast<std::size_t>(layout.work())}); break;
      case ColumnKind::input:
        sources_.push_back({Kind::workspace, static_cast<std::size_t>(layout.parameters) +
                                                 system.parameters().size() + column.index});
        break;
      default: sources_.push_back({Kind::workspace, next++}); break;
    }
  }
  const MonitorFunctions<double>& monitored = setup_.program->monitored;
  scratch_.resize(std::max({monitored.in_workspace.scratch_size(), kinetic_.scratch_size(), functions_.scratch_size()}));
  balance_.resize(lanes);
  most_kinetic_.resize(lanes);
  most_speed_.resize(lanes);
  doubtful_.resize(lanes);
  setup_.stepper->prepare_to_advance();
}

bool LaneRunner::is_alive() const {
  return std::any_of(doubtful_.begin(), doubtful_.begin() + static_cast<std::ptrdiff_t>(used_), [](bool d) { return !d; });
}

/// Lanes that have no member of their own do what another one does.
void LaneRunner::set_lanes(std::span<const Start<double>> starts) {
  const auto some = static_cast<std::size_t>(
      std::find(doubtful_.begin(), doubtful_.begin() + static_cast<std::ptrdiff_t>(used_), false) - doubtful_.begin());
  for (std::size_t l = 0; l < doubtful_.size(); ++l) {
    const Start<double>& start = starts[l < used_ && !doubtful_[l] ? l : some];
    setup_.stepper->set_parameters(static_cast<int>(l), start.parameters);
    setup_.stepper->set_state(static_cast<int>(l), start.state);
  }
}

/// The first step tells for which lanes the order of elimination is bad.
void LaneRunner::find_unsuited() {
  if (setup_.program->key.order_at) {  // there is no state of reference
    std::fill(doubtful_.begin(), doubtful_.end(), true);
    return;
  }
  if (!setup_.program->is_fused()) return;
  setup_.stepper->step(plan_.t0, plan_.h);
  for (std::size_t l = 0; l < used_; ++l) doubtful_[l] = setup_.stepper->has_pivoted(static_cast<int>(l));
}

double LaneRunner::balance(std::size_t lane) const {
  if (!setup_.program->monitored.has_energy) return 0;
  const StepLayout& layout = setup_.layout();
  const double work = layout.work_count > 0 ? slot(static_cast<std::size_t>(layout.work()), lane) : 0;
  return slot(static_cast<std::size_t>(layout.size), lane) - work;
}

void LaneRunner::start_watch() {
  std::fill(most_kinetic_.begin(), most_kinetic_.end(), 0.0);
  std::fill(most_speed_.begin(), most_speed_.end(), 0.0);
  std::fill(balance_.begin(), balance_.end(), std::numeric_limits<double>::quiet_NaN());
  evaluate(plan_.t0);
  watch();
}

void LaneRunner::evaluate(double t) {
  const auto lanes = static_cast<std::size_t>(plan_.lanes);
  double* const workspace = setup_.stepper->workspace();
  std::fill_n(workspace + static_cast<std::size_t>(setup_.layout().t) * lanes, lanes, t);
  setup_.program->monitored.in_workspace(workspace, scratch_.data());
}

void LaneRunner::watch() {
  const MonitorFunctions<double>& monitored = setup_.program->monitored;
  const StepLayout& layout = setup_.layout();
  kinetic_(setup_.stepper->workspace(), scratch_.data());
  const auto state = static_cast<std::size_t>(layout.state), count = static_cast<std::size_t>(layout.state_count);
  const std::size_t residuals = static_cast<std::size_t>(layout.size) + monitored.names.size();
  const bool keeps_constraints = setup_.program->method->traits().keeps_constraints && plan_.options.run.tolerance == 0;
  for (std::size_t l = 0; l < used_; ++l) {
    if (doubtful_[l]) continue;
    bool is_good = !setup_.stepper->failed(static_cast<int>(l));
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
    most_kinetic_[l] = std::max(most_kinetic_[l], slot(first_slot_, l));
    if (std::isnan(balance_[l])) balance_[l] = now;
    is_good &= std::fabs(now - balance_[l]) <= doubtful_energy * (std::fabs(balance_[l]) + most_kinetic_[l]);
    doubtful_[l] = !is_good;
  }
}

/// The state with angles that go on beyond a turn, behind the workspace of the stepper.
void LaneRunner::unfold() {
  const auto lanes = static_cast<std::size_t>(plan_.lanes);
  double* const whole = setup_.stepper->workspace() + (first_slot_ + 1) * lanes;
  const std::size_t count = state_size(plan_.system);
  for (std::size_t l = 0; l < lanes; ++l) {
    setup_.stepper->copy_state(static_cast<int>(l), state_);
    for (std::size_t i = 0; i < count; ++i) whole[i * lanes + l] = state_[i];
  }
}

void LaneRunner::store(std::size_t row, double t, std::span<double* const> values) {
  unfold();
  if (functions_.scratch_size() > 0 || functions_.workspace_size() > 0) {
    functions_(setup_.stepper->workspace(), scratch_.data());
  }
  const auto energy = static_cast<std::size_t>(setup_.layout().size);
  for (std::size_t l = 0; l < used_; ++l) {
    if (doubtful_[l]) continue;
    for (std::size_t c = 0; c < sources_.size(); ++c) {
      double& value = values[l][c * plan_.rows() + row];
      switch (sources_[c].kind) {
        case Source::Kind::time: value = t; break;
        case Source::Kind::state: value = slot(first_slot_ + 1 + sources_[c].index, l); break;
        case Source::Kind::workspace: value = slot(sources_[c].index, l); break;
        case Source::Kind::energy: value = slot(energy, l); break;
      }
    }
  }
}

std::vector<bool> LaneRunner::run(std::span<const Start<double>> starts, std::span<double* const> values,
                                  const GoesOn& goes_on) {
  LaneStepper<double>& stepper = *setup_.stepper;
  used_ = starts.size();
  std::fill(doubtful_.begin(), doubtful_.end(), false);
  set_lanes(starts);
  find_unsuited();
  if (is_alive()) set_lanes(starts);
  const auto moving = std::count(doubtful_.begin(), doubtful_.begin() + static_cast<std::ptrdiff_t>(used_), false);
  start_watch();
  const long long every = plan_.options.run.every, all = plan_.steps();
  std::size_t row = 0;
  if (every > 0) store(row++, plan_.t0, values);
  long long done = 0, watched = 0;
  bool goes = goes_on(0);
  while (done < all && goes && is_alive()) {
    const long long next_row = every > 0 ? (done / every + 1) * every : all;
    const long long steps = std::min({steps_at_once, next_row - done, all - done});
    const long long whole = std::clamp(plan_.count.whole - done, 0LL, steps);
    if (whole > 0) stepper.advance(plan_.t0, plan_.h, done, whole);
    for (long long i = done + whole; i < done + steps; ++i) {
      stepper.step(plan_.time_after(i), plan_.time_after(i + 1) - plan_.time_after(i));
    }
    done += steps;
    evaluate(plan_.time_after(done));
    if (done == next_row || done == all) store(row++, plan_.time_after(done), values);
    if (done - watched < steps_at_once && done < all) continue;
    watch();
    goes = goes_on((done - watched) * moving);
    watched = done;
  }
  is_complete_ = goes || done == all;
  return {doubtful_.begin(), doubtful_.begin() + static_cast<std::ptrdiff_t>(used_)};
}

}  // namespace noslip
