// Tables as the documents have them.
#pragma once

#include <string>
#include <vector>

/// Whether the program was called with --markdown: a table of the documents instead of all columns. Any other
/// argument ends the program.
bool wants_markdown(int argc, char** argv);

/// The first rows of a table.
void print_head(const std::vector<std::string>& cells);
void print_row(const std::vector<std::string>& cells);

/// A measured time without digits that vary from run to run: one decimal below 20, none above.
std::string short_time(double time);
