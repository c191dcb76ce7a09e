# Sources that use instructions beyond the baseline; they run only where the processor has them (exec/isa.hpp).
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/functions_avx2.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/interpreter_avx2.cpp
                              PROPERTIES SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS "-mavx2;-mfma")
  set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/interpreter_pairs.cpp
                              PROPERTIES SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS "-mavx2;-mfma;-mbmi2")
  set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/functions_avx512.cpp
                              ${CMAKE_CURRENT_LIST_DIR}/interpreter_avx512.cpp
                              PROPERTIES SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS
                              "-mavx2;-mfma;-mavx512f;-mavx512vl;-mavx512dq;-mprefer-vector-width=512")
endif()
