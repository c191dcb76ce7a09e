#include "ensemble/spaced.hpp"

#include <algorithm>
#include <cmath>

namespace noslip {

Spaced::Spaced(double first, double last, std::uint64_t n) : first_(first), last_(last), n_(n) {
  const double size = std::max(std::abs(first), std::abs(last));
  scale_ = size > 0x1p+900 ? 0x1p+900 : size < 0x1p-900 ? 0x1p-900 : 1;
  scaled_first_ = first / scale_;
  scaled_last_ = last / scale_;
}

double Spaced::operator[](std::uint64_t k) const {
  if (k == 0) return first_;
  if (k + 1 == n_) return last_;
  // Both products and their sum as pairs of numbers: what is rounded away is known exactly.
  const auto before = static_cast<double>(n_ - 1 - k), behind = static_cast<double>(k);
  const double p = before * scaled_first_, p_rest = std::fma(before, scaled_first_, -p);
  const double q = behind * scaled_last_, q_rest = std::fma(behind, scaled_last_, -q);
  const double sum = p + q;
  const double q_in_sum = sum - p;
  const double rest = ((p - (sum - q_in_sum)) + (q - q_in_sum)) + (p_rest + q_rest);
  const auto intervals = static_cast<double>(n_ - 1);
  const double quotient = sum / intervals;
  return (quotient + (std::fma(-quotient, intervals, sum) + rest) / intervals) * scale_;
}

}  // namespace noslip
