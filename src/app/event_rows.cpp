#include "event_rows.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "data_options.hpp"
#include "output.hpp"
#include "plot_options.hpp"

namespace noslip::app {
namespace {

/// So many events are kept that their numbers take little memory.
long long most_of(std::size_t columns) {
  return std::clamp(2'000'000 / std::max(1LL, static_cast<long long>(columns)), 10LL, 10'000LL);
}

std::vector<noslip::Column> columns_of_events(const std::vector<noslip::Column>& states) {
  std::vector<noslip::Column> columns{{"event", ColumnKind::label, 0, "event"},
                                      {"number", ColumnKind::label, 0, "number"},
                                      {"direction", ColumnKind::label, 0, "direction"}};
  columns.insert(columns.end(), states.begin(), states.end());
  return columns;
}

}  // namespace

void check_event_file(Arguments& arguments) {
  const std::string file = arguments.text("--events");
  if (!arguments.has("--events")) return;
  const std::vector<std::string> outputs = arguments.texts("--output");
  const auto is_output = [&](const std::string& name) {
    return std::any_of(outputs.begin(), outputs.end(), [&](const auto& output) { return is_one(output, name); });
  };
  if (arguments.texts("--event").empty()) {
    arguments.problem("--events has no effect without --event", "drop it, or add --event EXPR");
  }
  if (file == "-" && (arguments.has("--json") || is_output("-"))) {
    arguments.problem(fmt::format("--events - and {} both want standard output",
                                  arguments.has("--json") ? "--json" : "-o -"),
                      "write the events to a file: --events FILE.csv");
  } else if (is_output(file)) {
    arguments.problem("--events and -o name the same file", "give two names");
  } else {
    check_data_file(arguments, file, "--events");
  }
}

EventRows::EventRows(const Arguments& arguments, const SystemChoice& choice, const std::vector<noslip::Column>& columns,
                     std::optional<QuaternionOutput> quaternions, RunOptions& options, const FileNotes& notes,
                     bool has_begun)
    : quiet_(arguments.has("--quiet")),
      read_(choice.system, columns, choice.parameters, "--columns"),
      quaternions_(std::move(quaternions)),
      files_(arguments.texts("--events"),
             {.overwrites = arguments.has("--force"), .columns = columns_of_events(columns), .notes = notes}),
      most_kept_(most_of(columns.size())),
      counts_(options.events.size()) {
  const std::string file = arguments.text("--events");
  if (!file.empty() && file != "-" && !has_begun) refuse_file(file, arguments.has("--force"));
  if (!options.events.empty()) options.event_sink = [this](const EventHit& hit) { take(hit); };
}

void EventRows::take(const EventHit& hit) {
  ++all_;
  ++counts_[static_cast<std::size_t>(hit.event)];
  if (!files_.empty()) write(hit);
  if (all_ <= most_kept_) kept_.push_back(hit);
}

void EventRows::write(const EventHit& hit) {
  row_.assign({static_cast<double>(hit.event), static_cast<double>(hit.number),
               hit.direction == Crossing::down ? -1.0 : 1.0});
  const std::span<const double> state = quaternions_ ? read_((*quaternions_)(hit.state), hit.state) : read_(hit.state);
  row_.insert(row_.end(), state.begin(), state.end());
  files_.write(row_);
}

void EventRows::carry(Archive& archive) {
  archive(files_, kept_, counts_, all_);
  if (quaternions_) archive(*quaternions_);
}

void EventRows::finish(Trajectory& run) {
  files_.open();
  files_.close();
  if (!quiet_) tell_what_was_written(files_, "event", "events");
  run.hits = std::move(kept_);
  if (all_ <= most_kept_) return;
  run.event_counts = counts_;
  if (!files_.empty()) return;
  run.warnings.push_back({"listing",
                          fmt::format("of {} events the first {} are listed; --events FILE.csv writes them all", all_,
                                      most_kept_),
                          run.last.t});
}

}  // namespace noslip::app
