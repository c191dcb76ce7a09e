# The Python module, as users have it.
if(TARGET noslip_python AND NOSLIP_TOOL AND NOT NOSLIP_SANITIZE)
  foreach(script systems runs values lifetime pickles errors expressions steps ensembles interrupts sharing text outputs package tables states)
    add_test(NAME python.${script} COMMAND ${NOSLIP_PYTHON_EXECUTABLE} -m pytest -q -p no:cacheprovider
                                   -c ${PROJECT_SOURCE_DIR}/pyproject.toml ${CMAKE_CURRENT_LIST_DIR}/${script}_test.py)
    set_tests_properties(python.${script} PROPERTIES TIMEOUT 300 ENVIRONMENT
      "PYTHONPATH=${PROJECT_BINARY_DIR}/python;NOSLIP_TOOL=$<TARGET_FILE:noslip_tool>;PYTHONDONTWRITEBYTECODE=1;NOSLIP_BUILD_DIR=${PROJECT_BINARY_DIR};HYPOTHESIS_STORAGE_DIRECTORY=${PROJECT_BINARY_DIR}/hypothesis")
  endforeach()
  # Documents about the module: every block and notebook is run.
  foreach(script python_docs notebooks)
    add_test(NAME python.${script} COMMAND ${NOSLIP_PYTHON_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/${script}.py --check)
    set_tests_properties(python.${script} PROPERTIES TIMEOUT 300 ENVIRONMENT
                         "PYTHONPATH=${PROJECT_BINARY_DIR}/python;PYTHONDONTWRITEBYTECODE=1")
  endforeach()
endif()
