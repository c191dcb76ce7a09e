#include "model/factors.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <noslip/core/characters.hpp>
#include <noslip/core/names.hpp>

namespace noslip {
namespace {

struct Known {
  const char* text;
  std::shared_ptr<const Group> (*make)();
  int columns;           ///< of the matrix of three rows that holds an element; 0 where coordinates hold it
  const char* names;     ///< an example of its names
  const char* velocity;  ///< an example of its velocities, for remedies
};

const Known known[] = {
    {"SO(2)", so2, 0, "names = [\"theta\"]", "velocity = [\"omega\"]"},
    {"SO(3)", so3, 3, "name = \"R\"", "velocity = [\"w1\", \"w2\", \"w3\"]"},
    {"SE(2)", se2, 0, "names = [\"x\", \"y\", \"theta\"]", "velocity = [\"v1\", \"v2\", \"omega\"]"},
    {"SE(3)", se3, 4, "name = \"g\"", "velocity = [\"v1\", \"v2\", \"v3\", \"w1\", \"w2\", \"w3\"]"},
};

Text renamed(Text phrase, std::string text) {
  phrase.text = std::move(text);
  return phrase;
}

/// SO3 of SO(3), so(3) and SO_3
std::string letters_of(std::string_view group) {
  std::string result;
  for (const char c : group) {
    if (is_letter(c) || is_digit(c)) result += upper(c);
  }
  return result;
}

bool is_rotation(const FactorTexts& factor) { return factor.names.size() > factor.at_start.size(); }

}  // namespace

namespace {

FactorTexts coordinate_factor(Text name) {
  FactorTexts result;
  result.group = vector_space(1);
  result.names = result.at_start = {std::move(name)};
  return result;
}

FactorTexts group_factor(const CoordinateText& given, std::vector<Problem>& problems) {
  FactorTexts result;
  if (!given.is_readable) return result;
  const auto found =
      std::find_if(std::begin(known), std::end(known), [&](const Known& one) { return given.group.text == one.text; });
  if (found == std::end(known)) {
    std::vector<std::string> names;
    for (const Known& one : known) names.emplace_back(one.text);
    const auto same = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
      return letters_of(name) == letters_of(given.group.text);
    });
    const std::string guess = same == names.end() ? std::string() : did_you_mean(*same, names);
    problems.push_back(
        {"unknown group '" + given.group.text + "'", given.group.place(),
         guess.empty() ? "the groups are " + list_of(names) + "; vectors are plain coordinates" : guess});
    return result;
  }
  const std::shared_ptr<const Group> group = found->make();
  const std::size_t before = problems.size();
  const bool is_matrix = found->columns > 0, has_name = !given.name.empty(), has_names = given.names.is_given;
  if (is_matrix ? has_names : has_name) {
    problems.push_back({fmt::format("an element of {} has {}", found->text,
                                    is_matrix ? "one name, from which those of its entries follow" : "names"),
                        given.place, fmt::format("write {}", found->names)});
  } else if (is_matrix ? !has_name : !has_names) {
    problems.push_back({fmt::format("`{}` is missing for an element of {}", is_matrix ? "name" : "names", found->text),
                        given.place, fmt::format("add {}", found->names)});
  } else if (!is_matrix && given.names.size() != static_cast<std::size_t>(group->size())) {
    problems.push_back({fmt::format("{} for an element of {}, which has {}",
                                    given.names.size() == 1 ? "1 name" : fmt::format("{} names", given.names.size()),
                                    found->text, group->size()),
                        given.place, fmt::format("for example {}", found->names)});
  }
  if (!given.velocity.is_given) {
    problems.push_back({fmt::format("`velocity` is missing for an element of {}", found->text), given.place,
                        fmt::format("add {}", found->velocity)});
  } else if (given.velocity.size() != static_cast<std::size_t>(group->dimension())) {
    problems.push_back(
        {fmt::format("{} for {}, which has {}",
                     given.velocity.size() == 1 ? "1 velocity" : fmt::format("{} velocities", given.velocity.size()),
                     found->text, group->dimension()),
         given.place, fmt::format("for example {}", found->velocity)});
  }
  if (problems.size() > before) return result;
  result.group = group;
  result.velocity = given.velocity.texts;
  if (!is_matrix) {
    result.names = result.at_start = given.names.texts;
    return result;
  }
  result.name = given.name;
  for (int i = 1; i <= 3; ++i) {
    for (int j = 1; j <= found->columns; ++j) {
      result.names.push_back(renamed(given.name, fmt::format("{}{}{}", given.name.text, i, j)));
    }
  }
  for (int i = 1; i <= group->dimension(); ++i) {
    result.at_start.push_back(renamed(given.name, fmt::format("{}({})", given.name.text, i)));
  }
  return result;
}

}  // namespace

std::vector<FactorTexts> factors_of(const std::vector<CoordinateText>& coordinates, std::vector<Problem>& problems) {
  std::vector<FactorTexts> result;
  for (const CoordinateText& each : coordinates) {
    result.push_back(each.is_element ? group_factor(each, problems) : coordinate_factor(each.name));
  }
  return result;
}

FactorTexts state_factor(Text name) {
  FactorTexts result = coordinate_factor(std::move(name));
  result.is_state = true;
  return result;
}

std::vector<Expr> initial_element(const FactorTexts& factor, std::vector<Expr> given) {
  if (!is_rotation(factor)) return given;
  const std::size_t translations = given.size() - 3;
  const std::vector<Expr> rotation = rotation_by(std::span(given).last(3));
  std::vector<Expr> result;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) result.push_back(rotation[3 * i + j]);
    if (translations > 0) result.push_back(given[i]);
  }
  return result;
}

}  // namespace noslip
