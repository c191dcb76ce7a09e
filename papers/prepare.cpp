// Systems by name or by file, with what an experiment changes about them.
#include "prepare.hpp"

#include <fmt/format.h>

#include <noslip/catalogue/catalogue.hpp>

namespace noslip::papers {

Prepared prepare(const Setting& setting) {
  std::map<std::string, double> set = setting.set;
  System system =
      setting.toml.empty() ? catalogue_system(setting.system, set) : System::parse(setting.toml, setting.system);
  std::vector<double> parameters = system.parameter_values(set);
  std::optional<InitialState> initial;
  if (!setting.init.empty()) {
    initial = system.with_initial(system.initial_state(parameters), setting.init, parameters);
  }
  return {std::move(system), std::move(set), std::move(parameters), std::move(initial)};
}

std::string label_of(const std::string& label, const std::vector<std::string>& methods, const std::string& method) {
  if (label.empty()) return method;
  return methods.size() == 1 ? label : label + " " + method;
}

std::string orbit_name(const SectionRun& run, double value) { return fmt::format("{} = {:.4g}", run.parameter, value); }

std::string orbit_label(const SectionRun& run, const std::string& method, double value) {
  return fmt::format("{}, {}", label_of(run.label, run.methods, method), orbit_name(run, value));
}

}  // namespace noslip::papers
