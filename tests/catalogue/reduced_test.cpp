// Systems in adapted coordinates beside the equations that they come from.
#include <cmath>
#include <random>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "catalogue/help.hpp"

namespace noslip {
namespace {

using testing::Start;
using testing::start_of;

ContinuousState continuous_at(const std::string& name, const std::map<std::string, double>& set,
                              const InitialState& state) {
  const System system = catalogue_system(name);
  std::vector<Problem> problems;
  ContinuousState result = Continuous(system, system.parameter_values(set)).evaluate(state, problems);
  EXPECT_TRUE(problems.empty());
  return result;
}

TEST(Reduced, SleighIsTheSleighOnALevelPlane) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-2, 2), positive(0.5, 2);
  for (int round = 0; round < 20; ++round) {
    const double m = positive(random), a = any(random), J = positive(random), I = J + m * a * a;
    const double theta = any(random), rho1 = any(random), rho2 = any(random);
    const double c = std::cos(theta), s = std::sin(theta), u = rho2 / std::sqrt(m), spin = rho1 / std::sqrt(I);
    const std::map<std::string, double> set = {{"m", m}, {"a", a}, {"J", J}};
    std::map<std::string, double> level = set;
    level["g"] = 0;
    const ContinuousState reduced = continuous_at("sleigh-reduced", set, {0, {1, 2, theta, rho1, rho2}, {}, {}});
    const ContinuousState whole = continuous_at("sleigh", level, {0, {1, 2, theta}, {u * c, u * s, spin}, {}});
    EXPECT_NEAR(reduced.energy, whole.energy, 1e-14);
    const double u_rate = reduced.rates[4] / std::sqrt(m);
    const double expected[] = {u_rate * c - u * s * spin, u_rate * s + u * c * spin, reduced.rates[3] / std::sqrt(I)};
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(whole.accelerations[i], expected[i], 1e-12);
    EXPECT_NEAR(reduced.rates[0], u * c, 1e-15);
    EXPECT_NEAR(reduced.rates[1], u * s, 1e-15);
    EXPECT_NEAR(reduced.rates[2], spin, 1e-15);
  }
}

TEST(Reduced, SleighStartsAsInThePaper) {
  const Start start = start_of("sleigh-reduced");
  EXPECT_EQ(start.state.q, (std::vector<double>{-5, 0, 0.1, -0.001, -0.6}));
  EXPECT_DOUBLE_EQ(start.continuous.energy, (0.36 + 1e-6) / 2);
  // The centre of mass runs ahead of the knife edge or behind it: straight lines are steady both ways.
  for (const double rho2 : {0.6, -0.6}) {
    const ContinuousState steady = continuous_at("sleigh-reduced", {}, {0, {0, 0, 0, 0, rho2}, {}, {}});
    for (const std::size_t i : {2, 3, 4}) EXPECT_EQ(steady.rates[i], 0);
  }
}

/// I w' = (I w) x w + lambda e3, w3 = 0; w1 and w2 do not depend on I33.
TEST(Reduced, SuslovIsABodyWithAConstraint) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-0.4, 0.4), positive(1, 2);
  for (int round = 0; round < 20; ++round) {
    const double I11 = positive(random), I22 = positive(random), I13 = any(random), I23 = any(random);
    Eigen::Matrix3d I;
    I << I11, 0, I13, 0, I22, I23, I13, I23, positive(random);
    const Eigen::Vector3d w(any(random), any(random), 0);
    Eigen::Matrix4d matrix = Eigen::Matrix4d::Zero();
    matrix.topLeftCorner<3, 3>() = I;
    matrix(2, 3) = -1;
    matrix(3, 2) = 1;
    Eigen::Vector4d right = Eigen::Vector4d::Zero();
    right.head<3>() = (I * w).cross(w);
    const Eigen::Vector4d rates = matrix.fullPivLu().solve(right);
    const ContinuousState reduced = continuous_at("suslov", {{"I11", I11}, {"I22", I22}, {"I13", I13}, {"I23", I23}},
                                                  {0, {I11 * w[0], I22 * w[1]}, {}, {}});
    EXPECT_NEAR(reduced.rates[0], I11 * rates[0], 1e-14);
    EXPECT_NEAR(reduced.rates[1], I22 * rates[1], 1e-14);
    EXPECT_NEAR(reduced.energy, w.dot(I * w) / 2, 1e-14);
  }
}

TEST(Catalogue, WhatTurnsWithoutEndIsAnAngle) {
  const std::map<std::string, std::vector<std::string>> expected = {
      {"bicycle", {"yaw", "rear", "front"}},
      {"cvt", {"y"}},
      {"differential-drive", {"theta", "left", "right", "swivel", "caster"}},
      {"gearbox", {"q3"}},
      {"knife-edge-pendulum", {"theta"}},
      {"links", {"theta[1]", "theta[2]", "theta[3]"}},
      {"mobile-robot", {"phi", "theta"}},
      {"roller-racer", {"theta"}},
      {"rolling-disk", {"phi", "theta"}},
      {"rolling-wheel", {"yaw", "spin"}},
      {"segway", {"wheel"}},
      {"skate", {"phi"}},
      {"skateboard", {"theta"}},
      {"sleigh", {"theta"}},
      {"slider-crank", {"phi"}},
      {"snake", {"theta[1]", "theta[2]", "theta[3]", "theta[4]"}},
      {"snakeboard", {"theta"}},
      {"trailers", {"theta[0]", "theta[1]", "theta[2]"}}};
  std::map<std::string, std::vector<std::string>> found;
  for (const CatalogueEntry& entry : catalogue()) {
    const System system = catalogue_system(entry.name);
    for (const int i : system.angles()) found[entry.name].push_back(system.coordinates()[static_cast<std::size_t>(i)]);
  }
  EXPECT_EQ(found, expected);
}

TEST(Catalogue, TheBasisOfTheDiskRollsAndTurns) {
  const System disk = catalogue_system("rolling-disk");
  ASSERT_EQ(disk.basis().size(), 2U);
  EXPECT_EQ(disk.basis()[1][2].number(), Number(1));
  EXPECT_TRUE(catalogue_system("chaotic").basis().empty());
}

}  // namespace
}  // namespace noslip
