// Systems and shorthands for the tests of runs.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <noslip/run/run.hpp>

namespace noslip::testing {

inline bool has_warning(const Trajectory& run, const std::string& code) {
  return std::any_of(run.warnings.begin(), run.warnings.end(), [&](const Warning& w) { return w.code == code; });
}

inline System particle() {
  return System::parse(R"toml(
    name        = "particle"
    coordinates = ["x", "y", "z"]
    lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - x^2 - y^2"
    constraints = ["z' = y*x'"]
    [initial]
    q = [1, 0, 0]
    v = [0, 1, 0]
  )toml");
}

/// A particle whose potential leaves Gauss methods something to iterate.
inline System curved_particle() {
  return System::parse(R"toml(
    name        = "curved particle"
    coordinates = ["x", "y", "z"]
    lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - x^2 - y^2 - x^4/8 - y^4/8"
    constraints = ["z' = y*x'"]
    [initial]
    q = [1, 0, 0]
    v = [0, 1, 0]
  )toml");
}

inline System skate() {
  return System::parse(R"toml(
    name        = "skate"
    coordinates = ["x", "y", "phi"]
    lagrangian  = "(x'^2 + y'^2 + phi'^2)/2 + x"
    constraints = ["cos(phi)*y' = sin(phi)*x'"]
    [initial]
    v = [0, 0, 1]
    [exact]
    x   = "sin(t)^2/2"
    y   = "t/2 - sin(2*t)/4"
    phi = "t"
  )toml");
}

/// Mass matrix that depends on q, one constraint, a potential (Hilden 2009, sec. 4.2).
inline System sleigh() {
  return System::parse(R"toml(
    name        = "sleigh"
    coordinates = ["x", "y", "theta"]
    lagrangian  = "m/2*(x'^2 + y'^2) + (J + m*a^2)/2*theta'^2 + m*a*theta'*(y'*cos(theta) - x'*sin(theta)) - m*g*(y + a*sin(theta))"
    constraints = ["y'*cos(theta) = x'*sin(theta)"]
    [parameters]
    m = 1
    a = 1
    J = 1
    g = 0.1
    [initial]
    q = [1, 0, 0]
    v = [0, 0, 0]
  )toml");
}

/// A wheel that turns fast: angles make many turns.
inline System spinning_sleigh() {
  return System::parse(R"toml(
    name        = "spinning sleigh"
    coordinates = ["x", "y", "theta"]
    lagrangian  = "(x'^2 + y'^2)/2 + theta'^2 + theta'*(y'*cos(theta) - x'*sin(theta))/4 - x/3"
    constraints = ["y'*cos(theta) = x'*sin(theta)"]
    [initial]
    v = [1, 0, 40])toml");
}

inline RunOptions options(const std::string& method, double step, double until) {
  RunOptions o;
  o.method = method;
  o.step = step;
  o.until = until;
  return o;
}

/// What an InputError says; empty if nothing is refused.
template <class Act>
std::string refusal(const Act& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

template <class T>
std::vector<T> numbers(std::span<const T> values) {
  return {values.begin(), values.end()};
}

inline double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(a[i] - b[i]));
  return largest;
}

/// Slope of log(error) against log(step) between two runs.
inline double slope(double error_1, double step_1, double error_2, double step_2) {
  return std::log(error_1 / error_2) / std::log(step_1 / step_2);
}

}  // namespace noslip::testing
