// Quantiles of any number of values, from memory that does not grow with them: which values were added matters, their
// order and who had them first do not.
//
// Up to 1000 values are kept. More are counted in buckets: each factor of two is divided into 512 equal parts, so that
// the number of a bucket is the beginning of the bits of a double, and its middle is within 2^-10 of all values in it.
// (The idea of logarithmic buckets that can be merged is that of DDSketch: Masson, Rim and Lee 2019. Logarithms would
// need a third fewer buckets for the same error, and a function that is the same on every machine.)
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <noslip/core/archive.hpp>

namespace noslip {

class QuantileSketch {
 public:
  static constexpr std::size_t most_exact = 1000;

  /// Finite; not -0, which would be another value than 0.
  void add(double x) {
    values_.push_back(x);
    if (values_.size() > (is_poured_ ? most_waiting : most_exact)) pour();
  }
  void add(const QuantileSketch& other);

  /// The values at one place of the sorted list (from 0 on) and at the next one, off by at most 1/1024 of themselves.
  std::pair<double, double> at(std::uint64_t place) const;
  std::uint64_t count() const;

  /// InputError for bytes that no sketch has.
  void carry(Archive& archive);

 private:
  /// Many at once cost less: the buckets of a row are rarely in the cache of the processor.
  static constexpr std::size_t most_waiting = 255;
  static constexpr unsigned bits_of_octave = 9, bits_of_page = 6;
  static constexpr unsigned page_size = 1U << bits_of_page;
  static constexpr unsigned buckets_of_side = 0x7FFU << bits_of_octave;

  /// Negative or positive values: pages of buckets, from the first to the last that were needed.
  struct Side {
    unsigned first = 0;
    std::vector<std::uint32_t> slots;  ///< of each page: where it is among pages_, plus 1; 0 if it has no values
  };

  void drop(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    if (x == 0) {
      ++zeros_;
    } else {
      count_in(static_cast<unsigned>(bits >> 63), static_cast<unsigned>(bits << 1 >> (53 - bits_of_octave)), 1);
    }
  }
  void count_in(unsigned side, unsigned bucket, std::uint64_t more) {
    std::uint32_t& low = page_of(side, bucket >> bits_of_page)[bucket % page_size];
    const std::uint64_t sum = low + more;
    low = static_cast<std::uint32_t>(sum);
    if (sum >> 32 != 0) [[unlikely]]
      overflows_[{side, bucket}] += sum >> 32;
  }
  std::array<std::uint32_t, page_size>& page_of(unsigned side, unsigned page) {
    Side& of = sides_[side];
    if (page - of.first < of.slots.size()) {
      if (const std::uint32_t slot = of.slots[page - of.first]; slot != 0) return pages_[slot - 1];
    }
    return make_page(of, page);
  }
  std::array<std::uint32_t, page_size>& make_page(Side& side, unsigned page);
  void pour();
  QuantileSketch poured() const;
  /// Calls with each side, bucket and count, from the smallest number to the largest, until it returns true. Zeros are
  /// bucket 0 of a third side.
  template <class Visit>
  void visit(Visit visit) const;
  template <class Visit>
  bool visit_side(unsigned side, Visit& visit) const;

  bool is_poured_ = false;
  std::vector<double> values_;  ///< in any order: all of them, or from 1001 on those that are not in buckets yet
  std::array<Side, 2> sides_;
  std::vector<std::array<std::uint32_t, page_size>> pages_;
  std::map<std::pair<unsigned, unsigned>, std::uint64_t> overflows_;  ///< multiples of 2^32, by side and bucket
  std::uint64_t zeros_ = 0;
};

}  // namespace noslip
