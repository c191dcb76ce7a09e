// A call of noslip from Python: it works without the lock of the interpreter (GIL), and Ctrl-C ends it.
//
//   Call call;
//   Trajectory run = call([&] { return integrate(system, options); });
//
// In the main thread a signal is looked for at most every 20 ms, wherever noslip asks whether it shall stop: in
// preparations (StopScope), and in RunOptions::progress, which has to ask is_stopped(). What Python raises there, or in a
// function that noslip calls, leaves the call as it is.
#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

#include <noslip/core/stopping.hpp>

#include "common.hpp"

namespace noslip::python {

class Call {
 public:
  Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// The result of `work`, which runs without the GIL.
  template <class Work>
  auto operator()(Work&& work) {
    using Result = std::invoke_result_t<Work>;
    if constexpr (std::is_void_v<Result>) {
      return (*this)([&] { return work(), true; }), void();
    } else {
      std::optional<Result> result;
      {
        const Unlocked free;
        const StopScope scope([this] { return is_stopped(); });
        try {
          result.emplace(work());
        } catch (...) {
          keep(std::current_exception());
        }
      }
      raise();
      return std::move(*result);
    }
  }

  /// Asked by the thread that works. True after a signal whose handler has raised, and after stop().
  bool is_stopped();
  void stop() { source_.request_stop(); }
  std::stop_token token() const { return source_.get_token(); }

 private:
  void keep(std::exception_ptr raised) {
    if (!raised_) raised_ = std::move(raised);
  }
  void raise() {
    if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
  }

  std::stop_source source_;
  std::exception_ptr raised_;
  bool sees_signals_;
  long long next_look_;
};

}  // namespace noslip::python
