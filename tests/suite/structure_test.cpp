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
      EXPECT_TRUE(report.symmetry.is_claimed && report.symmetry.value < 1e-28) << name << method << report.symmetry.value;
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
  EXPECT_THROW(measure_structure(system, system.initial_state(system.parameter_values()), options), InputError);
}

}  // namespace
}  // namespace noslip
