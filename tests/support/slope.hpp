// The order of an error that is measured with steps halved again and again.
#pragma once

#include <cmath>

namespace noslip::testing {

class Slope {
 public:
  /// Errors below `rounding` are not looked at.
  explicit Slope(double rounding) : rounding_(rounding) {}

  /// The error with half the step of the one before.
  void add(double error) {
    if (is_settled_) return;
    if (error <= rounding_) {
      is_settled_ = true;
    } else if (before_ > 0) {
      const double slope = std::log2(before_ / error);
      is_settled_ = std::fabs(slope - value_) < 0.05;
      value_ = slope;
    }
    before_ = error;
  }

  /// Two slopes in a row agree, or nothing is left above rounding.
  bool is_settled() const { return is_settled_; }
  /// The last slope; NaN if fewer than two errors were above rounding.
  double value() const { return value_; }

 private:
  double rounding_, before_ = 0, value_ = std::nan("");
  bool is_settled_ = false;
};

}  // namespace noslip::testing
