// What the word under the cursor may become: from the tables of verbs, options, methods, systems and papers.
#include "completion.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/core/printable.hpp>
#include <noslip/core/text_file.hpp>
#include <noslip/method/method.hpp>
#include <noslip/model/system_text.hpp>

#include "arguments.hpp"
#include "papers/experiment.hpp"

namespace noslip::app {
namespace {

constexpr std::uintmax_t most_bytes_to_complete = 100000;  // of a system file: reading it must not be felt

/// The texts of a system of the catalogue or of a file; nothing if there is none that can be read.
std::optional<SystemText> system_text_of(const std::string& system) {
  for (const CatalogueEntry& entry : catalogue()) {
    if (entry.name != system) continue;
    std::map<std::string, int> sizes;
    for (const SizeParameter& size : entry.sizes) sizes[size.name] = size.default_value;
    return read_system_text(entry.toml(sizes));
  }
  std::error_code failure;
  if (!std::filesystem::is_regular_file(system, failure)) return std::nullopt;
  try {
    return read_system_text(read_text_file(system, most_bytes_to_complete));
  } catch (const InputError&) {
    return std::nullopt;
  } catch (const FileError&) {
    return std::nullopt;
  }
}

class Completer {
 public:
  explicit Completer(const Words& words) : current_(words.empty() ? "" : words.back()) {
    if (!words.empty()) before_.assign(words.begin(), words.end() - 1);
  }

  std::string lines() {
    if (before_.empty()) {
      complete_first();
    } else if (const Verb* const verb = find_verb(before_.front())) {
      complete_after(describe(verb->run));
    } else if (before_.size() == 1) {
      if (before_[0] == "help" || before_[0] == "--help" || before_[0] == "-h") offer_verbs();
      for (const Option& option : general_options()) {
        if (before_[0] == "--" + std::string(option.name)) offer_values(option);
      }
    }
    return lines_;
  }

 private:
  void offer(std::string_view word, std::string_view help) {
    const std::string whole = known_ + std::string(word);
    if (whole.starts_with(current_)) lines_ += fmt::format("{}\t{}\n", one_line(whole), one_line(help));
  }

  void offer_verbs() {
    for (const Verb& verb : all_verbs()) offer(verb.name, verb.summary);
  }

  void complete_first() {
    offer_verbs();
    if (!current_.starts_with('-')) return;
    for (const Option& option : general_options()) offer(fmt::format("--{}", option.name), help_of(option));
  }

  void complete_after(const VerbDescription& verb) {
    std::size_t positionals = 0;
    std::set<std::string_view> given;
    const Option* open = nullptr;  // whose value comes next
    for (std::size_t i = 1; i < before_.size(); ++i) {
      if (open != nullptr) {
        open = nullptr;
      } else if (const Option* const option = option_in(verb, before_[i])) {
        given.insert(option->name);
        const bool has_value = before_[i].find('=') != std::string::npos;
        if (option->type != OptionType::flag && !has_value) open = option;
      } else if (!before_[i].starts_with("--")) {
        if (positionals++ == 0 && verb.positionals.front().name == "SYSTEM") system_ = before_[i];
      }
    }
    if (open != nullptr) {
      offer_values(*open);
      return;
    }
    if (const std::size_t sign = current_.find('='); current_.starts_with("--") && sign != std::string::npos) {
      known_ = current_.substr(0, sign + 1);
      if (const Option* const option = option_in(verb, known_)) offer_values(*option);
      return;
    }
    const bool is_last_taken = !verb.positionals.empty() && verb.positionals.back().is_repeatable;
    const bool takes_word = positionals < verb.positionals.size() || is_last_taken;
    if (!current_.starts_with('-') && takes_word) {
      offer_words(verb.positionals[std::min(positionals, verb.positionals.size() - 1)].name);
      return;
    }
    for (const Option& option : verb.options) {
      if (given.contains(option.name) && !option.is_repeatable) continue;
      offer(fmt::format("--{}", option.name), help_of(option));
    }
    offer("--help", help_of(general_option("help")));
  }

  /// Which option a word is, also with its value behind `=`; null if it is none.
  static const Option* option_in(const VerbDescription& verb, std::string_view word) {
    const std::string_view name = word.substr(0, word.find('='));
    const auto is_it = [&](const Option& option) {
      return name == fmt::format("--{}", option.name) ||
             (!option.letter.empty() && name == fmt::format("-{}", option.letter));
    };
    const auto place = std::find_if(verb.options.begin(), verb.options.end(), is_it);
    return place == verb.options.end() ? nullptr : &*place;
  }

  /// What a positional word may be, by its name in the help.
  void offer_words(const std::string& name) {
    if (name == "SYSTEM" || name == "NAME") offer_systems();
    if (name == "ID") offer_experiments();
    if (name == "SYSTEM") offer_files("toml");
    if (name == "FILE") offer_files("");
  }

  void offer_values(const Option& option) {
    const bool is_list = option.value.ends_with(",...");
    const std::string_view value = option.value.substr(0, option.value.size() - (is_list ? 4 : 0));
    if (is_list) begin_list();
    for (const std::string& word : option.known_values()) offer(word, "");
    if (value == "M") offer_methods();
    if (value == "DIR") lines_ += ":folders\n";
    if (value == "NAME" && option.type == OptionType::text) offer_systems();
    if (value.starts_with("FILE")) {
      const std::vector<std::string> endings = option.endings();
      offer_names_with(endings);
      offer_files(fmt::format("{}", fmt::join(endings, " ")));
    }
    if (value.starts_with("NAME=")) offer_assignments(option);
  }

  /// Names of the system with `=`; behind it a file, if the option reads one.
  void offer_assignments(const Option& option) {
    if (const std::size_t sign = current_.find('=', known_.size()); sign != std::string::npos) {
      if (option.endings().empty()) return;
      known_ = current_.substr(0, sign + 1);
      offer_files(fmt::format("{}", fmt::join(option.endings(), " ")));
      return;
    }
    const std::optional<SystemText> text = system_text_of(system_);
    if (!text) return;
    const bool takes_all = option.name != "set" && option.name != "init" && option.name != "input";
    if (takes_all || option.name == "set") offer_named(text->parameters, "parameter");
    if (takes_all || option.name == "init") offer_initial(*text);
    if (takes_all || option.name == "input") offer_named(text->inputs, "input");
  }

  void offer_named(const std::vector<NamedText>& named, std::string_view what) {
    for (const NamedText& one : named) offer(one.name.text + "=", fmt::format("{}, {}", what, one.value.text));
  }

  void offer_initial(const SystemText& text) {
    const auto offer_all = [&](const TextList& names, std::string_view what) {
      for (const Text& name : names) offer(name.text + "=", what);
    };
    for (const CoordinateText& coordinate : text.coordinates) {
      if (!coordinate.is_element) offer(coordinate.name.text + "=", "coordinate");
      offer_all(coordinate.names, "coordinate");
    }
    for (const CoordinateText& coordinate : text.coordinates) {
      if (!coordinate.is_element) offer(coordinate.name.text + "'=", "velocity");
      offer_all(coordinate.velocity, "velocity");
    }
    for (const TextList* names : {&text.y, &text.z, &text.lambda, &text.x}) offer_all(*names, "initial value");
    offer("t=", "time");
  }

  /// The words of a list before the last comma stay.
  void begin_list() {
    const std::size_t comma = current_.find_last_of(',');
    if (comma != std::string::npos && comma >= known_.size()) known_ = current_.substr(0, comma + 1);
  }

  void offer_systems() {
    for (const CatalogueEntry& entry : catalogue()) offer(entry.name, entry.summary);
  }

  void offer_experiments() {
    for (const papers::Paper& paper : papers::all_papers()) {
      for (const papers::Experiment& experiment : paper.experiments) offer(experiment.id, experiment.what);
    }
  }

  /// Families, and of one that is written with its colon all methods.
  void offer_methods() {
    for (const MethodFamily& family : method_families()) {
      const bool stands_alone = family.numbers.empty() || family.example.name == family.name;
      if (stands_alone) offer(family.name, family.example.summary);
      if (family.numbers.empty()) continue;
      const std::string begin = family.name + ":";
      if (!current_.starts_with(known_ + begin)) {
        offer(begin, fmt::format("{}, {}", family.pattern, family.example.summary));
        continue;
      }
      for (const int number : family.numbers) offer(fmt::format("{}{}", begin, number), "");
    }
  }

  void offer_files(std::string_view endings) {
    lines_ += fmt::format(":files{}{}\n", endings.empty() ? "" : " ", endings);
  }

  /// A file that is to be written gets its ending behind the point, where there is a choice.
  void offer_names_with(const std::vector<std::string>& endings) {
    const std::size_t point = current_.find_last_of('.'), slash = current_.find_last_of('/');
    const bool has_name = point != std::string::npos && point > known_.size() && current_[point - 1] != '.' &&
                          (slash == std::string::npos || slash + 1 < point);
    if (!has_name || endings.size() < 2) return;
    for (const std::string& ending : endings) {
      const std::string name = current_.substr(0, point + 1) + ending;
      if (name.starts_with(current_)) lines_ += fmt::format("{}\t\n", one_line(name));
    }
  }

  Words before_;         ///< the words up to the current one
  std::string system_;   ///< the SYSTEM of the command
  std::string current_;  ///< up to the cursor
  std::string known_;    ///< what of it stays: `--method=` or the list up to here
  std::string lines_;
};

}  // namespace

std::string completions(const Words& words) { return Completer(words).lines(); }

}  // namespace noslip::app
