// Runs that are broken off and go on later: everything that they tell is that of a run without a break.
#include <random>

#include <gtest/gtest.h>

#include <noslip/core/archive.hpp>
#include <noslip/run/program.hpp>
#include <noslip/run/run.hpp>

#include "run/control_help.hpp"
#include "support/pieces.hpp"

namespace noslip {
namespace {

using testing::everything;
using testing::in_pieces;
using testing::Pieces;
using testing::refusal;

void expect_same(const System& system, const RunOptions& options, const std::vector<long long>& breaks) {
  const Trajectory whole = integrate(system, options);
  EXPECT_TRUE(everything(in_pieces(system, options, breaks)) == everything(whole))
      << system.name() << " " << options.method << " in " << to_text(options.precision) << ", "
      << to_text(options.backend) << "; without a break:\n"
      << whole.summary() << "in pieces:\n"
      << in_pieces(system, options, breaks).summary();
}

/// Mass points in a row with a wall between them: a large matrix, whose factors serve several steps.
System chain(int count) {
  std::string names, lagrangian, constraints;
  for (int i = 0; i < count; ++i) {
    const std::string x = "x" + std::to_string(i), next = "x" + std::to_string(i + 1);
    names += "'" + x + "', ";
    lagrangian += "(1 + cos(" + x + ")/4)*" + x + "'^2/2 - " + x + "^4/8 - ";
    if (i + 1 < count) lagrangian += "sin(" + next + " - " + x + ")^2/2 - ";
  }
  return System::parse("name = 'chain'\ncoordinates = [" + names + "'y']\nlagrangian = \"" + lagrangian +
                       "y^2 + y'^2/2\"\nconstraints = [\"y' = x0*x1'\"]\n[initial]\nq = { x0 = 1, x1 = 0.5 }\n");
}

System ball() {
  return System::parse(
      "name = 'ball'\ncoordinates = ['y']\nlagrangian = \"y'^2/2 - y\"\n[parameters]\nc = 0.9\n"
      "[initial]\nq = [1]\n");
}

RunOptions all_of(const std::string& method, double step, double until) {
  RunOptions options = testing::options(method, step, until);
  options.every = 3;
  return options;
}

TEST(Checkpoints, RunsGoOnWithTheSameBits) {
  for (const std::string method : {"gauss:2", "mp", "mp:4", "lobatto-ab:2", "cm", "nh-lobatto:2", "energy:1"}) {
    for (const System& system : {testing::sleigh(), testing::spinning_sleigh(), testing::curved_particle()}) {
      expect_same(system, all_of(method, 0.05, 5), {1, 2, 49});
    }
    RunOptions loose = all_of(method, 0.05, 4);
    loose.tolerance = 1e-6;
    expect_same(testing::curved_particle(), loose, {3, 40});
  }
  expect_same(testing::skate(), all_of("gauss:2", 0.05, 5.02), {10, 99, 100});  // the last step is short
  expect_same(testing::skate(), all_of("gauss:2", 0.05, 5.001), {99, 100});     // the last two are
}

TEST(Checkpoints, InEveryPrecisionAndOnEveryBackEnd) {
  for (const Precision precision : {Precision::long_double, Precision::quadruple}) {
    RunOptions options = all_of("gauss:2", 0.05, 2);
    options.precision = precision;
    expect_same(testing::spinning_sleigh(), options, {1, 20});
    options.method = "mp";
    expect_same(testing::curved_particle(), options, {1, 20});
    expect_same(testing::sampled_cart(), options, {13});
  }
  RunOptions options = all_of("gauss:3", 0.05, 5);
  options.backend = Backend::interpreter;
  expect_same(testing::sleigh(), options, {50});
}

TEST(Checkpoints, OfLargeMatricesWhoseFactorsLast) {
  for (const int count : {30, 60}) expect_same(chain(count), all_of("gauss:2", 0.02, 1), {1, 7, 30});
}

/// Links that fall from rest: pivots that were good become bad, and another order takes over while the run goes on.
TEST(Checkpoints, OfSparseMatricesWhoseOrderChanges) {
  const System links = System::parse(R"toml(
    coordinates = ["x[1:n]", "y[1:n]", "a[1:n]"]
    lagrangian  = "sum(i, 1, n, (x[i]'^2 + y[i]'^2)/2 + a[i]'^2/24 - y[i]/2)"
    constraints = ["y[1]'*cos(a[1]) = x[1]'*sin(a[1])"]
    holonomic   = ["for i = 1:n-1: x[i] + cos(a[i])/2 = x[i+1] - cos(a[i+1])/2",
                   "for i = 1:n-1: y[i] + sin(a[i])/2 = y[i+1] - sin(a[i+1])/2"]
    [parameters]
    n = 20
    [initial]
    q = { "x[i=1:n]" = "i" }
    v = { "x[1:n]" = 1, "y[n]" = 0.25, "a[n]" = 0.5 })toml");
  RunOptions options = all_of("gauss:8", 0.02, 0.24);
  const Trajectory first = integrate(links, options);
  // A run from elsewhere on the same thread leaves its order in memory that runs share.
  RunOptions other = options;
  other.init = {{"a[20]'", 5}, {"y[20]'", 2.5}};
  integrate(links, other);
  EXPECT_TRUE(everything(integrate(links, options)) == everything(first));
  EXPECT_TRUE(everything(in_pieces(links, options, {2, 5, 9})) == everything(first));
}

TEST(Checkpoints, WithControls) {
  expect_same(testing::sampled_cart(), all_of("gauss:2", 0.02, 3), {1, 40, 41, 100});
  expect_same(testing::sampled_cart(), all_of("mp", 0.03, 3), {1, 60});  // steps are divided
  RunOptions options = all_of("gauss:2", 0.05, 5);
  options.control.series.push_back({"u", {0, 0.33, 1, 2.5}, {1, -1, 0.5, 2}, true});
  options.control.series.push_back({"w", {0.1, 0.7, 1}, {1, 0, -1}});
  expect_same(testing::pushed_cart(), options, {1, 5, 14, 60, 90});
  options.control.series.clear();
  options.control.controllers.push_back({0.1, 0.25, [](double t, auto q, auto v, auto inputs) {
                                           inputs[0] = -q[0] - v[0] + t / 10;
                                           inputs[1] = 0.1;
                                         }});
  expect_same(testing::pushed_cart(), options, {1, 20, 33, 90});
}

TEST(Checkpoints, WithStatesBetweenTheSteps) {
  for (const Between between : {Between::polynomial, Between::step}) {
    RunOptions options = all_of("gauss:2", 0.1, 6);
    options.between = between;
    options.at = {5.5, 0.25, 3, 1.01, 0, 6};
    options.events = {{"x'", Crossing::both}, {"y - 1", Crossing::up}};
    options.dense = true;
    expect_same(testing::skate(), options, {1, 12, 30, 59});
    options.events[0].stop_after = 3;
    expect_same(testing::skate(), options, {1, 12, 30, 40});
  }
}

TEST(Checkpoints, WithEventsThatAct) {
  RunOptions options = all_of("mp", 0.05, 8);
  options.dense = true;
  options.events = {{"y", Crossing::down, 0, {}, [](EventChange& here) { here.v[0] *= -here.parameters[0]; }}};
  expect_same(ball(), options, {1, 20, 28, 29, 30, 31, 100, 150});
  options.events[0].act = [](EventChange& here) {
    here.parameters[0] *= 0.9;
    here.v[0] *= -here.parameters[0];
    here.stops = here.number == 5;
  };
  expect_same(ball(), options, {20, 31, 60, 90});
}

TEST(Checkpoints, OfRunsThatFailOrStop) {
  const System falling = System::parse(
      "name = 'fall'\ncoordinates = ['x']\nlagrangian = \"x'^2/2 - 2*sqrt(x)\"\n[initial]\nq = [1]\n");
  RunOptions options = all_of("gauss:2", 0.05, 10);
  Pieces pieces(options);
  const Trajectory whole = pieces.go_on(falling);
  EXPECT_EQ(whole.outcome.status, Status::failed);
  // From the checkpoint of its end, nothing is left to do.
  const Trajectory again = pieces.go_on(falling);
  EXPECT_TRUE(everything(again) == everything(whole)) << again.summary();
  expect_same(falling, options, {3, 10});
  options.events = {{"x - 0.5", Crossing::down, 1}};
  Pieces stopped(options);
  const Trajectory end = stopped.go_on(falling);
  EXPECT_EQ(end.outcome.status, Status::stopped);
  EXPECT_TRUE(everything(stopped.go_on(falling)) == everything(end));
  stopped.options.until = 20;
  EXPECT_TRUE(everything(stopped.go_on(falling)) == everything(end));
}

/// Every step is made by a run of its own: what one step leaves for the next one, and what the last one leaves for the
/// end, is in the checkpoint.
void expect_same_step_by_step(const System& system, const RunOptions& options) {
  const Trajectory whole = integrate(system, options);
  std::vector<long long> breaks;
  for (long long at = 0; at <= whole.steps; ++at) breaks.push_back(at);
  expect_same(system, options, breaks);
}

TEST(Checkpoints, AfterEveryStep) {
  RunOptions options = all_of("gauss:2", 0.1, 3.23);
  options.at = {1.23, 3.2, 0.71};
  options.events = {{"x'", Crossing::both}, {"y - 0.3", Crossing::up}, {"t - 0.5"}, {"sin(7*t)", Crossing::down, 6}};
  options.dense = true;
  for (const std::string method : {"gauss:2", "mp", "lobatto-ab:2"}) {
    options.method = method;
    expect_same_step_by_step(testing::skate(), options);
    RunOptions later = all_of(method, 0.1, 5.5);
    later.init = {{"t", 3}};
    expect_same_step_by_step(testing::sleigh(), later);
    expect_same_step_by_step(testing::spinning_sleigh(), all_of(method, 0.1, 2.5));
    expect_same_step_by_step(testing::sampled_cart(), all_of(method, 0.03, 1));
    // Steps that are far too large, of which warnings tell.
    RunOptions rough = all_of(method, 1.3, 60);
    expect_same_step_by_step(testing::curved_particle(), rough);
    rough.step = 0.7;
    rough.control.series.push_back({"u", {0, 7, 14, 21}, {1, -3, 5, 20}});
    rough.events = {{"u - 2"}, {"x"}};
    expect_same_step_by_step(testing::pushed_cart(), rough);
  }
  // An action at whole steps, at the start and at the end of the run, and between the steps.
  RunOptions bouncing = all_of("mp", 0.25, 5);
  const auto bounce = [](EventChange& here) { here.v[0] *= -here.parameters[0]; };
  const auto nothing = [](EventChange&) {};
  bouncing.dense = true;
  bouncing.events = {{"y", Crossing::down, 0, {}, bounce},  {"t - 1", Crossing::up, 0, {}, nothing},
                     {"t - 5", Crossing::both, 0, {}, nothing}, {"y - 1", Crossing::both, 0, {}, nothing},
                     {"y' + 0.5"}};
  expect_same_step_by_step(ball(), bouncing);
  bouncing.step = 0.07;
  expect_same_step_by_step(ball(), bouncing);
  // It comes to rest: actions without end.
  bouncing.events = {{"y", Crossing::down, 0, {}, [](EventChange& here) { here.v[0] *= -0.2; }}};
  EXPECT_NE(integrate(ball(), bouncing).outcome.status, Status::interrupted);
  expect_same(ball(), bouncing, {20, 23, 25, 28, 100, 500, 900});
}

/// Runs of all sorts, broken several times at random.
TEST(Checkpoints, AtRandomMoments) {
  std::mt19937 random(7);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const System systems[] = {testing::sleigh(), testing::spinning_sleigh(), testing::skate(), testing::sampled_cart(),
                            testing::pushed_cart()};
  const std::string methods[] = {"gauss:2", "mp", "lobatto-ab:3", "nh-lobatto:2", "mp:4", "srk-gauss:2"};
  for (int trial = 0; trial < 60; ++trial) {
    const System& system = systems[below(5)];
    RunOptions options = all_of(methods[below(6)], 0.01 * (1 + below(7)), 1 + 0.1 * below(20));
    options.every = below(4);
    if (below(2) == 0) options.tolerance = 1e-7;
    if (below(2) == 0) options.events = {{system.q()[0].name() + "'", Crossing::both, below(4)}};
    if (below(2) == 0) options.at = {0.3, 0.7, 0.123};
    if (below(3) == 0) options.between = Between::step;
    options.dense = below(3) == 0;
    std::vector<long long> breaks;
    for (long long at = 1 + below(30); breaks.size() < 5; at += 1 + below(30)) breaks.push_back(at);
    if (below(4) == 0) forget_programs();
    expect_same(system, options, breaks);
  }
}

TEST(Checkpoints, RowsOfSinksFollowEachOther) {
  RunOptions options = all_of("gauss:2", 0.1, 10);
  options.every = 7;
  const Trajectory whole = integrate(testing::sleigh(), options);
  options.sink = [](const Sample&) {};
  Pieces pieces(options);
  for (const long long at : {3, 8, 14, 50}) pieces.go_on(testing::sleigh(), at);
  EXPECT_TRUE(pieces.go_on(testing::sleigh()).samples.empty());
  ASSERT_EQ(pieces.rows.size(), whole.samples.size());
  for (std::size_t i = 0; i < pieces.rows.size(); ++i) {
    EXPECT_EQ(pieces.rows[i].t, whole.samples[i].t);
    EXPECT_EQ(pieces.rows[i].q, whole.samples[i].q);
    EXPECT_EQ(pieces.rows[i].multipliers, whole.samples[i].multipliers);
  }
}

/// A run to a first end and from there to a second one is a run to the second.
void expect_extended(const System& system, RunOptions options, quad first, quad second, bool is_bound = false) {
  options.until = first;
  Pieces pieces(options);
  pieces.go_on(system);
  EXPECT_EQ(pieces.is_bound, is_bound);
  options.until = second;
  const Trajectory whole = integrate(system, options);
  pieces.options.until = second;
  const Trajectory run = pieces.go_on(system);
  EXPECT_TRUE(everything(run) == everything(whole))
      << system.name() << " " << options.method << "\n"
      << whole.summary() << run.summary();
}

TEST(Checkpoints, RunsAreExtended) {
  for (const double first : {5.0, 5.02, 5.001}) {
    for (const double second : {5.05, 7.0, 7.03}) {
      expect_extended(testing::sleigh(), all_of("gauss:2", 0.05, 1), first, second);
      expect_extended(testing::spinning_sleigh(), all_of("mp", 0.05, 1), first, second);
    }
  }
  RunOptions options = all_of("gauss:2", 0.05, 1);
  options.at = {1.23, 5};
  options.events = {{"x'", Crossing::both}};
  expect_extended(testing::skate(), options, 5, 8);
  expect_extended(testing::sampled_cart(), all_of("mp", 0.05, 1), 2, 3);
  options.precision = Precision::quadruple;
  options.step = quad(1) / 20;
  expect_extended(testing::skate(), options, 5, 8);
  // A number of steps instead of an end time, and back.
  RunOptions counted = all_of("mp", 0.1, 0);
  counted.steps = 50;
  Pieces pieces(counted);
  pieces.go_on(testing::sleigh());
  pieces.options.steps = 0;
  pieces.options.until = 10;
  const Trajectory whole = integrate(testing::sleigh(), all_of("mp", 0.1, 10));
  EXPECT_TRUE(everything(pieces.go_on(testing::sleigh())) == everything(whole));
}

TEST(Checkpoints, StepsThatWereChosenForAnotherEndAreNotContinued) {
  // After the last change of the input, steps divide the time that is left.
  RunOptions options = all_of("gauss:2", 0.1, 5.03);
  options.control.series.push_back({"u", {0, 1}, {1, 2}});
  std::vector<Checkpoint> seen;
  options.checkpoint = [&](const Checkpoint& here) { seen.push_back(here); };
  integrate(testing::pushed_cart(), options);
  options.checkpoint = {};
  ASSERT_TRUE(seen.back().is_bound_to_end);
  options.until = 7;
  options.from = seen.back().state;
  EXPECT_THROW(integrate(testing::pushed_cart(), options), OtherEnd);
  const auto free = std::find_if(seen.rbegin(), seen.rend(), [](const Checkpoint& c) { return !c.is_bound_to_end; });
  ASSERT_NE(free, seen.rend());
  EXPECT_EQ(free->t, 1);
  options.from = free->state;
  const Trajectory run = integrate(testing::pushed_cart(), options);
  options.from.clear();
  EXPECT_TRUE(everything(run) == everything(integrate(testing::pushed_cart(), options)));
  // To the same end it goes on from anywhere; to one that makes the same steps, too.
  options.until = 5;
  seen.clear();
  options.checkpoint = [&](const Checkpoint& here) { seen.push_back(here); };
  integrate(testing::pushed_cart(), options);
  options.checkpoint = {};
  ASSERT_TRUE(seen.back().is_bound_to_end);
  options.until = 7;
  options.from = seen.back().state;
  const Trajectory on = integrate(testing::pushed_cart(), options);
  options.from.clear();
  EXPECT_TRUE(everything(on) == everything(integrate(testing::pushed_cart(), options)));
}

TEST(Checkpoints, OfOtherRunsAreRefused) {
  RunOptions options = all_of("gauss:2", 0.1, 5);
  Pieces pieces(options);
  pieces.go_on(testing::sleigh(), 20);
  options.from = pieces.state;
  const auto message = [&](const System& system, const RunOptions& other) {
    return refusal([&] { integrate(system, other); });
  };
  EXPECT_EQ(message(testing::sleigh(), options), "");
  const auto changed = [&](auto change) {
    RunOptions other = options;
    change(other);
    return message(testing::sleigh(), other);
  };
  const auto has = [](const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(has(changed([](RunOptions& o) { o.method = "mp"; }), "method gauss:2"));
  EXPECT_TRUE(has(changed([](RunOptions& o) { o.step = 0.05; }), "step 0.1"));
  EXPECT_TRUE(has(changed([](RunOptions& o) { o.set = {{"m", 2}}; }), "initial state and parameters"));
  EXPECT_TRUE(has(changed([](RunOptions& o) { o.init = {{"x", 2}}; }), "initial state and parameters"));
  EXPECT_TRUE(has(changed([](RunOptions& o) { o.every = 2; }), "every 3 steps"));
  EXPECT_TRUE(has(changed([](RunOptions& o) { o.precision = Precision::quadruple; }), "precision double"));
  EXPECT_TRUE(has(changed([](RunOptions& o) { o.backend = Backend::interpreter; }), "back end"));
  EXPECT_TRUE(has(changed([](RunOptions& o) { o.at = {1}; }), "times between the steps"));
  EXPECT_TRUE(has(changed([](RunOptions& o) { o.events = {{"x"}}; }), "events"));
  EXPECT_TRUE(has(changed([](RunOptions& o) { o.dense = true; }), "dense"));
  EXPECT_TRUE(has(changed([](RunOptions& o) { o.until = 1.5; }), "reached t = 2 already"));
  EXPECT_TRUE(has(changed([](RunOptions& o) { o.until = 2; }), "reached t = 2 already"));
  EXPECT_TRUE(has(message(testing::skate(), options), "system sleigh"));
}

TEST(Checkpoints, EndsThatAreNearButChangeTheLastStepsAreOtherEnds) {
  RunOptions options = all_of("gauss:2", 0.1, 5);
  Pieces pieces(options);
  pieces.go_on(testing::sleigh(), 20);
  options.from = pieces.state;
  options.until = 2.002;  // the last two steps would be equal, and one of them is made
  EXPECT_THROW(integrate(testing::sleigh(), options), OtherEnd);
  options.until = 2.05;
  options.from.clear();
  const Trajectory whole = integrate(testing::sleigh(), options);
  options.from = pieces.state;
  EXPECT_TRUE(everything(integrate(testing::sleigh(), options)) == everything(whole));
}

TEST(Checkpoints, LongInvariantsAreComparedAsAWhole) {
  const auto with = [](const std::string& last) {
    std::string invariant = "x'";
    for (int i = 2; i < 300; ++i) invariant += " + sin(" + std::to_string(i) + "*x)";
    return System::parse("name = 'point'\ncoordinates = ['x']\nlagrangian = \"x'^2/2\"\n[invariants]\nlong = \"" +
                         invariant + last + "\"\n[initial]\nv = [1]\n");
  };
  RunOptions options = all_of("gauss:2", 0.1, 5);
  Pieces pieces(options);
  pieces.go_on(with(" + cos(x)"), 20);
  options.from = pieces.state;
  EXPECT_EQ(refusal([&] { integrate(with(" + cos(x)"), options); }), "");
  for (const std::string other : {" + tan(x)", " - cos(x)", " + cos(x)^2", " + cos(2*x)", " + cos(x')"}) {
    EXPECT_NE(refusal([&] { integrate(with(other), options); }), "") << other;
  }
}

TEST(Checkpoints, ForgedSizesOfFlagsAreRefused) {
  ByteWriter to;
  to.put(~std::uint64_t(0));  // flags
  to.put(std::uint64_t(0));   // bytes
  const std::string bytes = to.take();
  std::vector<bool> flags;
  EXPECT_THROW(load_bytes(flags, bytes), InputError);
  for (const std::size_t size : {0, 1, 7, 8, 9, 16}) {
    std::vector<bool> saved(size, true), loaded;
    load_bytes(loaded, saved_bytes(saved));
    EXPECT_EQ(loaded, saved);
  }
}

TEST(Checkpoints, DamagedOnesAreRefused) {
  RunOptions options = all_of("gauss:2", 0.1, 5);
  Pieces pieces(options);
  pieces.go_on(testing::skate(), 7);
  const auto is_refused = [&](const std::string& bytes) {
    options.from = bytes;
    return !refusal([&] { integrate(testing::skate(), options); }).empty();
  };
  const std::string good = pieces.state;
  EXPECT_FALSE(is_refused(good));
  for (std::size_t size = 1; size < good.size(); size += 1 + size / 8) EXPECT_TRUE(is_refused(good.substr(0, size))) << size;
  for (std::size_t at = 0; at < good.size(); at += 1 + at / 16) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 4);
    EXPECT_TRUE(is_refused(bad)) << at;
  }
  EXPECT_TRUE(is_refused(good + "x"));
  EXPECT_TRUE(is_refused("what is this? it is long enough to have some numbers in it, but it has none"));
}

TEST(Checkpoints, ComeAtIntervals) {
  RunOptions options = all_of("gauss:2", 0.01, 100);
  long long before = -1;
  int count = 0;
  options.checkpoint = [&](const Checkpoint& here) {
    EXPECT_GE(here.steps, before);
    before = here.steps;
    ++count;
  };
  options.checkpoint_every = 1e-9;
  integrate(testing::sleigh(), options);
  EXPECT_EQ(before, 9999);  // before the last step
  EXPECT_GT(count, 2);
  options.checkpoint_every = 1e9;
  count = 0;
  before = -1;
  integrate(testing::sleigh(), options);
  EXPECT_EQ(count, 2);
}

}  // namespace
}  // namespace noslip
