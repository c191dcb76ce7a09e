// The table of verbs, and of the options that stand in the place of one.
#include "verbs.hpp"

#include <algorithm>
#include <array>

namespace noslip::app {
namespace {

constexpr std::array table_of_verbs{
    Verb{"run", "integrate a system and print a summary", run_verb},
    Verb{"ensemble", "many trajectories: in lanes, threads and processes", ensemble_verb},
    Verb{"resume", "go on from a checkpoint of a run or an ensemble", resume_verb},
    Verb{"merge", "one file of an ensemble from those of its parts", merge_verb},
    Verb{"converge", "measure the order of methods", converge_verb},
    Verb{"compare", "compare methods: errors, what they keep, what they cost", compare_verb},
    Verb{"section", "Poincare sections, located between the steps", section_verb},
    Verb{"check", "validate a system and evaluate it at its initial state", check_verb},
    Verb{"show", "print the equations of motion that were derived", show_verb},
    Verb{"systems", "list the systems of the catalogue", systems_verb},
    Verb{"methods", "list the methods with their orders and properties", methods_verb},
    Verb{"reproduce", "figures and tables of the papers: run, measured, judged, drawn", reproduce_verb},
    Verb{"bench", "measure what a step costs", bench_verb},
};

constexpr std::array table_of_general_options{
    Option{.name = "help", .type = OptionType::flag, .help = "print this and exit", .letter = "h"},
    Option{.name = "version", .type = OptionType::flag, .help = "print the version and exit"},
    Option{.name = "completion",
           .type = OptionType::choice,
           .value = "SHELL",
           .help = "print a script that completes the words of noslip: for bash, zsh or fish",
           .choices = "bash zsh fish"},
    Option{.name = "man", .type = OptionType::flag, .help = "print the manual page, for man -l"},
};

constexpr std::array table_of_examples{
    "noslip systems",
    "noslip check sleigh",
    "noslip run sleigh --method gauss:3 --step 0.1 --until 100",
    "noslip run sleigh --step 0.1 --until 100 --json",
};

}  // namespace

std::span<const Verb> all_verbs() { return table_of_verbs; }

const Verb* find_verb(std::string_view name) {
  const auto place = std::find_if(table_of_verbs.begin(), table_of_verbs.end(),
                                  [&](const Verb& verb) { return verb.name == name; });
  return place == table_of_verbs.end() ? nullptr : &*place;
}

std::span<const Option> general_options() { return table_of_general_options; }

const Option& general_option(std::string_view name) {
  return *std::find_if(table_of_general_options.begin(), table_of_general_options.end(),
                       [&](const Option& option) { return option.name == name; });
}

std::span<const char* const> first_examples() { return table_of_examples; }

}  // namespace noslip::app
