// A value that is made by the first who asks for it.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

namespace noslip {

/// For any number of threads: the others wait until it is there. If making it throws, the next one tries again.
/// (std::call_once does the same, but an exception that passes through it needs memory, which may be what was missing.)
template <class Value>
class Lazy {
 public:
  /// `make()` returns the value.
  template <class Make>
  const Value& get(Make make) {
    if (!is_there_.load(std::memory_order_acquire)) {
      const std::lock_guard lock(mutex_);
      if (!is_there_.load(std::memory_order_relaxed)) {
        value_.emplace(make());
        is_there_.store(true, std::memory_order_release);
      }
    }
    return *value_;
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> is_there_ = false;
  std::optional<Value> value_;
};

}  // namespace noslip
