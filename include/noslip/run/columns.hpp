// Numbers that a user asks for by name or formula: columns of a section, curves of a picture.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <noslip/run/run.hpp>

namespace noslip {

/// Functions of the state, given as texts (System::expression) or expressions.
class Columns {
 public:
  /// InputError, with all problems at once, for texts that are wrong; `what` is what they are called there
  /// ("--columns"). `parameters`: values in the order of System::parameters().
  Columns(const System& system, const std::vector<std::string>& texts, std::span<const double> parameters,
          const std::string& what);

  /// Of expressions in the symbols of the system, in its graph or in one copy of it.
  Columns(const System& system, const std::vector<Expr>& functions, std::span<const double> parameters);

  /// One number per function. Not for several threads at once.
  std::vector<double> operator()(const Sample& sample) const;

 private:
  struct Data;
  std::shared_ptr<const Data> data_;
};

}  // namespace noslip
