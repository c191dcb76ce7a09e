// Digital controllers: what the table [sampled] means, and every way to get it wrong.
#include <tuple>

#include <noslip/model/sampled.hpp>
#include <noslip/model/shown.hpp>

#include "help.hpp"

namespace noslip::test {
namespace {

const std::string base = R"toml(coordinates = ["x", "y"]
lagrangian = "m/2*x'^2 + y'^2/2 - x^2"
[parameters]
m = 3
T = 0.1
[inputs]
tau = 0.5
push = 0
[forces]
x = "tau + push"
[definitions]
error = "1 - x"
[invariants]
"the sum" = "x + y"
spin = "y'"
)toml";

std::string with(const std::string& sampled) { return base + "[sampled]\nevery = \"T/10\"\n" + sampled; }

/// Messages of the problems, without places.
std::string said(const std::string& sampled) {
  std::string all;
  for (const Problem& problem : problems_of(with(sampled))) all += problem.what + " / " + problem.remedy + "\n";
  return all;
}

TEST(Sampled, ValuesInTheOrderOfTheFile) {
  const System system = System::parse(with(R"toml(delay = "2*T"
I   = "last(I) + T*error"
tau = "I + tau + last(tau) + push"
old = "last(push) + tau"
push = "old + last(old)"
[initial]
sampled = { I = "m/2", push = 4 }
)toml"));
  const Sampled* controller = system.sampled();
  ASSERT_NE(controller, nullptr);
  ASSERT_EQ(controller->values.size(), 4U);
  const auto& [I, tau, old, push] =
      std::tie(controller->values[0], controller->values[1], controller->values[2], controller->values[3]);
  EXPECT_EQ(I.name, "I");
  EXPECT_EQ(I.input, -1);
  EXPECT_EQ(tau.input, 0);
  EXPECT_EQ(push.input, 1);
  EXPECT_EQ(I.text, "last(I) + T*error");
  EXPECT_EQ(value(I.value, {{"last(I)", 7}, {"T", 2}, {"x", 4}}), 1);
  // In its own line an input is what acts; below it is what was just evaluated.
  EXPECT_EQ(value(tau.value, {{"I", 1}, {"tau", 10}, {"last(tau)", 100}, {"push", 1000}}), 1111);
  EXPECT_EQ(value(old.value, {{"last(push)", 1}, {"now(tau)", 10}, {"tau", 1000}}), 11);
  EXPECT_EQ(tau.now.name(), "now(tau)");
  EXPECT_EQ(I.now.name(), "I");
  EXPECT_NE(tau.now, system.inputs()[0].symbol);
  for (const Sampled::Value& each : controller->values) EXPECT_EQ(each.value.graph, &system.graph());

  const SampledTimes times = sampled_times(system, system.parameter_values_quad());
  EXPECT_EQ(static_cast<double>(times.every), 0.01);
  EXPECT_EQ(static_cast<double>(times.delay), 0.2);
  ASSERT_EQ(times.last.size(), 4U);
  EXPECT_EQ(static_cast<double>(times.last[0]), 1.5);
  EXPECT_EQ(static_cast<double>(times.last[1]), 0.5) << "what acts at the start";
  EXPECT_EQ(static_cast<double>(times.last[2]), 0);
  EXPECT_EQ(static_cast<double>(times.last[3]), 4);
}

TEST(Sampled, MomentaEnergyAndInvariants) {
  const System system = System::parse(with("tau = \"p(x) + energy + spin + t\""));
  EXPECT_EQ(value(system.sampled()->values[0].value, {{"x'", 2}, {"m", 3}, {"y'", 4}, {"x", 1}, {"t", 5}}),
            6 + (6 + 8 + 1) + 4 + 5);
  EXPECT_TRUE(system.sampled()->delay.is_zero());
  const System hamilton = System::parse(R"toml(coordinates = ["x"]
hamiltonian = "sqrt(1 + p(x)^2)"
[inputs]
u = 0
[sampled]
every = 1
u = "p(x) + x'"
)toml");
  EXPECT_EQ(value(hamilton.sampled()->values[0].value, {{"p(x)", 2}, {"x'", 3}}), 5);
  const System own = System::parse(R"toml(coordinates = ["x"]
lagrangian = "x'^2/2"
[inputs]
energy = 0
last = 2
[sampled]
every = 1
energy = "energy + last + last(energy)"
)toml");
  EXPECT_EQ(value(own.sampled()->values[0].value, {{"energy", 1}, {"last", 2}, {"last(energy)", 3}}), 6);
}

TEST(Sampled, CoordinatesOfTheControllerAppearSomewhere) {
  EXPECT_EQ(System::parse(base).structure().cyclic, std::vector<std::string>{"y"});
  EXPECT_TRUE(System::parse(with("tau = \"y\"")).structure().cyclic.empty());
  const std::string body = R"toml(
coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }]
lagrangian = "w1^2 + 2*w2^2 + 3*w3^2"
[inputs]
u = 1
[forces]
w1 = "u"
)toml";
  EXPECT_EQ(System::parse(body).structure().cyclic, std::vector<std::string>{"R"});
  const System controlled = System::parse(body + "[sampled]\nevery = 1\nu = \"R33 + w2 + p(w3)\"\n");
  EXPECT_TRUE(controlled.structure().cyclic.empty());
  EXPECT_EQ(value(controlled.sampled()->values[0].value, {{"R33", 1}, {"w2", 2}, {"w3", 3}}), 21);
}

TEST(Sampled, OtherKinds) {
  const std::string dae = driven_index_two + "[sampled]\nevery = 1\n";
  EXPECT_EQ(value(System::parse(dae + "u = \"a + t\"").sampled()->values[0].value, {{"a", 2}, {"t", 3}}), 5);
  EXPECT_TRUE(contains(problem_of(dae + "u = \"w\""), "'w' is an algebraic variable"));
  const std::string odae =
      "kind = \"odae\"\ny = [\"a\"]\nz = [\"b\"]\nlambda = [\"k\"]\nv = [\"b\"]\nf = [\"u\"]\nr = [\"k\"]\ng = [\"a = "
      "1\"]\n"
      "[inputs]\nu = 1\n[invariants]\npull = \"k + a\"\n[sampled]\nevery = 1\n";
  EXPECT_EQ(value(System::parse(odae + "u = \"a + b\"").sampled()->values[0].value, {{"a", 2}, {"b", 3}}), 5);
  EXPECT_TRUE(contains(problem_of(odae + "u = \"pull\""), "invariant 'pull' cannot be used here: 'k' is a multiplier"));
}

TEST(Sampled, Times) {
  EXPECT_EQ(problem_of(base + "[sampled]\ntau = \"x\""),
            "s.toml:17:1: [sampled] without `every`\n"
            "  tau = \"x\"\n"
            "  ^\n"
            "  add the time between two samples, for example every = 0.01");
  EXPECT_EQ(problem_of(base + "[sampled]\nevery = 0\ntau = \"x\""),
            "s.toml:17:9: `every` of [sampled] is 0\n"
            "  every = 0\n"
            "          ^\n"
            "  the time between two samples is greater than 0");
  EXPECT_TRUE(
      contains(said("delay = -0.5\ntau = \"x\""), "`delay` of [sampled] is -0.5 / a delay is a time from 0 on"));
  EXPECT_TRUE(contains(said("delay = \"x\"\ntau = \"x\""), "'x' is a coordinate / `delay` of [sampled] may use the "));
  EXPECT_TRUE(contains(said("delay = \"tau\"\ntau = \"x\""), "'tau' is an input / `delay` of [sampled] may use the "));
  EXPECT_EQ(said("delay = true\ntau = \"x\""),
            "'delay' of `sampled` has to be a number or an expression in quotes, not a boolean / \n");
  const System system =
      System::parse(with("delay = \"sqrt(m - 4)\"\ntau = \"x\"\n[initial]\nsampled = { tau = \"1/(m - 3)\" }"));
  const std::string message = refusal([&] { sampled_times(system, system.parameter_values_quad({{"T", -1}})); });
  EXPECT_TRUE(contains(message, "`every` of [sampled] is -0.1")) << message;
  EXPECT_TRUE(contains(message, "`delay` of [sampled] is not finite: 'sqrt(m - 4)' is")) << message;
  EXPECT_TRUE(contains(message, "the initial value of last(tau) is not finite: '1/(m - 3)' is inf")) << message;
  EXPECT_TRUE(sampled_times(system, system.parameter_values_quad({{"m", 5}})).delay == 1);
}

TEST(Sampled, ValuesThatDoNothing) {
  EXPECT_TRUE(contains(problem_of(base + "[sampled]\n"), "s.toml:16:2: [sampled] is empty"));
  EXPECT_EQ(said(""), "[sampled] gives no input a value / the inputs are tau and push: write tau = \"...\"\n");
  EXPECT_EQ(said("tua = \"x\""),
            "'tua' does nothing: it is not an input, and no input under [sampled] uses it / did you mean 'tau'?\n");
  EXPECT_EQ(said("tau = \"x\"\nI = \"last(J)\"\nJ = \"last(I) + x\""),
            "'I' does nothing: it is not an input, and no input under [sampled] uses it / the inputs are tau and push\n"
            "'J' does nothing: it is not an input, and no input under [sampled] uses it / the inputs are tau and "
            "push\n");
  EXPECT_EQ(said("J = \"last(J) + x\"\nI = \"J\"\ntau = \"last(I)\""), "");
  const std::string none = "coordinates = [\"x\"]\nlagrangian = \"x'^2\"\n[sampled]\nevery = 1\n";
  EXPECT_TRUE(contains(problem_of(none + "tau = \"x\""), "add [inputs] with tau = 0"));
  EXPECT_TRUE(contains(problem_of(none), "add [inputs], and the values of some of them here"));
}

TEST(Sampled, ValuesAtTheSampleBefore) {
  EXPECT_EQ(problem_of(with("tau = \"x + last(tua)\"")),
            "s.toml:18:17: there is no value 'tua' under [sampled]\n"
            "  tau = \"x + last(tua)\"\n"
            "                  ^\n"
            "  did you mean 'tau'?");
  EXPECT_EQ(said("tau = \"last(x)\""),
            "'x' is a coordinate, not a value under [sampled] / last(...) is for the values of the table: tau\n");
  EXPECT_EQ(said("tau = \"last(push)\""),
            "'push' is an input, not a value under [sampled] / last(...) is for the values of the table: tau\n");
  EXPECT_EQ(said("tau = \"last(2)\""), "last(...) takes one name and nothing else / write last(I)\n");
  EXPECT_EQ(said("tau = \"I\"\nI = \"x\""),
            "'I' is not known yet here: values follow each other as they are written / write last(I) for its value at "
            "the sample before, or move its line up\n");
  EXPECT_EQ(said("I = \"I + x\"\ntau = \"I\""),
            "'I' is not known yet here: values follow each other as they are written / write last(I) for its value at "
            "the sample before, or move its line up\n");
  EXPECT_EQ(said("tau = \"x\"\n[nonideal]\nx = \"last(tau)\""),
            "[nonideal] without constraints: there are no reactions that could be nonideal / forces that do not depend "
            "on reactions belong under [forces]\n"
            "last(...), a value at the sample before, is not available here / it may be used under [sampled]\n");
}

TEST(Sampled, Names) {
  EXPECT_EQ(said("x = \"1\"\ntau = \"x\""),
            "'x' is already the name of a coordinate / [sampled] has inputs, and other values under names of their "
            "own\n");
  EXPECT_EQ(said("sin = \"1\"\ntau = \"x\""), "'sin' is a function / choose another name\n");
  EXPECT_EQ(said("I = \"x\"\ntau = \"I\"\n[nonideal]\nx = \"0\"\n[exact]\n").substr(0, 12), "[nonideal] w");
  EXPECT_EQ(problem_of(
                "definitions = { d = \"2*I\" }\n" +
                with("I = \"x\"\ntau = \"I\"")
                    .replace(base.find("[definitions]"), std::string("[definitions]\nerror = \"1 - x\"\n").size(), "")),
            "s.toml:1:24: 'I' is a value under [sampled], which is known there only\n"
            "  definitions = { d = \"2*I\" }\n"
            "                         ^\n"
            "  give it to an input: that acts on the system");
  EXPECT_TRUE(contains(said("tau = \"enrgy\""), "did you mean 'energy'?"));
  EXPECT_TRUE(contains(said("Integral = \"x\"\ntau = \"Integrl\""), "did you mean 'Integral'?"));
  EXPECT_TRUE(
      contains(problem_of("coordinates = [\"x\"]\nlagrangian = \"x'^2\"\n[inputs]\nevery = 0\ntau = 0\n[sampled]\n"
                          "every = 1\ntau = \"x\""),
               "`every` of [sampled] is a time of the controller, not the input"));
  EXPECT_TRUE(contains(said("tau = \"psi(1)\""), "psi(...), a multiplier, is not available here"));
  EXPECT_TRUE(contains(problem_of("angles = [\"x\"]\ncoordinates = [\"x\"]\nlagrangian = \"x'^2\"\n[inputs]\nu = 0\n"
                                  "[sampled]\nevery = 1\nu = \"2*x\""),
                       "is not 2 pi periodic in the angle 'x'"));
}

TEST(Sampled, InitialValues) {
  EXPECT_EQ(said("tau = \"x\"\n[initial]\nsampled = { tua = 1 }"),
            "unknown value 'tua' of [sampled] / did you mean 'tau'?\n");
  EXPECT_EQ(said("tau = \"x\"\n[initial]\nsampled = { tau = \"push\" }"),
            "'push' is an input / an initial value may use the parameters only\n");
  EXPECT_EQ(said("tau = \"x\"\n[initial]\nsampled = [1]"),
            "initial sampled has to be a table of numbers and expressions / write sampled = { tau = 0 }\n");
  EXPECT_EQ(said("tau = \"x\"\n[initial]\nsampled = { tau = [1, 2] }"),
            "initial sampled has to be a table of numbers and expressions / write sampled = { tau = 0 }\n");
  EXPECT_TRUE(contains(problem_of(base + "[initial]\nsampled = { tau = 1 }"), "initial sampled without [sampled]"));
  EXPECT_TRUE(contains(said("tau = \"x\"\n[initial]\nu = 1"), "the keys are t, q and v, and sampled; "));
}

TEST(Sampled, FromCpp) {
  SystemText text;
  text.coordinates = {"x"};
  text.lagrangian = "x'^2/2";
  text.forces = {{"x", "u"}};
  text.inputs = {{"u", "0"}};
  text.sampled = {{"every", "1/100"}, {"I", "last(I) + x"}, {"u", "-I"}};
  text.sampled0.values = {{"I", "3"}};
  const System system = System::from(text);
  ASSERT_EQ(system.sampled()->values.size(), 2U);
  const SampledTimes times = sampled_times(system, system.parameter_values_quad());
  EXPECT_TRUE(times.every == quad(1) / 100);
  EXPECT_TRUE(times.last[0] == 3);
  text.sampled.push_back({"u", "x"});
  EXPECT_TRUE(contains(refusal([&] { System::from(text); }), "input 'u' is given twice"));
  text.sampled = {{"every", "1"}, {"every", "2"}, {"u", "y"}};
  text.sampled0 = {"1"};
  const std::string message = refusal([&] { System::from(text); });
  EXPECT_TRUE(contains(message, "`every` is given twice")) << message;
  EXPECT_TRUE(contains(message, "sampled.u:1:1: unknown symbol 'y'")) << message;
  EXPECT_TRUE(contains(message, "initial sampled has to be a table")) << message;
}

TEST(Sampled, IsShown) {
  const Shown found = shown(System::parse(with("delay = \"T\"\nI = \"last(I) + x\"\ntau = \"2*I\"\npush = \"tau\"")));
  const Shown::Section& section = found.sections.back();
  EXPECT_EQ(section.title, "Controller, sampled every 0.1*T, acting T later");
  ASSERT_EQ(section.text.size(), 3U);
  EXPECT_EQ(section.text[0].left + " = " + section.text[0].right, "I = x + last(I)");
  EXPECT_EQ(section.text[2].left + " = " + section.text[2].right, "push = now(tau)");
  EXPECT_EQ(section.latex[1].left, "\\tau");
  EXPECT_EQ(section.latex[2].right, "\\mathrm{now}_{\\tau}");
  const auto& [key, entry] = found.entries.back();
  EXPECT_EQ(key, "sampled");
  EXPECT_EQ(entry.keys, (std::vector<std::string>{"every", "delay", "values"}));
  EXPECT_EQ(entry.items[2].keys, (std::vector<std::string>{"I", "tau", "push"}));
  EXPECT_EQ(found.facts.back().text, "tau and push, sampled every 0.1*T, acting T later");
}

}  // namespace
}  // namespace noslip::test
