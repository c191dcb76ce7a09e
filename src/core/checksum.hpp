// A checksum of content that comes in pieces.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace noslip {

/// 64 bits that change with every bit of the content, and do not depend on how it is cut into pieces. Fast: a few bytes
/// per cycle. Not for protection against people.
class Checksum {
 public:
  void add(std::string_view piece) {
    size_ += piece.size();
    if (count_ > 0) {
      while (count_ < sizeof rest_ && !piece.empty()) keep(piece);
      if (count_ < sizeof rest_) return;
      mix(std::bit_cast<std::uint64_t>(rest_));
      count_ = 0;
    }
    while (piece.size() >= sizeof rest_) {
      std::uint64_t word = 0;
      std::memcpy(&word, piece.data(), sizeof word);
      mix(word);
      piece.remove_prefix(sizeof word);
    }
    while (!piece.empty()) keep(piece);
  }

  std::uint64_t value() const {
    Checksum end = *this;
    for (std::size_t i = count_; i < end.rest_.size(); ++i) end.rest_[i] = 0;
    end.mix(std::bit_cast<std::uint64_t>(end.rest_));
    end.mix(size_);
    end.mix(0);
    return end.sum_;
  }

 private:
  void keep(std::string_view& piece) {
    rest_[count_++] = piece.front();
    piece.remove_prefix(1);
  }
  void mix(std::uint64_t word) {
    sum_ = (sum_ ^ word) * 0x9e3779b97f4a7c15U;  // odd: no two sums become one
    sum_ ^= sum_ >> 32;
  }

  std::uint64_t sum_ = 0x6a09e667f3bcc908U, size_ = 0;
  std::array<char, 8> rest_{};  ///< what is too short for a word yet
  std::size_t count_ = 0;
};

}  // namespace noslip
