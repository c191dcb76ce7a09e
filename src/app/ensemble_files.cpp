#include "ensemble_files.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "ensemble_part.hpp"
#include "output.hpp"

namespace noslip::app {

std::vector<noslip::Column> columns_of_reductions(const Reducer& reduced) {
  std::vector<noslip::Column> columns = {{"t", ColumnKind::time, 0, "t"}};
  for (const std::string& name : reduced.columns()) columns.push_back({name});
  return columns;
}

void write_reductions(DataFiles& files, const Reducer& reduced, const std::vector<double>& times) {
  for (std::size_t row = 0; row < times.size(); ++row) {
    std::vector<double> values = reduced.values(row);
    values.insert(values.begin(), times[row]);
    files.write(values);
  }
}

std::vector<std::pair<std::string, std::vector<double>>> outputs_of(const Reducer& reduced) {
  std::vector<std::pair<std::string, std::vector<double>>> outputs;
  for (const std::string& name : reduced.columns()) outputs.push_back({name, {}});
  for (std::size_t row = 0; row < reduced.row_count() && !outputs.empty(); ++row) {
    const std::vector<double> values = reduced.values(row);
    for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i].second.push_back(values[i]);
  }
  return outputs;
}

std::string reduced_text(const Reducer& reduced, const std::vector<double>& times) {
  const std::vector<MemberReduction>& reductions = reduced.reductions();
  if (reductions.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  const std::size_t last = times.size() - 1;
  for (std::size_t i = 0; i < reductions.size(); ++i) {
    const bool is_histogram = reductions[i].kind == MemberReduction::Kind::histogram;
    std::string value = is_histogram ? "" : number_text("{:.10g}", reduced.number(last, i));
    if (is_histogram) {
      const Histogram bins = reduced.histogram(last, i);
      const auto most = std::max_element(bins.counts.begin(), bins.counts.end());
      value = fmt::format("{} below, {} above, at most {} in a bin", bins.below, bins.above, *most);
    }
    rows.push_back({reductions[i].text, value});
  }
  return fmt::format("\nat t = {}\n{}", to_short_text(times[last]), table({"REDUCTION", "VALUE"}, rows));
}

EnsembleFiles::EnsembleFiles(const Arguments& arguments, FileNotes notes, const EnsembleChoice& choice,
                             const EnsembleTable& table)
    : has_members_(choice.options.reductions.empty() || !choice.options.columns.empty()),
      kept_(choice.options.reductions.empty() ? table.columns.size() : choice.options.columns.size()),
      of_member_(table.member_columns.size()),
      columns_(table.columns.size()),
      rows_(table.times.size()),
      table_(table),
      description_(description(arguments, std::move(notes), choice)),
      files_(arguments.texts("--output"), description_) {}

RowFile EnsembleFiles::description(const Arguments& arguments, FileNotes notes, const EnsembleChoice& choice) const {
  RowFile file{
      .overwrites = arguments.has("--force"), .notes = std::move(notes), .when_full = "keep fewer columns or rows"};
  file.has_record = choice.parts > 0;
  if (!has_members_) {
    file.columns = columns_of_reductions(Reducer(choice.options.reductions, rows_));
    return file;
  }
  file.columns = {{"number", ColumnKind::expression, 0, "number", "number of the member"}};
  file.columns.insert(file.columns.end(), table_.member_columns.begin(), table_.member_columns.end());
  const auto kept_end = table_.columns.begin() + static_cast<std::ptrdiff_t>(kept_);
  file.columns.insert(file.columns.end(), table_.columns.begin(), kept_end);
  file.members.emplace(MemberRows{1 + table_.member_columns.size(), table_.times});
  return file;
}

void EnsembleFiles::take(const MemberBlock& block) {
  if (!has_members_ || files_.empty()) return;
  for (std::size_t i = 0; i < block.count; ++i) {
    row_.assign(1, static_cast<double>(block.first + i));
    const auto numbers = block.of_member.begin() + static_cast<std::ptrdiff_t>(i * of_member_);
    row_.insert(row_.end(), numbers, numbers + static_cast<std::ptrdiff_t>(of_member_));
    const auto values = block.values.begin() + static_cast<std::ptrdiff_t>(i * columns_ * rows_);
    row_.insert(row_.end(), values, values + static_cast<std::ptrdiff_t>(kept_ * rows_));
    files_.write(row_);
  }
}

void EnsembleFiles::finish(const Ensemble& ensemble, const EnsembleChoice& choice) {
  if (!has_members_ && ensemble.outcome.status != Status::done) return;  // nothing is known of all members
  if (!has_members_) write_reductions(files_, ensemble.reduced, ensemble.times);
  files_.open();
  if (choice.parts > 0 && !files_.empty()) files_.add_record(record_of_part(ensemble, choice, table_, description_));
  files_.close();
}

double EnsembleFiles::bytes_of(double members) const {
  return has_members_ && !files_.empty() ? 8 * members * static_cast<double>(1 + of_member_ + kept_ * rows_) : 0;
}

void EnsembleFiles::tell_what_was_written() const {
  has_members_ ? app::tell_what_was_written(files_, "member", "members") : app::tell_what_was_written(files_);
}

}  // namespace noslip::app
