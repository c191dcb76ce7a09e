// The families of methods: everything that `find_method` needs to know about them. A new method joins by one
// entry.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <noslip/method/method.hpp>

namespace noslip {

using MethodOptions = std::map<std::string, std::string>;  ///< name=value, as written behind the method's name

struct Family {
  std::string name;
  std::string order;         ///< "2s - 2"
  std::string number;        ///< what stands behind the colon: "s", "order", or nothing
  std::vector<int> numbers;  ///< those that make sense; empty: the family has one member and no number
  int typical = 0;           ///< the number of the example, and the one taken where a name has none
  std::function<std::shared_ptr<const Method>(int number, const MethodOptions& options)> make;
  std::string option = {};  ///< "alpha = 0.5": the one option that may follow, with its default; empty for none
};

const std::vector<Family>& families();
/// Those that a user has registered so far (register.hpp), each with one member. Thread-safe.
std::vector<Family> registered_families();

}  // namespace noslip
