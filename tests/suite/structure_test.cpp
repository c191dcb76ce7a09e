// Symmetry, symplecticity and the discrete variational principle, measured: small where methods claim them, and large
// where they do not hold.
#include <gtest/gtest.h>

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/run/structure.hpp>

#include "support/order_cases.hpp"

namespace noslip {
namespace {

StructureReport measure(const System& system, const std::string& method) {
  RunOptions options;
  options.method = method;
  options.step = 0.1;
  return measure_structure(system, system.initial_state(system.parameter_values()), options);
}

TEST(Structure, HoldsWhereClaimed) {
  for (const char* name : {"spherical-pendulum", "charged-particle", "double-pendulum"}) {
    const System system = catalogue_system(name);
    for (const char* method : {"gauss:1", "gauss:2", "gauss:3", "lobatto-ab:2", "lobatto-ab:3", "rattle"}) {
      const StructureReport report = measure(system, method);
      EXPECT_TRUE(report.symmetry.is_claimed && report.symmetry.value < 1e-28)
          << name << method << report.symmetry.value;
      ASSERT_TRUE(report.symplecticity && report.variational) << name << method;
      EXPECT_TRUE(report.symplecticity->is_claimed && report.symplecticity->value < 1e-15)
          << name << method << report.symplecticity->value;
      EXPECT_LT(report.variational->value, 1e-12) << name << method;
      EXPECT_TRUE(report.holds());
    }
  }
}

TEST(Structure, TheNaturalEulerMethodIsSymplecticAndNotSymmetric) {
  const StructureReport report = measure(catalogue_system("spherical-pendulum"), "euler-natural");
  ASSERT_TRUE(report.symplecticity);
  EXPECT_TRUE(report.symplecticity->is_claimed);
  EXPECT_LT(report.symplecticity->value, 1e-15);
  EXPECT_FALSE(report.symmetry.is_claimed);
  EXPECT_GT(report.symmetry.value, 1e-6);
}

TEST(Structure, WhatIsNotSymplecticIsSeen) {
  const System oscillator = System::parse(R"toml(
    coordinates = ["x", "y"]
    lagrangian  = "(x'^2 + y'^2)/2 - x^2*y^2 - x^2 - y^2"
    [initial]
    q = [1, 0.5]
    v = [0, 1])toml");
  const StructureReport radau = measure(oscillator, "rk-radau-iia:2"), gauss = measure(oscillator, "gauss:2");
  ASSERT_TRUE(radau.symplecticity && gauss.symplecticity);
  EXPECT_GT(radau.symplecticity->value, 1e-6);
  EXPECT_LT(gauss.symplecticity->value, 1e-15);
}

TEST(Structure, VariationalPrincipleOfBothKindsOfConstraints) {
  for (const testing::OrderCase& each : testing::position_cases) {
    const System system = System::parse(each.toml, each.name);
    for (const char* method : {"gauss:1", "gauss:2", "gauss:3", "lobatto-ab:2", "lobatto-ab:3"}) {
      const StructureReport report = measure(system, method);
      ASSERT_TRUE(report.variational) << each.name << method;
      EXPECT_LT(report.variational->value, 1e-12) << each.name << method;
      EXPECT_LT(report.symmetry.value, 1e-28) << each.name << method;
    }
  }
}

TEST(Structure, AStepThatFailsIsSaid) {
  RunOptions options;
  options.method = "gauss:2";
  options.step = 50;
  const System system = catalogue_system("double-pendulum");
  const StructureReport report = measure_structure(system, system.initial_state(system.parameter_values()), options);
  EXPECT_EQ(report.outcome.status, Status::failed);
  EXPECT_NE(report.outcome.message.find("50"), std::string::npos);
  EXPECT_FALSE(report.holds());
}

TEST(Structure, MultipliersThatAreNoPartOfTheMapAreLeftOut) {
  const System index_two = catalogue_system("index2");
  const StructureReport report = measure(index_two, "srk-gauss:2");
  EXPECT_TRUE(report.symmetry.is_claimed);
  EXPECT_LT(report.symmetry.value, 1e-25);
  const System pendulum = System::parse(R"toml(
    kind = "odae"
    y = ["x", "y"]
    z = ["u", "v"]
    lambda = ["l"]
    v = ["u", "v"]
    f = ["0", "-10"]
    r = ["2*x*l", "2*y*l"]
    g = ["x^2 + y^2 = 1"]
    [initial]
    y = [0.6, -0.8]
    z = [0.8, 0.6])toml");
  for (const char* method : {"gauss:1", "gauss:2", "rattle"})
    EXPECT_LT(measure(pendulum, method).symmetry.value, 1e-28);
}

TEST(Structure, FrictionIsNotSymplecticAndNothingIsClaimed) {
  const System system = System::parse(R"toml(
    coordinates = ["x", "y"]
    lagrangian  = "(x'^2 + y'^2)/2 - 10*y"
    holonomic   = ["x^2 + y^2 = 1"]
    [nonideal]
    x = "-psi(1)*y/5"
    y = "psi(1)*x/5"
    [initial]
    q = [0.6, -0.8]
    v = [0.8, 0.6])toml");
  const StructureReport report = measure(system, "gauss:2");
  EXPECT_FALSE(report.symplecticity);
  EXPECT_FALSE(report.variational);
  EXPECT_TRUE(report.holds());
}

}  // namespace
}  // namespace noslip
