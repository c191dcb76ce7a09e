// Poincare sections as documents and pictures. (Their rows go to any RowSink: columns_of and for_each_row.)
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <noslip/io/plot.hpp>
#include <noslip/run/section.hpp>

namespace noslip {

/// The document of `noslip section --json`.
std::string to_json_text(const Section& section);
/// The same in pieces, as they come: the list of crossings takes no memory.
void write_json(const Section& section, const std::function<void(std::string_view)>& take);

/// The first two columns against each other (or the only one against the time): one colour per orbit.
Plot plot_of(const Section& section);

}  // namespace noslip
