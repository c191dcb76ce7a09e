# JSON documents are made with nlohmann-json; no public header shows it.
find_package(nlohmann_json REQUIRED)
target_link_libraries(noslip_io PRIVATE nlohmann_json::nlohmann_json)
# PNG is drawn by librsvg; without it NOSLIP_HAS_RSVG is 0.
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/io/plot_file.cpp APPEND PROPERTY COMPILE_DEFINITIONS
             NOSLIP_HAS_RSVG=${NOSLIP_HAS_RSVG})
if(NOSLIP_HAS_RSVG)
  target_link_libraries(noslip_io PRIVATE PkgConfig::RSVG)
endif()
