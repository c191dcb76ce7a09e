#include "inside.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <noslip/run/event_text.hpp>

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
  std::vector<Problem> problems;
  Event event = noslip::read_event(text, "--event", problems);
  if (!problems.empty()) arguments.problems(InputError(std::move(problems)));
  return event;
}

}  // namespace noslip::app
