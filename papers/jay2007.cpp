// Jay 2007: section 6.
#include "common.hpp"

namespace noslip::papers {

namespace {

constexpr const char* test_problem = R"toml(
name   = "Test problem (6.1)"
kind   = "odae"
y      = ["y1", "y2"]
z      = ["z1", "z2"]
lambda = ["lambda1"]
v      = ["2*z1", "-z2"]
f      = ["2*y1*y2*z1*z2 - y1*z1*z2", "z1 - y1*z2^3"]
r      = ["y1*y2*lambda1^2", "-sqrt(y1)*lambda1"]
g      = ["y1*y2^2 = 1"]

[initial]
y = [1, 1]
z = [1, 1]

[exact]
y1 = "exp(2*t)"
y2 = "exp(-t)"
z1 = "exp(2*t)"
z2 = "exp(-t)"
lambda1 = "exp(t)"
)toml";

const OrderRun order_run{.setting = {.system = "test problem (6.1)", .toml = test_problem},
                         .methods = {"gauss:1", "gauss:2", "gauss:3"},
                         .steps = {1.0 / 10, 1.0 / 20, 1.0 / 40, 1.0 / 80, 1.0 / 160},
                         .until = 1};

constexpr const char* order_claim =
    "The errors lie on straight lines of slope 2s: the (s,s)-Gauss-Lobatto SPARK methods have order 2s (s = 1, 2).";

Experiment order_figure(std::string id, std::string what, const std::string& column, const std::string& y_label) {
  return {.id = std::move(id),
          .what = std::move(what),
          .claim = order_claim,
          .runs = {order_run},
          .checks = {order_check("gauss:1", column, 2), order_check("gauss:2", column, 4),
                     order_check("gauss:3", column, 6)},
          .panels = {{.y = column,
                      .x_label = "step h",
                      .y_label = y_label,
                      .log_x = true,
                      .log_y = true,
                      .guides = {{.label = "h^2", .power = 2, .below = "gauss:1"},
                                 {.label = "h^4", .power = 4, .below = "gauss:2"},
                                 {.label = "h^6", .power = 6, .below = "gauss:3"}},
                      .marker = PlotMarker::circle}}};
}

Experiment energy_figure() {
  Experiment experiment{.id = "jay2007-fig-6.3",
                        .what = "Error of the Hamiltonian on the charged particle on a sphere",
                        .claim = "The Hamiltonian error remains bounded and small over long times.",
                        .runs = {TimeRun{.setting = {.system = "charged-particle"},
                                         .methods = {"gauss:1", "gauss:2", "lobatto-ab:2"},
                                         .step = 0.12,
                                         .until = 600,
                                         .quick_until = 120,
                                         .quantities = {energy_error, constraint}},
                                 TimeRun{.setting = {.system = "charged-particle"},
                                         .methods = {"gauss:3"},
                                         .step = 0.12,
                                         .until = 120,
                                         .quantities = {energy_error, constraint}}},
                        .checks = {},
                        .panels = {},
                        .columns = 2};
  const std::vector<std::pair<std::string, double>> largest = {
      {"gauss:1", 2.424628e-3}, {"gauss:2", 8.913276e-6}, {"gauss:3", 9.4259e-9}, {"lobatto-ab:2", 4.374512e-3}};
  for (const auto& [method, value] : largest) {
    experiment.checks.push_back({.what = "largest |H - H0| of " + method,
                                 .run = method,
                                 .column = "energy error",
                                 .full = {.truth = around(value, 1e-4)},
                                 .quick = Bounds{.truth = around(value, 0.05)}});
    experiment.checks.push_back({.what = "largest |H - H0| of " + method + ", second half of the run over first half",
                                 .run = method,
                                 .column = "energy error",
                                 .reduce = Reducer::growth,
                                 .full = {.paper = Range{0.5, 1.5}}});
    experiment.checks.push_back(constraint_check(method, 1e-13));
    experiment.panels.push_back({.title = method, .y = "energy error", .y_label = "H - H0", .runs = {method}});
  }
  return experiment;
}

}  // namespace

Paper jay2007() {
  return {
      .key = "jay2007",
      .name = "Jay 2007",
      .citation =
          "L. O. Jay, Specialized partitioned additive Runge-Kutta methods for systems of overdetermined DAEs "
          "with holonomic constraints, SIAM J. Numer. Anal. 45 (2007)",
      .errata = {{"section 3.1, standard Gauss methods", "g_q^T(q_1) Lambda_1", "g_q^T(Q_1) Lambda_1"}},
      .experiments = {order_figure("jay2007-fig-6.1", "Global error in y of Gauss-Lobatto SPARK methods on (6.1)", "q",
                                   "error of y at t = 1"),
                      order_figure("jay2007-fig-6.2", "Global error in z of Gauss-Lobatto SPARK methods on (6.1)", "v",
                                   "error of z at t = 1"),
                      energy_figure()},
  };
}

}  // namespace noslip::papers
