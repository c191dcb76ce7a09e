// Functions written in C++ on tapes and in kernels: every way of running gives the same bits.
#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include <noslip/core/error.hpp>
#include <noslip/exec/function.hpp>
#include <noslip/expr/derivative.hpp>
#include <noslip/expr/difference.hpp>
#include <noslip/expr/rounding.hpp>

#include "exec/allocations.hpp"
#include "exec/kernel_access.hpp"

namespace noslip {
namespace {

double wave(double x, double y, double z) { return std::sin(x) * y + z * z; }

ExternalFunction waves(bool has_derivatives) {
  ExternalOptions options;
  if (has_derivatives) {
    options.derivative = [](std::span<const double> a, std::size_t by) {
      return by == 0 ? std::cos(a[0]) * a[1] : by == 1 ? std::sin(a[0]) : 2 * a[2];
    };
  }
  return {"wave", 3, [](std::span<const double> a) { return wave(a[0], a[1], a[2]); }, options};
}

struct Case {
  Graph graph;
  std::vector<Expr> symbols{graph.symbol("x"), graph.symbol("y"), graph.symbol("z")};
  ExternalFunction f = waves(true), g{"g", 1, [](std::span<const double> a) { return std::cbrt(a[0]); }};
  // Calls of calls, arguments that are inputs, constants and results, twice the same, and used elsewhere.
  std::vector<Expr> functions() {
    const Expr x = symbols[0], y = symbols[1], z = symbols[2];
    const Expr inner = f(x, y * z, x + 1), outer = f(inner, inner, g(y));
    const Expr all = outer * x - f(graph.constant(2), x, z) + g(graph.constant(3)) + y * z - inner;
    std::vector<Expr> result{all, -inner, g(z), derivative(all, x), derivative(all, y)};
    return result;
  }
  static std::vector<double> expected(double x, double y, double z) {
    const double inner = wave(x, y * z, x + 1), outer = wave(inner, inner, std::cbrt(y));
    const double all = outer * x - wave(2, x, z) + std::cbrt(3.0) + y * z - inner;
    return {all, -inner, std::cbrt(z)};
  }
};

TEST(ExternalKernel, EveryWayOfRunningGivesTheSameBits) {
  Case given;
  const std::vector<Expr> functions = given.functions();
  std::vector<Tape::Input> inputs;
  std::vector<Tape::Output> outputs;
  for (std::uint32_t k = 0; k < 3; ++k) inputs.push_back({given.symbols[k], k});
  for (std::uint32_t k = 0; k < functions.size(); ++k) outputs.push_back({functions[k], k});  // over the inputs
  const Tape tape(inputs, outputs);
  const std::size_t slots = std::max<std::size_t>(3, functions.size());
  const auto start = [](std::size_t k, std::size_t lane) {
    return k < 3 ? 0.3 + 0.2 * static_cast<double>(k) + 0.11 * static_cast<double>(lane) : 0.0;
  };
  std::vector<std::vector<double>> expected(8);
  for (std::size_t lane = 0; lane < 8; ++lane) {
    std::vector<double>& workspace = expected[lane];
    for (std::size_t k = 0; k < slots; ++k) workspace.push_back(start(k, lane));
    const std::vector<double> by_hand = Case::expected(workspace[0], workspace[1], workspace[2]);
    const Kernel<double> kernel(tape, Backend::automatic);
    EXPECT_FALSE(kernel.is_machine_code());
    std::vector<double> scratch(kernel.scratch_size(), std::numeric_limits<double>::quiet_NaN());
    kernel(workspace.data(), scratch.data());
    for (std::size_t k = 0; k < by_hand.size(); ++k) EXPECT_NEAR(workspace[k], by_hand[k], 1e-14);
  }
  for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
    if (native_isa() < isa) continue;
    for (const std::size_t lanes : {1, 4, 8}) {
      const auto kernel = KernelAccess<double>::make(tape, Backend::interpreter, static_cast<int>(lanes), isa);
      std::vector<double> workspace, scratch(kernel.scratch_size(), std::numeric_limits<double>::quiet_NaN());
      for (std::size_t k = 0; k < slots; ++k) {
        for (std::size_t lane = 0; lane < lanes; ++lane) workspace.push_back(start(k, lane));
      }
      kernel(workspace.data(), scratch.data());
      for (std::size_t k = 0; k < functions.size(); ++k) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          EXPECT_EQ(workspace[k * lanes + lane], expected[lane][k]) << k << ", lane " << lane << " of " << lanes;
        }
      }
    }
  }
}

TEST(ExternalKernel, ExtendedPrecisionRunsToo) {
  Case given;
  const Function<quad> of_quad({given.symbols}, {given.functions()});
  const Function<long double> of_long({given.symbols}, {given.functions()});
  const std::vector<double> expected = Case::expected(0.3, 0.5, 0.7);
  const auto a = of_quad({std::vector<quad>{0.3, 0.5, 0.7}});
  const auto b = of_long({std::vector<long double>{0.3, 0.5, 0.7}});
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_NEAR(static_cast<double>(a.output(0)[k]), expected[k], 1e-14);
    EXPECT_NEAR(static_cast<double>(b.output(0)[k]), expected[k], 1e-14);
  }
}

TEST(ExternalKernel, MachineCodeIsRefusedWithTheReason) {
  Case given;
  if (!why_no_machine_code().empty()) GTEST_SKIP();
  try {
    Function<double>({given.symbols}, {given.functions()}, Backend::jit);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "no machine code here: 'wave' is a function written in C++\n  use the backend auto or interpreter");
  }
}

TEST(ExternalKernel, AllocatesNothingAndThrowsWhatTheFunctionThrows) {
  Graph graph;
  const Expr x = graph.symbol("x");
  const ExternalFunction root("root", 1, [](std::span<const double> a) {
    if (a[0] < 0) throw std::domain_error("a negative number");
    return std::sqrt(a[0]);
  });
  const Function<double> function({{x}}, {{root(x), x + 1}});
  Evaluation<double> at(function);
  at.set(0, 4.0).run();
  const std::size_t before = allocation_count();
  for (int i = 0; i < 100; ++i) at.set(0, 4.0 + i).run();
  EXPECT_EQ(allocation_count(), before);
  EXPECT_EQ(at.output(0)[0], std::sqrt(103.0));
  EXPECT_THROW(at.set(0, -1.0).run(), std::domain_error);
  EXPECT_EQ(at.output(0)[1], 104) << "what was there before";
  at.set(0, 9.0).run();
  EXPECT_EQ(at.output(0)[0], 3);
  at.set(0, std::numeric_limits<double>::quiet_NaN()).run();
  EXPECT_TRUE(std::isnan(at.output(0)[0]));
}

TEST(ExternalKernel, DividedDifferencesAreRightForEveryWidth) {
  for (const bool has_derivatives : {true, false}) {
    Graph graph;
    const Expr x = graph.symbol("x"), y = graph.symbol("y"), w = graph.symbol("w");
    const Expr u = graph.symbol("u"), v = graph.symbol("v");
    const Expr f = waves(has_derivatives)(x, y, x * y);
    const Move moves[] = {{x, x, u}, {y, y, v}};
    const Expr slope = divided_difference(f, moves, w);
    const std::vector<Expr> sizes = rounding_sizes(std::span(&slope, 1));
    const Function<double> function({{x, y, u, v, w}}, {{slope, sizes[0], derivative(slope, u), f}});
    const long double x0 = 0.7L, y0 = -1.2L, u0 = 0.9L, v0 = 1.4L;
    const auto exact = [](long double a, long double b) { return std::sin(a) * b + a * b * a * b; };
    for (const double width : {0.0, 1e-14, 1e-9, 1e-7, 3e-6, 6e-6, 1e-5, 1e-3, 0.1, 2.0}) {
      const auto at = function({std::vector<double>{0.7, -1.2, 0.9, 1.4, width}});
      // The series of the mean derivative, where the quotient would cancel.
      long double wanted = 0;
      for (const long double node : {-0.7745966692414834L, 0.0L, 0.7745966692414834L}) {
        const long double weight = node == 0 ? 4.0L / 9 : 5.0L / 18;
        const long double s = width * (1 + node) / 2, a = x0 + s * u0, b = y0 + s * v0;
        wanted += weight * (std::cos(a) * b * u0 + std::sin(a) * v0 + 2 * a * b * (u0 * b + a * v0));
      }
      if (width > 0.01) wanted = (exact(x0 + width * u0, y0 + width * v0) - exact(x0, y0)) / width;
      const double found = at.output(0)[0];
      EXPECT_NEAR(found, static_cast<double>(wanted), 2e-10) << width;
      // What an energy changes by is right to rounding.
      const double change = static_cast<double>(width * wanted);
      EXPECT_NEAR(width * found, change, 2e-15 * (1 + std::abs(change))) << width;
      EXPECT_LT(std::abs(found - static_cast<double>(wanted)), 1e-15 * at.output(0)[1] + 2e-10) << width;
      EXPECT_TRUE(std::isfinite(at.output(0)[2])) << width;
    }
  }
}

}  // namespace
}  // namespace noslip
