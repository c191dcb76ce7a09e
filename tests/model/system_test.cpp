// What is read from a good file and what is derived from it.
#include <cmath>
#include <filesystem>
#include <fstream>

#include "model/help.hpp"

namespace noslip::test {
namespace {

const std::map<std::string, double> point = {{"t", 0.3},  {"x", 0.7},   {"y", -0.4},     {"theta", 0.9},
                                             {"x'", 1.3}, {"y'", -0.8}, {"theta'", 0.6}, {"m", 1.7},
                                             {"a", 0.45}, {"J", 2.2},   {"g", 9.1}};

TEST(System, ReadsTheSleigh) {
  const System system = System::parse(sleigh_text, "sleigh.toml");
  EXPECT_EQ(system.name(), "sleigh");
  EXPECT_EQ(system.dimension(), 3);
  EXPECT_EQ(system.coordinates(), (std::vector<std::string>{"x", "y", "theta"}));
  ASSERT_EQ(system.parameters().size(), 4U);
  EXPECT_EQ(system.parameters()[0].name, "m");  // in the order of the file, not of the alphabet
  EXPECT_EQ(system.parameters()[3].name, "g");
  ASSERT_EQ(system.constraints().size(), 1U);
  EXPECT_EQ(system.constraints()[0].text, "y'*cos(theta) = x'*sin(theta)");
  EXPECT_EQ(system.constraints()[0].kind, ConstraintKind::linear);
}

TEST(System, DerivedExpressionsOfTheSleighAreTheOnesByHand) {
  const System system = System::parse(sleigh_text);
  const double m = 1.7, a = 0.45, J = 2.2, g = 9.1, th = 0.9, vx = 1.3, vy = -0.8, w = 0.6, y = -0.4;
  const double s = std::sin(th), c = std::cos(th);
  const auto at = [&](Expr e) { return value(e, point); };

  const double momenta[] = {m * vx - m * a * w * s, m * vy + m * a * w * c,
                            (J + m * a * a) * w + m * a * (vy * c - vx * s)};
  const double forces[] = {0, -m * g, -m * a * w * (vy * s + vx * c) - m * g * a * c};
  const double mass[3][3] = {{m, 0, -m * a * s}, {0, m, m * a * c}, {-m * a * s, m * a * c, J + m * a * a}};
  const double K[] = {-s, c, 0};
  // g = F - L_vq v: the index-1 form in Hilden 2009 has m a w^2 cos, -m g + m a w^2 sin, -m g a cos.
  const double right[] = {m * a * w * w * c, -m * g + m * a * w * w * s, -m * g * a * c};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(at(system.momenta()[i]), momenta[i], 1e-14);
    EXPECT_NEAR(at(system.forces()[i]), forces[i], 1e-14);
    EXPECT_NEAR(at(system.acceleration_rhs()[i]), right[i], 1e-14);
    EXPECT_NEAR(at(system.constraints()[0].K[i]), K[i], 1e-15);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR(at(system.mass()[i][j]), mass[i][j], 1e-15);
      EXPECT_EQ(system.mass()[i][j], system.mass()[j][i]);
    }
  }
  EXPECT_NEAR(at(system.constraint_rhs()[0]), vx * w * c + vy * w * s, 1e-15);
  const double kinetic = m / 2 * (vx * vx + vy * vy) + (J + m * a * a) / 2 * w * w + m * a * w * (vy * c - vx * s);
  EXPECT_NEAR(at(system.energy()), kinetic + m * g * (y + a * s), 1e-14);
  EXPECT_NEAR(at(system.lagrangian()), kinetic - m * g * (y + a * s), 1e-14);
  EXPECT_TRUE(system.mass()[0][1].is_zero());
}

TEST(System, TimeEntersTheRightHandSides) {
  const System system = System::parse(R"toml(
coordinates = ["x", "y"]
lagrangian  = "t^2*x'^2/2 + x*y' + y'^2 + t*x"
constraints = ["t*x' + x*y' = sin(t)"]
[forces]
y = "-3*y' + t"
)toml");
  const std::map<std::string, double> at = {{"t", 0.5}, {"x", 2}, {"y", 3}, {"x'", 5}, {"y'", 7}};
  // L_x = y' + t, L_{x' t} = 2 t x', L_{y' x} x' = x'
  EXPECT_DOUBLE_EQ(value(system.acceleration_rhs()[0], at), 7 + 0.5 - 2 * 0.5 * 5);
  EXPECT_DOUBLE_EQ(value(system.acceleration_rhs()[1], at), -21 + 0.5 - 5);
  EXPECT_DOUBLE_EQ(value(system.constraint_rhs()[0], at), -(5 * 7 + 5 - std::cos(0.5)));
  EXPECT_TRUE(system.structure().depends_on_time);
  EXPECT_TRUE(system.structure().has_forces);
  EXPECT_EQ(system.constraints()[0].kind, ConstraintKind::affine);
}

TEST(System, KindsOfConstraints) {
  const System system = System::parse(R"toml(
coordinates = ["x", "y", "z", "w"]
lagrangian  = "x'^2 + y'^2 + z'^2 + w'^2"
constraints = ["z' = y*x'", "x' + y' = 2", "x'^2 + y'^2 = z'^2", "2*(x' - 1) + 2 = w'"]
)toml");
  EXPECT_EQ(system.constraints()[0].kind, ConstraintKind::linear);
  EXPECT_EQ(system.constraints()[1].kind, ConstraintKind::affine);
  EXPECT_EQ(system.constraints()[2].kind, ConstraintKind::nonlinear);
  EXPECT_EQ(system.constraints()[3].kind, ConstraintKind::linear);
  EXPECT_STREQ(to_text(ConstraintKind::affine), "affine");
}

TEST(System, StructureIsFound) {
  const Structure sleigh = System::parse(sleigh_text).structure();
  EXPECT_FALSE(sleigh.constant_mass);
  EXPECT_FALSE(sleigh.diagonal_mass);
  EXPECT_TRUE(sleigh.quadratic_in_v);
  EXPECT_FALSE(sleigh.depends_on_time);
  EXPECT_FALSE(sleigh.has_forces);
  EXPECT_EQ(sleigh.cyclic, std::vector<std::string>{"x"});

  const Structure simple =
      System::parse("coordinates = ['x', 'y']\nlagrangian = \"m*x'^2 + y'^2 - x\"\n[parameters]\nm = 2").structure();
  EXPECT_TRUE(simple.constant_mass);
  EXPECT_TRUE(simple.diagonal_mass);
  EXPECT_EQ(simple.cyclic, std::vector<std::string>{"y"});

  const Structure relativistic = System::parse("coordinates = ['x']\nlagrangian = \"-sqrt(1 - x'^2)\"").structure();
  EXPECT_FALSE(relativistic.quadratic_in_v);
  EXPECT_FALSE(relativistic.constant_mass);
}

TEST(System, DefinitionsInAnyOrder) {
  const System system = System::parse(R"toml(
coordinates = ["x"]
lagrangian  = "kinetic - potential"
[parameters]
m = 3
k = "stiffness"
[definitions]
kinetic   = "m/2*speed2"
speed2    = "x'^2"
potential = "k*x^2/2"
stiffness = "2*m"
)toml");
  EXPECT_DOUBLE_EQ(value(system.lagrangian(), {{"x", 2}, {"x'", 5}, {"m", 3}, {"k", 6}}), 37.5 - 12);
  EXPECT_EQ(system.parameter_values(), (std::vector<double>{3, 6}));
}

TEST(System, FromTextIsTheSameAsFromAFile) {
  SystemText text;
  text.name = "sleigh";
  text.coordinates = {"x", "y", "theta"};
  text.lagrangian =
      "m/2*(x'^2 + y'^2) + (J + m*a^2)/2*theta'^2 + m*a*theta'*(y'*cos(theta) - x'*sin(theta)) - m*g*(y + "
      "a*sin(theta))";
  text.constraints = {"y'*cos(theta) = x'*sin(theta)"};
  text.parameters = {{"m", "1"}, {"a", "1"}, {"J", "m*a^2"}, {"g", "0.1"}};
  text.invariants = {{"spin", "theta'"}};
  text.forces = {{"x", "-x'"}};
  text.exact = {{"y", "t"}};
  text.t0 = "1/2";
  text.q0 = {"1", "0", "m"};
  const System system = System::from(text);
  const System file = System::parse(sleigh_text);
  EXPECT_DOUBLE_EQ(value(system.energy(), point), value(file.energy(), point));
  EXPECT_DOUBLE_EQ(value(system.forces()[0], point), -1.3);
  const InitialState state = system.initial_state(system.parameter_values());
  EXPECT_EQ(state.t, 0.5);
  EXPECT_EQ(state.q, (std::vector<double>{1, 0, 1}));
  EXPECT_EQ(state.v, (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(system.invariants()[0].first, "spin");
  EXPECT_EQ(system.exact()[0].first, "y");

  text.lagrangian = "x'^2 + tehta";
  const std::string message = refusal([&] { System::from(text); });
  EXPECT_TRUE(contains(message,
                       "lagrangian:1:8: unknown symbol 'tehta'\n  x'^2 + tehta\n         ^\n"
                       "  did you mean 'theta'?"))
      << message;
}

TEST(System, NameDefaultsToTheFile) {
  EXPECT_EQ(System::parse("coordinates = ['x']\nlagrangian = \"x'^2\"", "some/where/ball.toml").name(), "ball");
}

TEST(System, LoadsFiles) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "noslip_model_load.toml";
  std::ofstream(file) << sleigh_text;
  EXPECT_EQ(System::load(file).dimension(), 3);
  std::ofstream(file) << "coordinates = [\"x\"]\nlagrangian = \"x'^2 + u\"\n";
  EXPECT_TRUE(contains(refusal([&] { System::load(file); }), file.string() + ":2:22: unknown symbol 'u'"));
  std::ofstream(file) << std::string(1'000'001, '#');
  EXPECT_TRUE(contains(refusal([&] { System::load(file); }), "too long"));
  std::filesystem::remove(file);
  EXPECT_THROW(System::load(file), FileError);
  EXPECT_THROW(System::load(testing::TempDir()), FileError);
}

TEST(System, LargeSystemsAreDerivedOnce) {
  // A chain of 60 masses in a ring of rods: M is full, every entry depends on q.
  std::string coordinates, kinetic = "0";
  for (int i = 1; i <= 60; ++i) {
    const std::string k = std::to_string(i);
    coordinates += (i == 1 ? "\"a" : ", \"a") + k + "\"";
    kinetic += " + (vx" + k + "^2 + vy" + k + "^2)/2";
  }
  std::string toml = "coordinates = [" + coordinates + "]\nlagrangian = \"" + kinetic + "\"\n[definitions]\n";
  for (int i = 1; i <= 60; ++i) {
    const std::string k = std::to_string(i), before = std::to_string(i - 1);
    toml += "vx" + k + " = \"" + (i == 1 ? "" : "vx" + before + " + ") + "cos(a" + k + ")*a" + k + "'\"\n";
    toml += "vy" + k + " = \"" + (i == 1 ? "" : "vy" + before + " + ") + "sin(a" + k + ")*a" + k + "'\"\n";
  }
  const System system = System::parse(toml);
  const std::map<std::string, double> at = {{"a1", 0.3}, {"a2", 0.8}};
  EXPECT_NEAR(value(system.mass()[0][1], at), 59 * std::cos(0.5), 1e-12);
  EXPECT_NEAR(value(system.mass()[0][0], at), 60, 1e-12);
  EXPECT_LT(system.graph().size(), 400'000U);
}

}  // namespace
}  // namespace noslip::test
