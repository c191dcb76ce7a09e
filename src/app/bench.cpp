// noslip bench: what a step costs.
#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/io/json.hpp>
#include <noslip/run/run.hpp>

#include "options.hpp"
#include "output.hpp"
#include "values.hpp"
#include "verbs.hpp"

namespace noslip::app {
namespace {

constexpr const char* bench_examples = R"(Examples:
  noslip bench sleigh --method gauss:2,gauss:3 --step 0.1
  noslip bench sleigh --method gauss:2 --step 0.1 --lanes 1,4,8 --json

The cost is nanoseconds per step and trajectory: the minimum of several runs of many steps, nothing stored or monitored.
Inputs keep their values meanwhile: the controller of a system ([sampled]) does not act.
)";

std::vector<int> chosen_lanes(Arguments& arguments) {
  std::vector<int> lanes;
  for (const std::string& text : split_list(arguments.text("--lanes", "1"))) {
    if (text == "1" || text == "4" || text == "8") {
      lanes.push_back(text[0] - '0');
    } else {
      arguments.problem(fmt::format("--lanes {}: '{}' is not a number of lanes", arguments.text("--lanes"), text),
                        "the numbers of lanes are 1, 4 and 8, for example --lanes 1,4,8");
    }
  }
  return lanes;
}

}  // namespace

int bench_verb(const Words& words) {
  Arguments arguments("bench", "Measures what a step costs.");
  arguments.usage("SYSTEM --step H [--method M,...] [options]");
  declare_system(arguments);
  arguments.epilogue(bench_examples);
  if (!arguments.parse(words)) return exit_done;

  const std::vector<std::string> methods = chosen_methods(arguments, "gauss:2");
  const std::vector<int> lanes = chosen_lanes(arguments);
  RunOptions options;
  read_run_fields(arguments, options);
  const SystemChoice choice = choose_system(arguments);
  options.set = choice.set;
  options.control = choice.control;

  if (choice.system.sampled() != nullptr) tell("note: the controller does not act; inputs keep their values");
  std::vector<BenchResult> results;
  for (const std::string& method : methods) {
    options.method = method;
    for (const int width : lanes) results.push_back(bench(choice.system, choice.initial, options, width));
  }

  int code = exit_done;
  for (const BenchResult& result : results) {
    if (result.outcome.status != Status::failed) continue;
    tell(fmt::format("{}: {}", result.method, result.outcome.message));
    code = exit_numerical_failure;
  }
  if (arguments.has("--json")) {
    print(to_json_text(choice.system.name(), static_cast<double>(options.step), results));
    return code;
  }
  std::vector<std::vector<std::string>> rows;
  for (const BenchResult& result : results) {
    rows.push_back({result.method, fmt::format("{}", result.lanes), to_text(result.backend),
                    number_text("{:.1f}", result.nanoseconds_per_step), number_text("{:.2f}", result.iterations_mean)});
  }
  print(table({"METHOD", ">LANES", "BACKEND", ">NS PER STEP", ">ITERATIONS"}, rows));
  return code;
}

}  // namespace noslip::app
