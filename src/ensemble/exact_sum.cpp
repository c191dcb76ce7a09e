#include "ensemble/exact_sum.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>

namespace noslip {
namespace {

__extension__ typedef unsigned __int128 WideUnsigned;

/// A positive integer, the lowest digit first, times a power of two.
struct Whole {
  std::vector<std::uint32_t> digits;
  int exponent = 0;
};

Whole whole_of(ExactSum::Digits digits) { return {std::move(digits.digits), 32 * digits.first - ExactSum::origin}; }

void trim(std::vector<std::uint32_t>& digits) {
  while (!digits.empty() && digits.back() == 0) digits.pop_back();
}

Whole times(Whole a, std::uint64_t n) {
  WideUnsigned carry = 0;
  for (std::uint32_t& digit : a.digits) {
    carry += static_cast<WideUnsigned>(digit) * n;
    digit = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  for (; carry != 0; carry >>= 32) a.digits.push_back(static_cast<std::uint32_t>(carry));
  return a;
}

Whole square_of(const Whole& a) {
  Whole result{std::vector<std::uint32_t>(2 * a.digits.size()), 2 * a.exponent};
  for (std::size_t i = 0; i < a.digits.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < a.digits.size(); ++j) {
      carry += static_cast<std::uint64_t>(a.digits[i]) * a.digits[j] + result.digits[i + j];
      result.digits[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    result.digits[i + a.digits.size()] = static_cast<std::uint32_t>(carry);
  }
  return result;
}

/// The lowest digit counts 2^exponent from here on; the difference is a multiple of 32.
void lower_exponent(Whole& a, int exponent) {
  assert(exponent <= a.exponent && (a.exponent - exponent) % 32 == 0);
  a.digits.insert(a.digits.begin(), static_cast<std::size_t>((a.exponent - exponent) / 32), 0);
  a.exponent = exponent;
}

/// a - b, or nothing if that is negative.
std::optional<Whole> minus(Whole a, Whole b) {
  const int exponent = std::min(a.exponent, b.exponent);
  lower_exponent(a, exponent);
  lower_exponent(b, exponent);
  trim(b.digits);
  a.digits.resize(std::max(a.digits.size(), b.digits.size()));
  std::int64_t borrow = 0;
  for (std::size_t i = 0; i < a.digits.size(); ++i) {
    borrow += static_cast<std::int64_t>(a.digits[i]) - (i < b.digits.size() ? b.digits[i] : 0);
    a.digits[i] = static_cast<std::uint32_t>(borrow);
    borrow >>= 32;
  }
  return borrow == 0 ? std::optional(std::move(a)) : std::nullopt;
}

/// (sum(x^2) - sum(x)^2/n) n
std::optional<Whole> scaled_spread(const ExactSum& sum, const ExactSum& squares, std::uint64_t n) {
  return minus(times(whole_of(squares.digits()), n), square_of(whole_of(sum.digits())));
}

/// Divides in place; is there a remainder?
bool divide(std::vector<std::uint32_t>& digits, std::uint64_t n) {
  std::uint64_t rest = 0;
  for (std::size_t i = digits.size(); i-- > 0;) {
    const WideUnsigned part = static_cast<WideUnsigned>(rest) << 32 | digits[i];
    digits[i] = static_cast<std::uint32_t>(part / n);
    rest = static_cast<std::uint64_t>(part % n);
  }
  return rest != 0;
}

/// mantissa * 2^exponent
struct Rounded {
  double mantissa = 0;
  int exponent = 0;

  double value() const { return std::ldexp(mantissa, exponent); }
};

/// Of a number above zero that is larger by a part of its last digit if there is a rest: to nearest, ties to even, in
/// 53 bits or as many as there are from 2^lowest on. At least 70 bits are there, or there is no rest.
Rounded rounded(const Whole& a, bool has_rest, int lowest) {
  const auto is_set = [&](int i) {
    return (a.digits[static_cast<std::size_t>(i) / 32] >> static_cast<unsigned>(i) % 32 & 1U) != 0;
  };
  int top = static_cast<int>(a.digits.size()) * 32 - 1;
  while (top >= 0 && !is_set(top)) --top;
  if (top < 0) return {};
  const int last = std::max(top - 52, lowest - a.exponent);
  std::uint64_t mantissa = 0;
  for (int i = top; i >= last; --i) mantissa = mantissa << 1 | ((i >= 0 && is_set(i)) ? 1 : 0);
  const bool is_half = last > 0 && last - 1 <= top && is_set(last - 1);
  bool is_more = has_rest;
  for (int i = std::min(last - 2, top); i >= 0 && !is_more; --i) is_more = is_set(i);
  if (is_half && (is_more || (mantissa & 1U) != 0)) ++mantissa;
  return {static_cast<double>(mantissa), a.exponent + last};
}

/// a over a list of numbers, with enough digits behind the last one of a.
Rounded quotient(Whole a, std::initializer_list<std::uint64_t> divisors, int lowest) {
  lower_exponent(a, a.exponent - 32 * 8);
  bool has_rest = false;
  for (const std::uint64_t divisor : divisors) has_rest = divide(a.digits, divisor) || has_rest;
  return rounded(a, has_rest, lowest);
}

constexpr int smallest = -1074;  // the exponent of the smallest double

}  // namespace

void ExactSum::make_room(unsigned begin, unsigned end) {
  if (words_.empty()) {
    words_.resize(end - begin);
    first_ = begin;
    return;
  }
  if (begin < first_) {
    words_.insert(words_.begin(), first_ - begin, 0);
    first_ = begin;
  }
  if (end > first_ + words_.size()) words_.resize(end - first_);
}

void ExactSum::settle() {
  waiting_ = 0;
  constexpr std::int64_t base = std::int64_t{1} << 32;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const bool is_last = i + 1 == words_.size();
    if (is_last && words_[i] >= -base && words_[i] < base) break;
    const std::int64_t carry = words_[i] >> 32;
    words_[i] &= base - 1;
    if (is_last) words_.push_back(0);
    words_[i + 1] += carry;
  }
}

void ExactSum::add(const ExactSum& other) {
  if (other.words_.empty()) return;
  ExactSum settled = other;
  settled.settle();
  make_room(settled.first_, settled.first_ + static_cast<unsigned>(settled.words_.size()));
  settle();
  for (std::size_t i = 0; i < settled.words_.size(); ++i) words_[i + settled.first_ - first_] += settled.words_[i];
  settle();
}

ExactSum::Digits ExactSum::digits() const {
  ExactSum settled = *this;
  settled.settle();
  Digits result;
  result.is_negative = !settled.words_.empty() && settled.words_.back() < 0;
  if (result.is_negative) {
    for (std::int64_t& word : settled.words_) word = -word;
    settled.settle();
  }
  for (const std::int64_t word : settled.words_) {
    result.digits.push_back(static_cast<std::uint32_t>(word));
  }
  trim(result.digits);
  const auto begin = std::find_if(result.digits.begin(), result.digits.end(), [](std::uint32_t d) { return d != 0; });
  if (begin == result.digits.end()) return {};
  result.first = static_cast<std::int32_t>(first_) + static_cast<std::int32_t>(begin - result.digits.begin());
  result.digits.erase(result.digits.begin(), begin);
  return result;
}

void ExactSum::carry(Archive& archive) {
  Digits carried;
  if (!archive.loads()) carried = digits();
  archive(carried);
  if (!archive.loads()) return;
  const std::vector<std::uint32_t>& digits = carried.digits;
  require_saved(carried.first >= 0 && carried.first <= most_digits && digits.size() <= most_digits &&
                carried.first + static_cast<int>(digits.size()) <= most_digits);
  require_saved(digits.empty() ? carried.first == 0 && !carried.is_negative
                               : digits.front() != 0 && digits.back() != 0);
  *this = {};
  if (digits.empty()) return;
  first_ = static_cast<unsigned>(carried.first);
  for (const std::uint32_t digit : digits) words_.push_back(carried.is_negative ? -std::int64_t{digit} : digit);
  settle();
}

double mean_of(const ExactSum& sum, std::uint64_t n) {
  ExactSum::Digits digits = sum.digits();
  const bool is_negative = digits.is_negative;
  const double mean = quotient(whole_of(std::move(digits)), {n}, smallest).value();
  return is_negative ? -mean : mean;
}

bool may_belong_together(const ExactSum& sum, const ExactSum& squares, std::uint64_t n) {
  return !squares.digits().is_negative && scaled_spread(sum, squares, n).has_value();
}

Spread spread_of(const ExactSum& sum, const ExactSum& squares, std::uint64_t n) {
  const std::optional<Whole> scaled = scaled_spread(sum, squares, n);
  assert(scaled && n > 1);
  const double variance = quotient(*scaled, {n, n - 1}, smallest).value();
  Rounded wide = quotient(*scaled, {n, n - 1}, std::numeric_limits<int>::min() / 2);
  if (wide.exponent % 2 != 0) wide = {2 * wide.mantissa, wide.exponent - 1};
  return {variance, std::ldexp(std::sqrt(wide.mantissa), wide.exponent / 2)};
}

}  // namespace noslip
