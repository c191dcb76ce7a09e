// Options of a run, as keywords in Python.
#pragma once

#include <string>
#include <vector>

#include <noslip/io/initial_row.hpp>
#include <noslip/run/run.hpp>

#include "common.hpp"
#include "system.hpp"

namespace noslip::python {

/// The options that a caller has given; None is the same as nothing.
class Given {
 public:
  explicit Given(py::dict options) : options_(std::move(options)) {}
  /// By its keyword; None if it was not given.
  py::object operator[](const std::string& keyword) const;
  bool has(const std::string& keyword) const { return !(*this)[keyword].is_none(); }

  std::vector<Problem> problems = {};  ///< so far

  // values of options of the table; a problem if they make no sense
  bool flag(const std::string& name);
  std::string text(const std::string& name, const std::string& otherwise);
  std::optional<quad> number(const std::string& name);
  std::optional<quad> any_number(const std::string& name);  ///< also outside of its range
  std::optional<long long> whole(const std::string& name);
  /// The place among the choices.
  std::optional<std::size_t> choice(const std::string& name);
  /// As it stands in a message.
  std::string written_as(const std::string& name) const;
  /// A path, or nothing.
  std::string file(const std::string& keyword) const;
  /// `output`: a path or a list of them, with endings that say what is written. InputError for others.
  std::vector<std::string> data_files() const;

 private:
  py::dict options_;
};

/// A system in the sizes that were asked for, and what follows from its options.
struct Chosen {
  PySystem system;
  RunOptions options;
  std::vector<double> parameters;  ///< values in use, in the order of System::step_constants()
  bool has_functions = false;      ///< functions in Python act on the run
};

/// All members that are options of the table (run/run_fields.hpp), and set, init, inputs, events, at. Without
/// needs_end neither until nor steps has to be given. Problems are added to those of `given`, which the caller throws.
Chosen read_run(const PySystem& system, Given& given, bool needs_end = true);
/// FILE or FILE:ROW, names with numbers, or an object with to_dict() (a state of a run). InputError.
InitialRow row_of_python(const py::object& given, const System& system, const Settings& set);
/// What can be said about the end of a run when something about it is wrong: InputError in the words of the tool.
void check_end(const Chosen& chosen, const Given& given);
/// The part that all studies share: set, init, init_from, inputs.
void read_system(Chosen& chosen, const PySystem& system, Given& given);

}  // namespace noslip::python
