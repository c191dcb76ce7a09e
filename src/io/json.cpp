#include <noslip/io/json.hpp>

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include <noslip/exec/processor.hpp>
#include <noslip/model/shown.hpp>
#include <noslip/run/row_reader.hpp>

#include "io/json_text.hpp"

namespace noslip {
namespace {

/// nlohmann writes a NaN or an infinity as null when it dumps; here the same for what is missing.
Json value_or_null(const std::vector<double>& values, std::size_t i) {
  return i < values.size() ? Json(values[i]) : Json(nullptr);
}

Json by_name(const std::vector<std::string>& names, const std::vector<double>& values) {
  Json object = Json::object();
  for (std::size_t i = 0; i < names.size(); ++i) object[names[i]] = value_or_null(values, i);
  return object;
}

Json monitored_json(const Monitored& monitored) {
  return {{"initial", monitored.initial}, {"final", monitored.final}, {"max_abs_error", monitored.max_abs_error}};
}

/// Values of one kind by their names within it.
template <class ValueOf>
Json by_key(const std::vector<Column>& columns, ColumnKind kind, const ValueOf& value_of_column) {
  Json object = Json::object();
  for (const std::size_t place : places_of(columns, kind)) {
    object[columns[place].key] = value_of_column(columns[place]);
  }
  return object;
}

Json by_key(const std::vector<Column>& columns, ColumnKind kind, const Sample& sample) {
  return by_key(columns, kind, [&](const Column& column) { return value_of(column, sample); });
}

std::vector<std::string> keys_of(const std::vector<Column>& columns, ColumnKind kind) {
  std::vector<std::string> keys;
  for (const std::size_t place : places_of(columns, kind)) keys.push_back(columns[place].key);
  return keys;
}

/// t, q, v with all digits of the run's own precision, where that has more than double has.
void add_full_digits(Json& document, const Trajectory& run) {
  const std::size_t n = run.last.q.size();
  if (run.about.precision == Precision::double_precision) return;
  if (run.last_quad.q.size() != n) return;  // the columns are those of quaternions
  const std::vector<std::string> texts = run.last_text();
  const auto text_from = [&](std::size_t first) {
    return [&texts, first](const Column& column) { return texts[first + column.index]; };
  };
  document["t_text"] = texts[0];
  document["q_text"] = by_key(run.about.columns, ColumnKind::coordinate, text_from(1));
  if (!places_of(run.about.columns, ColumnKind::state).empty()) {
    document["states_text"] = by_key(run.about.columns, ColumnKind::state, text_from(1));
  }
  document["v_text"] = by_key(run.about.columns, ColumnKind::velocity, text_from(1 + n));
}

Json structure_json(const Shown& shown) {
  Json result = Json::object();
  for (const Shown::Fact& fact : shown.facts) {
    if (fact.key.empty()) continue;
    std::visit([&](const auto& value) { result[fact.key] = value; }, fact.value);
  }
  return result;
}

}  // namespace

std::string to_json_text(const Trajectory& run) {
  std::string text;
  write_json(run, [&](std::string_view piece) { text += piece; });
  return text;
}

void write_json(const Trajectory& run, const std::function<void(std::string_view)>& take) {
  Json document = Json::object();
  document["system"] = run.about.system;
  document["method"] = run.about.method;
  document["order"] = run.about.order;
  document["step"] = run.about.step;
  document["steps"] = run.steps;
  document["t"] = run.last.t;
  document["q"] = by_key(run.about.columns, ColumnKind::coordinate, run.last);
  document["v"] = by_key(run.about.columns, ColumnKind::velocity, run.last);
  const bool has_states = !places_of(run.about.columns, ColumnKind::state).empty();
  if (has_states) document["states"] = by_key(run.about.columns, ColumnKind::state, run.last);
  add_full_digits(document, run);
  document["multipliers"] = run.last.multipliers;
  if (!run.last.multipliers.empty()) document["multiplier_names"] = keys_of(run.about.columns, ColumnKind::multiplier);
  if (!run.last.outputs.empty()) document["outputs"] = by_key(run.about.columns, ColumnKind::output, run.last);
  if (!run.last.inputs.empty()) document["inputs"] = by_key(run.about.columns, ColumnKind::input, run.last);
  if (!run.momenta.empty()) {
    document["momenta"] = by_key(run.about.columns, ColumnKind::velocity,
                                 [&](const Column& column) { return value_or_null(run.momenta, column.index); });
  }

  Json energy = monitored_json(run.energy);
  energy["drift_per_time"] = run.energy.drift_per_time;
  energy["work"] = std::isnan(run.energy.initial) ? Json(nullptr) : Json(run.last.work);
  energy["max_abs_balance_error"] = run.balance.max_abs_error;
  energy["balance_drift_per_time"] = run.balance.drift_per_time;
  document["energy"] = std::move(energy);

  Json residuals = Json::array();
  for (const ConstraintResiduals::One& residual : run.constraints.by_name) {
    residuals.push_back({{"text", residual.text}, {"max_abs", residual.max_abs}});
    if (!residual.name.empty()) residuals.back()["name"] = residual.name;
  }
  document["constraints"] = {{"max_abs", run.constraints.max_abs}, {"by_name", std::move(residuals)}};
  Json positions = Json::array();
  for (const HolonomicResiduals::One& residual : run.holonomic.by_name) {
    positions.push_back(
        {{"text", residual.text}, {"max_abs", residual.max_abs}, {"max_abs_rate", residual.max_abs_rate}});
    if (!residual.name.empty()) positions.back()["name"] = residual.name;
  }
  document["holonomic"] = {{"max_abs", run.holonomic.max_abs},
                           {"max_abs_rate", run.holonomic.max_abs_rate},
                           {"by_name", std::move(positions)}};
  if (run.rotations) document["rotations"] = {{"max_abs", run.rotations->max_abs}};

  if (!run.guards.empty()) {
    Json guards = Json::array();
    for (const GuardResult& guard : run.guards) {
      guards.push_back({{"text", guard.text},
                        {"holds", guard.holds()},
                        {"failed_at", guard.failed_at},
                        {"unknown_from", guard.unknown_from}});
    }
    document["guards"] = std::move(guards);
  }

  Json invariants = Json::object();
  for (const Monitored& invariant : run.invariants) {
    invariants[invariant.name] = monitored_json(invariant);
    invariants[invariant.name]["drift_per_time"] = invariant.drift_per_time;
  }
  document["invariants"] = std::move(invariants);
  if (run.about.has_exact) document["error_at_end"] = run.error_at_end;

  const auto state_json = [&](const Sample& sample) -> Json {
    Json state = {{"t", sample.t},
                  {"q", by_key(run.about.columns, ColumnKind::coordinate, sample)},
                  {"v", by_key(run.about.columns, ColumnKind::velocity, sample)},
                  {"multipliers", sample.multipliers},
                  {"energy", sample.energy},
                  {"max_constraint", sample.max_constraint}};
    if (has_states) state["states"] = by_key(run.about.columns, ColumnKind::state, sample);
    if (!sample.inputs.empty()) state["inputs"] = by_key(run.about.columns, ColumnKind::input, sample);
    if (!sample.outputs.empty()) state["outputs"] = by_key(run.about.columns, ColumnKind::output, sample);
    return state;
  };
  const auto event_json = [&](const EventHit& hit) -> Json {
    Json event = {{"event", hit.event},
                  {"when", run.events[static_cast<std::size_t>(hit.event)].when},
                  {"number", hit.number},
                  {"direction", to_text(hit.direction)}};
    event.update(state_json(hit.state));
    return event;
  };
  std::vector<JsonList> lists;
  if (!run.values.empty()) {
    document["at"] = list_here();
    lists.push_back({run.values.size(), [&](std::size_t i) { return state_json(run.values[i]); }});
  }
  if (!run.events.empty()) {
    document["events"] = list_here();
    lists.push_back({run.hits.size(), [&](std::size_t i) { return event_json(run.hits[i]); }});
    if (!run.event_counts.empty()) document["event_counts"] = run.event_counts;
  }

  document["solver"] = {{"iterations_mean", run.solver.iterations_mean}, {"iterations_max", run.solver.iterations_max}};
  document["backend"] = to_text(run.about.backend);
  document["precision"] = to_text(run.about.precision);
  if (run.about.precision == Precision::double_precision) document["functions"] = elementary_functions();
  document["wall_seconds"] = run.wall_seconds;
  document["nanoseconds_per_step"] =
      run.steps > 0 ? Json(run.wall_seconds * 1e9 / static_cast<double>(run.steps)) : Json(nullptr);
  document["status"] = to_text(run.outcome.status);
  document["message"] = run.outcome.message;
  document["warnings"] = warnings_json(run.warnings);
  write_document(document, lists, take);
}

std::string to_json_text(const CheckReport& report) {
  const System& system = report.system;
  const std::vector<std::string> names = configuration_names(system);
  Json document = Json::object();
  document["system"] = system.name();
  document["kind"] = system.kind();
  document["coordinates"] = names;
  if (system.is_on_group()) {
    document["group"] = system.group().name();
    document["velocity_names"] = system.velocity_names();
  }
  if (!system.states().empty()) document["states"] = state_names(system);
  document["multiplier_names"] = system.multiplier_names();

  Json parameters = Json::object();
  for (std::size_t i = 0; i < system.parameters().size(); ++i) {
    parameters[system.parameters()[i].name] = value_or_null(report.parameters, i);
  }
  document["parameters"] = std::move(parameters);
  Json inputs = Json::object();
  for (std::size_t i = 0; i < system.inputs().size(); ++i) {
    inputs[system.inputs()[i].name] = value_or_null(report.parameters, system.parameters().size() + i);
  }
  document["inputs"] = std::move(inputs);
  for (const auto& [name, unit] : system.units()) document["units"][name] = unit;
  if (const Sampled* controller = system.sampled()) {
    Json values = Json::object();
    for (const Sampled::Value& value : controller->values) values[value.name] = value.text;
    document["sampled"] = {{"every", static_cast<double>(report.sampled.every)},
                           {"delay", static_cast<double>(report.sampled.delay)},
                           {"values", std::move(values)}};
  }

  Json constraints = Json::array();
  for (const Constraint& constraint : system.constraints()) {
    constraints.push_back({{"text", constraint.text}, {"kind", to_text(constraint.kind)}});
    if (!constraint.name.empty()) constraints.back()["name"] = constraint.name;
  }
  document["constraints"] = std::move(constraints);
  Json holonomic = Json::array();
  for (const HolonomicConstraint& constraint : system.holonomic()) {
    holonomic.push_back({{"text", constraint.text}});
    if (!constraint.name.empty()) holonomic.back()["name"] = constraint.name;
  }
  document["holonomic"] = std::move(holonomic);
  const std::size_t moving = system.v().empty() ? system.q().size() : system.v().size();
  document["degrees_of_freedom"] = static_cast<int>(moving) - report.rank;
  document["rank"] = report.rank;
  document["condition"] = report.continuous.condition;
  document["structure"] = structure_json(outline(system));

  const ContinuousState& state = report.continuous;
  Json initial = {{"t", report.initial.t},
                  {"q", by_name(names, report.initial.q)},
                  {"v", by_name(system.velocity_names(), report.initial.v)},
                  {"accelerations", by_name(system.velocity_names(), state.accelerations)},
                  {"multipliers", state.multipliers},
                  {"energy", state.energy},
                  {"max_constraint", state.max_constraint}};
  if (!system.states().empty()) {
    initial["states"] = by_name(state_names(system), {report.initial.q.begin() + static_cast<std::ptrdiff_t>(names.size()), report.initial.q.end()});
    initial["state_rates"] = by_name(state_names(system), state.state_rates);
  }
  if (system.has_implicit_momenta()) initial["p"] = by_name(system.velocity_names(), report.initial.z);
  const Offers& offers = system.offers();
  if (offers.given_multipliers) initial["z"] = by_name(system.multiplier_names(), report.initial.z);
  if (!offers.lagrangian) initial["rates"] = by_name(names, state.rates);
  if (offers.given_multipliers) {
    initial["multiplier_rates"] = by_name(system.multiplier_names(), state.multiplier_rates);
  }
  for (std::size_t i = 0; i < system.outputs().size(); ++i) {
    initial["outputs"][system.outputs()[i].first] = value_or_null(report.outputs, i);
  }
  document["initial"] = std::move(initial);
  for (std::size_t i = 0; i < system.guards().size(); ++i) {
    const Guard& guard = system.guards()[i];
    const bool is_known = std::isfinite(report.margins[i]);
    document["guards"].push_back(
        {{"text", guard.text}, {"holds", is_known ? Json(guard.holds(report.margins[i])) : Json(nullptr)}});
  }

  if (!report.methods.empty()) {
    Json methods = Json::array();
    const auto defect = [](const std::optional<Defect>& of) {
      return of ? Json{{"value", of->value}, {"claimed", of->is_claimed}} : Json(nullptr);
    };
    for (const StructureReport& method : report.methods) {
      methods.push_back({{"method", method.method},
                         {"step", method.step},
                         {"status", to_text(method.outcome.status)},
                         {"message", method.outcome.message},
                         {"symmetry_defect", defect(method.symmetry)},
                         {"symplecticity_defect", defect(method.symplecticity)},
                         {"variational_defect", defect(method.variational)},
                         {"holds", method.holds()}});
    }
    document["methods"] = std::move(methods);
  }
  document["consistent"] = report.problems.empty();
  Json problems = Json::array();
  for (const Problem& problem : report.problems) {
    problems.push_back({{"what", problem.what}, {"remedy", problem.remedy}});
  }
  document["problems"] = std::move(problems);
  document["warnings"] = warnings_json(report.warnings);
  return text_of(document);
}

std::string to_json_text(const std::string& system, double step, std::span<const BenchResult> results) {
  Json rows = Json::array();
  for (const BenchResult& result : results) {
    rows.push_back({{"method", result.method},
                    {"lanes", result.lanes},
                    {"backend", to_text(result.backend)},
                    {"nanoseconds_per_step", result.nanoseconds_per_step},
                    {"iterations_mean", result.iterations_mean}});
  }
  Json document = Json::object();
  document["system"] = system;
  document["step"] = step;
  document["results"] = std::move(rows);
  return text_of(document);
}

}  // namespace noslip
