// Programs: compiled once, whoever asks; the order of elimination depends on the start alone, not on who came first.
#include <barrier>
#include <numbers>
#include <thread>

#include <gtest/gtest.h>

#include <noslip/run/program.hpp>

#include "run/control_help.hpp"

namespace noslip {
namespace {

using testing::has_warning;

long long compiled() { return program_counts().compiled; }

std::string refusal(const System& system, const ProgramOptions& options) {
  return testing::refusal([&] { const Program<double> program(system, options); });
}

TEST(Programs, AreCompiledOnce) {
  const System system = testing::sleigh();
  const long long before = compiled();
  const Program<double> first(system), second(system, {.method = "gauss:2"});
  EXPECT_EQ(compiled(), before + 1);
  EXPECT_EQ(&first.data(), &second.data());
  const Program<double> of_copy(System{system});
  EXPECT_EQ(&of_copy.data(), &first.data());
  // Everything that makes another program of it.
  EXPECT_NE(&Program<double>(system, {.method = "mp"}).data(), &first.data());
  EXPECT_NE(&Program<double>(system, {.lanes = 4}).data(), &first.data());
  EXPECT_NE(&Program<double>(system, {.tolerance = 1e-8}).data(), &first.data());
  EXPECT_NE(&Program<double>(system, {.backend = Backend::interpreter}).data(), &first.data());
  EXPECT_EQ(compiled(), before + 5);
  const Program<long double> longer(system);
  const Program<quad> longest(system);
  EXPECT_EQ(compiled(), before + 7);
  const Program<double> other(testing::sleigh());  // the same text, and another system
  EXPECT_EQ(compiled(), before + 8);
  // Step sizes, parameters, states do not matter.
  for (const double h : {0.1, 0.03}) {
    RunOptions options = testing::options("gauss:2", h, 1);
    options.set = {{"g", 1 + h}};
    options.init = {{"y", h}};
    EXPECT_EQ(integrate(system, options).outcome.status, Status::done);
  }
  EXPECT_EQ(compiled(), before + 8);
}

TEST(Programs, SayWhatTheyAre) {
  const Program<double> program(testing::sleigh(), {.method = "mp", .lanes = 4});
  EXPECT_EQ(program.system().name(), "sleigh");
  EXPECT_EQ(program.options().method, "mp");
  EXPECT_EQ(program.lanes(), 4);
  EXPECT_EQ(program.method().name, "mp");
  EXPECT_EQ(program.is_machine_code(), why_no_machine_code().empty());
  EXPECT_FALSE(Program<quad>(testing::sleigh()).is_machine_code());
  const std::vector<std::string> names = program.state_names();
  ASSERT_GE(names.size(), 6U);
  EXPECT_EQ(names[0], "x");
  EXPECT_EQ(names[5], "theta'");
  EXPECT_GT(program.bytes_per_stepper(), 4U * 6U * sizeof(double));
  EXPECT_LT(program.bytes_per_stepper(), 100'000U);
}

TEST(Programs, AreSharedByThreadsThatAskAtOnce) {
  const System system = testing::sleigh();
  const long long before = compiled();
  constexpr int count = 8;
  std::vector<const ProgramData<double>*> found(count);
  std::vector<std::thread> threads;
  std::barrier start(count);
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      found[static_cast<std::size_t>(i)] = &Program<double>(system, {.method = "lobatto-ab:3"}).data();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(compiled(), before + 1);
  for (const auto* one : found) EXPECT_EQ(one, found[0]);
}

TEST(Programs, AreForgottenUnlessTheyAreUsed) {
  const System system = testing::sleigh();
  const Program<double> used(system);
  forget_programs();
  const long long before = compiled();
  const Program<double> again(system);
  EXPECT_EQ(compiled(), before + 1);
  EXPECT_EQ(used.options().method, "gauss:2");
  // The shelf is not endless.
  const std::size_t most = program_counts().most_kept;
  for (std::size_t i = 0; i < most; ++i) {
    const Program<double> one(system, {.tolerance = 1e-8 * static_cast<double>(i + 1)});
  }
  EXPECT_EQ(compiled(), before + 1 + static_cast<long long>(most));
  const Program<double> last(system, {.tolerance = 1e-8 * static_cast<double>(most)});
  EXPECT_EQ(compiled(), before + 1 + static_cast<long long>(most));
  const Program<double> first(system);
  EXPECT_EQ(compiled(), before + 2 + static_cast<long long>(most));
}

/// Runs with inputs that are linear in time use a system of their own, the same for all of them.
/// What a run has left for the next one of its thread goes, too.
TEST(Programs, OfRunsAreForgotten) {
  std::weak_ptr<const ProgramData<double>> program;
  std::weak_ptr<const ProgramData<quad>> in_quad;
  {
    const System system = testing::cart();
    RunOptions run = testing::options("gauss:2", 0.1, 1);
    integrate(system, run);
    run.precision = Precision::quadruple;
    integrate(system, run);
    program = Program<double>(system).shared();
    in_quad = Program<quad>(system).shared();
  }
  EXPECT_FALSE(program.expired() || in_quad.expired());
  forget_programs();
  EXPECT_TRUE(program.expired());
  EXPECT_TRUE(in_quad.expired());
}

TEST(Programs, OfLinearInputsAreCompiledOnce) {
  const System system = testing::pushed_cart();
  const auto run = [&](const std::string& input, double step, double last, Precision precision) {
    RunOptions options{.method = "gauss:2", .step = step, .until = 2};
    options.precision = precision;
    options.control.series = {{input, {0, 1, 2}, {0, 1, last}, true}};
    return integrate(system, options).last.q;
  };
  const auto in_double = Precision::double_precision;
  const long long before = compiled();
  const std::vector<double> first = run("u", 0.01, 3, in_double);
  EXPECT_EQ(compiled(), before + 1);
  EXPECT_EQ(run("u", 0.01, 3, in_double), first);
  EXPECT_NE(run("u", 0.02, -3, in_double), first);
  EXPECT_EQ(compiled(), before + 1);
  run("w", 0.01, 3, in_double);
  EXPECT_EQ(compiled(), before + 2);
  run("u", 0.1, 3, Precision::quadruple);
  EXPECT_EQ(compiled(), before + 3);
  forget_programs();
  EXPECT_EQ(run("u", 0.01, 3, in_double), first);
  EXPECT_EQ(compiled(), before + 4);

  RunOptions study{.method = "gauss:2", .until = 1};
  study.control.series = {{"u", {0, 0.5, 1}, {0, 1, 0}, true}};
  const long long before_study = compiled();
  for (const double step : {0.1, 0.05, 0.025}) {
    study.step = step;
    integrate(system, study);
  }
  EXPECT_EQ(compiled(), before_study);
}

TEST(Programs, AreRefused) {
  const System system = testing::sleigh();
  EXPECT_NE(refusal(system, {.lanes = 3}).find("3 lanes are not possible"), std::string::npos);
  EXPECT_NE(refusal(system, {.tolerance = -1}).find("tolerance"), std::string::npos);
  const std::string both = refusal(system, {.lanes = 0, .tolerance = -1});  // all problems at once
  EXPECT_NE(both.find("0 lanes"), std::string::npos);
  EXPECT_NE(both.find("tolerance"), std::string::npos);
  EXPECT_NE(refusal(system, {.method = "gauss:two"}).find("gauss:two"), std::string::npos);
  EXPECT_NE(refusal(system, {.method = "euler"}).find("euler"), std::string::npos);
  const std::string misfit = refusal(System::parse(R"toml(kind = "skew-gradient"
    x = ["x", "y"]
    hamiltonian = "x^2 + y^2"
    structure = [["0", "1"], ["-1", "0"]])toml"),
                                     {.method = "nh-lobatto:2"});
  EXPECT_NE(misfit.find("cannot integrate"), std::string::npos) << misfit;
  EXPECT_THROW(Program<quad>(system, {.lanes = 4}), InputError);
  EXPECT_THROW(Program<long double>(system, {.backend = Backend::jit}), InputError);
  // A refusal is not kept, and keeps nobody from asking again.
  const long long before = compiled();
  EXPECT_FALSE(refusal(system, {.method = "gauss:two"}).empty());
  EXPECT_EQ(compiled(), before);
}

TEST(Programs, DoNotDependOnWhoAsksFirst) {
  const System system = testing::sleigh();
  const InitialState a{0, {1, 0, 0}, {0, 0, 0}, {}}, b{0.5, {0, 2, 1.5}, {std::cos(1.5), std::sin(1.5), -1}, {}};
  for (const std::string method : {"gauss:3", "mp", "cm", "lobatto-ab:3", "gonzalez", "nh-lobatto:2", "rk-lobatto-iiic:3"}) {
    const RunOptions options = testing::options(method, 0.02, 2);
    forget_programs();
    integrate(system, a, options);
    const Trajectory after_a = integrate(system, b, options);
    forget_programs();
    const Trajectory alone = integrate(system, b, options);
    EXPECT_EQ(after_a.last.q, alone.last.q) << method;
    EXPECT_EQ(after_a.last.v, alone.last.v) << method;
    EXPECT_EQ(after_a.last.multipliers, alone.last.multipliers) << method;
  }
}

TEST(Programs, HaveAStateOfReferenceWhereZeroIsSingular) {
  const System pendulum = System::parse(R"toml(
    coordinates = ["x", "y"]
    lagrangian  = "(x'^2 + y'^2)/2 - 9.81*y"
    holonomic   = ["x^2 + y^2 = 1"])toml");
  const InitialState down{0, {0, -1}, {1, 0}, {}}, aside{0, {1, 0}, {0, 0.5}, {}};
  for (const std::string method : {"gauss:2", "lobatto-ab:3", "nh-lobatto:2", "mp", "cm"}) {
    if (!find_method(method)->why_not(pendulum).empty()) continue;
    for (const InitialState& start : {down, aside}) {
      const Trajectory run = integrate(pendulum, start, testing::options(method, 0.005, 3));
      EXPECT_EQ(run.outcome.status, Status::done) << method << ": " << run.outcome.message;
      EXPECT_LT(run.holonomic.max_abs, 1e-14) << method;
      EXPECT_FALSE(has_warning(run, "pivoting")) << method;
      EXPECT_LT(run.energy.max_abs_error, 1e-3) << method;
    }
  }
}

/// A blade that stands across the direction in which its equations are solved for one velocity by the other.
TEST(Programs, AreOrderedAnewWhereTheUsualOrderIsBad) {
  const System blade = System::parse(R"toml(
    coordinates = ["x", "y", "theta"]
    lagrangian  = "(x'^2 + y'^2)/2 + theta'^2 - x/3 - y^2/4 - cos(x)*y/5"
    constraints = ["cos(theta)*x' + sin(theta)*y' = 0"]
    [initial]
    v = [0, 1, 1])toml");
  const InitialState across{0, {0, 0, std::numbers::pi / 2}, {-1, 0, 1e-3}, {}};
  int ordered_anew = 0;
  for (const std::string method : {"gauss:2", "mp", "cm", "lobatto-ab:3", "gonzalez", "nh-lobatto:2", "rk-lobatto-iiic:3"}) {
    RunOptions options = testing::options(method, 0.02, 1);
    options.project = true;
    integrate(blade, options);
    const long long before = compiled();
    const Trajectory run = integrate(blade, across, options);
    ordered_anew += static_cast<int>(compiled() - before);
    EXPECT_EQ(run.outcome.status, Status::done) << method << ": " << run.outcome.message;
    EXPECT_LE(compiled(), before + 1) << method;
    for (const Warning& warning : run.warnings) ADD_FAILURE() << method << ": " << warning.message;
    integrate(blade, across, options);
    EXPECT_LE(compiled(), before + 1) << method;  // kept, too
  }
  EXPECT_GT(ordered_anew, 0);
}

}  // namespace
}  // namespace noslip
