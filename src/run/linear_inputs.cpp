// Inputs that change at a constant rate, by a change of the system's text.
#include <algorithm>

#include <fmt/format.h>

#include <noslip/run/control.hpp>

#include "model/system_data.hpp"

namespace noslip {

System with_linear_inputs(const System& system, const std::vector<std::string>& inputs) {
  SystemText text = *system.data().text;
  for (const std::string& name : inputs) {
    const auto found = std::find_if(text.inputs.begin(), text.inputs.end(),
                                    [&](const NamedText& input) { return input.name.text == name; });
    if (found == text.inputs.end()) continue;  // who uses the series says so
    NamedText at = *found;
    at.name = name + "_at";
    const auto place = text.inputs.erase(found);
    text.inputs.insert(place, {at, {Text(name + "_rate"), Text("0")}, {Text(name + "_since"), Text("0")}});
    text.definitions.push_back({Text(name), Text(fmt::format("{0}_at + {0}_rate*(t - {0}_since)", name))});
  }
  return System::from(text);
}

}  // namespace noslip
