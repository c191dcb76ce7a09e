// Numbers that a caller gives to a run. They are kept in quadruple precision until the scalar type of the run is known,
// so that a tenth which is given as such (the tool reads `0.1` and `1/10` so) is a tenth in every precision. A double
// means that double.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <noslip/core/scalar.hpp>

namespace noslip {

/// Values by name.
class Settings : public std::map<std::string, quad> {
 public:
  using std::map<std::string, quad>::map;
  Settings(const std::map<std::string, double>& values)  // NOLINT: implicit on purpose
      : std::map<std::string, quad>(values.begin(), values.end()) {}
};

/// A list: times, step sizes.
class NumberList : public std::vector<quad> {
 public:
  using std::vector<quad>::vector;
  NumberList(const std::vector<double>& values)  // NOLINT: implicit on purpose
      : std::vector<quad>(values.begin(), values.end()) {}
};

}  // namespace noslip
