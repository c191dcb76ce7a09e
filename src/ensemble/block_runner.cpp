#include "ensemble/block_runner.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "run/setup.hpp"
#include "run/step_grid.hpp"

namespace noslip {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

}  // namespace

BlockRunner::BlockRunner(const EnsemblePlan& plan)
    : plan_(plan),
      tools_(borrow_tools<double>(
          find_program<double>(
              {plan.system, {plan.options.run.method, plan.options.run.backend, plan.lanes, plan.options.run.tolerance}}),
          0)),
      given_(plan.starts.given_to_all()),
      names_(plan.starts.names().size()) {}

void BlockRunner::settle(Start<double>& start, std::vector<Warning>* announced) {
  settle_start(*tools_, plan_.options.run.project, start, accelerations_, multipliers_, announced);
}

bool BlockRunner::is_example(std::size_t member) {
  return member == 0 || (member >= 256 && (member & (member - 1)) == 0 && std::countr_zero(member) % 2 == 0);
}

void BlockRunner::announce(MemberBlock& block, std::size_t member, std::vector<Warning> warnings) {
  for (Warning& warning : warnings) {
    const bool is_known = std::any_of(block.warnings.begin(), block.warnings.end(),
                                      [&](const Warning& other) { return other.code == warning.code; });
    if (is_known) continue;
    warning.message.insert(0, plan_.starts.name_of(member) + ": ");
    block.warnings.push_back(std::move(warning));
  }
}

void BlockRunner::fail(MemberBlock& block, std::size_t member, double t, std::string message) {
  numbers_of(block, member)[plan_.table.member_columns.size() - 1] = 1;
  block.failures.push_back({member, t, std::move(message)});
}

std::optional<Start<double>> BlockRunner::given_start(MemberBlock& block, std::size_t member) {
  try {
    Start<double> start = plan_.starts.start(member, numbers_of(block, member), given_);
    start.state.reserve(tools_->program->recipe.state.size());
    return start;
  } catch (const InputError& error) {
    fail(block, member, plan_.t0, error.problems().front().what);
    return std::nullopt;
  }
}

bool BlockRunner::can_settle(MemberBlock& block, std::size_t member, Start<double>& start) {
  try {
    std::vector<Warning> announced;
    settle(start, &announced);
    announce(block, member, std::move(announced));
    return true;
  } catch (const InputError& error) {
    fail(block, member, plan_.t0, error.problems().front().what);
    return false;
  }
}

std::optional<MemberBlock> BlockRunner::run(std::size_t first, const GoesOn& goes_on) {
  MemberBlock block;
  block.first = first;
  block.count = std::min(plan_.block, plan_.end - block.first);
  const std::size_t names = names_, width = plan_.table.member_columns.size();
  std::vector<double> varied(block.count * names);
  plan_.starts.read(block.first, block.count, varied.data());
  block.of_member.assign(block.count * width, none);
  block.values.assign(block.count * plan_.table.columns.size() * plan_.rows(), none);
  for (std::size_t i = 0; i < block.count; ++i) {
    std::copy_n(varied.data() + i * names, names, block.of_member.data() + i * width);
    block.of_member[(i + 1) * width - 1] = 0;
  }
  is_ended_ = false;
  if (plan_.needs_runs || !tools_->program->steps) {  // without a state of reference lanes have no order in common
    for (std::size_t i = 0; i < block.count && !is_ended_; ++i) run_alone(block, block.first + i, goes_on);
  } else {
    run_in_lanes(block, goes_on);
  }
  if (is_ended_) return std::nullopt;
  return block;
}

void BlockRunner::run_in_lanes(MemberBlock& block, const GoesOn& goes_on) {
  if (!lanes_) lanes_.emplace(plan_, tools_->program);
  std::vector<std::size_t> alone;
  const std::size_t end = block.first + block.count;
  for (std::size_t member = block.first; member < end;) {
    starts_.clear();
    group_.clear();
    for (; member < end && group_.size() < lanes_->capacity(); ++member) {
      if (is_example(member)) {
        alone.push_back(member);
      } else if (std::optional<Start<double>> start = given_start(block, member)) {
        starts_.push_back(std::move(*start));
        group_.push_back(member);
      }
    }
    settle_group(block);
    if (group_.empty()) continue;
    values_.clear();
    for (const std::size_t each : group_) values_.push_back(values_of(block, each));
    const std::vector<bool> doubtful = lanes_->run(starts_, values_, goes_on);
    if (!lanes_->is_complete()) {
      is_ended_ = true;
      return;
    }
    for (std::size_t l = 0; l < group_.size(); ++l) {
      if (doubtful[l]) alone.push_back(group_[l]);
    }
    block.steps += plan_.steps() * std::count(doubtful.begin(), doubtful.end(), false);
  }
  std::sort(alone.begin(), alone.end());
  for (const std::size_t member : alone) {
    if (!is_ended_) run_alone(block, member, goes_on);
  }
  const auto is_before = [](const MemberFailure& a, const MemberFailure& b) { return a.member < b.member; };
  std::sort(block.failures.begin(), block.failures.end(), is_before);
}

void BlockRunner::settle_group(MemberBlock& block) {
  if (group_.empty()) return;
  // What the method adds to a state is zero where lanes can be certain (ProgramData::complete).
  const std::size_t given = starts_.front().state.size(), all = tools_->program->recipe.state.size();
  for (Start<double>& start : starts_) start.state.resize(all, 0.0);
  const std::vector<bool> certain = lanes_->find_certain(starts_);
  std::size_t left = 0;
  for (std::size_t i = 0; i < group_.size(); ++i) {
    if (!certain[i]) {
      starts_[i].state.resize(given);
      if (!can_settle(block, group_[i], starts_[i])) continue;
    }
    if (left != i) starts_[left] = std::move(starts_[i]);
    group_[left++] = group_[i];
  }
  group_.resize(left);
  starts_.resize(left);
}

void BlockRunner::run_alone(MemberBlock& block, std::size_t member, const GoesOn& goes_on) {
  std::optional<Start<double>> start = given_start(block, member);
  if (!start || !can_settle(block, member, *start)) return;
  double* const numbers = numbers_of(block, member);
  double* const values = values_of(block, member);
  const std::size_t count = plan_.table.columns.size() * plan_.rows();
  std::fill_n(values, count, none);
  RunOptions options = plan_.starts.run(numbers);
  const std::vector<double> parameters = plan_.system.parameter_values(options.set);
  RowReader read(plan_.system, plan_.table.columns, parameters);
  std::size_t row = 0;
  std::optional<double> missed;  // the time of a row that was left out
  const double rounding = moment(std::max(std::fabs(plan_.t0), std::fabs(plan_.table.times.back())));
  const auto store = [&](const Sample& sample) {
    if (missed || row == plan_.rows()) return;
    // Steps that begin where inputs change have the times of rows to rounding error. A member that ends early hands on
    // its last state, which belongs to no row.
    const double late = options.every > 0 ? sample.t - plan_.table.times[row] : 0;
    if (late > rounding) missed = plan_.table.times[row];
    if (std::fabs(late) > rounding) return;
    const std::span<const double> now = read(sample);
    for (std::size_t c = 0; c < now.size(); ++c) values[c * plan_.rows() + row] = now[c];
    ++row;
  };
  if (options.every > 0) options.sink = store;
  std::vector<long long> counts(options.events.size());
  std::vector<double> first(options.events.size(), none);
  options.event_sink = [&](const EventHit& hit) {
    const auto event = static_cast<std::size_t>(hit.event);
    if (counts[event]++ == 0) first[event] = hit.state.t;
  };
  long long told = 0;
  options.progress = [&](long long done, long long) {
    const bool goes = goes_on(done - told);
    told = done;
    return goes;
  };
  const InitialState* const state = plan_.starts.state(member);
  const Trajectory run =
      state != nullptr ? integrate(plan_.system, *state, options) : integrate(plan_.system, options);
  if (run.outcome.status == Status::interrupted) {
    is_ended_ = true;
    return;
  }
  goes_on(run.steps - told);
  block.steps += run.steps;
  const bool has_failed = run.outcome.status == Status::failed || run.stops_at_guard;
  if (options.every == 0 && !has_failed) store(run.last);
  for (std::size_t e = 0; e < counts.size(); ++e) {
    numbers[names_ + 2 * e] = static_cast<double>(counts[e]);
    numbers[names_ + 2 * e + 1] = first[e];
  }
  if (plan_.has_ends) numbers[plan_.table.member_columns.size() - 2] = run.last.t;
  if (missed) {
    fail(block, member, *missed,
         fmt::format("no row comes at t = {}, because steps are smaller where inputs change; choose a step that divides "
                     "the time between two changes",
                     to_short_text(*missed)));
  } else if (has_failed) {
    fail(block, member, run.last.t, run.outcome.message);
  }
  announce(block, member, run.warnings);
}

std::vector<Problem> BlockRunner::problems(std::size_t first, std::size_t count, std::size_t most) {
  std::vector<Problem> problems;
  constexpr std::size_t at_once = 256;
  std::vector<double> varied;
  for (std::size_t begin = first; begin < first + count && problems.size() < most; begin += at_once) {
    const std::size_t here = std::min(at_once, first + count - begin);
    varied.resize(here * names_);
    plan_.starts.read(begin, here, varied.data());
    for (std::size_t i = 0; i < here && problems.size() < most; ++i) {
      const double* const values = varied.data() + i * names_;
      const std::size_t before = problems.size();
      try {
        Start<double> start = plan_.starts.start(begin + i, values, given_);
        if (start.t != plan_.t0) {
          problems.push_back({"starts at t = " + to_text(start.t) + ", the first one at t = " + to_text(plan_.t0), {},
                              "give all members the same initial time"});
        } else {
          settle(start, nullptr);
        }
      } catch (const InputError& error) {
        problems.insert(problems.end(), error.problems().begin(), error.problems().end());
      }
      for (std::size_t p = before; p < problems.size(); ++p) {
        problems[p].what.insert(0, plan_.starts.name_of(begin + i) + ": ");
      }
    }
  }
  return problems;
}

}  // namespace noslip
