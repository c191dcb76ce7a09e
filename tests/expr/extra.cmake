# sympy as a second opinion on simplification and derivatives. The Python that has sympy need not be the first on the path.
add_executable(expr_print_random ${CMAKE_CURRENT_LIST_DIR}/sympy/print_random.cpp
                                 ${CMAKE_CURRENT_LIST_DIR}/random_tree.cpp)
noslip_add_parts(expr_print_random ${NOSLIP_CLOSURE_expr})
target_link_libraries(expr_print_random PRIVATE noslip_flags noslip_links)
target_include_directories(expr_print_random PRIVATE ${PROJECT_SOURCE_DIR}/tests)

find_program(NOSLIP_SYMPY_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
if(NOT NOSLIP_SYMPY_PYTHON)
  find_program(NOSLIP_SYMPY_PYTHON NAMES python3)
endif()
if(NOSLIP_SYMPY_PYTHON)
  add_test(NAME expr.sympy COMMAND ${NOSLIP_SYMPY_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/sympy_check.py
                                   $<TARGET_FILE:expr_print_random> 2000)
  set_tests_properties(expr.sympy PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
endif()
