// noslip section: Poincare sections.
#include <algorithm>

#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/core/stopping.hpp>
#include <noslip/io/section.hpp>
#include <noslip/run/section.hpp>

#include "data_files.hpp"
#include "data_options.hpp"
#include "inside.hpp"
#include "interrupt.hpp"
#include "notes.hpp"
#include "options.hpp"
#include "output.hpp"
#include "plot_options.hpp"
#include "progress.hpp"
#include "study.hpp"
#include "values.hpp"
#include "verbs.hpp"

namespace noslip::app {
namespace {

constexpr const char* section_examples = R"help(Examples:
  noslip section contact-oscillator --method mp --step 0.1 --when "y'" --direction down --crossings 100
      --columns "x,z,z'"
  noslip section contact-oscillator --method lobatto-ab:2 --step "2*sin(pi/40)" --when "y'" --direction down
      --crossings 1000 --columns "z,z'" --orbits z0=-1.2:1.2:9 --set epsilon=0.3 --plot section.png

Prints one row per crossing, as comma-separated values. EXPR and the columns are functions of t, coordinates,
velocities (x'), parameters, definitions, invariants and energy; a relation a = b means a - b. A crossing is a change of
sign from one look to the next (--looks of them in each step), located on the dense output to the last digit of the
time; two changes between two looks are not seen. The start is no crossing.

An orbit that does not cross often enough ends at --until, or, where that is not given, after 100000 steps for each
crossing wanted (exit code 1, the rows so far are printed).
)help";

void declare_section(Arguments& arguments) {
  arguments.usage("SYSTEM --step H --when EXPR --crossings N [options]");
  declare_system(arguments);
  arguments.epilogue(section_examples);
}

SectionOptions read_section_options(Arguments& arguments) {
  SectionOptions options;
  require_method(arguments, arguments.text("--method", options.run.method));
  read_run_fields(arguments, options.run);
  options.event.when = arguments.required_text("--when");
  if (split_outside_brackets(options.event.when, ',').size() > 1) {
    arguments.problem(fmt::format("--when {}: a comma separates nothing here", shortened(options.event.when)),
                      "give one expression; --direction says up or down");
  }
  options.event.direction = arguments.choice("--direction", options.event.direction);
  options.event.stop_after = arguments.whole_number("--crossings").value_or(1);
  options.columns = column_texts(arguments);
  const std::string file = arguments.text("--output");
  check_one_output(arguments);
  check_data_file(arguments, file);
  if (file == "-" && arguments.has("--json")) {
    arguments.problem("--json and -o - both want standard output", "write the rows to a file: -o FILE.csv");
  }
  return options;
}

/// --orbits: name and values.
void read_orbits(Arguments& arguments, const SystemChoice& choice, SectionOptions& options) {
  options.orbits.front().init = choice.init;
  if (!arguments.has("--orbits")) return;
  const std::string text = arguments.text("--orbits");
  const auto sides = split_assignment(text);
  if (!sides) {
    throw InputError(fmt::format("--orbits {}: expected name=values", shortened(text)),
                     "for example --orbits z0=-1:1:5");
  }
  const std::string& name = sides->first;
  const auto& parameters = choice.system.parameters();
  const bool is_parameter = std::any_of(parameters.begin(), parameters.end(),
                                        [&](const Parameter& parameter) { return parameter.name == name; });
  std::vector<std::string> names = choice.system.coordinates();
  for (const Expr velocity : choice.system.v()) names.push_back(velocity.name());
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  const bool has_brackets = name.find('(') != std::string::npos;  // a momentum, or part of a rotation
  if (!has_brackets && name != "t" && std::find(names.begin(), names.end(), name) == names.end()) {
    const std::string guess = did_you_mean(name, names);
    throw InputError(
        fmt::format("--orbits {}: '{}' is neither a parameter nor an initial value", shortened(text), name),
        guess.empty() ? "use one of " + list_of(names) : guess);
  }
  const NumberList values = number_list(arguments, "--orbits", sides->second);
  arguments.refuse_problems();
  options.orbits.clear();
  for (const quad value : values) {
    OrbitStart start{fmt::format("{} = {}", name, to_short_text(static_cast<double>(value))), {}, choice.init};
    (is_parameter ? start.set : start.init)[name] = value;
    options.orbits.push_back(std::move(start));
  }
}

}  // namespace

int section_verb(const Words& words) {
  Arguments arguments("section", "Poincare section: the points where a function of the state vanishes.");
  declare_section(arguments);
  if (!arguments.parse(words)) return exit_done;
  SectionOptions options = read_section_options(arguments);
  check_plot(arguments);
  const SystemChoice choice = choose_system(arguments);
  refuse_plot_file(arguments);
  options.run.set = choice.set;
  options.run.control = choice.control;
  read_orbits(arguments, choice, options);

  const bool quiet = arguments.has("--quiet");
  const std::string file = arguments.text("--output") == "-" ? "" : arguments.text("--output");
  if (!file.empty()) refuse_file(file, arguments.has("--force"));
  ProgressBar bar(quiet);
  options.progress = study_progress(bar);
  std::vector<std::string> names;
  if (!file.empty()) {
    names = {file};
  } else if (!quiet && !arguments.has("--json")) {
    names = {"-"};
  }
  const std::vector<noslip::Column> columns = columns_of(choice.system, options);
  DataFiles files(names, {.overwrites = arguments.has("--force"),
                          .columns = columns,
                          .notes = notes_of(arguments, choice, options.run)});
  std::vector<double> row;
  const auto write = [&](std::size_t orbit, const SectionPoint& point) {
    row.clear();
    if (columns.front().kind == ColumnKind::label) row.push_back(static_cast<double>(orbit + 1));
    row.push_back(point.t);
    row.insert(row.end(), point.values.begin(), point.values.end());
    files.write(row);
  };
  if (!files.empty()) options.sink = write;
  options.keep = arguments.has("--json") || arguments.has("--plot");
  const Section result = section(choice.system, options);
  bar.clear();
  if (ends_preparation()) throw Interrupted();  // files stay as they were
  const StopShield shield;

  files.open();  // also without a crossing
  files.close();
  if (!file.empty() && !quiet) tell(fmt::format("wrote '{}'", file));
  if (arguments.has("--json")) print([&](const auto& take) { write_json(result, take); });
  write_plot(arguments, plot_of(result));
  for (const SectionOrbit& orbit : result.orbits) {
    tell(orbit.run.warnings, orbit.start.label);
    const long long found = orbit.found;
    if (quiet || orbit.run.outcome.status != Status::done || found == options.event.stop_after) continue;
    tell(fmt::format("note: {}{} of {} crossings until t = {}",
                     orbit.start.label.empty() ? "" : orbit.start.label + ": ", found, options.event.stop_after,
                     to_short_text(orbit.run.last.t)));
  }
  if (result.outcome.status != Status::done) tell(result.outcome.message);
  return exit_code_of_study(result.outcome, false);
}

}  // namespace noslip::app
