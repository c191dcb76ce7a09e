// States: variables of first order beside the mechanics.
#include <cmath>

#include <noslip/exec/function.hpp>
#include <noslip/model/shown.hpp>

#include "help.hpp"
#include "model/state_blocks.hpp"

namespace noslip::test {
namespace {

const std::string cart = R"toml(coordinates = ["x", "phi"]
lagrangian = "(m + fuel)/2*x'^2 + phi'^2/2"
constraints = ["x' = (1 + slip)*phi'"]
[parameters]
m = 2
[inputs]
tau = 0.5
[definitions]
command = "tau - 3*x' + fuel"
[states]
push = "(command - push)/2"
fuel = "-fuel*x^2/4"
slip = "t/10"
[forces]
x = "push"
[initial]
q = { x = 2 }
v = { x = "3/2", phi = 1 }
states = { fuel = 8, slip = 0.5 }
)toml";

TEST(States, AreTheLastOfThePositions) {
  const System system = System::parse(cart);
  ASSERT_EQ(system.states().size(), 3U);
  EXPECT_EQ(system.q().size(), 5U);
  EXPECT_EQ(system.v().size(), 2U);
  EXPECT_EQ(system.configuration().size(), 2U);
  EXPECT_EQ(system.dimension(), 2);
  EXPECT_EQ(system.coordinates(), (std::vector<std::string>{"x", "phi", "push", "fuel", "slip"}));
  EXPECT_EQ(configuration_names(system), (std::vector<std::string>{"x", "phi"}));
  EXPECT_EQ(state_names(system), (std::vector<std::string>{"push", "fuel", "slip"}));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(system.q()[2 + i], system.states()[i].symbol);
    EXPECT_EQ(system.position_rates()[2 + i], system.states()[i].rate);
  }
  ASSERT_EQ(system.blocks().size(), 3U);
  EXPECT_EQ(system.blocks()[1].role, Role::state);
  EXPECT_EQ(system.initial_state(system.parameter_values()).q, (std::vector<double>{2, 0, 0, 8, 0.5}));
  EXPECT_TRUE(system.structure().depends_on_time);
  EXPECT_FALSE(system.structure().constant_mass);
  EXPECT_EQ(system.structure().cyclic, (std::vector<std::string>{"phi"}));
}

TEST(States, ChangeMassesConstraintsAndTheEnergy) {
  const System system = System::parse(cart);
  const std::vector<double> parameters = system.parameter_values();
  const Continuous continuous(system, parameters);
  const InitialState start = system.initial_state(parameters);
  const ContinuousState state = continuous.require_consistent(start);
  // command = 0.5 - 4.5 + 8
  EXPECT_EQ(state.state_rates, (std::vector<double>{2, -8, 0}));
  // (m + fuel) x'' + fuel' x' = push + lambda, phi'' = -(1 + slip) lambda, x'' = (1 + slip) phi'' + slip' phi'
  const double lambda = state.multipliers[0], a = state.accelerations[0], b = state.accelerations[1];
  EXPECT_NEAR(10 * a - 8 * 1.5, lambda, 1e-13);
  EXPECT_NEAR(b, -1.5 * lambda, 1e-13);
  EXPECT_NEAR(a, 1.5 * b, 1e-13);
  EXPECT_NEAR(state.energy, 5 * 2.25 + 0.5, 1e-13);
  // dE/dt = push x' - fuel' x'^2/2
  EXPECT_TRUE(system.structure().does_work);
  const Evaluation<double> power = Function<double>(state_blocks(system), {{system.power()}})(
      {start.t, start.q, start.v, start.z, parameters});
  EXPECT_NEAR(power.output(0)[0], 9, 1e-14);
}

TEST(States, AreShown) {
  const Shown shown = noslip::shown(System::parse(cart));
  bool has_section = false;
  ASSERT_GE(shown.variables.size(), 2U);
  EXPECT_EQ(shown.variables[1].label, "states");
  EXPECT_EQ(shown.variables[0].names, (std::vector<std::string>{"x", "phi"}));
  EXPECT_EQ(shown.variables[1].names, (std::vector<std::string>{"push", "fuel", "slip"}));
  for (const auto& section : shown.sections) {
    if (section.title != "States, of first order") continue;
    has_section = true;
    ASSERT_EQ(section.text.size(), 3U);
    EXPECT_EQ(section.text[1].left, "fuel'");
  }
  EXPECT_TRUE(has_section);
}

TEST(States, MeanTheirDerivativeWithAPrimeOutsideOfTheFile) {
  const System system = System::parse(cart);
  Graph graph(system.graph());
  EXPECT_EQ(system.expression(graph, "fuel'", "column"), graph.counterpart(system.states()[1].rate));
  EXPECT_TRUE(contains(refusal([&] { system.expression(graph, "command'", "column"); }),
                       "definition 'command' contains the "));
}

TEST(States, StayWhereAStateIsProjected) {
  const System system = System::parse(cart);
  const Continuous continuous(system, system.parameter_values());
  InitialState start = system.initial_state(system.parameter_values());
  start.v = {0, 1};
  const InitialState nearest = continuous.project(start);
  EXPECT_EQ(nearest.q, start.q);
  EXPECT_NEAR(nearest.v[0], 1.5 * nearest.v[1], 1e-15);
  const System pendulum = System::parse(R"toml(coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2"
holonomic = ["x^2 + y^2 = 1"]
[states]
u = "x - u"
[initial]
q = { x = 2 }
states = [7]
)toml");
  const Continuous swings(pendulum, {});
  const InitialState there = swings.project(pendulum.initial_state(std::vector<double>{}));
  ASSERT_EQ(there.q.size(), 3U);
  EXPECT_NEAR(there.q[0], 1, 1e-15);
  EXPECT_EQ(there.q[2], 7);
}

TEST(States, ComeInFamiliesAndFromCpp) {
  const System chain = System::parse(R"toml(coordinates = ["x"]
lagrangian = "x'^2/2"
[states]
"u[0]" = "x - u[0]"
"u[i=1:3]" = "u[i-1] - u[i]"
[initial]
states = { "u[0]" = 1 })toml");
  ASSERT_EQ(chain.states().size(), 4U);
  EXPECT_EQ(chain.states()[3].name, "u[3]");
  SystemText text;
  text.coordinates = {"x"};
  text.lagrangian = "x'^2/2";
  text.states = {{"u", "x' - u"}};
  text.states0 = {3};
  EXPECT_EQ(System::from(text).initial_state(std::vector<double>{}).q, (std::vector<double>{0, 3}));
}

TEST(States, AreRefusedWithAReason) {
  const auto refused = [](const std::string& rest, const std::string& lagrangian = "x'^2/2") {
    return problem_of("coordinates = [\"x\"]\nlagrangian = \"" + lagrangian + "\"\n" + rest);
  };
  const auto expect = [](const std::string& message, const std::string& what) {
    EXPECT_TRUE(contains(message, what)) << message;
  };
  expect(refused("[states]\n"), "[states] is empty\n  [states]");
  expect(refused("[states]\nx = \"1\"\n"), "'x' is already the name of a coordinate");
  expect(refused("[states]\nu = \"v\"\n"), "unknown symbol 'v'");
  expect(refused("[states]\nu = 1\nv = \"u'\"\n"), "'u' is a state: its derivative is the right-hand side");
  expect(refused("holonomic = [\"x = u\"]\n[states]\nu = \"x\"\n"), "'u' is a state");
  expect(refused("holonomic = [\"x = d\"]\n[states]\nu = \"x\"\n[definitions]\nd = \"2*u\"\n"),
         "definition 'd' cannot be used here: 'u' is a state");
  expect(refused("[states]\nu = \"1\"\n[parameters]\na = \"u\"\n"), "'u' is a state");
  expect(refused("[states]\nu = \"1\"\n[initial]\nq = [\"u\"]\n"), "'u' is a state");
  expect(refused("[states]\nu = \"1\"\n[initial]\nstates = [1, 2]\n"), "initial states has 2 values for 1 state");
  expect(refused("[states]\nu = \"1\"\n[initial]\nstates = { x = 1 }\n"), "unknown state 'x'");
  expect(refused("[initial]\nstates = { u = 1 }\n"), "state");
  expect(refused("constraints = [\"x' = 1\"]\n[nonideal]\nx = \"psi(1)\"\n[states]\nu = \"psi(1)\"\n"), "psi(1)");
  expect(problem_of("kind = \"skew-gradient\"\nx = [\"a\", \"b\"]\nstructure = [[0, 1], [-1, 0]]\nhamiltonian = "
                    "\"a^2 + b^2\"\n[states]\nu = \"a\"\n"),
         "states");
  expect(problem_of("coordinates = [\"x\"]\nhamiltonian = \"p(x)^4 + p(x)^2\"\n[states]\nu = \"x\"\n"),
         "[states] beside a Hamiltonian whose momenta have no closed form");
  const System system = System::parse("coordinates = [\"x\"]\nlagrangian = \"x'^2/2\"\n[states]\nu = \"1/x\"\n");
  const Continuous continuous(system, {});
  expect(refusal([&] { continuous.require_consistent({0, {0, 0}, {0}, {}}); }),
         "the derivative of the state 'u' is not finite at the initial state");
}

}  // namespace
}  // namespace noslip::test
