// Equally spaced numbers.
#pragma once

#include <cstdint>

namespace noslip {

/// n numbers from `first` to `last`, both finite; n < 2^53.
class Spaced {
 public:
  Spaced(double first, double last, std::uint64_t n);

  /// ((n-1-k) first + k last)/(n-1), rounded once but for one case in 1e15. The ends are exact; from `last` to `first`
  /// come the same numbers the other way round, and from -a to a they are pairs of opposite ones.
  double operator[](std::uint64_t k) const;

 private:
  double first_, last_;
  double scaled_first_, scaled_last_;  ///< such that no product is too large or too small
  double scale_;                       ///< a power of two: first_ = scale_ scaled_first_
  std::uint64_t n_;
};

}  // namespace noslip
