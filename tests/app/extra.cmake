# The tool, tested from outside with scripts that need nothing but Python.
find_package(Python3 COMPONENTS Interpreter)
if(TARGET noslip_tool AND Python3_FOUND)
  foreach(script run_test studies_test verbs_test bad_inputs_test index_two_test kinds_test keys_test
                 skew_gradient_test groups_test plot_test between_test reproduce_test exact_numbers_test finite_test options_test
                 data_files_test files_test inputs_test arrays_test checkpoint_test preparation_test processor_test
                 ensemble_test ensemble_breaks_test merge_test completion_test trailers_test states_test outputs_test tables_test)
    add_test(NAME tool.${script} COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/${script}.py)
    set_tests_properties(tool.${script} PROPERTIES TIMEOUT 300 ENVIRONMENT
                         "NOSLIP_TOOL=$<TARGET_FILE:noslip_tool>;PYTHONDONTWRITEBYTECODE=1;NOSLIP_FIGURES=${figures}")
    list(APPEND counting tool.${script})
  endforeach()
  if(NOT NOSLIP_SANITIZE)  # sanitizers have allocators of their own
    add_library(noslip_failing_malloc MODULE ${CMAKE_CURRENT_LIST_DIR}/failing_malloc.cpp)
    set_property(TEST tool.files_test APPEND PROPERTY ENVIRONMENT
                 "NOSLIP_FAILING_MALLOC=$<TARGET_FILE:noslip_failing_malloc>")
  endif()
  # Every verdict on the papers, from shortened runs.
  add_test(NAME tool.reproduce_quickly COMMAND noslip_tool reproduce --quick --quiet --force --output
                                               ${CMAKE_CURRENT_BINARY_DIR}/reproduction)
  set_tests_properties(tool.reproduce_quickly PROPERTIES TIMEOUT 600)
endif()
