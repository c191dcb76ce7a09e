// noslip merge: the file of an ensemble from those of its parts.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/core/stopping.hpp>
#include <noslip/io/json.hpp>
#include <noslip/io/output_file.hpp>

#include "data_options.hpp"
#include "ensemble_files.hpp"
#include "ensemble_part.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "verbs.hpp"

namespace noslip::app {
namespace {

constexpr const char* merge_examples = R"(Examples:
  noslip ensemble sleigh --step 0.05 --until 50 --grid "theta'=0:1:1000" --part 1/2 -o part-1.h5
  noslip ensemble sleigh --step 0.05 --until 50 --grid "theta'=0:1:1000" --part 2/2 -o part-2.h5
  noslip merge part-1.h5 part-2.h5 -o all.h5

The files of all parts (noslip ensemble --part K/N), in any order, become the file that noslip ensemble writes
without --part: byte for byte. With --reduce the reductions are those over all members. Memory does not grow with
their number.

All parts have to be there, each once, complete, of one format, one version of noslip, and with the same options;
otherwise nothing is written. From .h5 and .npz the whole file may have any format, from .csv only .csv.

Exit codes: 0 done, 2 files that do not belong together or are damaged, 3 file or disk, 129, 130 or 143 interrupted.
)";

struct PartFile {
  std::string name;
  EnsemblePart part;
  std::uint64_t checksum = 0;  ///< of its record
};

/// How a text differs from another, for messages: short ones as they are.
std::string as_value(const std::string& text) {
  return text.size() <= 60 && text.find('\n') == std::string::npos ? fmt::format("'{}'", shortened(text))
                                                                   : "another one";
}

std::string text_of_values(const NotedValues& values) {
  std::string text;
  for (const auto& [name, value] : values) text += (text.empty() ? "" : ", ") + name + "=" + value;
  return text;
}

std::string text_of_times(const std::vector<double>& times) {
  return fmt::format("{} to t = {}", counted(static_cast<long long>(times.size()), "row", "rows"),
                     to_text(times.back()));
}

/// What has to be the same in all parts, in words: what was given first, then what follows from it.
std::vector<std::pair<std::string, std::string>> common_of(const EnsemblePart& part) {
  const FileNotes& notes = part.file.notes;
  std::string columns;
  for (const noslip::Column& column : part.file.columns) columns += (columns.empty() ? "" : ", ") + column.name;
  std::vector<std::pair<std::string, std::string>> result = {{"the system", part.system},
                                                             {"the text of the system", notes.system},
                                                             {"--method", notes.method},
                                                             {"--step", to_text(notes.step)},
                                                             {"--set", text_of_values(notes.set)},
                                                             {"--init", text_of_values(notes.init)},
                                                             {"--input", text_of_values(notes.input)},
                                                             {"the content of files", text_of_values(notes.files)},
                                                             {"the options", text_of_values(notes.options)},
                                                             {"the rows", text_of_times(part.times)},
                                                             {"--reduce", part.reductions},
                                                             {"the columns", columns},
                                                             {"the number of members", fmt::format("{}", part.members)},
                                                             {"the number of parts", fmt::format("{}", part.parts)}};
  result.insert(result.end(), part.identity.begin(), part.identity.end());
  return result;
}

bool is_plural(const std::string& what) {
  return what.ends_with('s') && !what.starts_with("--") && !what.starts_with("the number");
}

/// Problems where two parts are not of one ensemble; the first difference counts, others follow from it.
void compare(Arguments& arguments, const PartFile& first, const PartFile& other) {
  const auto here = common_of(first.part), there = common_of(other.part);
  const char* const remedy = "merge parts that were computed with the same options";
  const std::string both = fmt::format("'{}' and '{}' are parts of different ensembles", first.name, other.name);
  for (std::size_t i = 0; i < std::max(here.size(), there.size()); ++i) {
    if (i < here.size() && i < there.size() && here[i] == there[i]) continue;
    const std::string what = i < here.size() ? here[i].first : there[i].first;
    const std::string a = i < here.size() ? here[i].second : "", b = i < there.size() ? there[i].second : "";
    const std::string values = as_value(a) == as_value(b) ? "" : fmt::format(": {} and {}", as_value(a), as_value(b));
    return arguments.problem(fmt::format("{}: {} differ{}{}", both, what, is_plural(what) ? "" : "s", values), remedy);
  }
  if (first.part.times != other.part.times) arguments.problem(both + ": the times differ", remedy);
}

std::string numbers_text(const std::vector<std::size_t>& numbers) {
  constexpr std::size_t most = 20;
  std::vector<std::string> texts;
  for (const std::size_t number : numbers) texts.push_back(fmt::format("{}", number));
  if (texts.size() <= most) return list_of(texts);
  const std::size_t more = texts.size() - most;
  texts.resize(most);
  return fmt::format("{} and {} more", fmt::join(texts, ", "), more);
}

/// Parts in their order; a problem for each that is missing, there twice, or not complete.
void check_parts(Arguments& arguments, std::vector<PartFile>& files) {
  for (const PartFile& file : files) compare(arguments, files.front(), file);
  arguments.refuse_problems();
  std::stable_sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.part.part < b.part.part; });
  const std::size_t pieces = files.front().part.parts;
  std::vector<std::size_t> missing;
  std::size_t next = 1;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const EnsemblePart& part = files[i].part;
    if (i > 0 && files[i - 1].part.part == part.part) {
      arguments.problem(
          fmt::format("'{}' and '{}' are both part {} of {}", files[i - 1].name, files[i].name, part.part, pieces),
          "give each part once");
      continue;
    }
    for (; next < part.part; ++next) missing.push_back(next);
    ++next;
    if (part.done + part.failed < part.count) {
      arguments.problem(fmt::format("'{}' is not complete: it has {} of {} members", files[i].name,
                                    part.done + part.failed, part.count),
                        "go on with noslip resume if it has a checkpoint, or compute the part again");
    }
  }
  for (; next <= pieces; ++next) missing.push_back(next);
  if (!missing.empty()) {
    const bool is_one = missing.size() == 1;
    arguments.problem(fmt::format("{} {} of {} {} missing", is_one ? "part" : "parts", numbers_text(missing), pieces,
                                  is_one ? "is" : "are"),
                      fmt::format("compute {} with noslip ensemble --part {}/{}, and name {}", is_one ? "it" : "them",
                                  missing.front(), pieces, is_one ? "its file" : "their files"));
  }
  arguments.refuse_problems();
  for (std::size_t i = 0, first = 0; i < files.size(); first += files[i++].part.count) {
    if (files[i].part.first == first) continue;
    arguments.problem(
        fmt::format("'{}' begins with member {} in the place of {}", files[i].name, files[i].part.first, first),
        "compute the part again");
  }
  arguments.refuse_problems();
}

void end_at_signal() {
  if (remembered_signal() != 0) throw Interrupted();
}

std::unique_ptr<RowSource> open_part(const std::string& name) {
  std::error_code ignored;
  if (!std::filesystem::exists(name, ignored) && std::filesystem::exists(name + ".part", ignored)) {
    throw InputError(
        fmt::format("'{}' is not complete: there is only '{}.part'", name, name),
        "wait for the command that writes it; if it was killed, go on with noslip resume, or compute it again");
  }
  return open_row_source(name);
}

std::vector<PartFile> read_parts(Arguments& arguments) {
  std::vector<PartFile> files;
  for (const std::string& name : arguments.texts("FILE")) {
    end_at_signal();
    try {
      const std::unique_ptr<RowSource> source = open_part(name);
      files.push_back({name, part_in(*source), checksum(source->record())});
    } catch (const InputError& error) {
      arguments.problems(error);
    }
  }
  arguments.refuse_problems();
  return files;
}

/// Files are of one format, and the output is none of them.
void check_names(Arguments& arguments) {
  const std::vector<std::string> inputs = arguments.texts("FILE"), outputs = arguments.texts("--output");
  if (inputs.empty()) arguments.problem("no files are given", "name the files of all parts: part-*.h5");
  if (outputs.empty()) arguments.problem("--output is missing", "name the file of the whole ensemble: -o all.h5");
  if (arguments.has("--json") && std::find(outputs.begin(), outputs.end(), "-") != outputs.end()) {
    arguments.problem("--json and -o - both want standard output", "write the members to a file: -o all.csv");
  }
  check_data_files(arguments, outputs);
  const auto ending = [](const std::string& name) { return std::filesystem::path(name).extension().string(); };
  for (auto name = inputs.begin(); name != inputs.end(); ++name) {
    for (const std::string& output : outputs) {
      if (output == "-" || !is_one(*name, output)) continue;
      arguments.problem(fmt::format("-o {}: this file is also one of the parts", shortened(output)),
                        "choose another name for the whole");
    }
    const auto twice =
        std::find_if(inputs.begin(), name, [&](const std::string& other) { return is_same_file(other, *name); });
    if (twice != name) {
      arguments.problem(fmt::format("'{}' and '{}' are one file", *twice, *name), "give each part once");
    }
    if (ending(*name) == ending(inputs.front()) || ending(*name) == ".part") continue;
    arguments.problem(fmt::format("'{}' and '{}' have different formats", inputs.front(), *name),
                      "compute all parts with -o and the same ending");
  }
  arguments.refuse_problems();
}

/// CSV does not tell what is infinite from what is missing.
void check_formats(Arguments& arguments, const std::string& first) {
  const RowFormat* const text = row_formats().data();
  for (const std::string& output : arguments.texts("--output")) {
    if (std::filesystem::path(first).extension() != text->ending || &row_format_of(output) == text) continue;
    arguments.problem(
        fmt::format("-o {}: parts in CSV become a CSV file only, because they leave out what is not finite",
                    shortened(output)),
        "name a file that ends in .csv, or compute the parts as .h5 or .npz");
  }
  arguments.refuse_problems();
}

void write_members(const std::vector<PartFile>& pieces, DataFiles& files, bool quiet) {
  ProgressBar bar(quiet);
  const auto all = static_cast<long long>(pieces.front().part.members);
  long long done = 0;
  for (const PartFile& file : pieces) {
    const std::unique_ptr<RowSource> source = open_part(file.name);
    const RowFile& shape = source->file();
    const EnsemblePart& part = file.part;
    const auto refuse = [&](const char* what) {
      throw InputError(fmt::format("'{}' {}", file.name, what), "compute the part again");
    };
    const bool is_shaped = shape.members && shape.members->of_member == part.file.members->of_member &&
                           shape.columns.size() == part.file.columns.size() &&
                           shape.members->times == part.file.members->times;
    if (checksum(source->record()) != file.checksum) refuse("has changed while it was read");
    if (!is_shaped) refuse("has other columns or times than it should have");
    std::size_t number = part.first;
    source->read([&](std::span<const double> row) {
      if (row[0] != static_cast<double>(number) || number - part.first == part.count)
        refuse("has other members than it should have");
      files.write(row);
      ++number;
      end_at_signal();
      if (++done % 256 == 0) bar.update("merging", done, all);
      return true;
    });
    if (number - part.first != part.count) refuse("has fewer members than it should have");
  }
}

MergeReport report_of(const std::vector<PartFile>& pieces, const Reducer& reduced, std::vector<std::string> outputs) {
  MergeReport report;
  const EnsemblePart& first = pieces.front().part;
  report.ensemble.system = first.system;
  report.ensemble.method = first.method;
  report.ensemble.step = first.step;
  report.ensemble.times = first.times;
  report.files = std::move(outputs);
  for (const auto& [name, part, ignored] : pieces) {
    EnsembleReport& all = report.ensemble;
    report.inputs.push_back({name, part.part, part.first, part.count, part.failed});
    all.members += part.count;
    all.done += part.done;
    all.failed += part.failed;
    all.steps += part.steps;
    for (const MemberFailure& failure : part.failures) {
      if (all.failures.size() < Ensemble::most_failures)
        all.failures.push_back({failure.member, failure.t, failure.message});
    }
    for (const Warning& warning : part.warnings) {
      const bool is_known = std::any_of(all.warnings.begin(), all.warnings.end(),
                                        [&](const Warning& other) { return other.code == warning.code; });
      if (!is_known) all.warnings.push_back(warning);
    }
  }
  for (Warning& warning : warnings_of(reduced, first.times)) report.ensemble.warnings.push_back(std::move(warning));
  report.ensemble.outputs = outputs_of(reduced);
  return report;
}

std::string merged_text(const MergeReport& report) {
  const EnsembleReport& all = report.ensemble;
  return fmt::format("system      {}\nmethod      {}, step {}\nparts       {}\nmembers     {} done, {} failed, of {}\n",
                     all.system, all.method, to_short_text(all.step), report.inputs.size(), all.done, all.failed,
                     all.members);
}

Reducer reduced_over(std::vector<PartFile>& pieces) {
  const EnsemblePart& first = pieces.front().part;
  const std::vector<MemberReduction> reductions =
      first.reductions.empty() ? std::vector<MemberReduction>{} : read_reductions(first.reductions);
  Reducer all(reductions, first.times.size());
  for (PartFile& file : pieces) {
    end_at_signal();
    Reducer reduced(reductions, first.times.size());
    load_bytes(reduced, file.part.reduced);
    all.merge(reduced);
    file.part.reduced = {};
  }
  return all;
}

}  // namespace

int merge_verb(const Words& words) {
  Arguments arguments("merge",
                      "Makes one file of an ensemble from the files of its parts (noslip ensemble --part K/N).");
  arguments.usage("FILE ... -o FILE [options]");
  arguments.positionals("FILE", "the files of all parts, in any order");
  arguments.declare();
  arguments.epilogue(merge_examples);
  if (!arguments.parse(words)) return exit_done;
  check_names(arguments);
  std::vector<PartFile> pieces = read_parts(arguments);
  check_parts(arguments, pieces);
  const Reducer reduced = reduced_over(pieces);

  const bool quiet = arguments.has("--quiet");
  RowFile description = pieces.front().part.file;
  const bool has_members = description.members.has_value();
  if (has_members) check_formats(arguments, pieces.front().name);
  description.overwrites = arguments.has("--force");
  description.keeps_beginning = false;
  DataFiles files(arguments.texts("--output"), description);
  if (has_members) {
    write_members(pieces, files, quiet);
  } else {
    write_reductions(files, reduced, pieces.front().part.times);
  }
  files.open();
  end_at_signal();
  files.close();

  const MergeReport report = report_of(pieces, reduced, arguments.texts("--output"));
  const std::string text = merged_text(report) + reduced_text(reduced, pieces.front().part.times);
  if (arguments.has("--json")) {
    print(to_json_text(report));
  } else if (!quiet) {
    files.use_standard_output() ? print_error(text) : print(text);
  }
  if (!quiet) has_members ? tell_what_was_written(files, "member", "members") : tell_what_was_written(files);
  tell(report.ensemble.warnings);
  return exit_done;
}

}  // namespace noslip::app
