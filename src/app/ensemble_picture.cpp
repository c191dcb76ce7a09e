#include "ensemble_picture.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <noslip/io/ensemble_plot.hpp>

#include "output.hpp"
#include "plot_options.hpp"

namespace noslip::app {

namespace {

constexpr std::size_t most_points = 1'000'000;

/// The values of an axis, as the members have them.
std::vector<double> values_on(const GridAxis& axis) {
  const auto members = grid_members({axis});
  std::vector<double> values(axis.count);
  members->read(0, axis.count, values.data());
  return values;
}

Plot plot_of_reductions(const Ensemble& ensemble) {
  using Kind = MemberReduction::Kind;
  const Reducer& reduced = ensemble.reduced;
  const std::size_t rows = ensemble.times.size();
  Plot plot;
  std::map<std::string, std::vector<std::pair<double, std::size_t>>> quantiles;  // by expression: level, reduction
  const auto add = [&](Plot other) {
    std::move(other.panels.begin(), other.panels.end(), std::back_inserter(plot.panels));
  };
  for (std::size_t i = 0; i < reduced.reductions().size(); ++i) {
    const MemberReduction& reduction = reduced.reductions()[i];
    if (reduction.kind == Kind::quantile && rows > 1) {
      quantiles[reduction.expression].emplace_back(reduction.p, i);
    } else if (reduction.kind == Kind::histogram) {
      Histogram bins = reduced.histogram(rows - 1, i);
      add(histogram_of({reduction.expression, reduction.low, reduction.high, std::move(bins.counts), bins.below,
                        bins.above}));
    } else if (rows > 1) {
      PlotValues over_time{reduction.text, {}};
      for (std::size_t row = 0; row < rows; ++row) over_time.values.push_back(reduced.number(row, i));
      add(curve_over({"t", ensemble.times}, over_time));
    }
  }
  for (auto& [expression, levels] : quantiles) {
    std::sort(levels.begin(), levels.end());
    PlotFan fan;
    fan.label = expression;
    fan.times = ensemble.times;
    for (const auto& [level, reduction] : levels) {
      fan.levels.push_back(level);
      std::vector<double>& values = fan.values.emplace_back();
      for (std::size_t row = 0; row < rows; ++row) values.push_back(reduced.number(row, reduction));
    }
    add(fan_of(fan));
  }
  return plot;
}

}  // namespace

EnsemblePicture::EnsemblePicture(const Arguments& arguments, const EnsembleChoice& choice, const EnsembleTable& table)
    : is_wanted_(arguments.has("--plot")),
      has_reductions_(!choice.options.reductions.empty()),
      axes_(choice.axes),
      names_(choice.members->names()),
      of_member_(table.member_columns.size()),
      columns_(table.columns.size()),
      rows_(table.times.size()) {
  if (!is_wanted_) return;
  if (has_reductions_) {
    const auto has_histogram = [](const MemberReduction& one) { return one.kind == MemberReduction::Kind::histogram; };
    const auto& reductions = choice.options.reductions;
    if (rows_ == 1 && std::none_of(reductions.begin(), reductions.end(), has_histogram)) {
      throw InputError("--plot: the reductions are single numbers",
                       "add --every K for numbers over time, or a histogram(E,A,B,N)");
    }
    return;
  }
  column_ = table.columns.front().name;
  if (names_.size() > 2) {
    throw InputError(fmt::format("--plot: {} names vary, and a plot shows one or two", names_.size()),
                     "vary fewer names, or draw a reduction such as histogram(E,A,B,N)");
  }
  if (choice.options.member_count > 0) {
    throw InputError("--plot and --part: a part is not the whole picture", "draw it without --part");
  }
  if (choice.members->count() > most_points) {
    throw InputError(fmt::format("--plot: {} members are too many for a plot (at most {})", choice.members->count(),
                                 most_points),
                     "draw a reduction such as histogram(E,A,B,N)");
  }
}

void EnsemblePicture::take(const MemberBlock& block) {
  if (!is_wanted_ || has_reductions_) return;
  for (std::size_t i = 0; i < block.count; ++i) {
    const auto numbers = block.of_member.begin() + static_cast<std::ptrdiff_t>(i * of_member_);
    varied_.insert(varied_.end(), numbers, numbers + static_cast<std::ptrdiff_t>(names_.size()));
    values_.push_back(block.values[i * columns_ * rows_ + rows_ - 1]);
  }
}

Plot EnsemblePicture::plot_of_members() const {
  const PlotValues value{column_, values_};
  if (axes_.size() == 1) return curve_over({names_[0], values_on(axes_[0])}, value);
  if (axes_.size() == 2) {
    // The last name varies fastest: it is drawn to the right.
    std::vector<double> x = values_on(axes_[1]), y = values_on(axes_[0]);
    PlotValues cells{column_, values_};
    const bool is_left = x.size() > 1 && x.front() > x.back(), is_down = y.size() > 1 && y.front() > y.back();
    for (std::size_t row = 0; row < y.size(); ++row) {
      for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t from = (is_down ? y.size() - 1 - row : row) * x.size() + (is_left ? x.size() - 1 - i : i);
        cells.values[row * x.size() + i] = values_[from];
      }
    }
    if (is_left) std::reverse(x.begin(), x.end());
    if (is_down) std::reverse(y.begin(), y.end());
    return map_over({names_[1], std::move(x)}, {names_[0], std::move(y)}, cells);
  }
  std::vector<PlotValues> varied;
  for (std::size_t name = 0; name < names_.size(); ++name) {
    PlotValues& axis = varied.emplace_back(PlotValues{names_[name], {}});
    for (std::size_t i = name; i < varied_.size(); i += names_.size()) axis.values.push_back(varied_[i]);
  }
  return varied.size() == 1 ? scatter_over(varied[0], value) : scatter_over(varied[0], varied[1], value);
}

bool EnsemblePicture::is_empty(const Ensemble& ensemble) const {
  if (!has_reductions_) return std::none_of(values_.begin(), values_.end(), [](double x) { return std::isfinite(x); });
  const Reducer& reduced = ensemble.reduced;
  for (std::size_t row = 0; row < reduced.row_count(); ++row) {
    for (std::size_t i = 0; i < reduced.expressions().size(); ++i) {
      if (reduced.finite_count(row, i) > 0) return false;
    }
  }
  return true;
}

void EnsemblePicture::write(Arguments& arguments, const Ensemble& ensemble) const {
  if (!is_wanted_) return;
  if (is_empty(ensemble)) {
    tell(fmt::format("--plot {}: nothing is drawn, because {}", shortened(arguments.text("--plot")),
                     has_reductions_ ? "no member has a value"
                                     : fmt::format("'{}' is missing at the end of all members", column_)));
    return;
  }
  Plot plot = has_reductions_ ? plot_of_reductions(ensemble) : plot_of_members();
  plot.title = ensemble.system;
  plot.subtitle = fmt::format("{} members, {}, h = {}, t = {}", ensemble.members, ensemble.method,
                              to_short_text(ensemble.step), to_short_text(ensemble.times.back()));
  write_plot(arguments, std::move(plot));
}

}  // namespace noslip::app
