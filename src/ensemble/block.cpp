#include "ensemble/block.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "run/monitor_functions.hpp"

namespace noslip {

namespace {

/// Steps between two looks at the lanes: often enough to find failures and to be stopped, too rarely to cost anything.
constexpr long long steps_at_once = 256;

Function<double> quantities_of(const System& system, const StepLayout& layout, const EnsembleOptions& options,
                               int lanes, bool machine_code) {
  const std::vector<PlacedBlock> inputs = inputs_of(system, layout);
  const std::vector<PlacedBlock> outputs{{options.quantities, static_cast<std::size_t>(layout.size)}};
  return Function<double>(inputs, outputs, machine_code ? Backend::automatic : Backend::interpreter, lanes);
}

}  // namespace

RunOptions options_of_run(const EnsembleOptions& options) {
  RunOptions run;
  run.method = options.method;
  run.step = options.step;
  run.until = options.until;
  run.steps = options.steps;
  run.every = options.every;
  run.set = options.set;
  run.control.inputs = options.inputs;
  run.project = options.project;
  run.backend = options.backend;
  run.tolerance = options.tolerance;
  return run;
}

double EnsemblePlan::time_after(long long step) const {
  if (step == steps() && options.steps == 0) return options.until;
  return count.time(step, t0, options.step, options.until);
}

BlockRunner::BlockRunner(const EnsemblePlan& plan, int lanes, std::size_t suited, Order order)
    : plan_(plan),
      setup_(plan.system, &plan.members[suited], options_of_run(plan.options), lanes, plan.options.quantities.size(), false,
             order),
      function_(quantities_of(plan.system, setup_.layout(), plan.options, lanes, setup_.program->steps->is_machine_code)),
      scratch_(function_.scratch_size()),
      quantities_(plan.options.quantities.size()),
      state_(setup_.start.state.size()),
      good_(lanes, state_),
      failed_(lanes, false),
      lanes_(lanes),
      order_(order) {
  setup_.stepper->prepare_to_advance();
}

bool BlockRunner::is_alive() const {
  return std::any_of(failed_.begin(), failed_.begin() + static_cast<std::ptrdiff_t>(used_), [](bool f) { return !f; });
}

void BlockRunner::remember(double t) {
  t_good_ = t;
  for (std::size_t l = 0; l < used_; ++l) {
    if (!failed_[l]) setup_.stepper->copy_state(static_cast<int>(l), good_[l]);
  }
}

bool BlockRunner::is_finite(int lane) {
  setup_.stepper->copy_state(lane, state_);
  return std::all_of(state_.begin(), state_.end(), [](double x) { return std::isfinite(x); });
}

void BlockRunner::mark_failures(Ensemble& result, double t_end) {
  for (std::size_t l = 0; l < used_; ++l) {
    if (failed_[l]) continue;
    const bool has_failed = setup_.stepper->failed(static_cast<int>(l));
    if (!has_failed && is_finite(static_cast<int>(l))) continue;
    failed_[l] = true;
    const bool iterates = !setup_.program->steps->is_explicit();
    Member& member = result.members[first_ + l];
    member.t = t_good_;
    member.outcome = {Status::failed,
                      fmt::format("{} between t = {} and t = {} with step {}; try a smaller step",
                                  has_failed && iterates ? "Newton did not converge" : "a value is not finite any more",
                                  to_short_text(t_good_), to_short_text(t_end), to_short_text(plan_.options.step))};
  }
}

void BlockRunner::look(std::size_t row, double t, Ensemble& result) {
  const EnsembleOptions& options = plan_.options;
  const StepLayout& layout = setup_.layout();
  double* const workspace = setup_.stepper->workspace();
  for (int l = 0; l < lanes_; ++l) workspace[static_cast<std::size_t>(layout.t) * lanes_ + l] = t;
  if (!options.quantities.empty()) function_(workspace, scratch_.data());
  for (std::size_t l = 0; l < used_; ++l) {
    if (failed_[l]) continue;
    const std::size_t member = first_ + l;
    for (std::size_t i = 0; i < quantities_.size(); ++i) {
      quantities_[i] = workspace[(static_cast<std::size_t>(layout.size) + i) * lanes_ + l];
      if (options.keep) result.values[i][row * result.members.size() + member] = quantities_[i];
    }
    if (!options.observer) continue;
    setup_.stepper->copy_state(static_cast<int>(l), state_);
    const std::span<const double> state(state_);
    options.observer(
        {member, row, t, state.first(plan_.positions), state.subspan(plan_.positions, plan_.velocities), quantities_});
  }
}

/// Lanes that have no member of their own do what another one does.
void BlockRunner::set_states(const std::vector<bool>& are_left_out) {
  const auto some = static_cast<std::size_t>(std::find(are_left_out.begin(), are_left_out.end(), false) -
                                             are_left_out.begin());
  for (std::size_t l = 0; l < static_cast<std::size_t>(lanes_); ++l) {
    const bool is_used = l < used_ && !are_left_out[l];
    setup_.stepper->set_state(static_cast<int>(l), plan_.starts[first_ + (is_used ? l : some)]);
  }
}

std::vector<bool> BlockRunner::find_unsuited() {
  std::vector<bool> unsuited(used_, false);
  const bool is_of_first_member = setup_.program->key.order_at.has_value();  // there is no state of reference
  if (order_ == Order::as_usual && is_of_first_member) return std::vector<bool>(used_, true);
  if (order_ == Order::suits || !setup_.program->is_fused()) return unsuited;
  set_states(unsuited);
  setup_.stepper->step(plan_.t0, plan_.options.step);
  for (std::size_t l = 0; l < used_; ++l) unsuited[l] = setup_.stepper->has_pivoted(static_cast<int>(l));
  return unsuited;
}

void BlockRunner::run(std::size_t first, Ensemble& result, const std::function<bool(long long)>& goes_on) {
  LaneStepper<double>& stepper = *setup_.stepper;
  first_ = first;
  used_ = std::min(static_cast<std::size_t>(lanes_), result.members.size() - first);
  const std::vector<bool> unsuited = find_unsuited();
  const auto moving = std::count(unsuited.begin(), unsuited.end(), false);
  if (moving > 0) set_states(unsuited);
  std::copy(unsuited.begin(), unsuited.end(), failed_.begin());
  const long long every = plan_.options.every, all = plan_.steps();
  std::size_t row = 0;
  bool stopped = !goes_on(0);
  if (every > 0) look(row++, plan_.t0, result);
  long long done = 0;
  for (remember(plan_.t0); done < all && !stopped && is_alive(); remember(plan_.time_after(done))) {
    const long long next_row = every > 0 ? (done / every + 1) * every : all;
    const long long count = std::min({steps_at_once, next_row - done, all - done});
    const long long whole = std::clamp(plan_.count.whole - done, 0LL, count);
    if (whole > 0) stepper.advance(plan_.t0, plan_.options.step, done, whole);
    for (long long i = done + whole; i < done + count; ++i) {
      stepper.step(plan_.time_after(i), plan_.time_after(i + 1) - plan_.time_after(i));
    }
    done += count;
    mark_failures(result, plan_.time_after(done));
    if (every > 0 && (done == next_row || done == all)) look(row++, plan_.time_after(done), result);
    stopped = !goes_on(count * moving);
  }
  for (std::size_t l = 0; l < used_; ++l) {
    if (unsuited[l]) {
      BlockRunner(plan_, 1, first + l, Order::suits).run(first + l, result, goes_on);
      continue;
    }
    Member& member = result.members[first + l];
    if (!failed_[l]) member.t = t_good_;
    if (!failed_[l] && stopped) {
      member.outcome = {Status::interrupted, fmt::format("interrupted after {} of {} steps", done, all)};
    }
    const auto q = good_[l].begin(), v = q + static_cast<std::ptrdiff_t>(plan_.positions);
    member.q.assign(q, v);
    member.v.assign(v, v + static_cast<std::ptrdiff_t>(plan_.velocities));
  }
}

}  // namespace noslip
