// The extension noslip._noslip: everything of the package that is not formatting.
#include <fmt/format.h>

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/core/option_name.hpp>
#include <noslip/core/options.hpp>
#include <noslip/method/method.hpp>

#include "call.hpp"
#include "common.hpp"
#include "system.hpp"

namespace noslip::python {
namespace {

/// An option of the table, in the words of a verb.
py::dict option_dict(const Option& option) {
  py::dict result;
  result["name"] = keyword_of(option.name);
  result["type"] = option.type == OptionType::flag     ? "flag"
                   : option.type == OptionType::number ? "number"
                   : option.type == OptionType::whole  ? "whole"
                   : option.type == OptionType::choice ? "choice"
                                                       : "text";
  result["help"] = with_option_names(option.help);
  result["default"] = std::string(option.otherwise);
  result["choices"] = py::tuple(py::cast(option.choice_names()));
  result["least"] = option.least;
  result["most"] = option.most;
  result["required"] = option.is_required;
  result["repeatable"] = option.is_repeatable;
  return result;
}

/// What `noslip methods` knows of a family, and whether it can integrate the system.
py::dict family_dict(const MethodFamily& family, const PySystem* system) {
  const MethodTraits& traits = family.example;
  py::dict result;
  result["name"] = family.name;
  result["pattern"] = family.pattern;
  result["order"] = family.order;
  result["summary"] = traits.summary;
  result["source"] = traits.source;
  result["symmetric"] = traits.symmetric;
  result["keeps_constraints"] = traits.keeps_constraints;
  result["keeps_energy"] = traits.keeps_energy;
  result["lagrange_dalembert"] = traits.lagrange_dalembert;
  result["index2"] = traits.index2;
  result["holonomic"] = traits.holonomic;
  result["symplectic"] = traits.symplectic;
  result["example"] = traits.name;
  if (system == nullptr) return result;
  const std::string reason = find_method(traits.name)->why_not(system->system());
  result["accepts"] = reason.empty();
  result["why_not"] = reason;
  return result;
}

py::list methods(const PySystem* system) {
  py::list families;
  for (const MethodFamily& family : method_families()) families.append(family_dict(family, system));
  return families;
}

py::dict systems() {
  py::dict result;
  for (const CatalogueEntry& entry : catalogue()) result[py::str(entry.name)] = entry.summary;
  return result;
}

}  // namespace

void bind_schema(py::module_& module) {
  module.def("_options", [](const std::string& verb) {
    py::list options;
    for (const Option& option : options_of_verb(verb)) options.append(option_dict(option));
    return options;
  });
  module.def("_keyword", &keyword_of);
  module.def("methods", &methods, py::arg("system") = nullptr);
  module.def("systems", &systems);
  module.attr("__version__") = NOSLIP_VERSION;
}

}  // namespace noslip::python

PYBIND11_MODULE(_noslip, module) {
  using namespace noslip::python;
  noslip::set_option_style(noslip::OptionStyle::keyword);
  bind_errors(module);
  bind_schema(module);
  bind_system(module);
  bind_rows(module);
  bind_callbacks(module);
  bind_run(module);
  bind_stepper(module);
  bind_ensemble(module);
  bind_studies(module);
  bind_expressions(module);
}
