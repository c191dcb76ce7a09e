// Options that several verbs share: which system, with which parameters and initial data; step, method, back end.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <noslip/exec/kernel.hpp>
#include <noslip/model/system.hpp>
#include <noslip/run/run.hpp>

#include "arguments.hpp"
#include "file_texts.hpp"

namespace noslip::app {

struct SystemChoice {
  System system;
  std::string text;                ///< of its file
  Settings set;                    ///< --set, without the sizes of catalogue systems
  Settings init;                   ///< --init
  Control control;                 ///< --input
  Settings row_inputs;             ///< values of control that are those of a row (--init-from)
  std::vector<double> parameters;  ///< values in use, in the order of System::step_constants(), rounded
  InitialState initial;            ///< with init, rounded
  quad begin = 0;                  ///< initial.t, not rounded
  FileTexts texts = {};            ///< of the system file and of series
};

/// Declares SYSTEM and the options of the verb.
void declare_system(Arguments& arguments);

/// Reads SYSTEM, --set, --init and --input. Throws everything that is wrong with the arguments so far
/// (refuse_problems), so that a verb calls it after it has looked at its other options. FileError for a file that
/// cannot be read; those in `texts` are not read again.
SystemChoice choose_system(Arguments& arguments, FileTexts texts = {});

/// Reads every option of the verb that is a member of RunOptions (run/run_fields.hpp); problems where values are wrong.
void read_run_fields(Arguments& arguments, RunOptions& options);

Backend chosen_backend(Arguments& arguments);

/// Nothing if --precision is not given. A problem where the back end cannot compute in it.
std::optional<Precision> chosen_precision(Arguments& arguments, Backend backend);

/// --step; a problem if it is missing or out of range.
quad chosen_step(Arguments& arguments);

/// Adds a problem if there is no such method.
void require_method(Arguments& arguments, const std::string& name);
/// --method: one name or several with commas between them, each of which exists; problems otherwise.
std::vector<std::string> chosen_methods(Arguments& arguments, const std::string& otherwise);

}  // namespace noslip::app
