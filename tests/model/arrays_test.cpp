// Arrays, sums and families: the same system as the one that is written out.
#include <fmt/format.h>

#include <noslip/expr/print.hpp>
#include <noslip/model/symbols.hpp>

#include "model/help.hpp"

namespace noslip::test {
namespace {

const std::string lattice = R"toml(
name        = "lattice"
coordinates = ["q[0:n]", "y"]
lagrangian  = "sum(i, 0, n, m[i]*q[i]'^2)/2 + y'^2/2 - sum(i, 0, n - 1, V[i])"
constraints = ["y' = q[1]*q[2]'", "for i = 0:1: q[i + 2]' = i*q[i]'"]
[parameters]
n    = 3
beta = 0.7
m    = [1, 2, "beta", 4]
[definitions]
"V[i=0:n-1]" = "(q[i+1] - q[i])^2/2 + beta*(q[i+1] - q[i])^4/4"
[forces]
"q[i=1:n-1]" = "-q[i]'/i"
y = "-y'"
[initial]
q = { "q[i=0:n]" = "sin(pi*i/n)", y = 1 }
v = { "q[0:1]" = 2, "q[3]" = 2, y = 0 }
)toml";

const std::string written_out = R"toml(
name        = "lattice"
coordinates = ["q[0]", "q[1]", "q[2]", "q[3]", "y"]
lagrangian  = "((m[0]*q[0]'^2 + m[1]*q[1]'^2) + (m[2]*q[2]'^2 + m[3]*q[3]'^2))/2 + y'^2/2 - (V0 + (V1 + V2))"
constraints = ["y' = q[1]*q[2]'", "q[2]' = 0*q[0]'", "q[3]' = q[1]'"]
[parameters]
n    = 3
beta = 0.7
"m[0]" = 1
"m[1]" = 2
"m[2]" = "beta"
"m[3]" = 4
[definitions]
V0 = "(q[1] - q[0])^2/2 + beta*(q[1] - q[0])^4/4"
V1 = "(q[2] - q[1])^2/2 + beta*(q[2] - q[1])^4/4"
V2 = "(q[3] - q[2])^2/2 + beta*(q[3] - q[2])^4/4"
[forces]
"q[1]" = "-q[1]'"
"q[2]" = "-q[2]'/2"
y = "-y'"
[initial]
q = ["sin(pi*0/n)", "sin(pi*1/n)", "sin(pi*2/n)", "sin(pi*3/n)", 1]
v = [2, 2, 0, 2, 0]
)toml";

void expect_same(const System& a, const System& b) {
  EXPECT_EQ(a.coordinates(), b.coordinates());
  EXPECT_EQ(to_text(a.lagrangian()), to_text(b.lagrangian()));
  ASSERT_EQ(a.constraints().size(), b.constraints().size());
  for (std::size_t i = 0; i < a.constraints().size(); ++i) {
    EXPECT_EQ(to_text(a.constraints()[i].k), to_text(b.constraints()[i].k));
    EXPECT_EQ(a.constraints()[i].kind, b.constraints()[i].kind);
  }
  ASSERT_EQ(a.forces().size(), b.forces().size());
  for (std::size_t i = 0; i < a.forces().size(); ++i) EXPECT_EQ(to_text(a.forces()[i]), to_text(b.forces()[i]));
  EXPECT_EQ(a.parameter_values(), b.parameter_values());
  const InitialState of_a = a.initial_state(a.parameter_values()), of_b = b.initial_state(b.parameter_values());
  EXPECT_EQ(of_a.q, of_b.q);
  EXPECT_EQ(of_a.v, of_b.v);
}

TEST(Arrays, AreTheSystemThatIsWrittenOut) {
  const System system = System::parse(lattice);
  expect_same(system, System::parse(written_out));
  EXPECT_EQ(system.sizes(), std::vector<std::string>{"n"});
  EXPECT_EQ(system.v()[3].name(), "q[3]'");
  EXPECT_EQ(system.constraints()[2].text, "q[i + 2]' = i*q[i]' (i = 1)");
  EXPECT_EQ(system.parameters()[2].name, "m[0]");
}

TEST(Arrays, MayBeWrittenInCpp) {
  SystemText text = read_system_text(lattice, "lattice");
  const Symbols s;
  std::vector<Expr> terms;
  for (int i = 0; i < 4; ++i) {
    const Expr q = s[fmt::format("q[{}]", i)];
    terms.push_back(s[fmt::format("m[{}]", i)] * pow(dot(q), 2));
  }
  Expr potential = s.number(0);
  for (int i = 2; i >= 0; --i) potential = s[fmt::format("V[{}]", i)] + potential;
  text.lagrangian = sum(*terms[0].graph, terms) / 2 + pow(dot(s["y"]), 2) / 2 - potential;
  text.constraints.texts[1] = "for i = 0:1: q[i + 2]' = i*q[i]'";
  expect_same(System::from(text), System::parse(lattice));
}

TEST(Arrays, ASizeMakesAnotherSystem) {
  const System system = System::parse(
      "coordinates = [\"q[1:k]\"]\nlagrangian = \"sum(i, 1, k, m*i*q[i]'^2)\"\n"
      "[parameters]\nm = 1\nn = 2\nk = \"2*n\"");
  EXPECT_EQ(system.dimension(), 4);
  EXPECT_EQ(system.sizes(), (std::vector<std::string>{"n", "k"}));
  const System larger = system.resized({{"n", 5}, {"m", 7}, {"nobody", 1}});
  EXPECT_EQ(larger.dimension(), 10);
  EXPECT_EQ(larger.parameter_values({{"n", 5}}), (std::vector<double>{1, 5, 10}));
  EXPECT_EQ(larger.resized({{"n", 1}}).dimension(), 2);
  EXPECT_EQ(system.resized({{"k", 3}}).dimension(), 3);
  EXPECT_EQ(&system.resized({{"n", 2}, {"m", 3}}).data(), &system.data());
  EXPECT_EQ(system.parameter_values({{"n", 2}, {"m", 3}}), (std::vector<double>{3, 2, 4}));
  EXPECT_EQ(refusal([&] {
              system.parameter_values({{"n", 3}});
            }),
            "parameter 'n' is a size of 'system': it is 2 and cannot be changed to 3 any more\n"
            "  make the system with another size first (System::resized)");
  EXPECT_TRUE(contains(refusal([&] { system.resized({{"k", 2.5}}); }), "the last index is 5/2, not a whole number"));
}

TEST(Arrays, AreEmptyWhereTheLastIndexIsBelowTheFirst) {
  const System system = System::parse(
      "coordinates = [\"x\", \"q[1:n]\"]\nconstraints = [\"for i = 1:n: q[i]' = x\"]\n"
      "lagrangian = \"x'^2 + sum(i, 1, n, q[i]'^2)\"\n[parameters]\nn = 0");
  EXPECT_EQ(system.dimension(), 1);
  EXPECT_EQ(to_text(system.lagrangian()), "x'^2");
  EXPECT_EQ(system.resized({{"n", -5}}).dimension(), 1);
  EXPECT_EQ(system.resized({{"n", 2}}).constraints().size(), 2U);
}

TEST(Arrays, DefinitionsMayUseSmallerIndices) {
  const std::string head =
      "coordinates = [\"th[0:n]\"]\nlagrangian = \"sum(i, 0, n, th[i]'^2) - y[n]\"\n"
      "[parameters]\nn = 4\n[definitions]\n";
  const System chain = System::parse(head + "\"y[i=1:n]\" = \"y[i-1] + sin(th[i])\"\n\"y[0]\" = \"sin(th[0])\"");
  const System sums = System::parse(head + "\"y[i=0:n]\" = \"sum(j, 0, i, s[j])\"\n\"s[i=0:n]\" = \"sin(th[i])\"");
  const System doubling = System::parse(head + "\"y[0]\" = \"th[0]\"\n\"y[i=1:n]\" = \"sum(j, 0, i - 1, y[j])\"");
  const std::map<std::string, double> angles = {{"th[0]", 1}, {"th[1]", 2}, {"th[2]", 3}, {"th[3]", 4}, {"th[4]", 5}};
  const double expected = -(std::sin(1) + std::sin(2) + std::sin(3) + std::sin(4) + std::sin(5));
  EXPECT_NEAR(value(chain.lagrangian(), angles), expected, 1e-14);
  EXPECT_NEAR(value(sums.lagrangian(), angles), expected, 1e-14);
  EXPECT_EQ(value(doubling.lagrangian(), angles), -8);
  Graph graph(chain.graph());
  EXPECT_NEAR(value(chain.expression(graph, "sum(i, 0, n, y[i])", "text"), angles),
              5 * std::sin(1) + 4 * std::sin(2) + 3 * std::sin(3) + 2 * std::sin(4) + std::sin(5), 1e-14);
}

TEST(Arrays, AThousandMasses) {
  const System large = System::parse(R"toml(
coordinates = ["q[0:n]"]
lagrangian  = "sum(i, 0, n, q[i]'^2)/2 - sum(i, 0, n - 1, (q[i+1] - q[i])^2)/2"
[parameters]
n = 1000
[initial]
q = { "q[i=0:n]" = "i" }
)toml");
  EXPECT_EQ(large.dimension(), 1001);
  EXPECT_EQ(to_text(large.forces()[500]), "q[499] - q[500] + (q[501] - q[500])");
  EXPECT_TRUE(large.structure().diagonal_mass);
  EXPECT_EQ(large.initial_state(large.parameter_values()).q[1000], 1000);
}

TEST(Arrays, OfOtherKinds) {
  const System index_two = System::parse(R"toml(
kind = "dae2"
y = ["y[1:n]"]
z = ["z[1:n]"]
f = [[], ["for i = 1:n: -i*y[i] + z[i]"]]
g = ["for i = 1:n: y[i] = i*exp(-t)"]
[parameters]
n = 3
[initial]
y = { y = [1, 2, 3] }
z = { "z[i=1:n]" = "i*(i - 1)" }
[exact]
"y[i=1:n]" = "i*exp(-t)"
)toml");
  EXPECT_EQ(index_two.multiplier_names(), (std::vector<std::string>{"z[1]", "z[2]", "z[3]"}));
  const InitialState start = index_two.initial_state(index_two.parameter_values());
  EXPECT_EQ(start.q, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(start.z, (std::vector<double>{0, 2, 6}));
  EXPECT_EQ(index_two.exact().size(), 3U);
  EXPECT_EQ(to_text(index_two.position_rates()[2]), "z[3] - 3*y[3]");
  const System skew = System::parse(R"toml(
kind = "skew-gradient"
x = ["x[1:2]"]
hamiltonian = "sum(i, 1, 2, x[i]^2/i)"
structure = [[0, 1], [-1, 0]]
)toml");
  EXPECT_EQ(to_text(skew.energy()), "x[1]^2 + 1/2*x[2]^2");
}

TEST(Arrays, MomentaAnglesAndNonidealReactions) {
  const System system = System::parse(R"toml(
coordinates = ["th[1:n]"]
angles      = ["th[1:n]"]
hamiltonian = "sum(i, 1, n, p(th[i])^2/(2*i) + cos(i*th[i]))"
constraints = ["for i = 1:n-1: th[i]' = th[n]'"]
[parameters]
n = 3
[nonideal]
"th[i=1:n-1]" = "-psi(i)^2/10"
[initial]
p = { "th[i=1:n]" = "i" }
)toml");
  EXPECT_EQ(system.angles().size(), 3U);
  EXPECT_EQ(to_text(system.nonideal()[1]), "-0.1*psi(2)^2");
  EXPECT_EQ(system.initial_state(system.parameter_values()).v, (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(to_text(system.momenta()[2]), "3*th[3]'");
}

TEST(Arrays, TwoIndices) {
  const System system = System::parse(
      "coordinates = [\"q[1:6]\"]\nlagrangian = \"sum(i, 1, 6, q[i]'^2)\"\n"
      "constraints = [\"for i = 1:2: for j = 0:i-1: q[2*i + j]' = j*q[1]'\"]");
  ASSERT_EQ(system.constraints().size(), 3U);
  EXPECT_EQ(system.constraints()[2].text, "q[2*i + j]' = j*q[1]' (i = 2, j = 1)");
  EXPECT_EQ(to_text(system.constraints()[2].k), "q[5]' - q[1]'");
}

TEST(Arrays, StatesHaveTheirNames) {
  const System system = System::parse(lattice);
  const std::vector<double> parameters = system.parameter_values({{"m[1]", 5}});
  EXPECT_EQ(parameters[3], 5);
  const InitialState state = system.with_initial(system.initial_state(parameters), {{"q[1]", 8}, {"q[2]'", 9}});
  EXPECT_EQ(state.q[1], 8);
  EXPECT_EQ(state.v[2], 9);
  Graph graph(system.graph());
  EXPECT_EQ(to_text(system.expression(graph, "sum(i, 0, n, q[i]*m[i])", "text")),
            "q[0]*m[0] + q[1]*m[1] + (q[2]*m[2] + q[3]*m[3])");
}

}  // namespace
}  // namespace noslip::test
