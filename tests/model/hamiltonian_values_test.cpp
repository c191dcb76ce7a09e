// Initial data, projection and refusals of systems with a Hamiltonian.
#include <cmath>

#include "model/hamiltonian_help.hpp"

namespace noslip::test {
namespace {

const std::string two = "coordinates = ['x', 'y']\n";
const std::string closed = two + "hamiltonian = \"(p(x) - b*y)^2/(2*m) + p(y)^2/2\"\n[parameters]\nm = 4\nb = 3\n";

System with(const std::string& initial) { return System::parse(closed + "[initial]\n" + initial); }

TEST(HamiltonianValues, VelocitiesFollowFromMomenta) {
  const System system = with("q = [0, 2]\np = { x = \"m/10\", y = 0.1 }");
  const InitialStateQuad exact = system.initial_state_quad(system.parameter_values_quad());
  EXPECT_EQ(exact.v[0], (quad(4) / 10 - 6) / 4);
  EXPECT_EQ(exact.v[1], quad(1) / 10);
  EXPECT_TRUE(exact.z.empty());
  EXPECT_EQ(system.initial_state(system.parameter_values({{"m", 10}})).v[0], -0.5);
}

TEST(HamiltonianValues, TheSpeedOfLightBelongsToNoMomenta) {
  const std::string text = R"toml(
    coordinates = ["x"]
    hamiltonian = "sqrt(1 + p(x)^2)"
    [initial]
    v = [)toml";
  EXPECT_NO_THROW({
    const System system = System::parse(text + "0.9999999]");
    system.initial_state_quad({});
  });
  EXPECT_THROW(
      {
        const System system = System::parse(text + "1]");
        system.initial_state_quad({});
      },
      InputError);
}

TEST(HamiltonianValues, MomentaFollowFromVelocities) {
  const System system = System::parse(relativistic_text("q = [0, 1, 0]\nv = [0.6, 0.3, 0.6]"));
  const std::vector<quad> parameters = system.parameter_values_quad();
  const InitialStateQuad exact = system.initial_state_quad(parameters);
  // gamma = 1/sqrt(1 - 0.81/2.25) = 1.25
  ASSERT_EQ(exact.z.size(), 3U);
  EXPECT_LT(std::abs(static_cast<double>(exact.z[0] - quad(6) / 10)), 1e-30);
  EXPECT_LT(std::abs(static_cast<double>(exact.z[1] - quad(3) / 10)), 1e-30);
  const InitialState state = system.initial_state(system.parameter_values());
  EXPECT_DOUBLE_EQ(state.z[0], 0.6);
  EXPECT_DOUBLE_EQ(state.z[1], 0.3);
  EXPECT_EQ(refusal([&] { Continuous(system, system.parameter_values()).require_consistent(state); }), "");
}

TEST(HamiltonianValues, ImplicitVelocitiesFollowFromMomenta) {
  const System system = System::parse(relativistic_text("q = [0, 1, 0]\np = [\"m*3/4\", \"3/10\", 0.6]"));
  const InitialStateQuad exact = system.initial_state_quad(system.parameter_values_quad());
  EXPECT_LT(std::abs(static_cast<double>(exact.v[0] - quad(6) / 10)), 1e-30);
  EXPECT_LT(std::abs(static_cast<double>(exact.v[2] - quad(6) / 10)), 1e-30);
  EXPECT_EQ(static_cast<double>(exact.z[0]), 0.6);
}

TEST(HamiltonianValues, OverridesOfMomenta) {
  const System system = with("q = [0, 2]\nv = [1, 5]");  // p(x) = 4*1 + 6 = 10
  const std::vector<double> parameters = system.parameter_values();
  const InitialState start = system.initial_state(parameters);
  EXPECT_EQ(system.with_initial(start, {{"p(x)", 2}}, parameters).v, (std::vector<double>{-1, 5}));
  // Velocities were given, so they stay ...
  EXPECT_EQ(system.with_initial(start, {{"y", 0}}).v, (std::vector<double>{1, 5}));
  // ... unless a momentum is given: p(x) = 10 at y = 2 is kept and gives x' = 2.5 at y = 0.
  EXPECT_EQ(system.with_initial(start, {{"y", 0}, {"p(y)", 7}}, parameters).v, (std::vector<double>{2.5, 7}));
  const System from_momenta = with("q = [0, 2]\np = [10, 5]");
  const InitialState other = from_momenta.initial_state(parameters);
  EXPECT_EQ(other.v, (std::vector<double>{1, 5}));
  EXPECT_EQ(from_momenta.with_initial(other, {{"y", 0}}, parameters).v, (std::vector<double>{2.5, 5}));
  EXPECT_EQ(from_momenta.with_initial(other, {{"y", 0}, {"y'", 7}}, parameters).v, (std::vector<double>{1, 7}));
  const InitialStateQuad exact = system.initial_state_quad(system.parameter_values_quad());
  EXPECT_EQ(system.with_initial(exact, {{"p(x)", 2}}, system.parameter_values_quad()).v[0], -1);
}

TEST(HamiltonianValues, OverridesKeepImplicitMomentaConsistent) {
  const System system = System::parse(relativistic_text("q = [0, 1, 0]\nv = [0.6, 0.3, 0.6]"));
  const std::vector<double> parameters = system.parameter_values();
  const Continuous continuous(system, parameters);
  const InitialState start = system.initial_state(parameters);
  const InitialState slower = system.with_initial(start, {{"x'", 0.1}, {"z'", 0.1}}, parameters);
  EXPECT_DOUBLE_EQ(slower.z[1], 0.8 * 0.3 / std::sqrt(1 - 0.11 / 2.25));
  EXPECT_EQ(refusal([&] { continuous.require_consistent(slower); }), "");
  const InitialState moved = system.with_initial(start, {{"p(x)", 0}, {"p(z)", 0}}, parameters);
  EXPECT_EQ(moved.z, (std::vector<double>{0, start.z[1], 0}));
  EXPECT_DOUBLE_EQ(moved.v[1], 0.3 / 0.8 / std::sqrt(1 + 0.09 / (0.64 * 2.25)));
  EXPECT_EQ(refusal([&] { continuous.require_consistent(moved); }), "");
}

TEST(HamiltonianValues, RefusedOverrides) {
  const System system = with("");
  const std::vector<double> parameters = system.parameter_values();
  const InitialState start = system.initial_state(parameters);
  const auto message = [&](const std::map<std::string, double>& overrides, const std::vector<double>& values) {
    return refusal([&] { system.with_initial(start, overrides, values); });
  };
  EXPECT_TRUE(contains(message({{"p(x)", 1}, {"y'", 1}}, parameters), "momenta and velocities are both given"));
  EXPECT_TRUE(contains(message({{"p(x)", 1}}, {}), "momenta of 'system' depend on its parameters"));
  EXPECT_TRUE(contains(message({{"p(z)", 1}}, parameters), "unknown initial value 'p(z)'"));
  EXPECT_TRUE(contains(message({{"p(x)", NAN}}, parameters), "the initial value of p(x) cannot be nan"));
  const System fast = System::parse(relativistic_text());
  EXPECT_TRUE(
      contains(refusal([&] {
                 fast.with_initial(fast.initial_state(fast.parameter_values()), {{"x'", 2}}, fast.parameter_values());
               }),
               "no momenta were found for x' = 2, y' = 0 and z' = 0"));
}

TEST(HamiltonianValues, LegendreTransformWithoutSolution) {
  const System fast = System::parse(relativistic_text("v = [1, 2, 0]"));
  EXPECT_EQ(refusal([&] { fast.initial_state(fast.parameter_values()); }),
            "no momenta were found for x' = 1, y' = 2 and z' = 0: H_p(t, q, p) = v has no solution there, or H_pp is "
            "singular\n  give other velocities, or give the momenta p");
  const System quartic = System::parse("coordinates = ['x']\nhamiltonian = \"p(x)^4/4\"\n[initial]\nv = [8]");
  EXPECT_EQ(quartic.initial_state({}).z, std::vector<double>{2});
}

std::string start_message(const std::string& toml) {
  const System system = System::parse(toml);
  const std::vector<double> parameters = system.parameter_values();
  return refusal([&] { Continuous(system, parameters).require_consistent(system.initial_state(parameters)); });
}

TEST(HamiltonianValues, SingularAtTheInitialState) {
  EXPECT_EQ(start_message("coordinates = ['x']\nhamiltonian = \"p(x)^4/4\""),
            "H_pp is singular at the initial state: the row of p(x) is zero there\n"
            "  v = H_p has to determine the momenta: start elsewhere, or change the Hamiltonian");
  EXPECT_TRUE(contains(start_message(two + "hamiltonian = \"x*p(x)^2 + p(y)^2\""), "the row of p(x) is zero there"));
  EXPECT_TRUE(contains(start_message(two + "hamiltonian = \"(1 + x)*p(x)^2 + p(y)^2 + 2*p(x)*p(y)\""),
                       "H_pp is singular at the initial state (rank 1 of 2) in the momenta of 'x' and 'y'"));
  EXPECT_TRUE(contains(start_message(two + "hamiltonian = \"p(x)^2/x + p(y)^2\""),
                       "a second derivative of the Hamiltonian by the momenta is not finite"));
}

TEST(HamiltonianValues, StatesThatAreNotConsistent) {
  const System system = System::parse(relativistic_text("q = [0, 1, 0]\nv = [0.6, 0.3, 0.6]"));
  const Continuous continuous(system, system.parameter_values());
  InitialState state = system.initial_state(system.parameter_values());
  state.v = {0.5, 0.3, 0.5};
  EXPECT_TRUE(contains(refusal([&] { continuous.require_consistent(state); }),
                       "the initial velocity x' = 0.5 does not belong to the momenta, which give 0.6"));
  state.z.pop_back();
  EXPECT_TRUE(contains(refusal([&] { continuous.require_consistent(state); }),
                       "the initial state has 3 positions, 3 velocities and 2 momenta"));
  state.z.push_back(NAN);
  EXPECT_TRUE(contains(refusal([&] { continuous.require_consistent(state); }), "the initial value of p(z) is nan"));
}

TEST(HamiltonianValues, Projection) {
  for (const std::string constraint : {"z' = y*x'", "p(z) = y*x' + t/10"}) {
    std::string text = relativistic_text("t = 1\nq = [0, 1, 0]\nv = [0.6, 0.3, 0.1]");
    const std::string linear = "z' = y*x'";
    text.replace(text.find(linear), linear.size(), constraint);
    const System system = System::parse(text);
    const std::vector<double> parameters = system.parameter_values();
    const Continuous continuous(system, parameters);
    const InitialState given = system.initial_state(parameters);
    EXPECT_TRUE(contains(refusal([&] { continuous.require_consistent(given); }), "is violated by"));
    const InitialState state = continuous.project(given);
    EXPECT_EQ(refusal([&] { continuous.require_consistent(state); }), "");
    EXPECT_EQ(state.q, given.q);
    // Nearest in the mass metric of the given state: M (v - v0) is a multiple of K at the result.
    std::map<std::string, double> there{{"t", 1}}, before{{"t", 1}};
    for (std::size_t i = 0; i < 3; ++i) {
      for (auto [values, at] : {std::pair{&there, &state}, {&before, &given}}) {
        (*values)[system.q()[i].name()] = at->q[i];
        (*values)[system.v()[i].name()] = at->v[i];
        (*values)[system.z()[i].name()] = at->z[i];
      }
      there[system.parameters()[i % 2].name] = before[system.parameters()[i % 2].name] = parameters[i % 2];
    }
    std::vector<double> force(3), K(3);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        force[i] += value(system.mass()[i][j], before) * (state.v[j] - given.v[j]);
      }
      K[i] = value(system.constraints()[0].K[i], there);
    }
    for (std::size_t i = 1; i < 3; ++i) EXPECT_NEAR(force[i] * K[0], force[0] * K[i], 1e-14) << constraint;
  }
}

TEST(HamiltonianErrors, Texts) {
  const std::string remedy = "  momenta are written p(x), for example p(x)^2/(2*m)";
  EXPECT_EQ(problem_of(two + "hamiltonian = \"x\""),
            "s.toml:2:16: the Hamiltonian contains no momentum\n  hamiltonian = \"x\"\n                 ^\n" + remedy);
  EXPECT_EQ(problem_of(two + "hamiltonian = \"p(x)^2 + p(y)*y'\""),
            "s.toml:2:30: 'y'' is a velocity\n  hamiltonian = \"p(x)^2 + p(y)*y'\"\n"
            "                               ^\n"
            "  a Hamiltonian is a function of t, the coordinates and their momenta: write p(x), not x'");
  EXPECT_TRUE(contains(problem_of(two + "hamiltonian = \"p(x)^2 + p(y)^2\"\nlagrangian = \"x'^2\""),
                       "2:16: `lagrangian` and `hamiltonian` are both given"));
  EXPECT_TRUE(contains(problem_of(two + "hamiltonian = 3"), "2:15: hamiltonian has to be a string, not an integer"));
  EXPECT_TRUE(
      contains(problem_of(two + "hamiltonian = \"p(x)^2 + p(z)^2 + p(y)^2\""), "2:27: there is no momentum of 'z'"));
  EXPECT_TRUE(contains(problem_of(two + "hamiltonian = \"p(m)^2 + p(y)^2\"\n[parameters]\nm = 1"),
                       "2:18: 'm' is a parameter and has no momentum"));
  EXPECT_TRUE(
      contains(problem_of(two + "lagrangian = \"x'^2 + y'^2 + p(x)\""), "p(...), the momentum, is not available here"));
}

TEST(HamiltonianErrors, SingularWhateverTheValues) {
  EXPECT_TRUE(contains(problem_of(two + "hamiltonian = \"p(x)^2 + p(y)\""),
                       "2:16: H_pp is singular: the Hamiltonian has no term that is quadratic in the momentum of 'y'"));
  EXPECT_TRUE(contains(problem_of(two + "hamiltonian = \"(p(x) + p(y))^2\""),
                       "H_pp is singular: momenta do not follow from the velocities of x and y"));
}

TEST(HamiltonianErrors, InitialMomenta) {
  const std::string good = two + "hamiltonian = \"p(x)^2 + p(y)^2\"\n[initial]\n";
  EXPECT_TRUE(contains(problem_of(good + "p = [1, 2]\nv = [1, 2]"), "4:5: initial v and initial p are both given"));
  EXPECT_TRUE(contains(problem_of(two + "lagrangian = \"x'^2 + y'^2\"\n[initial]\np = [1, 2]"),
                       "4:5: initial p belongs to systems with a hamiltonian"));
  EXPECT_TRUE(contains(problem_of(good + "p = [1]"), "4:5: initial p has 1 value for 2 coordinates"));
  EXPECT_TRUE(contains(problem_of(good + "p = { z = 1 }"), "4:7: unknown coordinate 'z'"));
  EXPECT_TRUE(contains(problem_of(good + "p = [\"p(x)\", 1]"), "4:9: 'p(x)' is a momentum"));
  EXPECT_TRUE(contains(problem_of(good + "w = [1, 2]"), "the keys are t, q, v or p;"));
  EXPECT_TRUE(contains(refusal([&] {
                         const System system = System::parse(good + "p = [\"1/y0\", 1]\n[parameters]\ny0 = 0");
                         system.initial_state(system.parameter_values());
                       }),
                       "the initial value of x', which follows from p, is not finite: '1/y0' is inf"));
}

TEST(HamiltonianErrors, InCppForm) {
  SystemText text;
  text.coordinates = {"x"};
  text.hamiltonian = "p(x)^2/2";
  text.p0 = {"3"};
  EXPECT_EQ(System::from(text).initial_state({}).v, std::vector<double>{3});
  text.kind = "dae2";
  const std::string message = refusal([&] { System::from(text); });
  EXPECT_TRUE(contains(message, "`hamiltonian` does not belong to a system of kind dae2"));
  EXPECT_TRUE(contains(message, "`p0` does not belong to a system of kind dae2"));
}

}  // namespace
}  // namespace noslip::test
