// Expressions as functions of numbers: blocks of symbols in, blocks of values out.
//
//   const Function<double> energy({{t}, q, v, parameters}, {{E}, p});       what is evaluated: const, shared by threads
//   Evaluation<double> at(energy);                                          the numbers: one object per thread
//   at.set(3, masses);                                                      stays until it is set again
//   at.set(0, 0.5).set(1, positions).set(2, velocities).run();              allocates nothing
//   at.output(1)                                                            p
//
// Where a function is evaluated once, `energy({0.5, positions, velocities, masses}).output(1)` says the same.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include <noslip/exec/kernel.hpp>

namespace noslip {

template <class T>
class Evaluation;

/// A block in a workspace that others use too: its numbers begin at this slot.
struct PlacedBlock {
  std::vector<Expr> block;
  std::size_t slot;
};

template <class T>
class Function {
 public:
  using Blocks = std::vector<std::vector<Expr>>;
  /// The numbers of one block: several, or one.
  struct Numbers : std::span<const T> {
    Numbers(const T& one) : std::span<const T>(&one, 1) {}
    Numbers(std::span<const T> several) : std::span<const T>(several) {}
    Numbers(std::span<T> several) : std::span<const T>(several) {}
    Numbers(const std::vector<T>& several) : std::span<const T>(several) {}
  };

  Function() = default;
  /// Every symbol that the outputs need must be in a block of the inputs (assert). Block lies behind block, inputs
  /// first.
  Function(const Blocks& inputs, const Blocks& outputs, Backend backend = Backend::interpreter);
  /// In a workspace of somebody else: for functions of what is there already, without copies. With `lanes`, slots are
  /// as in exec/kernel.hpp.
  Function(std::span<const PlacedBlock> inputs, std::span<const PlacedBlock> outputs, Backend backend, int lanes = 1);

  /// The values at one point, with memory of their own.
  Evaluation<T> operator()(std::initializer_list<Numbers> inputs) const;
  /// Runs in a workspace of workspace_size() slots or more; `scratch` as in exec/kernel.hpp. Allocates nothing.
  void operator()(T* workspace, T* scratch) const { data_->kernel(workspace, scratch); }

  std::size_t workspace_size() const { return data_ ? data_->workspace_size : 0; }
  std::size_t scratch_size() const { return data_ ? data_->kernel.scratch_size() : 0; }
  std::size_t input_count() const { return data_->inputs.size(); }    ///< number of blocks
  std::size_t output_count() const { return data_->outputs.size(); }  ///< number of blocks

  struct Place {
    std::size_t first = 0, size = 0;
  };
  Place input(std::size_t block) const { return data_->inputs[block]; }
  Place output(std::size_t block) const { return data_->outputs[block]; }

 private:
  struct Data {
    Kernel<T> kernel;
    std::vector<Place> inputs, outputs;
    std::size_t workspace_size = 0;
  };
  static std::shared_ptr<const Data> compiled(std::span<const PlacedBlock> inputs, std::span<const PlacedBlock> outputs,
                                              Backend backend, int lanes);

  std::shared_ptr<const Data> data_;
};

/// The numbers of a function: where its inputs are written, and its outputs stay until the next run.
template <class T>
class Evaluation {
 public:
  Evaluation() = default;
  explicit Evaluation(const Function<T>& function)
      : function_(function), workspace_(function.workspace_size()), scratch_(function.scratch_size()) {}

  std::span<T> input(std::size_t block) {
    const auto place = function_.input(block);
    return {workspace_.data() + place.first, place.size};
  }
  /// Of more numbers than the block has, the first ones; fewer are a mistake (assert).
  Evaluation& set(std::size_t block, typename Function<T>::Numbers numbers) {
    const std::span<T> to = input(block);
    assert(numbers.size() >= to.size());
    std::copy_n(numbers.begin(), to.size(), to.begin());
    return *this;
  }
  void run() { function_(workspace_.data(), scratch_.data()); }
  std::span<const T> output(std::size_t block) const {
    const auto place = function_.output(block);
    return {workspace_.data() + place.first, place.size};
  }

 private:
  Function<T> function_;
  std::vector<T> workspace_, scratch_;
};

extern template class Function<double>;
extern template class Function<long double>;
extern template class Function<quad>;

}  // namespace noslip
