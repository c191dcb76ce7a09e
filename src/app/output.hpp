// Standard output and standard error of the tool.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <noslip/core/error.hpp>
#include <noslip/core/short_text.hpp>
#include <noslip/core/status.hpp>

namespace noslip::app {

/// Data: standard output. FileError if it cannot be written (ClosedPipe if nobody reads it).
void print(std::string_view text);

/// From now on nothing is printed and told: another process does it for this one.
void be_silent();

/// A message for the person: standard error, with `noslip: ` in front.
void tell(std::string_view message);
/// Each problem in the form of to_text(Problem), those without a place with `noslip: ` in front.
void tell(const std::vector<Problem>& problems);
/// One line each, with `noslip: warning: ` in front.
void tell(const std::vector<Warning>& warnings, const std::string& of = "");

/// The same for text that comes in pieces, each of whole characters.
void print(const std::function<void(const std::function<void(std::string_view)>& take)>& write);

/// Text on standard error, with what a terminal would obey escaped (core/printable.hpp); `print` does the same.
void print_error(std::string_view text);
/// As it is: for the progress bar, which a terminal has to obey.
void draw(std::string_view text);

/// `left` and the wrapped `right` side by side, indented by two; `right` starts at `column`.
std::string two_columns(std::string_view left, std::string_view right, std::size_t column);

/// The text wrapped at the width of the page, every line indented by two.
std::string paragraph(std::string_view text);

/// The text broken at blanks into lines of at most `width` characters.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// Rows of cells as aligned columns, two blanks apart; the last column is wrapped at the width of the page. A column
/// whose name starts with `>` is aligned to the right.
std::string table(std::vector<std::string> header, std::vector<std::vector<std::string>> rows);

/// A number for a table, in a format of fmt; `-` for what is not finite.
std::string number_text(const char* format, double number);

/// "1 row", "2 rows"
std::string counted(long long number, const std::string& singular, const std::string& plural);

}  // namespace noslip::app
