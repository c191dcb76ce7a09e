// Pieces of random system files. A seed means the same text everywhere: callers put pieces together with <<, whose
// operands are evaluated from left to right.
#pragma once

#include <random>
#include <sstream>
#include <string>

namespace noslip::testing {

class RandomText {
 public:
  explicit RandomText(unsigned seed) : random_(seed) {}

  void set_coordinates(int count) { count_ = count; }
  static std::string name(int i) { return "q" + std::to_string(i); }

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  double value(double least, double most) {
    return least + (most - least) * static_cast<double>(random_() % 10000) / 10000;
  }
  std::string number(double least, double most) { return "(" + std::to_string(value(least, most)) + ")"; }
  std::string q() { return name(static_cast<int>(random_() % static_cast<unsigned>(count_))); }
  std::string wave() {
    std::ostringstream text;
    text << (random_() % 2 == 0 ? "sin(" : "cos(") << number(-1, 1) << "*" << q() << " + " << number(-1, 1) << "*"
         << q() << ")";
    return text.str();
  }
  /// A wave, or a polynomial.
  std::string any() {
    const auto kind = random_() % 3;
    if (kind == 0) return wave();
    std::ostringstream text;
    text << "(" << number(-1, 1) << "*" << (kind == 1 ? "1" : q()) << " - " << number(-0.5, 0.5) << "*" << q() << "^2)";
    return text.str();
  }

 private:
  std::mt19937 random_;
  int count_ = 0;
};

}  // namespace noslip::testing
