// Numbers for expressions, in tests.
#pragma once

#include <map>
#include <random>
#include <string>
#include <vector>

#include <noslip/exec/kernel.hpp>

namespace noslip::testing {

/// Values by the names of symbols; evaluates expressions of one graph. A symbol without a value is an error.
class Numbers {
 public:
  void set(const Expr& symbol, double value) { values_[symbol.name()] = value; }
  void set(const std::vector<Expr>& symbols, const std::vector<double>& values) {
    for (std::size_t i = 0; i < symbols.size(); ++i) set(symbols[i], values[i]);
  }

  std::vector<double> operator()(const std::vector<Expr>& expressions) const {
    std::vector<Tape::Input> inputs;
    std::vector<double> workspace;
    for (const Expr& symbol : symbols_of(expressions)) {
      inputs.push_back({symbol, static_cast<std::uint32_t>(inputs.size())});
      workspace.push_back(values_.at(symbol.name()));
    }
    std::vector<Tape::Output> outputs;
    for (const Expr& expression : expressions) {
      outputs.push_back({expression, static_cast<std::uint32_t>(workspace.size() + outputs.size())});
    }
    const std::size_t first = workspace.size();
    workspace.resize(first + outputs.size());
    const Kernel<double> kernel(Tape(inputs, outputs), Backend::interpreter);
    std::vector<double> scratch(kernel.scratch_size());
    kernel(workspace.data(), scratch.data());
    return {workspace.begin() + static_cast<std::ptrdiff_t>(first), workspace.end()};
  }

 private:
  std::map<std::string, double> values_;
};

inline std::vector<double> random_numbers(std::mt19937& generator, std::size_t count) {
  std::uniform_real_distribution<double> distribution(-1, 1);
  std::vector<double> result(count);
  for (double& value : result) value = distribution(generator);
  return result;
}

}  // namespace noslip::testing
