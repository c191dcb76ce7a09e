#include "ensemble/plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <noslip/core/option_name.hpp>

#include "run/watched_functions.hpp"

namespace noslip {

namespace {

constexpr std::size_t most_block_bytes = 1 << 21, most_block = 1024;
constexpr const char* members_name = "the members";
constexpr std::size_t most_lane_bytes = 1 << 24, most_member_bytes = std::size_t{1} << 29;

bool is_known_to_lanes(const Column& column) {
  switch (column.kind) {
    case ColumnKind::time:
    case ColumnKind::coordinate:
    case ColumnKind::velocity:
    case ColumnKind::state:
    case ColumnKind::input:
    case ColumnKind::energy:
    case ColumnKind::work:
    case ColumnKind::expression: return true;
    default: return false;
  }
}

}  // namespace

EnsemblePlan::EnsemblePlan(const System& of, const MemberStarts& from, const EnsembleOptions& given)
    : system(of), starts(from), options(given), h(static_cast<double>(given.run.step)) {
  first = options.first_member;
  if (first >= starts.count() || options.member_count > starts.count() - first) {
    throw InputError(fmt::format("members {} to {} of {} do not exist", first,
                                 first + std::max<std::size_t>(1, options.member_count) - 1, starts.count()),
                     "choose a part of the members");
  }
  end = options.member_count > 0 ? first + options.member_count : starts.count();
  std::vector<double> values(starts.names().size());
  starts.read(first, 1, values.data());
  GivenValues scratch = starts.given_to_all();
  t0 = starts.start(first, values.data(), scratch).t;
  if (options.run.steps == 0 && static_cast<double>(options.run.until) <= t0) {
    throw InputError(fmt::format("{} {}: the end is not after the initial time {}", option("until"),
                                 to_text(static_cast<double>(options.run.until)), to_text(t0)),
                     "give a later time");
  }
  count = count_steps(t0, options.run);
  choose_columns();
  choose_rows();
  table.identity = identity();
  for (auto& [what, value] : table.identity) {
    if (what == members_name) value = starts.identity();
  }
  needs_runs = system.sampled() != nullptr || !options.run.events.empty() || !options.run.control.series.empty() ||
               !system.guards().empty() || has_reactions_ ||
               !std::all_of(table.columns.begin(), table.columns.end(), is_known_to_lanes);
  // Many blocks, so that nobody waits for the last one; few bytes, since some of them wait for their turn.
  const std::size_t bytes = bytes_of_member();
  if (bytes > most_member_bytes) {
    throw InputError(fmt::format("{} rows of a member need {} MB of memory", rows(), bytes >> 20),
                     fmt::format("store fewer rows with a larger number for {}", option("every")));
  }
  const std::size_t fitting = std::min(most_block, most_block_bytes / bytes), fair = members() / 64;
  block = std::max<std::size_t>(1, std::min(fitting, fair));
  if (block > 8) block -= block % 8;
  lanes = options.lanes > 0 ? options.lanes : block >= 8 || members() > 4 ? 8 : members() > 1 ? 4 : 1;
  if (options.lanes == 0 && bytes > most_lane_bytes) lanes = 1;
  block = std::max(block, std::min(static_cast<std::size_t>(lanes), members()));
}

double EnsemblePlan::time_after(long long step) const {
  const auto until = static_cast<double>(options.run.until);
  if (step == steps() && options.run.steps == 0) return until;
  return count.time(step, t0, h, until);
}

void EnsemblePlan::choose_columns() {
  for (const std::string& name : starts.names()) {
    table.member_columns.push_back({name, ColumnKind::expression, 0, name, name + " of the member"});
  }
  const auto add = [&](const char* name, const std::string& event, const char* meaning) {
    table.member_columns.push_back({fmt::format(fmt::runtime(name), event), ColumnKind::expression, 0, "",
                                    fmt::format(fmt::runtime(meaning), event)});
  };
  for (const Event& event : options.run.events) {
    add("count({})", event.when, "number of events {}");
    add("first({})", event.when, "time of the first event {}");
  }
  has_ends = std::any_of(options.run.events.begin(), options.run.events.end(),
                         [](const Event& event) { return event.stop_after > 0; });
  if (has_ends) table.member_columns.push_back({"end", ColumnKind::expression, 0, "end", "time of the last state"});
  table.member_columns.push_back({"failed", ColumnKind::expression, 0, "failed", "1 if the member has failed"});

  std::vector<Column> known = row_columns(system);
  std::erase_if(known, [](const Column& column) { return column.kind == ColumnKind::output; });  // expressions as others
  const bool keeps_states = options.columns.empty() && options.reductions.empty();
  if (keeps_states) table.columns = columns_of(system, {ColumnKind::coordinate, ColumnKind::velocity, ColumnKind::state});
  for (const std::string& text : options.columns) table.columns.push_back(column_of_text(known, text));
  kept = table.columns.size();
  const Reducer reducer(options.reductions, 0);
  for (const std::string& text : reducer.expressions()) {
    reduced_columns.push_back(find_column(table.columns, text));
    if (reduced_columns.back() == table.columns.size()) table.columns.push_back(column_of_text(known, text));
  }
  check_expressions();
}

/// All that are wrong, before anything runs.
void EnsemblePlan::check_expressions() {
  Graph graph(system.graph());
  std::vector<Problem> problems;
  for (const Column& column : table.columns) {
    if (column.kind != ColumnKind::expression) continue;
    try {
      const Expr value = system.expression(graph, column.text, fmt::format("column '{}'", column.text));
      has_reactions_ = has_reactions_ || have_reactions(system, graph, std::span(&value, 1));
    } catch (const InputError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

void EnsemblePlan::choose_rows() {
  const long long every = options.run.every;
  for (long long step = 0; every > 0 && step < steps(); step += every) table.times.push_back(time_after(step));
  table.times.push_back(time_after(steps()));
}

std::vector<std::pair<std::string, std::string>> EnsemblePlan::identity() const {
  std::string settings;
  for (const Settings* values : {&options.run.set, &options.run.init, &options.run.control.inputs}) {
    for (const auto& [name, value] : *values) settings += fmt::format(" {}={}", name, to_text(value));
    settings += ';';
  }
  std::string wanted;
  for (const Column& column : table.columns) wanted += column.name + ", ";
  for (const Event& event : options.run.events) {
    wanted += fmt::format("event {} {} {}, ", event.when, to_text(event.direction), event.stop_after);
  }
  for (const MemberReduction& reduction : options.reductions) wanted += reduction.text + ", ";
  return {{"the system", system.name()},
          {"the method", options.run.method},
          {"the step size", to_text(h)},
          {"the end", fmt::format("{} steps to {}", steps(), to_text(time_after(steps())))},
          {"the rows", fmt::format("{}", options.run.every)},
          {members_name, fmt::format("{} to {}: {}", first, end, starts.identity())},
          {"the values", settings},
          {"the columns", wanted},
          {"the tolerance", to_text(options.run.tolerance)},
          {"the projection", options.run.project ? "yes" : "no"},
          {"the stop at guards", options.run.strict ? "yes" : "no"}};
}

}  // namespace noslip
