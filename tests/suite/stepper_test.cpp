// Steppers of every method on every system that it accepts: the bits of integrate, however the steps are made, saved and
// loaded; nothing is allocated between them.
#include <gtest/gtest.h>

#include <noslip/ensemble/ensemble.hpp>
#include <noslip/run/stepper.hpp>

#include "suite/members.hpp"
#include "support/allocation_count.hpp"
#include "support/figures.hpp"

namespace noslip {
namespace {

std::vector<double> numbers(std::span<const double> values) { return {values.begin(), values.end()}; }

double largest(std::span<const double> values) {
  double size = 1;
  for (const double value : values) size = std::max(size, std::fabs(value));
  return size;
}

class StepperOf : public ::testing::TestWithParam<std::string> {};

/// Step by step what integrate says.
void expect_steps_of_integrate(const System& system, const std::string& method, double h) {
  RunOptions options = testing::options(method, h, 25);
  options.every = 1;
  const Trajectory run = integrate(system, options);
  ASSERT_EQ(run.outcome.status, Status::done) << system.name() << ": " << run.outcome.message;
  Stepper stepper(Program(system, {.method = method}), h);
  ASSERT_EQ(run.samples.size(), static_cast<std::size_t>(run.steps) + 1) << system.name();
  for (const Sample& sample : run.samples) {
    if (&sample != &run.samples.front()) {
      ASSERT_TRUE(stepper.step()) << system.name() << ": " << stepper.outcome().message;
    }
    ASSERT_EQ(stepper.t(), sample.t) << system.name();
    ASSERT_EQ(numbers(stepper.q()), sample.q) << system.name() << " at t = " << sample.t;
    ASSERT_EQ(numbers(stepper.v()), sample.v) << system.name() << " at t = " << sample.t;
    EXPECT_NEAR(stepper.work(), sample.work, 1e-13 * (1 + std::fabs(sample.work))) << system.name();
    if (system.has_energy()) {
      EXPECT_NEAR(stepper.energy(), sample.energy, 1e-13 * largest(sample.v) * largest(sample.v) * 10) << system.name();
    }
    EXPECT_NEAR(stepper.residual(), sample.max_constraint, 1e-13 * largest(sample.v)) << system.name();
    // A row shows the inputs that act from then on; those of a stepper change when it goes on.
    if (numbers(stepper.inputs()) != sample.inputs) continue;
    const std::span<const double> multipliers = stepper.multipliers();
    ASSERT_EQ(multipliers.size(), sample.multipliers.size()) << system.name();
    for (std::size_t i = 0; i < multipliers.size(); ++i) {
      EXPECT_NEAR(multipliers[i], sample.multipliers[i], 1e-8 * largest(sample.multipliers)) << system.name() << sample.t;
    }
  }
  EXPECT_EQ(stepper.steps(), run.steps);
}

constexpr long long steps_in_pieces = 1000;

/// With which so many steps do not fail. Two motions need smaller steps than others, since they become faster and faster:
/// with the usual ones the driven sleigh fails from t = 17 on, and the index-2 problem, which grows as exp(2 t), from
/// t = 2.8 on.
double step_of_pieces(const std::string& method, const System& system) {
  if (system.name() == "driven sleigh") return 0.01;
  if (system.name() == "Index-2 test problem in five parts") return 0.002;
  return testing::step_for(method, system);
}

/// The same bytes however the steps are cut into pieces, with a new stepper for each. `made`: how many.
void expect_same_in_pieces(const Program<double>& program, double h, long long* made) {
  constexpr long long most = steps_in_pieces;
  Stepper one_by_one(program, h), at_once(program, h);
  while (one_by_one.steps() < most && one_by_one.step()) continue;
  const long long steps = *made = one_by_one.steps();  // a motion may end
  ASSERT_GT(steps, 20) << program.system().name();
  if (steps < most) {
    EXPECT_EQ(one_by_one.outcome().status, Status::failed);
  }
  ASSERT_EQ(at_once.advance(most), steps);
  at_once.energy();  // looks change nothing
  at_once.multipliers();
  const std::string end = one_by_one.save();
  EXPECT_TRUE(at_once.save() == end) << program.system().name();
  for (const long long pieces : {1, 7, 10}) {
    std::string state = Stepper(program, h).save();
    for (long long i = 0; i < pieces; ++i) {
      Stepper next(program, 3 * h);
      next.load(state);
      const long long first = most * i / pieces, last = most * (i + 1) / pieces;
      ASSERT_EQ(next.advance(last - first), std::clamp(steps - first, 0LL, last - first));
      state = next.save();
    }
    EXPECT_TRUE(state == end) << program.system().name() << " in pieces: " << pieces;
  }
}

void expect_no_allocations(const Program<double>& program, double h) {
  if (!testing::counts_allocations) return;
  Stepper stepper(program, h);
  const System& system = program.system();
  const std::vector<double> q = numbers(stepper.q()), v = numbers(stepper.v()), z = numbers(stepper.z());
  const std::vector<double> parameters = numbers(stepper.parameters()), inputs = numbers(stepper.inputs());
  long long before = 0;
  double sum = 0;
  for (int round = 0; round < 2; ++round) {  // from the second call on
    before = testing::allocations;
    stepper.step();
    stepper.advance(3);
    sum += stepper.q()[0] + stepper.energy() + stepper.work() + stepper.residual() + stepper.t();
    if (!stepper.multipliers().empty()) sum += stepper.multipliers()[0];
    if (!stepper.v().empty()) sum += stepper.v()[0];
    stepper.set_step(round == 0 ? h / 2 : h / 4);
    stepper.set_parameters(parameters);
    stepper.set_inputs(inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) stepper.set_input(i, inputs[i]);
    if (system.sampled() == nullptr) {
      stepper.set_step(-h / 3);
      stepper.step();
    }
    stepper.step();
  }
  EXPECT_EQ(testing::allocations, before) << system.name() << " " << sum;
  for (int round = 0; round < 2; ++round) {
    before = testing::allocations;
    stepper.set_state(0, q, v, z);
    stepper.step();
  }
  EXPECT_EQ(testing::allocations, before) << system.name() << ": set_state";
}

TEST_P(StepperOf, EverySystemMovesAsInARunInAnyPiecesWithoutAllocations) {
  const auto systems = testing::systems_for(GetParam());
  for (const System& system : systems) {
    const double h = testing::step_for(GetParam(), system);
    expect_steps_of_integrate(system, GetParam(), h);
    const Program<double> program(system, {.method = GetParam()});
    const double h_of_pieces = step_of_pieces(GetParam(), system);
    long long made = 0;
    expect_same_in_pieces(program, h_of_pieces, &made);
    EXPECT_EQ(made, steps_in_pieces) << system.name();
    if (h_of_pieces != h) expect_same_in_pieces(program, h, &made);  // ends where it fails
    expect_no_allocations(program, h);
  }
  test::figure("pairs_in_pieces", std::ssize(systems));
}

/// Members that are far from each other: states along a motion, and their mirror images in time.
std::vector<InitialState> far_members(const System& system) {
  const Trajectory run = integrate(system, {.method = "gauss:2", .step = 0.02, .steps = 400, .every = 40});
  std::vector<InitialState> members;
  for (const Sample& sample : run.samples) {
    members.push_back({0, sample.q, sample.v, {}});
    for (double& rate : members.emplace_back(members.back()).v) rate = -rate;
  }
  return members;
}

TEST_P(StepperOf, MembersOfEnsemblesMoveAsInRuns) {
  for (const char* name : {"sleigh", "mobile-robot", "rolling-disk", "chaplygin-ball", "chaplygin-sleigh-se2", "heavy-top"}) {
    const System system = catalogue_system(name);
    if (!testing::accepts(GetParam(), system)) continue;
    const std::vector<InitialState> members = far_members(system);
    EnsembleOptions options;
    options.run.method = GetParam();
    options.run.step = 0.02;
    options.run.steps = 5;
    options.run.project = true;
    std::vector<Trajectory> runs;
    for (const InitialState& member : members) {
      RunOptions run = testing::options(GetParam(), 0.02, 5);
      run.project = true;
      runs.push_back(integrate(system, member, run));
    }
    for (const int lanes : {1, 4, 8}) {
      options.lanes = lanes;
      const Ensemble ensemble = integrate_ensemble(system, members, options);
      ASSERT_EQ(ensemble.done, members.size()) << name;
      for (std::size_t j = 0; j < members.size(); ++j) {
        std::vector<double> alone = runs[j].last.q;
        alone.insert(alone.end(), runs[j].last.v.begin(), runs[j].last.v.end());
        EXPECT_EQ(ensemble.last(j), alone) << name << ", member " << j << ", lanes: " << lanes;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, StepperOf, ::testing::ValuesIn(testing::all_methods()),
                         [](const auto& instance) { return testing::test_name(instance.param); });

}  // namespace
}  // namespace noslip
