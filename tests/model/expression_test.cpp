// Functions of the state that are asked for when a system is there.
#include <gtest/gtest.h>

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
  EXPECT_EQ(system.expression(text, "text"), system.expression(other, "other")) << text;
}

TEST(Expressions, KnowTheWordsOfTheFile) {
  const System system = plain();
  EXPECT_EQ(system.expression("x", "text"), system.q()[0]);
  EXPECT_EQ(system.expression("dot(y)", "text"), system.v()[1]);
  EXPECT_EQ(system.expression("energy", "text"), system.energy());
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
  EXPECT_EQ(system.expression("energy", "text"), system.q()[0]);
  EXPECT_EQ(system.expression("p", "text"), system.q()[1]);
}

TEST(Expressions, KnowMomentaOfHamiltoniansAndBodyVelocities) {
  const System hamiltonian = System::parse(R"toml(
    coordinates = ["x"]
    hamiltonian = "p(x)^2/4"
    [definitions]
    double_p = "2*p(x)"
  )toml");
  EXPECT_EQ(hamiltonian.expression("double_p", "text"), hamiltonian.expression("4*x'", "text"));
  const System body = System::parse(R"toml(
    coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }]
    lagrangian  = "(w1^2 + 2*w2^2 + 3*w3^2)/2"
  )toml");
  EXPECT_EQ(body.expression("w2", "text"), body.v()[1]);
  EXPECT_EQ(body.expression("R13", "text"), body.q()[2]);
  EXPECT_EQ(body.expression("p(w3)", "text"), body.expression("3*w3", "text"));
}

TEST(Expressions, ShowWhereTheyAreWrong) {
  const System system = plain();
  for (const auto& [text, what] :
       std::vector<std::pair<std::string, std::string>>{{"x + tehta", "unknown symbol 'tehta'"},
                                                        {"x +", "--when"},
                                                        {"speed", "did you mean 'speed2'"},
                                                        {"", "--when"}}) {
    try {
      system.expression(text, "--when");
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      ASSERT_FALSE(error.problems().empty());
      EXPECT_NE(to_text(error.problems().front()).find(what), std::string::npos) << to_text(error.problems().front());
    }
  }
}

}  // namespace
}  // namespace noslip
