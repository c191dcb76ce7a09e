// Documents of studies: many runs in one.
#include <algorithm>

#include <fmt/format.h>

#include <noslip/io/json.hpp>

#include "io/json_text.hpp"

namespace noslip {

namespace {

Json row_json(const ConvergeRow& row) {
  return {{"step", row.step},
          {"steps", row.steps},
          {"precision", to_text(row.precision)},
          {"error_q", row.error.q},
          {"error_v", row.error.v},
          {"error_multipliers", row.error.multipliers},
          {"floor_q", row.floor.q},
          {"floor_v", row.floor.v},
          {"floor_multipliers", row.floor.multipliers},
          {"status", to_text(row.outcome.status)},
          {"message", row.outcome.message}};
}

Json reference_json(const ConvergeReference& reference) {
  Json object = {{"kind", reference.is_exact ? "exact" : "computed"}};
  if (reference.is_exact) return object;
  object["method"] = reference.method;
  object["step"] = reference.step;
  object["precision"] = to_text(reference.precision);
  object["error_q"] = reference.error.q;
  object["error_v"] = reference.error.v;
  object["error_multipliers"] = reference.error.multipliers;
  return object;
}

/// A study with a run that failed is not done.
void add_outcome(Json& document, const Outcome& outcome, const std::vector<std::string>& failed) {
  const bool has_failed = outcome.status == Status::done && !failed.empty();
  document["status"] = to_text(has_failed ? Status::failed : outcome.status);
  document["message"] = has_failed ? fmt::format("failed: {}", fmt::join(failed, ", ")) : outcome.message;
}

}  // namespace

std::string to_json_text(const Convergence& convergence) {
  Json results = Json::array();
  for (const ConvergeResult& result : convergence.results) {
    Json rows = Json::array();
    for (const ConvergeRow& row : result.rows) rows.push_back(row_json(row));
    results.push_back({{"method", result.method},
                       {"order_claimed", result.order_claimed},
                       {"multiplier_order_claimed", result.multiplier_order_claimed},
                       {"rows", std::move(rows)},
                       {"order_q", result.order.q},
                       {"order_v", result.order.v},
                       {"order_multipliers", result.order.multipliers},
                       {"notes", result.notes}});
  }
  Json document = Json::object();
  document["system"] = convergence.system;
  document["until"] = convergence.until;
  document["reference"] = reference_json(convergence.reference);
  document["results"] = std::move(results);
  document["notes"] = convergence.notes;
  std::vector<std::string> failed;
  for (const ConvergeResult& result : convergence.results) {
    const auto has_failed = [](const ConvergeRow& row) { return row.outcome.status == Status::failed; };
    if (std::any_of(result.rows.begin(), result.rows.end(), has_failed)) failed.push_back(result.method);
  }
  add_outcome(document, convergence.outcome, failed);
  return text_of(document);
}

std::string to_json_text(const Comparison& comparison) {
  Json results = Json::array();
  for (const CompareResult& result : comparison.results) {
    Json one = Json::parse(to_json_text(result.run));
    one.erase("system");
    if (comparison.has_exact) {
      one["error_q"] = result.error.q;
      one["error_v"] = result.error.v;
      one["error_multipliers"] = result.error.multipliers;
    } else {
      one.erase("error_at_end");
    }
    one["nanoseconds_per_step"] = result.nanoseconds_per_step;
    results.push_back(std::move(one));
  }
  Json document = Json::object();
  document["system"] = comparison.system;
  document["step"] = comparison.step;
  document["until"] = comparison.until;
  document["results"] = std::move(results);
  document["notes"] = comparison.notes;
  std::vector<std::string> failed;
  for (const CompareResult& result : comparison.results) {
    if (result.run.outcome.status == Status::failed) failed.push_back(result.run.about.method);
  }
  add_outcome(document, comparison.outcome, failed);
  return text_of(document);
}

}  // namespace noslip
