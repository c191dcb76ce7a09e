// noslip run: integrates a system and prints a summary.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <noslip/core/stopping.hpp>
#include <noslip/io/json.hpp>
#include <noslip/run/given_options.hpp>
#include <noslip/run/rotations.hpp>
#include <noslip/run/row_reader.hpp>
#include <noslip/run/run.hpp>

#include "data_files.hpp"
#include "data_options.hpp"
#include "event_rows.hpp"
#include "inside.hpp"
#include "interrupt.hpp"
#include "notes.hpp"
#include "options.hpp"
#include "output.hpp"
#include "plot_options.hpp"
#include "progress.hpp"
#include "run_checkpoint.hpp"
#include "run_plot.hpp"
#include "verbs.hpp"

namespace noslip::app {
namespace {

constexpr const char* run_examples = R"(Examples:
  noslip run sleigh --method gauss:3 --step 0.1 --until 100
  noslip run sleigh --step 1/10 --steps 1e6 --set m=2 --init "theta'=1" --json
  noslip run my-robot.toml --step 0.01 --until 60 --every 10 -o path.csv
  noslip run sleigh --step 0.1 --until 10 -o - | head
  noslip run sleigh --step 0.1 --until 100 -o path.csv -o path.h5
  noslip run sleigh --step 0.1 --until 100 -o path.csv --columns "t,x,y,theta',lambda1"
  noslip run skate --method gauss:3 --step 0.1 --until 10 --at 0.25,pi,0:10:5
  noslip run skate --step 0.1 --until 100 --event "y',down" --event "x = 0.4,up,stop=3"
  noslip run sleigh --step 0.1 --until 100 --plot sleigh.png --show energy,x:y,theta
  noslip run sleigh --step 0.01 --until 1e6 --every 100 -o path.csv --checkpoint sleigh.checkpoint

--at and --event look between the steps: into the polynomials of the method, or (--between step, and where a method has
none) by a step that ends there. An event is a change of sign of its expression from one look to the next; two changes
between two looks are not seen, so that --looks or a smaller step is needed for fast ones.

Data goes to standard output, messages and progress to standard error. Exit codes: 0 done, 1 numerical failure (what was
written is valid), 2 bad input, 3 file or disk, 129, 130 or 143 interrupted (with --checkpoint: noslip resume goes on).
)";

/// Refuses file names whose endings say nothing, or something that cannot be written.
void check_output(Arguments& arguments) {
  const std::vector<std::string> files = arguments.texts("--output");
  if (files.empty()) {
    if (arguments.has("--columns") && !arguments.has("--events"))
      arguments.problem("--columns has no effect without -o FILE or --events FILE", "drop it, or add -o FILE.csv");
    if (arguments.has("--quaternions") && !arguments.has("--events"))
      arguments.problem("--quaternions has no effect without -o FILE or --events FILE", "drop it, or add -o FILE.csv");
    if (arguments.has("--force") && !arguments.has("--plot") && !arguments.has("--checkpoint") && !arguments.has("--events"))
      arguments.problem("--force has no effect without -o, --events, --plot or --checkpoint",
                        "drop it, or add -o FILE.csv");
    return;
  }
  if (arguments.has("--json") && std::find(files.begin(), files.end(), "-") != files.end()) {
    arguments.problem("--json and -o - both want standard output", "write the states to a file: -o FILE.csv");
  }
  check_data_files(arguments, files);
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
  if (arguments.has("--land") && options.events.empty()) {
    arguments.problem("--land has no effect without --event", "drop it, or add --event EXPR");
  }
  if (arguments.has("--between") && options.events.empty() && options.at.empty()) {
    arguments.problem("--between has no effect without --at or --event", "drop it, or add --at T or --event EXPR");
  }
  check_output(arguments);
  check_event_file(arguments);
  check_run_plot(arguments);
  check_checkpoint(arguments);
  return options;
}

QuaternionOutput chosen_quaternions(const System& system) {
  QuaternionOutput result(system.factors(), configuration_names(system), system.velocity_names());
  if (!result.has_rotations()) {
    throw InputError(fmt::format("--quaternions: {} has no rotation in space", system.name()),
                     "drop it; it is for elements of SO(3) and SE(3)");
  }
  return result;
}

/// Those that --columns names among what there is, and expressions; without it all of them.
std::vector<noslip::Column> chosen_columns(Arguments& arguments, std::vector<noslip::Column> known) {
  if (!arguments.has("--columns")) return known;
  std::vector<noslip::Column> columns;
  for (const std::string& text : column_texts(arguments)) {
    noslip::Column column = column_of_text(known, text);
    if (find_column(columns, column.name) < columns.size()) {
      arguments.problem(fmt::format("--columns: '{}' is there twice", shortened(text)), "name each column once");
    }
    columns.push_back(std::move(column));
  }
  arguments.refuse_problems();
  return columns;
}

constexpr std::size_t most_rows = 30;  // of a table on the screen

/// t, positions and velocities of states between the steps.
std::string states_text(const Trajectory& run, std::vector<std::string> header,
                        const std::vector<std::vector<std::string>>& first, const std::vector<const Sample*>& states,
                        const char* rest = "--json or -o FILE.csv has them all", std::size_t count = 0) {
  header.push_back(">T");
  for (const ColumnKind kind : {ColumnKind::coordinate, ColumnKind::state, ColumnKind::velocity}) {
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
  const std::size_t all = std::max(states.size(), count);
  if (all > most_rows) text += fmt::format("... and {} more: {}\n", all - most_rows, rest);
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
  const char* rest =
      run.event_counts.empty() ? "--json or --events FILE.csv has them all" : "--events FILE.csv has them all";
  const long long count = std::accumulate(run.event_counts.begin(), run.event_counts.end(), 0LL);
  if (!states.empty()) text += states_text(run, {"EVENT", ">NUMBER", "DIRECTION"}, first, states, rest, static_cast<std::size_t>(count));
  if (!run.events.empty() && states.empty()) text += "\nno events\n";
  return text;
}

int exit_code_of(const Trajectory& run) {
  if (run.outcome.status == Status::failed || run.stops_at_guard) return exit_numerical_failure;
  if (run.outcome.status == Status::interrupted && remembered_signal() != 0) return exit_signal + remembered_signal();
  return exit_done;
}

void tell_outcome(const Trajectory& run, const std::string& checkpoint) {
  tell(run.warnings);
  if (run.outcome.status == Status::done) return;
  tell(run.outcome.message.empty() ? fmt::format("{} at t = {}", to_text(run.outcome.status), run.last.t)
                                   : run.outcome.message);
  if (run.outcome.status == Status::interrupted && !checkpoint.empty()) {
    tell(how_to_go_on(checkpoint));
  }
}

}  // namespace

void declare_run(Arguments& arguments) {
  arguments.usage("SYSTEM --step H (--until T | --steps N) [options]");
  declare_system(arguments);
  arguments.epilogue(run_examples);
}

int run_verb(const Words& words) {
  Arguments arguments("run", "Integrates a system and prints a summary.");
  declare_run(arguments);
  if (!arguments.parse(words)) return exit_done;
  return run_from(arguments, words, {}, nullptr);
}

namespace {

/// The run when its own options are read. Interrupted if it is ended before its first step.
int carry_out(Arguments& arguments, RunOptions options, const Words& words, FileTexts texts, const RunPosition* from,
              std::optional<RunPosition> free, RunStart* start) {
  SystemChoice choice = choose_system(arguments, std::move(texts));
  if (start != nullptr) start->add(choice.texts);
  check_end(options, choice.begin, arguments.text("--until"), arguments.text("--step"));
  options.set = choice.set;
  options.init = choice.init;
  options.control = choice.control;

  const bool quiet = arguments.has("--quiet"), has_begun = from != nullptr && !from->state.empty();
  const std::vector<std::string> names = arguments.texts("--output");
  const std::string checkpoint = arguments.text("--checkpoint");
  if (arguments.has("--every") && names.empty() && !quiet && !has_begun) {
    tell("note: --every has no effect without -o FILE");
  }

  std::vector<noslip::Column> columns = row_columns(choice.system);
  std::optional<QuaternionOutput> quaternions;
  if (arguments.has("--quaternions")) {
    quaternions = chosen_quaternions(choice.system);
    columns = with_positions(columns, quaternions->names());
  }
  columns = chosen_columns(arguments, std::move(columns));
  RowReader read(choice.system, columns, choice.parameters, "--columns");
  const FileNotes notes = notes_of(arguments, choice, options);
  DataFiles files(names, {.overwrites = arguments.has("--force"),
                          .columns = columns,
                          .notes = notes,
                          .when_full = options.at.empty() ? "store fewer rows with --every" : ""});
  const auto write = [&](const Sample& sample) {
    files.write(quaternions ? read((*quaternions)(sample), sample) : read(sample));
  };
  if (!files.empty() && options.at.empty()) options.sink = write;
  for (const std::string& name : names) {
    if (name != "-" && !options.at.empty() && !has_begun) refuse_file(name, arguments.has("--force"));
  }
  EventRows events(arguments, choice, columns, quaternions, options, notes, has_begun);
  RunPicture picture(arguments, choice, options, has_begun);
  picture.watch(options);
  const auto followers = [&](Archive& archive) {
    archive(files, events, picture);
    if (quaternions) archive(*quaternions);
  };
  if (has_begun) {
    options.from = from->state;
    ByteReader bytes(from->followers);
    Archive archive(bytes);
    followers(archive);
    if (!bytes.is_at_end()) throw InputError("the checkpoint has more bytes than it should have", "start the run again");
  }
  if (!checkpoint.empty()) {
    options.checkpoint = CheckpointWriter(checkpoint, words, choice.texts, followers, std::move(free));
  }
  ProgressBar progress(quiet);
  bool has_told = false;
  options.progress = [&](long long done, long long all) {
    if (!std::exchange(has_told, true)) note_first_step();
    progress.update(done, all);
    return remembered_signal() == 0;
  };

  Trajectory run = integrate(choice.system, options);
  progress.clear();
  if (ends_preparation()) throw Interrupted();  // nothing is there to be shown
  const StopShield shield;
  events.finish(run);
  if (!files.empty()) std::for_each(run.values.begin(), run.values.end(), write);
  picture.hand_on_last_row();
  files.open();  // also without a row
  files.close();

  if (arguments.has("--json")) {
    print([&](const auto& take) { write_json(run, take); });
  } else if (!quiet) {
    std::string summary = run.summary();
    if (!summary.ends_with('\n')) summary += '\n';
    summary += inside_text(run, files.empty());
    files.use_standard_output() ? print_error(summary) : print(summary);
  }
  if (!quiet) tell_what_was_written(files);
  picture.write(arguments, run);
  tell_outcome(run, checkpoint);
  return exit_code_of(run);
}

}  // namespace

int run_from(Arguments& arguments, const Words& words, FileTexts texts, const RunPosition* from,
             std::optional<RunPosition> free) {
  RunOptions options = read_run_options(arguments);
  const std::string checkpoint = arguments.text("--checkpoint");
  std::optional<CheckpointLock> lock;
  std::optional<RunStart> start;
  if (!checkpoint.empty() && from == nullptr && !arguments.has_problems()) {
    lock.emplace(checkpoint);
    refuse_file(checkpoint, arguments.has("--force"));
    start.emplace(checkpoint, words, *lock);
  }
  try {
    return carry_out(arguments, std::move(options), words, std::move(texts), from, std::move(free),
                     start ? &*start : nullptr);
  } catch (const Interrupted&) {
    if (checkpoint.empty()) throw;
    note_end();
    tell(interruption_message);
    if (start) start->write();
    tell(how_to_go_on(checkpoint));
    return exit_signal + remembered_signal();
  }
}

}  // namespace noslip::app
