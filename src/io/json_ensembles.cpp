// JSON documents about ensembles.
#include <noslip/io/json.hpp>

#include "io/json_text.hpp"

namespace noslip {

namespace {

/// What is known of all members.
void add_members(Json& document, const EnsembleReport& report) {
  document["members"] = report.members;
  document["done"] = report.done;
  document["failed"] = report.failed;
  document["steps"] = report.steps;
}

void add_outputs(Json& document, const EnsembleReport& report) {
  Json outputs = Json::object(), failures = Json::array();
  for (const auto& [name, values] : report.outputs) outputs[name] = values;
  for (const EnsembleReport::Failure& failure : report.failures) {
    failures.push_back({{"member", failure.member}, {"t", failure.t}, {"message", failure.message}});
  }
  document["t"] = report.times;
  document["outputs"] = std::move(outputs);
  document["failures"] = std::move(failures);
  document["warnings"] = warnings_json(report.warnings);
}

}  // namespace

std::string to_json_text(const EnsembleReport& report) {
  Json document = Json::object();
  document["system"] = report.system;
  document["method"] = report.method;
  document["step"] = report.step;
  add_members(document, report);
  document["wall_seconds"] = report.wall_seconds;
  document["trajectories_per_second"] =
      static_cast<double>(report.done + report.failed - report.earlier) / report.wall_seconds;
  document["threads"] = report.threads;
  document["ranks"] = report.ranks;
  document["lanes"] = report.lanes;
  document["backend"] = to_text(report.backend);
  add_outputs(document, report);
  document["status"] = to_text(report.outcome.status);
  document["message"] = report.outcome.message;
  return text_of(document);
}

std::string to_json_text(const MergeReport& report) {
  Json document = Json::object(), inputs = Json::array();
  for (const MergeReport::Input& input : report.inputs) {
    inputs.push_back({{"file", input.file},
                      {"part", input.part},
                      {"first", input.first},
                      {"members", input.members},
                      {"failed", input.failed}});
  }
  document["system"] = report.ensemble.system;
  document["method"] = report.ensemble.method;
  document["step"] = report.ensemble.step;
  document["inputs"] = std::move(inputs);
  document["output"] = report.files;
  add_members(document, report.ensemble);
  add_outputs(document, report.ensemble);
  return text_of(document);
}

}  // namespace noslip
