// Jay 2009: section 8.
#include "common.hpp"

namespace noslip::papers {

namespace {

constexpr const char* bounded = "The energy errors clearly remain bounded.";

/// The largest energy error, which the paper does not print, and the claim: the second half of the run is no worse than
/// the first.
void add_checks(Experiment& experiment, const std::string& method, Bounds full, Bounds quick) {
  experiment.checks.push_back(
      {.what = "largest |E - E0| of " + method, .run = method, .column = "energy error", .full = full, .quick = quick});
  experiment.checks.push_back({.what = "largest |E - E0| of " + method + ", second half of the run over first half",
                               .run = method,
                               .column = "energy error",
                               .reduce = Reducer::growth,
                               .full = {.paper = Range{0.5, 1.5}}});
}

/// Three methods on one system: the form of figures 8.1 to 8.3.
Experiment energy_figure(std::string id, std::string what, const std::string& system, std::vector<std::string> methods,
                         double step, double until, double quick_until, const std::vector<double>& largest) {
  Experiment experiment{.id = std::move(id),
                        .what = std::move(what),
                        .claim = bounded,
                        .runs = {TimeRun{.setting = {.system = system},
                                         .methods = methods,
                                         .step = step,
                                         .until = until,
                                         .quick_until = quick_until,
                                         .quantities = {energy_error, constraint}}},
                        .checks = {},
                        .panels = {}};
  for (std::size_t i = 0; i < methods.size(); ++i) {
    add_checks(experiment, methods[i], {.truth = around(largest[i], 1e-4)}, {.truth = around(largest[i], 0.05)});
    experiment.panels.push_back({.title = methods[i], .y = "energy error", .y_label = "E - E0", .runs = {methods[i]}});
  }
  for (const std::string& method : methods) experiment.checks.push_back(constraint_check(method));
  return experiment;
}

/// With the printed initial values the robot goes straight on for ever; so it is made to turn, too.
Experiment robot_figure() {
  const std::vector<std::string> methods = {"lobatto-abd:2", "lobatto-abd:3", "lobatto-abd:4"};
  Experiment experiment =
      energy_figure("jay2009-fig-8.3", "Energy error of Lobatto IIIA-B-D SPARK methods on the mobile robot",
                    "mobile-robot", methods, 0.2, 150, 40, {2.428236e-1, 4.656608e-4, 1.011208e-6});
  TimeRun turning = std::get<TimeRun>(experiment.runs.front());
  turning.label = "turning";
  turning.setting.init = {{"phi'", 0.7}};
  experiment.runs.push_back(std::move(turning));
  for (const std::string& method : methods) {
    experiment.checks.push_back(
        {.what = "largest |E - E0| of " + method + " with phi' = 0.7, second half over first half",
         .run = "turning " + method,
         .column = "energy error",
         .reduce = Reducer::growth,
         .full = {.paper = Range{0.5, 1.5}}});
    experiment.checks.push_back(constraint_check("turning " + method, 1e-14, method + " with phi' = 0.7"));
  }
  return experiment;
}

Experiment standard_gauss() {
  return {.id = "jay2009-sec-7.3",
          .what = "Order of the standard Gauss methods, with the constraint at the stages",
          .claim = "The standard 1-stage Gauss method does not satisfy the constraints and has only order 1.",
          .corrected =
              "Its order is 2, as table 2.1 of Hilden's thesis has it. That of the 2-stage method is 2, too: 4 in "
              "the positions of this example, 2 in the velocities.",
          .runs = {OrderRun{.label = "order",
                            .setting = {.system = "particle"},
                            .methods = {"rk-gauss:1", "rk-gauss:2"},
                            .steps = {1.0 / 10, 1.0 / 20, 1.0 / 40, 1.0 / 80}},
                   TimeRun{.label = "residual",
                           .setting = {.system = "particle"},
                           .methods = {"rk-gauss:1", "rk-gauss:2"},
                           .step = 0.1,
                           .until = 10,
                           .quantities = {constraint}}},
          .checks = {{.what = "order of positions of rk-gauss:1",
                      .run = "order rk-gauss:1",
                      .column = "q",
                      .reduce = Reducer::log_slope,
                      .full = {.paper = Range{0.85, 1.25}, .truth = Range{1.9, 2.1}, .recorded = Verdict::corrected}},
                     {.what = "order of velocities of rk-gauss:1",
                      .run = "order rk-gauss:1",
                      .column = "v",
                      .reduce = Reducer::log_slope,
                      .full = {.paper = Range{0.85, 1.25}, .truth = Range{1.9, 2.1}, .recorded = Verdict::corrected}},
                     {.what = "order of velocities of rk-gauss:2",
                      .run = "order rk-gauss:2",
                      .column = "v",
                      .reduce = Reducer::log_slope,
                      .full = {.truth = Range{1.9, 2.1}}},
                     {.what = "largest residual of the constraint of rk-gauss:1",
                      .run = "residual rk-gauss:1",
                      .column = "constraint",
                      .full = {.paper = at_least(1e-5)}}},
          .panels = {{.title = "Velocities at t = 1",
                      .y = "v",
                      .x_label = "step h",
                      .y_label = "error",
                      .log_x = true,
                      .log_y = true,
                      .guides = {{.label = "h^2", .power = 2, .below = "rk-gauss:2"}},
                      .marker = PlotMarker::circle},
                     {.title = "Constraint, h = 1/10", .y = "constraint", .y_label = "|z' - y x'|"}},
          .columns = 2,
          .legend_by_method = true};
}

constexpr const char* random_walk =
    "The three methods behave very similarly: the mean square of the energy error over h^4 grows like t, a random "
    "walk.";

/// The constraint as it is printed, v_1 + sum q_i v_i with the sum over the last m coordinates.
constexpr const char* printed_constraint = R"toml(
name        = "McLachlan and Perlmutter's particles, constraint as printed"
coordinates = ["x", "w1", "w2", "w3", "z1", "z2", "z3"]
lagrangian  = """1/2*(x'^2 + w1'^2 + w2'^2 + w3'^2 + z1'^2 + z2'^2 + z3'^2)
              - 1/2*(x^2 + w1^2 + w2^2 + w3^2 + z1^2 + z2^2 + z3^2 + z1^2*z2^2 + w1^2*z1^2 + w2^2*z2^2 + w3^2*z3^2)"""
constraints = ["x' + z1*z1' + z2*z2' + z3*z3' = 0"]

[parameters]
j = 5
J = 9

[initial]
q = ["cos(j*pi/(2*J))", 0.6, 0.4, 0.2, 1, 1, 1]
v = [0, "sin(j*pi/(2*J))", 0, 0, 0, 0, 0]
)toml";

const std::vector<std::string> walkers = {"lobatto-ab:2", "lobatto-ab-mid", "mp"};

Panel mean_square_panel(const std::string& title, std::vector<Guide> guides) {
  return {.title = title,
          .y = "mean square",
          .y_label = "mean square of (E - E0)/h^2",
          .log_x = true,
          .log_y = true,
          .guides = std::move(guides)};
}

EnsembleRun walk(Setting setting, int members, double step, double until, double quick_until) {
  return {.setting = std::move(setting),
          .members = members,
          .methods = walkers,
          .step = step,
          .until = until,
          .quick_until = quick_until,
          .every = 100,
          .power = 4};
}

Experiment ten_particles() {
  Experiment experiment{
      .id = "jay2009-fig-8.4",
      .what = "Energy error of ten trajectories of McLachlan and Perlmutter's particles",
      .claim = random_walk,
      .corrected =
          "True for the constraint x' + w . z' = 0 (the printed one: jay2009-fig-8.4-printed), and trivially so for "
          "two of the methods: lobatto-ab:2 and the modified method are the same map here. Ten trajectories "
          "scatter by a factor of about six.",
      .runs = {walk({.system = "chaotic"}, 10, 0.05, 50000, 5000), TimeRun{.label = "200 steps",
                                                                           .setting = {.system = "chaotic"},
                                                                           .methods = walkers,
                                                                           .step = 0.05,
                                                                           .until = 10,
                                                                           .quantities = {{.name = "x", .of = "x"}}}},
      .checks = {},
      .panels = {mean_square_panel({}, {{.label = "10^-4 t", .factor = 1e-4}})}};
  for (const std::string& method : walkers) {
    experiment.checks.push_back({.what = "c of c t, fitted to the mean square over h^4 of " + method,
                                 .run = method,
                                 .column = "mean square",
                                 .reduce = Reducer::proportional,
                                 .full = {.truth = Range{2e-5, 6e-4}},
                                 .quick = Bounds{.truth = Range{1e-5, 1e-3}}});
  }
  const auto difference = [](const std::string& other, Bounds bounds) {
    return Check{.what = "x of lobatto-ab:2 minus x of " + other + " after 200 steps",
                 .run = "200 steps lobatto-ab:2",
                 .column = "x",
                 .reduce = Reducer::last,
                 .versus = Versus::difference,
                 .other = "200 steps " + other,
                 .full = bounds};
  };
  experiment.checks.push_back(difference("lobatto-ab-mid", {.truth = Range{-1e-13, 1e-13}}));
  return experiment;
}

Experiment many_particles() {
  Experiment experiment{.id = "jay2009-fig-8.4-200",
                        .what = "The same with 200 trajectories, h = 0.1: the law without the scatter",
                        .claim = random_walk,
                        .runs = {walk({.system = "chaotic"}, 200, 0.1, 10000, 1000)},
                        .checks = {},
                        .panels = {mean_square_panel({}, {{.label = "10^-4 t", .factor = 1e-4}})}};
  for (const std::string& method : walkers) {
    experiment.checks.push_back({.what = "c1 of c0 + c1 t, fitted to the mean square over h^4 of " + method,
                                 .run = method,
                                 .column = "mean square",
                                 .reduce = Reducer::slope,
                                 .full = {.paper = Range{6e-5, 1.6e-4}},
                                 .quick = Bounds{.paper = Range{2e-5, 4e-4}}});
  }
  for (const std::string& method : {walkers[1], walkers[2]}) {
    experiment.checks.push_back({.what = "c1 of lobatto-ab:2 over c1 of " + method,
                                 .run = "lobatto-ab:2",
                                 .column = "mean square",
                                 .reduce = Reducer::slope,
                                 .versus = Versus::ratio,
                                 .other = method,
                                 .full = {.paper = Range{0.5, 2}},
                                 .quick = Bounds{.paper = Range{0.2, 5}}});
  }
  return experiment;
}

Experiment printed_particles() {
  Experiment experiment{
      .id = "jay2009-fig-8.4-printed",
      .what = "The same ten trajectories with the constraint as it is printed",
      .claim = random_walk,
      .corrected =
          "With the printed constraint there is no random walk: x + |z|^2/2 is constant, the constraint is "
          "holonomic, and the energy error stays bounded.",
      .runs = {walk({.system = "printed constraint", .toml = printed_constraint}, 10, 0.05, 50000, 5000)},
      .checks = {},
      .panels = {mean_square_panel({}, {{.label = "10^-4 t", .factor = 1e-4}})}};
  const std::vector<double> largest = {2.08e-3, 2.11e-3, 1.72e-3};
  for (std::size_t i = 0; i < walkers.size(); ++i) {
    experiment.checks.push_back(
        {.what = "exponent of t in the mean square, " + walkers[i],
         .run = walkers[i],
         .column = "mean square",
         .reduce = Reducer::log_slope,
         .full = {.paper = Range{0.5, 1.5}, .truth = Range{-0.1, 0.1}, .recorded = Verdict::corrected},
         .quick = Bounds{.paper = Range{0.5, 1.5}, .truth = Range{-0.2, 0.2}, .recorded = Verdict::corrected}});
    experiment.checks.push_back({.what = "largest |E - E0| of " + walkers[i],
                                 .run = walkers[i],
                                 .column = "largest",
                                 .full = {.truth = around(largest[i], 0.1)},
                                 .quick = Bounds{.truth = around(largest[i], 0.3)}});
  }
  return experiment;
}

}  // namespace

Paper jay2009() {
  return {
      .key = "jay2009",
      .name = "Jay 2009",
      .citation = "L. O. Jay, Lagrange-d'Alembert SPARK integrators for nonholonomic Lagrangian systems (2009)",
      .errata = {{"section 8.4, constraint", "v_1 + sum_{i=m+2}^n q_i v_i = 0",
                  "v_1 + sum_{i=1}^m q_{1+i} v_{m+1+i} = 0; the printed one is integrable"},
                 {"section 7.3, standard 1-stage Gauss method", "order 1",
                  "order 2 in q and v, as in the table 2.1 of Hilden's thesis"},
                 {"theorem 6.1, f_d^+", "b^_j - a~_ij", "b~_j - a~_ij"},
                 {"equation (5.5)", "Psi^T K^T dq", "Psi^T K dq"}},
      .experiments =
          {
              standard_gauss(),
              energy_figure("jay2009-fig-8.1", "Energy error of Gauss SPARK methods on the nonholonomic particle",
                            "particle", {"gauss:1", "gauss:2", "gauss:3"}, 0.2, 250, 60,
                            {6.635940e-3, 2.699574e-5, 1.610117e-7}),
              energy_figure("jay2009-fig-8.2", "Energy error of Lobatto IIIA-B SPARK methods on the skate", "skate",
                            {"lobatto-ab:2", "lobatto-ab:3", "lobatto-ab:4"}, 0.1, 100, 30,
                            {2.503113e-3, 6.954532e-7, 9.27732e-11}),
              robot_figure(),
              ten_particles(),
              many_particles(),
              printed_particles(),
          },
  };
}

}  // namespace noslip::papers
