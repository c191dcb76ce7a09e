// The families of methods: everything that `find_method` needs to know about them. A new method joins by one entry.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <noslip/method/method.hpp>

namespace noslip {

struct Family {
  std::string name;
  std::string order;         ///< "2s - 2"
  std::string number;        ///< what stands behind the colon: "s", "order", or nothing
  std::vector<int> numbers;  ///< those that make sense; empty: the family has one member and no number
  int typical = 0;           ///< the number of the example, and the one taken where a name has none
  std::shared_ptr<const Method> (*make)(int number);
};

const std::vector<Family>& families();

}  // namespace noslip
