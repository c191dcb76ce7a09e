// Panels of errors over time.
#pragma once

#include <string>
#include <vector>

#include <noslip/io/plot.hpp>
#include <noslip/run/over_time.hpp>

namespace noslip {

using ErrorPoints = std::vector<ErrorsOverTime::Point>;

struct ErrorLine {
  PlotSeries series;  ///< without points
  const ErrorPoints* errors;
};

/// A logarithmic panel. Zeros are drawn at a floor below all other values, and a note tells where that is.
PlotPanel error_panel(const std::string& label, std::vector<ErrorLine> lines);

}  // namespace noslip
