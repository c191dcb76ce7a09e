#include "ensemble_options.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/core/names.hpp>
#include <noslip/io/members_file.hpp>

#include "inside.hpp"
#include "output.hpp"
#include "values.hpp"

namespace noslip::app {

namespace {

/// A finite number, or a problem with the option.
std::optional<double> number_in(Arguments& arguments, const std::string& option, const std::string& text) {
  const Value value = evaluate(text);
  if (!value.number) arguments.problem(fmt::format("{}: {}", option, value.what), value.remedy);
  return value.number ? std::optional(static_cast<double>(*value.number)) : std::nullopt;
}

void refuse_repetition(Arguments& arguments, const std::string& option, const std::vector<std::string>& texts) {
  for (auto text = texts.begin(); text != texts.end(); ++text) {
    if (std::find(texts.begin(), text, *text) == text) continue;
    arguments.problem(fmt::format("{}: '{}' is given twice", option, shortened(*text)), "give it once");
  }
}

/// NAME=A:B:N
void read_axis(Arguments& arguments, const std::string& text, std::vector<GridAxis>& axes) {
  const std::string shown = "--grid " + shortened(text), example = "write it as --grid m=1:2:11";
  const auto sides = split_assignment(text);
  const std::vector<std::string> pieces =
      sides ? split_outside_brackets(sides->second, ':') : std::vector<std::string>{};
  if (pieces.size() != 3) return arguments.problem(shown + ": expected NAME=A:B:N", example);
  const auto first = number_in(arguments, shown, pieces[0]), last = number_in(arguments, shown, pieces[1]);
  const auto count = number_in(arguments, shown, pieces[2]);
  if (!first || !last || !count) return;
  if (!(*count >= 1) || *count != static_cast<double>(static_cast<std::size_t>(*count))) {
    return arguments.problem(fmt::format("{}: '{}' is not a number of values", shown, pieces[2]),
                             "the last number says how many values there are: 1, 2, 3, ...");
  }
  axes.push_back({sides->first, *first, *last, static_cast<std::size_t>(*count)});
}

/// NAME=uniform(A,B) or NAME=normal(M,S)
void read_variation(Arguments& arguments, const std::string& text, std::vector<Variation>& variations) {
  const std::string shown = "--vary " + shortened(text);
  const std::string example = "write it as --vary \"m=uniform(1,2)\" or --vary \"m=normal(1,0.1)\"";
  const auto sides = split_assignment(text);
  const std::size_t open = sides ? sides->second.find('(') : std::string::npos;
  if (open == std::string::npos || !sides->second.ends_with(')')) {
    return arguments.problem(shown + ": expected NAME=uniform(A,B) or NAME=normal(MEAN,DEVIATION)", example);
  }
  const std::string kind = sides->second.substr(0, open);
  const std::vector<std::string> kinds = {"uniform", "normal"};
  const auto found = std::find(kinds.begin(), kinds.end(), kind);
  if (found == kinds.end()) {
    const std::string guess = did_you_mean(kind, kinds);
    return arguments.problem(fmt::format("{}: unknown distribution '{}'", shown, shortened(kind)),
                             guess.empty() ? example : guess);
  }
  const std::vector<std::string> pieces =
      split_outside_brackets(sides->second.substr(open + 1, sides->second.size() - open - 2), ',');
  if (pieces.size() != 2) return arguments.problem(fmt::format("{}: {} takes two numbers", shown, kind), example);
  const auto a = number_in(arguments, shown, pieces[0]), b = number_in(arguments, shown, pieces[1]);
  if (!a || !b) return;
  variations.push_back(
      {sides->first, found == kinds.begin() ? Variation::Kind::uniform : Variation::Kind::normal, *a, *b});
}

/// Sizes of a system of the catalogue are no parameters any more when it is made.
void refuse_sizes(Arguments& arguments, const std::vector<std::string>& names) {
  const std::string system = arguments.text("SYSTEM");
  const CatalogueEntry* const entry = find_catalogue_entry(system);
  if (entry == nullptr) return;
  for (const SizeParameter& size : entry->sizes) {
    if (std::find(names.begin(), names.end(), size.name) == names.end()) continue;
    arguments.problem(fmt::format("'{}' is a size of the system: members cannot differ in it", size.name),
                      fmt::format("run one ensemble for each size: --set {}={}", size.name, size.default_value));
  }
  arguments.refuse_problems();
}

/// --part K/N of the members.
void choose_part(Arguments& arguments, EnsembleChoice& choice) {
  if (!arguments.has("--part")) return;
  const std::string text = arguments.text("--part");
  const std::size_t slash = text.find('/');
  const auto number = [&](const std::string& digits) {
    const bool is_number = !digits.empty() && digits.size() <= 15 &&
                           std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    return is_number ? static_cast<std::size_t>(std::stoul(digits)) : 0;
  };
  const std::size_t part = slash == std::string::npos ? 0 : number(text.substr(0, slash));
  const std::size_t count = slash == std::string::npos ? 0 : number(text.substr(slash + 1));
  const std::size_t all = choice.members->count();
  if (part == 0 || part > count) {
    throw InputError(fmt::format("--part {}: expected K/N with K from 1 to N", shortened(text)),
                     "the third of 16 parts is --part 3/16");
  }
  if (count > all) {
    throw InputError(fmt::format("--part {}: there are only {} members", shortened(text), all), "use fewer parts");
  }
  const std::size_t each = all / count, rest = all % count;
  choice.options.first_member = (part - 1) * each + std::min(part - 1, rest);
  choice.options.member_count = each + (part - 1 < rest ? 1 : 0);
  choice.part = part;
  choice.parts = count;
}

}  // namespace

EnsembleOptions read_ensemble_options(Arguments& arguments) {
  EnsembleOptions options;
  require_method(arguments, arguments.text("--method", options.run.method));
  read_run_fields(arguments, options.run);
  options.checkpoint_every = options.run.checkpoint_every;
  if (arguments.has("--until") == arguments.has("--steps")) {
    arguments.problem(arguments.has("--until") ? "--until and --steps are both given" : "the end of the runs is missing",
                      "give one of --until T and --steps N");
  }
  if (arguments.has("--columns")) {
    options.columns = split_outside_brackets(arguments.text("--columns"), ',');
    if (std::find(options.columns.begin(), options.columns.end(), "") != options.columns.end()) {
      arguments.problem(fmt::format("--columns {}: a column is empty", shortened(arguments.text("--columns"))),
                        "give names or expressions with one comma between two of them");
    }
    refuse_repetition(arguments, "--columns", options.columns);
    if (std::find(options.columns.begin(), options.columns.end(), "t") != options.columns.end()) {
      arguments.problem("--columns: the time t is in every file", "drop t");
    }
  }
  for (const std::string& text : arguments.texts("--event")) options.run.events.push_back(read_event(arguments, text));
  std::vector<std::string> events;
  for (const Event& event : options.run.events) events.push_back(event.when);
  refuse_repetition(arguments, "--event", events);
  if (arguments.has("--looks") && options.run.events.empty()) {
    arguments.problem("--looks has no effect without --event", "drop it, or add --event EXPR");
  }
  if (arguments.has("--reduce")) {
    try {
      options.reductions = read_reductions(arguments.text("--reduce"));
    } catch (const InputError& error) {
      for (const Problem& problem : error.problems()) arguments.problem("--reduce: " + problem.what, problem.remedy);
    }
  }
  options.threads = static_cast<int>(arguments.whole_number("--threads").value_or(0));
  if (const std::string lanes = arguments.text("--lanes"); !lanes.empty()) {
    if (lanes == "1" || lanes == "4" || lanes == "8") {
      options.lanes = lanes[0] - '0';
    } else {
      arguments.problem(fmt::format("--lanes {}: not a number of lanes", shortened(lanes)), "choose 1, 4 or 8");
    }
  }
  return options;
}

void choose_members(Arguments& arguments, EnsembleChoice& choice) {
  const int sources = (arguments.has("--members") ? 1 : 0) + (arguments.has("--grid") ? 1 : 0) +
                      (arguments.has("--sample") ? 1 : 0);
  if (sources != 1) {
    arguments.problem(sources == 0 ? "the members are missing" : "the members are given in several ways",
                      "give one of --members FILE.csv, --grid NAME=A:B:N and --sample N --vary \"NAME=uniform(A,B)\"");
  }
  for (const char* const option : {"--seed", "--vary"}) {
    if (arguments.has(option) && !arguments.has("--sample")) {
      arguments.problem(fmt::format("{} has no effect without --sample N", option), "drop it, or add --sample N");
    }
  }
  if (arguments.has("--sample") && !arguments.has("--vary")) {
    arguments.problem("--sample: nothing varies", "say what is drawn, for example --vary \"m=uniform(1,2)\"");
  }
  std::vector<Variation> variations;
  for (const std::string& text : arguments.texts("--grid")) read_axis(arguments, text, choice.axes);
  for (const std::string& text : arguments.texts("--vary")) read_variation(arguments, text, variations);
  const auto count = arguments.whole_number("--sample");
  const auto seed = arguments.whole_number("--seed");
  arguments.refuse_problems();
  if (arguments.has("--members")) {
    choice.members = read_members(arguments.text("--members"));
  } else if (arguments.has("--grid")) {
    choice.members = grid_members(choice.axes);
  } else {
    choice.members = sample_members(static_cast<std::size_t>(count.value_or(1)),
                                    static_cast<std::uint64_t>(seed.value_or(1)), std::move(variations));
  }
  refuse_sizes(arguments, choice.members->names());
  choose_part(arguments, choice);
}

}  // namespace noslip::app
