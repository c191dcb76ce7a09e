# Tests know whether HDF5 files are compressed.
target_compile_definitions(test_io PRIVATE NOSLIP_HAS_ZLIB=${NOSLIP_HAS_ZLIB})
