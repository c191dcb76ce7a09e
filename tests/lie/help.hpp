// Numbers for recorded maps of groups, in tests.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <noslip/exec/kernel.hpp>
#include <noslip/lie/group.hpp>

namespace noslip::testing {

template <class T>
using Vector = std::vector<T>;
template <class T>
using Matrix = std::vector<std::vector<T>>;

/// A vector of symbols, to record with.
inline std::vector<Expr> symbols(Graph& graph, const std::string& name, int count) {
  std::vector<Expr> result;
  for (int i = 0; i < count; ++i) result.push_back(graph.symbol(name + std::to_string(i)));
  return result;
}

/// Expressions of symbols as a function of numbers, compiled once.
template <class T>
class Function {
 public:
  Function(const std::vector<std::vector<Expr>>& arguments, const std::vector<Expr>& values) {
    std::vector<Tape::Input> inputs;
    std::vector<Tape::Output> outputs;
    std::uint32_t slot = 0;
    for (const auto& argument : arguments) {
      for (const Expr& symbol : argument) inputs.push_back({symbol, slot++});
    }
    first_output_ = slot;
    for (const Expr& value : values) outputs.push_back({value, slot++});
    size_ = slot;
    kernel_ = Kernel<T>(Tape(inputs, outputs), Backend::interpreter);
  }

  template <class... Arguments>
  Vector<T> operator()(const Arguments&... arguments) const {
    Vector<T> workspace;
    (workspace.insert(workspace.end(), arguments.begin(), arguments.end()), ...);
    EXPECT_EQ(workspace.size(), first_output_);
    workspace.resize(size_);
    Vector<T> scratch(kernel_.scratch_size());
    kernel_(workspace.data(), scratch.data());
    return {workspace.begin() + static_cast<std::ptrdiff_t>(first_output_), workspace.end()};
  }

 private:
  Kernel<T> kernel_;
  std::size_t first_output_, size_;
};

}  // namespace noslip::testing
