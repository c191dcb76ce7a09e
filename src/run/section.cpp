// One run per orbit, with one event.
#include <noslip/run/section.hpp>

#include <cmath>

#include <fmt/format.h>

#include <noslip/core/default_arithmetic.hpp>
#include <noslip/core/option_name.hpp>
#include <noslip/core/options.hpp>
#include <noslip/run/row_reader.hpp>

#include "run/step_count.hpp"

namespace noslip {

namespace {

std::vector<Column> value_columns(const System& system, const SectionOptions& options) {
  return options.columns.empty() ? columns_of(system, {ColumnKind::coordinate, ColumnKind::velocity, ColumnKind::state})
                                 : columns_of_texts(system, options.columns);
}

std::vector<Column> row_columns_of(const std::vector<Column>& values, std::size_t orbits) {
  std::vector<Column> columns;
  if (orbits > 1) columns.push_back({"orbit", ColumnKind::label, 0, "orbit"});
  columns.push_back({"t", ColumnKind::time, 0, "t"});
  columns.insert(columns.end(), values.begin(), values.end());
  return columns;
}

class Sections {
 public:
  Sections(const System& system, const SectionOptions& options) : system_(system), options_(options) {
    const Option& crossings = option_named("crossings");
    if (const auto problem = problem_with(crossings, static_cast<double>(options.event.stop_after))) {
      throw InputError({*problem});
    }
    const auto most = static_cast<long long>(option_named("steps").most) / SectionOptions::most_steps_per_crossing;
    if (options.event.stop_after > most && !has_end()) {
      throw InputError(fmt::format("{} crossings of an orbit are too many", options.event.stop_after),
                       fmt::format("at most {} are possible, or any number with an end time", most));
    }
    if (options.orbits.empty()) throw InputError("a section has no orbit", "give at least one start");
    result_.event = options.event;
    result_.columns = value_columns(system, options);
  }

  Section run() {
    for (const OrbitStart& start : options_.orbits) {
      add(start);
      if (result_.outcome.status == Status::interrupted) break;
    }
    return std::move(result_);
  }

 private:
  long long all() const { return static_cast<long long>(options_.orbits.size()) * options_.event.stop_after; }
  bool has_end() const { return options_.run.steps > 0 || options_.run.until == options_.run.until; }

  void add(const OrbitStart& start) {
    RunOptions run = options_.run;
    for (const auto& [name, value] : start.set) run.set[name] = value;
    for (const auto& [name, value] : start.init) run.init[name] = value;
    run.events = {options_.event};
    run.every = 0;
    if (!has_end()) run.steps = SectionOptions::most_steps_per_crossing * options_.event.stop_after;
    const std::vector<double> parameters = system_.parameter_values(run.set);
    RowReader read(system_, result_.columns, parameters, "column");
    SectionOrbit orbit;
    orbit.start = start;
    run.event_sink = [&](const EventHit& hit) {
      const std::span<const double> values = read(hit.state);
      SectionPoint point{hit.state.t, hit.direction, {values.begin(), values.end()}};
      ++orbit.found, ++done_;
      if (options_.sink) options_.sink(result_.orbits.size(), point);
      if (options_.keep) orbit.points.push_back(std::move(point));
    };
    run.progress = [&](long long, long long) {
      return !options_.progress || options_.progress(start.label, done_, all());
    };
    orbit.run = integrate(system_, run);
    conclude(orbit);
    result_.system = orbit.run.about.system;
    result_.method = orbit.run.about.method;
    result_.step = orbit.run.about.step;
    result_.orbits.push_back(std::move(orbit));
  }

  void conclude(SectionOrbit& orbit) {
    const long long found = orbit.found;
    Outcome& outcome = orbit.run.outcome;
    if (found == options_.event.stop_after) {
      outcome = {};
      return;
    }
    const std::string who = orbit.start.label.empty() ? "" : orbit.start.label + ": ";
    if (outcome.status == Status::interrupted) {
      result_.outcome = outcome;
      return;
    }
    if (outcome.status == Status::done && !has_end()) {
      outcome = {
          Status::failed,
          fmt::format(
              "only {} of {} crossings of '{}' up to t = {}; give a longer time with {}, or look more often with {}",
              found, options_.event.stop_after, options_.event.when, to_short_text(orbit.run.last.t), option("until"),
              option("looks"))};
    }
    if (outcome.status == Status::failed && result_.outcome.status == Status::done) {
      result_.outcome = {Status::failed, who + outcome.message};
    }
  }

  const System& system_;
  const SectionOptions& options_;
  Section result_;
  long long done_ = 0;
};

}  // namespace

std::vector<Column> columns_of(const Section& section) {
  return row_columns_of(section.columns, section.orbits.size());
}

std::vector<Column> columns_of(const System& system, const SectionOptions& options) {
  return row_columns_of(value_columns(system, options), options.orbits.size());
}

void for_each_row(const Section& section, const std::function<void(std::span<const double>)>& take) {
  std::vector<double> row;
  for (std::size_t i = 0; i < section.orbits.size(); ++i) {
    for (const SectionPoint& point : section.orbits[i].points) {
      row.clear();
      if (section.orbits.size() > 1) row.push_back(static_cast<double>(i + 1));
      row.push_back(point.t);
      row.insert(row.end(), point.values.begin(), point.values.end());
      take(row);
    }
  }
}

Section section(const System& system, const SectionOptions& options) {
  const DefaultArithmetic arithmetic;
  return Sections(system, options).run();
}

}  // namespace noslip
