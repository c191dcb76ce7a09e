// Inputs that change at a constant rate, by a change of the system's text.
#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include <noslip/run/control.hpp>

#include "model/system_data.hpp"
#include "run/linear_inputs.hpp"

namespace noslip {

System with_linear_inputs(const System& system, const std::vector<std::string>& inputs) {
  SystemText text = *system.data().text;
  for (const std::string& name : inputs) {
    const auto found = std::find_if(text.inputs.begin(), text.inputs.end(),
                                    [&](const NamedText& input) { return input.name.text == name; });
    assert(found != text.inputs.end());
    NamedText at = *found;
    at.name = linear_name(name);
    const auto place = text.inputs.erase(found);
    text.inputs.insert(place, {at, {Text(name + "_rate"), Text("0")}, {Text(name + "_since"), Text("0")}});
    text.definitions.push_back({Text(name), Text(fmt::format("{0}_at + {0}_rate*(t - {0}_since)", name))});
  }
  return System::from(text);
}

}  // namespace noslip
