#include "plot_options.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "data_options.hpp"
#include "output.hpp"

namespace noslip::app {

namespace {

namespace fs = std::filesystem;

}  // namespace

void check_plot(Arguments& arguments) {
  arguments.choice("--theme");
  if (!arguments.has("--plot")) {
    if (arguments.has("--theme")) {
      arguments.problem("--theme has no effect without --plot FILE.svg", "drop it, or add --plot FILE.svg");
    }
    return;
  }
  check_plot_name(arguments);
}

void check_plot_name(Arguments& arguments) {
  const std::string file = arguments.text("--plot");
  check_is_not_read(arguments, "--plot", file);
  try {
    check_plot_file(file);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) {
      const std::string what = problem.what.substr(std::min(file.size(), problem.what.size()));  // begins with the name
      arguments.problem(fmt::format("--plot {}{}", shortened(file), what), problem.remedy);
    }
  }
}

void refuse_plot_file(const Arguments& arguments) {
  if (arguments.has("--plot")) refuse_file(arguments.text("--plot"), arguments.has("--force"));
}

void refuse_file(const std::string& file, bool overwrite) {
  std::error_code ignored;
  const fs::path folder = fs::path(file).parent_path();
  const fs::file_status status = fs::status(file, ignored);
  if (!folder.empty() && !fs::is_directory(folder, ignored)) {
    throw FileError(fmt::format("cannot write '{}': {}\n  the folder has to exist", file, std::strerror(ENOENT)));
  }
  if (fs::is_directory(status)) {
    throw FileError(fmt::format("cannot write '{}': {}\n  that is a folder: give the name of a file in it", file,
                                std::strerror(EISDIR)));
  }
  if (fs::is_regular_file(status) && !overwrite) {
    throw FileError(fmt::format("the file '{}' exists\n  use --force to overwrite it, or choose another name", file));
  }
}

void write_plot(Arguments& arguments, Plot plot, bool overwrites) {
  if (!arguments.has("--plot")) return;
  plot.theme = arguments.choice("--theme", plot.theme);
  noslip::write_plot(plot, arguments.text("--plot"), overwrites || arguments.has("--force"));
  if (!arguments.has("--quiet")) tell(fmt::format("wrote '{}'", arguments.text("--plot")));
}

}  // namespace noslip::app
