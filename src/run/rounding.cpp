#include "run/rounding.hpp"

#include <algorithm>
#include <cmath>

namespace noslip {

namespace {

/// A few units in the last place for every value, random over the steps: less than this is luck.
constexpr double least_units = 4;

bool all_are_doubles(const std::vector<quad>& values) {
  return std::all_of(values.begin(), values.end(), [](quad x) { return x != x || quad(static_cast<double>(x)) == x; });
}

}  // namespace

Rounding Rounding::measure(StudyRuns& runs, const std::string& method, quad step, const Trajectory& in_double) {
  Rounding rounding;
  const InitialState& start = runs.start();
  const QuadState first{quad(start.t), {start.q.begin(), start.q.end()}, {start.v.begin(), start.v.end()}, {}};
  rounding.size_ = larger(size_of(first), size_of(in_double.last_quad));
  if (in_double.outcome.status != Status::done) return rounding;
  const Trajectory in_long = runs.run(method, step, Precision::long_double);
  if (in_long.outcome.status != Status::done) return rounding;
  rounding.steps_ = std::max(in_double.steps, 1LL);
  rounding.multipliers_gain_ = !all_are_doubles(in_long.last_quad.multipliers);
  rounding.measured_ = distance(in_double.last_quad, in_long.last_quad);
  // q and v feed each other: where one of them came off lightly by chance, the other tells.
  const StateNumbers& size = rounding.size_;
  StateNumbers& measured = rounding.measured_;
  if (size.q > 0 && size.v > 0) {
    const double relative = std::fmax(measured.q / size.q, measured.v / size.v);
    measured.q = relative * size.q;
    measured.v = relative * size.v;
  }
  return rounding;
}

StateNumbers Rounding::after(long long steps, Precision precision) const {
  const double in_double = unit_of(Precision::double_precision);
  const double count = static_cast<double>(std::max(steps, 1LL));
  StateNumbers result;
  for (const auto part : state_parts) {
    const double least = least_units * in_double * size_.*part * std::sqrt(count);
    const double grown = measured_.*part * count / static_cast<double>(steps_);
    const bool gains = part != &StateNumbers::multipliers || multipliers_gain_;
    result.*part = std::fmax(least, grown) * (gains ? unit_of(precision) / in_double : 1);
  }
  return result;
}

}  // namespace noslip
