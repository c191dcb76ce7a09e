// Rotations of trajectories as unit quaternions.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <noslip/lie/quaternion.hpp>
#include <noslip/run/rotations.hpp>

namespace noslip {
namespace {

System spinning(const char* names) {
  return System::parse(std::string("coordinates = [") + names +
                       ", { group = 'SO(3)', name = 'R', velocity = ['w1', 'w2', 'w3'] }]\n"
                       "lagrangian = \"x'^2 + w1^2 + 2*w2^2 + 3*w3^2\"\n[initial]\nq = { R = [1, 2, 0.5] }\n"
                       "v = { w1 = 0.1, w3 = 2 }");
}

Trajectory turned(const System& system) {
  RunOptions options;
  options.step = 0.1;
  options.until = 8;
  options.every = 1;
  return integrate(system, options);
}

TEST(Rotations, QuaternionsAreContinuousAndTurnBackIntoMatrices) {
  const Trajectory run = turned(spinning("'x'"));
  const Trajectory converted = with_quaternions(run);
  EXPECT_EQ(names_of(converted.about.columns, ColumnKind::coordinate),
            (std::vector<std::string>{"x", "R_w", "R_x", "R_y", "R_z"}));
  ASSERT_EQ(converted.samples.size(), run.samples.size());
  EXPECT_GE(converted.samples[0].q[1], 0);
  double least = 1;
  for (std::size_t i = 0; i < run.samples.size(); ++i) {
    const std::vector<double>& q = converted.samples[i].q;
    ASSERT_EQ(q.size(), 5U);
    const std::array<double, 9> matrix = rotation_of<double>({q[1], q[2], q[3], q[4]});
    for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(matrix[k], run.samples[i].q[1 + k], 1e-14);
    EXPECT_EQ(converted.samples[i].v, run.samples[i].v);
    if (i == 0) continue;
    double product = 0;
    for (std::size_t k = 1; k < 5; ++k) product += q[k] * converted.samples[i - 1].q[k];
    EXPECT_GT(product, 0.9);
    least = std::min(least, q[1]);
  }
  EXPECT_LT(least, -0.1);  // on the other side of zero, without a jump back
  EXPECT_EQ(converted.last.q, converted.samples.back().q);
  EXPECT_NE(converted.summary().find("R_w = "), std::string::npos);
}

TEST(Rotations, NamesGiveWayAndOthersStay) {
  const System clash = System::parse(
      "coordinates = [{ group = 'SE(3)', name = 'g', velocity = ['a', 'b', 'c', 'u', 'v', 'w'] }, 'g_x']\n"
      "lagrangian = \"a^2 + b^2 + c^2 + u^2 + v^2 + w^2 + g_x'^2\"\n[initial]\nq = { g = [1, 2, 3, 0, 0, 0] }");
  QuaternionOutput output(clash.factors(), clash.coordinates());
  EXPECT_EQ(output.names(), (std::vector<std::string>{"g14", "g24", "g34", "g_w", "g_x_", "g_y", "g_z", "g_x"}));
  const InitialState start = clash.initial_state(clash.parameter_values());
  EXPECT_EQ(output(std::span(start.q)), (std::vector<double>{1, 2, 3, 1, 0, 0, 0, 0}));

  const System plain = System::parse("coordinates = ['x']\nlagrangian = \"x'^2\"\n[initial]\nq = [4]");
  QuaternionOutput same(plain.factors(), plain.coordinates());
  EXPECT_FALSE(same.has_rotations());
  EXPECT_EQ(same.names(), plain.coordinates());
  const std::vector<double> q = {4};
  EXPECT_EQ(same(std::span(q)), q);
}

TEST(Rotations, TheSummaryShowsMatricesByRows) {
  const std::string text = turned(spinning("'x'")).summary();
  EXPECT_NE(text.find("            R = "), std::string::npos) << text;
  EXPECT_NE(text.find("x' = "), std::string::npos) << text;
  EXPECT_NE(text.find("w3 = "), std::string::npos) << text;
  EXPECT_EQ(text.find("w3' = "), std::string::npos) << text;
  EXPECT_EQ(text.find("R11"), std::string::npos) << text;
}

}  // namespace
}  // namespace noslip
