// noslip.1: verbs and options from their tables, and what surrounds them.
#include "manual_page.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "arguments.hpp"
#include "output.hpp"
#include "verbs.hpp"

namespace noslip::app {
namespace {

/// Characters that roff would take for something else.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '\\': result += "\\e"; break;
      case '-': result += "\\-"; break;
      case '\'': result += "\\(aq"; break;
      case '`': result += "\\(ga"; break;
      case '^': result += "\\(ha"; break;
      case '~': result += "\\(ti"; break;
      case '"': result += "\\(dq"; break;
      default: result += c;
    }
  }
  return result.starts_with('.') ? "\\&" + result : result;
}

/// The text in lines that are not too long, for what fills them again.
std::string filled(std::string_view text) {
  std::string result;
  for (const std::string& line : wrapped(text, 70)) result += fmt::format("{}\n", escaped(line));
  return result;
}

std::string bold(std::string_view text) { return fmt::format("\\fB{}\\fR", escaped(text)); }
std::string italic(std::string_view text) { return fmt::format("\\fI{}\\fR", escaped(text)); }

/// An entry of a list: `head` is roff, `text` is not.
std::string entry(std::string_view head, std::string_view text) {
  return fmt::format(".TP\n{}\n{}", head, filled(text));
}

std::string paragraph_of(std::string_view text) { return ".PP\n" + filled(text); }

/// Paragraphs as they are in a help text: lines that are indented stay as they are, others are filled.
std::string paragraphs(std::string_view text) {
  std::string result;
  bool is_code = false, is_begin = true;
  const auto end_code = [&] { result += std::exchange(is_code, false) ? ".EE\n" : ""; };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) {
      end_code();
      is_begin = true;
    } else if (line.starts_with("  ")) {
      if (!std::exchange(is_code, true)) result += ".PP\n.EX\n";
      result += fmt::format("{}\n", escaped(line));
    } else {
      end_code();
      if (std::exchange(is_begin, false)) result += ".PP\n";
      result += filled(line);
    }
  }
  end_code();
  return result;
}

/// `-o, --output FILE`
std::string head_of(const Option& option) {
  std::string head = option.letter.empty() ? "" : bold(fmt::format("-{}", option.letter)) + ", ";
  head += bold(fmt::format("--{}", option.name));
  return option.value.empty() ? head : head + " " + italic(option.value);
}

std::string help_text(const Option& option) {
  std::string text = help_of(option);
  if (!text.ends_with('.')) text += '.';
  return text;
}

struct DescribedVerb {
  std::string name;
  VerbDescription description;
};

std::vector<DescribedVerb> described_verbs() {
  std::vector<DescribedVerb> result;
  for (const Verb& verb : all_verbs()) result.push_back({verb.name, describe(verb.run)});
  return result;
}

std::string commands(const std::vector<DescribedVerb>& verbs) {
  std::string text = ".SH COMMANDS\n";
  for (const auto& [name, description] : verbs) {
    text += fmt::format(".SS {}\n{} {}\n", escaped(name), bold("noslip " + name), escaped(description.usage));
    text += paragraph_of(description.summary);
    for (const auto& word : description.positionals) text += entry(italic(word.name), word.help + ".");
    text += paragraphs(description.epilogue);
  }
  return text;
}

/// One meaning of an option, and the verbs that give it this meaning.
struct Meaning {
  Option option;
  std::vector<std::string> verbs, requiring;
};

std::vector<Meaning> meanings_of(std::string_view name, const std::vector<DescribedVerb>& verbs) {
  std::vector<Meaning> result;
  for (const auto& [verb, description] : verbs) {
    for (const Option& option : description.options) {
      if (option.name != name) continue;
      auto place = std::find_if(result.begin(), result.end(), [&](const Meaning& known) {
        return known.option.value == option.value && known.option.help == option.help &&
               known.option.otherwise == option.otherwise;
      });
      if (place == result.end()) place = result.insert(place, Meaning{option, {}, {}});
      place->verbs.push_back(verb);
      if (option.is_required) place->requiring.push_back(verb);
    }
  }
  return result;
}

std::string options(const std::vector<DescribedVerb>& verbs) {
  std::string text = ".SH OPTIONS\n";
  for (const Option& option : general_options()) text += entry(head_of(option), help_text(option));
  text += paragraph_of("Options of commands follow. Brackets contain the value that holds without the option.");
  for (const Option& option : all_options()) {
    for (const Meaning& meaning : meanings_of(option.name, verbs)) {
      std::string help = help_text(meaning.option);
      help += fmt::format(" Commands: {}.", fmt::join(meaning.verbs, ", "));
      if (meaning.requiring == meaning.verbs) {
        help += " Required.";
      } else if (!meaning.requiring.empty()) {
        help += fmt::format(" Required by {}.", fmt::join(meaning.requiring, ", "));
      }
      text += entry(head_of(meaning.option), help);
    }
  }
  return text;
}

std::string exit_codes() {
  std::string text = ".SH EXIT STATUS\n";
  const auto add = [&](int code, std::string_view meaning) { text += entry(bold(fmt::format("{}", code)), meaning); };
  add(exit_done, "The command is done.");
  add(exit_numerical_failure, "Numerical failure. Everything that was written up to the last good state is valid.");
  add(exit_bad_input, "Bad input or usage.");
  add(exit_file, "A file or the disk is the cause.");
  add(exit_disagreement,
      "check: a run cannot start at the initial state, or a method does not keep what it claims. "
      "reproduce: a verdict differs from the recorded one.");
  add(exit_bug, "A bug of noslip.");
  add(exit_signal + 1, "The connection was lost (SIGHUP).");
  add(exit_signal + 2, "The command was interrupted (SIGINT).");
  add(exit_signal + 15, "The command was terminated (SIGTERM).");
  text += paragraph_of(
      "A run that a signal ends stops after the current step, and its files are valid. "
      "With --checkpoint, resume goes on from there.");
  return text;
}

constexpr std::pair<const char*, const char*> list_of_files[] = {
    {"SYSTEM.toml", "A system file: coordinates, a Lagrangian, constraints, parameters, initial values."},
    {"FILE.part", "A file that is not complete yet. It gets the name FILE at the end of the run."},
    {"FILE.csv, FILE.npz, FILE.h5", "Data files: text, arrays for NumPy, and HDF5. The ending chooses the format."},
    {"FILE.svg, FILE.png", "Plots. PNG needs a build with librsvg."},
    {"FILE.lock", "It exists while a run writes the checkpoint FILE."},
};

constexpr std::pair<const char*, const char*> list_of_variables[] = {
    {"NOSLIP_ISA",
     "Vector instructions that may be used: baseline, avx2 or avx512. Without it, all that the processor has."},
    {"NOSLIP_MPI_MODULE",
     "Path of the module for MPI, or none: every process works by itself. Without it, the module of the installation."},
    {"OMPI_COMM_WORLD_SIZE, MV2_COMM_WORLD_SIZE, PMI_SIZE, SLURM_STEP_NUM_TASKS, PMIX_RANK, PMI_RANK, PMI_FD, "
     "PMI_PORT, I_MPI_PMI_LIBRARY",
     "Variables that mpirun and srun set. They tell ensemble that several processes share its members."},
};

}  // namespace

std::string manual_page(std::string_view version) {
  const std::vector<DescribedVerb> verbs = described_verbs();
  std::string text = ".\\\" Printed by noslip --man.\n";
  text += fmt::format(".TH NOSLIP 1 \"\" \"noslip {}\" \"User Commands\"\n.nh\n.ad l\n", escaped(version));
  text += ".SH NAME\nnoslip \\- simulate mechanical systems that roll, skate and steer\n";
  text += fmt::format(".SH SYNOPSIS\n{} {} [{}] [{}]\n", bold("noslip"), italic("COMMAND"), italic("SYSTEM"),
                      italic("options"));
  for (const Option& option : general_options()) text += fmt::format(".br\n{} {}\n", bold("noslip"), head_of(option));
  text += ".SH DESCRIPTION\n";
  text += filled(
      "noslip integrates systems with nonholonomic constraints. A system is a Lagrangian or a Hamiltonian with "
      "constraints on velocities and positions; noslip derives the equations of motion and compiles one step of a "
      "structure-preserving method.");
  text += paragraph_of(
      "SYSTEM is a name of the catalogue (noslip systems) or the path of a system file. Data goes to standard output; "
      "messages, progress and errors go to standard error. Numbers may be expressions such as 1/10 or pi/2.");
  text += commands(verbs);
  text += options(verbs);
  text += exit_codes();
  text += ".SH ENVIRONMENT\n";
  for (const auto& [name, meaning] : list_of_variables) text += entry(bold(name), meaning);
  text += ".SH FILES\n";
  for (const auto& [name, meaning] : list_of_files) text += entry(italic(name), meaning);
  text += ".SH EXAMPLES\n.EX\n";
  for (const char* example : first_examples()) text += fmt::format("{}\n", escaped(example));
  text += ".EE\n.SH SEE ALSO\n";
  text += fmt::format("{}(1), {}(1)\n", bold("mpirun"), bold("srun"));
  text += paragraph_of("noslip COMMAND --help explains a command.");
  return text;
}

}  // namespace noslip::app
