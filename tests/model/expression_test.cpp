// Functions of the state that are asked for when a system is there.
#include <stdexcept>

#include <gtest/gtest.h>

#include <noslip/expr/derivative.hpp>
#include <noslip/model/system.hpp>

namespace noslip {
namespace {

System plain() {
  return System::parse(R"toml(
    coordinates = ["x", "y"]
    lagrangian  = "m/2*(x'^2 + 2*y'^2) - y"
    [parameters]
    m = 3
    [definitions]
    speed2 = "x'^2 + y'^2"
    [invariants]
    push = "m*x'"
  )toml");
}

void expect_same(const System& system, const std::string& text, const std::string& other) {
  Graph graph(system.graph());
  EXPECT_EQ(system.expression(graph, text, "text"), system.expression(graph, other, "other")) << text;
}

/// The text means this expression of the system.
void expect_means(const System& system, const std::string& text, Expr expression) {
  Graph graph(system.graph());
  EXPECT_EQ(system.expression(graph, text, "text"), graph.counterpart(expression)) << text;
}

TEST(Expressions, KnowTheWordsOfTheFile) {
  const System system = plain();
  expect_means(system, "x", system.q()[0]);
  expect_means(system, "dot(y)", system.v()[1]);
  expect_means(system, "energy", system.energy());
  expect_same(system, "speed2 = 2", "x'^2 + y'^2 - 2");
  expect_same(system, "push", "m*x'");
  expect_same(system, "p(y)", "2*m*y'");
  expect_same(system, "t + m", "m + t");
}

TEST(Expressions, GiveWayToNamesOfTheFile) {
  const System system = System::parse(R"toml(
    coordinates = ["energy", "p"]
    lagrangian  = "energy'^2 + p'^2"
  )toml");
  expect_means(system, "energy", system.q()[0]);
  expect_means(system, "p", system.q()[1]);
}

TEST(Expressions, KnowMomentaOfHamiltoniansAndBodyVelocities) {
  const System hamiltonian = System::parse(R"toml(
    coordinates = ["x"]
    hamiltonian = "p(x)^2/4"
    [definitions]
    double_p = "2*p(x)"
  )toml");
  expect_same(hamiltonian, "double_p", "4*x'");
  const System body = System::parse(R"toml(
    coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }]
    lagrangian  = "(w1^2 + 2*w2^2 + 3*w3^2)/2"
  )toml");
  expect_means(body, "w2", body.v()[1]);
  expect_means(body, "R13", body.q()[2]);
  expect_same(body, "p(w3)", "3*w3");
}

TEST(Expressions, ShowWhereTheyAreWrong) {
  const System system = plain();
  Graph graph(system.graph());
  for (const auto& [text, what] :
       std::vector<std::pair<std::string, std::string>>{{"x + tehta", "unknown symbol 'tehta'"},
                                                        {"x +", "--when"},
                                                        {"speed", "did you mean 'speed2'"},
                                                        {"", "--when"}}) {
    try {
      system.expression(graph, text, "--when");
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      ASSERT_FALSE(error.problems().empty());
      EXPECT_NE(to_text(error.problems().front()).find(what), std::string::npos) << to_text(error.problems().front());
    }
  }
}

TEST(Expressions, LiveInAGraphOfTheirCaller) {
  const System system = plain(), other = System::parse("coordinates = [\"z\"]\nlagrangian = \"z'^2\"");
  const std::size_t size = system.graph().size();
  Graph graph(system.graph());
  const Expr speed = system.expression(graph, "sqrt(speed2) + sin(7*x)", "text");
  EXPECT_EQ(speed.graph, &graph);
  EXPECT_EQ(system.graph().size(), size);
  EXPECT_EQ(system.expression(graph, "sin(7*x) + sqrt(speed2)", "text"), speed);
  Graph empty, foreign(other.graph());
  EXPECT_THROW(system.expression(empty, "x", "text"), std::logic_error);
  EXPECT_THROW(system.expression(foreign, "x", "text"), std::logic_error);
  EXPECT_THROW(system.expression(*system.t().graph, "x", "text"), std::logic_error);
}

TEST(Expressions, NothingIsAddedToASystem) {
  const System system = plain();
  EXPECT_TRUE(system.graph().is_frozen());
  EXPECT_THROW(system.q()[0] * system.v()[1] + Number(17), std::logic_error);
  EXPECT_THROW(sin(system.energy()), std::logic_error);
  EXPECT_THROW(gradient(system.energy() * system.energy(), system.q()), std::logic_error);
  EXPECT_EQ(system.parameters()[0].symbol * system.v()[0], system.momenta()[0]);  // it is there
}

}  // namespace
}  // namespace noslip
