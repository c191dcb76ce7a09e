// Writes the file of an ensemble that no system made, for readers of other kinds: FILE MEMBERS TIMES [SAVED]
//
// Values over time of member m at the place k among the times are m + k/1024 (x) and -m (y'), NaN from the middle of the
// times on for every fifth member (y'), and a word. If SAVED is given, what RowSink::save() says goes there now and then,
// with the number of rows before it; a program that finds such a file goes on there.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include <noslip/core/error.hpp>
#include <noslip/io/row_sink.hpp>

namespace {

using namespace noslip;

std::vector<double> row_of(std::size_t member, std::size_t times) {
  const auto m = static_cast<double>(member);
  const bool has_failed = member % 5 == 4;
  std::vector<double> row = {m, m / 8, has_failed ? 1.0 : 0.0};
  for (std::size_t k = 0; k < times; ++k) row.push_back(m + static_cast<double>(k) / 1024);
  for (std::size_t k = 0; k < times; ++k) {
    row.push_back(has_failed && 2 * k >= times ? std::numeric_limits<double>::quiet_NaN() : -m);
  }
  for (std::size_t k = 0; k < times; ++k) row.push_back(static_cast<double>((member + k) % 2));
  return row;
}

void keep(const std::string& name, std::size_t rows, const std::string& saved) {
  std::ofstream(name + ".new", std::ios::binary) << rows << '\n' << saved;
  std::filesystem::rename(name + ".new", name);
}

int write_file(const std::string& name, std::size_t members, std::size_t times, const std::string& kept) {
  RowFile file{name, true, {{"number"}, {"x"}, {"failed", ColumnKind::label}, {"x"}, {"y'"}, {"side"}}, {}, MemberRows{3, {}}};
  file.notes = {"a text\n", "mp", 0.125};
  file.columns[0].text = "number of the member";
  file.columns[2].words = {"no", "yes"};
  file.columns[4].unit = "rad";
  file.columns[5].words = {"left", "right"};
  for (std::size_t k = 0; k < times; ++k) file.members->times.push_back(0.5 * static_cast<double>(k));

  std::size_t next = 0;
  std::string saved;
  if (std::ifstream found(kept, std::ios::binary); !kept.empty() && found) {
    found >> next;
    found.get();
    saved.assign(std::istreambuf_iterator<char>(found), {});
  }
  const auto sink = saved.empty() ? open_rows(file) : resume_rows(file, saved);
  const std::size_t between = 1 + members / 40;
  for (; next < members; ++next) {
    if (!kept.empty() && next % between == 0) keep(kept, next, sink->save());
    sink->write(row_of(next, times));
  }
  sink->close();
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count < 4) return 2;
  try {
    return write_file(words[1], std::strtoull(words[2], nullptr, 10), std::strtoull(words[3], nullptr, 10),
                      count > 4 ? words[4] : "");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
