#include "study.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <utility>

#include "interrupt.hpp"
#include "output.hpp"

namespace noslip::app {

namespace fs = std::filesystem;

void declare_plot(Arguments& arguments) {
  arguments.value("--plot", "FILE.svg", "draw a picture, for any browser");
  arguments.flag("--force", "overwrite FILE if it exists");
}

void check_plot(Arguments& arguments) {
  if (!arguments.has("--plot")) {
    if (arguments.has("--force")) {
      arguments.problem("--force has no effect without --plot FILE.svg", "drop it, or add --plot FILE.svg");
    }
    return;
  }
  const std::string file = arguments.text("--plot");
  std::error_code ignored;
  const fs::file_status status = fs::status(file, ignored);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) return;  // a pipe, a device
  const fs::path path = file;
  if (path.extension() == ".svg") return;
  arguments.problem(fmt::format("--plot {}: {}", shortened(file),
                                path.has_extension() && path.stem() != path
                                    ? fmt::format("this version cannot draw {} files", path.extension().string())
                                    : "the ending does not tell a format that can be drawn"),
                    "use a name that ends in .svg");
}

void refuse_plot_file(const Arguments& arguments) {
  if (!arguments.has("--plot")) return;
  const std::string file = arguments.text("--plot");
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
  if (fs::is_regular_file(status) && !arguments.has("--force")) {
    throw FileError(fmt::format("the file '{}' exists\n  use --force to overwrite it, or choose another name", file));
  }
}

void write_plot(const Arguments& arguments, const Plot& plot) {
  if (!arguments.has("--plot")) return;
  write_svg(plot, arguments.text("--plot"), arguments.has("--force"));
  if (!arguments.has("--quiet")) tell(fmt::format("wrote '{}'", arguments.text("--plot")));
}

double chosen_end(Arguments& arguments) {
  if (!arguments.has("--until")) {
    arguments.problem("--until is missing", "give the end time, for example --until 10");
    return 0;
  }
  return arguments.number("--until").value_or(0);
}

StudyProgress study_progress(ProgressBar& bar) {
  return [&bar, is_first = true](const std::string& what, long long done, long long all) mutable {
    // Until the first step there is nothing to save: a signal ends the program as usual.
    if (std::exchange(is_first, false)) remember_signals();
    bar.update(what, done, all);
    return remembered_signal() == 0;
  };
}

int exit_code_of_study(const Outcome& outcome, bool has_failures) {
  if (outcome.status == Status::stopped && remembered_signal() != 0) return exit_signal + remembered_signal();
  return has_failures || outcome.status != Status::done ? exit_numerical_failure : exit_done;
}

std::string error_text(double error) { return std::isnan(error) ? "-" : fmt::format("{:.2e}", error); }

}  // namespace noslip::app
