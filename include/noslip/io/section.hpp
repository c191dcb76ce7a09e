// Poincare sections as text and as a picture.
#pragma once

#include <string>

#include <noslip/io/plot.hpp>
#include <noslip/run/section.hpp>

namespace noslip {

/// Comma-separated values, one row per crossing: t and the columns; in front `orbit`, counted from 1, where there are
/// several.
std::string to_csv_text(const Section& section);

/// The document of `noslip section --json`.
std::string to_json_text(const Section& section);

/// The first two columns against each other (or the only one against the time): one colour per orbit.
Plot plot_of(const Section& section);

}  // namespace noslip
