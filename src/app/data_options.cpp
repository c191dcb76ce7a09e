#include "data_options.hpp"

#include <noslip/io/row_sink.hpp>

namespace noslip::app {

void check_data_file(Arguments& arguments, const std::string& file) {
  if (file.empty()) return;
  try {
    row_format_of(file);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) arguments.problem("-o " + problem.what, problem.remedy);
  }
}

}  // namespace noslip::app
