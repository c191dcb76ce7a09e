// Inputs: values that the outside gives, constants of a step beside the parameters.
#include <cmath>

#include <noslip/model/shown.hpp>

#include "help.hpp"
#include "model/state_blocks.hpp"

namespace noslip::test {
namespace {

const std::string cart = R"toml(coordinates = ["x", "phi"]
lagrangian = "m/2*x'^2 + J/2*phi'^2 - slope*x"
constraints = ["x' = r*phi'"]
[parameters]
m = 2
r = 0.5
[inputs]
tau = 0.1
slope = "m*r"
[forces]
phi = "drive"
[definitions]
drive = "tau - J*phi'"
J = "m*r^2"
[invariants]
torque = "tau + x"
)toml";

TEST(Inputs, AreConstantsOfAStepBehindTheParameters) {
  const System system = System::parse(cart);
  ASSERT_EQ(system.parameters().size(), 2U);
  ASSERT_EQ(system.inputs().size(), 2U);
  EXPECT_EQ(system.inputs()[0].name, "tau");
  EXPECT_EQ(system.sampled(), nullptr);
  const std::vector<Parameter> constants = system.step_constants();
  const std::vector<Expr> symbols = parameter_symbols(system);
  ASSERT_EQ(constants.size(), 4U);
  ASSERT_EQ(symbols.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(symbols[i], constants[i].symbol);
  EXPECT_EQ(constants[2].name, "tau");
  EXPECT_EQ(state_blocks(system).back(), symbols);
}

TEST(Inputs, DefaultsFollowTheParameters) {
  const System system = System::parse(cart);
  EXPECT_EQ(system.parameter_values(), (std::vector<double>{2, 0.5, 0.1, 1}));
  EXPECT_EQ(system.parameter_values({{"m", 6}}), (std::vector<double>{6, 0.5, 0.1, 3}));
  EXPECT_TRUE(system.parameter_values_quad()[2] == quad(1) / 10);
  EXPECT_TRUE(contains(refusal([&] {
                         system.parameter_values({{"tau", 1}});
                       }),
                       "'tau' is an input, not a parameter\n  use `control.inputs"));
  EXPECT_EQ(refusal([&] {
              system.initial_state(std::vector<double>{2, 0.5});
            }),
            "2 parameter values for 2 parameters and 2 inputs of 'system'\n  take them from System::parameter_values");
  EXPECT_TRUE(contains(refusal([&] { Continuous(system, {1, 2, 3}); }), "3 parameter values for 2 parameters and 2"));
  const std::string infinite =
      "coordinates = [\"x\"]\nlagrangian = \"x'^2\"\n[parameters]\na = 0\n[inputs]\nu = \"1/a\"";
  EXPECT_TRUE(contains(refusal([&] { System::parse(infinite).parameter_values(); }),
                       "the default of input 'u' is not finite: '1/a' is inf"));
}

TEST(Inputs, AccelerationsHaveThem) {
  const System system = System::parse(cart);
  const InitialState state = system.initial_state(system.parameter_values());
  std::vector<Problem> problems;
  // (m r + J/r) x'' = tau - slope r,  J = m r^2
  for (const double tau : {0.0, 3.0}) {
    const ContinuousState at = Continuous(system, {2, 0.5, tau, 1}).evaluate(state, problems);
    EXPECT_NEAR(at.accelerations[0], (tau - 0.5) / 2, 1e-15);
  }
}

TEST(Inputs, ChangeNothingOfTheStructure) {
  const System system = System::parse(cart);
  EXPECT_FALSE(system.structure().depends_on_time);
  EXPECT_TRUE(system.structure().constant_mass);
  // They are no part of dE/dt: v . f is all there is.
  EXPECT_EQ(value(system.power(), {{"phi'", 2}, {"tau", 3}, {"m", 2}, {"r", 0.5}}), 2 * (3 - 1.0));
  EXPECT_EQ(value(system.invariants()[0].second, {{"tau", 3}, {"x", 4}}), 7);
}

TEST(Inputs, AreKnownInExpressions) {
  const System system = System::parse(cart);
  Graph graph(system.graph());
  EXPECT_EQ(value(system.expression(graph, "2*tau + drive", "--show"), {{"tau", 5}}), 15);
}

TEST(Inputs, EveryKindHasThem) {
  const System dae = System::parse(driven_index_two);
  EXPECT_EQ(value(dae.hidden_constraints()[0], {{"w", 5}, {"u", 3}, {"b", 0}}), 2);
  const System odae = System::parse(R"toml(kind = "odae"
y = ["a"]
z = ["b"]
lambda = ["k"]
v = ["b"]
f = ["u"]
r = ["k*u"]
g = ["a = 1"]
[inputs]
u = 2
[initial]
y = [1]
)toml");
  std::vector<Problem> problems;
  const std::vector<double> constants = odae.parameter_values();
  const ContinuousState at = Continuous(odae, constants).evaluate(odae.initial_state(constants), problems);
  EXPECT_NEAR(at.multipliers[0], -1, 1e-15);
  const System skew = System::parse(R"toml(kind = "skew-gradient"
x = ["a", "b"]
hamiltonian = "a^2/2 + b^2/2 - u*a"
structure = [["0", "sin(u)^2 + cos(u)^2"], ["-1", "0"]]
[inputs]
u = 2
)toml");
  EXPECT_EQ(value(skew.position_rates()[1], {{"a", 5}, {"u", 3}}), -2);
  const System body = System::parse(R"toml(
coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }]
lagrangian = "w1^2 + 2*w2^2 + 3*w3^2 - u*R33"
[inputs]
u = 1
w = "u0"
[parameters]
u0 = 4
[forces]
w1 = "w"
)toml");
  EXPECT_EQ(body.parameter_values(), (std::vector<double>{4, 1, 4}));
  EXPECT_EQ(value(body.forces()[0], {{"w", 7}, {"u", 2}, {"R32", 0.5}}), 8);
  const System relativistic = System::parse(R"toml(
coordinates = ["x"]
hamiltonian = "sqrt(1 + p(x)^2) - u*x"
[inputs]
u = 1
[initial]
v = [0.5]
)toml");
  const std::vector<double> values = relativistic.parameter_values();
  const InitialState start = relativistic.initial_state(values);
  EXPECT_NEAR(start.z[0], 0.5 / std::sqrt(0.75), 1e-15);
  EXPECT_EQ(relativistic.with_initial(start, {{"p(x)", 0}}, values).v[0], 0);
}

TEST(Inputs, FromCpp) {
  SystemText text;
  text.coordinates = {"x"};
  text.lagrangian = "x'^2/2";
  text.forces = {{"x", "tau"}};
  text.parameters = {{"k", "3"}};
  text.inputs = {{"tau", "2*k"}};
  EXPECT_EQ(System::from(text).parameter_values(), (std::vector<double>{3, 6}));
  text.inputs = {{"tau", "2*q"}};
  EXPECT_TRUE(contains(refusal([&] { System::from(text); }), "inputs.tau:1:3: unknown symbol 'q'"));
}

const std::string head = "coordinates = [\"x\", \"y\"]\n";
std::string with(const std::string& lines, const std::string& lagrangian = "x'^2 + y'^2") {
  return head + "lagrangian = \"" + lagrangian + "\"\n" + lines + "\n[inputs]\ntau = 1\n";
}

TEST(Inputs, ConstraintsAreWithoutThem) {
  EXPECT_EQ(problem_of(with("constraints = [\"x' = tau\"]")),
            "s.toml:3:22: 'tau' is an input, and constraint 'x' = tau' is violated when it changes\n"
            "  constraints = [\"x' = tau\"]\n"
            "                       ^\n"
            "  let it act through [forces], or make it a parameter");
  EXPECT_EQ(problem_of(with("holonomic = [\"x = d\"]") + "[definitions]\nd = \"2*tau\""),
            "s.toml:3:19: definition 'd' cannot be used here: 'tau' is an input, and position constraint 'x = d' is "
            "violated when it changes\n"
            "  holonomic = [\"x = d\"]\n"
            "                    ^\n"
            "  let it act through [forces], or make it a parameter");
  const std::string dae =
      "kind = \"dae2\"\ny = [\"a\"]\nz = [\"w\"]\nf = [[], [\"w\"]]\ng = [\"a = u\"]\n[inputs]\nu = 1";
  EXPECT_TRUE(contains(problem_of(dae), "let it act through f, or make it a parameter"));
}

TEST(Inputs, WhatIsContinuousIsWithoutThem) {
  EXPECT_EQ(problem_of(with("", "x'^2 + y'^2 + tau*x'")),
            "s.toml:2:15: the momenta contain the input 'tau': they would jump when it changes\n"
            "  lagrangian = \"x'^2 + y'^2 + tau*x'\"\n"
            "                ^\n"
            "  let it act through [forces] or the potential, or make it a parameter");
  EXPECT_EQ(problems_of(with("", "x'^2 + y'^2 + tau*x*y")).size(), 0U);
  for (const char* hamiltonian : {"tau*p(x)^2", "p(x)^2 + tau*p(x)^4"}) {
    const std::string text =
        "coordinates = [\"x\"]\nhamiltonian = \"" + std::string(hamiltonian) + "\"\n[inputs]\ntau = 1";
    EXPECT_TRUE(contains(problem_of(text), "the momenta contain the input 'tau'")) << hamiltonian;
  }
  const std::string odae =
      "kind = \"odae\"\ny = [\"a\"]\nz = [\"b\"]\nlambda = [\"k\"]\nv = [\"b + u\"]\np = [\"b*u\"]\nf = [\"0\"]\n"
      "r = [\"k\"]\ng = [\"a = 1\"]\n[inputs]\nu = 1\n";
  const std::vector<Problem> problems = problems_of(odae);
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_EQ(problems[0].what, "the momenta contain the input 'u': they would jump when it changes");
  EXPECT_EQ(problems[1].what,
            "the derivative of constraint 'a = 1' contains the input 'u': it is violated when the "
            "input changes");
}

TEST(Inputs, WhatIsKnownBeforeARunIsWithoutThem) {
  EXPECT_TRUE(contains(problem_of(with("parameters = { a = \"tau\" }")),
                       "'tau' is an input\n  parameters = { a = \"tau\" }\n                      ^\n"
                       "  the default of a parameter may use the parameters above it only"));
  EXPECT_TRUE(contains(problem_of(with("initial = { q = [\"tau\", 0], t = 1 }")), "may use the parameters only"));
  EXPECT_TRUE(contains(problem_of(with("basis = [[\"tau\", 1], [1, 0]]")),
                       "a basis may use the coordinates and the parameters only"));
  EXPECT_TRUE(contains(problem_of(with("exact = { x = \"t\" }")), "[exact] beside [inputs]"));
  EXPECT_TRUE(contains(problem_of(with("") + "u = \"tau\""), "the default of an input may use the parameters only"));
  EXPECT_TRUE(contains(problem_of(with("") + "y = 2"), "'y' is already the name of a coordinate"));
}

TEST(Inputs, AreShown) {
  const Shown found = shown(System::parse(cart));
  EXPECT_EQ(found.variables.back().label, "inputs");
  EXPECT_EQ(found.variables.back().names, (std::vector<std::string>{"tau = 0.1", "slope = m*r"}));
  EXPECT_EQ(found.entries.back().first, "inputs");
  EXPECT_EQ(found.entries.back().second.items[1].text, "m*r");
}

}  // namespace
}  // namespace noslip::test
