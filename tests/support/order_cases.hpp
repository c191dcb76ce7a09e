// Systems on which orders are measured: linear, affine, nonlinear and time-dependent constraints, M(q), momenta that are not
// M v, forces, several constraints, none.
#pragma once

namespace noslip::testing {

struct OrderCase {
  const char* name;
  const char* toml;
};

inline const OrderCase order_cases[] = {
    {"linear", R"toml(
      coordinates = ["x", "y", "z"]
      lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - x^2 - y^2 - x*y*z/3"
      constraints = ["z' = y*x'"]
      [initial]
      q = [1, 0.2, 0]
      v = [0.3, 1, 0.06])toml"},
    {"mass_of_q", R"toml(
      coordinates = ["x", "y", "theta"]
      lagrangian  = "(x'^2 + y'^2)/2 + theta'^2 + theta'*(y'*cos(theta) - x'*sin(theta)) - (y + sin(theta)) - x^2/4"
      constraints = ["y'*cos(theta) = x'*sin(theta)"]
      [initial]
      q = [1, 0, 0.3]
      v = ["cos(3/10)", "sin(3/10)", 0.7])toml"},
    {"two_constraints", R"toml(
      coordinates = ["x", "y", "phi", "theta"]
      lagrangian  = "(x'^2 + y'^2 + phi'^2)/2 + 3/2*theta'^2 - 2*sin(theta) - x*y/5 - x*phi/3"
      constraints = ["x' = cos(phi)*theta'", "y' = sin(phi)*theta'"]
      [initial]
      v = [1, 0, 0.7, 1])toml"},
    {"affine", R"toml(
      coordinates = ["x", "y", "z"]
      lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - x^2 - y^2/2"
      constraints = ["z' = y*x' + sin(x)/2"]
      [initial]
      q = [1, 0.2, 0]
      v = [0.3, 1, "0.06 + sin(1)/2"])toml"},
    {"nonlinear", R"toml(
      coordinates = ["x", "y", "z"]
      lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - x^2 - y^2/2 - z"
      constraints = ["z'^2 = x'^2 + y'^2 + x^2/10"]
      [initial]
      q = [1, 0.2, 0]
      v = [0.3, 1, "sqrt(0.09 + 1 + 0.1)"])toml"},
    {"time", R"toml(
      coordinates = ["x", "y", "z"]
      lagrangian  = "(1 + t/5)*(x'^2 + y'^2 + z'^2)/2 - x^2 - y^2*cos(t)"
      constraints = ["z' = y*x' + cos(2*t)/2"]
      [initial]
      t = 0.5
      q = [1, 0.2, 0]
      v = [0.3, 1, "0.06 + cos(1)/2"])toml"},
    {"forces", R"toml(
      coordinates = ["x", "y", "z"]
      lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - x^2 - y^2"
      constraints = ["z' = y*x'"]
      [parameters]
      c = 0.3
      [forces]
      x = "-c*x'*sqrt(1 + x'^2)"
      y = "sin(3*t) - c*y'"
      [initial]
      q = [1, 0.2, 0]
      v = [2.3, 1, 0.46])toml"},
    {"all_at_once", R"toml(
      coordinates = ["x", "y", "z"]
      lagrangian  = "(x'^2 + y'^2 + z'^2)/2 + x*y*z'/4 - x^2 - y^2*cos(t)/2 - z"
      constraints = ["z'^2 = x'^2 + y'^2 + x^2/10 + sin(t)/20"]
      [forces]
      y = "-y'/5"
      [initial]
      q = [1, 0.2, 0]
      v = [0.3, 1, "sqrt(0.09 + 1 + 0.1)"])toml"},
    {"damped", R"toml(
      coordinates = ["x", "y", "theta"]
      lagrangian  = "(x'^2 + y'^2)/2 + theta'^2 + theta'*(y'*cos(theta) - x'*sin(theta)) - (y + sin(theta)) - x^2/4"
      constraints = ["y'*cos(theta) = x'*sin(theta)"]
      [forces]
      x = "-0.3*x'*sqrt(1 + x'^2)"
      y = "sin(3*t) - 0.3*y'"
      theta = "x/2 - theta'/5"
      [initial]
      q = [1, 0, 0.3]
      v = ["cos(3/10)", "sin(3/10)", 0.7])toml"},
    {"moving_edge", R"toml(
      coordinates = ["x", "y", "theta"]
      lagrangian  = "(x'^2 + y'^2)/2 + theta'^2 + theta'*(y'*cos(theta) - x'*sin(theta)) - x*y/5"
      constraints = ["cos(theta)*(y' + t/4) = sin(theta)*(x' - cos(2*t)/2)"]
      [forces]
      theta = "cos(t) - theta'/5"
      [initial]
      q = [1, 0.2, 0]
      v = [0.3, 0, 0.8])toml"},
    {"unconstrained", R"toml(
      coordinates = ["r", "phi"]
      lagrangian  = "(r'^2 + r^2*phi'^2)/2 + 1/r"
      [initial]
      q = [1, 0]
      v = [0, 1.2])toml"},
};

}  // namespace noslip::testing
