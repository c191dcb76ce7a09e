// Methods of the user's own: what their names become, what is evaluated, what is refused.
#include <functional>
#include <thread>

#include <gtest/gtest.h>

#include <noslip/core/error.hpp>
#include <noslip/method/method.hpp>
#include <noslip/method/register.hpp>

namespace noslip {
namespace {

const quad unit = 1;

const Tableau rk4{"classical",
                  "",
                  {0, unit / 2, unit / 2, 1},
                  {unit / 6, unit / 3, unit / 3, unit / 6},
                  {{0, 0, 0, 0}, {unit / 2, 0, 0, 0}, {0, unit / 2, 0, 0}, {0, 0, 1, 0}}};

/// All problems in one text; empty where there is none.
std::string problems_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

std::string problems_of_spark(const std::function<void(SparkCoefficients&)>& spoil, const MethodNotes& notes = {}) {
  SparkCoefficients coefficients = gauss_spark(2);
  spoil(coefficients);
  return problems_of([&] { register_spark("refused", coefficients, notes); });
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Register, MakesANameLikeAnyOther) {
  register_runge_kutta("own-rk4", rk4, {.summary = "the classical one", .source = "W. Kutta (1901)"});
  const MethodTraits traits = find_method("own-rk4")->traits();
  EXPECT_EQ(traits.name, "own-rk4");
  EXPECT_EQ(traits.order, 4);
  EXPECT_EQ(traits.stages, 4);
  EXPECT_EQ(traits.summary, "the classical one");
  EXPECT_TRUE(traits.keeps_constraints);
  EXPECT_FALSE(traits.symmetric);
  EXPECT_EQ(find_method("own-rk4,sums=plain,map=exp")->traits().name, "own-rk4,map=exp,sums=plain");
  EXPECT_TRUE(contains(problems_of([] { find_method("own-rk4:3"); }), "takes no number"));
  EXPECT_TRUE(contains(problems_of([] { find_method("own-rk5"); }), "did you mean 'own-rk4'?"));
  int listed = 0;
  for (const MethodFamily& family : method_families())
    listed += family.name == "own-rk4" && family.order == "4" ? 1 : 0;
  EXPECT_EQ(listed, 1);
}

TEST(Register, TheSameAgainIsHarmlessAndAnotherIsNot) {
  register_runge_kutta("own-again", rk4);
  EXPECT_EQ(problems_of([] { register_runge_kutta("own-again", rk4); }), "");
  Tableau other = rk4;
  other.b = {unit / 8, 3 * unit / 8, 3 * unit / 8, unit / 8};
  other.a = {{0, 0, 0, 0}, {unit / 3, 0, 0, 0}, {-unit / 3, 1, 0, 0}, {1, -1, 1, 0}};
  other.c = {0, unit / 3, 2 * unit / 3, 1};
  EXPECT_TRUE(contains(problems_of([&] { register_runge_kutta("own-again", other); }), "is registered already"));
  EXPECT_TRUE(
      contains(problems_of([] { register_runge_kutta("own-again", rk4, {.order = 3}); }), "registered already"));
  EXPECT_TRUE(contains(problems_of([] { register_spark("own-again", gauss_spark(2)); }), "is registered already"));
}

TEST(Register, EvaluatesWhatCoefficientsDecide) {
  register_spark("own-gauss3", gauss_spark(3));
  register_spark("own-abd3", lobatto_abd_spark(3), {.multiplier_order = 2});
  register_spark("own-euler", euler_a_spark(), {.multiplier_order = 1});
  register_spark("own-radau", specialised_spark(radau_iia(2)));
  for (const auto& [own, theirs] : {std::pair{"own-gauss3", "gauss:3"}, std::pair{"own-abd3", "lobatto-abd:3"},
                                    std::pair{"own-euler", "euler-a"}}) {
    const MethodTraits a = find_method(own)->traits(), b = find_method(theirs)->traits();
    EXPECT_EQ(a.order, b.order) << own;
    EXPECT_EQ(a.order_when_free, b.order_when_free) << own;
    EXPECT_EQ(a.multiplier_order, b.multiplier_order) << own;
    EXPECT_EQ(a.symmetric, b.symmetric) << own;
    EXPECT_EQ(a.lagrange_dalembert, b.lagrange_dalembert) << own;
    EXPECT_EQ(a.symplectic, b.symplectic) << own;
    EXPECT_EQ(a.holonomic, b.holonomic) << own;
    EXPECT_EQ(a.keeps_constraints, b.keeps_constraints) << own;
  }
  const MethodTraits radau = find_method("own-radau")->traits();
  EXPECT_EQ(radau.order, 3);
  EXPECT_FALSE(radau.symmetric);
  EXPECT_TRUE(radau.keeps_constraints);
}

TEST(Register, ConditionsThatAreNotSymmetricMakeNoSymmetricMethod) {
  SparkCoefficients skew = gauss_spark(3);
  skew.nodes.reset();
  skew.omega[1] = {1, 0, 0, 0};  // the constraint at the first stage in place of a moment
  register_spark("own-skew", skew);
  EXPECT_FALSE(find_method("own-skew")->traits().symmetric);
}

TEST(Register, TakesRoundedCoefficients) {
  SparkCoefficients rounded = specialised_spark(gauss(3));
  const auto round = [](std::vector<quad>& values) {
    for (quad& value : values) value = static_cast<double>(value);
  };
  for (Tableau* tableau : {&rounded.q, &rounded.forces, &rounded.reactions}) {
    round(tableau->b);
    round(tableau->c);
    for (std::vector<quad>& row : tableau->a) round(row);
  }
  for (std::vector<quad>& row : rounded.omega) round(row);
  register_spark("own-rounded", rounded);
  const MethodTraits traits = find_method("own-rounded")->traits();
  EXPECT_EQ(traits.order, 6);
  EXPECT_TRUE(traits.symmetric);
  EXPECT_TRUE(traits.lagrange_dalembert);
}

TEST(Register, OrdersAreThoseOfTheCoefficients) {
  // The triple jump of the midpoint rule: four without constraints and, measured, with them; assumptions prove three.
  const auto jump = [](quad outer) {
    const quad inner = 1 - 2 * outer;
    Tableau tableau{
        "", "", {}, {outer, inner, outer}, {{outer / 2, 0, 0}, {outer, inner / 2, 0}, {outer, inner, outer / 2}}};
    tableau.c = {outer / 2, unit / 2, 1 - outer / 2};
    return tableau;
  };
  quad cube_root = 1.26;  // of two, by Newton's method
  for (int i = 0; i < 5; ++i) cube_root -= (cube_root * cube_root * cube_root - 2) / (3 * cube_root * cube_root);
  const Tableau triple = jump(1 / (2 - cube_root));
  register_spark("own-jump", specialised_spark(triple));
  EXPECT_EQ(find_method("own-jump")->traits().order, 3);
  EXPECT_EQ(find_method("own-jump")->traits().order_when_free, 4);
  register_spark("own-jump4", specialised_spark(triple), {.order = 4});
  EXPECT_EQ(find_method("own-jump4")->traits().order, 4);
  EXPECT_EQ(find_method("own-jump4")->traits().order_when_free, 0);
  EXPECT_TRUE(contains(problems_of([&] { register_spark("own-jump5", specialised_spark(triple), {.order = 5}); }),
                       "order 5 is claimed, but the coefficients have order 4"));
  EXPECT_TRUE(contains(problems_of([] { register_runge_kutta("own-rk5", rk4, {.order = 5}); }),
                       "order 5 is claimed, but the coefficients have order 4"));
  EXPECT_TRUE(
      contains(problems_of([] { register_runge_kutta("own-rk5", rk4, {.order = -1}); }), "order -1 is claimed"));
  // Above what trees of two colours tell the user has to know.
  const SparkCoefficients high = lobatto_ab_spark(6);
  EXPECT_TRUE(contains(problems_of([&] { register_spark("own-high", high); }), "its order is 8 or more"));
  EXPECT_EQ(problems_of([&] { register_spark("own-high", high, {.order = 10}); }), "");
  EXPECT_TRUE(contains(problems_of([&] { register_spark("own-high", high, {.order = 11}); }), "at most 10"));
}

TEST(Register, RefusesNames) {
  for (const char* name : {"a:b", "a,b", "a b", "a\tb", "a=b", " a"}) {
    EXPECT_TRUE(contains(problems_of([&] { register_runge_kutta(name, rk4); }), "cannot be the name of a method"))
        << name;
  }
  EXPECT_TRUE(contains(problems_of([] { register_runge_kutta("", rk4); }), "a method needs a name"));
  EXPECT_TRUE(contains(problems_of([] { register_runge_kutta("gauss", rk4); }), "method 'gauss' exists"));
}

TEST(Register, RefusesCoefficients) {
  using Spark = SparkCoefficients;
  struct Case {
    std::function<void(Spark&)> spoil;
    std::string problem;
  };
  const Case cases[] = {
      {[](Spark& c) { c.q.b[0] += quad(1e-20); }, "the weights q.b add up to"},
      {[](Spark& c) { c.forces.b[0] = 1; }, "the weights forces.b add up to 1.5, not to 1"},
      {[](Spark& c) { c.reactions.b[0] = 1; }, "the weights reactions.b add up to 1.5, not to 1"},
      {[](Spark& c) { c.q.a[1][0] += 1; }, "the numbers in row 2 of q.a add up to"},
      {[](Spark& c) { c.forces.c[0] = 0; }, "stage 1 has the nodes c"},
      {[](Spark& c) { c.forces.a[0][1] = unit / quad(0); }, "a coefficient is not finite"},
      {[](Spark& c) { c.omega[0][0] = quad(0) / quad(0); }, "a coefficient is not finite"},
      {[](Spark& c) { c.q.a.pop_back(); }, "q.a has 1 rows in place of 2"},
      {[](Spark& c) { c.q.a[0].push_back(0); }, "row 1 of q.a has 3 numbers in place of 2"},
      {[](Spark& c) { c.q.c.clear(); }, "q.c has 0 numbers in place of 2"},
      {[](Spark& c) { c.forces = gauss(3); }, "forces.b has 3 numbers in place of 2"},
      {[](Spark& c) { c.q.b.clear(); }, "q.b has 0 numbers"},
      {[](Spark& c) { c.omega.pop_back(); }, "omega has 1 rows in place of 2"},
      {[](Spark& c) { c.omega[0].pop_back(); }, "row 1 of omega has 2 numbers in place of 3"},
      {[](Spark& c) { c.omega[1] = c.omega[0]; }, "do not determine the multipliers"},
      {[](Spark& c) { c.constraint_at_mean = true; }, "omega has 2 rows in place of 1"},
      {[](Spark& c) { c.end_multipliers = {1}; }, "end_multipliers has 1 numbers in place of 2"},
      {[](Spark& c) { c.nodes->c = {0}; }, "nodes.c has one number"},
      {[](Spark& c) {
         c.nodes->c = {0, 1, 1};
       },
       "nodes.c do not increase from 0 to 1"},
      {[](Spark& c) { c.nodes->b[0] += 1; }, "the weights nodes.b add up to"},
      {[](Spark& c) { c.nodes->reach[1][0] += 1; }, "the numbers in row 2 of nodes.reach add up to"},
      {[](Spark& c) { std::swap(c.nodes->reach[2][0], c.nodes->reach[1][0]); },
       "the last row of nodes.reach is not q.b"},
      {[](Spark& c) { c.nodes->a.pop_back(); }, "nodes.a has 1 rows in place of 2"},
      {[](Spark& c) { c.nodes->correction = {0}; }, "nodes.correction has 1 numbers in place of 3"},
  };
  for (const Case& each : cases) {
    const std::string found = problems_of_spark(each.spoil);
    EXPECT_TRUE(contains(found, each.problem)) << each.problem << " is not in: " << found;
  }
  Tableau broken = rk4;
  broken.a[3][2] = 2;
  EXPECT_TRUE(
      contains(problems_of([&] { register_runge_kutta("refused", broken); }), "row 4 of a add up to 2, not to 1"));
  EXPECT_TRUE(contains(problems_of([] { register_runge_kutta("refused", Tableau{}); }), "methods have 1 to 64 stages"));
  EXPECT_TRUE(
      contains(problems_of_spark([](Spark&) {}, {.multiplier_order = 5}), "order 5 is claimed for multipliers"));
  EXPECT_TRUE(contains(problems_of([] { find_method("refused"); }), "unknown method"));
}

TEST(Register, TellsAllProblemsAtOnce) {
  Tableau broken = rk4;
  broken.b[0] = 1;
  broken.a[1][0] = 1;
  try {
    register_runge_kutta("two words", broken);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().size(), 3u) << error.what();
  }
}

TEST(Register, IsSafeInThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([i] {
      for (int k = 0; k < 20; ++k) {
        register_runge_kutta("own-thread" + std::to_string(k), rk4);
        find_method("own-thread" + std::to_string((k * i) % (k + 1)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(find_method("own-thread19")->traits().order, 4);
}

}  // namespace
}  // namespace noslip
