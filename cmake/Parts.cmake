# A part is a folder of src: an object library that sees only the parts it may look at (the rings of docs/design.md).
# Together they are the library noslip::noslip.
set(NOSLIP_PARTS "")

add_library(noslip_flags INTERFACE)
target_include_directories(noslip_flags INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_compile_options(noslip_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                       -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns about overlapping copies in correct uses of `"text" + string` (GCC bug 105329).
  target_compile_options(noslip_flags INTERFACE -Wno-restrict)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  if(NOSLIP_UNITY)
    target_compile_options(noslip_flags INTERFACE -Wno-shadow)  # of names that other sources have for themselves
  endif()
  # quadmath.h is found among the headers of GCC alone, and the others there are not for Clang.
  find_program(NOSLIP_GCC NAMES g++ gcc REQUIRED)
  execute_process(COMMAND ${NOSLIP_GCC} -print-file-name=include/quadmath.h OUTPUT_VARIABLE quadmath
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  file(COPY ${quadmath} DESTINATION ${PROJECT_BINARY_DIR}/for_clang)
  target_include_directories(noslip_flags SYSTEM INTERFACE $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/for_clang>)
endif()
if(NOSLIP_WERROR)
  target_compile_options(noslip_flags INTERFACE -Werror)
endif()
if(NOSLIP_SANITIZE)
  target_compile_options(noslip_flags INTERFACE -fsanitize=${NOSLIP_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(noslip_flags INTERFACE -fsanitize=${NOSLIP_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With sanitizers GCC warns of the standard library itself (<regex>).
    target_compile_options(noslip_flags INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()

# Libraries that users of the static library have to link too.
add_library(noslip_links INTERFACE)
target_link_libraries(noslip_links INTERFACE fmt::fmt Threads::Threads quadmath ${CMAKE_DL_LIBS})
if(NOSLIP_HAS_ASMJIT)
  target_link_libraries(noslip_links INTERFACE asmjit::asmjit rt)
endif()
if(NOSLIP_HAS_SLEEF)
  target_link_libraries(noslip_links INTERFACE SLEEF::SLEEF)
endif()
if(NOSLIP_HAS_RSVG)
  target_link_libraries(noslip_links INTERFACE PkgConfig::RSVG)
endif()
if(NOSLIP_HAS_ZLIB)
  target_link_libraries(noslip_links INTERFACE ZLIB::ZLIB)
endif()

# Sources are compiled several at a time: most of the time goes into headers, which they share. Names in anonymous
# namespaces have to differ within a part.
function(noslip_compile_together target)
  # GCC takes a source that is included for a header, in which a type of an anonymous namespace would be a mistake.
  target_compile_options(${target} PRIVATE $<$<AND:$<BOOL:${NOSLIP_UNITY}>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${NOSLIP_UNITY} UNITY_BUILD_BATCH_SIZE 12)
endfunction()

# Code that runs once, before the first step or after the last one: optimising it takes longer than running it.
function(noslip_runs_once target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# noslip_part(NAME [PART ...]): sources src/NAME/*.cpp; PARTs and what they depend on are linked into its tests.
function(noslip_part name)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp
       ${PROJECT_SOURCE_DIR}/src/${name}/*/*.cpp)
  if(NOT sources)
    file(WRITE ${PROJECT_BINARY_DIR}/empty_${name}.cpp "")
    set(sources ${PROJECT_BINARY_DIR}/empty_${name}.cpp)
  endif()
  add_library(noslip_${name} OBJECT ${sources})
  set_target_properties(noslip_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(noslip_${name} PRIVATE noslip_flags fmt::fmt Eigen3::Eigen tomlplusplus::tomlplusplus)
  target_include_directories(noslip_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(noslip_${name} PRIVATE NOSLIP_HAS_ASMJIT=${NOSLIP_HAS_ASMJIT}
                             NOSLIP_HAS_SLEEF=${NOSLIP_HAS_SLEEF} NOSLIP_VERSION="${PROJECT_VERSION}")
  if(NOSLIP_HAS_ASMJIT)
    target_link_libraries(noslip_${name} PRIVATE asmjit::asmjit)
  endif()
  if(NOSLIP_HAS_SLEEF)
    target_link_libraries(noslip_${name} PRIVATE SLEEF::SLEEF)
  endif()
  noslip_compile_together(noslip_${name})
  # What only this part needs, for example flags of single files.
  include(${PROJECT_SOURCE_DIR}/src/${name}/flags.cmake OPTIONAL)
  set(closure ${name})
  foreach(part ${ARGN})
    list(APPEND closure ${NOSLIP_CLOSURE_${part}})
  endforeach()
  list(REMOVE_DUPLICATES closure)
  set(NOSLIP_CLOSURE_${name} ${closure} PARENT_SCOPE)
  set(NOSLIP_PARTS ${NOSLIP_PARTS} ${name} PARENT_SCOPE)
endfunction()

# noslip_make_library(TARGET [STATIC|SHARED]): all parts as one library.
function(noslip_make_library target)
  add_library(${target} ${ARGN})
  foreach(part ${NOSLIP_PARTS})
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:noslip_${part}>)
  endforeach()
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                             $<INSTALL_INTERFACE:include>)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PRIVATE noslip_links)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR})
  if(NOSLIP_SANITIZE)
    target_link_options(${target} PUBLIC -fsanitize=${NOSLIP_SANITIZE})
  endif()
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "SHARED_LIBRARY" AND NOSLIP_HAS_ASMJIT)
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/asmjit_in_shared_library.cpp)
    target_link_options(${target} PRIVATE LINKER:--wrap=stderr)
  endif()
endfunction()

function(noslip_library)
  noslip_make_library(noslip)
  add_library(noslip::noslip ALIAS noslip)
endfunction()
