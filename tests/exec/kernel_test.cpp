#include <cmath>
#include <fstream>
#include <quadmath.h>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include <noslip/core/error.hpp>
#include <noslip/exec/kernel.hpp>

#include "exec/allocations.hpp"
#include "exec/machine_code.hpp"
#include "exec/random_tape.hpp"

namespace noslip {
namespace {

template <class T>
std::vector<T> run(const Kernel<T>& kernel, std::vector<T> workspace) {
  std::vector<T> scratch(kernel.scratch_size());
  kernel(workspace.data(), scratch.data());
  return workspace;
}

std::vector<Backend> backends() {
  std::vector<Backend> list{Backend::interpreter};
  if (why_no_machine_code().empty()) list.push_back(Backend::jit);
  return list;
}

TEST(Kernel, divides_by_numbers_whose_reciprocal_is_none) {
  // The least double is a power of two, but its reciprocal is beyond the largest one.
  Graph graph;
  const Expr x = graph.symbol("x"), least = sqrt(graph.constant(Number::real(scalbnq(1, -2148))));
  const std::vector<Tape::Input> inputs = {{x, 0}};
  const std::vector<Tape::Output> outputs = {{x / least, 1}};
  for (const Backend backend : backends()) {
    const Kernel<double> kernel(Tape(inputs, outputs), backend);
    EXPECT_EQ(run(kernel, {0x1p-1074, 0})[1], 1);
    EXPECT_EQ(run(kernel, {-0x1p-1070, 0})[1], -16);
  }
}

TEST(Kernel, inputs_are_read_as_they_were_before_the_call) {
  // Rotates three slots, adds one to the fourth, and stores the old fourth in the fifth.
  const Tape tape =
      Tape::from_parts({1}, {0, 1, 2, 3}, {{TapeOp::add, 4, 0, 0}}, {{2, 0}, {3, 1}, {1, 2}, {5, 3}, {4, 4}});
  for (const Backend backend : backends()) {
    EXPECT_EQ(run(Kernel<double>(tape, backend), {10, 20, 30, 40, 50}), (std::vector<double>{20, 30, 10, 41, 40}));
  }
  const std::vector<long double> rotated = run(Kernel<long double>(tape, Backend::automatic), {10, 20, 30, 40, 50});
  EXPECT_EQ(rotated, (std::vector<long double>{20, 30, 10, 41, 40}));
}

TEST(Kernel, an_input_may_be_stored_to_its_own_slot) {
  const Tape tape = Tape::from_parts({}, {0, 1}, {{TapeOp::add, 0, 1, 0}}, {{0, 0}, {2, 1}});
  for (const Backend backend : backends()) {
    EXPECT_EQ(run(Kernel<double>(tape, backend), {1, 2}), (std::vector<double>{1, 3}));
  }
}

TEST(Kernel, an_empty_tape_does_nothing) {
  const Tape tape;
  for (const Backend backend : backends()) {
    for (const int lanes : {1, 4, 8}) {
      EXPECT_EQ(run(Kernel<double>(tape, backend, lanes), {1, 2, 3, 4, 5, 6, 7, 8}),
                (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}));
    }
  }
}

TEST(Kernel, definitions_of_the_comparisons) {
  const double nan = std::nan("");
  struct Case {
    TapeOp op;
    double a, b, c, expected;
  };
  const Case cases[] = {
      {TapeOp::less, 1, 2, 0, 1},       {TapeOp::less, 2, 2, 0, 0},        {TapeOp::less, nan, 2, 0, 0},
      {TapeOp::select, 1, 5, 6, 5},     {TapeOp::select, 0, 5, 6, 6},      {TapeOp::select, -0.0, 5, 6, 6},
      {TapeOp::select, nan, 5, 6, 6},   {TapeOp::sign, -3, 0, 0, -1},      {TapeOp::sign, 4, 0, 0, 1},
      {TapeOp::sign, -0.0, 0, 0, 0},    {TapeOp::sign, nan, 0, 0, 0},      {TapeOp::min, nan, 3, 0, 3},
      {TapeOp::min, 3, nan, 0, nan},    {TapeOp::min, 0.0, -0.0, 0, -0.0}, {TapeOp::max, nan, 3, 0, 3},
      {TapeOp::max, -0.0, 0.0, 0, 0.0}, {TapeOp::abs, -0.0, 0, 0, 0.0},    {TapeOp::neg, 0.0, 0, 0, -0.0},
      {TapeOp::floor, 2.5, 0, 0, 2},    {TapeOp::floor, -2.5, 0, 0, -3},   {TapeOp::floor, -0.0, 0, 0, -0.0},
      {TapeOp::floor, nan, 0, 0, nan},  {TapeOp::floor, -0.25, 0, 0, -1},  {TapeOp::floor, 0.75, 0, 0, 0.0},
      {TapeOp::floor, 0x1p60, 0, 0, 0x1p60}, {TapeOp::floor, -INFINITY, 0, 0, -INFINITY},
      {TapeOp::fma, 3, 4, 5, 17},       {TapeOp::fms, 3, 4, 5, 7},         {TapeOp::fnma, 3, 4, 5, -7},
      {TapeOp::fnms, 3, 4, 5, -17},     {TapeOp::sqrt, 9, 0, 0, 3},        {TapeOp::div, 1, -0.0, 0, -INFINITY}};
  for (const Case& c : cases) {
    const Tape tape = Tape::from_parts({}, {0, 1, 2}, {{c.op, 0, 1, 2}}, {{3, 3}});
    for (const Backend backend : backends()) {
      for (const int lanes : {1, 4, 8}) {
        std::vector<double> workspace;
        for (const double value : {c.a, c.b, c.c, 0.0})
          workspace.insert(workspace.end(), static_cast<std::size_t>(lanes), value);
        workspace = run(Kernel<double>(tape, backend, lanes), workspace);
        for (std::size_t lane = 0; lane < static_cast<std::size_t>(lanes); ++lane) {
          const double found = workspace[3 * static_cast<std::size_t>(lanes) + lane];
          EXPECT_TRUE(is_same(found, c.expected))
              << to_text(c.op) << "(" << c.a << ", " << c.b << ", " << c.c << ") = " << found;
        }
      }
    }
    const std::vector<quad> in_quad = run(Kernel<quad>(tape, Backend::automatic),
                                          {static_cast<quad>(c.a), static_cast<quad>(c.b), static_cast<quad>(c.c), 0});
    EXPECT_TRUE(is_same(static_cast<double>(in_quad[3]), c.expected)) << to_text(c.op) << " in quadruple precision";
  }
}

TEST(Kernel, fma_rounds_once_in_double) {
  const Tape tape = Tape::from_parts({}, {0, 1, 2}, {{TapeOp::fma, 0, 1, 2}}, {{3, 3}});
  const double a = 1 + 0x1p-30, b = 1 - 0x1p-30;
  for (const Backend backend : backends()) {
    EXPECT_EQ(run(Kernel<double>(tape, backend), {a, b, -1, 0})[3], -0x1p-60);
  }
}

TEST(Kernel, a_call_allocates_nothing) {
  Random random(3);
  TapeShape shape;
  shape.instructions = 300;
  const Tape tape = random_tape(random, shape);
  for (const Backend backend : backends()) {
    for (const int lanes : {1, 4, 8}) {
      const Kernel<double> kernel(tape, backend, lanes);
      std::vector<double> workspace(static_cast<std::size_t>(shape.slots * lanes), 0.5), scratch(kernel.scratch_size());
      const std::size_t before = allocation_count();
      kernel(workspace.data(), scratch.data());
      EXPECT_EQ(allocation_count(), before);
    }
  }
  const Kernel<quad> kernel(tape, Backend::automatic);
  std::vector<quad> workspace(static_cast<std::size_t>(shape.slots), 1), scratch(kernel.scratch_size());
  const std::size_t before = allocation_count();
  kernel(workspace.data(), scratch.data());
  EXPECT_EQ(allocation_count(), before);
}

// The lines of /proc/self/maps that are executable, and whether one of them is writable too.
struct Mappings {
  int executable = 0;
  bool is_any_writable = false;
};
Mappings executable_mappings() {
  Mappings found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::string range, rights;
    words >> range >> rights;
    if (rights.size() < 3 || rights[2] != 'x') continue;
    ++found.executable;
    found.is_any_writable = found.is_any_writable || rights[1] == 'w';
  }
  return found;
}

TEST(Kernel, code_is_never_writable_and_is_given_back) {
  if (!why_no_machine_code().empty()) GTEST_SKIP() << why_no_machine_code();
  if (!std::ifstream("/proc/self/maps")) GTEST_SKIP() << "no /proc here";
  const int before = executable_mappings().executable;
  {
    Random random(4);
    std::vector<Kernel<double>> kernels;
    for (int k = 0; k < 20; ++k) kernels.emplace_back(random_tape(random, {}), Backend::jit);
    const Mappings found = executable_mappings();
    EXPECT_GT(found.executable, before);
    EXPECT_FALSE(found.is_any_writable);
    const std::vector<Kernel<double>> copies = kernels;
    kernels.clear();
    EXPECT_GT(executable_mappings().executable, before);
  }
  EXPECT_EQ(executable_mappings().executable, before);
}

TEST(Kernel, refuses_what_it_cannot_do) {
  const Tape tape = Tape::from_parts({1}, {}, {}, {{0, 0}});
  EXPECT_THROW(Kernel<double>(tape, Backend::automatic, 3), InputError);
  EXPECT_THROW(Kernel<double>(tape, Backend::interpreter, 0), InputError);
  EXPECT_THROW(Kernel<quad>(tape, Backend::automatic, 4), InputError);
  EXPECT_THROW(Kernel<long double>(tape, Backend::jit), InputError);
  if (!why_no_machine_code().empty()) {
    EXPECT_THROW(Kernel<double>(tape, Backend::jit), InputError);
  }
  try {
    Kernel<quad>(tape, Backend::jit, 5);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().size(), 2u);
    EXPECT_FALSE(error.problems().front().remedy.empty());
  }
}

TEST(Kernel, knows_its_back_end) {
  const Tape tape = Tape::from_parts({1}, {}, {}, {{0, 0}});
  EXPECT_EQ(Kernel<double>(tape, Backend::automatic).is_machine_code(), why_no_machine_code().empty());
  EXPECT_FALSE(Kernel<double>(tape, Backend::interpreter).is_machine_code());
  EXPECT_FALSE(Kernel<quad>(tape, Backend::automatic).is_machine_code());
  EXPECT_EQ(Kernel<double>(tape, Backend::automatic, 4).lanes(), 4);
  EXPECT_NE(why_no_machine_code(Isa::baseline), "");
}

}  // namespace
}  // namespace noslip
