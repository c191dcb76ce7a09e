// Rows as arrays for NumPy: `numpy.load("run.npz")["x"]`.
//
// An NPZ file is a ZIP archive with one member per column, NAME.npy: a one-dimensional array of doubles, or of texts
// for a column of words. Columns follow each other in the file, so that rows are kept in memory until it is closed;
// before that the file is empty.
#pragma once

#include <noslip/io/row_sink.hpp>

namespace noslip {

std::unique_ptr<RowSink> open_npz(const std::string& file, bool overwrite, const std::vector<Column>& columns);

}  // namespace noslip
