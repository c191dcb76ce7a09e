// A tape made ready to run many times in a row.
//
// The same bits as calls of a Kernel in a row, without the way through memory between them: what a run stores for the
// next one stays in registers, and what is the same in all runs is computed once. That pays for short tapes, where a
// run takes some tens of nanoseconds. As with kernels, threads may share it, and each brings its workspace and scratch.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <noslip/exec/kernel.hpp>

namespace noslip {

template <class T>
class LoopKernel {
 public:
  /// The runs end early behind one that leaves one of these slots larger than the limit, with either sign, in any lane.
  struct Guard {
    std::vector<std::uint32_t> slots;
    T limit = 0;
  };

  LoopKernel() = default;
  /// InputError as for a Kernel.
  LoopKernel(const Tape& tape, Backend backend, int lanes = 1, Guard guard = {});

  /// Makes `count` runs, or fewer if the guard ends them; returns how many. Allocates nothing.
  long long operator()(T* workspace, T* scratch, long long count) const {
    return count > 0 ? run_(*this, workspace, scratch, count) : 0;
  }

  std::size_t scratch_size() const { return scratch_size_; }
  bool is_machine_code() const { return machine_code_ != nullptr || once_.is_machine_code(); }
  int lanes() const { return lanes_; }

 private:
  bool is_guarded_value_large(const T* workspace) const;

  long long (*run_)(const LoopKernel&, T* workspace, T* scratch, long long count) = nullptr;
  std::shared_ptr<const void> machine_code_;
  Kernel<T> once_;  // if there is no machine code for the loop
  Guard guard_;
  std::size_t scratch_size_ = 0;
  int lanes_ = 1;
  template <class U>
  friend struct LoopKernelAccess;
};

extern template class LoopKernel<double>;
extern template class LoopKernel<long double>;
extern template class LoopKernel<quad>;

}  // namespace noslip
