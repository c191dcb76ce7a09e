// Ends long preparations (derivatives, recording, compilation, the analysis of a start) from outside.
#pragma once

#include <exception>
#include <functional>
#include <stop_token>

namespace noslip {

/// Thrown where a preparation is ended. integrate() turns it into Status::interrupted.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted while the step was being prepared"; }
};

/// While it lives, preparations on this thread end with Interrupted as soon as `is_stopped` says so, which is asked
/// often and has to be quick. Scopes may be nested: all of them are asked. Other threads are not concerned; whoever waits
/// for a program that another thread compiles asks its own scopes, and compiles it again if the other one was ended.
class StopScope {
 public:
  explicit StopScope(std::function<bool()> is_stopped);
  explicit StopScope(std::stop_token token);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  friend class StopShield;
  friend bool is_stopped();
  std::function<bool()> is_stopped_;
  const StopScope* outer_;
};

/// While it lives, no scope around it is asked: for what has to be finished, such as the end of a run.
class StopShield {
 public:
  StopShield();
  ~StopShield();
  StopShield(const StopShield&) = delete;
  StopShield& operator=(const StopShield&) = delete;

 private:
  const StopScope* outer_;
};

bool is_stopped();  ///< one of the scopes of this thread says so
/// Throws Interrupted if so. Loops of preparations call it; without a scope it costs a nanosecond.
void end_if_stopped();

}  // namespace noslip
