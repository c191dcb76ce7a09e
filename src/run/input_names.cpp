#include "run/input_names.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <noslip/core/names.hpp>

namespace noslip {

std::size_t find_input(const System& system, std::string_view name, std::vector<Problem>& problems) {
  const std::vector<Parameter>& inputs = system.inputs();
  const auto found =
      std::find_if(inputs.begin(), inputs.end(), [&](const Parameter& input) { return input.name == name; });
  if (found == inputs.end()) {
    std::vector<std::string> names;
    for (const Parameter& input : inputs) names.push_back(input.name);
    std::string remedy = did_you_mean(name, names);
    if (remedy.empty()) remedy = names.empty() ? "the system has no [inputs]" : "the inputs are " + list_of(names);
    problems.push_back({fmt::format("unknown input '{}'", name), {}, std::move(remedy)});
  }
  return static_cast<std::size_t>(found - inputs.begin());
}

}  // namespace noslip
