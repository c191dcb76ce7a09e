#include "ensemble/lane_runner.hpp"

#include <algorithm>
#include <utility>

namespace noslip {

namespace {

/// Steps between two looks at the lanes: often enough to find failures and to be stopped, too rarely to cost anything.
constexpr long long steps_at_once = 256;

}  // namespace

LaneRunner::LaneRunner(const EnsemblePlan& plan, std::shared_ptr<const ProgramData<double>> program)
    : plan_(plan),
      program_(std::move(program)),
      functions_(plan, *program_),
      tools_(borrow_tools<double>(program_, functions_.extra_slots)) {
  const auto add = [&](LaneStepper<double>& stepper) {
    groups_.push_back(std::make_unique<LaneGroup>(plan, *program_, functions_, stepper));
  };
  add(*tools_->stepper);
  if (plan.block < 2 * static_cast<std::size_t>(plan.lanes) || program_->steps->loop_of_two() == nullptr) return;
  second_ = tools_->new_stepper();
  add(*second_);
  pair_.emplace(*tools_->stepper, *second_);
}

template <class Each>
std::span<Each> LaneRunner::part(std::span<Each> all, std::size_t group) const {
  const auto lanes = static_cast<std::size_t>(plan_.lanes);
  const std::size_t first = std::min(all.size(), group * lanes);
  return all.subspan(first, std::min(lanes, all.size() - first));
}

std::vector<bool> LaneRunner::find_certain(std::span<const Start<double>> starts) {
  std::vector<bool> certain;
  for (std::size_t g = 0; g < groups_.size() && certain.size() < starts.size(); ++g) {
    groups_[g]->set(part(starts, g));
    const std::vector<bool> some = groups_[g]->find_certain();
    certain.insert(certain.end(), some.begin(), some.end());
  }
  return certain;
}

void LaneRunner::advance(std::span<LaneGroup*> groups, long long first, long long count) {
  const long long whole = std::clamp(plan_.count.whole - first, 0LL, count);
  if (whole > 0 && groups.size() == 2) {
    pair_->advance(plan_.t0, plan_.h, first, whole);
  } else if (whole > 0) {
    groups.front()->stepper().advance(plan_.t0, plan_.h, first, whole);
  }
  for (long long i = first + whole; i < first + count; ++i) {
    const double t = plan_.time_after(i);
    for (LaneGroup* group : groups) group->stepper().step(t, plan_.time_after(i + 1) - t);
  }
}

bool LaneRunner::make_first_step(std::span<LaneGroup*> groups, std::span<const Start<double>> starts) {
  if (!program_->is_fused()) return false;
  bool counts = plan_.count.whole > 0;
  for (LaneGroup* group : groups) counts &= group->make_first_step();
  for (std::size_t g = 0; g < groups.size() && !counts; ++g) groups[g]->start_again(part(starts, g));
  return counts;
}

std::vector<bool> LaneRunner::run(std::span<const Start<double>> starts, std::span<double* const> values,
                                  const GoesOn& goes_on) {
  std::vector<LaneGroup*> groups;
  for (std::size_t g = 0; g < groups_.size() && !part(starts, g).empty(); ++g) {
    groups.push_back(groups_[g].get());
    groups.back()->set(part(starts, g));
    groups.back()->begin_watch();
  }
  const auto moving = [&] {
    std::size_t count = 0;
    for (const LaneGroup* group : groups) count += group->moving();
    return static_cast<long long>(count);
  };
  const long long every = plan_.options.run.every, all = plan_.steps(), members = moving();
  long long done = 0, watched = 0, next_row = every > 0 ? every : all;
  std::size_t row = 0;
  bool goes = goes_on(0);
  const auto store = [&] {
    for (std::size_t g = 0; g < groups.size(); ++g) groups[g]->store(row, plan_.time_after(done), part(values, g));
    ++row;
  };
  const auto look = [&] {
    const bool is_row = done == next_row || done == all, is_time = done - watched >= steps_at_once || done == all;
    if (!is_row && !is_time) return;
    for (LaneGroup* group : groups) group->evaluate(plan_.time_after(done));
    if (is_row) {
      store();
      next_row += every;
    }
    if (!is_time) return;
    for (LaneGroup* group : groups) group->watch();
    goes = goes_on((done - watched) * members);
    watched = done;
  };
  if (every > 0) store();
  if (make_first_step(groups, starts)) {
    done = 1;
    look();
  }
  while (done < all && goes && moving() > 0) {
    const long long steps = std::min({steps_at_once, next_row - done, all - done});
    advance(groups, done, steps);
    done += steps;
    look();
  }
  is_complete_ = goes || done == all;
  std::vector<bool> doubtful;
  for (const LaneGroup* group : groups) {
    doubtful.insert(doubtful.end(), group->doubtful().begin(), group->doubtful().end());
  }
  return doubtful;
}

}  // namespace noslip
