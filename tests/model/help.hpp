// Shared by the tests of the model: messages of refused texts, values of expressions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <noslip/exec/kernel.hpp>
#include <noslip/model/continuous.hpp>
#include <noslip/model/system.hpp>

namespace noslip::test {

/// The problems of a system file; empty if it is accepted.
inline std::vector<Problem> problems_of(const std::string& toml, const std::string& origin = "s.toml") {
  try {
    System::parse(toml, origin);
  } catch (const InputError& error) {
    return error.problems();
  }
  return {};
}

/// The one problem that the file has.
inline std::string problem_of(const std::string& toml) {
  const std::vector<Problem> problems = problems_of(toml);
  EXPECT_EQ(problems.size(), 1U) << toml;
  std::string text;
  for (const Problem& problem : problems) text += (text.empty() ? "" : "\n") + to_text(problem);
  return text;
}

/// Message of the InputError that the call throws; empty if it throws none.
template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Value of an expression; symbols that are not given are zero.
inline double value(Expr expression, const std::map<std::string, double>& symbols) {
  std::vector<Tape::Input> inputs;
  std::vector<double> workspace;
  for (const Expr symbol : symbols_of(std::span(&expression, 1))) {
    const auto found = symbols.find(symbol.name());
    inputs.push_back({symbol, static_cast<std::uint32_t>(workspace.size())});
    workspace.push_back(found == symbols.end() ? 0 : found->second);
  }
  const Tape::Output output{expression, static_cast<std::uint32_t>(workspace.size())};
  workspace.push_back(0);
  const Kernel<double> kernel(Tape(inputs, std::span(&output, 1)), Backend::interpreter);
  std::vector<double> scratch(kernel.scratch_size());
  kernel(workspace.data(), scratch.data());
  return workspace.back();
}

inline const char* const sleigh_text = R"toml(name = "sleigh"
coordinates = ["x", "y", "theta"]
lagrangian  = "m/2*(x'^2 + y'^2) + (J + m*a^2)/2*theta'^2 + m*a*theta'*(y'*cos(theta) - x'*sin(theta)) - m*g*(y + a*sin(theta))"
constraints = ["y'*cos(theta) = x'*sin(theta)"]
[parameters]
m = 1.0
a = 1.0
J = 1
g = 0.1
[initial]
q = [1, 0, 0]
v = [0, 0, 0]
)toml";

/// A system of index 2 with the input u.
inline const std::string driven_index_two = R"toml(kind = "dae2"
y = ["a", "b"]
z = ["w"]
f = [[], ["b", "w - u"]]
g = ["b = sin(a)"]
[inputs]
u = 1
)toml";

}  // namespace noslip::test
