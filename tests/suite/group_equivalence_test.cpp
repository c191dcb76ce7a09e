// The same body described in different ways moves in the same way.
#include <cmath>

#include <gtest/gtest.h>

#include "suite/members.hpp"

namespace noslip {
namespace {

using testing::distance;
using testing::options;

Trajectory run(const System& system, const std::string& method, double step, double until) {
  RunOptions o = options(method, step, 0);
  o.until = until;
  const Trajectory end = integrate(system, o);
  EXPECT_EQ(end.outcome.status, Status::done) << system.name() << ", " << method << ": " << end.outcome.message;
  return end;
}

/// (x, y, theta) of the sleigh on SE(2) and in coordinates.
TEST(GroupEquivalence, SleighOnSE2AndInCoordinates) {
  const System on_group = catalogue_system("chaplygin-sleigh-se2"), plain = catalogue_system("sleigh");
  for (const char* method : {"nh-lobatto:3", "gauss:2", "gauss:3", "lobatto-ab:3"}) {
    double before = 0;
    for (const double step : {0.1, 0.05}) {
      const double error = distance(run(on_group, method, step, 1).last.q, run(plain, method, step, 1).last.q);
      if (before > 0 && error > 1e-12) {
        EXPECT_GE(std::log2(before / error), find_method(method)->traits().order - 0.3) << method;
      }
      before = error;
    }
    EXPECT_LE(before, 1e-4) << method;
  }
}

/// A heavy top as a body in space whose foot is held by three position constraints (Martin de Diego and Sato 2022, sec.
/// 6.3), and as a body with a fixed point.
TEST(GroupEquivalence, TopHeldByPositionConstraints) {
  const System held = System::parse(R"toml(
    name        = "top held at its foot"
    coordinates = [{ group = "SE(3)", name = "g", velocity = ["v1", "v2", "v3", "w1", "w2", "w3"] }]
    lagrangian  = "m/2*(v1^2 + v2^2 + v3^2) + (A*w1^2 + A*w2^2 + C*w3^2)/2 - m*G*g34"
    holonomic   = ["g14 = l*g13", "g24 = l*g23", "g34 = l*g33"]
    [parameters]
    m = 1
    G = 9.81
    l = 0.3
    A = "0.15 - m*l^2"
    C = 0.05
    [initial]
    q = { g = [0, "-l*sin(0.5)", "l*cos(0.5)", 0.5, 0, 0] }
    v = { w2 = 0.2, v1 = "0.2*l", w1 = 0.1, v2 = "-0.1*l", w3 = 10 })toml");
  const System top = System::parse(R"toml(
    name        = "top with a fixed point"
    coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }]
    lagrangian  = "(0.15*(w1^2 + w2^2) + 0.05*w3^2)/2 - 9.81*0.3*R33"
    [initial]
    q = { R = [0.5, 0, 0] }
    v = [0.1, 0.2, 10])toml");
  const Sample exact = run(top, "gauss:6", 0.01, 1).last;
  const std::vector<double> rotation = exact.q;
  for (const auto& [method, order] : {std::pair{"gauss:1", 2},
                                      {"gauss:2", 4},
                                      {"lobatto-ab:2", 2},
                                      {"lobatto-ab:3", 4},
                                      {"lobatto-ab:3,chart=start", 4},
                                      {"rattle,map=exp", 2}}) {
    double before = 0;
    for (const double step : {0.02, 0.01}) {
      const Trajectory end = run(held, method, step, 1);
      EXPECT_LE(end.holonomic.max_abs, 1e-14) << method;
      EXPECT_LE(end.holonomic.max_abs_rate, 1e-13) << method;
      EXPECT_LE(end.rotations.value().max_abs, 2e-14) << method;
      const std::vector<double>& g = end.last.q;
      const double error = distance({g[0], g[1], g[2], g[4], g[5], g[6], g[8], g[9], g[10]}, rotation);
      if (before > 0) {
        EXPECT_NEAR(std::log2(before / error), order, 0.3) << method;
      }
      before = error;
    }
  }
}

/// A factor on which nothing depends turns a system into one on a group. Its other coordinates must not see that: the
/// method is the one of vector spaces there.
TEST(GroupEquivalence, VectorSpacesAreGroups) {
  const std::string rest = R"toml(
    lagrangian  = "(2 + cos(x))/2*x'^2 + y'^2/2 + x'*y'/3 + z'^2/2 - x^2/2 - y^2 + SPIN"
    constraints = ["z' = y*x' + t/5"]
    [forces]
    x = "-x'/5 + cos(t)"
    [initial]
    q = { x = 1, y = 0.2 }
    v = { x = 0.3, y = 1, z = 0.06 SPEED })toml";
  const auto system = [&](const std::string& coordinates, const std::string& spin, const std::string& speed) {
    std::string text = "coordinates = [\"x\", \"y\", \"z\"" + coordinates + "]" + rest;
    text.replace(text.find("SPIN"), 4, spin);
    text.replace(text.find("SPEED"), 5, speed);
    return System::parse(text);
  };
  const System plain = system("", "0", "");
  const System on_group =
      system(", { group = \"SO(2)\", names = [\"phi\"], velocity = [\"w\"] }", "w^2/2", ", w = 0.7");
  for (const char* method : {"gauss:2", "lobatto-ab:3", "lobatto-abd:3", "nh-lobatto:3", "euler-a", "lobatto-ab-mid",
                             "srk-radau-ia:2", "mp:4,map=exp", "cm,map=exp", "srk-gauss:2"}) {
    const Trajectory here = run(plain, method, 0.1, 2), there = run(on_group, method, 0.1, 2);
    std::vector<double> q = there.last.q, v = there.last.v;
    q.resize(3);
    v.resize(3);
    EXPECT_LE(distance(here.last.q, q), 1e-13) << method;
    EXPECT_LE(distance(here.last.v, v), 1e-13) << method;
    EXPECT_LE(distance(here.last.multipliers, there.last.multipliers), 1e-12) << method;
    EXPECT_NEAR(here.last.work, there.last.work, 1e-12) << method;
    EXPECT_NEAR(there.last.v[3], 0.7, 1e-14) << method;
  }
}

/// Friction of the reaction on a blade: on SE(2) the same as in coordinates.
TEST(GroupEquivalence, NonidealReactions) {
  const System on_group = System::parse(R"toml(
    coordinates = [{ group = "SE(2)", names = ["x", "y", "theta"], velocity = ["u", "w", "omega"] }]
    lagrangian  = "(u^2 + w^2 + omega^2)/2 + omega*w/3 - x^2/2"
    constraints = ["w = 0"]
    [nonideal]
    u = "-u/sqrt(1 + u^2)*sqrt(1 + psi(1)^2)/10"
    [initial]
    q = [1, 0.2, 0.3]
    v = [0.8, 0, 0.9])toml");
  const System plain = System::parse(R"toml(
    coordinates = ["x", "y", "theta"]
    lagrangian  = "(x'^2 + y'^2 + theta'^2)/2 + theta'*side/3 - x^2/2"
    constraints = ["side = 0"]
    [definitions]
    along = "x'*cos(theta) + y'*sin(theta)"
    side  = "y'*cos(theta) - x'*sin(theta)"
    drag  = "-along/sqrt(1 + along^2)*sqrt(1 + psi(1)^2)/10"
    [nonideal]
    x = "drag*cos(theta)"
    y = "drag*sin(theta)"
    [initial]
    q = [1, 0.2, 0.3]
    v = ["0.8*cos(3/10)", "0.8*sin(3/10)", 0.9])toml");
  const Sample exact = run(plain, "gauss:5", 0.02, 1).last;
  for (const char* method : {"gauss:3", "nh-lobatto:4", "gauss:3,map=exp"}) {
    const Sample found = run(on_group, method, 0.01, 1).last;
    EXPECT_LE(distance(found.q, exact.q), 1e-11) << method;
    EXPECT_NEAR(found.work, exact.work, 1e-10) << method;
  }
}

/// Martin de Diego and Sato 2022, app. G: a Hamiltonian with a closed Legendre transform, and one whose momenta stay
/// variables.
TEST(GroupEquivalence, HamiltonianAndLagrangian) {
  const std::string coordinates = R"toml(
    coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }, "x", "y"]
    constraints = ["x' = R21*w1 + R22*w2 + R23*w3", "y' = -R11*w1 - R12*w2 - R13*w3"]
    [initial]
    q = { R = [0.3, -0.2, 0.5], x = 0.2 }
    v = { w1 = 0.5, w2 = 0.5, w3 = 0.7 }
    )toml";
  const std::string potential = "R33/2 + x^2/2 + R12*x/3";
  const auto system = [&](const std::string& key, const std::string& energy) {
    return System::parse(key + " = \"" + energy + "\"" + coordinates);
  };
  const System lagrangian =
      system("lagrangian", "(0.4*w1^2 + 0.5*w2^2 + 0.6*w3^2 + x'^2 + y'^2)/2 - (" + potential + ")");
  const System closed =
      system("hamiltonian", "(p(w1)^2/0.4 + p(w2)^2/0.5 + p(w3)^2/0.6 + p(x)^2 + p(y)^2)/2 + " + potential);
  // max has a corner that the motion never meets; it keeps momenta from being eliminated.
  const System open =
      system("hamiltonian", "max((p(w1)^2/0.4 + p(w2)^2/0.5 + p(w3)^2/0.6 + p(x)^2 + p(y)^2)/2, -1) + " + potential);
  ASSERT_FALSE(closed.has_implicit_momenta());
  ASSERT_TRUE(open.has_implicit_momenta());
  for (const char* method : {"nh-lobatto:2", "nh-lobatto:3", "nh-lobatto:3,map=exp", "gauss:2", "lobatto-ab:3"}) {
    RunOptions o = options(method, 0.1, 20);
    o.project = true;
    const Trajectory expected = integrate(lagrangian, o);
    ASSERT_EQ(expected.outcome.status, Status::done) << method;
    for (const System& other : {closed, open}) {
      const Trajectory found = integrate(other, o);
      ASSERT_EQ(found.outcome.status, Status::done) << method << ": " << found.outcome.message;
      EXPECT_LE(distance(found.last.q, expected.last.q), 1e-12) << method;
      EXPECT_LE(distance(found.last.v, expected.last.v), 1e-12) << method;
      EXPECT_LE(distance(found.last.multipliers, expected.last.multipliers), 1e-11) << method;
    }
  }
  EXPECT_FALSE(find_method("mp")->why_not(open).empty());
  EXPECT_TRUE(find_method("mp")->why_not(closed).empty());
}

/// A step and a step back, with the coordinates around the middle.
TEST(GroupSymmetry, ComesWithTheMiddle) {
  const System system = catalogue_system("turntable-ball-spatial");
  const auto defect = [&](const char* method) {
    const Sample there = integrate(system, options(method, 0.2, 1)).last;
    InitialState back{there.t, there.q, there.v, {}};
    RunOptions o = options(method, 0.2, 1);
    // Time runs backwards where velocities and the table turn round.
    for (double& v : back.v) v = -v;
    o.set = {{"Omega", -1}};
    const Sample home = integrate(system, back, o).last;
    return distance(home.q, system.initial_state(system.parameter_values()).q);
  };
  for (const char* method : {"gauss:1", "gauss:2", "gauss:2,map=exp", "lobatto-ab:3", "mp", "cm"}) {
    EXPECT_LE(defect(method), 1e-14) << method;
    EXPECT_TRUE(find_method(method)->traits().is_symmetric_on(system)) << method;
  }
  for (const char* method : {"gauss:2,chart=start", "nh-lobatto:3", "mp,chart=start", "mp:4"}) {
    EXPECT_GE(defect(method), 1e-9) << method;
    EXPECT_FALSE(find_method(method)->traits().is_symmetric_on(system)) << method;
  }
}

}  // namespace
}  // namespace noslip
