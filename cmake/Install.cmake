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

# The tool prints its manual page and the scripts that complete its words; when cross-compiling this needs an emulator.
if(TARGET noslip_tool AND (NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR))
  # noslip_install_printed(FOLDER NAME WORD...): what the tool prints for these words.
  function(noslip_install_printed folder name)
    set(file ${PROJECT_BINARY_DIR}/printed/${folder}/${name})
    cmake_path(GET file PARENT_PATH parent)
    file(MAKE_DIRECTORY ${parent})
    add_custom_command(OUTPUT ${file} COMMAND noslip_tool ${ARGN} > ${file} DEPENDS noslip_tool VERBATIM)
    set_property(GLOBAL APPEND PROPERTY noslip_printed ${file})
    install(FILES ${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder})
  endfunction()
  noslip_install_printed(bash-completion/completions noslip --completion bash)
  noslip_install_printed(zsh/site-functions _noslip --completion zsh)
  noslip_install_printed(fish/vendor_completions.d noslip.fish --completion fish)
  noslip_install_printed(man/man1 noslip.1 --man)
  get_property(printed GLOBAL PROPERTY noslip_printed)
  add_custom_target(noslip_printed ALL DEPENDS ${printed})
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
