#include "data_options.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/io/output_file.hpp>
#include <noslip/io/row_sink.hpp>

#include "output.hpp"

namespace noslip::app {

namespace {

/// Where a file is or will be; empty where that cannot be told.
std::filesystem::path place_of(const std::string& file) {
  std::error_code ignored;
  return std::filesystem::weakly_canonical(std::filesystem::absolute(file, ignored), ignored);
}

}  // namespace

bool is_one(const std::string& a, const std::string& b) {
  if (a == b || is_same_file(a, b)) return true;
  if (a == "-" || b == "-") return false;
  const std::filesystem::path place = place_of(a);
  return !place.empty() && place == place_of(b);
}

bool is_part_of(const std::string& name, const std::string& file) {
  if (file == "-") return false;
  const std::filesystem::path place = place_of(file);
  for (const char* const ending : {".part", ".part.new", ".part.zip"}) {
    if (is_one(name, file + ending) || (!place.empty() && is_one(name, place.string() + ending))) return true;
  }
  return false;
}

void check_data_file(Arguments& arguments, const std::string& file, const std::string& option) {
  if (file.empty()) return;
  check_is_not_read(arguments, option, file);
  try {
    row_format_of(file);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) arguments.problem(option + " " + problem.what, problem.remedy);
  }
}

void check_data_files(Arguments& arguments, const std::vector<std::string>& files) {
  for (auto file = files.begin(); file != files.end(); ++file) {
    if (*file != "-") check_data_file(arguments, *file);
    const bool is_there = std::any_of(files.begin(), file, [&](const auto& other) { return is_one(other, *file); });
    if (is_there) {
      arguments.problem(fmt::format("-o {}: this file is given twice", shortened(*file)), "give different files");
    }
  }
}

void check_one_output(Arguments& arguments) {
  const std::vector<std::string> files = arguments.texts("--output");
  if (files.size() < 2) return;
  arguments.problem(fmt::format("--output is given {} times ({})", files.size(), shortened(list_of(files))),
                    "give it once");
}

void check_is_not_read(Arguments& arguments, const std::string& option, const std::string& file) {
  std::vector<std::string> read = arguments.texts("SYSTEM");
  if (arguments.takes("--members") && arguments.has("--members")) read.push_back(arguments.text("--members"));
  for (const std::string& given : arguments.texts("--input")) {
    const std::string name = given.substr(given.find('=') + 1);
    read.push_back(name.substr(0, name.rfind(',')));
  }
  for (const std::string& name : read) {
    if (!is_same_file(name, file)) continue;
    arguments.problem(fmt::format("{} {}: the command reads this file", option, shortened(file)),
                      "choose another name for what it writes");
  }
}

std::vector<std::string> column_texts(Arguments& arguments) {
  if (!arguments.has("--columns")) return {};
  std::vector<std::string> columns = split_outside_brackets(arguments.text("--columns"), ',');
  if (std::find(columns.begin(), columns.end(), "") != columns.end()) {
    arguments.problem(fmt::format("--columns {}: a column is empty", shortened(arguments.text("--columns"))),
                      "give names or expressions with one comma between two of them");
  }
  return columns;
}

}  // namespace noslip::app
