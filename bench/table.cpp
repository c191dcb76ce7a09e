// Markdown tables.
#include "table.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

bool wants_markdown(int argc, char** argv) {
  if (argc == 1) return false;
  if (argc == 2 && std::string_view(argv[1]) == "--markdown") return true;
  fmt::print(stderr, "usage: {} [--markdown]\n", argv[0]);
  std::exit(2);
}

void print_head(const std::vector<std::string>& cells) {
  print_row(cells);
  for (std::size_t i = 0; i < cells.size(); ++i) fmt::print("|---");
  fmt::print("|\n");
}

void print_row(const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) fmt::print("| {} ", cell);
  fmt::print("|\n");
  std::fflush(stdout);  // a row may take long
}

std::string short_time(double time) { return fmt::format("{:.{}f}", time, time < 19.95 ? 1 : 0); }
