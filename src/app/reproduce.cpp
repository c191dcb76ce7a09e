// noslip reproduce: figures and tables of the papers.
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <noslip/core/names.hpp>
#include <noslip/core/stopping.hpp>
#include <noslip/io/output_file.hpp>

#include "arguments.hpp"
#include "data_options.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "papers/output.hpp"
#include "papers/page.hpp"
#include "papers/reproduce.hpp"
#include "papers/words.hpp"
#include "plot_options.hpp"
#include "progress.hpp"
#include "study.hpp"
#include "verbs.hpp"

namespace noslip::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using namespace papers;

constexpr const char* reproduce_examples = R"(Examples:
  noslip reproduce --list
  noslip reproduce jay2009-fig-8.1
  noslip reproduce jay2009 celledoni2019-fig-4 --output figures --theme dark
  noslip reproduce --quick --json
  noslip reproduce --page reproduction.md

ID is a figure or a table of a paper, or the beginning of several: jay2009 is all of the first paper, hilden2009-fig-4
are the figures 4.1, 4.2, ... of the second. Without ID everything is reproduced.

For every check the verdict says whether the measured number lies where the paper has it (agrees), outside, but where
the corrected claim has it (paper corrected), or neither (differs). Where the paper gives no number of its own, agrees
means that the number is the true one; where both ranges are given, a number outside of the true one differs.

The numbers go to DIR/ID.csv, with a column `run` in front, the picture to DIR/ID.svg (ID.png where it has very many
points). The exit code is 4 if a verdict is not the one that was recorded when noslip was made.
)";

void declare_reproduce(Arguments& arguments) {
  arguments.usage("[ID ...] [options]");
  arguments.positionals("ID", "figures and tables, or beginnings of their names; without it all");
  arguments.declare();
  arguments.epilogue(reproduce_examples);
}

int list(const std::vector<const Experiment*>& chosen, bool quick, bool as_json) {
  if (as_json) {
    Json entries = Json::array();
    for (const Experiment* experiment : chosen) {
      entries.push_back({{"id", experiment->id},
                         {"what", experiment->what},
                         {"recorded", papers::to_text(recorded_verdict(*experiment, quick))}});
    }
    print(Json{{"entries", std::move(entries)}}.dump(2) + "\n");
    return exit_done;
  }
  std::vector<std::vector<std::string>> rows;
  for (const Experiment* experiment : chosen) {
    rows.push_back({experiment->id, papers::to_text(recorded_verdict(*experiment, quick)), experiment->what});
  }
  print(table({"ID", "RECORDED", "WHAT"}, rows));
  return exit_done;
}

std::string text_of(const Reproduction& done) {
  const Experiment& experiment = *done.experiment;
  std::string text = fmt::format("{}: {}\n", experiment.id, experiment.what);
  text += two_columns("paper", experiment.claim, 13);
  if (!experiment.corrected.empty()) text += two_columns("corrected", experiment.corrected, 13);
  std::vector<std::vector<std::string>> rows;
  for (const CheckResult& check : done.checks) {
    std::string verdict = papers::to_text(check.verdict);
    if (check.verdict != check.bounds->recorded) {
      verdict += fmt::format(" (recorded: {})", papers::to_text(check.bounds->recorded));
    }
    rows.push_back({verdict, number_text(check), range_text(check.bounds->paper), range_text(check.bounds->truth),
                    check.check->what});
  }
  return text + "\n" + table({"VERDICT", ">MEASURED", "PAPER", "TRUE", "WHAT"}, rows) + "\n";
}

std::string summary_of(const std::vector<Reproduction>& all) {
  std::vector<std::vector<std::string>> rows;
  for (const Reproduction& one : all) {
    const auto agreeing = std::count_if(one.checks.begin(), one.checks.end(),
                                        [](const CheckResult& check) { return check.verdict == Verdict::agrees; });
    rows.push_back({one.experiment->id, papers::to_text(one.verdict),
                    fmt::format("{} of {}", agreeing, one.checks.size()), one.as_recorded ? "" : "not as recorded"});
  }
  return table({"ID", "VERDICT", ">CHECKS THAT AGREE", "NOTE"}, rows);
}

Json json_of(const Range& range) {
  const auto end = [](double x) { return std::isfinite(x) ? Json(x) : Json(); };
  return {{"least", end(range.least)}, {"most", end(range.most)}};
}

Json json_of(const Reproduction& one) {
  Json checks = Json::array();
  for (const CheckResult& check : one.checks) {
    checks.push_back({{"what", check.check->what},
                      {"run", check.check->run},
                      {"claim", check.bounds->paper ? json_of(*check.bounds->paper) : Json()},
                      {"corrected", check.bounds->truth ? json_of(*check.bounds->truth) : Json()},
                      {"measured", std::isfinite(check.measured) ? Json(check.measured) : Json()},
                      {"verdict", papers::to_text(check.verdict)},
                      {"recorded", papers::to_text(check.bounds->recorded)}});
  }
  Json runs = Json::array();
  for (const papers::Table& table : one.tables) {
    runs.push_back({{"label", table.label},
                    {"rows", table.values.empty() ? 0 : table.values[0].size()},
                    {"status", noslip::to_text(table.outcome.status)},
                    {"message", table.outcome.message}});
  }
  return {{"id", one.experiment->id},
          {"what", one.experiment->what},
          {"claim", one.experiment->claim},
          {"corrected", one.experiment->corrected.empty() ? Json() : Json(one.experiment->corrected)},
          {"verdict", papers::to_text(one.verdict)},
          {"recorded", papers::to_text(one.recorded)},
          {"as_recorded", one.as_recorded},
          {"wall_seconds", one.seconds},
          {"checks", std::move(checks)},
          {"runs", std::move(runs)}};
}

/// Where the files of an experiment go.
struct Files {
  fs::path folder;
  std::string plot;  ///< of the only one; empty: in the folder
  std::string data_of(const Experiment& experiment) const { return (folder / (experiment.id + ".csv")).string(); }
  /// Empty for an experiment without a picture.
  std::string picture_of(const Experiment& experiment) const {
    if (!plot.empty()) return plot;
    const std::string ending = picture_ending(experiment);
    return ending.empty() ? ending : (folder / (experiment.id + ending)).string();
  }
};

/// --plot is for one figure that has a picture.
void check_plot_option(Arguments& arguments, const std::vector<const Experiment*>& chosen) {
  check_plot_name(arguments);
  if (chosen.size() > 1) {
    arguments.problem(fmt::format("--plot {}: {} figures do not fit into one file", shortened(arguments.text("--plot")),
                                  chosen.size()),
                      "name one figure, or a folder for all pictures with --output DIR");
  }
}

/// Before anything runs: everything that will be in the way at the end.
void prepare_files(const Files& files, const std::string& page, const std::vector<const Experiment*>& chosen,
                   bool force) {
  std::error_code error;
  if (fs::is_directory(page, error)) {
    throw FileError(fmt::format("cannot write '{}': it is a folder\n  give the name of a file in it", page));
  }
  if (const fs::path home = fs::path(page).parent_path(); !home.empty() && !fs::is_directory(home)) {
    throw FileError(fmt::format("cannot write '{}': no such folder\n  the folder has to exist", page));
  }
  fs::create_directories(files.folder, error);
  if (!fs::is_directory(files.folder)) {
    throw FileError(fmt::format("cannot make the folder '{}': {}\n  choose another one with --output",
                                files.folder.string(), error ? error.message() : "a file has that name"));
  }
  if (access(files.folder.c_str(), W_OK) != 0) {
    throw FileError(fmt::format("cannot write into the folder '{}': {}\n  choose another one with --output",
                                files.folder.string(), std::strerror(errno)));
  }
  if (force) return;
  std::vector<std::string> existing;
  if (!page.empty() && fs::exists(page, error)) existing.push_back(page);
  for (const Experiment* experiment : chosen) {
    for (const std::string& file : {files.data_of(*experiment), files.picture_of(*experiment)}) {
      if (!file.empty() && fs::exists(file, error)) existing.push_back(file);
    }
  }
  if (existing.empty()) return;
  const std::string first = fmt::format("'{}'", existing.front());
  throw FileError(fmt::format("{} {}\n  use --force to overwrite, or choose another folder with --output",
                              existing.size() == 1
                                  ? "the file " + first
                                  : fmt::format("{} and {} of the other files", first, existing.size() - 1),
                              existing.size() == 1 ? "exists" : "exist"));
}

void tell_failures_of_reproduce(const Reproduction& one) {
  for (const papers::Table& table : one.tables) {
    if (table.outcome.status != Status::failed) continue;
    tell(fmt::format("{}, {}: {}", one.experiment->id, table.label, table.outcome.message));
  }
}

/// Pictures are named relative to the page, so that both can move together.
void write_page(const std::string& file, const std::vector<Reproduction>& all, bool quick, const Files& files,
                bool force) {
  const fs::path home = fs::absolute(file).parent_path();
  const auto link = [&](const Experiment& experiment) {
    const std::string picture = files.picture_of(experiment);
    if (picture.empty()) return picture;
    return fs::absolute(picture).lexically_normal().lexically_relative(home).generic_string();
  };
  OutputFile output(file, force);
  output.write(page_of(all, quick, link));
  output.close();
}

}  // namespace

int reproduce_verb(const Words& words) {
  Arguments arguments("reproduce", "Reproduces figures and tables of the papers: runs, measures, judges, draws.");
  declare_reproduce(arguments);
  if (!arguments.parse(words)) return exit_done;
  const bool quick = arguments.has("--quick"), as_json = arguments.has("--json"), quiet = arguments.has("--quiet");
  const bool force = arguments.has("--force");
  const bool names_files = arguments.has("--output") || arguments.has("--page") || arguments.has("--plot") || force;
  if (arguments.has("--list") && names_files) {
    arguments.problem("--list writes no files", "leave --output, --page, --plot and --force out");
  }
  check_one_output(arguments);
  const PlotTheme theme = arguments.choice("--theme", PlotTheme::light);
  std::vector<const Experiment*> chosen;
  try {
    chosen = select(arguments.texts("ID"));
  } catch (const InputError& error) {
    arguments.problems(error);
  }
  if (arguments.has("--plot")) check_plot_option(arguments, chosen);
  arguments.refuse_problems();
  if (arguments.has("--list")) return list(chosen, quick, as_json);

  const Files files{arguments.text("--output", "reproduction"), arguments.text("--plot")};
  if (!files.plot.empty()) refuse_file(files.plot, force);
  const std::string page = arguments.text("--page");
  prepare_files(files, page, chosen, force);
  ProgressBar bar(quiet);
  const StudyProgress progress = study_progress(bar);
  std::vector<Reproduction> all;
  Json entries = Json::array();
  for (const Experiment* experiment : chosen) {
    ReproduceOptions options{.quick = quick};
    options.progress = [&](const std::string& what, long long done, long long steps) {
      return progress(what.empty() ? experiment->id : experiment->id + " " + what, done, steps);
    };
    Reproduction one;
    try {
      one = reproduce(*experiment, options);
    } catch (const Interrupted&) {
      one.outcome.status = Status::interrupted;
    }
    bar.clear();
    if (one.outcome.status == Status::interrupted) {
      tell(fmt::format("interrupted after {} of {} experiments", all.size(), chosen.size()));
      break;
    }
    tell_failures_of_reproduce(one);
    if (!as_json && !quiet) print(text_of(one));
    write_data(one, files.data_of(*experiment), force);
    const std::string picture = files.picture_of(*experiment);
    if (!picture.empty()) write_plot(picture_of(one, theme), picture, force);
    if (as_json) entries.push_back(json_of(one));
    one.tables.clear();  // millions of numbers that are no longer needed
    all.push_back(std::move(one));
  }
  const bool as_recorded = std::all_of(all.begin(), all.end(), [](const Reproduction& one) { return one.as_recorded; });
  if (!page.empty() && all.size() == chosen.size()) write_page(page, all, quick, files, force);
  if (as_json) {
    print(Json{{"quick", quick}, {"as_recorded", as_recorded}, {"entries", std::move(entries)}}.dump(2) + "\n");
  } else if (!quiet && !all.empty()) {
    print(summary_of(all));
    tell(fmt::format("data and pictures are in '{}'", files.folder.string()));
    if (!page.empty() && all.size() == chosen.size()) tell(fmt::format("wrote '{}'", page));
  }
  if (all.size() < chosen.size() && remembered_signal() != 0) return exit_signal + remembered_signal();
  return as_recorded ? exit_done : exit_disagreement;
}

}  // namespace noslip::app
