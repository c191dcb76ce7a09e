// Rows of an HDF5 file.
#pragma once

#include <noslip/io/row_source.hpp>

namespace noslip {

std::unique_ptr<RowSource> open_hdf5_source(const std::string& file);

}  // namespace noslip
