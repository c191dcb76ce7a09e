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
  std::vector<std::size_t> places = {};  ///< among the columns: of the curves, or A and B of each path
  bool is_single = false;                ///< one curve, which the axis names
  std::size_t left_out = 0;              ///< curves that are too many
};

/// What there is to draw by name, beside definitions: t, coordinates, velocities, multipliers, invariants, inputs and
/// outputs.
std::vector<Column> drawable_columns(const System& system);

/// What `show` asks for (see RunPlot) of these columns; definitions that it names are added to them. InputError with all
/// names that are wrong.
std::vector<RunPanel> chosen_panels(const System& system, std::vector<Column>& columns, const std::string& show);

}  // namespace noslip
