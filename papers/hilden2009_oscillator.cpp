// Hilden 2009: Poincare sections of the contact oscillator.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "hilden2009.hpp"

namespace noslip::papers {

namespace {

constexpr double oscillator_tolerance = 1e-4;  // tolerance of steps that are solved loosely
constexpr int steps_per_iteration = 40;
const std::string both[] = {"mp", "lobatto-ab:2"};
const std::string loosely = "solved loosely";

/// (4.9)
std::vector<double> ten_orbits() {
  std::vector<double> values;
  for (int k = 0; k < 10; ++k) values.push_back((-0.9 + 0.2 * k) * std::numbers::sqrt2);
  return values;
}
const std::vector<double> eight_orbits = {-1.2, -1, -0.75, -0.55, -0.4, -0.1, 0.93, 1.07};

struct Length {
  long long full, quick;
};

SectionRun section(double epsilon, std::vector<double> orbits, Length iterations, std::vector<std::string> methods) {
  return {.setting = {.system = "contact-oscillator", .set = {{"epsilon", epsilon}}},
          .methods = std::move(methods),
          .parameter = "z0",
          .values = std::move(orbits),
          // y has a period of exactly 40 steps (section 4.3.2).
          .step = 2 * std::sin(std::numbers::pi / steps_per_iteration),
          .steps_per_iteration = steps_per_iteration,
          .iterations = iterations.full,
          .quick_iterations = iterations.quick,
          .quantities = {{.name = "x", .of = "x"}, {.name = "z", .of = "z"}, {.name = "z'", .of = "z'"}}};
}

SectionRun loose_section(SectionRun run) {
  run.methods = {"lobatto-ab:2"};
  run.label = loosely;
  run.tolerance = oscillator_tolerance;
  run.plane = {};
  run.separation = 0;
  return run;
}

/// Labels of the orbits of a run.
std::vector<std::string> orbit_labels(const std::string& run, const std::vector<double>& orbits) {
  std::vector<std::string> labels;
  for (const double value : orbits) labels.push_back(fmt::format("{}, z0 = {:.4g}", run, value));
  return labels;
}

/// The half of the section with x > 0, seen along x.
Panel section_panel(std::string title, const std::string& run, const std::vector<double>& orbits) {
  return {.title = std::move(title),
          .x = "z",
          .y = "z'",
          .where = "x",
          .runs = orbit_labels(run, orbits),
          .line = PlotLine::none,
          .marker = PlotMarker::dot,
          .equal_scales = true};
}

/// With one range for all panels of a figure, so that a drift is seen as such.
Panel energy_panel(std::string title, const std::string& run, const std::vector<double>& orbits, Range range) {
  return {.title = std::move(title),
          .y = "energy error",
          .x_label = "iteration of the Poincare map",
          .y_label = "E - E0",
          .runs = orbit_labels(run, orbits),
          .y_range = range};
}

std::vector<Panel> section_panels(const std::vector<double>& orbits) {
  return {section_panel("McLachlan-Perlmutter", both[0], orbits),
          section_panel("SPARK Lobatto IIIA-B, solved to rounding", both[1], orbits),
          section_panel("SPARK Lobatto IIIA-B, solved to 1e-4", loosely, orbits)};
}

/// Something about one orbit, or the largest over all.
Check about(std::string what, const std::string& run, std::string column, Bounds bounds, int orbit = 0) {
  return {.what = std::move(what),
          .run = run,
          .column = std::move(column),
          .window = orbit > 0 ? Range{static_cast<double>(orbit), static_cast<double>(orbit)} : Range{},
          .full = bounds};
}

Experiment figure_411() {
  SectionRun exact = section(0, ten_orbits(), {8000, 800}, {both[0], both[1]});
  exact.plane = {"x", "z", "z'"};
  Experiment experiment{
      .id = "hilden2009-fig-4.11",
      .what = "Contact oscillator: Poincare section, ten orbits",
      .claim =
          "Every orbit is a circle in a plane with McLachlan-Perlmutter; with the 2-stage SPARK Lobatto IIIA-B method "
          "orbits 7, 8 and 9 drift.",
      .corrected =
          "With both methods the points of every orbit lie in a plane to rounding; orbits drift where steps are "
          "solved loosely.",
      .runs = {exact, loose_section(exact)},
      .checks = {about("distance of the points from a plane, mp", "mp", "plane", {.paper = at_most(1e-11)}),
                 about("the same, lobatto-ab:2", "lobatto-ab:2", "plane",
                       {.paper = at_least(1e-6), .truth = at_most(1e-11), .recorded = Verdict::corrected}),
                 about("largest |E - E0| at the section, mp", "mp", "energy at section",
                       {.truth = around(5.2e-3, 0.05)}),
                 about("the same, lobatto-ab:2", "lobatto-ab:2", "energy at section", {.truth = around(2.6e-3, 0.05)})},
      .panels = section_panels(ten_orbits()),
      .columns = 3,
      .legend_by_method = true,
      .has_many_points = true};
  return experiment;
}

Experiment figure_412() {
  const SectionRun exact = section(0, ten_orbits(), {8000, 800}, {both[1]});
  Experiment experiment{.id = "hilden2009-fig-4.12",
                        .what = "Contact oscillator: energy of the 2-stage SPARK Lobatto IIIA-B method",
                        .claim = "The energy of orbits 7, 8 and 9 drifts clearly; the others stay close to 1.5.",
                        .corrected = "The energy of no orbit drifts; it does where steps are solved loosely.",
                        .runs = {exact, loose_section(exact)},
                        .checks = {},
                        .panels = {energy_panel("solved to rounding", both[1], ten_orbits(), {-0.08, 0.2}),
                                   energy_panel("solved to 1e-4", loosely, ten_orbits(), {-0.08, 0.2})},
                        .columns = 2,
                        .legend_by_method = true};
  const double largest[] = {1.226e-2, 1.241e-2, 1.167e-2, 1.022e-2, 8.42e-3,
                            6.54e-3,  4.82e-3,  3.57e-3,  5.69e-3,  9.28e-3};
  for (int orbit = 1; orbit <= 10; ++orbit) {
    Check check = about(fmt::format("largest |E - E0| of orbit {}, all steps", orbit), both[1], "energy",
                        {.truth = around(largest[orbit - 1], 2e-3)}, orbit);
    check.quick = {.truth = around(largest[orbit - 1], 0.05)};
    experiment.checks.push_back(check);
  }
  for (int orbit = 7; orbit <= 9; ++orbit) {
    experiment.checks.push_back(
        about(fmt::format("change of the mean energy of orbit {}", orbit), both[1], "mean energy",
              {.paper = at_least(1e-3), .truth = at_most(1e-5), .recorded = Verdict::corrected}, orbit));
  }
  experiment.checks.push_back(
      about("change of the mean energy, largest of all orbits", both[1], "mean energy", {.truth = at_most(1e-5)}));
  experiment.checks.push_back(about("the same, solved loosely", loosely, "mean energy", {.truth = at_least(1e-4)}));
  return experiment;
}

Experiment figure_413() {
  SectionRun exact = section(0.3, ten_orbits(), {8000, 800}, {both[0], both[1]});
  exact.separation = 2000;
  return {.id = "hilden2009-fig-4.13",
          .what = "Perturbed contact oscillator, epsilon = 0.3: Poincare section, ten orbits",
          .claim =
              "All orbits are quasiperiodic with McLachlan-Perlmutter; three break up and behave chaotically with the "
              "2-stage SPARK Lobatto IIIA-B method.",
          .corrected = "No orbit is chaotic with either method.",
          .runs = {exact, loose_section(exact)},
          .checks = {about("growth of the distance of neighbours, mp", "mp", "separation", {.paper = at_most(1e4)}),
                     about("the same, lobatto-ab:2", "lobatto-ab:2", "separation",
                           {.paper = at_least(1e5), .truth = at_most(1e4), .recorded = Verdict::corrected}),
                     about("change of the mean energy, mp", "mp", "mean energy", {.truth = at_most(1e-3)}),
                     about("the same, lobatto-ab:2", "lobatto-ab:2", "mean energy", {.truth = at_most(1e-3)})},
          .panels = section_panels(ten_orbits()),
          .columns = 3,
          .legend_by_method = true,
          .has_many_points = true};
}

Experiment figure_414() {
  SectionRun exact = section(0.8, eight_orbits, {8000, 2000}, {both[0], both[1]});
  exact.separation = 2000;
  Experiment experiment{
      .id = "hilden2009-fig-4.14",
      .what = "Perturbed contact oscillator, epsilon = 0.8: Poincare section, eight orbits",
      .claim =
          "The orbits with z0 = -0.55 and z0 = -0.1 are chaotic; the one between them, z0 = -0.4, is quasiperiodic "
          "with McLachlan-Perlmutter and chaotic with the 2-stage SPARK Lobatto IIIA-B method.",
      .corrected = "The orbit with z0 = -0.4 is regular with both methods.",
      .runs = {exact, loose_section(exact)},
      .checks = {},
      .panels = section_panels(eight_orbits),
      .columns = 3,
      .legend_by_method = true,
      .has_many_points = true};
  for (const std::string& method : both) {
    for (int orbit = 1; orbit <= 8; ++orbit) {
      const bool is_chaotic = orbit == 4 || orbit == 6, is_between = orbit == 5 && method == both[1];
      const Range truth = is_chaotic ? at_least(1e6) : at_most(1e4);
      const Bounds bounds = is_between ? Bounds{at_least(1e6), truth, Verdict::corrected} : Bounds{.paper = truth};
      experiment.checks.push_back(
          about(fmt::format("growth of the distance of neighbours, {}, z0 = {}", method, eight_orbits[orbit - 1]),
                method, "separation", bounds, orbit));
    }
  }
  experiment.checks.push_back(
      about("largest |E - E0| at the section, mp", "mp", "energy at section", {.truth = at_most(1.5e-2)}));
  experiment.checks.push_back(about("largest |E - E0| at the section, lobatto-ab:2", "lobatto-ab:2",
                                    "energy at section", {.truth = at_most(7.8e-3)}));
  return experiment;
}

/// Figures 4.15 to 4.17: the first chaotic orbit.
Experiment chaotic_orbit(std::string id, std::string what, std::string claim, Length iterations) {
  const SectionRun exact = section(0.8, {-0.55}, iterations, {both[0], both[1]});
  return {
      .id = std::move(id),
      .what = "Perturbed contact oscillator, chaotic orbit: " + std::move(what),
      .claim = std::move(claim),
      .corrected =
          "The energy stays near 1.5 with both methods, and the orbit keeps visiting all parts of its region; where "
          "steps are solved loosely the energy drifts.",
      .runs = {exact, loose_section(exact)},
      .checks = {about("largest |E - E0| at the section, mp", "mp", "energy at section", {.truth = at_most(1.4e-2)}),
                 about("largest |E - E0| at the section, lobatto-ab:2", "lobatto-ab:2", "energy at section",
                       {.paper = at_least(5e-2), .truth = at_most(8e-3), .recorded = Verdict::corrected}),
                 about("change of the mean energy, mp", "mp", "mean energy", {.truth = at_most(3e-3)}),
                 about("the same, lobatto-ab:2", "lobatto-ab:2", "mean energy", {.truth = at_most(3e-3)}),
                 about("the same, solved loosely", loosely, "mean energy", {.truth = at_least(1e-3)})},
      .panels = {},
      .columns = 3,
      .legend_by_method = true};
}

}  // namespace

std::vector<Experiment> hilden_oscillator() {
  const std::vector<double> orbit = {-0.55};
  Experiment shape = chaotic_orbit(
      "hilden2009-fig-4.15", "Poincare section",
      "McLachlan-Perlmutter visits all parts of the chaotic orbit evenly; SPARK Lobatto IIIA-B stays close "
      "to two circles after about 2500 iterations.",
      {50000, 4000});
  shape.panels = section_panels(orbit);
  shape.has_many_points = true;
  shape.checks.push_back({.what = "least z after 3200 iterations, lobatto-ab:2",
                          .run = orbit_labels(both[1], orbit).front(),
                          .column = "z",
                          .reduce = Reducer::minimum,
                          .window = at_least(3200),
                          .full = {.paper = at_least(-0.3), .truth = at_most(-0.6), .recorded = Verdict::corrected}});
  Experiment energy =
      chaotic_orbit("hilden2009-fig-4.16", "energy",
                    "The energy of McLachlan-Perlmutter stays bounded; that of SPARK Lobatto IIIA-B drifts "
                    "away from 1.5 and settles at a lower level.",
                    {50000, 4000});
  Experiment close_up =
      chaotic_orbit("hilden2009-fig-4.17", "energy of the first 1000 iterations",
                    "The energy of SPARK Lobatto IIIA-B stays bounded for about 500 iterations and then "
                    "drifts away.",
                    {1000, 1000});
  close_up.checks.pop_back();  // so early a loose solve does not show yet
  for (const auto& [experiment, range] : {std::pair{&energy, Range{-0.05, 0.25}}, {&close_up, Range{-0.02, 0.02}}}) {
    experiment->panels = {energy_panel("McLachlan-Perlmutter", both[0], orbit, range),
                          energy_panel("SPARK Lobatto IIIA-B, solved to rounding", both[1], orbit, range),
                          energy_panel("SPARK Lobatto IIIA-B, solved to 1e-4", loosely, orbit, range)};
  }
  return {figure_411(), figure_412(), figure_413(), figure_414(), shape, energy, close_up};
}

}  // namespace noslip::papers
