// A tape made ready to run.
//
// A kernel is immutable and may be shared between threads; each thread brings its own workspace and scratch. For
// `lanes` trajectories at once (1, 4 or 8, double only) slot k of lane l is workspace[k * lanes + l]. The bits of a
// lane do not depend on the number of lanes, on its neighbours, or on the back end. Any alignment works; with lanes, a
// workspace aligned to 64 bytes is faster.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <noslip/tape/tape.hpp>

namespace noslip {

enum class Backend {
  automatic,   ///< machine code where the processor, the build and the tape allow it, else the interpreter
  jit,         ///< machine code; an InputError where it is not available, or the tape calls functions written in C++
  interpreter
};
/// The words of the option `backend`: auto, jit, interpreter.
std::string to_text(Backend backend);

/// Empty where machine code can be made here; otherwise the reason ("built without asmjit", "processor without AVX2").
std::string why_no_machine_code();

template <class T>
class Kernel {
 public:
  Kernel() = default;
  /// InputError for other numbers of lanes, for lanes or `jit` in extended precision, for `jit` where there is none.
  Kernel(const Tape& tape, Backend backend, int lanes = 1);

  /// `workspace` as the tape numbers it; `scratch` holds at least scratch_size() values, contents meaningless between
  /// calls. Allocates nothing. Throws nothing but what a function written in C++ throws; the workspace is then as before.
  void operator()(T* workspace, T* scratch) const { run_(*this, workspace, scratch); }

  std::size_t scratch_size() const { return scratch_size_; }
  bool is_machine_code() const { return machine_code_ != nullptr; }
  int lanes() const { return lanes_; }

  struct Program;  // the interpreter's form

 private:
  void (*run_)(const Kernel&, T* workspace, T* scratch) = nullptr;
  std::shared_ptr<const void> machine_code_;
  std::shared_ptr<const Program> program_;
  std::size_t scratch_size_ = 0;
  int lanes_ = 1;
  template <class U>
  friend struct KernelAccess;
};

extern template class Kernel<double>;
extern template class Kernel<long double>;
extern template class Kernel<quad>;

}  // namespace noslip
