// What a trajectory answers: states between steps, digits, one screen for a person.
#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include <noslip/core/default_arithmetic.hpp>
#include <noslip/core/printable.hpp>
#include <noslip/exec/processor.hpp>
#include <noslip/run/trajectory.hpp>

namespace noslip {

namespace {

std::string column(std::span<const std::string> names, std::span<const double> values) {
  std::string text;
  constexpr std::size_t most = 8;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) {
    text += fmt::format("{}{} = {}", i == 0 ? "" : "   ", names[i], to_short_text(values[i], 10));
  }
  if (names.size() > most) text += fmt::format("   ... ({} in all)", names.size());
  return text;
}

/// A matrix of three rows, its name beside the first one.
std::vector<std::string> matrix_lines(const Factor& factor, std::span<const double> entries) {
  std::vector<std::string> cells, lines;
  std::size_t width = 0;
  for (const double entry : entries) {
    cells.push_back(to_short_text(entry, 10));
    width = std::max(width, cells.back().size());
  }
  const std::string label = factor.name + " = ";
  for (std::size_t i = 0; i < cells.size(); i += factor.columns()) {
    std::string line(i == 0 ? label : std::string(label.size(), ' '));
    for (std::size_t j = 0; j < factor.columns(); ++j) {
      line += fmt::format("{}{:>{}}", j == 0 ? "" : "  ", cells[i + j], width);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

/// Positions: coordinates side by side, matrices on lines of their own.
std::vector<std::string> position_lines(const Trajectory& run) {
  std::vector<std::string> lines, names;
  std::vector<double> values;
  std::vector<std::string> coordinates = names_of(run.about.columns, ColumnKind::coordinate);
  for (std::string& state : names_of(run.about.columns, ColumnKind::state)) coordinates.push_back(std::move(state));
  const std::span<const double> q = run.last.q;
  std::vector<bool> is_in_matrix(q.size(), false);
  for (const Factor& factor : run.about.factors) {
    if (!factor.is_matrix()) continue;
    for (std::string& line : matrix_lines(factor, q.subspan(factor.first, factor.size))) lines.push_back(line);
    std::fill_n(is_in_matrix.begin() + static_cast<std::ptrdiff_t>(factor.first), factor.size, true);
  }
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (is_in_matrix[i]) continue;
    names.push_back(coordinates[i]);
    values.push_back(q[i]);
  }
  if (!names.empty()) lines.push_back(column(names, values));
  return lines;
}

}  // namespace

Sample Trajectory::at(double t) const {
  if (!dense) {
    throw InputError("the run has not kept its steps", "set RunOptions::dense to ask for states between them");
  }
  return dense->at(t);
}

std::vector<std::string> Trajectory::last_text() const {
  const DefaultArithmetic arithmetic;
  const auto text_of = [&](quad x) {
    switch (about.precision) {
      case Precision::double_precision: return to_text(static_cast<double>(x));
      case Precision::long_double: return to_text(static_cast<long double>(x));
      case Precision::quadruple: break;
    }
    return to_text(x);
  };
  std::vector<std::string> texts{text_of(last_quad.t)};
  for (const quad x : last_quad.q) texts.push_back(text_of(x));
  for (const quad x : last_quad.v) texts.push_back(text_of(x));
  return texts;
}

std::string Trajectory::summary() const {
  const DefaultArithmetic arithmetic;
  std::string text;
  const auto line = [&](const char* label, const std::string& value) {
    text += fmt::format("{:<12}{}\n", label, value);
  };
  line("system", one_line(about.system));
  const bool has_own_functions =
      about.precision != Precision::double_precision || std::string_view(elementary_functions()) == "SLEEF";
  line("method", fmt::format("{} (order {}), step {}, {} steps, {}, {}{}", about.method, about.order,
                             to_short_text(about.step), steps, to_text(about.backend), to_text(about.precision),
                             has_own_functions ? "" : ", functions of the C library"));
  line("status", outcome.message.empty() ? to_text(outcome.status)
                                         : fmt::format("{}: {}", to_text(outcome.status), outcome.message));
  line("state", fmt::format("t = {}", to_short_text(last.t, 10)));
  for (const std::string& positions : position_lines(*this)) line("", positions);
  if (!last.v.empty()) line("", column(names_of(about.columns, ColumnKind::velocity), last.v));
  const bool has_energy = !std::isnan(energy.initial);  // index-2 systems have none; their multipliers are state
  if (!has_energy && !last.multipliers.empty()) {
    line("", column(names_of(about.columns, ColumnKind::multiplier), last.multipliers));
  }
  if (!last.inputs.empty()) line("inputs", column(names_of(about.columns, ColumnKind::input), last.inputs));
  if (!last.outputs.empty()) line("outputs", column(names_of(about.columns, ColumnKind::output), last.outputs));
  if (has_energy) {
    line("energy", fmt::format("{}   largest error {:.2e}   drift per time {:.1e}", to_short_text(energy.final, 10),
                               energy.max_abs_error, energy.drift_per_time));
  }
  if (balance.has_work) {
    line("work", fmt::format("{}   largest error of the balance {:.2e}   drift per time {:.1e}",
                             to_short_text(last.work, 10), balance.max_abs_error, balance.drift_per_time));
  }
  if (!constraints.by_name.empty()) {
    line("constraints", fmt::format("largest residual {:.1e}", constraints.max_abs));
  }
  if (!holonomic.by_name.empty()) {
    line("holonomic",
         fmt::format("largest residual {:.1e}, of derivatives {:.1e}", holonomic.max_abs, holonomic.max_abs_rate));
  }
  for (const GuardResult& guard : guards) {
    line("guard", fmt::format("{}   {}", one_line(guard.text),
                              !guard.holds() ? fmt::format("fails at t = {}", to_short_text(guard.failed_at, 10))
                              : std::isnan(guard.unknown_from)
                                  ? "holds"
                                  : fmt::format("has no value at t = {}", to_short_text(guard.unknown_from, 10))));
  }
  if (rotations) line("rotations", fmt::format("largest entry of R^T R - 1 {:.1e}", rotations->max_abs));
  for (const Monitored& invariant : invariants) {
    // An expression without a value at the start has no error; one without a value later ends a run.
    if (!std::isfinite(invariant.initial)) {
      line("invariant", fmt::format("{} has no value at the start", one_line(invariant.name)));
      continue;
    }
    line("invariant", fmt::format("{} = {}   largest error {:.2e}", one_line(invariant.name),
                                  to_short_text(invariant.final, 10), invariant.max_abs_error));
  }
  if (about.has_exact) {
    line("exact", std::isnan(error_at_end)
                      ? "the start is not on the known solution"
                      : fmt::format("largest error of the coordinates at the end {:.2e}", error_at_end));
  }
  const double per_step = steps > 0 ? wall_seconds / static_cast<double>(steps) * 1e9 : 0;
  const std::string iterations =
      solver.iterations_max == 0 && steps > 0
          ? "explicit steps"
          : fmt::format("{:.2f} iterations per step (at most {})", solver.iterations_mean, solver.iterations_max);
  line("cost", fmt::format("{}, {:.0f} ns per step, {:.3g} s", iterations, per_step, wall_seconds));
  return text;
}

}  // namespace noslip
