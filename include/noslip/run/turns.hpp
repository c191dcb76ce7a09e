// Full turns of angles: a step sees angles near zero, where sin and cos have all digits, and whoever reads the state
// gets continuous values.
#pragma once

#include <span>
#include <vector>

namespace noslip {

/// 2 pi as the sum of two numbers, with nearly twice the digits of one.
template <class T>
struct FullTurn {
  FullTurn();
  T high = 0, low = 0;
};

/// The turns of the angles of a state, in one or several lanes. Values and low parts (what rounding has kept from the
/// values) are arrays with one number per lane for each variable of the state, as a stepper has them.
template <class T>
class Turns {
 public:
  Turns(std::span<const int> angles, int lanes);

  bool empty() const { return angles_.empty(); }
  void reset(int lane);
  /// Is there an angle that fold() would move?
  bool are_due(const T* values) const {
    for (const int angle : angles_) {
      for (int lane = 0; lane < lanes_; ++lane) {
        const T value = values[angle * lanes_ + lane];
        if (value > turn_.high || value < -turn_.high) return true;
      }
    }
    return false;
  }
  /// Moves every angle of more than a turn by whole turns to one of at most half a turn. Nothing is lost: what the
  /// value cannot hold goes into the low part.
  void fold(T* values, T* lows) {
    for (std::size_t a = 0; a < angles_.size(); ++a) {
      for (int lane = 0; lane < lanes_; ++lane) {
        const T value = values[angles_[a] * lanes_ + lane];
        if (value > turn_.high || value < -turn_.high) move(a, lane, values, lows);
      }
    }
  }
  /// The continuous value of the variable `index`, an angle or not, from its value and low part. The value itself where
  /// no turns were taken off.
  T unfolded(int index, int lane, T value, T low) const;

  std::span<T> taken_off() { return turns_; }  ///< so far: whole numbers, by angle, then lane
  std::span<const T> taken_off() const { return turns_; }

 private:
  void move(std::size_t angle, int lane, T* values, T* lows);

  FullTurn<T> turn_;
  std::vector<int> angles_;  // indices of variables
  int lanes_;
  std::vector<T> turns_;
};

}  // namespace noslip
