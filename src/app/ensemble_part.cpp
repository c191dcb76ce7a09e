#include "ensemble_part.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace noslip::app {

namespace {

constexpr std::string_view magic_of_parts = "noslip part 1\n";

void carry_notes(Archive& archive, FileNotes& notes) {
  archive(notes.system, notes.method, notes.step, notes.set, notes.init, notes.input, notes.files, notes.options);
}

void carry_columns(Archive& archive, std::vector<noslip::Column>& columns) {
  auto count = static_cast<std::uint64_t>(columns.size());
  archive(count);
  for (std::uint64_t i = 0; i < count; ++i) {  // each has bytes of its own: a wrong count comes to their end
    if (i == columns.size()) columns.emplace_back();
    noslip::Column& column = columns[i];
    archive(column.name, column.kind, column.index, column.key, column.text, column.unit, column.words);
    require_saved(column.kind >= ColumnKind::time && column.kind <= ColumnKind::label);
  }
}

}  // namespace

void EnsemblePart::carry(Archive& archive) {
  archive(part, parts, first, count, members, identity);
  carry_columns(archive, file.columns);
  carry_notes(archive, file.notes);
  bool has_members = file.members.has_value();
  archive(has_members);
  if (has_members) {
    if (!file.members) file.members.emplace();
    archive(file.members->of_member, file.members->times);
    require_saved(file.members->of_member > 0 && file.members->of_member <= file.columns.size());
    require_saved(!file.members->times.empty());
  }
  archive(times, reductions, reduced, system, method, step, done, failed, steps, failures, warnings);
  require_saved(part > 0 && part <= parts && count <= members && first <= members - count && !times.empty());
}

std::string record_of_part(const Ensemble& ensemble, const EnsembleChoice& choice, const EnsembleTable& table,
                           const RowFile& file) {
  EnsemblePart part;
  part.part = choice.part;
  part.parts = choice.parts;
  part.first = choice.options.first_member;
  part.count = choice.options.member_count;
  part.members = choice.members->count();
  part.identity = table.identity;
  part.file = file;
  part.times = ensemble.times;
  for (const MemberReduction& reduction : choice.options.reductions) {
    part.reductions += (part.reductions.empty() ? "" : ", ") + reduction.text;
  }
  Reducer reduced = ensemble.reduced;
  part.reduced = saved_bytes(reduced);
  part.system = ensemble.system;
  part.method = ensemble.method;
  part.step = ensemble.step;
  part.done = ensemble.done;
  part.failed = ensemble.failed;
  part.steps = ensemble.steps;
  part.failures = ensemble.failures;
  std::copy_if(ensemble.warnings.begin(), ensemble.warnings.end(), std::back_inserter(part.warnings),
               [](const Warning& warning) { return warning.code != "quantiles"; });  // of this part alone
  return sealed(std::string(magic_of_parts) + saved_bytes(part));
}

EnsemblePart part_in(const RowSource& source) {
  const std::string& name = source.file().name;
  const std::string& record = source.record();
  if (!record.starts_with(magic_of_parts)) {
    throw InputError(fmt::format("'{}' is not the file of a part of an ensemble", name),
                     "name files that noslip ensemble --part K/N has written");
  }
  const std::optional<std::string_view> whole = unsealed(record);
  const auto refuse = [&] {
    throw InputError(fmt::format("'{}': what it says of its ensemble is damaged", name),
                     "use a copy of it that is whole, or compute the part again");
  };
  if (!whole || whole->size() < magic_of_parts.size()) refuse();
  EnsemblePart part;
  try {
    load_bytes(part, whole->substr(magic_of_parts.size()));
  } catch (const InputError&) {
    refuse();
  }
  return part;
}

}  // namespace noslip::app
