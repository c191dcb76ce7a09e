// States beside the mechanics against an independent solution, and what they must not change.
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include <noslip/run/stepper.hpp>

#include "suite/members.hpp"

namespace noslip {
namespace {

/// The robot of the catalogue with a continuous controller whose motor lags.
constexpr const char* robot = R"toml(
  coordinates = ["x", "pitch", "wheel"]
  lagrangian  = """(m + m_w)/2*x'^2 + m*l*cos(pitch)*x'*pitch' + (J + m*l^2)/2*pitch'^2 + J_w/2*wheel'^2
                 - m*g*l*cos(pitch)"""
  constraints = ["x' = r*wheel'"]
  [parameters]
  m   = 70
  l   = 0.9
  J   = "m*l^2/3"
  m_w = 8
  r   = 0.24
  J_w = "m_w*r^2/2"
  g   = 9.81
  lag = 0.02
  [definitions]
  command = "800*pitch + 260*pitch' + 30*(x - 1) + 90*x'"
  [states]
  tau  = "(command - tau)/lag"
  used = "(tau*wheel')^2"
  [forces]
  wheel = "tau"
  pitch = "-tau"
  [initial]
  q = { pitch = 0.1 }
)toml";

/// Its equations of motion by hand, with wheel = x/r, in x, pitch, x', pitch', tau, used; by the classical Runge-Kutta
/// method with so short steps that its error is below 1e-13.
using Numbers = std::array<long double, 6>;

Numbers rate_of(const Numbers& y) {
  const long double m = 70, l = 0.9L, J = m * l * l / 3, r = 0.24L, M = m + 8 + 4, g = 9.81L;
  const auto [x, pitch, v, w, tau, used] = y;
  const long double a = M, b = m * l * std::cos(pitch), d = J + m * l * l;
  const long double e = tau / r + m * l * std::sin(pitch) * w * w, f = m * g * l * std::sin(pitch) - tau;
  const long double det = a * d - b * b;
  const long double command = 800 * pitch + 260 * w + 30 * (x - 1) + 90 * v, power = tau * v / r;
  return {v, w, (d * e - b * f) / det, (a * f - b * e) / det, (command - tau) / 0.02L, power * power};
}

Numbers solution(long double end) {
  Numbers y = {0, 0.1L, 0, 0, 0, 0};
  const int steps = 40000;
  const long double h = end / steps;
  const auto plus = [](const Numbers& a, long double factor, const Numbers& b) {
    Numbers sum;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = a[i] + factor * b[i];
    return sum;
  };
  for (int i = 0; i < steps; ++i) {
    const Numbers k1 = rate_of(y), k2 = rate_of(plus(y, h / 2, k1)), k3 = rate_of(plus(y, h / 2, k2)),
                  k4 = rate_of(plus(y, h, k3));
    y = plus(plus(plus(plus(y, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
  }
  return y;
}

double error_of(const std::string& method, double step, const Numbers& exact) {
  RunOptions o = testing::options(method, step, 0);
  o.until = 2;
  const Trajectory run = integrate(System::parse(robot), o);
  EXPECT_EQ(run.outcome.status, Status::done) << run.outcome.message;
  const std::vector<double>& q = run.last.q;
  double error = 0;
  for (const auto& [value, known] : {std::pair{q[0], exact[0]}, {q[1], exact[1]}, {q[3], exact[4]}, {q[4], exact[5]}}) {
    error = std::max(error, std::fabs(value - static_cast<double>(known)) /
                                std::max(1.0, std::fabs(static_cast<double>(known))));
  }
  return error;
}

TEST(States, OfTheLaggingRobotAgreeWithAnotherSolutionAtTheOrder) {
  const Numbers exact = solution(2);
  const struct {
    const char* method;
    double order, least_error;
  } cases[] = {{"gauss:2", 4, 1e-8}, {"lobatto-ab:3", 4, 1e-8}, {"gauss:3", 6, 1e-11}, {"mp", 2, 2e-4}, {"nh-lobatto:3", 4, 1e-8}};
  for (const auto& [method, order, least_error] : cases) {
    const double coarse = error_of(method, 1.0 / 400, exact), fine = error_of(method, 1.0 / 800, exact);
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.1) << method;
    EXPECT_LT(fine, least_error) << method;
  }
}

/// The motion of a system is the same whether a state that nothing depends on stands beside it, up to rounding.
TEST(States, ThatOnlyWatchChangeNothing) {
  const std::string text = R"toml(
    coordinates = ["x", "y", "theta"]
    lagrangian  = "(x'^2 + y'^2 + theta'^2)/2 - x^2 - y^2*(1 + x^2)/2"
    constraints = ["y'*cos(theta) = x'*sin(theta)"]
    [initial]
    v = { theta = 1, x = 0.3 }
  )toml";
  const System alone = System::parse(text), watched = System::parse(text + "[states]\ncost = \"1e9*(x^2 + theta'^2)\"\n");
  for (const std::string& method : testing::all_methods()) {
    if (!testing::accepts(method, watched)) continue;
    const RunOptions o = testing::options(method, 0.1, 300);
    const Trajectory a = integrate(alone, o), b = integrate(watched, o);
    ASSERT_EQ(b.outcome.status, Status::done) << method << ": " << b.outcome.message;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(a.last.q[i], b.last.q[i], 1e-12) << method;
      EXPECT_NEAR(a.last.v[i], b.last.v[i], 1e-12) << method;
    }
    EXPECT_NEAR(a.energy.max_abs_error, b.energy.max_abs_error, 1e-13) << method;
  }
}

/// States have units of their own: neither mechanics at rest, nor large or small states beside them, take their digits.
TEST(States, OfAnySizeHaveAllDigits) {
  for (const char* const motion : {"", "v = [1]\n", "v = [1e6]\n", "v = [1e-6]\n"}) {
    const System system = System::parse(std::string(R"toml(
      coordinates = ["x"]
      lagrangian  = "x'^2/2"
      [states]
      u     = "cos(3*u) - u^3"
      heat  = "1e8*cos(heat*1e-8)"
      small = "1e-9*(1 - (1e9*small)^2)"
      [initial]
      states = { u = 1 }
      )toml") + motion);
    for (const std::string& method : testing::all_methods()) {
      if (!testing::accepts(method, system)) continue;
      RunOptions o = testing::options(method, 0.05, 20);
      const Trajectory run = integrate(system, o);
      o.precision = Precision::quadruple;
      const Trajectory exact = integrate(system, o);
      ASSERT_EQ(run.outcome.status, Status::done) << method << " " << motion << run.outcome.message;
      for (std::size_t i = 1; i < 4; ++i) {
        const double known = static_cast<double>(exact.last_quad.q[i]);
        EXPECT_NEAR(run.last.q[i], known, 1e-12 * std::fabs(known)) << method << " " << motion << i;
      }
    }
  }
}

/// u' = (1 - u)/lag has a closed form, whatever the mechanics does; methods for positions give it their stability.
TEST(States, OfALinearFilterHaveTheClosedForm) {
  const System system = System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "x'^2/2 - x^2/2"
    [parameters]
    lag = 0.5
    [states]
    u = "(1 - u)/lag"
    [initial]
    q = [1])toml");
  RunOptions o = testing::options("gauss:4", 0.05, 0);
  o.until = 3;
  o.at = {quad(0.4), quad(1.23)};
  const Trajectory run = integrate(system, o);
  EXPECT_NEAR(run.last.q[1], 1 - std::exp(-6), 1e-14);
  EXPECT_NEAR(run.last.q[0], std::cos(3), 1e-13);
  ASSERT_EQ(run.values.size(), 2U);
  for (const Sample& sample : run.values) EXPECT_NEAR(sample.q[1], 1 - std::exp(-2 * sample.t), 1e-9);
}

TEST(States, AreFoundByEventsAndSections) {
  const System system = System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "x'^2/2 - x^2/2"
    [states]
    u = "1 - u"
    [initial]
    q = [1])toml");
  RunOptions o = testing::options("gauss:3", 0.1, 0);
  o.until = 2;
  o.events = {{.when = "u = 1/2"}};
  const Trajectory run = integrate(system, o);
  ASSERT_EQ(run.hits.size(), 1U);
  EXPECT_NEAR(run.hits[0].state.t, std::log(2.0), 1e-7);
  o.events = {{.when = "u' = 1/4"}};
  EXPECT_NEAR(integrate(system, o).hits.at(0).state.t, std::log(4.0), 1e-7);
}

TEST(States, OnAGroupAreThoseInCoordinates) {
  const std::string rest = R"toml(
    [states]
    u = "(OMEGA + x - u)/0.3"
    [forces]
    ANGLE = "-u/5"
    [initial]
    q = [0.1, 0.2, 0.3]
    states = [0.4]
  )toml";
  const auto with = [&](std::string text, const std::string& omega, const std::string& angle) {
    for (const auto& [from, to] : {std::pair{std::string("OMEGA"), omega}, {std::string("ANGLE"), angle}}) {
      while (text.find(from) != std::string::npos) text.replace(text.find(from), from.size(), to);
    }
    return text;
  };
  const System plain = System::parse("coordinates = [\"x\", \"y\", \"theta\"]\nlagrangian = \"(x'^2 + y'^2)/2 + "
                                     "theta'^2 - x\"\nconstraints = [\"y'*cos(theta) = x'*sin(theta) + u/10*0\"]\n" +
                                     with(rest, "theta'", "theta") + "v = [\"cos(3/10)\", \"sin(3/10)\", 0.7]\n");
  const System on_group =
      System::parse("coordinates = [{ group = \"SE(2)\", names = [\"x\", \"y\", \"theta\"], velocity = [\"a\", \"b\", "
                    "\"w\"] }]\nlagrangian = \"(a^2 + b^2)/2 + w^2 - x\"\nconstraints = [\"b = 0\"]\n" +
                    with(rest, "w", "w") + "v = [1, 0, 0.7]\n");
  for (const std::string method : {"gauss:3", "lobatto-ab:4", "mp:6"}) {
    RunOptions o = testing::options(method, 0.01, 100);
    const Trajectory a = integrate(plain, o), b = integrate(on_group, o);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(a.last.q[i], b.last.q[i], 1e-10) << method;
  }
}

}  // namespace
}  // namespace noslip
