// What the tests of several families share: the families with what they promise, and a unit of rounding.
#pragma once

#include <cmath>
#include <ostream>
#include <vector>

#include <noslip/tableau/tableau.hpp>

namespace noslip {

/// |x| in units of 2^-112, the spacing of quads from 1 to 2.
inline double units(quad x) { return std::ldexp(static_cast<double>(x < 0 ? -x : x), 112); }

struct TableauFamily {
  const char* name;
  Tableau (*make)(int stages);
  int least_stages;
  int p, q, r;  ///< with s stages: B(2s + p), C(s + q), D(s + r), and no more
  bool symmetric;
};

inline std::ostream& operator<<(std::ostream& out, const TableauFamily& family) { return out << family.name; }

inline const std::vector<TableauFamily>& families() {
  static const std::vector<TableauFamily> all = {
      {"Gauss", gauss, 1, 0, 0, 0, true},
      {"Radau IA", radau_ia, 1, -1, -1, 0, false},
      {"Radau IIA", radau_iia, 1, -1, 0, -1, false},
      {"Lobatto IIIA", lobatto_iiia, 2, -2, 0, -2, true},
      {"Lobatto IIIB", lobatto_iiib, 2, -2, -2, 0, true},
      {"Lobatto IIIC", lobatto_iiic, 2, -2, -1, -1, false},
      {"Lobatto IIIC*", lobatto_iiic_star, 2, -2, -1, -1, false},
      {"Lobatto IIID", lobatto_iiid, 2, -2, -1, -1, true},
  };
  return all;
}

/// Every number of stages up to 10 and some up to the largest.
inline std::vector<int> sizes() { return {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 20, 28, 45, 64}; }

}  // namespace noslip
