// A step is solved, refused or announced: roots that are far away, branches, poles, functions out of their domain.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "run/help.hpp"

namespace noslip {
namespace {

using testing::has_warning;

RunOptions options(const std::string& method, double step, double until) {
  RunOptions o;
  o.method = method;
  o.step = step;
  o.until = until;
  return o;
}

/// A four-bar linkage (bars 1, 3 and 2.5, ground 2.2) with the crank at an angle; `branch` 1 or -1: elbow up or down.
System linkage(double m2, double m3, double crank, int branch) {
  const double dx = 2.2 - std::cos(crank), dy = -std::sin(crank), r = std::hypot(dx, dy);
  const double b = std::atan2(dy, dx) + branch * std::acos((9 + r * r - 6.25) / (6 * r));
  const double c = std::atan2(3 * std::sin(b) - dy, 3 * std::cos(b) - dx);
  const auto number = [](double x) { return to_text(x); };
  return System::parse(
      "coordinates = [\"a\", \"b\", \"c\"]\nlagrangian = \"a'^2/6 + m2/2*((sin(a)*a' + "
      "1.5*sin(b)*b')^2 + (cos(a)*a' + 1.5*cos(b)*b')^2) + 3/8*m2*b'^2 + 6.25/6*m3*c'^2 - "
      "9.81*(sin(a)/2 + m2*(sin(a) + 1.5*sin(b)) + 1.25*m3*sin(c))\"\n"
      "holonomic = [\"cos(a) + 3*cos(b) - 2.5*cos(c) = 2.2\", \"sin(a) + 3*sin(b) - 2.5*sin(c) = 0\"]\n"
      "[parameters]\nm2 = " +
      number(m2) + "\nm3 = " + number(m3) + "\n[forces]\na = \"-0.2*a' + 3*sin(t)\"\n[initial]\nq = [" + number(crank) +
      ", " + number(b) + ", " + number(c) + "]\nv = [2, 0, 0]\n");
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
          EXPECT_LT(run.holonomic.max_abs, 1e-13) << what;
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

/// w (1 + w) = sum', for the usual one 1.5 + 1.5 sin(3 t), has two roots that are never closer than one.
System two_branches(const std::string& sum = "1.5*t - 0.5*cos(3*t) + 0.5") {
  return System::parse("kind = 'dae2'\ny = ['a', 'b']\nz = ['w']\nf = [[], ['w', 'w^2']]\ng = ['a + b = " + sum +
                       "']\n[initial]\ny = [0, 0]\nz = ['(sqrt(7) - 1)/2']\n");
}

TEST(Acceptance, ABranchIsContinuedOrLost) {
  const System system = two_branches();
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

/// w (1 + w) = 1.5 + sin(5 t): steps that are far too large do not lead from one root to the other either.
TEST(Acceptance, ABranchIsNotLeftInOneLargeStep) {
  const System system = two_branches("1.5*t - cos(5*t)/5 + 1/5");
  long long steps = 0;
  for (const char* method : {"spark-lobatto:2", "spark-lobatto:3", "rk-radau-iia:2", "rk-radau-iia:3"}) {
    for (const double h : {0.7, 0.5, 0.4}) {
      RunOptions o = options(method, h, 6);
      o.every = 1;
      double before = 0;
      const Trajectory run = integrate(system, o);
      steps += run.steps;
      for (const Sample& sample : run.samples) {
        EXPECT_GE(sample.q[0], before) << method << ", h = " << h << ", t = " << sample.t;  // a' = w > 0
        before = sample.q[0];
      }
    }
  }
  EXPECT_GT(steps, 20);
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

/// Far from the origin a branch is what it is at the origin.
TEST(Acceptance, ABranchDoesNotDependOnTheOrigin) {
  for (const char* method : {"spark-lobatto:2", "rk-radau-iia:2", "rk-lobatto-iiic:3"}) {
    for (const double far : {0.0, 10.0, 1e4}) {
      RunOptions o = options(method, 0.5, 10);
      o.every = 1;
      o.init = {{"a", far}, {"b", -far}};
      const Trajectory run = integrate(two_branches(), o);
      EXPECT_GE(run.steps, 2) << method << ", " << far;
      for (std::size_t i = 1; i < run.samples.size(); ++i) {
        EXPECT_GT(run.samples[i].multipliers[0], -0.6) << method << ", " << far << ", t = " << run.samples[i].t;
      }
    }
  }
}

/// A rope can only pull: r = -q |l| or -q l^2. It gets loose at y = 1/3, t = 1.511, where the motion ends.
TEST(Acceptance, AReactionThatCannotPushEndsTheRun) {
  for (const std::string size : {"abs(l)", "l^2"}) {
    const System rope = System::parse(
        "kind = 'odae'\ny = ['x', 'y']\nz = ['u', 'v']\nlambda = ['l']\nv = ['u', 'v']\n"
        "f = ['0', '-1']\nr = ['-x*" +
        size + "', '-y*" + size +
        "']\ng = ['x^2 + y^2 = 1']\n"
        "[initial]\ny = [0, -1]\nz = ['sqrt(3)', 0]\nlambda = [2]\n");
    for (const char* method : {"gauss:1", "gauss:3", "rattle", "lobatto-ab:3"}) {
      for (const double h : {0.01, 0.001, 0.0005}) {
        const Trajectory run = integrate(rope, options(method, h, 3));
        EXPECT_EQ(run.outcome.status, Status::failed) << size << ", " << method << ", h = " << h;
        EXPECT_NEAR(run.last.t, 1.511, 4 * h) << size << ", " << method << ", h = " << h;
        EXPECT_NEAR(run.last.q[1], 1.0 / 3, 4 * h) << size << ", " << method << ", h = " << h;
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
      const Trajectory out =
          run((function == "log" ? "-0.1*" : "0.01*") + function + (function == "asin" ? "(x/2)" : "(x)"), method);
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

/// The period of the motion becomes shorter than the step, little by little: no step is sudden, and none of the first
/// ones shows it.
TEST(Warnings, TellOfMotionsThatBecomeTooFast) {
  const System stiffening = System::parse(R"toml(
    coordinates = ["x", "y"]
    lagrangian  = "(x'^2 + y'^2)/2 - (1 + exp(t - 10))*x^2/2 - y^2/2"
    [initial]
    q = [1, 1]
    v = [0, 0])toml");
  for (const char* method : {"gauss:2", "lobatto-ab:3", "mp"}) {
    EXPECT_TRUE(integrate(stiffening, options(method, 0.1, 10)).warnings.empty()) << method;
    const Trajectory run = integrate(stiffening, options(method, 0.1, 20));
    EXPECT_TRUE(run.outcome.status == Status::failed || has_warning(run, "step")) << method;
  }
}

/// A barrier that is narrower than a step takes a quarter of the energy from an order-6 method.
TEST(Warnings, TellOfLostEnergy) {
  const System barrier = System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "x'^2/2 - 10*exp(-((x - 1.037)/0.01)^2)"
    [initial]
    v = [1])toml");
  EXPECT_TRUE(has_warning(integrate(barrier, options("gauss:3", 0.03, 2)), "energy"));
  EXPECT_FALSE(has_warning(integrate(barrier, options("gauss:3", 0.0001, 2)), "energy"));
  // A pendulum whose support is shaken faster than the steps.
  const System shaken = System::parse(R"toml(
    coordinates = ["x", "y"]
    lagrangian  = "(x'^2 + y'^2)/2 - 9.81*y"
    holonomic   = ["x^2 + (y - cos(100*t)/10)^2 = 1"]
    [initial]
    q = ["sin(0.3)", "0.1 + cos(0.3)"])toml");
  for (const char* method : {"gauss:2", "rattle"}) {
    EXPECT_FALSE(integrate(shaken, options(method, std::acos(-1.0) / 75, 2.5)).warnings.empty()) << method;
  }
}

/// One step across a corner has no order, which is announced; beside all others its error is small, and vanishes with
/// the step.
TEST(Warnings, TellOfSmallStepsAcrossACornerNothingButTheCorner) {
  const System corner = System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "x'^2/2 - abs(x)"
    [initial]
    q = [1])toml");
  for (const double h : {0.01, 1e-3, 1e-4}) {
    const Trajectory run = integrate(corner, options("gauss:2", h, 7));
    ASSERT_EQ(run.warnings.size(), 1U) << h;
    EXPECT_EQ(run.warnings[0].code, "switches");
  }
}

/// Many stages and small steps on a position constraint: corrections end where rounding of positions, divided by the
/// step, begins.
TEST(Warnings, AreNoneForManyStages) {
  const System pendulum = System::parse(R"toml(
    coordinates = ["x", "y", "z"]
    lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - z"
    holonomic   = ["x^2 + y^2 + z^2 = 1"]
    [initial]
    q = [1, 0, 0]
    v = [0, 1, 0.5])toml");
  for (const double h : {0.2, 0.1, 0.01}) {
    const Trajectory run = integrate(pendulum, options("gauss:8", h, 4));
    EXPECT_TRUE(run.warnings.empty()) << h << ": " << (run.warnings.empty() ? "" : run.warnings[0].message);
    EXPECT_LT(run.energy.max_abs_error, 1e-13) << h;
  }
}

TEST(Warnings, TellOfManyIterations) {
  const Trajectory run = integrate(two_branches(), options("rk-radau-iia:3", 0.5, 10));
  EXPECT_TRUE(has_warning(run, "iterations"));
  EXPECT_FALSE(has_warning(integrate(two_branches(), options("rk-radau-iia:3", 0.05, 10)), "iterations"));
}

TEST(Warnings, TellOfPivoting) {
  // Masses and forces that fade away together: the order in which a step is solved was chosen at the start.
  const System fading = System::parse(R"toml(
    coordinates = ["x", "y"]
    lagrangian  = "exp(-2*t)*(x'^2 + y'^2 + x'*y'*cos(x))/2 + exp(-2*t)*cos(x - y)"
    [forces]
    x = "-2*exp(-2*t)*(x' + y'*cos(x)/2)"
    y = "-2*exp(-2*t)*(y' + x'*cos(x)/2)"
    [initial]
    q = [0.3, 1]
    v = [0.2, 0])toml");
  const Trajectory run = integrate(fading, options("gauss:2", 0.05, 12));
  ASSERT_EQ(run.outcome.status, Status::done);
  EXPECT_TRUE(has_warning(run, "pivoting"));
  EXPECT_FALSE(has_warning(integrate(fading, options("gauss:2", 0.05, 4)), "pivoting"));
  // Digits are lost where constraints nearly depend on each other.
  const System near = System::parse(R"toml(
    coordinates = ["x", "y", "z"]
    lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - x^2 - y*z"
    constraints = ["x'*cos(z) = y'*sin(z)", "x'*cos(z) - y'*sin(z) + 1e-8*(z' - y') = 0"]
    [initial]
    q = [1, 0, 0.3]
    v = [0, 0, 0])toml");
  // Corrections are rounding errors, amplified 1e8 times: about what the iteration accepts. No run is done without a
  // warning, and one that is done has the digits that it claims; at one of these step sizes it is refused.
  int refused = 0;
  for (const double step : {0.03, 0.05, 0.07, 0.1, 0.13, 0.2}) {
    RunOptions asked = options("gauss:2", step, 1);
    const Trajectory found = integrate(near, asked);
    EXPECT_TRUE(has_warning(found, "condition")) << step;
    if (found.outcome.status == Status::failed) {
      ++refused;
      continue;
    }
    EXPECT_TRUE(has_warning(found, "pivoting")) << step;
    asked.precision = Precision::quadruple;
    const Trajectory exact = integrate(near, asked);
    ASSERT_EQ(exact.outcome.status, Status::done) << step;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(found.last.q[i], exact.last.q[i], 1e-9) << step;
      EXPECT_NEAR(found.last.v[i], exact.last.v[i], 1e-9) << step;
    }
  }
  EXPECT_LE(refused, 1);
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

TEST(Acceptance, APowerWithoutAValueIsNamed) {
  const System system = System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "x'^2/2 - x^2.3"
    [initial]
    q = [0.3]
    v = [-1])toml");
  const Trajectory run = integrate(system, options("gauss:2", 0.05, 2));
  ASSERT_EQ(run.outcome.status, Status::failed);
  EXPECT_NE(run.outcome.message.find(")^(2.3) has no value"), std::string::npos) << run.outcome.message;
  EXPECT_EQ(run.outcome.message.find("(-"), 0U) << run.outcome.message;
}

TEST(Acceptance, ALargeChangeThatPartsOfTheStepConfirmIsNoJump) {
  // x'' = 1e8 max(t - 1, 0)^2: the velocity grows by 30000 times in one step, as it has to.
  const System system = System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "x'^2/2"
    [forces]
    x = "1e8*max(t - 1, 0)^2"
    [initial]
    v = [1])toml");
  for (const char* method : {"gauss:2", "gauss:3"}) {
    const Trajectory run = integrate(system, options(method, 0.1, 2));
    ASSERT_EQ(run.outcome.status, Status::done) << method << ": " << run.outcome.message;
    EXPECT_NEAR(run.last.v[0] / (1 + 1e8 / 3), 1, 1e-12) << method;
  }
}

TEST(Warnings, RoundingErrorsAreNoMotionToFollow) {
  // Two particles side by side, at the length where the stiff spring between them rests.
  const System pair = System::parse(R"toml(
    coordinates = ["a", "b"]
    lagrangian  = "(a'^2 + b'^2)/2 - 5e5*(b - a - 1/3)^2"
    [initial]
    q = ["1/7", "1/7 + 1/3"]
    v = [1, 1])toml");
  for (const double h : {0.1, 0.01}) {
    const Trajectory run = integrate(pair, options("gauss:2", h, 300 * h));
    EXPECT_TRUE(run.warnings.empty()) << run.warnings.front().message;
    EXPECT_NEAR(run.last.v[0], 1, 1e-6);
  }
}

TEST(Warnings, EnergyErrorsThatShrinkAsPromisedAreNone) {
  const System pendulum = System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "x'^2/2 + cos(x)"
    [initial]
    q = [2]
    v = [0])toml");
  for (const double h : {0.8, 1.2}) {
    const Trajectory run = integrate(pendulum, options("gauss:1", h, 20));
    EXPECT_GT(run.balance.max_abs_error, 0.05) << h;
    EXPECT_FALSE(has_warning(run, "energy")) << h;
  }
}

TEST(Warnings, TellWhereTheEnergyBalanceIsLost) {
  // y loses its energy to friction at once, which steps follow well; x meets a narrow well at t = 5.
  const System system = System::parse(R"toml(
    coordinates = ["x", "y"]
    lagrangian  = "(x'^2 + y'^2)/2 + 3*exp(-3000*x^2) + 54.5"
    [forces]
    y = "-5*y'"
    [initial]
    q = [-15.03, 0]
    v = [3, 10])toml");
  for (const char* method : {"gauss:2", "gauss:3"}) {
    const Trajectory run = integrate(system, options(method, 0.05, 9));
    const auto warning =
        std::find_if(run.warnings.begin(), run.warnings.end(), [](const Warning& w) { return w.code == "energy"; });
    ASSERT_NE(warning, run.warnings.end()) << method;
    EXPECT_NEAR(warning->t, 5, 0.15) << method;
  }
}

TEST(Warnings, TellOfStepsThatNeedPivoting) {
  // What the constraint says of x' at the start, it says of y' later.
  const System system = System::parse(R"toml(
    coordinates = ["x", "y", "z"]
    lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - x^4/4 - y^4/4 - z^2/2"
    constraints = ["exp(-5*t)*x' + t*y' = z*z'/3"]
    [initial]
    q = [1, 1, 0]
    v = [0, 1, 0.3])toml");
  for (const char* method : {"gauss:2", "lobatto-ab:3"}) {
    const Trajectory run = integrate(system, options(method, 0.1, 6));
    ASSERT_EQ(run.outcome.status, Status::done) << method << ": " << run.outcome.message;
    EXPECT_TRUE(has_warning(run, "pivoting")) << method;
    EXPECT_FALSE(has_warning(integrate(system, options(method, 0.1, 2)), "pivoting")) << method;
  }
}

TEST(Warnings, MeasureConstraintsByTheDigitsOfTheRun) {
  RunOptions o = options("gauss:2", 0.1, 2);
  o.precision = Precision::quadruple;
  EXPECT_FALSE(has_warning(integrate(testing::sleigh(), o), "constraints"));
  o.tolerance = 1e-18;  // below what a double can tell
  EXPECT_TRUE(has_warning(integrate(testing::sleigh(), o), "constraints"));
}

TEST(Warnings, AreInTheOrderOfTime) {
  // Far too large steps from the start on, and a loose solve that leaves the constraint a little later.
  const System system = System::parse(R"toml(
    coordinates = ["x", "y", "theta"]
    lagrangian  = "(x'^2 + y'^2)/2 + theta'^2 + theta'*(y'*cos(theta) - x'*sin(theta)) + x"
    constraints = ["y'*cos(theta) = x'*sin(theta)"]
    [initial]
    v = [1, 0, 20])toml");
  RunOptions o = options("gauss:2", 0.5, 4);
  o.tolerance = 1e-4;
  const Trajectory run = integrate(system, o);
  EXPECT_TRUE(has_warning(run, "constraints"));
  EXPECT_TRUE(has_warning(run, "step"));
  EXPECT_TRUE(std::is_sorted(run.warnings.begin(), run.warnings.end(),
                             [](const Warning& a, const Warning& b) { return a.t < b.t; }));
  EXPECT_GT(run.warnings.back().t, run.warnings.front().t);
}

}  // namespace
}  // namespace noslip
