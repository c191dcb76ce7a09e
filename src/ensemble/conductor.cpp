#include "ensemble/conductor.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace noslip {

namespace {

/// Blocks that may wait for a slow one, for each that is under way.
constexpr std::size_t blocks_ahead = 4;
constexpr std::size_t most_waiting_bytes = 64 << 20;

/// Members: all workers are busy, and a few blocks wait, if they are not too large.
std::size_t window_of(const EnsemblePlan& plan, std::size_t workers) {
  const std::size_t fitting = most_waiting_bytes / (plan.block * plan.bytes_of_member());
  return std::clamp(fitting, workers, workers * blocks_ahead + 1) * plan.block;
}

}  // namespace

Conductor::Conductor(const EnsemblePlan& plan, Ensemble& result, std::size_t workers)
    : plan_(plan),
      result_(result),
      window_(window_of(plan, workers)),
      next_(plan.first),
      passed_(plan.first),
      last_checkpoint_(Clock::now()) {
  result_.reduced = Reducer(plan.options.reductions, plan.rows());
  if (plan.options.from.empty()) return;
  ByteReader bytes(plan.options.from);
  Archive archive(bytes);
  carry(archive);
  next_ = passed_;
  result_.earlier = passed_ - plan.first;
  steps_ = result_.steps;
}

/// What was told so far, and of which ensemble.
void Conductor::carry(Archive& archive) {
  auto identity = plan_.identity();
  archive(identity);
  const auto here = plan_.identity();
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < here.size(); ++i) {
    if (i < identity.size() && identity[i].second == here[i].second) continue;
    problems.push_back({fmt::format("the checkpoint belongs to another ensemble: {} changed from '{}' to '{}'",
                                    here[i].first, i < identity.size() ? identity[i].second : "", here[i].second),
                        {},
                        "start it again, or give it what it was started with"});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  archive(passed_, result_.done, result_.failed, result_.steps, result_.failures, result_.warnings, result_.reduced);
}

std::optional<std::size_t> Conductor::next(bool waits) {
  std::unique_lock lock(mutex_);
  if (waits) changed_.wait(lock, [this] { return stopped_ || next_ >= plan_.end || !is_waiting_needed(); });
  if (stopped_ || next_ >= plan_.end || is_waiting_needed()) return std::nullopt;
  const std::size_t first = next_;
  next_ = std::min(plan_.end, next_ + plan_.block);
  return first;
}

bool Conductor::is_over() const {
  const std::lock_guard lock(mutex_);
  return stopped_ || passed_ >= plan_.end;
}

void Conductor::deliver(MemberBlock block) {
  std::unique_lock lock(mutex_);
  const std::size_t first = block.first;
  waiting_.emplace(first, std::move(block));
  if (is_passing_) return;  // another thread does it
  is_passing_ = true;
  try {
    while (!waiting_.empty() && waiting_.begin()->first == passed_ && !stopped_) {
      const MemberBlock now = std::move(waiting_.extract(waiting_.begin()).mapped());
      lock.unlock();
      pass_on(now);
      lock.lock();
      passed_ = now.first + now.count;
      changed_.notify_all();
      const double age = std::chrono::duration<double>(Clock::now() - last_checkpoint_).count();
      if (plan_.options.checkpoint && age >= plan_.options.checkpoint_every) checkpoint();
    }
    is_passing_ = false;
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    is_passing_ = false;
    throw;
  }
}

void Conductor::reduce(const MemberBlock& block) {
  const std::size_t rows = plan_.rows(), width = plan_.table.columns.size() * rows;
  std::vector<double> values(block.count);
  for (std::size_t e = 0; e < plan_.reduced_columns.size(); ++e) {
    for (std::size_t row = 0; row < rows; ++row) {
      const double* const first = block.values.data() + plan_.reduced_columns[e] * rows + row;
      for (std::size_t i = 0; i < block.count; ++i) values[i] = first[i * width];
      result_.reduced.add(row, e, values);
    }
  }
}

void Conductor::pass_on(const MemberBlock& block) {
  reduce(block);
  if (plan_.options.sink) {
    plan_.options.sink(block);
  } else {
    result_.member_values.insert(result_.member_values.end(), block.of_member.begin(), block.of_member.end());
    result_.values.insert(result_.values.end(), block.values.begin(), block.values.end());
  }
  result_.failed += block.failures.size();
  result_.done += block.count - block.failures.size();
  result_.steps += block.steps;
  for (const MemberFailure& failure : block.failures) {
    if (result_.failures.size() < Ensemble::most_failures) result_.failures.push_back(failure);
  }
  for (const Warning& warning : block.warnings) {
    const bool is_known = std::any_of(result_.warnings.begin(), result_.warnings.end(),
                                      [&](const Warning& other) { return other.code == warning.code; });
    if (!is_known) result_.warnings.push_back(warning);
  }
}

void Conductor::checkpoint() {
  ByteWriter bytes;
  Archive archive(bytes);
  carry(archive);
  plan_.options.checkpoint({passed_ - plan_.first, bytes.take()});
  last_checkpoint_ = Clock::now();
}

void Conductor::stop() {
  stopped_ = true;
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

bool Conductor::report(long long steps) {
  steps_ += steps;
  if (plan_.options.run.stop.stop_requested()) stop();
  if (!plan_.options.run.progress || stopped_) return !stopped_;
  const std::unique_lock lock(telling_, std::try_to_lock);
  if (!lock) return true;  // another thread is telling
  const Clock::time_point now = Clock::now();
  if (has_told_ && now - last_told_ < std::chrono::milliseconds(100)) return true;
  has_told_ = true;
  last_told_ = now;
  const long long all = plan_.steps() * static_cast<long long>(plan_.members());
  if (!plan_.options.run.progress(std::min<long long>(steps_, all), all)) stop();
  return !stopped_;
}

void Conductor::fail(std::exception_ptr error) {
  {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
  }
  stop();
}

void Conductor::finish() {
  if (error_) std::rethrow_exception(error_);
  if (passed_ < plan_.end) {
    result_.outcome = {Status::interrupted, fmt::format("interrupted after {} of {} members", passed_ - plan_.first,
                                                        plan_.members())};
  }
  if (plan_.options.checkpoint) checkpoint();
  for (Warning& warning : warnings_of(result_.reduced, plan_.table.times)) result_.warnings.push_back(std::move(warning));
}

}  // namespace noslip
