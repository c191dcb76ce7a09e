// Completion of command lines in shells. A script per shell asks the tool, which knows what may stand where.
#pragma once

#include <string>

#include "verbs.hpp"

namespace noslip::app {

/// The script for the shell that the one word names; InputError for other words.
std::string completion_script(const Words& shell);

/// What the last word may become; the others stand between the name of the tool and it. One line for each: the word
/// and, behind a tab, what it means. A word that ends with : or = goes on. The line `:files csv npz` means files with these
/// endings (without any: all), `:folders` folders. Words that make no sense give nothing.
std::string completions(const Words& words);

}  // namespace noslip::app
