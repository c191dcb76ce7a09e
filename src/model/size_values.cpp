#include "model/size_values.hpp"

#include <noslip/expr/parse.hpp>

namespace noslip {

SizeValues::SizeValues(const std::vector<NamedText>& parameters) {
  for (const auto& [name, value] : parameters) {
    if (name.text.find('[') != std::string::npos || places_.contains(name.text)) continue;
    Known known{name.text, {}, {}};
    if (value.expression.graph != nullptr) {
      if (!value.expression.is_constant()) continue;
      known.value = value.expression.number();
    } else {
      const ParsedNumber parsed = parse_number(value.text, [&](std::string_view other) {
        known.from.emplace_back(other);
        return this->value(other);
      });
      if (!parsed.problems.empty()) continue;
      known.value = parsed.value;
    }
    places_[known.name] = known_.size();
    known_.push_back(std::move(known));
  }
}

std::optional<Number> SizeValues::value(std::string_view name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? std::nullopt : std::optional(known_[found->second].value);
}

std::optional<Number> SizeValues::use(std::string_view name) {
  const auto found = places_.find(name);
  if (found == places_.end()) return std::nullopt;
  Known& known = known_[found->second];
  if (!known.is_used) {
    known.is_used = true;
    for (const std::string& other : known.from) use(other);
  }
  return known.value;
}

std::vector<std::string> SizeValues::used() const {
  std::vector<std::string> names;
  for (const Known& known : known_) {
    if (known.is_used) names.push_back(known.name);
  }
  return names;
}

}  // namespace noslip
