#include "call.hpp"

#include <ctime>
#include <unistd.h>

#include <sys/syscall.h>

namespace noslip::python {
namespace {

constexpr long long milliseconds_between_looks = 20;

/// Of a clock that costs a few nanoseconds.
long long milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1'000'000;
}

}  // namespace

Call::Call() : sees_signals_(getpid() == static_cast<pid_t>(syscall(SYS_gettid))), next_look_(milliseconds() + milliseconds_between_looks) {}

bool Call::is_stopped() {
  if (source_.stop_requested()) return true;
  if (!sees_signals_) return false;
  const long long now = milliseconds();
  if (now < next_look_) return false;
  next_look_ = now + milliseconds_between_looks;
  const py::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() == 0) return false;
  keep(std::make_exception_ptr(py::error_already_set()));
  stop();
  return true;
}

}  // namespace noslip::python
