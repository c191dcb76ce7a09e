// Options that make no sense are refused, all of them at once.
#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include <noslip/core/options.hpp>
#include <noslip/run/run_fields.hpp>

namespace noslip {

namespace {

constexpr RunField fields[] = {
    {"method", &RunOptions::method},       {"step", &RunOptions::step},
    {"until", &RunOptions::until},         {"steps", &RunOptions::steps},
    {"every", &RunOptions::every},         {"project", &RunOptions::project},
    {"strict", &RunOptions::strict},
    {"between", &RunOptions::between},     {"looks", &RunOptions::looks_per_step},
    {"land", &RunOptions::land},
    {"backend", &RunOptions::backend},     {"precision", &RunOptions::precision},
    {"tolerance", &RunOptions::tolerance}, {"checkpoint-every", &RunOptions::checkpoint_every},
};

template <class T>
constexpr bool is_number_type = std::is_same_v<T, quad> || (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);

/// The option of a field, and what it is without being given (of numbers).
struct FieldRange {
  const Option* option;
  double otherwise;
};

const std::vector<FieldRange>& field_ranges() {
  static const std::vector<FieldRange> all = [] {
    std::vector<FieldRange> ranges;
    const RunOptions none;
    for (const RunField& field : fields) {
      const double otherwise = std::visit(
          [&]<class T>(RunMember<T> member) {
            if constexpr (is_number_type<T>) return static_cast<double>(none.*member);
            return 0.0;
          },
          field.member);
      ranges.push_back({&option_named(field.option), otherwise});
    }
    return ranges;
  }();
  return all;
}

/// A number outside of its range. What it is without being given is good, unless it has to be given.
template <class T>
std::optional<Problem> problem_with_member(const FieldRange& range, const RunOptions& options, RunMember<T> member) {
  if constexpr (is_number_type<T>) {
    const auto value = static_cast<double>(options.*member);
    const bool is_given = !(value == range.otherwise || (std::isnan(value) && std::isnan(range.otherwise)));
    if (is_given || range.option->is_required) return problem_with(*range.option, value);
  }
  return std::nullopt;
}

}  // namespace

std::span<const RunField> run_fields() { return fields; }

void RunOptions::check() const {
  std::vector<Problem> problems;
  const auto refuse = [&](std::string what, std::string remedy) {
    problems.push_back({std::move(what), {}, std::move(remedy)});
  };
  for (std::size_t i = 0; i < std::size(fields); ++i) {
    std::visit(
        [&](auto member) {
          const std::optional<Problem> problem = problem_with_member(field_ranges()[i], *this, member);
          if (problem) problems.push_back(*problem);
        },
        fields[i].member);
  }
  for (const quad asked : at) {
    const auto time = static_cast<double>(asked);
    if (!std::isfinite(time)) refuse(fmt::format("there is no state at time {}", to_text(time)), "give finite times");
  }
  for (const Event& event : events) {
    if (event.stop_after >= 0) continue;
    refuse(fmt::format("a run cannot stop at crossing {} of '{}'", event.stop_after, event.when),
           "count from 1, or give 0 to go on");
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace noslip
