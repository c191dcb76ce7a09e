// Which panels the picture of a run has.
#pragma once

#include <string>
#include <vector>

#include "io/run_row.hpp"

namespace noslip {

enum class RunPanelKind { energy, constraints, invariants, curves, path };

struct RunPanel {
  RunPanelKind kind;
  std::string label = {};                ///< of the y axis
  std::vector<std::size_t> places = {};  ///< in the row: of the curves, or A and B of a path
  bool is_single = false;                ///< one curve, which the axis names
  std::size_t left_out = 0;              ///< curves that are too many
};

/// What `show` asks for (see RunPlot). InputError with all names that are wrong.
std::vector<RunPanel> chosen_panels(const System& system, const RunRow& row, const std::string& show);

}  // namespace noslip
