// Rows as an HDF5 file: a data set per column, compressed in chunks, which HDF5, h5py, NetCDF-4 and xarray read.
//
// The file is written without a library, so that it is valid at any moment (io/hdf5_layout.hpp) and does not depend on
// how fast rows come. Rows that do not fill a chunk yet are there, too, from time to time: as a block that is replaced
// by the whole one later.
#pragma once

#include <noslip/io/row_sink.hpp>

namespace noslip {

std::unique_ptr<RowSink> open_hdf5(const RowFile& file);
std::unique_ptr<RowSink> resume_hdf5(const RowFile& file, std::string_view saved);

}  // namespace noslip
