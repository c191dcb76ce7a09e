# The module that talks to MPI, noslip_mpi.so: loaded at run time and only under a launcher, so that neither the library nor
# the tool needs MPI. It is compiled apart from the part; in a build it stands beside the tool.
set(mpi_module_source ${CMAKE_CURRENT_LIST_DIR}/mpi/module.cpp)
get_target_property(part_sources noslip_ensemble SOURCES)
list(REMOVE_ITEM part_sources ${mpi_module_source})
set_target_properties(noslip_ensemble PROPERTIES SOURCES "${part_sources}")

include(GNUInstallDirs)
file(RELATIVE_PATH modules_from_program /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR}/noslip)
set_property(SOURCE ${CMAKE_CURRENT_LIST_DIR}/ranks.cpp APPEND PROPERTY COMPILE_DEFINITIONS
             NOSLIP_MODULES_FROM_PROGRAM="${modules_from_program}")

if(NOSLIP_HAS_MPI)
  add_library(noslip_mpi MODULE ${mpi_module_source})
  # What mpicxx would link for the C++ bindings of old times is not used.
  target_link_options(noslip_mpi PRIVATE LINKER:--as-needed)
  target_link_libraries(noslip_mpi PRIVATE noslip_flags MPI::MPI_CXX)
  target_include_directories(noslip_mpi PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(noslip_mpi PRIVATE NOSLIP_VERSION="${PROJECT_VERSION}")
  set_target_properties(noslip_mpi PROPERTIES PREFIX "" CXX_VISIBILITY_PRESET hidden INSTALL_RPATH_USE_LINK_PATH ON
                        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/src/app)
endif()
