// Which panels the picture of a run has.
#pragma once

#include <string>
#include <vector>

#include <noslip/run/columns.hpp>

namespace noslip {

enum class RunPanelKind { energy, constraints, invariants, curves, path };

struct RunPanel {
  RunPanelKind kind;
  std::string label = {};                ///< of the y axis
  std::vector<std::size_t> places = {};  ///< among the columns: of the curves, or A and B of a path
  bool is_single = false;                ///< one curve, which the axis names
  std::size_t left_out = 0;              ///< curves that are too many
};

/// What there is to draw by name: t, coordinates, velocities, multipliers and invariants.
std::vector<Column> drawable_columns(const System& system);

/// What `show` asks for (see RunPlot) of these columns. InputError with all names that are wrong.
std::vector<RunPanel> chosen_panels(const System& system, const std::vector<Column>& columns, const std::string& show);

}  // namespace noslip
