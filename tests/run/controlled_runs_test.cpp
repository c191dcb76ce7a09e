// All kinds of systems with controllers, beside a chain of runs; studies of controlled systems.
#include <functional>

#include <gtest/gtest.h>

#include <noslip/run/compare.hpp>
#include <noslip/run/converge.hpp>
#include <noslip/run/section.hpp>
#include <noslip/run/stepper.hpp>

#include "run/control_help.hpp"

namespace noslip {
namespace {

using testing::cart;
using testing::distance;
using testing::options;
using testing::segway_text;

/// From sample to sample with runs of their own.
struct Kind {
  const char* text;
  const char* sampled;
  const char* method;
  std::function<double(const Sample&)> law;
};

TEST(ControlledRuns, AllKindsOfSystems) {
  const Kind kinds[] = {
      {"kind = 'dae2'\ny = ['a', 'b']\nz = ['w']\nf = [['b + u', '-a'], ['w*a', 'w*b']]\ng = ['a^2 + b^2 = 1']\n"
       "[inputs]\nu = 0\n[initial]\ny = [1, 0]\nz = [0]\n",
       "u = 'b - a/2'", "srk-gauss:2", [](const Sample& s) { return s.q[1] - s.q[0] / 2; }},
      {"kind = 'skew-gradient'\nx = ['q', 'p']\nhamiltonian = 'p^2/2 + q^4/4 - u*q'\nstructure = [[0, 1], [-1, 0]]\n"
       "[inputs]\nu = 0\n[initial]\nx = [1, 0]\n",
       "u = 'p - q/2'", "srk-gauss:2", [](const Sample& s) { return s.q[1] - s.q[0] / 2; }},
      {"coordinates = [{ group = 'SO(3)', name = 'R', velocity = ['w1', 'w2', 'w3'] }]\n"
       "lagrangian = '(w1^2 + 2*w2^2 + 3*w3^2)/2 - R33'\n[inputs]\nu = 0\n[forces]\nw1 = 'u'\n[initial]\nv = [0.3, 1, "
       "0.2]\n",
       "u = '-w1 + R32'", "mp", [](const Sample& s) { return -s.v[0] + s.q[7]; }},
      {"coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - y + u*x\"\nholonomic = ['x^2 + y^2 = 1']\n"
       "[inputs]\nu = 0\n[initial]\nq = [1, 0]\nv = [0, 0]\n",
       "u = \"-x' + y\"", "gauss:2", [](const Sample& s) { return -s.v[0] + s.q[1]; }},
  };
  for (const Kind& kind : kinds) {
    const std::string text = kind.text;
    const System system = System::parse(text),
                 sampled = System::parse(text + "[sampled]\nevery = 0.1\n" + kind.sampled);
    const Trajectory at_once = integrate(sampled, options(kind.method, 0.05, 1));
    ASSERT_EQ(at_once.outcome.status, Status::done) << text << at_once.outcome.message;
    InitialState state = system.initial_state(system.parameter_values());
    Sample last{state.t, state.q, state.v, {}};
    for (int k = 0; k < 10; ++k) {
      RunOptions run = options(kind.method, 0.05, 0.1 * (k + 1));
      run.control.inputs = {{"u", kind.law(last)}};
      run.project = !state.z.empty();  // z follows the input
      const Trajectory part = integrate(system, state, run);
      last = part.last;
      state.t = last.t;
      state.q = last.q;
      state.v = last.v;
      if (!state.z.empty()) state.z = last.multipliers;
    }
    EXPECT_LT(distance(at_once.last.q, last.q), 1e-12) << text;
    EXPECT_LT(distance(at_once.last.v, last.v), 1e-12) << text;
    EXPECT_NEAR(at_once.last.inputs[0], last.inputs[0], 1e-12) << text;
    EXPECT_LT(distance(at_once.last.multipliers, last.multipliers), 1e-10) << text;
    // A stepper takes the same steps.
    Stepper<double> stepper(Program<double>(sampled, {.method = kind.method}), 0.05);
    ASSERT_EQ(stepper.advance(20), 20);
    for (std::size_t i = 0; i < last.q.size(); ++i) EXPECT_NEAR(stepper.q()[i], last.q[i], 1e-12) << text;
  }
}

TEST(ControlledRuns, StudiesAreControlled) {
  const System sampled = System::parse(std::string(segway_text) + "[sampled]\nevery = 0.02\ntau = '0.5*pitch'");
  const ConvergeOptions of_orders{
      .methods = {"mp", "gauss:2"}, .steps = {0.02, 0.01, 0.005}, .until = 0.2, .control = {}};
  const Convergence orders = converge(sampled, of_orders);
  ASSERT_EQ(orders.outcome.status, Status::done) << orders.outcome.message;
  EXPECT_NEAR(orders.results[0].order.q, 2, 0.1);
  EXPECT_NEAR(orders.results[1].order.q, 4, 0.2);

  ConvergeOptions with_series = of_orders;
  with_series.control.series = {{"tau", {0, 0.1, 0.14}, {0, 0.01, -0.02}, true}};
  EXPECT_NEAR(converge(System::parse(segway_text), with_series).results[1].order.q, 4, 0.2);
  with_series.steps = {0.02, 0.007};
  const Convergence uneven = converge(System::parse(segway_text), with_series);
  ASSERT_EQ(uneven.results[0].notes.size(), 1U);
  EXPECT_NE(uneven.results[0].notes[0].find("no multiple of the step 0.007"), std::string::npos);

  CompareOptions of_methods{.methods = {"gauss:2"}, .step = 0.1, .until = 1};
  of_methods.control.series = {{"u", {0, 0.5}, {1, -2}}};
  const Comparison comparison = compare(cart(), of_methods);
  EXPECT_NEAR(comparison.results[0].run.last.v[0], -0.5, 1e-14);
  EXPECT_EQ(comparison.notes.size(), 1U);

  SectionOptions crossings;
  crossings.run = options("gauss:2", 0.1, 2);
  crossings.run.control = of_methods.control;
  crossings.event = {"x'", Crossing::down, 1};
  crossings.columns = {"u", "x + u"};
  const Section section = noslip::section(cart(), crossings);
  ASSERT_EQ(section.orbits[0].points.size(), 1U);
  EXPECT_NEAR(section.orbits[0].points[0].t, 0.75, 1e-14);
  EXPECT_EQ(section.orbits[0].points[0].values[0], -2);
  EXPECT_NEAR(section.orbits[0].points[0].values[1], -2 + 0.1875, 1e-14);
}

}  // namespace
}  // namespace noslip
