// The builder of steps: points, the end as it is stored, guesses; and that all methods fill in what they have to.
#include <gtest/gtest.h>

#include <noslip/method/method.hpp>

#include "method/step_builder.hpp"

namespace noslip {
namespace {

const char* const plain = R"toml(
    coordinates = ["x", "y", "z"]
    lagrangian  = "(2*x'^2 + y'^2 + z'^2)/2 - x^2"
    constraints = ["z' = y*x'"])toml";
const char* const mass_of_q = R"toml(
    coordinates = ["x", "y"]
    lagrangian  = "(x'^2 + (1 + x^2)*y'^2)/2"
    constraints = ["y' = x*x'"])toml";
const char* const implicit_momenta = R"toml(
    coordinates = ["x", "y", "z"]
    hamiltonian = "sqrt(1 + p(x)^2 + p(y)^2 + p(z)^2) + z"
    constraints = ["z' = y*x'"])toml";

TEST(StepBuilder, PutsTheSystemWhereThePointIs) {
  const System system = System::parse(plain);
  StepBuilder step(system);
  const Change w = step.new_change("w", "e");
  EXPECT_TRUE(w.z.empty());
  const Stage stage = step.at(step.time(0.5), step.h * step.v0, w);
  EXPECT_EQ(stage.v, alias(step.v0 + w.v));
  EXPECT_EQ(stage.force[0], Number(-2) * step.graph.alias(step.q0[0] + step.h * step.v0[0]));
  EXPECT_EQ(step.momentum_change(stage, w), (Vector{Number(2) * w.v[0], w.v[1], w.v[2]}));
  EXPECT_EQ(&step.start(), &step.start());
  EXPECT_EQ(step.start().v, step.v0);
}

TEST(StepBuilder, EndsWhereTheStateWillBe) {
  const System constant = System::parse(plain), changing = System::parse(mass_of_q);
  for (const System* system : {&constant, &changing}) {
    StepBuilder step(*system);
    Change w = step.new_change("w", "e");
    const Vector q1 = step.recipe.move(0, step.h * step.v0, {}, true);
    const Stage end = step.end(q1, w);
    const std::size_t n = step.v0.size();
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(q1[i], step.recipe.state[i].next(step.graph));
      EXPECT_TRUE(step.recipe.state[i].stored_as_seen);
      EXPECT_EQ(step.recipe.state[n + i].increment, w.v[i]);
      const bool sees_low_part = depends_on(end.v[i], step.recipe.state[n + i].low);
      EXPECT_EQ(sees_low_part, system == &constant) << "momenta of a mass that changes would undo the low part";
    }
  }
}

TEST(StepBuilder, VelocitiesFollowFromMomentaThatAreVariables) {
  const System system = System::parse(implicit_momenta);
  StepBuilder step(system);
  Change following = step.new_following_change("w", "e");
  EXPECT_TRUE(following.v.empty());
  ASSERT_EQ(following.z.size(), 3u);
  const Vector q1 = step.recipe.move(0, step.h * step.v0);
  const Stage end = step.end(q1, following);
  EXPECT_EQ(following.v, end.v - step.v0);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(step.recipe.state[3 + i].value, end.v[i]);
    EXPECT_EQ(step.recipe.state[6 + i].increment, following.z[i]);
  }
  Solve solve;
  step.tie(solve, end);
  EXPECT_EQ(solve.residuals.size(), 3u);
  step.seek(solve, {{}, following.z}, 1, following);
  EXPECT_EQ(solve.unknowns.size(), 3u);
  EXPECT_EQ(solve.unknowns[0].first_guess, step.conjugate.first_change()[0]);
}

TEST(StepBuilder, ReactionsAndFriction) {
  Graph graph;
  const Expr h = graph.symbol("h");
  Stage stage;
  stage.K = {SparseRow(new_symbols(graph, "K", 2))};
  const Vector z = new_symbols(graph, "z", 1);
  stage.react(graph, h, z);
  EXPECT_EQ(stage.reactions, z[0] * stage.K[0].dense());
  EXPECT_TRUE(stage.friction.empty());
  stage.psi = new_symbols(graph, "psi", 1);
  stage.nonideal = {stage.psi[0] * stage.psi[0], graph.constant(0)};
  stage.react(graph, h, z);
  EXPECT_EQ(stage.friction[0], h * powi(z[0] / h, 2));
  EXPECT_EQ(stage.reactions, z[0] * stage.K[0].dense() + stage.friction);
}

TEST(Recipes, AreComplete) {
  for (const char* text : {plain, mass_of_q, implicit_momenta}) {
    const System system = System::parse(text);
    for (const MethodFamily& family : method_families()) {
      const std::shared_ptr<const Method> method = find_method(family.example.name);
      if (!method->why_not(system).empty()) continue;
      const StepRecipe recipe = method->record(system);
      for (const Solve& solve : recipe.solves) {
        EXPECT_EQ(solve.unknowns.size(), solve.residuals.size()) << family.name;
        EXPECT_FALSE(solve.scale.empty()) << family.name;
        bool decides = false;
        for (const Unknown& unknown : solve.unknowns) decides = decides || unknown.decides_convergence;
        EXPECT_TRUE(decides) << family.name;
      }
      for (const StateVariable& variable : recipe.state) {
        EXPECT_TRUE(variable.increment.graph != nullptr || variable.value.graph != nullptr)
            << family.name << ", " << variable.symbol.name();
      }
    }
  }
}

}  // namespace
}  // namespace noslip
