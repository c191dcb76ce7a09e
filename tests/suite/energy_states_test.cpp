// Energy-preserving methods on the examples of Celledoni et al. 2019: states that an independent program gives, and
// what the paper says of the sleigh.
#include <cmath>

#include <gtest/gtest.h>

#include "suite/energy_cases.hpp"

namespace noslip {
namespace {

using testing::distance;
using testing::options;

const std::vector<std::string> discrete_gradients = {"gonzalez", "avf", "itoh-abe"};

void expect_near(const std::vector<double>& values, const std::vector<double>& expected, const std::string& what) {
  ASSERT_EQ(values.size(), expected.size()) << what;
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(values[i], expected[i], 1e-12) << what << ", component " << i;
  }
}

TEST(EnergyStates, ChaoticParticlesInTheBasisOfThePaper) {
  RunOptions o = options("gonzalez", 0.1, 20);
  o.project = true;  // the start is printed to 15 digits
  const System system = testing::published_chaotic(true);
  const Trajectory gonzalez = integrate(system, o);
  expect_near(gonzalez.last.q,
              {-0.831912517232605, 0.749526527759012, 0.359554938771801, 0.20648812576104, 0.823187301557625,
               0.834646965093196, 0.547944280379689},
              "gonzalez, q");
  expect_near(gonzalez.last.v,
              {-0.103764731132237, -0.355837396635629, -0.642430699964537, -0.190305629465853, -0.0663485463695918,
               -0.254665174452732, 1.1868035850437},
              "gonzalez, v");
  o.method = "itoh-abe";
  const Trajectory itoh_abe = integrate(system, o);
  expect_near(itoh_abe.last.q,
              {-0.822375830132957, 0.778129083940179, 0.425327059247243, 0.186080250842909, 0.818098436708415,
               0.839834021816289, 0.556778409266623},
              "itoh-abe, q");
  expect_near(itoh_abe.last.v,
              {-0.13482382719567, -0.261548479102996, -0.599878773496569, -0.155884010991873, 0.00974710440279407,
               -0.219160701464116, 1.1847270058662},
              "itoh-abe, v");
}

/// Pi and H of Celledoni et al. 2019, eq. (21), with w_i in place of y_i in grad H.
TEST(EnergyStates, TheBasisMakesTheReducedEquationsOfThePaper) {
  const System reduced = System::parse(R"toml(
    kind = "skew-gradient"
    x = ["x", "w1", "w2", "w3", "z1", "z2", "z3", "r1", "r2", "r3", "r4", "r5", "r6"]
    hamiltonian = """1/2*(r1^2 + r2^2 + r3^2 + r4^2 + r5^2 + r6^2 - (w1*r4 + w2*r5 + w3*r6)^2/ww)
                   + 1/2*(x^2 + w1^2 + w2^2 + w3^2 + z1^2 + z2^2 + z3^2
                          + z1^2*z2^2 + w1^2*z1^2 + w2^2*z2^2 + w3^2*z3^2)"""
    structure = [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, "w1", "w2", "w3"],
                 [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0],
                 [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0],
                 [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0],
                 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0],
                 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0],
                 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1],
                 [0, -1, 0, 0, 0, 0, 0, 0, 0, 0, "-kappa", 0, 0],
                 [0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, "-kappa", 0],
                 [0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, "-kappa"],
                 ["-w1", 0, 0, 0, 1, 0, 0, "kappa", 0, 0, 0, 0, 0],
                 ["-w2", 0, 0, 0, 0, 1, 0, 0, "kappa", 0, 0, 0, 0],
                 ["-w3", 0, 0, 0, 0, 0, 1, 0, 0, "kappa", 0, 0, 0]]
    [definitions]
    ww    = "1 + w1^2 + w2^2 + w3^2"
    kappa = "(w1*r4 + w2*r5 + w3*r6)/ww"
    )toml");
  const System mechanical = testing::published_chaotic(true);
  for (const std::string method : {"gonzalez", "avf", "itoh-abe", "energy:2"}) {
    RunOptions o = options(method, 0.1, 20);
    o.project = true;
    o.every = 20;
    const Trajectory whole = integrate(mechanical, o);
    const Sample& first = whole.samples.front();
    // rho = X^T p, p = v
    InitialState start{0, first.q, {}, {}};
    for (std::size_t i = 1; i <= 3; ++i) start.q.push_back(first.v[i]);
    for (std::size_t i = 1; i <= 3; ++i) start.q.push_back(first.q[i] * first.v[0] - first.v[3 + i]);
    const Trajectory small = integrate(reduced, start, options(method, 0.1, 20));
    ASSERT_EQ(small.outcome.status, Status::done) << method << ": " << small.outcome.message;
    const std::vector<double> position(small.last.q.begin(), small.last.q.begin() + 7);
    EXPECT_LT(distance(position, whole.last.q), 1e-13) << method;
    EXPECT_NEAR(small.last.energy, 3.06, 2e-14) << method;
  }
}

TEST(EnergyStates, ReducedSleigh) {
  for (const std::string& method : discrete_gradients) {
    const System system = catalogue_system("sleigh-reduced");
    expect_near(integrate(system, options(method, 0.5, 100)).last.q,
                {-34.91340848623, -1.93086753413622, -0.0351764114122763, -0.0280251180789101, -0.599345970835429},
                method);
    const Trajectory later = integrate(system, options(method, 0.5, 200));
    expect_near(later.last.q,
                {-49.7387520960321, 10.8316009446776, -3.37486773941161, -0.550063260437359, -0.239648512444833},
                method);
    EXPECT_LE(later.energy.max_abs_error, 1.4e-15);
  }
}

/// The orthonormal basis of section 4.2: the sleigh as a mechanical system makes the same steps.
TEST(EnergyStates, TheSleighInItsBasisIsTheReducedOne) {
  const System whole = System::parse(R"toml(
    coordinates = ["x", "y", "theta"]
    lagrangian  = "m/2*(x'^2 + y'^2) + I/2*theta'^2 + m*a*theta'*(y'*cos(theta) - x'*sin(theta))"
    constraints = ["y'*cos(theta) = x'*sin(theta)"]
    basis       = [[0, 0, "1/sqrt(I)"], ["cos(theta)/sqrt(m)", "sin(theta)/sqrt(m)", 0]]
    [parameters]
    m = 1.3
    a = 1
    J = 8
    I = "J + m*a^2"
    )toml");
  const double m = 1.3, I = 8 + m, rho1 = 0.3, rho2 = -0.6, theta = 0.1;
  const InitialState start{
      0,
      {-5, 0, theta},
      {rho2 * std::cos(theta) / std::sqrt(m), rho2 * std::sin(theta) / std::sqrt(m), rho1 / std::sqrt(I)},
      {}};
  for (const std::string method : {"gonzalez", "avf", "itoh-abe", "energy:2", "energy:3"}) {
    RunOptions o = options(method, 0.5, 100);
    o.set["m"] = m;
    const Trajectory reduced =
        integrate(catalogue_system("sleigh-reduced"), {0, {-5, 0, theta, rho1, rho2}, {}, {}}, o);
    const Trajectory mechanical = integrate(whole, start, o);
    ASSERT_EQ(mechanical.outcome.status, Status::done) << method << ": " << mechanical.outcome.message;
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(mechanical.last.q[i], reduced.last.q[i], 1e-12) << method;
    EXPECT_NEAR(mechanical.last.v[2], reduced.last.q[3] / std::sqrt(I), 1e-13) << method;
  }
}

TEST(EnergyStates, Suslov) {
  for (const std::string& method : discrete_gradients) {
    const Trajectory end = integrate(catalogue_system("suslov"), options(method, 0.1, 100));
    expect_near(end.last.q, {-0.613510205956188, 1.22360551419777}, method);
    EXPECT_LE(end.energy.max_abs_error, 9e-16) << method;
  }
}

TEST(EnergyStates, Gearbox) {
  const Trajectory end = integrate(catalogue_system("gearbox"), options("gonzalez", 0.1, 20));
  expect_near(end.last.q, {-0.29434587135402, -0.634129275145381, -3.46947241317751}, "q");
  expect_near(end.last.v, {0.227954885936006, -0.707854268636426, -0.347543228742808}, "v");
}

/// Celledoni et al. 2019, sec. 2 and 3.2: in the basis of the disk all of them are the midpoint rule, in closed form.
TEST(EnergyStates, RollingDisk) {
  const double h = 0.1, R = 0.25;
  for (const std::string method : {"gonzalez", "avf", "itoh-abe", "energy:1"}) {
    const Trajectory end = integrate(catalogue_system("rolling-disk"), options(method, h, 500));
    double x = 0, y = 0;
    for (int k = 0; k < 500; ++k) {
      x += h * R * std::cos((2 * k + 1) * h);
      y += h * R * std::sin((2 * k + 1) * h);
    }
    EXPECT_NEAR(end.last.q[0], x, 1e-13) << method;
    EXPECT_NEAR(end.last.q[1], y, 1e-13) << method;
    EXPECT_NEAR(end.last.q[2], 100, 2e-13) << method;
    EXPECT_NEAR(end.last.q[3], 50, 1e-13) << method;
    EXPECT_NEAR(end.last.v[2], 2, 1e-15) << method;
    EXPECT_NEAR(end.last.v[3], 1, 1e-15) << method;
    EXPECT_LE(end.energy.max_abs_error, 2e-15) << method;
  }
}

/// Celledoni et al. 2019, prop. 4.1, for rho1' = -C rho1 rho2, rho2' = C rho1^2 with C = 1/9.
class ReducedSleigh : public ::testing::TestWithParam<std::string> {
 protected:
  static Trajectory run(double rho1, double rho2, double h, long long steps) {
    return integrate(catalogue_system("sleigh-reduced"), {0, {-5, 0, 0.1, rho1, rho2}, {}, {}},
                     options(GetParam(), h, steps));
  }
};

TEST_P(ReducedSleigh, StraightLinesAreSteady) {
  for (const double rho2 : {0.6, -0.6, 3.0}) {
    const Trajectory end = run(0, rho2, 0.5, 1000);
    EXPECT_EQ(end.last.q[2], 0.1);
    EXPECT_EQ(end.last.q[3], 0);
    EXPECT_EQ(end.last.q[4], rho2);
  }
}

TEST_P(ReducedSleigh, TheyAreStableWhereTheKnifeEdgeTrails) {
  EXPECT_NEAR(run(1e-9, -0.6, 0.5, 1).last.q[3] / 1e-9, 1.0338983050847457, 1e-15);
  for (const double h : {0.1, 0.5, 5.0, 25.0}) {  // less than 2/(C |rho2|) = 30
    for (const double rho2 : {0.6, -0.6}) {
      for (const double rho1 : {1e-9, -1e-9}) {
        const double factor = run(rho1, rho2, h, 1).last.q[3] / rho1;
        EXPECT_NEAR(factor, (2 - h * rho2 / 9) / (2 + h * rho2 / 9), 4e-15 * factor) << h << ", " << rho2;
        EXPECT_GT(factor, 0);
        EXPECT_EQ(factor > 1, rho2 < 0);
      }
    }
  }
  EXPECT_LT(std::fabs(run(1e-3, 0.6, 0.5, 600).last.q[3]), 1e-11);
}

TEST_P(ReducedSleigh, TurnsRoundToTheStableLine) {
  const Trajectory left = run(0.001, -0.6, 0.5, 2000), right = run(-0.001, -0.6, 0.5, 2000);
  for (const Trajectory* end : {&left, &right}) {
    EXPECT_NEAR(end->last.q[3], 0, 1e-14);
    EXPECT_NEAR(end->last.q[4], std::sqrt(0.36 + 1e-6), 2e-15);
    EXPECT_NEAR(end->last.q[4], 0.600000833, 5e-10);
    EXPECT_LE(end->energy.max_abs_error, 1.4e-15);
  }
  // They are mirror images.
  EXPECT_NEAR(left.last.q[2] - 0.1, 0.1 - right.last.q[2], 1e-13);
  EXPECT_GT(left.last.q[2], 3);
}

INSTANTIATE_TEST_SUITE_P(All, ReducedSleigh, ::testing::ValuesIn(discrete_gradients),
                         [](const auto& instance) { return testing::test_name(instance.param); });

}  // namespace
}  // namespace noslip
