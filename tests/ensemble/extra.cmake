# Ranks under a real mpirun, and in environments that pretend to have one.
find_package(Python3 COMPONENTS Interpreter)
add_executable(ranks_program ${CMAKE_CURRENT_LIST_DIR}/mpi/ranks_program.cpp)
noslip_add_parts(ranks_program ${NOSLIP_CLOSURE_ensemble})
target_link_libraries(ranks_program PRIVATE noslip_flags noslip_links)
if(Python3_FOUND)
  include(GNUInstallDirs)
  file(RELATIVE_PATH modules_from_program /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR}/noslip)
  set(mpi_module "")
  if(TARGET noslip_mpi)
    set(mpi_module $<TARGET_FILE:noslip_mpi>)
  endif()
  add_test(NAME ensemble.ranks COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/mpi/ranks_test.py
                                       $<TARGET_FILE:ranks_program> ${modules_from_program} ${mpi_module})
  # MPI keeps memory until the process ends, which leak checkers take amiss.
  set_tests_properties(ensemble.ranks PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300 PROCESSORS 2 ENVIRONMENT
                       "PYTHONDONTWRITEBYTECODE=1;ASAN_OPTIONS=detect_leaks=0")
endif()
