// What the library and the module noslip_mpi.so know of each other. They are compiled apart, and the module is loaded only
// if it was made together with the library.
#pragma once

#include <memory>
#include <string>

#include <noslip/ensemble/ranks.hpp>

#define NOSLIP_TEXT_OF(value) #value
#define NOSLIP_VALUE_AS_TEXT(value) NOSLIP_TEXT_OF(value)
#ifdef _GLIBCXX_USE_CXX11_ABI
#define NOSLIP_STRING_KIND NOSLIP_VALUE_AS_TEXT(_GLIBCXX_USE_CXX11_ABI)
#else
#define NOSLIP_STRING_KIND "other"
#endif

namespace noslip {

/// Two that differ here may not call each other: version of noslip, of this interface (to be raised when Ranks changes),
/// compiler, kind of std::string.
inline constexpr char mpi_module_identity[] =
    "noslip " NOSLIP_VERSION ", interface 1, " __VERSION__ ", strings " NOSLIP_STRING_KIND;

struct MpiModule {
  const char* identity;  ///< first, so that it can be read whatever the rest is
  /// Open MPI ends a process inside MPI_Init if srun does not connect it to the others.
  bool is_open_mpi;
  /// Starts MPI, unless the program has. Null with a `problem` if it has ended already, null without if it has one rank.
  std::unique_ptr<Ranks> (*join)(std::string& problem);
};

/// The one function of the module that is seen from outside.
inline constexpr char mpi_module_function[] = "noslip_mpi_module";
using MpiModuleFunction = const MpiModule*();

}  // namespace noslip
