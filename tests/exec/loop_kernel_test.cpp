#include <gtest/gtest.h>

#include <noslip/core/error.hpp>
#include <noslip/exec/loop_kernel.hpp>
#include <noslip/tape/repeat.hpp>

#include "exec/allocations.hpp"

namespace noslip {
namespace {

enum Slot : std::uint32_t { x, y, t, h, size_of_x, last, start, number, sum, slot_count };

/// An oscillator that is driven; the size of x, and what nobody needs between two runs.
Tape driven() {
  Graph graph;
  const Expr x0 = graph.symbol("x"), y0 = graph.symbol("y"), time = graph.symbol("t"), step = graph.symbol("h");
  const Expr y1 = y0 - step * (x0 + sin(time)), x1 = x0 + step * y1;
  const std::vector<Tape::Input> inputs = {{x0, x}, {y0, y}, {time, t}, {step, h}};
  const std::vector<Tape::Output> outputs = {{x1, x}, {y1, y}, {abs(x1), size_of_x}, {exp(x1) * cos(time), last}};
  return Tape(inputs, outputs);
}

constexpr Repetition repetition{Repetition::Time{t, start, number, h}, Repetition::Sum{size_of_x, sum}};

template <class T>
class EveryScalar : public ::testing::Test {};
using Scalars = ::testing::Types<double, long double, quad>;
TYPED_TEST_SUITE(EveryScalar, Scalars);

TYPED_TEST(EveryScalar, repeated_tapes_know_the_time_and_add_up) {
  using T = TypeParam;
  const Tape tape = driven();
  const Kernel<T> once(tape, Backend::automatic);
  const LoopKernel<T> loop(repeated(tape, repetition), Backend::automatic);
  std::vector<T> scratch(std::max(once.scratch_size(), loop.scratch_size()));
  const T t0 = T(3) / 10, step = T(1) / 7;
  for (const int count : {0, 1, 2, 65}) {
    std::vector<T> expected(slot_count, T(1)), found(slot_count, T(1));
    expected[h] = found[h] = step;
    T total = T(1) / 3;
    for (int i = 0; i < count; ++i) {
      expected[t] = t0 + T(5 + i) * step;
      once(expected.data(), scratch.data());
      total += expected[size_of_x];
    }
    found[start] = t0;
    found[number] = T(5);
    found[sum] = T(1) / 3;
    EXPECT_EQ(loop(found.data(), scratch.data(), count), count);
    EXPECT_TRUE(found[x] == expected[x] && found[y] == expected[y]) << count;
    EXPECT_TRUE(found[sum] == total && found[number] == T(5 + count)) << count;
    EXPECT_TRUE(found[last] == T(1) && found[size_of_x] == T(1) && found[t] == T(1)) << "not stored between runs";
  }
}

TEST(Repeated, has_only_what_the_next_run_needs) {
  const Tape tape = driven(), loop = repeated(tape, {});
  EXPECT_LT(loop.code().size(), tape.code().size());
  ASSERT_EQ(loop.stores().size(), 2u);
  for (const Instruction& instruction : loop.code()) {
    EXPECT_NE(instruction.op, TapeOp::exp);
    EXPECT_NE(instruction.op, TapeOp::abs);
  }
  EXPECT_EQ(loop.input_slots(), tape.input_slots());
}

TEST(Repeated, has_no_number_if_the_time_does_not_matter) {
  Graph graph;
  const Expr a = graph.symbol("a");
  const std::vector<Tape::Input> inputs = {{a, x}};
  const std::vector<Tape::Output> outputs = {{a * a, x}};
  const Tape loop = repeated(Tape(inputs, outputs), {Repetition::Time{t, start, number, h}, {}});
  EXPECT_EQ(loop.input_slots(), std::vector<std::uint32_t>{x});
  EXPECT_EQ(loop.stores().size(), 1u);
}

TEST(LoopKernel, ends_where_its_guard_says) {
  // Lane l grows by l + 1 in every run.
  const Tape tape = Tape::from_parts({}, {0, 1}, {{TapeOp::add, 0, 1, 0}}, {{2, 0}});
  for (const Backend backend : {Backend::interpreter, Backend::automatic}) {
    for (const int lanes : {1, 4, 8}) {
      for (const double sign : {1.0, -1.0}) {
        const LoopKernel<double> loop(tape, backend, lanes, {{0}, 40.0});
        std::vector<double> scratch(loop.scratch_size()), workspace(2 * static_cast<std::size_t>(lanes), 0);
        for (int l = 0; l < lanes; ++l) workspace[static_cast<std::size_t>(lanes + l)] = sign * (l + 1);
        const long long runs = 40 / lanes + 1;  // 40 itself is not beyond the limit
        EXPECT_EQ(loop(workspace.data(), scratch.data(), 1000), runs);
        EXPECT_EQ(workspace[0], sign * static_cast<double>(runs));
        EXPECT_EQ(loop(workspace.data(), scratch.data(), 1000), 1) << "is beyond it after the next run, too";
      }
    }
  }
}

TEST(LoopKernel, a_call_allocates_nothing) {
  const LoopKernel<double> loop(repeated(driven(), repetition), Backend::automatic);
  std::vector<double> scratch(loop.scratch_size()), workspace(slot_count, 0.5);
  const long long before = allocation_count();
  EXPECT_EQ(loop(workspace.data(), scratch.data(), 100), 100);
  EXPECT_EQ(allocation_count(), before);
}

TEST(LoopKernel, refuses_what_a_kernel_refuses) {
  EXPECT_THROW(LoopKernel<double>(driven(), Backend::automatic, 3), InputError);
  EXPECT_THROW(LoopKernel<long double>(driven(), Backend::automatic, 4), InputError);
}

}  // namespace
}  // namespace noslip
