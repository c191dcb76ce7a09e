// noslip run: integrates a system and prints a summary.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <noslip/io/json.hpp>
#include <noslip/io/row_sink.hpp>
#include <noslip/run/rotations.hpp>
#include <noslip/run/row_reader.hpp>
#include <noslip/run/run.hpp>

#include "data_options.hpp"
#include "inside.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "output.hpp"
#include "plot_options.hpp"
#include "progress.hpp"
#include "run_plot.hpp"
#include "verbs.hpp"

namespace noslip::app {
namespace {

constexpr const char* run_examples = R"(Examples:
  noslip run sleigh --method gauss:3 --step 0.1 --until 100
  noslip run sleigh --step 1/10 --steps 1e6 --set m=2 --init "theta'=1" --json
  noslip run my-robot.toml --step 0.01 --until 60 --every 10 -o path.csv
  noslip run sleigh --step 0.1 --until 10 -o - | head
  noslip run skate --method gauss:3 --step 0.1 --until 10 --at 0.25,pi,0:10:5
  noslip run skate --step 0.1 --until 100 --event "y',down" --event "x = 0.4,up,stop=3"
  noslip run sleigh --step 0.1 --until 100 --plot sleigh.png --show energy,x:y,theta

--at and --event look between the steps: into the polynomials of the method, or (--between step, and where a method has
none) by a step that ends there. An event is a change of sign of its expression from one look to the next; two changes
between two looks are not seen, so that --looks or a smaller step is needed for fast ones.

Data goes to standard output, messages and progress to standard error. Exit codes: 0 done, 1 numerical failure (what was
written is valid), 2 bad input, 3 file or disk, 129, 130 or 143 interrupted.
)";

void declare_run(Arguments& arguments) {
  arguments.usage("SYSTEM --step H (--until T | --steps N) [options]");
  declare_system(arguments);
  arguments.epilogue(run_examples);
}

/// Refuses a file name whose ending says nothing, or something that cannot be written.
void check_output(Arguments& arguments) {
  const std::string file = arguments.text("--output");
  if (!arguments.has("--output")) {
    if (arguments.has("--quaternions"))
      arguments.problem("--quaternions has no effect without -o FILE", "drop it, or add -o FILE.csv");
    if (arguments.has("--force") && !arguments.has("--plot"))
      arguments.problem("--force has no effect without -o FILE or --plot FILE", "drop it, or add -o FILE.csv");
    return;
  }
  if (file == "-") {
    if (arguments.has("--json")) {
      arguments.problem("--json and -o - both want standard output", "write the states to a file: -o FILE.csv");
    }
    return;
  }
  check_data_file(arguments, file);
}

RunOptions read_run_options(Arguments& arguments) {
  RunOptions options;
  require_method(arguments, arguments.text("--method", options.method));
  read_run_fields(arguments, options);
  if (arguments.has("--until") == arguments.has("--steps")) {
    arguments.problem(arguments.has("--until") ? "--until and --steps are both given" : "the end of the run is missing",
                      "give one of --until T and --steps N");
  }
  if (!arguments.has("--every")) options.every = 1;
  if (!arguments.has("--output") || arguments.has("--at")) options.every = 0;
  if (arguments.has("--at")) {
    options.at = number_list(arguments, "--at", arguments.text("--at"));
    if (arguments.has("--every")) {
      arguments.problem("--every and --at both say which states are stored", "drop one of them");
    }
  }
  for (const std::string& text : arguments.texts("--event")) options.events.push_back(read_event(arguments, text));
  if (arguments.has("--looks") && options.events.empty()) {
    arguments.problem("--looks has no effect without --event", "drop it, or add --event EXPR");
  }
  if (arguments.has("--between") && options.events.empty() && options.at.empty()) {
    arguments.problem("--between has no effect without --at or --event", "drop it, or add --at T or --event EXPR");
  }
  check_output(arguments);
  check_run_plot(arguments);
  return options;
}

/// A number as the run has it.
quad rounded(quad x, Precision precision) {
  switch (precision) {
    case Precision::long_double: return static_cast<long double>(x);
    case Precision::quadruple: return x;
    case Precision::double_precision: break;
  }
  return static_cast<double>(x);
}

/// What can be said about the end only when the initial time is known.
void check_end(const Arguments& arguments, const RunOptions& options, quad exact_start) {
  const double limit = option_named("steps").most;
  const quad start = rounded(exact_start, options.precision);
  const double shown = static_cast<double>(start);
  if (rounded(start + options.step, options.precision) == start) {
    throw InputError(fmt::format("--step {}: the step is lost in the rounding of the initial time {}",
                                 arguments.text("--step"), shown),
                     "use a larger step, or start at t = 0 with --init t=0");
  }
  if (options.steps > 0) return;
  if (!(rounded(options.until, options.precision) > start)) {
    throw InputError(
        fmt::format("--until {}: the end is not after the initial time {}", arguments.text("--until"), shown),
        "give a later time, or a number of steps with --steps");
  }
  if ((options.until - start) / options.step > limit) {
    throw InputError(fmt::format("--until {} --step {}: that is more than 2^53 steps", arguments.text("--until"),
                                 arguments.text("--step")),
                     "use a larger step or an earlier end");
  }
}

QuaternionOutput chosen_quaternions(const System& system) {
  QuaternionOutput result(system.factors(), system.coordinates(), system.velocity_names());
  if (!result.has_rotations()) {
    throw InputError(fmt::format("--quaternions: {} has no rotation in space", system.name()),
                     "drop it; it is for elements of SO(3) and SE(3)");
  }
  return result;
}

constexpr std::size_t most_rows = 30;  // of a table on the screen

/// t, positions and velocities of states between the steps.
std::string states_text(const Trajectory& run, std::vector<std::string> header,
                        const std::vector<std::vector<std::string>>& first, const std::vector<const Sample*>& states) {
  header.push_back(">T");
  for (const ColumnKind kind : {ColumnKind::coordinate, ColumnKind::velocity}) {
    for (const std::string& name : names_of(run.about.columns, kind)) header.push_back(">" + name);
  }
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < std::min(states.size(), most_rows); ++i) {
    std::vector<std::string> row = i < first.size() ? first[i] : std::vector<std::string>{};
    row.push_back(to_short_text(states[i]->t, 10));
    for (const auto* values : {&states[i]->q, &states[i]->v}) {
      for (const double value : *values) row.push_back(to_short_text(value, 8));
    }
    rows.push_back(std::move(row));
  }
  std::string text = "\n" + table(header, rows);
  if (states.size() > most_rows) {
    text += fmt::format("... and {} more: --json or -o FILE.csv has them all\n", states.size() - most_rows);
  }
  return text;
}

/// States at given times (where no file takes them) and events.
std::string inside_text(const Trajectory& run, bool shows_values) {
  std::string text;
  std::vector<const Sample*> states;
  if (shows_values) {
    for (const Sample& sample : run.values) states.push_back(&sample);
    if (!states.empty()) text += states_text(run, {}, {}, states);
  }
  states.clear();
  std::vector<std::vector<std::string>> first;
  for (const EventHit& hit : run.hits) {
    first.push_back(
        {run.events[static_cast<std::size_t>(hit.event)].when, fmt::format("{}", hit.number), to_text(hit.direction)});
    states.push_back(&hit.state);
  }
  if (!states.empty()) text += states_text(run, {"EVENT", ">NUMBER", "DIRECTION"}, first, states);
  if (!run.events.empty() && states.empty()) text += "\nno events\n";
  return text;
}

int exit_code_of(const Trajectory& run) {
  if (run.outcome.status == Status::failed) return exit_numerical_failure;
  if (run.outcome.status == Status::interrupted && remembered_signal() != 0) return exit_signal + remembered_signal();
  return exit_done;
}

}  // namespace

int run_verb(const Words& words) {
  Arguments arguments("run", "Integrates a system and prints a summary.");
  declare_run(arguments);
  if (!arguments.parse(words)) return exit_done;
  RunOptions options = read_run_options(arguments);
  SystemChoice choice = choose_system(arguments);
  check_end(arguments, options, choice.begin);
  options.set = choice.set;
  options.init = choice.init;
  options.control = choice.control;

  const bool quiet = arguments.has("--quiet");
  const std::string file = arguments.text("--output");
  if (arguments.has("--every") && file.empty() && !quiet) tell("note: --every has no effect without -o FILE");

  // The file is made with the first row, so that a run that is refused leaves no empty or overwritten file behind.
  std::unique_ptr<RowSink> sink;
  long long rows = 0;
  std::vector<Column> columns = row_columns(choice.system);
  std::optional<QuaternionOutput> quaternions;
  if (arguments.has("--quaternions")) {
    quaternions = chosen_quaternions(choice.system);
    columns = with_positions(columns, quaternions->names());
  }
  RowReader read(columns);
  const auto write = [&](const Sample& sample) {
    if (!sink) sink = open_rows(file, arguments.has("--force"), columns);
    sink->write(quaternions ? read((*quaternions)(sample)) : read(sample));
    ++rows;
  };
  if (!file.empty() && options.at.empty()) options.sink = write;
  if (!file.empty() && file != "-" && !options.at.empty()) refuse_file(file, arguments.has("--force"));
  RunPicture picture(arguments, choice, options);
  picture.watch(options);
  ProgressBar progress(quiet);
  options.progress = [&](long long done, long long all) {
    // Until the first step there is nothing to save: a signal ends the program as usual.
    if (done == 0) remember_signals();
    progress.update(done, all);
    return remembered_signal() == 0;
  };

  const Trajectory run = integrate(choice.system, options);
  progress.clear();
  if (!file.empty()) std::for_each(run.values.begin(), run.values.end(), write);
  picture.hand_on_last_row();
  if (sink) sink->close();

  if (arguments.has("--json")) {
    print(to_json_text(run));
  } else if (!quiet) {
    std::string summary = run.summary();
    if (!summary.ends_with('\n')) summary += '\n';
    summary += inside_text(run, file.empty());
    file == "-" ? print_error(summary) : print(summary);
  }
  if (sink && file != "-" && !quiet) tell(fmt::format("wrote {} to '{}'", counted(rows, "row", "rows"), file));
  picture.write(arguments, run);
  tell(run.warnings);
  if (run.outcome.status != Status::done) {
    tell(run.outcome.message.empty() ? fmt::format("{} at t = {}", to_text(run.outcome.status), run.last.t)
                                     : run.outcome.message);
  }
  return exit_code_of(run);
}

}  // namespace noslip::app
