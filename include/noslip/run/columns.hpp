// Numbers that a user asks for by name or formula: columns of a section, curves of a picture.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <noslip/run/run.hpp>

namespace noslip {

/// Functions of the state, given as texts (System::expression).
class Columns {
 public:
  /// InputError, with all problems at once, for texts that are wrong; `what` is what they are called there
  /// ("--columns"). `parameters`: values in the order of System::parameters().
  Columns(const System& system, std::vector<std::string> texts, std::span<const double> parameters,
          const std::string& what);

  const std::vector<std::string>& texts() const { return texts_; }
  /// One number per text. Not for several threads at once.
  std::vector<double> operator()(const Sample& sample) const;

 private:
  struct Data;
  std::vector<std::string> texts_;
  std::shared_ptr<const Data> data_;
};

}  // namespace noslip
