// Hilden 2009: measured orders of convergence.
#include <cmath>

#include <fmt/format.h>

#include "hilden2009.hpp"

namespace noslip::papers {

namespace {

struct Slope {
  std::string method;
  Range paper;      ///< around the order that the thesis states or measures
  double measured;  ///< by the thesis; 0 where it prints none
};

Check order_of(const Slope& slope) {
  const std::string printed = slope.measured > 0 ? fmt::format(" (the thesis measures {})", slope.measured) : "";
  return {.what = "order of " + slope.method + printed,
          .run = slope.method,
          .column = "q",
          .reduce = Reducer::log_slope,
          .full = {.paper = slope.paper}};
}

Panel errors(std::string title, std::vector<std::string> runs, std::vector<Guide> guides) {
  return {.title = std::move(title),
          .y = "q",
          .x_label = "step h",
          .y_label = "error at t = 1",
          .log_x = true,
          .log_y = true,
          .runs = std::move(runs),
          .guides = std::move(guides),
          .marker = PlotMarker::circle};
}

std::vector<std::string> methods_of(const std::vector<Slope>& slopes) {
  std::vector<std::string> methods;
  for (const Slope& slope : slopes) methods.push_back(slope.method);
  return methods;
}

Experiment orders(std::string id, std::string what, std::string claim, const std::string& system,
                  const std::vector<Slope>& slopes, std::vector<double> steps, std::vector<Guide> guides,
                  std::string title = {}) {
  Experiment experiment{
      .id = std::move(id),
      .what = std::move(what),
      .claim = std::move(claim),
      .runs = {OrderRun{.setting = {.system = system}, .methods = methods_of(slopes), .steps = std::move(steps)}},
      .checks = {},
      .panels = {errors(std::move(title), {}, std::move(guides))}};
  for (const Slope& slope : slopes) experiment.checks.push_back(order_of(slope));
  return experiment;
}

/// Table 2.1: five families. The range of an order is narrow enough to tell it from its neighbours.
Experiment table_21() {
  struct Member {
    const char* title;
    std::string family;
    std::vector<std::pair<int, int>> orders;  ///< stages, order
  };
  const std::vector<Member> families = {{"Gauss", "rk-gauss", {{1, 2}, {2, 2}, {3, 4}, {4, 4}}},
                                        {"Radau IA", "rk-radau-ia", {{1, 1}, {2, 2}, {3, 3}}},
                                        {"Radau IIA", "rk-radau-iia", {{1, 1}, {2, 3}, {3, 5}}},
                                        {"Lobatto IIIA", "rk-lobatto-iiia", {{2, 2}, {3, 4}, {4, 6}}},
                                        {"Lobatto IIIC", "rk-lobatto-iiic", {{2, 2}, {3, 4}, {4, 6}}}};
  Experiment experiment{
      .id = "hilden2009-table-2.1",
      .what = "Orders of standard Runge-Kutta methods on the index-2 problem (2.28)",
      .claim = "Gauss: s + 1 for odd and s for even s; Radau IA: s; Radau IIA: 2s - 1; Lobatto IIIA, IIIC: 2s - 2.",
      .runs = {},
      .checks = {},
      .panels = {},
      .columns = 3};
  OrderRun run{.setting = {.system = "index2"},
               .methods = {},
               .steps = {1. / 80, 1. / 160, 1. / 320, 1. / 640},
               .quick_steps = {1. / 80, 1. / 160, 1. / 320}};
  for (const Member& family : families) {
    std::vector<std::string> names;
    for (const auto& [stages, order] : family.orders) {
      names.push_back(fmt::format("{}:{}", family.family, stages));
      run.methods.push_back(names.back());
      experiment.checks.push_back(order_of({names.back(), {order - 0.3, order + 0.3}, 0}));
    }
    experiment.panels.push_back(errors(family.title, names, {}));
  }
  experiment.runs = {run};
  return experiment;
}

/// What the thesis does not measure: (4.3) has lost an order.
Experiment order_of_generalisation() {
  const double c = 0.8 * std::cos(0.3), s = 0.8 * std::sin(0.3);
  const Check first{.what = "order of mp-hilden, equation (4.3)",
                    .run = "mp-hilden",
                    .column = "q",
                    .reduce = Reducer::log_slope,
                    .full = {.truth = Range{0.9, 1.1}}};
  const Check second{.what = "order of mp, in the symmetric form for any mass matrix",
                     .run = "mp",
                     .column = "q",
                     .reduce = Reducer::log_slope,
                     .full = {.truth = Range{1.95, 2.05}}};
  return {
      .id = "hilden2009-sec-4.2.2",
      .what = "Order of McLachlan-Perlmutter generalised to a mass matrix M(q), on the Chaplygin sleigh",
      .claim = "The discrete Lagrangian and constraints of (3.4) are taken over; no order is stated.",
      .corrected = "(4.3) is of order 1; with Lobatto IIIB on q and IIIA on p the method keeps order 2.",
      .runs = {OrderRun{
          .setting = {.system = "sleigh", .init = {{"theta", 0.3}, {"x'", c}, {"y'", s}, {"theta'", 0.7}}},
          .methods = {"mp-hilden", "mp"},
          .steps = {1. / 20, 1. / 40, 1. / 80, 1. / 160}}},
      .checks = {first, second},
      .panels = {errors(
          "", {}, {{.label = "h", .power = 1, .below = "mp-hilden"}, {.label = "h^2", .power = 2, .below = "mp"}})}};
}

}  // namespace

std::vector<Experiment> hilden_orders() {
  const std::vector<double> from_twenty = {1. / 20, 1. / 40, 1. / 80, 1. / 160};
  return {
      table_21(),
      orders("hilden2009-fig-2.2", "Orders of Lobatto IIIA-B-C-C*-D SPARK methods on the split problem (2.23)",
             "Two stages converge with order 2 (measured 1.97), three with order 4 (measured 4.12).", "index2-split",
             {{"spark-lobatto:2", {1.8, 2.2}, 1.97}, {"spark-lobatto:3", {3.7, 4.45}, 4.12}}, from_twenty,
             {{.label = "h^2", .power = 2, .below = "spark-lobatto:2"},
              {.label = "h^4", .power = 4, .below = "spark-lobatto:3"}}),
      orders(
          "hilden2009-fig-2.3", "Orders of Gauss SRK-DAE2 methods on (2.28)",
          "Two stages converge with order 4 (measured 4.06), three with order 6 (measured 6.07).", "index2",
          {{"srk-gauss:2", {3.8, 4.2}, 4.06}, {"srk-gauss:3", {5.8, 6.2}, 6.07}}, from_twenty,
          {{.label = "h^4", .power = 4, .below = "srk-gauss:2"}, {.label = "h^6", .power = 6, .below = "srk-gauss:3"}}),
      orders("hilden2009-fig-2.4", "Orders of Radau IA SRK-DAE2 methods on (2.28)",
             "Two stages converge with order 3 (measured 2.97), three with order 5 (measured 5.09).", "index2",
             {{"srk-radau-ia:2", {2.8, 3.2}, 2.97}, {"srk-radau-ia:3", {4.7, 5.45}, 5.09}}, from_twenty,
             {{.label = "h^3", .power = 3, .below = "srk-radau-ia:2"},
              {.label = "h^5", .power = 5, .below = "srk-radau-ia:3"}}),
      orders("hilden2009-fig-3.4", "Orders of Cortes-Martinez (3.3) and McLachlan-Perlmutter (3.4) on the rolling disk",
             "Both converge with order 2: the slopes are 1.99 and 2.00.", "rolling-disk",
             {{"cm", {1.95, 2.05}, 1.99}, {"mp", {1.98, 2.02}, 2.00}}, {1. / 10, 1. / 20, 1. / 40, 1. / 80, 1. / 160},
             {{.label = "h^2", .power = 2, .below = "mp"}}, "without forces both make the same steps"),
      order_of_generalisation(),
  };
}

}  // namespace noslip::papers
