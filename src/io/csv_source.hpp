// Rows of a CSV file.
#pragma once

#include <noslip/io/row_source.hpp>

namespace noslip {

std::unique_ptr<RowSource> open_csv_source(const std::string& file);

}  // namespace noslip
