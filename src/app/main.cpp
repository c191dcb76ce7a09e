// noslip VERB [SYSTEM] [options]: finds the verb, runs it, and turns what it throws into messages and exit codes.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>

#include <fmt/format.h>

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/core/error.hpp>
#include <noslip/core/names.hpp>
#include <noslip/core/option_name.hpp>
#include <noslip/core/stopping.hpp>
#include <noslip/exec/processor.hpp>
#include <noslip/io/output_file.hpp>

#include "arguments.hpp"
#include "completion.hpp"
#include "interrupt.hpp"
#include "manual_page.hpp"
#include "output.hpp"
#include "verbs.hpp"

namespace {

using namespace noslip;
using namespace noslip::app;

std::string usage() { return "usage: noslip VERB [SYSTEM] [options]     (noslip --help explains)\n"; }

std::string help() {
  std::string text = "noslip simulates mechanical systems that roll, skate and steer.\n\n" +
                     std::string("Usage: noslip VERB [SYSTEM] [options]\n\nVerbs:\n");
  for (const Verb& verb : all_verbs()) text += two_columns(verb.name, verb.summary, 14);
  text += "\nOptions:\n";
  for (const Option& option : general_options()) text += two_columns(declared(option), help_of(option), 26);
  text += R"(
SYSTEM is a name of the catalogue (noslip systems) or the path of a system file.
noslip VERB --help explains a verb.

Examples:
)";
  for (const char* example : first_examples()) text += fmt::format("  {}\n", example);
  return text;
}

[[noreturn]] void refuse_verb(const std::string& name) {
  std::vector<std::string> names;
  for (const Verb& verb : all_verbs()) names.emplace_back(verb.name);
  if (name.starts_with('-')) {
    throw InputError(fmt::format("the first word has to be a verb, not the option {}", name),
                     fmt::format("the verbs are {}", list_of(names)));
  }
  std::string remedy = did_you_mean(name, names);
  const auto& entries = catalogue();
  if (std::any_of(entries.begin(), entries.end(), [&](const CatalogueEntry& entry) { return entry.name == name; })) {
    remedy = fmt::format("'{}' is a system: noslip run {} --step 0.1 --until 10", name, name);
  } else if (remedy.empty()) {
    remedy = fmt::format("the verbs are {}", list_of(names));
  }
  throw InputError(fmt::format("unknown verb '{}'", name), remedy);
}

int dispatch(const Words& words) {
  if (words.empty()) {
    print_error(usage());
    return exit_bad_input;
  }
  const std::string& first = words.front();
  const bool asks_for_help = first == "--help" || first == "-h" || first == "help";
  if (asks_for_help && words.size() == 1) {
    print(help());
    return exit_done;
  }
  if (first == "--version") {
    print(fmt::format("noslip {}\n", NOSLIP_VERSION));
    return exit_done;
  }
  if (first == "--man") {
    print(manual_page(NOSLIP_VERSION));
    return exit_done;
  }
  if (first == "--completion") {
    print(completion_script(Words(words.begin() + 1, words.end())));
    return exit_done;
  }
  if (first == "--complete") {  // what these scripts call
    print(completions(Words(words.begin() + 1, words.end())));
    return exit_done;
  }
  const std::string& name = asks_for_help ? words[1] : first;
  if (const Verb* const verb = find_verb(name)) {
    elementary_functions();  // refuses what NOSLIP_ISA must not be
    return asks_for_help ? verb->run({"--help"}) : verb->run(Words(words.begin() + 1, words.end()));
  }
  refuse_verb(name);
}

/// Runs a verb and turns what it throws into a message and an exit code.
int run(const Words& words) {
  try {
    remember_signals();
    const StopScope scope(has_signal);
    return dispatch(words);
  } catch (const Interrupted&) {
    note_end();
    tell(interruption_message);
    return exit_signal + remembered_signal();
  } catch (const InputError& error) {
    tell(error.problems());
    return exit_bad_input;
  } catch (const ClosedPipe&) {
    return exit_done;
  } catch (const FileError& error) {
    tell(error.what());
    return exit_file;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    tell(fmt::format("this is a bug of noslip: {}\n  please report it with the command line and the system file",
                     error.what()));
    return exit_bug;
  } catch (...) {
    tell("this is a bug of noslip: an unknown exception\n  please report it with the command line and the system file");
    return exit_bug;
  }
}

/// Takes no memory itself.
int end_without_memory() {
  print_error(
      "noslip: not enough memory for a problem of this size\n"
      "  use fewer coordinates or stages\n");
  return exit_numerical_failure;
}

/// What is thrown where nothing can catch it: before main(), or while something else is thrown.
[[noreturn]] void end_uncaught() {
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    std::_Exit(end_without_memory());
  } catch (...) {
  }
  std::abort();
}

[[gnu::constructor(101)]] void prepare_before_all_others() { std::set_terminate(end_uncaught); }

}  // namespace

int main(int argc, char** argv) {
  prepare_process();
  set_option_style(OptionStyle::flag);
  try {
    return run(Words(argv + std::min(argc, 1), argv + argc));
  } catch (const std::bad_alloc&) {  // perhaps of a message
    return end_without_memory();
  }
}
