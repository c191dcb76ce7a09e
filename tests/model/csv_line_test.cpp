// Numbers in fields of comma-separated values.
#include <bit>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <noslip/core/scalar.hpp>
#include <noslip/expr/number.hpp>

#include "model/csv_line.hpp"

namespace noslip {
namespace {

/// A field as the slow way reads it.
TEST(CsvLine, ReadsNumbersAsNumbersAreRead) {
  std::mt19937_64 random(3);
  const std::string alphabet = "0123456789.eE+-x ,";
  std::vector<std::string> texts{"",       "+",      "-",       ".",   "+-1", "-+1",    "++1",
                                 "inf",    "-nan",   "1e",      "1e+", "0x1", "1e400",  "1e-400",
                                 "5e-324", "1e5000", "1e-5000", "-0",  "+.5", "0e99999"};
  for (int i = 0; i < 100'000; ++i) {
    std::string text;
    for (std::size_t j = 0; j <= random() % 8; ++j) text += alphabet[random() % alphabet.size()];
    texts.push_back(text);
    const auto x = std::bit_cast<double>(random());
    if (std::isfinite(x)) texts.push_back(to_text(x));
  }
  for (const std::string& text : texts) {
    const std::optional<Number> number = Number::parse(text);
    const std::optional<double> found = double_in(text);
    const bool is_known = number && std::isfinite(static_cast<double>(number->value()));
    ASSERT_EQ(found.has_value(), is_known) << text;
    ASSERT_TRUE(!found || *found == static_cast<double>(number->value())) << text;
  }
}

}  // namespace
}  // namespace noslip
