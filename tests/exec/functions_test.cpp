#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "exec/functions.hpp"
#include "exec/random_tape.hpp"

namespace noslip {
namespace {

std::vector<Isa> available() {
  std::vector<Isa> list{Isa::baseline};
  if (native_isa() != Isa::baseline) list.push_back(Isa::avx2);
  if (native_isa() == Isa::avx512) list.push_back(Isa::avx512);
  return list;
}

std::vector<TapeOp> all_functions() {
  std::vector<TapeOp> list;
  for (int op = static_cast<int>(TapeOp::sin); op <= static_cast<int>(TapeOp::sincos); ++op) {
    if (!is_lookup(static_cast<TapeOp>(op))) list.push_back(static_cast<TapeOp>(op));
  }
  return list;
}

const double special[] = {0.0,
                          -0.0,
                          std::numeric_limits<double>::infinity(),
                          -std::numeric_limits<double>::infinity(),
                          std::numeric_limits<double>::quiet_NaN(),
                          std::numeric_limits<double>::denorm_min(),
                          -std::numeric_limits<double>::min(),
                          std::numeric_limits<double>::max(),
                          std::numeric_limits<double>::lowest(),
                          1.0,
                          -1.0,
                          0.5,
                          -0.5,
                          2.0,
                          3.0,
                          -3.0,
                          1.0 - 0x1p-53,
                          1.0 + 0x1p-52,
                          709.78,
                          710.5,
                          -745.2,
                          1e14,
                          1e15,
                          1e300,
                          -1e-300,
                          14.999,
                          15.001,
                          1.5707963267948966,
                          3.141592653589793,
                          6.283185307179586e5};

// Any mixture of arguments in the lanes gives what each argument gives alone.
TEST(Functions, do_not_depend_on_width_or_neighbours) {
  for (const Isa isa : available()) {
    const FunctionTable& table = functions(isa);
    for (const TapeOp op : all_functions()) {
      Random random(7);
      int wrong = 0;
      for (int round = 0; round < 10000 && wrong < 3; ++round) {
        double a[8], b[8];
        for (int lane = 0; lane < 8; ++lane) {
          const bool picks_special = random() % 4 == 0;
          a[lane] = picks_special ? special[random() % std::size(special)] : random_number(random);
          b[lane] = picks_special ? special[random() % std::size(special)] : random_number(random);
        }
        for (const int width : {4, 8}) {
          double out[8] = {}, out2[8] = {};
          table.call(op, width)(a, b, out, out2);
          for (int lane = 0; lane < width; ++lane) {
            double alone = 0, alone2 = 0;
            table.call(op, 1)(&a[lane], &b[lane], &alone, &alone2);
            if (is_same(out[lane], alone) && (op != TapeOp::sincos || is_same(out2[lane], alone2))) continue;
            ++wrong;
            ADD_FAILURE() << to_text(op) << "(" << a[lane] << ", " << b[lane] << ") width " << width << " isa "
                          << static_cast<int>(isa) << ": " << out[lane] << " instead of " << alone;
          }
        }
      }
    }
  }
}

double reference(TapeOp op, double a, double b) {
  const long double x = a, y = b;
  switch (op) {
    case TapeOp::sin:
    case TapeOp::sincos: return static_cast<double>(std::sin(x));
    case TapeOp::cos: return static_cast<double>(std::cos(x));
    case TapeOp::tan: return static_cast<double>(std::tan(x));
    case TapeOp::asin: return static_cast<double>(std::asin(x));
    case TapeOp::acos: return static_cast<double>(std::acos(x));
    case TapeOp::atan: return static_cast<double>(std::atan(x));
    case TapeOp::sinh: return static_cast<double>(std::sinh(x));
    case TapeOp::cosh: return static_cast<double>(std::cosh(x));
    case TapeOp::tanh: return static_cast<double>(std::tanh(x));
    case TapeOp::exp: return static_cast<double>(std::exp(x));
    case TapeOp::log: return static_cast<double>(std::log(x));
    case TapeOp::atan2: return static_cast<double>(std::atan2(x, y));
    default: return static_cast<double>(std::pow(x, y));
  }
}

// SLEEF promises one unit in the last place; the C library, two for the hyperbolic functions.
TEST(Functions, are_accurate_in_the_last_place) {
  for (const Isa isa : available()) {
    const FunctionTable& table = functions(isa);
    const double promise = table.efficient_width > 1 ? 1.01 : 2.01;
    for (const TapeOp op : all_functions()) {
      Random random(11);
      std::uniform_real_distribution<double> wide(-30, 30), unit(-1, 1);
      const bool is_inverse = op == TapeOp::asin || op == TapeOp::acos;
      for (int round = 0; round < 4000; ++round) {
        double a = is_inverse ? unit(random) : wide(random);
        const double b = unit(random) * 8;
        if (op == TapeOp::log || op == TapeOp::pow) a = std::fabs(a);
        double out = 0, out2 = 0;
        table.call(op, 1)(&a, &b, &out, &out2);
        const double exact = reference(op, a, b);
        const double ulp = std::nextafter(std::fabs(exact), INFINITY) - std::fabs(exact);
        ASSERT_LE(std::fabs(out - exact), promise * ulp) << to_text(op) << "(" << a << ", " << b << ")";
        if (op == TapeOp::sincos) {
          ASSERT_NEAR(out2, std::cos(a), 2.3e-16);
        }
      }
    }
  }
}

TEST(Functions, give_the_usual_values_at_special_arguments) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  struct Case {
    TapeOp op;
    double a, b, expected;
  };
  const Case cases[] = {{TapeOp::sin, 0, 0, 0},
                        {TapeOp::cos, 0, 0, 1},
                        {TapeOp::sin, inf, 0, nan},
                        {TapeOp::exp, -inf, 0, 0},
                        {TapeOp::exp, inf, 0, inf},
                        {TapeOp::exp, 0, 0, 1},
                        {TapeOp::log, 0, 0, -inf},
                        {TapeOp::log, -1, 0, nan},
                        {TapeOp::log, inf, 0, inf},
                        {TapeOp::log, 1, 0, 0},
                        {TapeOp::pow, 0, 2, 0},
                        {TapeOp::pow, 2, 0, 1},
                        {TapeOp::pow, -8, 3, -512},
                        {TapeOp::pow, -2, 0.5, nan},
                        {TapeOp::pow, 0, -1, inf},
                        {TapeOp::pow, nan, 0, 1},
                        {TapeOp::atan2, 0, 1, 0},
                        {TapeOp::atan2, 1, 0, 1.5707963267948966},
                        {TapeOp::atan2, 0, -1, 3.141592653589793},
                        {TapeOp::atan, inf, 0, 1.5707963267948966},
                        {TapeOp::tanh, inf, 0, 1},
                        {TapeOp::tanh, -inf, 0, -1},
                        {TapeOp::asin, 2, 0, nan},
                        {TapeOp::acos, 1, 0, 0},
                        {TapeOp::sinh, 0, 0, 0},
                        {TapeOp::cosh, -inf, 0, inf},
                        {TapeOp::exp, nan, 0, nan},
                        {TapeOp::sincos, nan, 0, nan}};
  for (const Isa isa : available()) {
    for (const Case& c : cases) {
      double out = 0, out2 = 0;
      functions(isa).call(c.op, 1)(&c.a, &c.b, &out, &out2);
      EXPECT_TRUE(out == c.expected || (std::isnan(out) && std::isnan(c.expected)))
          << to_text(c.op) << "(" << c.a << ", " << c.b << ") = " << out << ", isa " << static_cast<int>(isa);
    }
  }
}

}  // namespace
}  // namespace noslip
