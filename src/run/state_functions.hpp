// Functions of a system's state as numbers.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include <noslip/exec/kernel.hpp>
#include <noslip/model/system.hpp>

namespace noslip {

/// Functions of (t, state, parameters), where the state is q, v and whatever else the system has; expressions of the
/// system's graph, or all of one copy of it. One object per thread; nothing is allocated by an evaluation.
template <class T>
class StateFunctions {
 public:
  StateFunctions(const System& system, const std::vector<Expr>& outputs, std::span<const T> parameters,
                 Backend backend = Backend::interpreter)
      : count_(outputs.size()) {
    std::vector<Tape::Input> from;
    std::vector<Tape::Output> to;
    const auto read = [&](Expr symbol) { from.push_back({symbol, static_cast<std::uint32_t>(from.size())}); };
    read(system.t());
    for (const auto& symbols : {system.q(), system.v(), system.z()}) {
      for (const Expr& symbol : symbols) read(symbol);
    }
    state_count_ = from.size() - 1;
    for (const Parameter& parameter : system.parameters()) read(parameter.symbol);
    for (const Expr& output : outputs) to.push_back({output, static_cast<std::uint32_t>(from.size() + to.size())});
    kernel_ = Kernel<T>(Tape(from, to), backend);
    work_.resize(from.size() + to.size());
    scratch_.resize(kernel_.scratch_size());
    std::copy(parameters.begin(), parameters.end(), work_.begin() + 1 + static_cast<std::ptrdiff_t>(state_count_));
  }

  /// The values, until the next call. More than the state may be given.
  std::span<const T> operator()(T t, std::span<const T> state) const {
    work_[0] = t;
    std::copy_n(state.begin(), state_count_, work_.begin() + 1);
    kernel_(work_.data(), scratch_.data());
    return {work_.data() + work_.size() - count_, count_};
  }

 private:
  std::size_t count_, state_count_ = 0;
  Kernel<T> kernel_;
  mutable std::vector<T> work_, scratch_;
};

}  // namespace noslip
