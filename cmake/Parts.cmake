# A part is a folder of src: an object library that sees only the parts it may look at (the rings of docs/design.md).
# Together they are the library noslip::noslip.
set(NOSLIP_PARTS "")

add_library(noslip_flags INTERFACE)
target_include_directories(noslip_flags INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_compile_options(noslip_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                       -ffp-contract=off -pthread)
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

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC looks for memory that it may use again, a tenth of its time, only where it has used this much (in kB).
  target_compile_options(noslip_flags INTERFACE "SHELL:--param ggc-min-heapsize=600000")
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
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${NOSLIP_UNITY} UNITY_BUILD_BATCH_SIZE 30)
endfunction()

# Headers that most sources include are compiled once: reading them takes longer than compiling what follows. A tree
# without NOSLIP_UNITY does without, and shows whether every file includes what it needs.
set(NOSLIP_PRECOMPILED OFF)
if(NOSLIP_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(NOSLIP_PRECOMPILED ON)
endif()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/empty.cpp CONTENT "")

# noslip_headers(TARGET HEADER ...): these headers and the standard library, for `REUSE_FROM TARGET`. GCC uses them only
# with the options that they were compiled with, among them -O, -fPIC, -D and instruction sets.
function(noslip_headers target)
  add_library(${target} OBJECT ${PROJECT_BINARY_DIR}/empty.cpp)
  target_link_libraries(${target} PRIVATE noslip_flags)
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <filesystem> <fstream> <functional> <limits> <map>
    <memory> <optional> <set> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector> ${ARGN})
endfunction()

# Code that runs once, before the first step or after the last one: optimising it takes longer than running it.
function(noslip_runs_once target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

if(NOSLIP_PRECOMPILED)
  foreach(headers noslip_headers_often noslip_headers_once)
    noslip_headers(${headers} <fmt/format.h>)
    target_link_libraries(${headers} PRIVATE fmt::fmt)
    set_target_properties(${headers} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endforeach()
  noslip_runs_once(noslip_headers_once)
endif()

# noslip_compile(TARGET OFTEN|ONCE): how a library is compiled. Code that runs ONCE is not optimised much.
function(noslip_compile target how)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  noslip_compile_together(${target})
  if(how STREQUAL "ONCE")
    noslip_runs_once(${target})
  endif()
  if(NOSLIP_PRECOMPILED)
    string(TOLOWER ${how} how)
    target_precompile_headers(${target} REUSE_FROM noslip_headers_${how})
  endif()
endfunction()

# noslip_objects(TARGET OFTEN|ONCE SOURCE ...): an object library with what all parts see.
function(noslip_objects target how)
  add_library(${target} OBJECT ${ARGN})
  noslip_compile(${target} ${how})
  target_link_libraries(${target} PRIVATE noslip_flags fmt::fmt Eigen3::Eigen tomlplusplus::tomlplusplus)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(${target} PRIVATE NOSLIP_HAS_ASMJIT=${NOSLIP_HAS_ASMJIT}
                             NOSLIP_HAS_SLEEF=${NOSLIP_HAS_SLEEF} NOSLIP_VERSION="${PROJECT_VERSION}")
  if(NOSLIP_HAS_ASMJIT)
    target_link_libraries(${target} PRIVATE asmjit::asmjit)
  endif()
  if(NOSLIP_HAS_SLEEF)
    target_link_libraries(${target} PRIVATE SLEEF::SLEEF)
  endif()
endfunction()

# noslip_part(NAME OFTEN|ONCE [PART ...]): sources src/NAME/*.cpp; PARTs and what they depend on are linked into its tests.
function(noslip_part name how)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp
       ${PROJECT_SOURCE_DIR}/src/${name}/*/*.cpp)
  if(NOT sources)
    set(sources ${PROJECT_BINARY_DIR}/empty.cpp)
  endif()
  noslip_objects(noslip_${name} ${how} ${sources})
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

# noslip_piece(PART PIECE OFTEN|ONCE NAME ...): src/PART/NAME.cpp are compiled by themselves, as noslip_PART_PIECE.
function(noslip_piece part piece how)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/src/${part}/ OUTPUT_VARIABLE own)
  list(TRANSFORM own APPEND .cpp)
  get_target_property(others noslip_${part} SOURCES)
  list(REMOVE_ITEM others ${own})
  set_target_properties(noslip_${part} PROPERTIES SOURCES "${others}")
  noslip_objects(noslip_${part}_${piece} ${how} ${own})
  set_property(TARGET noslip_${part} APPEND PROPERTY NOSLIP_PIECES noslip_${part}_${piece})
endfunction()

# noslip_add_parts(TARGET PART ...): links a target with the objects of parts.
function(noslip_add_parts target)
  foreach(part ${ARGN})
    get_property(pieces TARGET noslip_${part} PROPERTY NOSLIP_PIECES)
    foreach(piece noslip_${part} ${pieces})
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:${piece}>)
    endforeach()
  endforeach()
endfunction()

# noslip_make_library(TARGET [STATIC|SHARED]): all parts as one library.
function(noslip_make_library target)
  add_library(${target} ${ARGN})
  noslip_add_parts(${target} ${NOSLIP_PARTS})
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
  if(type STREQUAL "SHARED_LIBRARY")
    noslip_link_shared(${target})
  endif()
endfunction()

# noslip_link_shared(TARGET): what a shared object needs that has the library inside.
function(noslip_link_shared target)
  if(NOSLIP_HAS_ASMJIT)
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/asmjit_in_shared_library.cpp)
    target_link_options(${target} PRIVATE LINKER:--wrap=stderr)
  endif()
endfunction()

function(noslip_library)
  noslip_make_library(noslip)
  add_library(noslip::noslip ALIAS noslip)
endfunction()
