// One object for each thread.
#pragma once

#include <memory>
#include <new>
#include <pthread.h>

namespace noslip {

/// What `thread_local` is, but with std::bad_alloc where memory is missing: the C library ends a program that has none left
/// to note the destructor of a `thread_local` object. Such a holder lives as long as the program. Objects are destroyed
/// with their threads; that of the main thread never is.
template <class Value>
class PerThread {
 public:
  PerThread() {
    if (pthread_key_create(&key_, [](void* value) { delete static_cast<Value*>(value); }) != 0) throw std::bad_alloc();
  }
  PerThread(const PerThread&) = delete;
  PerThread& operator=(const PerThread&) = delete;

  /// The object of this thread, made now if it has none.
  Value& get() const {
    if (Value* const known = find()) return *known;
    auto made = std::make_unique<Value>();
    if (pthread_setspecific(key_, made.get()) != 0) throw std::bad_alloc();
    return *made.release();
  }
  /// The same, or nothing if it has none.
  Value* find() const noexcept { return static_cast<Value*>(pthread_getspecific(key_)); }

 private:
  pthread_key_t key_{};
};

}  // namespace noslip
