// Numbers of a controller: its times, and what it remembers at first.
#include <noslip/model/sampled.hpp>

#include <cassert>
#include <cmath>

#include "model/system_data.hpp"

namespace noslip {

std::optional<Problem> problem_with_sample_time(const ParameterValue& time, quad value) {
  if (!std::isfinite(static_cast<double>(value))) return not_finite(time, value);
  const bool may_be_zero = time.what.starts_with("`delay`");
  if (value > 0 || (may_be_zero && value == 0)) return std::nullopt;
  return Problem{time.what + " is " + to_text(static_cast<double>(value)), time.text.place(),
                 may_be_zero ? "a delay is a time from 0 on" : "the time between two samples is greater than 0"};
}

SampledTimes sampled_times(const System& system, std::span<const quad> parameter_values) {
  const SystemData& data = system.data();
  assert(data.sampled);
  const Evaluation<quad> values = data.sampled_values({parameter_values});
  const std::span<const quad> numbers = values.output(0);
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const ParameterValue& number = data.sampled_numbers[i];
    if (i < 2) {
      if (auto problem = problem_with_sample_time(number, numbers[i])) problems.push_back(std::move(*problem));
    } else if (!std::isfinite(static_cast<double>(numbers[i]))) {
      problems.push_back(not_finite(number, numbers[i]));
    }
  }
  refuse(std::move(problems));
  return {numbers[0], numbers[1], {numbers.begin() + 2, numbers.end()}};
}

}  // namespace noslip
