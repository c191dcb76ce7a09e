# Tests know whether HDF5 files are compressed.
target_compile_definitions(test_io PRIVATE NOSLIP_HAS_ZLIB=${NOSLIP_HAS_ZLIB})

# Files of ensembles, read by other programs.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  add_executable(write_members ${CMAKE_CURRENT_LIST_DIR}/programs/write_members.cpp)
  target_link_libraries(write_members PRIVATE noslip_flags noslip::noslip)
  add_test(NAME io.member_files COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/member_files_test.py)
  set_tests_properties(io.member_files PROPERTIES TIMEOUT 600 ENVIRONMENT
                       "NOSLIP_MEMBER_WRITER=$<TARGET_FILE:write_members>;PYTHONDONTWRITEBYTECODE=1")
endif()
