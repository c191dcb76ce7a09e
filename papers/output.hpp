// What a reproduction leaves behind: a picture and its numbers.
#pragma once

#include <string>

#include <noslip/io/plot.hpp>

#include "reproduce.hpp"

namespace noslip::papers {

/// The panels of the experiment.
Plot picture_of(const Reproduction& reproduction, PlotTheme theme);

/// The ending of its picture: ".svg", or ".png" for an experiment with very many points; empty for none.
std::string picture_ending(const Experiment& experiment);

/// A data file (io/row_sink.hpp): a column `run` with the label of the table, then the columns of all tables; no value
/// where a table does not have one. Of tables with more than most_rows rows each K-th is written, and the last.
void write_data(const Reproduction& reproduction, const std::string& file, bool overwrite);
inline constexpr std::size_t most_rows = 5000;

}  // namespace noslip::papers
