// Guards along a run: when they fail, what is told, where a strict run stops; and outputs in its rows.
#include <cmath>

#include <gtest/gtest.h>

#include <noslip/run/row_reader.hpp>
#include <noslip/run/run.hpp>
#include <noslip/run/section.hpp>

namespace noslip {
namespace {

/// A bead that a bump throws off its wire; without it, one that falls freely: y = 1 - t^2/2.
const std::string falling =
    "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - y\"\n[initial]\nq = [0, 1]\nv = [1, 0]\n";

System with_guards(const std::string& guards, const std::string& more = {}) {
  return System::parse("guards = [" + guards + "]\n" + falling + more);
}

RunOptions options(double until = 3) { return {.method = "gauss:3", .step = 0.1, .until = until, .every = 1}; }

TEST(Guards, TellWhereTheyFailFirst) {
  const Trajectory run = integrate(with_guards("'y > 0', 'x < 2.25', 'x >= 0'"), options());
  EXPECT_EQ(run.outcome.status, Status::done);
  ASSERT_EQ(run.guards.size(), 3U);
  EXPECT_NEAR(run.guards[0].failed_at, std::sqrt(2.0), 1e-13);
  EXPECT_NEAR(run.guards[1].failed_at, 2.25, 1e-13);
  EXPECT_TRUE(run.guards[2].holds());
  ASSERT_EQ(run.warnings.size(), 1U);
  EXPECT_EQ(run.warnings[0].code, "guards");
  EXPECT_NEAR(run.warnings[0].t, std::sqrt(2.0), 1e-13);
  EXPECT_NE(run.warnings[0].message.find("guard 'y > 0' fails at t = 1.41421, guard 'x < 2.25' fails at t = 2.25; "),
            std::string::npos)
      << run.warnings[0].message;
  EXPECT_NE(run.summary().find("guard       y > 0   fails at t = 1.41421356"), std::string::npos) << run.summary();
  EXPECT_EQ(run.samples.size(), 31U);
}

TEST(Guards, StopAStrictRun) {
  for (const char* precision : {"double", "long", "quad"}) {
    RunOptions strict = options();
    strict.strict = true;
    strict.precision = precision[0] == 'd'   ? Precision::double_precision
                       : precision[0] == 'l' ? Precision::long_double
                                             : Precision::quadruple;
    const Trajectory run = integrate(with_guards("'y > 0', 'x < 2.25'"), strict);
    EXPECT_EQ(run.outcome.status, Status::stopped);
    EXPECT_EQ(run.outcome.message, "guard 'y > 0' fails at t = 1.41421");
    EXPECT_TRUE(run.stops_at_guard);
    EXPECT_NEAR(run.last.t, std::sqrt(2.0), 1e-13);
    EXPECT_NEAR(run.last.q[1], 0, 1e-13);
    EXPECT_EQ(run.samples.back().t, run.last.t);
    EXPECT_TRUE(run.guards[1].holds());
  }
}

TEST(Guards, ThatHoldAreSilentAndChangeNothing) {
  const Trajectory with = integrate(with_guards("'y > -100'"), options());
  const Trajectory without = integrate(System::parse(falling), options());
  EXPECT_TRUE(with.warnings.empty());
  EXPECT_TRUE(with.guards[0].holds());
  EXPECT_FALSE(with.stops_at_guard);
  EXPECT_TRUE(without.guards.empty());
  for (std::size_t i = 0; i < with.samples.size(); ++i) EXPECT_EQ(with.samples[i].q, without.samples[i].q);
}

TEST(Guards, AtTheStart) {
  RunOptions strict = options();
  strict.strict = true;
  for (const std::string guard : {"'y > 1'", "'y > 1.5'", "'y < 0.5'"}) {
    const Trajectory run = integrate(with_guards(guard), strict);
    EXPECT_EQ(run.outcome.status, Status::stopped) << guard;
    EXPECT_EQ(run.steps, 0) << guard;
    EXPECT_EQ(run.last.t, 0) << guard;
    EXPECT_EQ(integrate(with_guards(guard), options()).guards[0].failed_at, 0) << guard;
  }
  // Equality holds, and fails at once where the motion leaves it.
  EXPECT_NEAR(integrate(with_guards("'y >= 1'"), options()).guards[0].failed_at, 0, 1e-7);
  EXPECT_TRUE(integrate(with_guards("'x >= 0'"), options()).guards[0].holds());
}

TEST(Guards, WithEventsBeforeAndBehind) {
  RunOptions strict = options();
  strict.strict = true;
  strict.events = {Event{.when = "x - 1"}, Event{.when = "x - 1.42"}, Event{.when = "y - 0.5", .stop_after = 2}};
  const Trajectory run = integrate(with_guards("'y > 0'"), strict);
  EXPECT_EQ(run.outcome.message, "guard 'y > 0' fails at t = 1.41421");
  ASSERT_EQ(run.hits.size(), 2U);  // that of t = 1.42 has not happened, and the guard is not among them
  EXPECT_EQ(run.hits[0].event, 2);
  EXPECT_EQ(run.hits[1].event, 0);
  strict.events = {Event{.when = "x - 1.41", .stop_after = 1}};
  const Trajectory earlier = integrate(with_guards("'y > 0'"), strict);
  EXPECT_TRUE(earlier.guards[0].holds());
  EXPECT_FALSE(earlier.stops_at_guard);
  EXPECT_EQ(earlier.outcome.status, Status::stopped);
}

/// An action may leave a state that a guard does not allow.
TEST(Guards, AfterAnAction) {
  RunOptions acting = options();
  Event bounce{.when = "x - 1"};
  bounce.act = [](EventChange& change) { change.q[1] = -5; };
  acting.events = {bounce};
  acting.strict = true;
  const Trajectory run = integrate(with_guards("'y > 0'"), acting);
  EXPECT_EQ(run.outcome.status, Status::stopped);
  EXPECT_NEAR(run.last.t, 1, 1e-12);
  EXPECT_EQ(run.last.q[1], -5);
}

TEST(Guards, WithoutAValueAreAnnounced) {
  const Trajectory run = integrate(with_guards("'sqrt(y) < 2'"), options());
  ASSERT_EQ(run.warnings.size(), 1U);
  EXPECT_NE(run.warnings[0].message.find("guard 'sqrt(y) < 2' has no value from t = 1.5 on"), std::string::npos)
      << run.warnings[0].message;
  EXPECT_TRUE(run.guards[0].holds());
  EXPECT_NEAR(run.guards[0].unknown_from, 1.5, 1e-12);
}

const std::string loop = R"toml(
coordinates = ["x", "y"]
lagrangian  = "(x'^2 + y'^2)/2 - y"
holonomic   = { ring = "x^2 + y^2 = 1" }
[outputs]
push  = "2*lambda(ring)"
speed = "sqrt(x'^2 + y'^2)"
both  = "push + speed + energy"
[initial]
q = [0, -1]
v = [1.9, 0]
)toml";

/// A bead in a ring that is too slow for the loop leaves the ring where the ring would have to pull.
TEST(Guards, OfReactionsFindTheLiftOff) {
  const System system = System::parse("guards = ['lambda(ring) < 0']\n" + loop);
  RunOptions strict{.method = "gauss:4", .step = 0.05, .until = 5, .strict = true};
  const Trajectory run = integrate(system, strict);
  EXPECT_EQ(run.outcome.status, Status::stopped);
  // v^2 = y - y0 balance: v^2 = v0^2 - 2 (y + 1), and v^2 = y at the lift-off.
  EXPECT_NEAR(run.last.q[1], (1.9 * 1.9 - 2) / 3, 1e-8);
  EXPECT_NEAR(run.last.multipliers[0], 0, 1e-8);
}

/// Outputs use the multipliers of their row, so that files agree with themselves.
TEST(Outputs, AreThoseOfTheirRow) {
  const System system = System::parse(loop);
  for (const char* method : {"gauss:2", "lobatto-ab:2", "lobatto-ab:3"}) {
    RunOptions run{.method = method, .step = 0.05, .until = 1, .every = 1, .at = {0.33}};
    const Trajectory result = integrate(system, run);
    RowReader expressions(
        system,
        {{"a", ColumnKind::expression, 0, "a", "2*lambda(ring)"}, {"b", ColumnKind::expression, 0, "b", "both"}},
        system.parameter_values());
    std::vector<Sample> samples = result.samples;
    samples.insert(samples.end(), result.values.begin(), result.values.end());
    for (const Sample& sample : samples) {
      ASSERT_EQ(sample.outputs.size(), 3U);
      EXPECT_EQ(sample.outputs[0], 2 * sample.multipliers[0]) << method << " " << sample.t;
      EXPECT_NEAR(sample.outputs[2], sample.outputs[0] + sample.outputs[1] + sample.energy, 1e-13);
      const std::span<const double> row = expressions(sample);
      EXPECT_EQ(row[0], sample.outputs[0]);
      EXPECT_NEAR(row[1], sample.outputs[2], 1e-14);
    }
  }
}

TEST(Outputs, InEventsAndSections) {
  const System system = System::parse(loop);
  RunOptions run{.method = "gauss:4", .step = 0.05, .until = 3};
  run.events = {Event{.when = "push"}, Event{.when = "lambda(ring)"}};
  const Trajectory result = integrate(system, run);
  ASSERT_GE(result.hits.size(), 2U);
  EXPECT_NEAR(result.hits[0].state.t, result.hits[1].state.t, 1e-12);
  EXPECT_NEAR(result.hits[0].state.multipliers[0], 0, 1e-12);  // by the equations of motion there, as in the event
  EXPECT_NEAR(result.hits[0].state.outputs[0], 0, 1e-12);
  SectionOptions options;
  options.run = {.method = "gauss:4", .step = 0.05};
  options.event = {.when = "push", .stop_after = 2};
  options.columns = {"push", "lambda_ring", "speed"};
  const Section crossings = section(system, options);
  ASSERT_EQ(crossings.orbits[0].points.size(), 2U);
  EXPECT_EQ(crossings.orbits[0].points[0].t, result.hits[0].state.t);
  EXPECT_NEAR(crossings.orbits[0].points[0].values[0], 0, 1e-12);
}

TEST(Outputs, AtAnyTimeAndFromACheckpoint) {
  const System system = System::parse("guards = ['lambda(ring) < 0']\n" + loop);
  RunOptions run{.method = "gauss:2", .step = 0.05, .until = 3, .every = 1, .dense = true};
  const Trajectory whole = integrate(system, run);
  EXPECT_EQ(whole.at(1.234).outputs.size(), 3U);
  RunOptions first = run;
  std::string saved;
  first.until = 2;
  first.checkpoint = [&](const Checkpoint& here) { saved = here.state; };
  integrate(system, first);
  run.from = saved;
  const Trajectory rest = integrate(system, run);
  EXPECT_EQ(rest.guards[0].failed_at, whole.guards[0].failed_at);
  EXPECT_EQ(rest.last.outputs, whole.last.outputs);
  run.strict = true;
  EXPECT_THROW(integrate(system, run), InputError);  // another run
}

}  // namespace
}  // namespace noslip
