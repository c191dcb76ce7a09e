// Celledoni, Farre Puiggali, Hoiseth and Martin de Diego: section 4.
#include <cmath>

#include "common.hpp"

namespace noslip::papers {

namespace {

const std::vector<std::string> comparison_methods = {"mp", "cm", "spark-lobatto:2"};
const std::vector<std::string> five_methods = {"mp", "cm", "spark-lobatto:2", "avf", "gonzalez"};

Check ensemble_check(const std::string& method, Bounds full, Bounds quick) {
  return {.what = "growth of the variance of H over h^4 per unit of time, " + method,
          .run = "200 members " + method,
          .column = "mean square",
          .reduce = Reducer::slope,
          .full = full,
          .quick = quick};
}

Experiment figure_2() {
  Experiment experiment{
      .id = "celledoni2019-fig-2",
      .what = "Five methods on the chaotic system: order, constraint, energy, variance of the energy",
      .claim =
          "All methods have order 2 and respect the constraint to machine precision; only the discrete gradient "
          "methods conserve the energy. The energy errors of SI-DLA, I-DLA and SPARK follow random walks with the "
          "variance 1e-4 h^4 t.",
      .runs = {OrderRun{.label = "order",
                        .setting = {.system = "chaotic"},
                        .methods = five_methods,
                        .steps = {0.1, 0.05, 0.025, 0.0125},
                        .until = 10},
               TimeRun{.label = "sample",
                       .setting = {.system = "chaotic"},
                       .methods = five_methods,
                       .step = 0.1,
                       .until = 1000,
                       .quick_until = 200,
                       .quantities = {relative_energy_error, constraint}},
               EnsembleRun{.label = "200 members",
                           .setting = {.system = "chaotic"},
                           .members = 200,
                           .methods = {"mp", "cm", "spark-lobatto:2", "gonzalez"},
                           .step = 0.1,
                           .until = 10000,
                           .quick_until = 500,
                           .every = 100,
                           .power = 4}},
      .checks = {},
      .panels = {{.title = "Errors of positions at t = 10",
                  .y = "q",
                  .x_label = "step h",
                  .y_label = "error",
                  .log_x = true,
                  .log_y = true,
                  .guides = {{.label = "h^2", .power = 2, .below = "spark-lobatto:2"}},
                  .marker = PlotMarker::circle},
                 {.title = "Constraint", .y = "constraint", .y_label = "|x' + w · z'|", .log_y = true, .largest = true},
                 {.title = "Relative energy error",
                  .y = "relative energy error",
                  .y_label = "|(H - H0)/H0|",
                  .log_y = true,
                  .largest = true},
                 {.title = "Variance of the energy over h^4, 200 initial states",
                  .y = "mean square",
                  .y_label = "mean square of (H - H0)/h^2",
                  .log_x = true,
                  .log_y = true,
                  .runs = {"200 members mp", "200 members cm", "200 members spark-lobatto:2"},
                  .guides = {{.label = "10^-4 t", .factor = 1e-4}}}},
      .columns = 2,
      .legend_by_method = true};
  for (const std::string& method : five_methods) {
    experiment.checks.push_back(order_check("order " + method, "q", 2, method));
  }
  for (const std::string& method : five_methods) {
    experiment.checks.push_back(constraint_check("sample " + method, 1e-14, method));
  }
  for (const std::string method : {"avf", "gonzalez"}) {
    experiment.checks.push_back({.what = "largest relative energy error of " + method,
                                 .run = "sample " + method,
                                 .column = "relative energy error",
                                 .full = {.paper = at_most(1e-12)}});
  }
  for (const std::string& method : comparison_methods) {
    experiment.checks.push_back({.what = "largest relative energy error of " + method,
                                 .run = "sample " + method,
                                 .column = "relative energy error",
                                 .full = {.paper = Range{1e-4, 1e-1}}});
  }
  for (const std::string& method : comparison_methods) {
    experiment.checks.push_back(ensemble_check(method, {.paper = Range{6e-5, 1.6e-4}}, {.paper = Range{0, 4e-4}}));
  }
  experiment.checks.push_back({.what = "variance of H over h^4 at most, gonzalez",
                               .run = "200 members gonzalez",
                               .column = "mean square",
                               .full = {.paper = at_most(1e-18)}});
  return experiment;
}

TimeRun sleigh_run(const std::string& label, double rho1) {
  return {.label = label,
          .setting = {.system = "sleigh-reduced", .init = {{"rho1", rho1}}},
          .methods = {"gonzalez"},
          .step = 0.5,
          .until = 500,
          .quantities = {{.name = "x1", .of = "x1"},
                         {.name = "x2", .of = "x2"},
                         {.name = "rho1", .of = "rho1"},
                         {.name = "rho2", .of = "rho2"},
                         energy_error}};
}

Experiment figure_3() {
  Experiment experiment{
      .id = "celledoni2019-fig-3",
      .what = "The sleigh leaves an unstable equilibrium for the stable one",
      .claim =
          "Both trajectories start very close to the unstable equilibrium rho2 = -0.6 and converge to the stable "
          "one; for small rho1 a step multiplies rho1 by lambda_1.",
      .runs = {sleigh_run("rho1 = -0.001", -0.001), sleigh_run("rho1 = 0.001", 0.001)},
      .checks = {},
      .panels =
          {{.title = "Knife edge", .x = "x1", .y = "x2", .equal_scales = true},
           {.title = "Momenta", .x = "rho1", .y = "rho2", .x_label = "ρ1", .y_label = "ρ2", .equal_scales = true}},
      .columns = 2};
  // lambda_1 = (2 - h C rho2)/(2 + h C rho2) at rho2 = -0.6, with C = 1/9 and h = 1/2.
  const double rate = std::log(1.0338983050847457) / 0.5;
  for (const std::string run : {"rho1 = -0.001", "rho1 = 0.001"}) {
    experiment.checks.push_back({.what = "rho2 at the end, " + run,
                                 .run = run,
                                 .column = "rho2",
                                 .reduce = Reducer::last,
                                 .full = {.paper = Range{0.59, 0.61}, .truth = around(0.600000833, 1e-9)}});
    experiment.checks.push_back({.what = "|rho1| at the end, " + run,
                                 .run = run,
                                 .column = "rho1",
                                 .window = at_least(499),
                                 .full = {.paper = at_most(1e-6)}});
    experiment.checks.push_back({.what = "growth rate log(lambda_1)/h of rho1 at the start, " + run,
                                 .run = run,
                                 .column = "rho1",
                                 .reduce = Reducer::log_rate,
                                 .window = at_most(5),
                                 .full = {.paper = around(rate, 1e-4)}});
    experiment.checks.push_back(
        {.what = "largest |H - H0|, " + run, .run = run, .column = "energy error", .full = {.paper = at_most(1e-14)}});
  }
  return experiment;
}

Experiment section_4_3() {
  const auto last = [](const std::string& column, double value) {
    return Check{.what = column + " at t = 10",
                 .run = "gonzalez",
                 .column = column,
                 .reduce = Reducer::last,
                 .full = {.truth = around(value, 2e-8)}};
  };
  return {
      .id = "celledoni2019-sec-4.3",
      .what = "Suslov problem with a discrete gradient",
      .claim = "The discrete gradient method, which is the implicit midpoint rule here, conserves the energy.",
      .runs = {TimeRun{.setting = {.system = "suslov"},
                       .methods = {"gonzalez"},
                       .step = 0.1,
                       .until = 10,
                       .quantities = {{.name = "rho1", .of = "rho1"}, {.name = "rho2", .of = "rho2"}, energy_error}}},
      .checks = {last("rho1", -0.61351021),
                 last("rho2", 1.22360551),
                 {.what = "largest |H - H0|",
                  .run = "gonzalez",
                  .column = "energy error",
                  .full = {.paper = at_most(1e-14)}}},
      .panels = {{.x = "rho1", .y = "rho2", .x_label = "ρ1", .y_label = "ρ2", .equal_scales = true}}};
}

/// (24a) as it is printed, with T - V in place of T + V.
constexpr const char* printed_gearbox = R"toml(
name        = "Gearbox, Hamiltonian as printed"
coordinates = ["q1", "q2", "q3"]
lagrangian  = "1/2*(q1'^2 + q2'^2 + q3'^2) + 1/2*(q1^2 + q2^2) + cos(q3) - 1/5*sin(2*q3)"
constraints = ["q1' + sin(q3)*q2' = 0"]

[initial]
q = [0.0236432494005134, 0.900927392651871, -2.23581109306109]
v = ["0.376337095979029*sin(-2.23581109306109)", -0.376337095979029, -0.306694204109697]
)toml";

const std::vector<std::string> gearbox_methods = {"gonzalez", "gonzalez-full", "mp"};

TimeRun gearbox_run(const std::string& label, std::map<std::string, double> init) {
  return {.label = label,
          .setting = {.system = "gearbox", .init = std::move(init)},
          .methods = gearbox_methods,
          .step = 0.1,
          .until = 50000,
          .quick_until = 2000,
          .quantities = {relative_energy_error, constraint}};
}

std::map<std::string, double> rotating(double rate) {
  return {{"q1", 1}, {"q2", 1}, {"q3", 0.3}, {"q1'", -std::sin(0.3) / 2}, {"q2'", 0.5}, {"q3'", rate}};
}

Experiment figure_4() {
  const auto largest = [](const std::string& run, const std::string& column, Bounds full,
                          std::optional<Bounds> quick = {}) {
    return Check{.what = "largest " + column + ", " + run, .run = run, .column = column, .full = full, .quick = quick};
  };
  const auto panel = [](const std::string& title, const std::string& column, const std::string& label,
                        std::vector<std::string> runs) {
    return Panel{
        .title = title, .y = column, .y_label = label, .log_y = true, .largest = true, .runs = std::move(runs)};
  };
  const auto as_printed = [](double t, double value) {
    return Check{.what = fmt::format("|H - H0| of mp at t = {} with T - V as printed", t),
                 .run = "as printed",
                 .column = "energy error",
                 .window = Range{t - 0.01, t + 0.01},
                 .full = {.truth = around(value, 0.03)}};
  };
  const std::string energy = "relative energy error";
  const std::vector<std::string> swinging_runs = {"oscillating gonzalez", "oscillating gonzalez-full",
                                                  "oscillating mp"},
                                 turning_runs = {"rotating gonzalez", "rotating gonzalez-full", "rotating mp"};
  return {.id = "celledoni2019-fig-4",
          .what = "Gearbox with an asymmetric pendulum: energy and constraint over a long time",
          .claim =
              "SI-DLA (mp) shows exponential growth of the energy error; both Gonzalez methods preserve the energy to "
              "machine precision. SI-DLA and GONZALEZ-R preserve the constraint, GONZALEZ-F does not.",
          .corrected =
              "True with H = T + V, and only where the pendulum rotates with q3' > 0; where it oscillates the energy "
              "error of SI-DLA is bounded. As printed, with T - V, every solution grows like e^t.",
          .runs = {gearbox_run("oscillating", {}), gearbox_run("rotating", rotating(3)),
                   TimeRun{.label = "backwards",
                           .setting = {.system = "gearbox", .init = rotating(-3)},
                           .methods = {"mp"},
                           .step = 0.1,
                           .until = 50000,
                           .quick_until = 2000,
                           .quantities = {relative_energy_error}},
                   TimeRun{.label = "as printed",
                           .setting = {.system = "gearbox as printed", .toml = printed_gearbox},
                           .methods = {"mp"},
                           .step = 0.1,
                           .until = 60,
                           .quantities = {energy_error}}},
          .checks = {{.what = "growth rate of the energy error of mp, pendulum rotating",
                      .run = "rotating mp",
                      .column = energy,
                      .reduce = Reducer::log_rate,
                      .window = at_least(12500),
                      .full = {.paper = at_least(1e-4), .truth = around(3.1e-4, 0.15)},
                      .only_in_full = true},
                     largest("rotating mp", energy, {.paper = at_least(1e3), .truth = Range{5e5, 8e6}},
                             Bounds{.paper = at_least(0.05)}),
                     largest("oscillating mp", energy,
                             {.paper = at_least(1e3), .truth = at_most(1e-2), .recorded = Verdict::corrected},
                             Bounds{.paper = at_least(0.05), .truth = at_most(1e-2), .recorded = Verdict::corrected}),
                     {.what = "largest relative energy error, backwards",
                      .run = "backwards",
                      .column = energy,
                      .full = {.paper = at_least(1e3), .truth = Range{0.1, 0.3}, .recorded = Verdict::corrected},
                      .only_in_full = true},
                     largest("oscillating gonzalez", energy, {.paper = at_most(1e-11)}),
                     largest("rotating gonzalez", energy, {.paper = at_most(1e-11)}),
                     largest("oscillating gonzalez-full", energy, {.paper = at_most(1e-11)}),
                     largest("rotating gonzalez-full", energy, {.paper = at_most(1e-11)}),
                     largest("oscillating gonzalez", "constraint", {.paper = at_most(1e-14)}),
                     largest("rotating gonzalez", "constraint", {.paper = at_most(1e-14)}),
                     largest("oscillating mp", "constraint", {.paper = at_most(1e-14)}),
                     largest("rotating mp", "constraint", {.paper = at_most(1e-11)}),
                     largest("oscillating gonzalez-full", "constraint", {.paper = at_least(1e-4)}),
                     largest("rotating gonzalez-full", "constraint", {.paper = at_least(1e-4)}),
                     as_printed(10, 2.7e3),
                     as_printed(30, 2.6e19),
                     as_printed(60, 2.0e43),
                     // A run to t = 50000 stays within the numbers of double precision up to the rate log(1e308)/50000.
                     {.what = "growth rate of |H - H0| of mp with T - V as printed",
                      .run = "as printed",
                      .column = "energy error",
                      .reduce = Reducer::log_rate,
                      .window = at_least(10),
                      .full = {.paper = at_most(0.0142), .truth = Range{1.5, 2.1}, .recorded = Verdict::corrected}}},
          .panels = {panel("Oscillating pendulum", energy, "|(H - H0)/H0|", swinging_runs),
                     panel("Oscillating pendulum", "constraint", "|p1 + sin(q3) p2|", swinging_runs),
                     panel("Rotating pendulum", energy, "|(H - H0)/H0|", turning_runs),
                     panel("Rotating pendulum", "constraint", "|p1 + sin(q3) p2|", turning_runs)},
          .columns = 2,
          .legend_by_method = true};
}

}  // namespace

Paper celledoni2019() {
  return {
      .key = "celledoni2019",
      .name = "Celledoni, Farré Puiggalí, Høiseth and Martín de Diego 2019",
      .citation =
          "E. Celledoni, M. Farré Puiggalí, E. H. Høiseth, D. Martín de Diego, Energy-preserving integrators applied "
          "to nonholonomic systems, J. Nonlinear Sci. 29 (2019)",
      .errata = {{"equation (24a)", "H = T - V", "H = T + V; as printed solutions grow like e^t"},
                 {"equation (21)", "y_i in grad H", "w_i"},
                 {"section 4.1.1", "l = (g_ab y^a y^b - V)/2", "l = g_ab y^a y^b/2 - V"},
                 {"equation (23b)", "left side x_1'", "left side x_2'"},
                 {"example of the rolling disk, X_3 and X_4", "cos(phi), sin(phi)", "cos(theta), sin(theta)"},
                 {"algorithm 1", "column and row k with k from 0",
                  "column and row k + 1: R_{k+1,k+1}, R_{k+1:n,k+1}, s_{k+1}; the sign s has to be chosen in every "
                  "step so that R_kk + s |R| does not cancel, and kept over the step"},
                 {"derivative of algorithm 1", "d_i w, d_i Q^(k+1), d_i R^(k+1)",
                  "d_i w = (d_i w~ |w~| - w~ d_i|w~|)/|w~|^2; d_i Q^(k+1) = d_i Q^(k) - 2 d_i Q^(k) w w^T - 2 Q^(k) "
                  "(d_i w w^T + "
                  "w d_i w^T); d_i R^(k+1) = d_i R - 2 (d_i w u + w d_i u)"},
                 {"captions of figures 2 and 4", "|H(t) - H(0)/H(0)|", "|(H(t) - H(0))/H(0)|"}},
      .experiments = {figure_2(), figure_3(), section_4_3(), figure_4()},
  };
}

}  // namespace noslip::papers
