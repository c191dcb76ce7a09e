// Systems on which orders are measured: linear, affine, nonlinear and time-dependent constraints of velocities and of
// positions, M(q), momenta that are not M v, forces, several constraints, none.
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
    {"on_group", R"toml(
      coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }, "x", "y"]
      lagrangian  = """(2*w1^2 + (3 + R33)*w2^2 + 4*w3^2)/8 + (x'^2 + y'^2)/2 + R21*w3*x'/4
                     - R33/2 - R12*x/3 - x^2/2"""
      constraints = ["x' = R21*w1 + R22*w2 + R23*w3", "y' = -R11*w1 - R12*w2 - R13*w3 + R32*x'/5"]
      [initial]
      v = { w1 = 1.2, w2 = 1, w3 = 1.6, x = 1, y = -1.2 })toml"},
    {"driven_on_group", R"toml(
      coordinates = ["z", { group = "SE(2)", names = ["x", "y", "theta"], velocity = ["v1", "v2", "omega"] }]
      lagrangian  = "(v1^2 + 2*v2^2 + omega^2 + z'^2)/2 + v2*omega/3 + z'*omega*cos(t)/4 - x^2/2 - y*z - sin(theta)"
      constraints = ["v2 = (1/3 + t/4)*omega*cos(z) + z'/5"]
      [forces]
      omega = "cos(t) - omega/5"
      z     = "-z'*x/4"
      [initial]
      q = { x = 1, y = 0.2, theta = 0.3 }
      v = { v1 = 0.8, omega = 0.6, v2 = 0.2 })toml"},
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

/// Position constraints, alone and with velocity constraints; for methods that take them.
inline const OrderCase position_cases[] = {
    {"position", R"toml(
      coordinates = ["x", "y", "z"]
      lagrangian  = "(x'^2 + y'^2 + z'^2)/2 + x*y' - 3*z - x*y/3"
      holonomic   = ["x^2 + y^2 + z^2 = 1"]
      [initial]
      q = [0.6, 0, -0.8]
      v = [0.8, 0.5, 0.6])toml"},
    {"two_positions", R"toml(
      coordinates = ["x1", "y1", "x2", "y2", "z2"]
      lagrangian  = "(2 + sin(x2))*(x1'^2 + y1'^2)/2 + (x2'^2 + y2'^2 + z2'^2)/2 + x1'*x2'/4 - 3*(y1 + y2) - z2^2"
      holonomic   = ["x1^2 + y1^2 = 1", "(x2 - x1)^2 + (y2 - y1)^2 + z2^2 = 1"]
      [initial]
      q = [0.6, -0.8, 1.4, -1.4, 0]
      v = [0.8, 0.6, 1.1, 1, 0.3])toml"},
    {"moving_position", R"toml(
      coordinates = ["x", "y", "z"]
      lagrangian  = "(x'^2 + y'^2 + 2*z'^2)/2 - 3*z + cos(t)*x/2"
      holonomic   = ["x^2 + y^2 + (z - sin(t)/4)^2 = 1"]
      [forces]
      y = "-y'/5"
      [initial]
      q = [0.6, 0, -0.8]
      v = [0.8, 0.5, "0.6 + 1/4"])toml"},
    {"both", R"toml(
      coordinates = ["x", "y", "z", "theta"]
      lagrangian  = "(x'^2 + y'^2 + z'^2)/2 + (2 + x^2)*theta'^2/2 - 3*z - cos(theta)"
      holonomic   = ["x^2 + y^2 + z^2 = 1"]
      constraints = ["cos(theta)*y' = sin(theta)*x' + z*theta'/3"]
      [initial]
      q = [0.6, 0, -0.8, 0]
      v = [0.8, -0.24, 0.6, 0.9])toml"},
    {"both_with_plain_momenta", R"toml(
      coordinates = ["x", "y", "z", "theta"]
      lagrangian  = "(x'^2 + y'^2 + 2*z'^2 + theta'^2)/2 - 3*z - cos(theta) - x*y"
      holonomic   = ["x^2 + y^2 + z^2 = 1"]
      constraints = ["cos(theta)*y' = sin(theta)*x' + z*theta'/3"]
      [initial]
      q = [0.6, 0, -0.8, 0]
      v = [0.8, -0.24, 0.6, 0.9])toml"},
    {"both_at_once", R"toml(
      coordinates = ["x", "y", "z", "theta", "u"]
      lagrangian  = "(x'^2 + y'^2 + z'^2 + u'^2)/2 + (2 + x^2)*theta'^2/2 + x*u' - 3*z*cos(t) - cos(theta) - u^2"
      holonomic   = ["x^2 + y^2 + (z - sin(t)/4)^2 = 1", "u = x*y + theta/5"]
      constraints = ["cos(theta)*y' = sin(theta)*x' + z*theta'/3 + t/5"]
      [forces]
      x = "-x'*sqrt(1 + x'^2)/5"
      [initial]
      q = [0.6, 0, -0.8, 0, 0]
      v = [0.8, -0.24, "0.6 + 1/4", 0.9, "-0.6*0.24 + 0.18"])toml"},
};

}  // namespace noslip::testing
