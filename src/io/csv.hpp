// Rows as comma-separated values.
//
//   t,x,y,theta,x',y',theta',lambda1,energy,constraint
//   0,0,0,0,0,0,1,0,0.5,0
//
// Every number is the shortest text that reads back as the same double; what is not finite is left empty. A name or a
// word with a comma, a quote or an end of line in it stands in quotes.
//
// A member of an ensemble has a line for every time, with what is said of it, then `t` and its values; the lines of one
// are written together unless they are very long.
//
// A record (RowSink::add_record) is in comments at the end, so that a file without its last lines is noticed:
//
//   # noslip 0.1.0
//   # bm9zbGlwIHBhcnQgMQo...           base64
//   # noslip record ends: 4711 bytes before it, with the checksum 1234567890
#pragma once

#include <noslip/io/row_sink.hpp>

namespace noslip {

/// Creates the file and writes the header.
std::unique_ptr<RowSink> open_csv(const RowFile& file);
std::unique_ptr<RowSink> resume_csv(const RowFile& file, std::string_view saved);

inline constexpr std::string_view csv_record_start = "# noslip ", csv_record_line = "# ",
                                  csv_record_end = "# noslip record ends: ",
                                  csv_record_checksum = " bytes before it, with the checksum ";

}  // namespace noslip
