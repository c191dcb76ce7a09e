// Energy-preserving methods where a quadrature is just not exact, at rest, and in tiny units.
#include <cmath>

#include <gtest/gtest.h>

#include "suite/members.hpp"

namespace noslip {
namespace {

const std::vector<std::string> methods = {"gonzalez", "avf", "itoh-abe", "energy:2", "energy:3"};

RunOptions options(const std::string& method, double step, long long steps) {
  return testing::options(method, step, steps);
}

/// Henon and Heiles: a cubic H, whose gradient needs one more node than `gonzalez` and `energy:2,nodes=2` have.
System henon_heiles() {
  return System::parse(R"toml(
    coordinates = ["x", "y"]
    lagrangian  = "(x'^2 + y'^2)/2 - (x^2 + y^2)/2 - x^2*y + y^3/3"
    [initial]
    q = [0.1, 0.3]
    v = [0.35, 0.1])toml");
}

System quartic(const std::string& start) {
  return System::parse(R"toml(
    kind = "skew-gradient"
    x = ["q", "p", "s"]
    hamiltonian = "p^2/2 + q^4 + q*s^3/4 + s^4/3"
    structure = [[0, 1, "q"], [-1, 0, 1], ["-q", -1, 0]]
    [initial]
    x = )toml" + start);
}

TEST(Quadrature, ThatIsNotExactIsCorrected) {
  for (const char* method : {"gonzalez", "gonzalez-full", "avf,nodes=1", "avf", "energy:2,nodes=2", "energy:2,nodes=3",
                             "energy:2", "energy:3,nodes=3", "energy:3,nodes=4", "energy:3", "itoh-abe"}) {
    const Trajectory cubic = integrate(henon_heiles(), options(method, 0.3, 200));
    ASSERT_EQ(cubic.outcome.status, Status::done) << method << ": " << cubic.outcome.message;
    EXPECT_LT(cubic.energy.max_abs_error, 1e-14) << method;
    if (!testing::accepts(method, quartic("[0, 0, 0]"))) continue;
    const Trajectory run = integrate(quartic("[0.3, 0.2, -0.4]"), options(method, 0.3, 200));
    ASSERT_EQ(run.outcome.status, Status::done) << method << ": " << run.outcome.message;
    EXPECT_LT(run.energy.max_abs_error, 1e-14) << method;
  }
}

TEST(Rest, StaysRest) {
  const System mass = System::parse("coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - x^4 - x^2*y^2 - y^6\"");
  const System edge = System::parse(
      "coordinates = ['x', 'y', 'phi']\nlagrangian = \"(x'^2 + y'^2 + phi'^2)/2 - x^4 - y^4\"\n"
      "constraints = [\"cos(phi)*y' = sin(phi)*x'\"]");
  for (const char* method :
       {"gonzalez", "gonzalez-full", "avf", "avf,nodes=1", "itoh-abe", "energy:2", "energy:2,nodes=2"}) {
    for (const System& system : {mass, edge, quartic("[0, 0, 0]")}) {
      if (!testing::accepts(method, system)) continue;
      const Trajectory run = integrate(system, options(method, 0.1, 20));
      ASSERT_EQ(run.outcome.status, Status::done) << method << ": " << run.outcome.message;
      EXPECT_EQ(run.last.q, std::vector<double>(run.last.q.size(), 0.0)) << method;
      EXPECT_EQ(run.energy.max_abs_error, 0) << method;
    }
    // At rest, but not in equilibrium.
    const Trajectory falls = integrate(mass, {0, {0.5, 0.5}, {0, 0}, {}}, options(method, 0.1, 100));
    ASSERT_EQ(falls.outcome.status, Status::done) << method << ": " << falls.outcome.message;
    EXPECT_LT(falls.energy.max_abs_error, 1e-14) << method;
    EXPECT_GT(testing::distance(falls.last.q, {0.5, 0.5}), 0.01) << method;
  }
}

/// A pair of masses with an anharmonic spring and a blade. L: unit of length, M: of mass, T: of time.
System in_units(double L, double M, double T) {
  const auto number = [](double x) { return to_text(x); };
  return System::parse(R"toml(
    coordinates = ["x", "y", "z"]
    lagrangian  = "m/2*(x'^2 + y'^2 + z'^2) - m*w^2/2*(x^2 + y^2) - m*w^2*(x^2*y/l + x^4/(4*l^2) + z^4/(8*l^2))"
    constraints = ["z' = (y/l)*x'"]
    [parameters]
    l = )toml" + number(L) +
                       "\nm = " + number(M) + "\nw = " + number(1 / T) + "\n[initial]\nq = [" + number(0.3 * L) + ", " +
                       number(0.1 * L) + ", 0]\nv = [" + number(0.2 * L / T) + ", " + number(0.3 * L / T) + ", " +
                       number(0.02 * L / T) + "]");
}

TEST(TinyUnits, ChangeNothing) {
  struct Units {
    double L, M, T;
  };
  // Powers of two are exact; all of x is scaled alike where M L/T = L, for then momenta are as small as positions.
  for (const Units& units :
       {Units{0x1p-83, 1, 1}, Units{0x1p-100, 1, 1}, Units{0x1p-130, 1, 1}, Units{0x1p+90, 1, 1}}) {
    for (const std::string& method : methods) {
      const Trajectory one = integrate(in_units(1, 1, 1), options(method, 0.1, 100));
      RunOptions o = options(method, 0.1 * units.T, 100);
      o.project = true;
      const Trajectory tiny = integrate(in_units(units.L, units.M, units.T), o);
      ASSERT_EQ(tiny.outcome.status, Status::done) << method << ": " << tiny.outcome.message;
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(tiny.last.q[i] / units.L, one.last.q[i], 1e-12) << method << ", " << units.L;
        EXPECT_NEAR(tiny.last.v[i] / units.L, one.last.v[i], 1e-12) << method << ", " << units.L;
      }
      const double energy = units.L * units.L;
      EXPECT_LT(tiny.energy.max_abs_error / energy, 1e-14) << method << ", " << units.L;
    }
  }
}

TEST(TinyUnits, KeepTheEnergyOfAtoms) {
  // SI: masses of 1e-25 kg, lengths of 1e-10 m, times of 1e-13 s; and much smaller ones.
  for (const auto& [L, M, T] : {std::array{1e-10, 1e-25, 1e-13}, {1e-25, 1e-25, 1.0}, {1e-30, 1e-10, 1e-5}}) {
    const double energy = M * L * L / (T * T);
    for (const std::string& method : methods) {
      RunOptions o = options(method, 0.1 * T, 100);
      o.project = true;
      const Trajectory one = integrate(in_units(1, 1, 1), options(method, 0.1, 100));
      const Trajectory tiny = integrate(in_units(L, M, T), o);
      ASSERT_EQ(tiny.outcome.status, Status::done) << method << ": " << tiny.outcome.message;
      EXPECT_LT(tiny.energy.max_abs_error / energy, 1e-13) << method << ", " << L;
      // A correction of the gradient along the step depends on the units of positions and momenta.
      const bool is_corrected = method == "gonzalez";
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(tiny.last.q[i] / L, one.last.q[i], is_corrected ? 1e-2 : 1e-12) << method << ", " << L;
      }
    }
  }
}

}  // namespace
}  // namespace noslip
