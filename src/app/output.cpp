#include "output.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include <noslip/core/printable.hpp>
#include <noslip/io/output_file.hpp>

namespace noslip::app {
namespace {

constexpr std::size_t page_width = 110;
constexpr std::size_t longest_message = 4000;  // bytes
constexpr std::size_t most_problems = 100;     // that are told

bool is_silent = false;

/// Characters, not bytes: continuation bytes of UTF-8 take no room.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padding(std::size_t wanted, std::string_view text) {
  const std::size_t width = width_of(text);
  return std::string(width < wanted ? wanted - width : 0, ' ');
}

}  // namespace

void be_silent() { is_silent = true; }

void print(std::string_view text) {
  if (is_silent) return;
  OutputFile output("-", true);
  is_printable(text) ? output.write(text) : output.write(printable(text));
  output.flush();
}

void print(const std::function<void(const std::function<void(std::string_view)>& take)>& write) {
  if (is_silent) return;
  OutputFile output("-", true);
  write([&](std::string_view text) { is_printable(text) ? output.write(text) : output.write(printable(text)); });
  output.flush();
}

void draw(std::string_view text) {
  if (is_silent) return;
  // A message that cannot be shown is lost; the exit code still tells.
  std::fwrite(text.data(), 1, text.size(), stderr);  // without a buffer: it takes no memory
}

void print_error(std::string_view text) { is_printable(text) ? draw(text) : draw(printable(text)); }

void tell(std::string_view message) {
  print_error(fmt::format("noslip: {}\n", with_short_middle(message, longest_message)));
}

void tell(const std::vector<Warning>& warnings, const std::string& of) {
  for (const Warning& warning : warnings) {
    tell(fmt::format("warning: {}{}", of.empty() ? "" : of + ": ", warning.message));
  }
}

void tell(const std::vector<Problem>& problems) {
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (i == most_problems) {
      tell(fmt::format("... and {}", counted(static_cast<long long>(problems.size() - i), "more problem", "more problems")));
      return;
    }
    const Problem& problem = problems[i];
    std::string text = to_text(problem);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    if (problem.place.file.empty() && problem.place.line == 0) {
      tell(text);
    } else {
      print_error(text + "\n");
    }
  }
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  constexpr const char* blanks = " \t\n";
  std::vector<std::string> lines(1);
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t start = text.find_first_not_of(blanks, at);
    if (start == std::string_view::npos) break;
    const std::size_t end = std::min(text.find_first_of(blanks, start), text.size());
    const std::string_view word = text.substr(start, end - start);
    if (!lines.back().empty() && width_of(lines.back()) + 1 + width_of(word) > width) lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
    at = end;
  }
  return lines;
}

std::string paragraph(std::string_view text) {
  std::string lines;
  for (const std::string& line : wrapped(text, page_width - 2)) lines += fmt::format("  {}\n", line);
  return lines;
}

std::string two_columns(std::string_view left, std::string_view right, std::size_t column) {
  std::string text = fmt::format("  {}", left);
  const std::vector<std::string> lines = wrapped(right, page_width - column);
  const bool fits = width_of(text) + 2 <= column;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0 || !fits) text += '\n';
    text += i == 0 && fits ? padding(column, text) : std::string(column, ' ');
    text += lines[i];
  }
  return text + '\n';
}

std::string table(std::vector<std::string> header, std::vector<std::vector<std::string>> rows) {
  const std::size_t columns = header.size();
  for (std::string& cell : header) cell = one_line(cell);
  for (auto& row : rows) {
    for (std::string& cell : row) cell = one_line(cell);
  }
  std::vector<bool> right(columns);
  std::vector<std::size_t> widths(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    right[c] = header[c].starts_with('>');
    if (right[c]) header[c].erase(0, 1);
    widths[c] = width_of(header[c]);
    for (const auto& row : rows) widths[c] = std::max(widths[c], width_of(row[c]));
  }
  std::size_t before_last = 0;
  for (std::size_t c = 0; c + 1 < columns; ++c) before_last += widths[c] + 2;
  const std::size_t last_width = std::max<std::size_t>(30, page_width - std::min(page_width, before_last));

  std::string text;
  const auto add_row = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t c = 0; c + 1 < columns; ++c) {
      const std::string pad = padding(widths[c], cells[c]);
      line += right[c] ? pad + cells[c] + "  " : cells[c] + pad + "  ";
    }
    if (right[columns - 1]) {
      line += padding(widths[columns - 1], cells[columns - 1]) + cells[columns - 1];
    } else {
      const std::vector<std::string> lines = wrapped(cells[columns - 1], last_width);
      for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i > 0) line.append(1, '\n').append(before_last, ' ');
        line += lines[i];
      }
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    text += line + '\n';
  };
  add_row(header);
  for (const auto& row : rows) add_row(row);
  return text;
}

std::string number_text(const char* format, double number) {
  return std::isfinite(number) ? fmt::format(fmt::runtime(format), number) : "-";
}

std::string counted(long long number, const std::string& singular, const std::string& plural) {
  return fmt::format("{} {}", number, number == 1 ? singular : plural);
}

}  // namespace noslip::app
