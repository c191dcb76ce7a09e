#include "data_options.hpp"

#include <fmt/format.h>

#include <noslip/io/output_file.hpp>
#include <noslip/io/row_sink.hpp>

#include "output.hpp"

namespace noslip::app {

void check_data_file(Arguments& arguments, const std::string& file) {
  if (file.empty()) return;
  check_is_not_read(arguments, "-o", file);
  try {
    row_format_of(file);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) arguments.problem("-o " + problem.what, problem.remedy);
  }
}

void check_is_not_read(Arguments& arguments, const std::string& option, const std::string& file) {
  std::vector<std::string> read = arguments.texts("SYSTEM");
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

}  // namespace noslip::app
