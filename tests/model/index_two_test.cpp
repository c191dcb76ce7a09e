// Systems of index 2: what is read, derived and evaluated.
#include <cmath>
#include <quadmath.h>

#include "model/index_two_help.hpp"

namespace noslip::test {
namespace {

const std::map<std::string, double> point = {{"t", 0.7}, {"a", 1.3},  {"b", -0.4}, {"c", 0.9},
                                             {"u", 0.6}, {"w", -1.1}, {"m", 0.3},  {"n", 5}};

TEST(IndexTwo, WhatAFileSays) {
  const System system = System::parse(five_parts_text);
  EXPECT_STREQ(system.kind(), "dae2");
  EXPECT_EQ(system.dimension(), 3);
  EXPECT_EQ(system.coordinates(), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(system.multiplier_names(), (std::vector<std::string>{"u", "w"}));
  EXPECT_EQ(system.q().size(), 3U);
  EXPECT_EQ(system.z().size(), 2U);
  EXPECT_EQ(system.z()[1].name(), "w");
  ASSERT_EQ(system.constraints().size(), 2U);
  EXPECT_EQ(system.constraints()[1].text, "c^2 = m*b");
  EXPECT_EQ(system.constraints()[1].kind, ConstraintKind::algebraic);
  EXPECT_EQ(std::string(to_text(ConstraintKind::algebraic)), "algebraic");
  EXPECT_TRUE(system.constraints()[1].K.empty());
  EXPECT_DOUBLE_EQ(value(system.constraints()[1].k, point), 0.81 + 0.12);
  EXPECT_EQ(system.invariants()[0].first, "total");
  EXPECT_EQ(system.exact()[0].first, "w");
  EXPECT_EQ(system.exact()[1].first, "a");
  EXPECT_TRUE(system.structure().depends_on_time);
  EXPECT_FALSE(System::parse(branches_text).structure().depends_on_time);
}

TEST(IndexTwo, WhatIsMechanicalIsEmpty) {
  const System system = System::parse(branches_text);
  EXPECT_FALSE(system.has_energy());
  EXPECT_EQ(system.lagrangian().graph, nullptr);
  EXPECT_EQ(system.energy().graph, nullptr);
  EXPECT_TRUE(system.v().empty());
  EXPECT_TRUE(system.momenta().empty());
  EXPECT_TRUE(system.forces().empty());
  EXPECT_TRUE(system.mass().empty());
  EXPECT_TRUE(system.acceleration_rhs().empty());
  EXPECT_TRUE(system.constraint_rhs().empty());
}

TEST(IndexTwo, WhatIsOfIndexTwoIsEmptyForMechanicalSystems) {
  const System sleigh = System::parse(std::string("kind = \"mechanical\"\n") + sleigh_text);
  EXPECT_STREQ(sleigh.kind(), "mechanical");
  EXPECT_TRUE(sleigh.has_energy());
  EXPECT_EQ(sleigh.multiplier_names(), std::vector<std::string>{"lambda1"});
  EXPECT_TRUE(sleigh.z().empty());
  EXPECT_TRUE(sleigh.parts().empty());
  EXPECT_EQ(sleigh.position_rates(), sleigh.v());
  EXPECT_TRUE(sleigh.hidden_constraints().empty());
  EXPECT_TRUE(sleigh.initial_state(sleigh.parameter_values()).z.empty());
}

TEST(IndexTwo, PartsAndTheirSum) {
  const System system = System::parse(five_parts_text);
  ASSERT_EQ(system.parts().size(), 5U);
  EXPECT_TRUE(system.parts()[2].empty());
  for (const std::size_t part : {0U, 1U, 3U, 4U}) EXPECT_EQ(system.parts()[part].size(), 3U);
  EXPECT_DOUBLE_EQ(value(system.parts()[0][2], point), -1.3);
  EXPECT_TRUE(system.parts()[1][1].is_zero());
  EXPECT_DOUBLE_EQ(value(system.parts()[4][2], point), std::sin(0.9) * -1.1);
  ASSERT_EQ(system.position_rates().size(), 3U);
  EXPECT_DOUBLE_EQ(value(system.position_rates()[0], point), -0.4 * 0.7 + 0.6 + 0.3 * 0.6 * -1.1);
  EXPECT_DOUBLE_EQ(value(system.position_rates()[1], point), -1.1);
  EXPECT_DOUBLE_EQ(value(system.position_rates()[2], point), -1.3 - 1.1 * 0.9 + 1 + std::sin(0.9) * -1.1);
}

TEST(IndexTwo, MissingPartsAtTheEndNeedNotBeWritten) {
  const System system = System::parse("kind = 'dae2'\ny = ['a']\nz = ['b']\nf = [['t'], ['b']]\ng = ['a = 0']");
  ASSERT_EQ(system.parts().size(), 5U);
  EXPECT_TRUE(system.parts()[4].empty());
  EXPECT_DOUBLE_EQ(value(system.position_rates()[0], {{"t", 2}, {"b", 3}}), 5);
}

TEST(IndexTwo, HiddenConstraintsAreTheDerivativesOfG) {
  const System system = System::parse(five_parts_text);
  std::map<std::string, double> at = point;
  std::vector<double> rates;
  for (const Expr rate : system.position_rates()) rates.push_back(value(rate, point));
  ASSERT_EQ(system.hidden_constraints().size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    // A central difference along (t, y) with the speed (1, f); g is quadratic, so that only rounding remains.
    const auto g = [&](double s) {
      at["t"] = point.at("t") + s;
      for (std::size_t j = 0; j < 3; ++j)
        at[system.coordinates()[j]] = point.at(system.coordinates()[j]) + s * rates[j];
      return value(system.constraints()[i].k, at);
    };
    EXPECT_NEAR(value(system.hidden_constraints()[i], point), (g(0.5) - g(-0.5)), 1e-15);
  }
}

TEST(IndexTwo, FromTextIsTheSameAsFromAFile) {
  SystemText text;
  text.kind = "dae2";
  text.name = "five";
  text.y = {"a", "b", "c"};
  text.z = {"u", "w"};
  text.f = {{"b*t", "0", "-a"}, {"u", "0", "w*c"}, {}, {"m*u*w", "w", "1"}, {"0", "0", "s"}};
  text.g = {"a + b = 1 + t", "c^2 = m*b"};
  text.parameters = {{"m", "0.1"}, {"n", "m + 1"}};
  text.definitions = {{"s", "sin(c)*w"}};
  text.invariants = {{"total", "a + b - t + 0*w"}};
  text.exact = {{"w", "exp(-m*t)"}, {"a", "t^2"}};
  text.t0 = "1/3";
  text.y0 = {"0.1", "0", "n"};
  text.z0 = {"0.1", "n/3"};
  const System system = System::from(text), file = System::parse(five_parts_text);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(value(system.hidden_constraints()[i], point), value(file.hidden_constraints()[i], point));
  }
  const InitialState state = system.initial_state(system.parameter_values());
  const InitialState same = file.initial_state(file.parameter_values());
  EXPECT_EQ(state.t, same.t);
  EXPECT_EQ(state.q, same.q);
  EXPECT_EQ(state.z, same.z);
  EXPECT_EQ(system.exact().size(), 2U);
}

TEST(IndexTwo, TextWithFieldsOfTheOtherKind) {
  SystemText text;
  text.kind = "dae2";
  text.name = "mixed";
  text.y = {"a"};
  text.z = {"b"};
  text.f = {{}, {"b"}};
  text.g = {"a"};
  EXPECT_NO_THROW(System::from(text));
  text.lagrangian = "a'^2";
  text.v0 = {"1"};
  EXPECT_EQ(refusal([&] { System::from(text); }),
            "mixed: `lagrangian` does not belong to a system of kind dae2\n  leave it empty, or set the kind\n"
            "mixed: `v0` does not belong to a system of kind dae2\n  leave it empty, or set the kind");
  text.kind = "mechanical";
  text.coordinates = {"a"};
  const std::string message = refusal([&] { System::from(text); });
  for (const char* field : {"`y`", "`z`", "`f`", "`g`"}) EXPECT_TRUE(contains(message, field)) << message;
}

TEST(IndexTwoValues, InitialDataInQuadruplePrecision) {
  const System system = System::parse(five_parts_text);
  const std::vector<quad> parameters = system.parameter_values_quad();
  const InitialStateQuad state = system.initial_state_quad(parameters);
  const quad tenth = strtoflt128("0.1", nullptr), n = strtoflt128("1.1", nullptr);
  EXPECT_TRUE(state.t == quad(1) / 3);
  ASSERT_EQ(state.q.size(), 3U);
  EXPECT_TRUE(state.v.empty());
  EXPECT_TRUE(state.q[0] == tenth && state.q[1] == 0 && state.q[2] == n);
  ASSERT_EQ(state.z.size(), 2U);
  EXPECT_TRUE(state.z[0] == tenth && state.z[1] == n / 3);
  const InitialState rounded = system.initial_state(system.parameter_values());
  EXPECT_EQ(rounded.t, 1.0 / 3);
  EXPECT_EQ(rounded.q, (std::vector<double>{0.1, 0, 1.1}));
  EXPECT_TRUE(rounded.v.empty());
  EXPECT_EQ(rounded.z[0], 0.1);
}

TEST(IndexTwoValues, NothingGivenMeansZero) {
  const System system = System::parse("kind = 'dae2'\ny = ['a', 'b']\nz = ['c']\nf = [[], ['c', 1]]\ng = ['a + b']");
  const InitialState state = system.initial_state({});
  EXPECT_EQ(state.t, 0);
  EXPECT_EQ(state.q, (std::vector<double>{0, 0}));
  EXPECT_EQ(state.z, std::vector<double>{0});
}

TEST(IndexTwoValues, Overrides) {
  const System system = System::parse(five_parts_text);
  const InitialState start = system.initial_state(system.parameter_values());
  const InitialState state = system.with_initial(start, {{"b", 5}, {"w", 7}, {"t", -1}});
  EXPECT_EQ(state.t, -1);
  EXPECT_EQ(state.q, (std::vector<double>{start.q[0], 5, start.q[2]}));
  EXPECT_EQ(state.z, (std::vector<double>{start.z[0], 7}));
  EXPECT_EQ(refusal([&] {
              system.with_initial(start, {{"a'", 1}});
            }),
            "unknown initial value 'a''\n  did you mean 'a'? (the initial values are a, b, c, u, w and t)");
  EXPECT_TRUE(contains(refusal([&] { system.with_initial(start, {{"w", NAN}}); }), "cannot be nan"));
  EXPECT_TRUE(contains(refusal([&] {
                         system.with_initial(InitialState{0.0, {1}, {}, {}}, {{"w", 1}});
                       }),
                       "a state that is not"));
  const InitialStateQuad quads =
      system.with_initial(system.initial_state_quad(system.parameter_values_quad()), {{"u", 2}});
  EXPECT_TRUE(quads.z[0] == 2);
}

TEST(IndexTwoValues, WhatIsNotFiniteIsNamed) {
  const System system = System::parse(
      "kind = 'dae2'\ny = ['a']\nz = ['b']\nf = [[], ['b']]\ng = ['a']\n[parameters]\nm = 1\n[initial]\n"
      "z = ['sqrt(m)']",
      "s.toml");
  EXPECT_TRUE(contains(refusal([&] { system.initial_state(std::vector<double>{-1.0}); }),
                       "s.toml:9:7: the initial value of b is not finite: 'sqrt(m)' is"));
}

}  // namespace
}  // namespace noslip::test
