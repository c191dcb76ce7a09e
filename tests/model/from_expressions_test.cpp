// Systems from expressions: every file of the catalogue, its texts as expressions; and what is wrong with expressions.
#include <cmath>
#include <limits>

#include <noslip/expr/parse.hpp>
#include <noslip/expr/print.hpp>
#include <noslip/model/shown.hpp>
#include <noslip/model/symbols.hpp>

#include "model/help.hpp"
#include "support/as_expressions.hpp"

namespace noslip::test {
namespace {

std::string all_of(const ShownValue& value) {
  std::string text = value.text;
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const std::string key = i < value.keys.size() ? value.keys[i] : "";
    if (key != "text") text += key + ": " + all_of(value.items[i]) + "\n";  // a constraint as it was written
  }
  return text;
}

/// All that a system shows, as lines.
std::string all_of(const System& system) {
  std::string text;
  const Shown all = shown(system);
  for (const Shown::Section& section : all.sections) {
    text += section.title + "\n";
    for (const auto* list : {&section.text, &section.latex}) {
      for (const Equation& equation : *list) text += equation.left + " = " + equation.right + "\n";
    }
  }
  for (const auto& [key, value] : all.entries) text += key + "\n" + all_of(value);
  for (const auto& [name, value] : system.invariants()) text += name + " = " + to_text(value) + "\n";
  for (const auto& [name, value] : system.exact()) text += name + " = " + to_text(value) + "\n";
  for (const Parameter& parameter : system.parameters())
    text += parameter.name + to_text(parameter.default_value) + "\n";
  return text;
}

TEST(FromExpressions, EveryFileOfTheCatalogueDerivesTheSame) {
  const std::vector<CatalogueFile> files = catalogue_files(NOSLIP_SOURCE_DIR);
  EXPECT_GE(files.size(), 30U);
  for (const auto& [name, toml] : files) {
    const System from_text = System::parse(toml, name), from_expressions = System::from(as_expressions(toml, name));
    EXPECT_TRUE(all_of(from_expressions) == all_of(from_text)) << name;
    const std::vector<quad> parameters = from_text.parameter_values_quad();
    EXPECT_EQ(parameters, from_expressions.parameter_values_quad()) << name;
    const InitialStateQuad a = from_text.initial_state_quad(parameters),
                           b = from_expressions.initial_state_quad(parameters);
    EXPECT_TRUE(a.t == b.t && a.q == b.q && a.v == b.v && a.z == b.z) << name;
  }
}

/// A skate whose texts may be spoilt.
SystemText skate(const Symbols& s) {
  const Expr x = s["x"], y = s["y"], theta = s["theta"];
  SystemText text;
  text.coordinates = {x, y, theta};
  text.lagrangian = (sq(dot(x)) + sq(dot(y)) + sq(dot(theta))) / 2 + s["g"] * x;
  text.constraints = {equal(dot(y) * cos(theta), dot(x) * sin(theta))};
  text.parameters = {{s["g"], 1}};
  text.q0 = {0, s["g"] / 10, 0.5};
  return text;
}

/// As the texts that the expressions have when they are printed.
SystemText printed(SystemText text) {
  const auto print = [](Text& one) { one = Text(one.text); };
  print(text.lagrangian);
  print(text.hamiltonian);
  for (TextList* list : {&text.constraints, &text.holonomic}) {
    for (Text& each : list->texts) print(each);
  }
  for (auto* table : {&text.forces, &text.nonideal, &text.definitions, &text.invariants, &text.parameters, &text.exact,
                      &text.q0.values}) {
    for (NamedText& entry : *table) print(entry.value);
  }
  return text;
}

std::string refusal_of(const SystemText& text) {
  return refusal([&] { System::from(text); });
}

TEST(FromExpressions, TextsAndNumbersMayBeMixedWithThem) {
  const Symbols s;
  SystemText text = skate(s);
  text.forces = {{"x", "-c*x'"}, {s["y"], -s["c"] * dot(s["y"])}};
  text.definitions = {{"c", s["d"] / 2}, {s["d"], "g + t"}};
  text.invariants = {{"something", s["d"] * s["x"]}};
  const System system = System::from(text);
  EXPECT_EQ(to_text(system.applied_forces()[0]), "-1/2*(g + t)*x'");
  EXPECT_EQ(to_text(system.applied_forces()[1]), "-1/2*(g + t)*y'");
  EXPECT_EQ(to_text(system.invariants()[0].second), "(g + t)*x");
  EXPECT_EQ(system.constraints()[0].kind, ConstraintKind::linear);
  EXPECT_EQ(system.constraints()[0].text, "y'*cos(theta) - x'*sin(theta)");
  const std::vector<double> q = system.initial_state(system.parameter_values()).q;
  EXPECT_EQ(q, (std::vector<double>{0, 0.1, 0.5}));
}

TEST(FromExpressions, MayOutliveTheSymbolsAndUseSeveral) {
  SystemText text;
  {
    text = skate(Symbols());
    Graph graph;  // that nobody shares
    text.forces = {{"x", -graph.symbol("y'") * 3}};
  }
  const System system = System::from(text);
  EXPECT_EQ(to_text(system.applied_forces()[0]), "-3*y'");
  // The graph of a system is frozen and its own.
  SystemText again = text;
  again.lagrangian = system.lagrangian();
  EXPECT_EQ(all_of(System::from(again)), all_of(system));
}

TEST(FromExpressions, AreRefusedWithTheWordsOfTexts) {
  const Symbols s;
  const Expr x = s["x"], theta = s["theta"];
  std::vector<SystemText> wrong(13, skate(s));
  wrong[0].lagrangian = sq(dot(x)) + cos(s["tehta"]);
  wrong[1].lagrangian = sq(dot(x)) + dot(s["g"]) + dot(s["unknown"]) + s["unknown"];
  wrong[2].holonomic = {x * dot(theta)};
  wrong[3].constraints = {x * theta};
  wrong[4].constraints.push_back(x - x);
  wrong[5].parameters = {{"g", x + s["time"]}};
  wrong[6].q0 = {x, 0, s.time()};
  wrong[7].q0 = {0, 0};
  wrong[8].lagrangian = cos(x);
  wrong[9].forces = {{s["z"], x}, {"y", momentum(x)}};
  wrong[10].nonideal = {{x, s.multiplier(3) + s.multiplier(1)}};
  wrong[11].definitions = {{"a", s["b"]}, {"b", 2 * s["a"]}};
  wrong[12].exact = {{"x", dot(x)}, {"y", s["xx"]}};
  for (const SystemText& text : wrong) {
    const std::string said = refusal_of(text);
    EXPECT_NE(said, "");
    EXPECT_EQ(said, refusal_of(printed(text)));
  }
  EXPECT_EQ(refusal_of(wrong[0]),
            "lagrangian:1:12: unknown symbol 'tehta'\n"
            "  x'^2 + cos(tehta)\n"
            "             ^\n"
            "  did you mean 'theta'?");
}

TEST(FromExpressions, WithOddSymbolsAreRefused) {
  Graph graph;
  SystemText text = skate(Symbols());
  text.lagrangian = powi(graph.symbol("x'"), 2) + graph.symbol("a+b") + graph.symbol("pi");
  const std::string said = refusal_of(text);
  EXPECT_TRUE(contains(said, "the name 'a+b' contains the character '+'")) << said;
  EXPECT_TRUE(contains(said, "'pi' is a constant")) << said;
  EXPECT_TRUE(contains(said, "symbols are named as in a system file")) << said;
}

TEST(FromExpressions, MistakesWithExpressionsAreSaidWhereTheyAreMade) {
  const Symbols s, other;
  const Expr x = s["x"];
  EXPECT_TRUE(contains(refusal([&] { (void)s["x+y"]; }), "the name 'x+y' contains"));
  EXPECT_TRUE(contains(refusal([&] { (void)s["sin"]; }), "'sin' is a function"));
  EXPECT_TRUE(contains(refusal([&] { dot(x * x); }), "the velocity of 'x^2'"));
  EXPECT_TRUE(contains(refusal([&] { momentum(Expr()); }), "the momentum of nothing"));
  EXPECT_TRUE(contains(refusal([&] { (void)s.multiplier(0); }), "numbered from 1"));
  for (const auto& combine : std::initializer_list<Expr (*)(Expr, Expr)>{
           [](Expr a, Expr b) { return a + b; }, [](Expr a, Expr b) { return a - b; },
           [](Expr a, Expr b) { return a * b; }, [](Expr a, Expr b) { return a / b; },
           [](Expr a, Expr b) { return min(a, b); }, [](Expr a, Expr b) { return max(a, b); },
           [](Expr a, Expr b) { return atan2(a, b); }, [](Expr a, Expr b) { return pow(a, b); },
           [](Expr a, Expr b) { return less(a, b); }, [](Expr a, Expr b) { return select(a, b, a); }}) {
    EXPECT_TRUE(contains(refusal([&] { combine(x, other["y"]); }), "'x' and 'y' belong to two graphs"));
    EXPECT_TRUE(contains(refusal([&] { combine(x, Expr()); }), "has not been set"));
  }
  EXPECT_TRUE(contains(refusal([&] { Text text{Expr()}; }), "has not been set"));
  EXPECT_TRUE(contains(refusal([&] { (void)(x * std::numeric_limits<double>::quiet_NaN()); }), "is nan"));
}

TEST(FromExpressions, NumbersAreExact) {
  const Symbols s;
  const Expr x = s["x"];
  EXPECT_EQ(to_text(x / 10), "0.1*x");
  EXPECT_EQ(x / 2, 0.5 * x);
  EXPECT_EQ(to_text(2.5f * x + 3u), "5/2*x + 3");
  EXPECT_EQ(pow(x, 0.5), sqrt(x));
  EXPECT_EQ(pow(x, 3), powi(x, 3));
  Expr sum = s.number(0);
  for (const Expr each : s.numbered("x", 3)) sum += sq(each);
  sum -= 1;
  sum *= 2;
  EXPECT_EQ(to_text(sum), "2*(x1^2 + x2^2 + x3^2 - 1)");
  EXPECT_EQ(Text(0).text, "0");
  EXPECT_EQ(Text(-2.5).text, "-5/2");
}

TEST(FromExpressions, WhoseTextWouldBeEndlessCostNothing) {
  const Symbols s;
  const Expr x = s["x"];
  Expr power = x;
  for (int i = 0; i < 200; ++i) power = cos(power) * power;  // its text has 2^200 characters and more
  SystemText text = skate(s);
  text.forces = {{"x", power}};
  text.holonomic = {power * dot(x)};
  EXPECT_TRUE(contains(refusal_of(text), "contains a velocity"));
  EXPECT_LE(Text(power).text.size(), 1000U);
}

/// n links of a chain of masses, in the plane.
SystemText chain(std::size_t n) {
  const Symbols s;
  const std::vector<Expr> angles = s.numbered("a", n);
  SystemText text;
  Expr x = s.number(0), vx = x, y = x, vy = x, lagrangian = x;
  for (const Expr a : angles) {
    text.coordinates.push_back(a);
    x += sin(a);
    y -= cos(a);
    vx += cos(a) * dot(a);
    vy += sin(a) * dot(a);
    lagrangian += (sq(vx) + sq(vy)) / 2 - s["g"] * y;
  }
  text.lagrangian = lagrangian;
  text.parameters = {{"g", 1}};
  return text;
}

TEST(FromExpressions, ChainsGrowInALoop) {
  const System two = System::from(chain(2));
  EXPECT_EQ(to_text(two.mass()[0][0]), "2");
  EXPECT_NEAR(value(two.mass()[0][1], {{"a1", 0.3}, {"a2", 0.9}}), std::cos(0.6), 1e-15);
  const System ten = System::from(chain(10));
  EXPECT_EQ(ten.dimension(), 10);
  // Nodes, not characters: the Lagrangian of twice as many links has twice as many.
  const auto nodes = [](std::size_t n) {
    const SystemText text = chain(n);
    return text.lagrangian.graph->size();
  };
  EXPECT_LT(nodes(400), 2.1 * static_cast<double>(nodes(200)));
}

}  // namespace
}  // namespace noslip::test
