// Rows as arrays for NumPy: `numpy.load("run.npz")["x"]`.
//
// An NPZ file is a ZIP archive with one member per column, NAME.npy: a one-dimensional array of doubles, or of texts
// for a column of words. Columns follow each other there, rows come one after the other: until it is closed, the file is
// one array of rows (an NPY file; `numpy.load("run.npz.part")["x"]` works, words are their places in the list). Memory
// does not grow with the number of rows.
//
// Of an ensemble, arrays have the shape (members,) or (times, members), and there is an array `t` of the times. The rows of
// an unfinished file are members, with arrays of the length of the times in them; the times are not there.
//
// A record (RowSink::add_record) is the last array, `part`, of bytes. An unfinished file has none.
#pragma once

#include <noslip/io/row_sink.hpp>

namespace noslip {

std::unique_ptr<RowSink> open_npz(const RowFile& file);
std::unique_ptr<RowSink> resume_npz(const RowFile& file, std::string_view saved);

}  // namespace noslip
