#include <noslip/ensemble/ranks.hpp>

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include <noslip/core/error.hpp>

#include "ensemble/launch.hpp"
#include "ensemble/mpi_module.hpp"

namespace noslip {

namespace {

namespace fs = std::filesystem;

constexpr char module_file[] = "noslip_mpi.so";
constexpr char module_variable[] = "NOSLIP_MPI_MODULE";

/// The folders of the program and of the library, which are two if it is a shared one.
std::vector<fs::path> folders_of_program() {
  std::vector<fs::path> folders;
  std::error_code ignored;  // a path that cannot be had is not searched, and the message names those that are
  Dl_info library{};
  if (dladdr(reinterpret_cast<const void*>(&join_ranks), &library) != 0 && library.dli_fname) {
    folders.push_back(fs::canonical(library.dli_fname, ignored).parent_path());
  }
  folders.push_back(fs::read_symlink("/proc/self/exe", ignored).parent_path());
  std::erase_if(folders, [](const fs::path& folder) { return folder.empty(); });
  if (folders.size() == 2 && folders[0] == folders[1]) folders.pop_back();
  return folders;
}

/// Where the module may be: beside the program, as in a build, and in the folder for it where both are installed.
std::vector<fs::path> places_of_module() {
  std::vector<fs::path> places;
  for (const fs::path& folder : folders_of_program()) {
    for (const char* const beside : {"", "noslip", NOSLIP_MODULES_FROM_PROGRAM}) {
      places.push_back((folder / beside / module_file).lexically_normal());
    }
  }
  return places;
}

std::string find_mpi_module(const Launch& launch) {
  const char* const given = std::getenv(module_variable);
  if (given && *given) return given;
  const std::vector<fs::path> places = places_of_module();
  std::string searched;
  for (const fs::path& place : places) {
    std::error_code ignored;
    if (fs::exists(place, ignored)) return place.string();
    searched += (searched.empty() ? "" : ", ") + place.parent_path().string();
  }
  throw InputError(
      fmt::format("this process was started together with others ({}), but {}, which talks to them, is not in {}",
                  launch.by, module_file, searched),
      fmt::format("build noslip where MPI is installed (Debian: libopenmpi-dev, openmpi-bin), or set {} to the path of the "
                  "module, or to `none` to let every process work by itself",
                  module_variable));
}

const MpiModule& load_mpi_module(const std::string& path) {
  // For ever, since its code runs until the end of the process. Global, because MPI libraries load parts of their own
  // that expect to find them. A name without a folder would be looked for elsewhere than a user expects.
  std::error_code ignored;
  const std::string file = fs::absolute(path, ignored).string();
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!handle) {
    const char* const reason = dlerror();
    throw InputError(fmt::format("the module for MPI cannot be loaded: {}", reason ? reason : file),
                     fmt::format("install the MPI library that noslip was built with (Debian: openmpi-bin), or set {}",
                                 module_variable));
  }
  const auto function = reinterpret_cast<MpiModuleFunction*>(dlsym(handle, mpi_module_function));
  if (!function) {
    throw InputError(fmt::format("{} is not a module of noslip for MPI", file), fmt::format("correct {}", module_variable));
  }
  const MpiModule& module = *function();
  if (std::string_view(module.identity) != mpi_module_identity) {
    throw InputError(fmt::format("{} belongs to another build: it is of `{}`, this program of `{}`", file, module.identity,
                                 mpi_module_identity),
                     fmt::format("install both from one build, or set {}", module_variable));
  }
  return module;
}

}  // namespace

std::unique_ptr<Ranks> join_ranks() {
  const char* const given = std::getenv(module_variable);
  if (given && std::string_view(given) == "none") return nullptr;
  const Launch launch = find_launch([](const char* name) { return std::getenv(name); });
  if (launch.is_alone()) return nullptr;
  const MpiModule& module = load_mpi_module(find_mpi_module(launch));

  const std::string without_connection =
      fmt::format("this process was started together with others ({}), but nothing connects it to them", launch.by);
  const std::string remedy =
      launch.is_step ? fmt::format("use `srun --mpi=pmix` (`srun --mpi=list` shows what this cluster has) or `mpirun`; to let "
                                   "every task work by itself, set {}=none",
                                   module_variable)
                     : fmt::format("use the mpirun of the MPI library that noslip was built with; to let every process work "
                                   "by itself, set {}=none",
                                   module_variable);
  if (launch.is_step && !launch.has_pmi && module.is_open_mpi) throw InputError(without_connection, remedy);

  std::string problem;
  std::unique_ptr<Ranks> ranks = module.join(problem);
  if (!problem.empty()) throw InputError(problem);
  if (!ranks && launch.size != 0) throw InputError(without_connection, remedy);
  return ranks;
}

}  // namespace noslip
