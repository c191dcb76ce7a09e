// Every method and every system of the catalogue, for tests that run over all of them. A new family of methods or a new
// system joins by being registered.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/method/method.hpp>
#include <noslip/run/run.hpp>
#include <noslip/run/stepper.hpp>

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

inline std::vector<System> all_systems() {
  std::vector<System> systems;
  for (const CatalogueEntry& entry : catalogue()) systems.push_back(catalogue_system(entry.name));
  return systems;
}

/// The systems of the catalogue that a method accepts.
inline std::vector<System> systems_for(const std::string& method) {
  std::vector<System> systems = all_systems();
  std::erase_if(systems, [&](const System& system) { return !find_method(method)->why_not(system).empty(); });
  return systems;
}

inline RunOptions options(const std::string& method, double step, long long steps) {
  RunOptions o;
  o.method = method;
  o.step = step;
  o.steps = steps;
  return o;
}

/// A name that GoogleTest takes.
inline std::string test_name(std::string name) {
  std::replace_if(name.begin(), name.end(), [](char c) { return c == ':' || c == '-'; }, '_');
  return name;
}

}  // namespace noslip::testing
