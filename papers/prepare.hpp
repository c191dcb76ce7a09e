// From the words of an experiment to a system with its initial state; what all kinds of run need.
#pragma once

#include <optional>

#include <noslip/model/system.hpp>

#include "experiment.hpp"

namespace noslip::papers {

struct Prepared {
  System system;
  std::map<std::string, double> set;    ///< parameters without the sizes of catalogue systems
  std::vector<double> parameters;       ///< all values in use
  std::optional<InitialState> initial;  ///< only where the setting gives initial values; otherwise those of the system
  InitialState start() const { return initial ? *initial : system.initial_state(parameters); }
};
Prepared prepare(const Setting& setting);

/// Label of the table for one of the methods.
std::string label_of(const std::string& label, const std::vector<std::string>& methods, const std::string& method);

/// The orbit of a section, `PARAMETER = VALUE`, and the label of its table.
std::string orbit_name(const SectionRun& run, double value);
std::string orbit_label(const SectionRun& run, const std::string& method, double value);

}  // namespace noslip::papers
