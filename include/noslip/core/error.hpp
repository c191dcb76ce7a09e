// The caller's mistakes. (The library's own assumptions are asserts; numerical failures are values, see
// core/status.hpp.)
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace noslip {

/// A place in a text that the user wrote. Lines and columns count from 1; 0 means "not known".
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
  std::string source_line;  ///< the text of that line, shown with a caret under `column`
};

/// One thing that is wrong with the input.
struct Problem {
  std::string what;    ///< what is wrong, with the offending name or value in it
  Place place;         ///< where; empty for options and C++ calls
  std::string remedy;  ///< the nearest fix: "did you mean 'theta'?", "use `project` ..."
};

/// `file:line:column: what`, the line, a caret, and the remedy; without a place, `what` and the remedy.
std::string to_text(const Problem& problem);

/// Bad input or usage. Carries all problems that were found, not only the first.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Problem> problems);
  explicit InputError(std::string what, std::string remedy = {});

  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

/// A file that cannot be read or written.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace noslip
