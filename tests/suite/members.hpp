// Every method and every system of the catalogue, for tests that run over all of them. A new family of methods or a new
// system joins by being registered.
#pragma once

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/method/method.hpp>
#include <noslip/run/lane_stepper.hpp>
#include <noslip/run/run.hpp>

#include "support/skew_gradient.hpp"

namespace noslip::testing {

/// Of families with a number of stages the first three members, of others all.
inline std::vector<std::string> all_methods() {
  std::vector<std::string> names;
  for (const MethodFamily& family : method_families()) {
    if (family.numbers.empty()) names.push_back(family.name);
    const std::size_t count = family.numbers.size() > 8 ? 3 : family.numbers.size();
    for (std::size_t i = 0; i < count; ++i) names.push_back(family.name + ":" + std::to_string(family.numbers[i]));
  }
  return names;
}

/// Forces of t, q and v, and a constraint that moves: everything does work.
inline System driven_sleigh() {
  return System::parse(R"toml(
    name        = "driven sleigh"
    coordinates = ["x", "y", "theta"]
    lagrangian  = "(x'^2 + y'^2)/2 + theta'^2 + theta'*(y'*cos(theta) - x'*sin(theta)) - x*y/5 - y*cos(t)/4"
    constraints = ["cos(theta)*(y' + t/4) = sin(theta)*(x' - cos(2*t)/2)"]
    [forces]
    x = "-x'/4 - y/10"
    theta = "cos(t) - theta'/5"
    [initial]
    q = [1, 0.2, 0]
    v = [0.3, 0, 0.8])toml");
}

/// A skate whose blade is turned by a servo, and that burns fuel: states in the constraint, the mass, the potential and
/// the forces, and one that nothing depends on.
inline System servo_skate() {
  return System::parse(R"toml(
    name        = "servo skate"
    coordinates = ["x", "y", "theta"]
    lagrangian  = "(x'^2 + y'^2)/2 + (1/2 + sin(delta)^2/10)/2*theta'^2 - fuel*x"
    constraints = ["y'*cos(theta + delta) - x'*sin(theta + delta) = theta'/10"]
    [states]
    delta = "(3/10*sin(t) - delta)/0.4 - delta^3/5"
    fuel  = "-3/10*fuel*sqrt(1 + theta'^2)"
    cost  = "x^2 + theta'^2 + delta"
    [forces]
    x     = "delta - x'/10"
    theta = "fuel - 3/10*theta'"
    [initial]
    q      = { theta = 0.2 }
    v      = { theta = 1, y = "1/10/cos(3/10)" }
    states = { delta = 0.1, fuel = 1 })toml");
}

/// A sleigh that two filters push; its energy contains none of them.
inline System filtered_sleigh() {
  return System::parse(R"toml(
    name        = "filtered sleigh"
    coordinates = ["x", "y", "theta"]
    lagrangian  = "(x'^2 + y'^2)/2 + (1 + sin(x)^2/3)*theta'^2/2 - x^2 - y^2*(1 + x^2)/2"
    constraints = ["y'*cos(theta) = x'*sin(theta)"]
    [states]
    u = "(theta' + x*cos(t) - u)/0.4 - u^3/5"
    w = "u*x - w"
    [forces]
    x     = "u/3"
    theta = "w/5"
    [initial]
    v      = { theta = 1, x = 0.3 }
    states = [0.2, 1])toml");
}

/// A body that turns and slides, with a filter.
inline System filtered_body() {
  return System::parse(R"toml(
    name        = "filtered body"
    coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }, "s"]
    lagrangian  = "(w1^2 + 2*w2^2 + 3*w3^2)/2 + s'^2/2 - R33 - s^2/2"
    constraints = ["w3 = 3/10*s' + u/10"]
    [states]
    u    = "(w1 + s - u)/0.3"
    cost = "w1^2 + u*R12"
    [forces]
    w1 = "-u/5"
    [initial]
    q = { R = [0.1, 0.2, 0.3], s = 0.2 }
    v = { w1 = 0.5, w2 = 0.3, w3 = 0.12, s = 0.4 })toml");
}

/// The catalogue, systems in which everything does work and with states, and a skew-gradient system.
inline std::vector<System> all_systems() {
  std::vector<System> systems{driven_sleigh(), servo_skate(), filtered_sleigh(), filtered_body(), System::parse(rigid_body_text)};
  for (const CatalogueEntry& entry : catalogue()) systems.push_back(catalogue_system(entry.name));
  return systems;
}

inline bool accepts(const std::string& method, const System& system) {
  return find_method(method)->why_not(system).empty();
}

/// Those of them that a method accepts.
inline std::vector<System> systems_for(const std::string& method) {
  std::vector<System> systems = all_systems();
  std::erase_if(systems, [&](const System& system) { return !accepts(method, system); });
  return systems;
}

/// A step that the order of the method is good for; controllers are fast, and sample at multiples of it.
inline double step_for(const std::string& method, const System& system) {
  if (system.sampled() != nullptr) return 0.001;
  return find_method(method)->traits().order < 3 ? 0.01 : 0.04;
}

/// Steps of a system without its controller: it falls, and fast.
inline double without_controller(const System& system, double usual) {
  return system.sampled() != nullptr ? 0.001 : usual;
}

inline RunOptions options(const std::string& method, double step, long long steps) {
  RunOptions o;
  o.method = method;
  o.step = step;
  o.steps = steps;
  return o;
}

/// The sleigh of Hilden 2009, sec. 4.2.3, with its small mass, from t = 0 to 30; its speed reaches 200.
inline Trajectory run_light_sleigh(const std::string& method, double step) {
  RunOptions o = options(method, step, std::lround(30 / step));
  o.set = {{"g", 9.8}, {"m", 0.001}, {"a", 0.04}, {"J", 0.01}};
  return integrate(catalogue_system("sleigh"), {0, {1, 0, 0.2}, {0, 0, 0}, {}}, o);
}

/// Martin de Diego and Sato 2022, sec. 7.1.
inline System harmonic_particle() {
  return System::parse(R"toml(
    coordinates = ["x", "y", "z"]
    lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - (x^2 + y^2)/2"
    constraints = ["z' = y*x'"]
    [initial]
    q = [1, 0.2, 0]
    v = [0.3, 1, 0.06])toml");
}

/// Largest difference of two components.
inline double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(a[i] - b[i]));
  return largest;
}

/// A name that GoogleTest takes.
inline std::string test_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

}  // namespace noslip::testing
