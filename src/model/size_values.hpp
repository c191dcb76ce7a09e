// Parameters whose value is known when a system is read, so that ranges, indices and sums may use them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <noslip/model/system_text.hpp>

namespace noslip {

class SizeValues {
 public:
  SizeValues() = default;
  /// Those that are a number, or follow from such parameters above them with + - * /.
  explicit SizeValues(const std::vector<NamedText>& parameters);

  /// Nothing for any other name.
  std::optional<Number> value(std::string_view name) const;
  /// The same, and from now on it is a size, with those that it follows from.
  std::optional<Number> use(std::string_view name);

  /// Those that were used, in the order of the parameters.
  std::vector<std::string> used() const;

 private:
  struct Known {
    std::string name;
    Number value;
    std::vector<std::string> from;  // names in its text
    bool is_used = false;
  };
  std::vector<Known> known_;
  std::map<std::string, std::size_t, std::less<>> places_;  // among the known ones
};

}  // namespace noslip
