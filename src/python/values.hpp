// Numbers and names that a caller in Python gives.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <noslip/core/error.hpp>
#include <noslip/core/given.hpp>

#include "common.hpp"

namespace noslip::python {

/// A value as it stands in a message: a text as it is, of anything else what repr() says.
std::string written(py::handle value);

/// A float means that double; an int, a Fraction, a Decimal and a text such as "1/10" or "pi/2" are exact. Otherwise
/// nothing, and a problem that begins with `option`. A text may use the `names`.
std::optional<quad> number_of(py::handle value, const What& what, std::vector<Problem>& problems,
                              const Settings& names = {});
/// Numbers by name, from a dict.
Settings settings_of(py::handle values, const std::string& option, std::vector<Problem>& problems, const Settings& names = {});
NumberList numbers_of(py::handle values, const What& what, std::vector<Problem>& problems);
/// A list of texts, or one text with commas between them (outside of brackets).
std::vector<std::string> texts_of(py::handle values, const std::string& option, std::vector<Problem>& problems);
/// A text, or an expression that is a name (x.dot); otherwise nothing, and a problem.
std::optional<std::string> name_of(py::handle value, const std::string& option, std::vector<Problem>& problems);
/// As `if value:`; what Python raises passes.
bool is_true(py::handle value);
/// As UTF-8.
std::string text_of(py::handle text);
/// A path as str, bytes or PathLike, in the encoding of file names; InputError for anything else.
std::string path_of(py::handle value);
/// "'a'", fit for a message.
std::string shown(py::handle value);

void refuse(std::vector<Problem>& problems, std::string what, std::string remedy);
void refuse_all(std::vector<Problem> problems);

}  // namespace noslip::python
