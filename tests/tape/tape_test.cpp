#include <algorithm>

#include <gtest/gtest.h>

#include <noslip/core/error.hpp>
#include <noslip/tape/tape.hpp>

namespace noslip {
namespace {

class TapeTest : public testing::Test {
 protected:
  Graph graph;
  Expr x = graph.symbol("x"), y = graph.symbol("y"), z = graph.symbol("z");

  Tape tape(std::vector<Expr> outputs) {
    std::vector<Tape::Output> list;
    for (std::size_t k = 0; k < outputs.size(); ++k) list.push_back({outputs[k], static_cast<std::uint32_t>(10 + k)});
    return Tape(std::vector<Tape::Input>{{x, 0}, {y, 1}, {z, 2}}, list);
  }
};

int count(const Tape& tape, TapeOp op) {
  return static_cast<int>(std::count_if(tape.code().begin(), tape.code().end(),
                                        [&](const Instruction& instruction) { return instruction.op == op; }));
}

TEST_F(TapeTest, a_product_that_feeds_one_sum_is_fused) {
  const Tape t = tape({x * y + z, x * x - z * z, z - x * z});
  EXPECT_EQ(count(t, TapeOp::add), 0);
  EXPECT_EQ(count(t, TapeOp::sub), 0);
  EXPECT_EQ(count(t, TapeOp::fnma), 2) << to_text(t);
}

TEST_F(TapeTest, a_product_with_two_uses_stays) {
  const Tape t = tape({x * y + z, x * y - z});
  EXPECT_EQ(count(t, TapeOp::mul), 1) << to_text(t);
  EXPECT_EQ(t.code().size(), 3u);
}

TEST_F(TapeTest, minus_signs_are_absorbed) {
  const Tape t = tape({-(x * y + z), -(x - y)});
  EXPECT_EQ(count(t, TapeOp::neg), 0) << to_text(t);
  EXPECT_EQ(t.code().size(), 2u) << to_text(t);
}

TEST_F(TapeTest, minus_signs_behind_a_name_are_those_of_the_value) {
  // What is named is no normal form of a sum: here the tape has to keep the signs.
  const Expr minus_x = graph.alias(-x);
  const Tape t = tape({minus_x - y, y - minus_x, minus_x + y, minus_x * y - z});
  const double at[] = {3, 5, 7};
  std::vector<double> values;
  for (const quad constant : t.constants()) values.push_back(static_cast<double>(constant));
  for (const std::uint32_t slot : t.input_slots()) values.push_back(at[slot]);
  for (const Instruction& instruction : t.code()) {
    const double a = values[instruction.a], b = values[instruction.b], c = values[instruction.c];
    switch (instruction.op) {
      case TapeOp::neg: values.push_back(-a); break;
      case TapeOp::add: values.push_back(a + b); break;
      case TapeOp::sub: values.push_back(a - b); break;
      case TapeOp::mul: values.push_back(a * b); break;
      case TapeOp::fma: values.push_back(a * b + c); break;
      case TapeOp::fms: values.push_back(a * b - c); break;
      case TapeOp::fnma: values.push_back(c - a * b); break;
      case TapeOp::fnms: values.push_back(-(a * b) - c); break;
      default: FAIL() << to_text(t);
    }
  }
  const double expected[] = {-8, 8, 2, -22};
  for (const Tape::Store& store : t.stores()) EXPECT_EQ(values[store.value], expected[store.slot - 10]) << to_text(t);
}

TEST_F(TapeTest, sine_and_cosine_of_one_argument_are_one_call) {
  const Tape t = tape({sin(x) + cos(x), sin(y), cos(z)});
  ASSERT_EQ(count(t, TapeOp::sincos), 1) << to_text(t);
  EXPECT_EQ(count(t, TapeOp::sin), 1);
  EXPECT_EQ(count(t, TapeOp::cos), 1);
  const auto found = std::find_if(t.code().begin(), t.code().end(),
                                  [](const Instruction& instruction) { return instruction.op == TapeOp::sincos; });
  const auto position = static_cast<std::uint32_t>(found - t.code().begin());
  ASSERT_LT(position + 1, t.code().size());
  EXPECT_EQ(t.code()[position + 1].op, TapeOp::second);
  EXPECT_EQ(t.code()[position + 1].a, t.first_result() + position);
}

TEST_F(TapeTest, independent_calls_stand_in_a_row) {
  const Expr u = x + y, v = x - y, w = x * z;
  const Tape t = tape({(sin(u) * cos(u) + y) * sin(v) + cos(v) * (sin(w) + x) + cos(w) + sin(sin(u))});
  std::vector<std::size_t> calls;
  for (std::size_t k = 0; k < t.code().size(); ++k) {
    if (t.code()[k].op == TapeOp::sincos) calls.push_back(k);
  }
  ASSERT_EQ(calls.size(), 3u) << to_text(t);
  EXPECT_EQ(calls[1], calls[0] + 2) << to_text(t);
  EXPECT_EQ(calls[2], calls[0] + 4) << to_text(t);
}

TEST_F(TapeTest, integer_powers_are_products) {
  const Tape t = tape({powi(x, 5), powi(y, -2)});
  EXPECT_EQ(count(t, TapeOp::pow), 0);
  EXPECT_EQ(count(t, TapeOp::mul), 4) << to_text(t);
  EXPECT_EQ(count(t, TapeOp::div), 1);
}

TEST_F(TapeTest, a_shared_denominator_is_divided_by_once) {
  const Tape t = tape({x / z, y / z, 1 / z});
  EXPECT_EQ(count(t, TapeOp::div), 1) << to_text(t);
  EXPECT_EQ(count(t, TapeOp::mul), 2);
  const Tape single = tape({x / z, y / x});
  EXPECT_EQ(count(single, TapeOp::div), 2);
}

TEST_F(TapeTest, constants_fold_in_quadruple_precision) {
  const Tape t = tape({x + sin(graph.pi() / 6) * sqrt(graph.constant(2))});
  ASSERT_EQ(t.constants().size(), 1u) << to_text(t);
  const quad difference = t.constants()[0] * t.constants()[0] - static_cast<quad>(0.5);
  EXPECT_LT(static_cast<double>(difference < 0 ? -difference : difference), 1e-32);
}

TEST_F(TapeTest, what_nothing_needs_is_dropped) {
  const Tape t = tape({x + 1});
  EXPECT_EQ(t.input_slots(), std::vector<std::uint32_t>{0});
  EXPECT_EQ(t.code().size(), 1u);
}

TEST_F(TapeTest, aliases_vanish) {
  const Expr stage = graph.alias(x + y);
  const Tape t = tape({stage * z, stage});
  EXPECT_EQ(t.code().size(), 2u) << to_text(t);
}

TEST_F(TapeTest, inputs_and_constants_may_be_outputs) {
  const Tape t = tape({x, graph.constant(3), y});
  EXPECT_TRUE(t.code().empty());
  ASSERT_EQ(t.stores().size(), 3u);
  EXPECT_EQ(t.stores()[1].value, 0u);
}

TEST_F(TapeTest, no_outputs_no_code) {
  const Tape t(std::vector<Tape::Input>{{x, 0}}, {});
  EXPECT_EQ(t.value_count(), 0u);
}

TEST_F(TapeTest, the_order_is_the_same_every_time) {
  std::vector<Expr> outputs;
  Expr a = x, b = y;
  for (int k = 0; k < 60; ++k) {
    const Expr next = a * b + sin(a) / (k + 2) - z;
    a = b;
    b = next;
    outputs.push_back(next);
  }
  EXPECT_EQ(to_text(tape(outputs)), to_text(tape(outputs)));
}

TEST(TapeFromParts, refuses_what_is_not_a_program) {
  EXPECT_THROW(Tape::from_parts({}, {0}, {{TapeOp::add, 0, 1, 0}}, {}), InputError);
  EXPECT_THROW(Tape::from_parts({}, {0}, {{TapeOp::second, 0, 0, 0}}, {}), InputError);
  EXPECT_THROW(Tape::from_parts({}, {0}, {}, {{1, 0}}), InputError);
  EXPECT_THROW(Tape::from_parts({}, {0}, {}, {{0, 3}, {0, 3}}), InputError);
  try {
    Tape::from_parts({}, {0}, {{TapeOp::add, 0, 7, 0}, {TapeOp::mul, 9, 0, 0}}, {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().size(), 2u);
  }
}

TEST(TapeFromParts, keeps_its_parts) {
  const Tape t = Tape::from_parts({2}, {4}, {{TapeOp::sincos, 1, 0, 0}, {TapeOp::second, 2, 0, 0}}, {{3, 0}});
  EXPECT_EQ(t.first_result(), 2u);
  EXPECT_EQ(t.value_count(), 4u);
  EXPECT_NE(to_text(t).find("sincos v1"), std::string::npos);
}

}  // namespace
}  // namespace noslip
