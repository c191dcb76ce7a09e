# The system files of this folder become part of the library: a source with their texts, by name.
file(GLOB system_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.toml)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${system_files})
set(entries "")
foreach(system_file ${system_files})
  get_filename_component(system ${system_file} NAME_WLE)
  file(READ ${system_file} text)
  foreach(key description source)
    if(NOT text MATCHES "\n${key} *= (\"[^\n]*\")\n")
      message(FATAL_ERROR "${system_file} has no line of the form ${key} = \"...\"")
    endif()
    set(${key} "${CMAKE_MATCH_1}")
  endforeach()
  string(APPEND entries "    {\"${system}\", ${description}, ${source}, R\"toml(${text})toml\"},\n")
endforeach()
set(texts ${PROJECT_BINARY_DIR}/catalogue/system_files.cpp)
file(CONFIGURE OUTPUT ${texts} @ONLY CONTENT [[// Made from src/catalogue/*.toml.
#include "catalogue/system_files.hpp"

namespace noslip {

const std::vector<SystemFile>& system_files() {
  static const std::vector<SystemFile> files = {
@entries@  };
  return files;
}

}  // namespace noslip
]])
target_sources(noslip_catalogue PRIVATE ${texts})
