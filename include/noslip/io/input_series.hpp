// Values of an input over time, from a file.
#pragma once

#include <string>

#include <noslip/run/control.hpp>

namespace noslip {

/// Two columns, times and values, as read_csv (model/csv_reader.hpp) has them. Where the file names its columns, those
/// called `t` and like the input are taken, from any number of columns; a file of two columns has the times in the
/// first unless the second is called `t`. InputError with places for what is wrong, also for times that do not
/// increase and numbers that are missing; FileError if the file cannot be read.
InputSeries read_input_series(const std::string& file, const std::string& input, bool is_linear);
/// The same from a text; `origin` is the name in messages.
InputSeries parse_input_series(std::string text, const std::string& origin, const std::string& input, bool is_linear);

}  // namespace noslip
