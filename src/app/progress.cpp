#include "progress.hpp"

#include <algorithm>
#include <unistd.h>

#include <fmt/format.h>

#include <noslip/core/printable.hpp>

#include "output.hpp"

namespace noslip::app {
namespace {

constexpr double patience_seconds = 1.0;
constexpr std::chrono::seconds start_patience(2);
constexpr int bar_width = 30;

std::string duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

StartNotice::StartNotice(bool enabled) {
  if (enabled) thread_ = std::jthread([this](const std::stop_token& stop) { wait(stop); });
}

void StartNotice::wait(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  never_.wait_for(lock, stop, start_patience, [] { return false; });
  if (stop.stop_requested()) return;
  draw("\rpreparing the step ...\033[K");
  drawn_ = true;
}

void StartNotice::end() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
  if (drawn_) draw("\r\033[K");
}

ProgressBar::ProgressBar(bool quiet)
    : enabled_(!quiet && isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()),
      run_start_(start_),
      notice_(enabled_) {}

void ProgressBar::update(const std::string& what, long long done, long long all) {
  if (done == 0 || what != what_) {
    what_ = what;
    first_done_ = -1;
  }
  update(done, all);
}

void ProgressBar::update(long long done, long long all) {
  notice_.end();
  const auto now = std::chrono::steady_clock::now();
  if (first_done_ < 0) {
    first_done_ = done;
    run_start_ = now;
  }
  if (!enabled_ || done <= first_done_ || all <= 0) return;
  if (std::chrono::duration<double>(now - start_).count() < patience_seconds) return;
  const double seconds = std::chrono::duration<double>(now - run_start_).count();
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(all));
  const double left = static_cast<double>(std::max(0LL, all - done)) / static_cast<double>(done - first_done_);
  const int full = static_cast<int>(share * bar_width);
  draw(fmt::format("\r{}{}[{:=<{}}{: <{}}] {:3.0f} %  {} of {} steps, {} left\033[K",
                   printable(what_), what_.empty() ? "" : "  ", "", full, "", bar_width - full, 100 * share, done, all,
                          duration(seconds * left)));
  drawn_ = true;
}

void ProgressBar::clear() {
  notice_.end();
  if (drawn_) draw("\r\033[K");
  drawn_ = false;
}

}  // namespace noslip::app
