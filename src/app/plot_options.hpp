// Options of the verbs that draw: which file, which colours.
#pragma once

#include <noslip/io/plot.hpp>

#include "arguments.hpp"

namespace noslip::app {

// Such a verb has --plot, --theme and --force.

/// A problem for an ending that cannot be written, a theme that does not exist, or a theme for nothing.
void check_plot(Arguments& arguments);
/// The first of these problems alone.
void check_plot_name(Arguments& arguments);
/// Before anything runs: FileError where the file cannot be made, or exists without --force.
void refuse_plot_file(const Arguments& arguments);
/// The same for any file that is written when everything has been computed.
void refuse_file(const std::string& file, bool overwrite);
/// Writes the picture if there is --plot.
void write_plot(Arguments& arguments, Plot plot, bool overwrites = false);

}  // namespace noslip::app
