// One const System in the hands of several threads: each gets the bits that it would get alone.
#include <barrier>
#include <bit>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>

#include <gtest/gtest.h>

#include <noslip/ensemble/ensemble.hpp>
#include <noslip/io/run_plot.hpp>
#include <noslip/model/continuous.hpp>
#include <noslip/run/section.hpp>
#include <noslip/run/structure.hpp>

#include "suite/members.hpp"
#include "support/figures.hpp"
#include "support/overdetermined.hpp"

namespace noslip {
namespace {

using testing::accepts;

/// Bits, so that a NaN equals itself.
using Bits = std::vector<std::uint64_t>;

void add(Bits& bits, double x) { bits.push_back(std::bit_cast<std::uint64_t>(x)); }

void add(Bits& bits, const std::vector<double>& values) {
  for (const double x : values) add(bits, x);
}

void add(Bits& bits, const std::string& text) {
  for (const char c : text) bits.push_back(static_cast<unsigned char>(c));
}

void add(Bits& bits, const Sample& sample) {
  add(bits, sample.t);
  for (const auto* part : {&sample.q, &sample.v, &sample.multipliers}) add(bits, *part);
  for (const double x : {sample.energy, sample.max_constraint, sample.work}) add(bits, x);
}

void add(Bits& bits, const Trajectory& run) {
  add(bits, std::string(to_text(run.outcome.status)) + run.outcome.message);
  add(bits, run.last);
  for (const std::string& text : run.last_text()) add(bits, text);
  for (const Sample& sample : run.samples) add(bits, sample);
  for (const EventHit& hit : run.hits) add(bits, hit.state);
  for (const Monitored& invariant : run.invariants) add(bits, invariant.max_abs_error);
  for (const double x : {run.energy.max_abs_error, run.balance.max_abs_error}) add(bits, x);
  if (run.rotations) add(bits, run.rotations->max_abs);
}

struct Case {
  const char* name;
  std::function<System()> make;
  double step;
  std::size_t most_methods = 100;  ///< on groups a method takes a while to record
};

const Case cases[] = {
    {"mechanical", [] { return catalogue_system("sleigh"); }, 0.02},
    {"position_constraint", [] { return catalogue_system("spherical-pendulum"); }, 0.02},
    {"driven", testing::driven_sleigh, 0.02},
    {"heavy_top", [] { return catalogue_system("heavy-top"); }, 0.01},
    {"chaplygin_ball", [] { return catalogue_system("chaplygin-ball"); }, 0.01, 2},
    {"planar_group", [] { return catalogue_system("chaplygin-sleigh-se2"); }, 0.01, 3},
    {"implicit_momenta",
     [] {
       return System::parse(R"toml(
         coordinates = ["x", "y", "z"]
         hamiltonian = "sqrt(1 + p(x)^2 + p(y)^2 + p(z)^2) + x^2/2 + y^2 + x*z^2/5"
         constraints = ["z' = y*x'"]
         [initial]
         q = [1, 0.2, 0]
         v = [0.3, 0.4, 0.06])toml");
     },
     0.02},
    {"index_two", [] { return catalogue_system("index2-split"); }, 0.02},
    {"overdetermined", [] { return System::parse(testing::jay_problem); }, 0.01},
    {"skew_gradient", [] { return System::parse(testing::rigid_body_text); }, 0.02},
};

/// A function of the state in words of any system, with a zero soon, and nothing that its derivation has left behind.
std::string crossing(const System& system) { return "sin(9*t + 1) - " + system.coordinates()[0] + "^3/1234567"; }

/// The first member of every family that accepts the system.
std::vector<std::string> methods_for(const System& system) {
  std::vector<std::string> names;
  for (const MethodFamily& family : method_families()) {
    std::string name = family.name;
    if (!family.numbers.empty()) name += ":" + std::to_string(family.numbers.front());
    if (accepts(name, system)) names.push_back(std::move(name));
  }
  return names;
}

Bits run_everything(const System& system, const Case& here) {
  Bits bits;
  const double step = here.step;
  std::vector<std::string> methods = methods_for(system);
  methods.resize(std::min(methods.size(), here.most_methods));
  const std::string first = methods.at(0);
  for (const std::string& method : methods) {
    RunOptions options = testing::options(method, step, 3);
    options.every = 1;
    add(bits, integrate(system, options));
  }
  RunOptions options = testing::options(first, step, 60);
  options.events = {{crossing(system)}, {"cos(11*t) = 1/3"}};
  options.dense = true;
  const Trajectory run = integrate(system, options);
  add(bits, run);
  options.steps = 2;
  options.precision = Precision::quadruple;
  add(bits, integrate(system, options));

  SectionOptions wanted;
  wanted.run = testing::options(first, step, 60);
  wanted.event = {crossing(system)};
  wanted.event.stop_after = 1;
  wanted.columns = {"t + " + system.coordinates()[0], "sin(" + system.coordinates()[0] + ")/7"};
  for (const SectionOrbit& orbit : section(system, wanted).orbits) {
    for (const SectionPoint& point : orbit.points) add(bits, point.values);
  }

  const std::vector<double> parameters = system.parameter_values();
  const InitialState initial = system.initial_state(parameters);
  std::vector<Problem> problems;
  const Continuous continuous(system, parameters);
  const ContinuousState state = continuous.evaluate(initial, problems);
  for (const auto* part : {&state.accelerations, &state.multipliers, &state.rates}) add(bits, *part);
  add(bits, continuous.project(initial).q);
  const StructureReport report = measure_structure(system, initial, testing::options(first, step, 0));
  add(bits, report.symmetry.value);
  if (report.symplecticity) add(bits, report.symplecticity->value);
  if (report.variational) add(bits, report.variational->value);

  EnsembleOptions many;
  many.run.method = first;
  many.run.step = step;
  many.run.steps = 5;
  many.run.every = 5;
  many.threads = 2;
  if (system.has_energy()) many.columns = {system.coordinates()[0], "energy"};
  const Ensemble ensemble = integrate_ensemble(system, std::vector<InitialState>(5, initial), many);
  add(bits, ensemble.values);

  RunPlot picture(system, parameters, system.coordinates()[0], 0, 60 * step);
  for (const Sample& sample : run.samples) picture.add(sample);
  add(bits, to_svg(picture.plot(run)));
  return bits;
}

class Threads : public ::testing::TestWithParam<Case> {};

TEST_P(Threads, ShareASystem) {
  const Case& here = GetParam();
  const Bits alone = run_everything(here.make(), here);
  EXPECT_GT(alone.size(), 100U);
  const System shared = here.make();  // nobody has used it before the threads do
  const std::size_t size = shared.graph().size();
  constexpr int count = 4;
  std::vector<Bits> results(count);
  std::vector<std::exception_ptr> errors(count);
  std::barrier start(count);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      try {
        results[i] = run_everything(shared, here);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  for (const Bits& result : results) EXPECT_TRUE(result == alone);
  EXPECT_TRUE(run_everything(shared, here) == alone);  // and nobody has left anything behind
  EXPECT_EQ(shared.graph().size(), size);
  test::figure("systems_in_threads", 1);
}

INSTANTIATE_TEST_SUITE_P(Of, Threads, ::testing::ValuesIn(cases), [](const auto& each) { return each.param.name; });

/// A run that adds to the graph of a system throws: other tests of this program, which run every method on every
/// system, would fail. Here are events beside.
TEST(FrozenGraph, EverySystemOfTheCatalogueHasEvents) {
  for (const System& system : testing::all_systems()) {
    ASSERT_TRUE(system.graph().is_frozen()) << system.name();
    RunOptions options = testing::options(methods_for(system).at(0), 1e-3, 1);
    options.events = {{crossing(system)}};
    EXPECT_NO_THROW(integrate(system, options)) << system.name();
  }
}

}  // namespace
}  // namespace noslip
