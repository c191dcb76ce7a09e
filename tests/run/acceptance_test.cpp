// A step is solved, refused or announced: roots that are far away, branches, poles, functions out of their domain.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "run/help.hpp"

namespace noslip {
namespace {

RunOptions options(const std::string& method, double step, double until) {
  RunOptions o;
  o.method = method;
  o.step = step;
  o.until = until;
  return o;
}

bool has_warning(const Trajectory& run, const std::string& code) {
  return std::any_of(run.warnings.begin(), run.warnings.end(), [&](const Warning& w) { return w.code == code; });
}

/// A four-bar linkage (bars 1, 3 and 2.5, ground 2.2) with the crank at an angle; `branch` 1 or -1: elbow up or down.
System linkage(double m2, double m3, double crank, int branch) {
  const double dx = 2.2 - std::cos(crank), dy = -std::sin(crank), r = std::hypot(dx, dy);
  const double b = std::atan2(dy, dx) + branch * std::acos((9 + r * r - 6.25) / (6 * r));
  const double c = std::atan2(3 * std::sin(b) - dy, 3 * std::cos(b) - dx);
  const auto number = [](double x) { return to_text(x); };
  return System::parse("coordinates = [\"a\", \"b\", \"c\"]\nlagrangian = \"a'^2/6 + m2/2*((sin(a)*a' + "
                       "1.5*sin(b)*b')^2 + (cos(a)*a' + 1.5*cos(b)*b')^2) + 3/8*m2*b'^2 + 6.25/6*m3*c'^2 - "
                       "9.81*(sin(a)/2 + m2*(sin(a) + 1.5*sin(b)) + 1.25*m3*sin(c))\"\n"
                       "holonomic = [\"cos(a) + 3*cos(b) - 2.5*cos(c) = 2.2\", \"sin(a) + 3*sin(b) - 2.5*sin(c) = 0\"]\n"
                       "[parameters]\nm2 = " + number(m2) + "\nm3 = " + number(m3) +
                       "\n[forces]\na = \"-0.2*a' + 3*sin(t)\"\n[initial]\nq = [" + number(crank) + ", " + number(b) +
                       ", " + number(c) + "]\nv = [2, 0, 0]\n");
}

TEST(Acceptance, ALinkageDoesNotJumpToAnotherRoot) {
  for (const double mass : {1.0, 3.0}) {
    for (const double crank : {0.0, 0.5, 1.0, 2.0}) {
      for (const int branch : {1, -1}) {
        for (const char* method : {"gauss:1", "gauss:2", "lobatto-ab:2"}) {
          RunOptions o = options(method, 0.1, 8);
          o.project = true;
          o.every = 1;
          const Trajectory run = integrate(linkage(mass, mass == 1 ? 1 : 2.5, crank, branch), o);
          const std::string what = std::string(method) + ", mass " + to_text(mass) + ", crank " + to_text(crank);
          EXPECT_LT(run.max_holonomic, 1e-13) << what;
          for (std::size_t i = 1; i < run.samples.size(); ++i) {
            const Sample &before = run.samples[i - 1], &after = run.samples[i];
            const double speed = std::max(std::fabs(before.v[0]), std::fabs(after.v[0]));
            EXPECT_LT(std::fabs(after.q[0] - before.q[0]), 2 * 0.1 * speed + 0.2) << what << ", t = " << after.t;
          }
          if (run.outcome.status == Status::done && run.warnings.empty()) {
            EXPECT_LT(run.balance.max_abs_error, 10) << what;
          }
        }
      }
    }
  }
}

/// w (1 + w) = 1.5 + 1.5 sin(3 t) has two roots that are never closer than one.
TEST(Acceptance, ABranchIsContinuedOrLost) {
  const System system = System::parse(R"toml(
    kind = "dae2"
    y = ["a", "b"]
    z = ["w"]
    f = [[], ["w", "w^2"]]
    g = ["a + b = 1.5*t - 0.5*cos(3*t) + 0.5"]
    [initial]
    y = [0, 0]
    z = ["(sqrt(7) - 1)/2"])toml");
  for (const char* method : {"rk-radau-iia:2", "rk-radau-iia:3", "spark-lobatto:2", "spark-lobatto:3",
                             "rk-lobatto-iiia:3", "rk-lobatto-iiic:3", "srk-gauss:2"}) {
    for (const double h : {0.5, 0.4, 0.25, 0.1}) {
      RunOptions o = options(method, h, 10);
      o.every = 1;
      const Trajectory run = integrate(system, o);
      for (const Sample& sample : run.samples) {
        const double upper = (std::sqrt(7 + 6 * std::sin(3 * sample.t)) - 1) / 2, lower = -1 - upper;
        EXPECT_LT(std::fabs(sample.multipliers[0] - upper), std::fabs(sample.multipliers[0] - lower))
            << method << ", h = " << h << ", t = " << sample.t;
      }
    }
    EXPECT_EQ(integrate(system, options(method, 0.05, 10)).outcome.status, Status::done) << method;
  }
}

/// w^3 - 7 w = 2 cos(2 t) has three roots; the largest stays between 2.4 and 2.8.
TEST(Acceptance, ABranchOfACubic) {
  const System system = System::parse(R"toml(
    kind = "dae2"
    y = ["a", "b"]
    z = ["w"]
    f = [[], ["w", "w^3 - 8*w"]]
    g = ["a + b = sin(2*t)"]
    [initial]
    y = [0, 0]
    z = [2.78])toml");
  for (const char* method : {"rk-radau-iia:3", "rk-lobatto-iiic:3", "srk-gauss:2", "spark-lobatto:3"}) {
    for (const double h : {0.8, 0.4, 0.2}) {
      RunOptions o = options(method, h, 12);
      o.every = 1;
      o.project = true;
      const Trajectory run = integrate(system, o);
      for (const Sample& sample : run.samples) {
        EXPECT_NEAR(sample.multipliers[0], 2.6, 0.5) << method << ", h = " << h << ", t = " << sample.t;
      }
    }
  }
}

TEST(Acceptance, APoleIsNotCrossedWithoutAWord) {
  const System system = System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "x'^2/2"
    constraints = ["x' = -1/t^2"]
    [initial]
    t = -1
    q = [-1]
    v = [-1])toml");
  const System power = System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "x'^2/2"
    [forces]
    x = "1/(t - 0.35)^3"
    [initial]
    t = 0
    q = [1]
    v = [0])toml");
  for (const System& each : {system, power}) {
    for (const char* method : {"gauss:1", "gauss:2", "gauss:3", "mp", "lobatto-ab:2"}) {
      for (const double h : {0.1, 0.05, 0.02, 0.13, 0.07}) {
        const Trajectory run = integrate(each, options(method, h, 1));
        EXPECT_TRUE(run.outcome.status == Status::failed || !run.warnings.empty()) << method << ", h = " << h;
        EXPECT_TRUE(std::isfinite(run.energy.max_abs_error));
        if (run.outcome.status == Status::failed) {
          EXPECT_LT(std::fabs(run.last.q[0]), 1e5) << method << ", h = " << h << ": " << run.outcome.message;
        }
      }
    }
  }
}

TEST(Acceptance, AFunctionOutOfItsDomainIsNamed) {
  const auto run = [](const std::string& potential, const std::string& method) {
    return integrate(System::parse("coordinates = [\"x\"]\nlagrangian = \"x'^2/2 + " + potential +
                                   "\"\n[initial]\nq = [1]\nv = [-1]\n"),
                     options(method, 0.1, 5));
  };
  for (const char* method : {"gauss:2", "mp", "lobatto-ab:2", "gonzalez"}) {
    for (const std::string function : {"sqrt", "asin", "log"}) {
      // asin leaves its domain at x = -2, sqrt and log at 0, to which these forces attract.
      const Trajectory out = run((function == "log" ? "-0.1*" : "0.01*") + function + (function == "asin" ? "(x/2)" : "(x)"), method);
      ASSERT_EQ(out.outcome.status, Status::failed) << method << ", " << function;
      EXPECT_NE(out.outcome.message.find(function + "("), std::string::npos) << method << ": " << out.outcome.message;
      EXPECT_NE(out.outcome.message.find("t = "), std::string::npos);
    }
  }
}

TEST(Warnings, TellOfStepsThatDoNotFollowTheMotion) {
  // A period of 0.06: three steps of 0.05 cannot follow it.
  const System fast = System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "x'^2/2 + 10000*cos(x)"
    [initial]
    q = [1]
    v = [0])toml");
  EXPECT_TRUE(has_warning(integrate(fast, options("gauss:2", 0.05, 5)), "step"));
  EXPECT_TRUE(integrate(fast, options("gauss:2", 0.001, 0.5)).warnings.empty());
}

TEST(Warnings, TellOfTurnsThatAreTooLarge) {
  const System body = System::parse(R"toml(
    coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }]
    lagrangian  = "w1^2/2 + w2^2 + 3/2*w3^2"
    [initial]
    v = [0.01, 4, 0.02])toml");
  EXPECT_TRUE(has_warning(integrate(body, options("gonzalez,map=exp", 0.9, 18)), "turns"));
  EXPECT_FALSE(has_warning(integrate(body, options("gauss:2", 0.1, 2)), "turns"));
}

TEST(Warnings, TellOfConstraintsThatAreNotKept) {
  const System sleigh = testing::sleigh();
  RunOptions loose = options("gauss:2", 0.1, 5);
  loose.tolerance = 1e-4;
  EXPECT_TRUE(has_warning(integrate(sleigh, loose), "constraints"));
  EXPECT_TRUE(integrate(sleigh, options("gauss:2", 0.1, 5)).warnings.empty());
}

}  // namespace
}  // namespace noslip
