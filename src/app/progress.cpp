#include "progress.hpp"

#include <algorithm>
#include <unistd.h>

#include <fmt/format.h>

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
  print_error("\rpreparing the step ...\033[K");
  drawn_ = true;
}

void StartNotice::end() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
  if (drawn_) print_error("\r\033[K");
}

ProgressBar::ProgressBar(bool quiet)
    : enabled_(!quiet && isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()),
      run_start_(start_),
      notice_(enabled_) {}

void ProgressBar::update(const std::string& what, long long done, long long all) {
  if (done == 0 || what != what_) {
    what_ = what;
    run_start_ = std::chrono::steady_clock::now();
  }
  update(done, all);
}

void ProgressBar::update(long long done, long long all) {
  notice_.end();
  if (!enabled_ || done <= 0 || all <= 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (std::chrono::duration<double>(now - start_).count() < patience_seconds) return;
  const double seconds = std::chrono::duration<double>(now - run_start_).count();
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(all));
  const int full = static_cast<int>(share * bar_width);
  print_error(fmt::format("\r{}{}[{:=<{}}{: <{}}] {:3.0f} %  {} of {} steps, {} left\033[K", what_,
                          what_.empty() ? "" : "  ", "", full, "", bar_width - full, 100 * share, done, all,
                          duration(seconds * (1 / share - 1))));
  drawn_ = true;
}

void ProgressBar::clear() {
  notice_.end();
  if (drawn_) print_error("\r\033[K");
  drawn_ = false;
}

}  // namespace noslip::app
