// Exact sums of doubles and of their squares: what is added, in which order and in which parts, has no influence.
//
// The sum is an integer times 2^-2176, in digits of 32 bits that are held in words of 64 (Kulisch, "Computer arithmetic
// and validity", 2008; with carries that wait, as the small superaccumulator of Neal, "Fast exact summation using small
// and large superaccumulators", 2015). Only digits between the smallest and the largest that were needed are stored.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include <noslip/core/archive.hpp>

namespace noslip {

class ExactSum {
 public:
  /// A finite number: some 2 ns.
  void add(double x) {
    const Parts parts(x);
    put(parts.mantissa, parts.place + offset, parts.sign);
    if (waiting_ > most_waiting) settle();
  }
  /// Its square, which may be too large or too small for a double.
  void add_square(double x) {
    const Parts parts(x);
    const auto square = static_cast<Wide>(parts.mantissa) * parts.mantissa;
    const unsigned place = 2 * parts.place + 2 * offset - origin;
    constexpr int half = 53;
    put(static_cast<std::uint64_t>(square) & ((std::uint64_t{1} << half) - 1), place, 0);
    put(static_cast<std::uint64_t>(square >> half), place + half, 0);
    if (waiting_ > most_waiting) settle();
  }
  void add(const ExactSum& other);

  /// Sign and digits without zeros at either end; the same for the same sum.
  struct Digits {
    bool is_negative = false;
    std::int32_t first = 0;             ///< place of the lowest digit: it counts 2^(32 first - 2176)
    std::vector<std::uint32_t> digits;  ///< the lowest first; none for zero

    void carry(Archive& archive) { archive(is_negative, first, digits); }
  };
  Digits digits() const;
  /// InputError unless the bytes have digits that a sum can have.
  void carry(Archive& archive);

  static constexpr int origin = 2176;      ///< digit 0 counts 2^-2176
  static constexpr int most_digits = 140;  ///< for 2^64 squares of the largest double

 private:
  __extension__ typedef unsigned __int128 Wide;

  /// x = sign * mantissa * 2^(place - 1074)
  struct Parts {
    explicit Parts(double x) {
      const auto bits = std::bit_cast<std::uint64_t>(x);
      const auto exponent = static_cast<unsigned>(bits >> 52) & 0x7FFU;
      const unsigned is_normal = exponent != 0 ? 1 : 0;
      mantissa = (bits & 0xFFFFFFFFFFFFFU) | std::uint64_t{is_normal} << 52;
      place = exponent - is_normal;
      sign = static_cast<std::int64_t>(bits) >> 63;
    }
    std::uint64_t mantissa;
    unsigned place;
    std::int64_t sign;  ///< 0 or -1
  };
  static constexpr unsigned offset = origin - 1074;
  /// Each adds less than 2^52 to a word in which less than 2^33 is left behind by settle().
  static constexpr std::uint32_t most_waiting = 2000;

  /// Adds sign * m * 2^(place - origin), m < 2^53.
  void put(std::uint64_t m, unsigned place, std::int64_t sign) {
    const unsigned digit = place / 32, shift = place % 32;
    unsigned i = digit - first_;
    if (i + 1 >= words_.size() || i > digit) [[unlikely]] {
      make_room(digit, digit + 2);
      i = digit - first_;
    }
    const auto low = static_cast<std::int64_t>(m << shift & 0xFFFFFFFFU);
    const auto high = static_cast<std::int64_t>(m >> (32 - shift));
    words_[i] += (low ^ sign) - sign;
    words_[i + 1] += (high ^ sign) - sign;
    ++waiting_;
  }
  /// Words for digits from `begin` to `end`, without it.
  void make_room(unsigned begin, unsigned end);
  /// Carries: all words but the last lie between 0 and 2^32, the last one between -2^32 and 2^32.
  void settle();

  std::vector<std::int64_t> words_;
  unsigned first_ = 0;  ///< digit of the first word
  std::uint32_t waiting_ = 0;
};

/// The sum of n numbers over n: their mean, rounded once.
double mean_of(const ExactSum& sum, std::uint64_t n);
/// The variance of n > 1 numbers, over n - 1, from their sum and that of their squares, and its root.
struct Spread {
  double variance = 0;   ///< rounded once
  double deviation = 0;  ///< rounded twice; also where the variance is too large or too small for a double
};
Spread spread_of(const ExactSum& sum, const ExactSum& squares, std::uint64_t n);
/// Are there n numbers with this sum and this sum of squares? For what was saved.
bool may_belong_together(const ExactSum& sum, const ExactSum& squares, std::uint64_t n);

}  // namespace noslip
