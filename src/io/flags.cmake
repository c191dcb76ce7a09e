# Most of this part runs once; these handle every row.
noslip_piece(io rows OFTEN csv row_blocks npz npz_archive crc32 hdf5 hdf5_chunk
             csv_source npz_source hdf5_source)
# JSON documents are made with nlohmann-json; no public header shows it.
find_package(nlohmann_json REQUIRED)
target_link_libraries(noslip_io PRIVATE nlohmann_json::nlohmann_json)
# PNG is drawn by librsvg; without it NOSLIP_HAS_RSVG is 0.
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/io/plot_file.cpp APPEND PROPERTY COMPILE_DEFINITIONS
             NOSLIP_HAS_RSVG=${NOSLIP_HAS_RSVG})
if(NOSLIP_HAS_RSVG)
  target_link_libraries(noslip_io PRIVATE PkgConfig::RSVG)
endif()
# HDF5 files are compressed by zlib; without it NOSLIP_HAS_ZLIB is 0.
target_compile_definitions(noslip_io_rows PRIVATE NOSLIP_HAS_ZLIB=${NOSLIP_HAS_ZLIB})
if(NOSLIP_HAS_ZLIB)
  target_link_libraries(noslip_io_rows PRIVATE ZLIB::ZLIB)
endif()
