#include "shorten.hpp"

#include <fmt/format.h>

#include <noslip/expr/print.hpp>

namespace noslip::app {
namespace {

constexpr std::size_t longest_expression = 2000;  // characters
constexpr std::size_t longest_default = 200;

}  // namespace

std::string defaults_text(const std::vector<Parameter>& parameters) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  return short_list(
      names, [&](std::size_t i) { return fmt::format("{} = {}", names[i], to_text(parameters[i].default_value, longest_default)); });
}

std::string short_expression(const std::string& text) {
  if (text.size() <= longest_expression) return text;
  return fmt::format("{} ... ({} more characters; --json has them all)", text.substr(0, longest_expression),
                     text.size() - longest_expression);
}

}  // namespace noslip::app
