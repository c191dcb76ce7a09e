// Starts that are checked quickly, of every kind of system: nothing is allocated, and nothing passes that the full
// check refuses or warns about.
#include <random>

#include <gtest/gtest.h>

#include <noslip/method/method.hpp>
#include <noslip/run/stepper.hpp>

#include "run/help.hpp"
#include "run/program_data.hpp"
#include "support/allocation_count.hpp"
#include "support/overdetermined.hpp"
#include "support/skew_gradient.hpp"

namespace noslip {
namespace {

using testing::numbers;
using testing::refusal;

struct StartCase {
  const char* name;
  std::string text;
};
void PrintTo(const StartCase& one, std::ostream* to) { *to << one.name; }

std::vector<double> in_one_piece(const InitialState& state) {
  std::vector<double> result = state.q;
  for (const std::vector<double>* values : {&state.v, &state.z}) {
    result.insert(result.end(), values->begin(), values->end());
  }
  return result;
}

class StartOf : public ::testing::TestWithParam<StartCase> {
 protected:
  System system_ = System::parse(GetParam().text);
  std::vector<double> parameters_ = system_.parameter_values({});
  InitialState start_ = system_.initial_state(parameters_);

  /// That belong to the positions and velocities.
  std::vector<double> momenta(const InitialState& state) const {
    Start<double> start{state.t, parameters_, in_one_piece({state.t, state.q, state.v, {}})};
    add_momenta(system_, start);
    return {start.state.end() - static_cast<std::ptrdiff_t>(state.v.size()), start.state.end()};
  }
  /// Some that accept the system.
  std::vector<std::string> methods() const {
    std::vector<std::string> names;
    for (const MethodFamily& family : method_families()) {
      const std::string name =
          family.numbers.empty() ? family.name : family.name + ":" + std::to_string(family.numbers.front());
      if (names.size() < 3 && find_method(name)->why_not(system_).empty()) names.push_back(name);
    }
    return names;
  }
};

std::vector<StartCase> start_cases() {
  return {{"Hamiltonian", R"toml(
        coordinates = ["x", "y", "theta"]
        hamiltonian = "9/16*(p(x)^2 + p(y)^2 - 2/3*p(x)*p(y)) + (p(theta) - x)^2/(2*(2 + sin(x))) + x*y"
        constraints = ["y' = theta*x'"]
        [initial]
        q = [0.5, 0.2, 0.5]
        v = [1, 0.5, -0.3])toml"},
          {"ImplicitMomenta", R"toml(
        coordinates = ["x", "y", "z"]
        hamiltonian = "sqrt(1 + p(x)^2 + p(y)^2 + p(z)^2) + x^2/2 + y^2 + x*z^2/5"
        constraints = ["z' = y*x'"]
        [initial]
        q = [1, 0.2, 0]
        v = [0.3, 0.4, 0.06])toml"},
          {"NonidealVelocities", R"toml(
        coordinates = ["x", "y", "theta"]
        lagrangian  = "(x'^2 + y'^2 + theta'^2)/2"
        constraints = ["y'*cos(theta) = x'*sin(theta)"]
        [nonideal]
        x = "-abs(psi(1))*cos(theta)/5"
        y = "-abs(psi(1))*sin(theta)/5"
        [initial]
        v = [2, 0, 1])toml"},
          {"NonidealPositions", R"toml(
        coordinates = ["x", "y"]
        lagrangian  = "(x'^2 + y'^2)/2"
        holonomic   = ["x^2 + y^2 = 1"]
        [nonideal]
        x = "2*abs(psi(1))*y/5"
        y = "-2*abs(psi(1))*x/5"
        [initial]
        q = [0.6, 0.8]
        v = [-1.6, 1.2])toml"},
          {"IndexTwo", R"toml(
        kind = "dae2"
        y = ["y1", "y2"]
        z = ["z1"]
        f = [[], ["y1*y2^2*z1^2", "y1^2*y2^2 - 3*y2^2*z1"]]
        g = ["y1^2*y2 = 1"]
        [initial]
        y = [1, 1]
        z = [1])toml"},
          {"Overdetermined", testing::jay_problem},
          {"SkewGradient", testing::rigid_body_text},
          {"SkewByNumbers", R"toml(
        kind = "skew-gradient"
        x = ["a", "b"]
        hamiltonian = "a^2/2 + b^4/4"
        structure = [[0, "1 + a^2 + 2*a"], ["-(1 + a)^2", 0]]
        [initial]
        x = [1, 2])toml"},
          {"Basis", R"toml(
        coordinates = ["x", "y", "phi", "psi"]
        lagrangian  = "(x'^2 + y'^2)/2 + phi'^2 + psi'^2/3 - x"
        constraints = ["x' = R*psi'*cos(phi)", "y' = R*psi'*sin(phi)"]
        basis       = [["R*cos(phi)", "R*sin(phi)", 0, 1], [0, 0, 1, 0]]
        [parameters]
        R = 0.7
        [initial]
        v = [0.7, 0, 0.5, 1])toml"},
          {"GroupWithPositions", R"toml(
        coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }, "x", "y", "z"]
        lagrangian  = "(x'^2 + y'^2 + z'^2)/2 + (w1^2 + 2*w2^2 + 3*w3^2)/2 - z"
        holonomic   = ["x^2 + y^2 + z^2 = 4", "R13*x + R23*y + R33*z = 8/5"]
        [initial]
        q = { x = 1.2, z = 1.6 })toml"}};
}

TEST_P(StartOf, IsSetWithoutAllocations) {
  const std::vector<std::string> names = methods();
  ASSERT_FALSE(names.empty());
  for (const std::string& method : names) {
    Stepper stepper(Program(system_, {.method = method}), 0.01);
    ASSERT_TRUE(stepper.step()) << method << ": " << stepper.outcome().message;
    Stepper fresh(Program(system_, {.method = method}), 0.01);
    const InitialState start{0, numbers(fresh.q()), numbers(fresh.v()), numbers(fresh.z())};
    const bool may_project = !system_.has_implicit_momenta() && !system_.offers().given_multipliers;
    for (const bool projects : {false, true}) {
      if (projects && !may_project) continue;
      stepper.project_states(projects);
      const long long before = testing::allocations;
      stepper.set_state(start);
      stepper.step();
      EXPECT_EQ(testing::allocations, before) << method << (projects ? ", projected" : "");
      stepper.set_state(start);
      ASSERT_EQ(stepper.advance(20), 20) << method << ": " << stepper.outcome().message;
      RunOptions options{.method = method, .step = 0.01, .steps = 20};
      options.project = projects;
      const Trajectory run = integrate(system_, start, options);
      EXPECT_EQ(numbers(stepper.q()), run.last.q) << method;
      EXPECT_EQ(numbers(stepper.v()), run.last.v) << method;
    }
  }
}

TEST_P(StartOf, InAnotherPrecisionIsSetWithoutAllocations) {
  const std::string method = methods().front();
  Stepper<quad> stepper(Program<quad>(system_, {.method = method}), 0.01);
  stepper.set_state(start_);
  const long long before = testing::allocations;
  stepper.set_state(start_);
  EXPECT_EQ(testing::allocations, before) << method;
}

/// Near ones and far ones, on the constraints and off them, well-conditioned and not.
TEST_P(StartOf, PassesTheFullCheckIfItPassesTheQuickOne) {
  const Program<double> program(system_, {.method = methods().front()});
  const ProgramData<double>& data = program.data();
  StartCheck<double> check(data.start_functions);
  MotionSolver<double> solver(data.continuous.equations<double>());
  const Continuous continuous = data.continuous.with_parameters(parameters_);
  solver.set_parameters(parameters_);
  std::vector<double> accelerations(system_.v().size()), multipliers(system_.multiplier_names().size());
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(-1, 1);
  // A projection does not make a rotation of a matrix that is none.
  const std::size_t first_moved =
      system_.is_on_group() && system_.factors()[0].is_matrix() ? system_.factors()[0].size : 0;
  int passed = 0, refused = 0;
  for (int i = 0; i < 400; ++i) {
    const double reach = std::pow(10.0, -16 + 0.05 * i);  // up to 1e4
    InitialState state = start_;
    for (std::vector<double>* values : {&state.q, &state.v, &state.z}) {
      for (std::size_t k = values == &state.q ? first_moved : 0; k < values->size() && i > 0; ++k) {
        (*values)[k] += reach * unit(random) * (1 + std::fabs((*values)[k]));
      }
    }
    if (i % 2 == 0 && i > 0) {
      refusal([&] {
        if (system_.has_implicit_momenta()) state.z = momenta(state);
        state = continuous.project(state);
      });
    }
    const std::vector<double> numbers = in_one_piece(state);
    const std::string message = refusal([&] {
      const ContinuousState found = continuous.require_consistent(state);
      if (auto warning = condition_warning(found, state.t)) throw InputError(warning->message);
    });
    refused += message.empty() ? 0 : 1;
    if (!check.is_certain(solver, state.t, numbers, parameters_, false, accelerations, multipliers)) continue;
    ++passed;
    EXPECT_EQ(message, "") << i;
    if (!check.is_certain(solver, state.t, numbers, parameters_, true, accelerations, multipliers)) continue;
    const InitialState projected = continuous.project(state);
    EXPECT_EQ(projected.q, state.q) << i;
    EXPECT_EQ(projected.v, state.v) << i;
  }
  EXPECT_GT(passed, 100) << refused;
}

INSTANTIATE_TEST_SUITE_P(All, StartOf, ::testing::ValuesIn(start_cases()),
                         [](const auto& instance) { return std::string(instance.param.name); });

/// What the quick check has to leave to the full one.
TEST(StartCheck, RefusesWhatViolatesAnything) {
  for (const StartCase& one : start_cases()) {
    const System system = System::parse(one.text);
    InitialState state = system.initial_state(system.parameter_values({}));
    std::string method;
    for (const MethodFamily& family : method_families()) {
      const std::string name =
          family.numbers.empty() ? family.name : family.name + ":" + std::to_string(family.numbers.front());
      if (find_method(name)->why_not(system).empty()) method = name;
    }
    Stepper stepper(Program(system, {.method = method}), 0.01);
    state.q.front() = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(refusal([&] { stepper.set_state(state); }).empty()) << one.name;
    state = system.initial_state(system.parameter_values({}));
    const bool is_free = system.velocity_level().empty() && system.constraints().empty();
    if (is_free) continue;
    std::vector<double>& moved = system.offers().given_multipliers || !system.holonomic().empty() ? state.q : state.v;
    for (double& value : moved) value += 1e-9 * (2 + value);
    EXPECT_NE(refusal([&] { stepper.set_state(state); }).find("is violated"), std::string::npos) << one.name;
  }
}

}  // namespace
}  // namespace noslip
