// Systems for tests of steppers: pushed, sampled, turning.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <noslip/run/stepper.hpp>

namespace noslip::testing {

template <class T>
std::vector<T> numbers(std::span<const T> values) {
  return {values.begin(), values.end()};
}

/// A cart with a spring of its own, a force from outside, and friction; the force times x is part of the energy.
inline System pushed_cart() {
  return System::parse(R"toml(
    name        = "pushed cart"
    coordinates = ["x"]
    lagrangian  = "x'^2/2 - k*x^2/2 + u*x"
    [parameters]
    k = 4
    [inputs]
    u = 0
    w = 0
    [forces]
    x = "w - x'/10"
    [initial]
    q = [1])toml");
}

inline System sampled_cart() {
  return System::parse(R"toml(
    name        = "sampled cart"
    coordinates = ["x", "phi"]
    lagrangian  = "x'^2/2 + phi'^2/4 - cos(phi)/10"
    constraints = ["x' = phi'"]
    [parameters]
    T = 0.05
    [inputs]
    u = 0
    [forces]
    x = "u"
    [sampled]
    every = "T"
    delay = "1.5*T"
    I = "last(I) + T*x"
    u = "-x - x' - I/10"
    [initial]
    q = [1, 0])toml");
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

inline std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace noslip::testing
