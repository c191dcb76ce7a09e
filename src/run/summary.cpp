// One screen for a person.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <noslip/run/run.hpp>

namespace noslip {

namespace {

std::string column(const std::vector<std::string>& names, const std::vector<double>& values, const char* suffix) {
  std::string text;
  constexpr std::size_t most = 8;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) {
    text += fmt::format("{}{}{} = {}", i == 0 ? "" : "   ", names[i], suffix, to_short_text(values[i], 10));
  }
  if (names.size() > most) text += fmt::format("   ... ({} in all)", names.size());
  return text;
}

}  // namespace

std::string Trajectory::summary() const {
  std::string text;
  const auto line = [&](const char* label, const std::string& value) {
    text += fmt::format("{:<12}{}\n", label, value);
  };
  line("system", system);
  line("method", fmt::format("{} (order {}), step {}, {} steps, {}, {}", method, order, to_short_text(step), steps,
                             backend, precision));
  line("status", outcome.message.empty() ? to_text(outcome.status)
                                         : fmt::format("{}: {}", to_text(outcome.status), outcome.message));
  line("state", fmt::format("t = {}", to_short_text(last.t, 10)));
  line("", column(coordinates, last.q, ""));
  if (last.v.empty()) {  // an index-2 system
    if (!last.multipliers.empty()) line("", column(multiplier_names, last.multipliers, ""));
  } else {
    const bool are_velocities = velocity_names == coordinates;  // and not the z of an overdetermined system
    line("", column(velocity_names, last.v, are_velocities ? "'" : ""));
    if (!are_velocities) line("", column(multiplier_names, last.multipliers, ""));
  }
  if (!std::isnan(energy.initial))
    line("energy", fmt::format("{}   largest error {:.2e}   drift per time {:.1e}", to_short_text(energy.final, 10),
                               energy.max_abs_error, energy.drift_per_time));
  if (has_work) {
    line("work", fmt::format("{}   largest error of the balance {:.2e}   drift per time {:.1e}",
                             to_short_text(last.work, 10), balance.max_abs_error, balance.drift_per_time));
  }
  if (!constraints.empty()) line("constraints", fmt::format("largest residual {:.1e}", max_constraint));
  if (!holonomic.empty()) {
    line("holonomic", fmt::format("largest residual {:.1e}, of derivatives {:.1e}", max_holonomic, max_holonomic_rate));
  }
  if (has_rotations) line("rotations", fmt::format("largest entry of R^T R - 1 {:.1e}", max_group_defect));
  for (const Monitored& invariant : invariants) {
    line("invariant", fmt::format("{} = {}   largest error {:.2e}", invariant.name, to_short_text(invariant.final, 10),
                                  invariant.max_abs_error));
  }
  if (has_exact) {
    line("exact", std::isnan(error_at_end)
                      ? "the start is not on the known solution"
                      : fmt::format("largest error of the coordinates at the end {:.2e}", error_at_end));
  }
  const double per_step = steps > 0 ? wall_seconds / static_cast<double>(steps) * 1e9 : 0;
  const std::string iterations =
      iterations_max == 0 && steps > 0
          ? "explicit steps"
          : fmt::format("{:.2f} iterations per step (at most {})", iterations_mean, iterations_max);
  line("cost", fmt::format("{}, {:.0f} ns per step, {:.3g} s", iterations, per_step, wall_seconds));
  return text;
}

}  // namespace noslip
