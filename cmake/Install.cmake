# What `cmake --install` puts where, and the package that find_package(noslip) reads afterwards.
if(NOT NOSLIP_INSTALL)
  return()
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/noslip)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/noslip DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp")
install(TARGETS noslip EXPORT noslipTargets)

# A static library leaves its own libraries to whoever links it; a shared one has them inside or brings them itself.
get_target_property(noslip_type noslip TYPE)
if(noslip_type STREQUAL "STATIC_LIBRARY")
  set(NOSLIP_PACKAGE_IS_STATIC 1)
  set_target_properties(noslip_links PROPERTIES EXPORT_NAME links)
  install(TARGETS noslip_links EXPORT noslipTargets)
  if(NOSLIP_HAS_SLEEF)
    install(FILES ${PROJECT_SOURCE_DIR}/cmake/FindSLEEF.cmake DESTINATION ${package_dir})
  endif()
else()
  set(NOSLIP_PACKAGE_IS_STATIC 0)
endif()

if(TARGET noslip_tool)
  file(RELATIVE_PATH tool_to_library /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
  set_target_properties(noslip_tool PROPERTIES INSTALL_RPATH "$ORIGIN/${tool_to_library}")
  install(TARGETS noslip_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# The library looks for it relative to itself and to the program (src/ensemble/ranks.cpp).
if(TARGET noslip_mpi)
  install(TARGETS noslip_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/noslip)
endif()

install(EXPORT noslipTargets NAMESPACE noslip:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/noslipConfig.cmake.in ${PROJECT_BINARY_DIR}/noslipConfig.cmake
                              INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/noslipConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/noslipConfig.cmake ${PROJECT_BINARY_DIR}/noslipConfigVersion.cmake
        DESTINATION ${package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
