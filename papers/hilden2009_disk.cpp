// Hilden 2009: the vertical rolling disk.
#include <fmt/format.h>

#include "adaptive.hpp"
#include "hilden2009.hpp"

namespace noslip::papers {

namespace {

const Setting disk{.system = "rolling-disk"};
const std::vector<std::string> coordinates = {"x", "y", "phi", "theta"};
/// Slopes of the error of theta that lobatto-ab:2 has, in closed form: Omega stays what it is, and theta grows by
/// h Omega (1 + R^2)/(1 + R^2 (1 + cos(h omega))/2) in a step.
constexpr double slope_at_tenth = 5.866210448144393e-4, slope_at_twentieth = 1.469579088058115e-4;
constexpr double disk_tolerance = 1e-6;  // tolerance of steps that are solved loosely

Experiment figure_21() {
  const std::string explicit_one = "Dormand-Prince 5(4)", implicit_one = backward_differences_name();
  Experiment experiment{
      .id = "hilden2009-fig-2.1",
      .what = "Index reduction on the rolling disk: the constraints drift",
      .claim =
          "Solvers for index 1 (ode15s) and index 0 (ode45) with RelTol 1e-6 and AbsTol 1e-9 drift clearly away "
          "from the constraints.",
      .runs = {RivalRun{.label = implicit_one, .setting = disk, .solver = RivalRun::Solver::backward_differences},
               RivalRun{.label = explicit_one, .setting = disk, .solver = RivalRun::Solver::dormand_prince},
               TimeRun{.setting = disk,
                       .methods = {"lobatto-ab:2"},
                       .step = 0.1,
                       .until = 100,
                       .quantities = {{.name = "constraint", .of = "constraint"}}}},
      .checks = {{.what = "largest residual of a constraint, index 1",
                  .run = implicit_one,
                  .column = "constraint",
                  .full = {.paper = at_least(1e-7), .truth = Range{1e-6, 1e-2}}},
                 {.what = "largest residual of a constraint, index 0",
                  .run = explicit_one,
                  .column = "constraint",
                  .full = {.paper = at_least(1e-7), .truth = Range{5e-7, 5e-5}}},
                 {.what = "growth of the residual with time (exponent), index 0",
                  .run = explicit_one,
                  .column = "constraint",
                  .reduce = Reducer::log_slope,
                  .window = at_least(10),
                  .full = {.paper = Range{0.8, 3}}},
                 {.what = "largest residual of a constraint, lobatto-ab:2",
                  .run = "lobatto-ab:2",
                  .column = "constraint",
                  .full = {.truth = at_most(1e-14)}}},
      .panels = {},
      .columns = 2};
  for (const std::string& run : {implicit_one, explicit_one}) {
    for (const int number : {1, 2}) {
      experiment.panels.push_back({.title = fmt::format("{}, constraint {}", run, number),
                                   .y = fmt::format("constraint {}", number),
                                   .y_label = number == 1 ? "x' - R cos(phi) theta'" : "y' - R sin(phi) theta'",
                                   .runs = {run}});
    }
  }
  return experiment;
}

std::vector<Quantity> errors_of_coordinates() {
  std::vector<Quantity> quantities;
  for (const std::string& name : coordinates) {
    quantities.push_back({.name = "error of " + name, .of = name, .as = Quantity::As::error});
  }
  return quantities;
}

Experiment components(std::string id, std::string what, std::string claim, const std::string& method) {
  Experiment experiment{
      .id = std::move(id),
      .what = std::move(what),
      .claim = std::move(claim),
      .runs = {TimeRun{
          .setting = disk, .methods = {method}, .step = 0.1, .until = 50, .quantities = errors_of_coordinates()}},
      .checks = {},
      .panels = {},
      .columns = 2};
  for (const std::string& name : coordinates) {
    const bool is_exact = name == "phi" || (name == "theta" && method == "mp");
    experiment.panels.push_back({.title = is_exact ? name + ", exact to rounding" : name,
                                 .y = "error of " + name,
                                 .y_label = "error of " + name,
                                 .y_range = is_exact ? Range{-1e-12, 1e-12} : Range{}});
  }
  return experiment;
}

Check error_of(const std::string& name, const std::string& method, Bounds bounds, Reducer reduce = Reducer::max_abs) {
  const char* const what =
      reduce == Reducer::slope ? "growth of the error of {} per time, {}" : "largest error of {}, {}";
  return {.what = fmt::format(fmt::runtime(what), name, method),
          .run = method,
          .column = "error of " + name,
          .reduce = reduce,
          .full = bounds};
}

Experiment figure_41() {
  Experiment experiment =
      components("hilden2009-fig-4.1", "Rolling disk, McLachlan-Perlmutter: error of each coordinate",
                 "A linear growth of the error of theta begins, much less steep than that of SPARK "
                 "Lobatto IIIA-B.",
                 "mp");
  experiment.corrected = "theta is exact to rounding; errors of x and y stay bounded.";
  experiment.checks = {
      error_of("x", "mp", {.truth = around(4.2e-4, 0.05)}), error_of("y", "mp", {.truth = around(8.3e-4, 0.05)}),
      error_of("phi", "mp", {.truth = at_most(1e-12)}), error_of("theta", "mp", {.truth = at_most(1e-11)}),
      error_of(
          "theta", "mp",
          {.paper = Range{1e-9, slope_at_tenth / 2}, .truth = Range{-1e-12, 1e-12}, .recorded = Verdict::corrected},
          Reducer::slope)};
  return experiment;
}

Experiment figure_42() {
  Experiment experiment =
      components("hilden2009-fig-4.2", "Rolling disk, SPARK Lobatto IIIA-B: error of each coordinate",
                 "The error of theta grows linearly; that of phi is exactly zero.", "lobatto-ab:2");
  experiment.checks = {error_of("theta", "lobatto-ab:2", {.paper = around(slope_at_tenth, 1e-6)}, Reducer::slope),
                       error_of("theta", "lobatto-ab:2", {.truth = around(50 * slope_at_tenth, 1e-6)}),
                       error_of("phi", "lobatto-ab:2", {.paper = at_most(1e-12)})};
  return experiment;
}

/// Both methods with both steps, up to t = 1000.
std::vector<Run> long_runs(double tolerance, const std::vector<std::string>& methods) {
  std::vector<Run> runs;
  for (const double step : {0.1, 0.05}) {
    runs.push_back(TimeRun{.label = fmt::format("h = {}{}", step, tolerance > 0 ? ", solved loosely" : ""),
                           .setting = disk,
                           .methods = methods,
                           .step = step,
                           .until = 1000,
                           .tolerance = tolerance,
                           .quantities = {{.name = "error", .of = "q", .as = Quantity::As::error},
                                          {.name = "energy error", .of = "energy", .as = Quantity::As::change}}});
  }
  return runs;
}

Experiment long_errors(std::string id, bool logarithmic) {
  Experiment experiment{
      .id = std::move(id),
      .what = logarithmic ? "Rolling disk: error over time, logarithmic" : "Rolling disk: error over time",
      .claim =
          "The error of SPARK Lobatto IIIA-B grows linearly; that of McLachlan-Perlmutter stays bounded below about "
          "1e-3.",
      .runs = long_runs(0, {"lobatto-ab:2", "mp"}),
      .checks = {},
      .panels = {{.y = "error", .y_label = "|q - exact|", .log_y = logarithmic, .largest = true}}};
  for (const auto& [step, slope] : {std::pair{"0.1", slope_at_tenth}, {"0.05", slope_at_twentieth}}) {
    experiment.checks.push_back({.what = fmt::format("error of lobatto-ab:2 at t = 1000, h = {}", step),
                                 .run = fmt::format("h = {} lobatto-ab:2", step),
                                 .column = "error",
                                 .reduce = Reducer::last,
                                 .full = {.truth = around(1000 * slope, 2e-3)}});
    experiment.checks.push_back({.what = fmt::format("growth of the error of lobatto-ab:2 (exponent), h = {}", step),
                                 .run = fmt::format("h = {} lobatto-ab:2", step),
                                 .column = "error",
                                 .reduce = Reducer::log_slope,
                                 .window = at_least(10),
                                 .full = {.paper = Range{0.98, 1.02}}});
    experiment.checks.push_back({.what = fmt::format("largest error of mp, h = {}", step),
                                 .run = fmt::format("h = {} mp", step),
                                 .column = "error",
                                 .full = {.paper = at_most(1e-3)}});
  }
  return experiment;
}

Experiment figure_45() {
  Experiment experiment{
      .id = "hilden2009-fig-4.5",
      .what = "Rolling disk: error of the energy",
      .claim = "The energy of SPARK Lobatto IIIA-B drifts clearly.",
      .corrected = "The method conserves the energy of the disk exactly; it drifts where steps are solved loosely.",
      .runs = long_runs(0, {"lobatto-ab:2", "mp"}),
      .checks = {},
      .panels = {{.title = "solved to rounding", .y = "energy error", .y_label = "E - E0"},
                 {.title = "solved to 1e-6", .y = "energy error", .y_label = "E - E0"}}};
  for (Run& run : long_runs(disk_tolerance, {"lobatto-ab:2"})) experiment.runs.push_back(std::move(run));
  for (const char* step : {"0.1", "0.05"}) {
    const std::string exact = fmt::format("h = {} lobatto-ab:2", step),
                      drifting = fmt::format("h = {}, solved loosely", step);
    for (Panel& panel : experiment.panels) panel.y_range = {-8e-4, 4e-4};  // so that a drift is seen as such
    experiment.panels[0].runs.push_back(exact);
    experiment.panels[0].runs.push_back(fmt::format("h = {} mp", step));
    experiment.panels[1].runs.push_back(drifting);
    experiment.checks.push_back(
        {.what = fmt::format("largest |E - E0| of lobatto-ab:2, h = {}", step),
         .run = exact,
         .column = "energy error",
         .full = {.paper = at_least(1e-10), .truth = at_most(1e-13), .recorded = Verdict::corrected}});
    experiment.checks.push_back({.what = fmt::format("the same, solved to 1e-6, h = {}", step),
                                 .run = drifting,
                                 .column = "energy error",
                                 .full = {.paper = at_least(1e-10)}});
  }
  return experiment;
}

}  // namespace

std::vector<Experiment> hilden_disk() {
  return {figure_21(),
          figure_41(),
          figure_42(),
          long_errors("hilden2009-fig-4.3", false),
          long_errors("hilden2009-fig-4.4", true),
          figure_45()};
}

}  // namespace noslip::papers
