// Functions of a system's state as numbers, in quadruple precision; not for inner loops.
#pragma once

#include <span>
#include <vector>

#include <noslip/exec/kernel.hpp>
#include <noslip/model/system.hpp>

namespace noslip {

/// Functions of (t, state, parameters), where the state is q, v and whatever else the system has.
class StateFunctions {
 public:
  StateFunctions(const System& system, const std::vector<Expr>& outputs, std::span<const quad> parameters)
      : parameters_(parameters.begin(), parameters.end()), count_(outputs.size()) {
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
    kernel_ = Kernel<quad>(Tape(from, to), Backend::interpreter);
  }

  std::vector<quad> operator()(quad t, std::span<const quad> state) const {
    std::vector<quad> work = {t};
    work.insert(work.end(), state.begin(), state.begin() + static_cast<std::ptrdiff_t>(state_count_));
    work.insert(work.end(), parameters_.begin(), parameters_.end());
    const std::size_t first = work.size();
    work.resize(first + count_);
    std::vector<quad> scratch(kernel_.scratch_size());
    kernel_(work.data(), scratch.data());
    return {work.begin() + static_cast<std::ptrdiff_t>(first), work.end()};
  }

 private:
  std::vector<quad> parameters_;
  std::size_t count_, state_count_ = 0;
  Kernel<quad> kernel_;
};

}  // namespace noslip
