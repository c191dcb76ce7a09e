#include <noslip/run/event_text.hpp>

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/core/short_text.hpp>
#include <noslip/exec/value_text.hpp>

namespace noslip {

Event read_event(const std::string& text, const std::string& option, std::vector<Problem>& problems) {
  const auto refuse = [&](std::string what, std::string remedy) {
    problems.push_back({std::move(what), {}, std::move(remedy)});
  };
  std::vector<std::string> pieces = split_outside_brackets(text, ',');
  Event event;
  bool has_direction = false;
  for (; pieces.size() > 1; pieces.pop_back()) {
    const std::string& word = pieces.back();
    if (word == "up" || word == "down" || word == "both") {
      if (std::exchange(has_direction, true)) {
        refuse(fmt::format("{} {}: two directions are given", option, shortened(text)),
                          "give one of up, down and both");
      }
      event.direction = word == "up" ? Crossing::up : word == "down" ? Crossing::down : Crossing::both;
    } else if (word == "stop") {
      event.stop_after = 1;
    } else if (word.starts_with("stop=")) {
      const double count = static_cast<double>(evaluate(word.substr(5)).number.value_or(0));
      if (!(count >= 1 && count <= 1e15) || count != std::floor(count)) {
        refuse(fmt::format("{} {}: '{}' is no number of crossings", option, shortened(text), shortened(word)),
                          "write stop for the first crossing, or stop=N with a positive number");
      } else {
        event.stop_after = static_cast<long long>(count);
      }
    } else {
      const std::vector<std::string> known{"up", "down", "both", "stop"};
      const std::string guess = did_you_mean(word, known);
      refuse(fmt::format("{} {}: '{}' behind the comma is not known", option, shortened(text), shortened(word)),
                        guess.empty() ? "write EXPR, then up, down or both, and stop or stop=N" : guess);
    }
  }
  event.when = pieces.front();
  if (event.when.empty()) {
    refuse(fmt::format("{}: the expression is missing", option), fmt::format("give one, for example {} \"x - 1,up,stop\"", option));
  }
  return event;
}

}  // namespace noslip
