// Round numbers for the axes of a plot.
#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include <noslip/io/plot.hpp>

namespace noslip {

namespace {

constexpr int most_marks = 5;    // without a number, between two numbers
constexpr double tiny = 1e-300;  // smaller differences count as zero

/// The smallest of 1, 2, 5 times a power of ten that is at least x.
double round_up(double x) {
  const double power = std::pow(10.0, std::floor(std::log10(x)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= x * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

std::string power_text(int exponent) {
  if (exponent == 0) return "1";
  if (exponent == 1) return "10";
  return fmt::format("10^{}", exponent);
}

/// `-0` and the rounding of sums are no business of the reader.
std::string number_text(double value, double distance, double unit) {
  const double shown = std::fabs(value) < 1e-9 * distance ? 0 : value / unit;
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(distance / unit) - 1e-9)));
  return decimals > 15 ? fmt::format("{:.6g}", shown) : fmt::format("{:.{}f}", shown, decimals);
}

/// Numbers for ticks that lie `distance` apart. Long ones are shortened by what they have in common.
void add_numbers(PlotTicks& result, double first, int count, double distance) {
  constexpr double small = 1e-3, large = 1e5, far = 1e5;  // beyond this the numbers would be long
  double longest = std::max(std::fabs(result.low), std::fabs(result.high));
  double unit = 1, base = 0;
  std::string base_text;
  if (longest / distance > far) {
    // All begin with the same digits.
    const double rounded_to = std::pow(10.0, std::ceil(std::log10(100 * distance) - 1e-9));
    base = std::floor(result.low / rounded_to) * rounded_to;
    base_text = fmt::format("{} {:.{}g}", base < 0 ? "\u2212" : "+", std::fabs(base),
                            std::min(17, 1 + static_cast<int>(std::ceil(std::log10(longest / distance)))));
    longest = std::max(std::fabs(result.low - base), std::fabs(result.high - base));
  }
  if (longest < small || longest >= large) {
    const int exponent = static_cast<int>(std::floor(std::log10(longest) + 1e-9));
    unit = std::pow(10.0, exponent);
    result.scaling = fmt::format("\u00d710^{}", exponent);
  }
  if (!base_text.empty()) result.scaling += (result.scaling.empty() ? "" : " ") + base_text;
  for (int i = 0; i < count; ++i) {
    const double value = (first + i) * distance;
    result.ticks.push_back({value, number_text(value - base, distance, unit)});
  }
}

PlotTicks linear_ticks(double least, double most, int room) {
  const double size = std::max(std::fabs(least), std::fabs(most));
  if (most - least <= std::max(1e-12 * size, tiny)) {
    // All values are the same: some room around them.
    const double margin = size <= tiny ? 1 : size / 10;
    least -= margin;
    most += margin;
  }
  const double width = most - least, distance = round_up(width / std::max(room - 1, 1));
  double first = std::floor(least / distance + 1e-9), last = std::ceil(most / distance - 1e-9);
  // To the next tick where it is near, otherwise a little further than the values.
  constexpr double near = 0.08, too_near = 0.01, margin = 0.03;
  PlotTicks result;
  result.low = std::min(least, first * distance);
  result.high = std::max(most, last * distance);
  const double below = least - result.low, above = result.high - most;
  if (below > near * width) ++first;
  if (above > near * width) --last;
  if (below > near * width || below < too_near * width) result.low = least - margin * width;
  if (above > near * width || above < too_near * width) result.high = most + margin * width;
  add_numbers(result, first, static_cast<int>(last - first) + 1, distance);
  return result;
}

/// The marks 2, 3, ... 9 times a power of ten; those among `numbered` get a number.
void add_marks_within(PlotTicks& result, int exponent, const std::vector<int>& numbered) {
  const double power = std::pow(10.0, exponent);
  for (int digit = 2; digit < 10; ++digit) {
    const double value = digit * power;
    if (value < result.low || value > result.high) continue;
    const bool is_numbered = std::find(numbered.begin(), numbered.end(), digit) != numbered.end();
    result.ticks.push_back({value, is_numbered ? fmt::format("{:.6g}", value) : ""});
  }
}

PlotTicks logarithmic_ticks(double least, double most, int room) {
  const double margin = std::max(0.06 * (std::log10(most) - std::log10(least)), 0.05);
  PlotTicks result;
  result.low = std::pow(10.0, std::max(std::log10(least) - margin, -305.0));
  result.high = std::pow(10.0, std::min(std::log10(most) + margin, 305.0));
  const double decades = std::log10(result.high) - std::log10(result.low);
  if (decades < 0.5) {
    // Less than a factor of three: round numbers as on a linear axis.
    const PlotTicks linear = linear_ticks(least, most, 4);
    for (const PlotTicks::Tick& tick : linear.ticks) {
      if (tick.value >= result.low && tick.value <= result.high) result.ticks.push_back(tick);
    }
    result.scaling = linear.scaling;
    return result;
  }
  const int first = static_cast<int>(std::floor(std::log10(result.low)));
  const int last = static_cast<int>(std::ceil(std::log10(result.high)));
  const int every = std::max(1, static_cast<int>(std::ceil((std::floor(decades) + 1) / room)));
  const bool is_short = decades < 2.5 && 3 * decades <= room;  // there is room for 1, 2 and 5 in every decade
  for (int exponent = first; exponent <= last; ++exponent) {
    const double value = std::pow(10.0, exponent);
    const bool is_numbered = exponent % every == 0;
    if (value >= result.low && value <= result.high && (is_numbered || every <= most_marks)) {
      result.ticks.push_back({value, !is_numbered ? ""
                                     : is_short   ? fmt::format("{:.6g}", value)
                                                  : power_text(exponent)});
    }
    if (decades <= 6 && every == 1)
      add_marks_within(result, exponent, is_short ? std::vector{2, 5} : std::vector<int>{});
  }
  return result;
}

}  // namespace

PlotTicks plot_ticks(double least, double most, bool is_logarithmic, int room) {
  assert(least <= most && least >= -1e300 && most <= 1e300 && (!is_logarithmic || least >= tiny));
  return is_logarithmic ? logarithmic_ticks(least, most, std::max(room, 2))
                        : linear_ticks(least, most, std::max(room, 2));
}

}  // namespace noslip
