#include "inside.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <noslip/core/names.hpp>

#include "output.hpp"
#include "values.hpp"

namespace noslip::app {
namespace {

constexpr std::size_t most_numbers = 1'000'000;

std::optional<quad> number(Arguments& arguments, const std::string& option, const std::string& text) {
  const Value value = evaluate(text);
  if (!value.number) arguments.problem(fmt::format("{} {}: {}", option, shortened(text), value.what), value.remedy);
  return value.number;
}

}  // namespace

NumberList number_list(Arguments& arguments, const std::string& option, const std::string& text) {
  NumberList numbers;
  for (const std::string& piece : split_outside_brackets(text, ',')) {
    const std::vector<std::string> range = split_outside_brackets(piece, ':');
    if (range.size() == 1) {
      if (const auto value = number(arguments, option, piece)) numbers.push_back(*value);
      continue;
    }
    if (range.size() != 3) {
      arguments.problem(fmt::format("{} {}: this is neither a number nor a range", option, shortened(piece)),
                        "write a range as first:last:count, for example 0:1:11");
      continue;
    }
    const auto first = number(arguments, option, range[0]), last = number(arguments, option, range[1]),
               given = number(arguments, option, range[2]);
    if (!first || !last || !given) continue;
    const double count = static_cast<double>(*given);
    if (!(count >= 1 && count <= most_numbers && count == std::floor(count))) {
      arguments.problem(fmt::format("{} {}: the count of a range is {}", option, shortened(piece), range[2]),
                        fmt::format("give a whole number from 1 to {}", most_numbers));
      continue;
    }
    const auto spans = static_cast<long long>(count) - 1;
    numbers.push_back(*first);
    for (long long i = 1; i <= spans; ++i) {
      numbers.push_back((quad(spans - i) * *first + quad(i) * *last) / quad(spans));
    }
  }
  return numbers;
}

Event read_event(Arguments& arguments, const std::string& text) {
  std::vector<std::string> pieces = split_outside_brackets(text, ',');
  Event event;
  bool has_direction = false;
  for (; pieces.size() > 1; pieces.pop_back()) {
    const std::string& word = pieces.back();
    if (word == "up" || word == "down" || word == "both") {
      if (std::exchange(has_direction, true)) {
        arguments.problem(fmt::format("--event {}: two directions are given", shortened(text)),
                          "give one of up, down and both");
      }
      event.direction = word == "up" ? Crossing::up : word == "down" ? Crossing::down : Crossing::both;
    } else if (word == "stop") {
      event.stop_after = 1;
    } else if (word.starts_with("stop=")) {
      const double count = static_cast<double>(evaluate(word.substr(5)).number.value_or(0));
      if (!(count >= 1 && count <= 1e15) || count != std::floor(count)) {
        arguments.problem(fmt::format("--event {}: '{}' is no number of crossings", shortened(text), shortened(word)),
                          "write stop for the first crossing, or stop=N with a positive number");
      } else {
        event.stop_after = static_cast<long long>(count);
      }
    } else {
      const std::vector<std::string> known{"up", "down", "both", "stop"};
      const std::string guess = did_you_mean(word, known);
      arguments.problem(fmt::format("--event {}: '{}' behind the comma is not known", shortened(text), shortened(word)),
                        guess.empty() ? "write EXPR, then up, down or both, and stop or stop=N" : guess);
    }
  }
  event.when = pieces.front();
  if (event.when.empty()) {
    arguments.problem("--event: the expression is missing", "give one, for example --event \"x - 1,up,stop\"");
  }
  return event;
}

}  // namespace noslip::app
