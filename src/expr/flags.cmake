# Two printers with the same words for what they do.
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/latex.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
