// [tables]: how they are read, from texts and files, and every way to get them wrong.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <noslip/core/text_file.hpp>
#include <noslip/expr/print.hpp>
#include <noslip/model/symbols.hpp>
#include <noslip/model/system_text.hpp>

#include "model/help.hpp"

namespace noslip::test {
namespace {

std::string with_tables(const std::string& tables, const std::string& force = "f(x)") {
  return "coordinates = [\"x\"]\nlagrangian = \"x'^2/2\"\n[forces]\nx = \"" + force + "\"\n[tables]\n" + tables + "\n";
}

const Table& first_table(const System& system) { return system.tables().at(0); }

TEST(Tables, PointsAsArraysAndAsText) {
  for (const char* points : {"[[0, 1], [0.5, 2], [2, -1]]", "\"0, 1; 0.5 2; 2, -1\"",
                             "\"\"\"\n0, 1\n0.5, 2\n2, -1\n\"\"\"", "[[0, 1], [\"1/2\", 2.0], [2, \"-1\"]]"}) {
    const System system = System::parse(with_tables(std::string("f = { points = ") + points + " }"));
    const Table& table = first_table(system);
    EXPECT_EQ(table.size(), 3U) << points;
    EXPECT_EQ(table.value(0.25), 1.5) << points;
    EXPECT_EQ(to_text(system.forces().at(0)), "f(x)");
  }
  const System tenth = System::parse(with_tables("f = { points = [[0, 0], [1, 0.1]] }"));
  EXPECT_EQ(first_table(tenth).y(1), to_quad("0.1")) << "as many digits as there are";
}

TEST(Tables, AreKnownEverywhere) {
  const System system = System::parse(R"toml(
coordinates = ["x", "y"]
lagrangian = "x'^2/2 + y'^2/2 - f(x)"
holonomic = ["y = road(x)"]
[parameters]
a = "road(1/2)"
[definitions]
d = "2*road(x)"
[invariants]
i = "f(d)"
[tables]
f = { points = [[0, 1], [1, 2], [2, 0]], kind = "cubic", outside = "error" }
[tables.road]
points = [[0, 0], [1, 1], [2, 5]]
kind = "cubic"
[initial]
q = { x = 1, y = 1 }
)toml");
  EXPECT_EQ(system.tables().size(), 2U);
  Graph graph(system.graph());
  EXPECT_EQ(to_text(system.expression(graph, "road(x) - d'", "event")), "road(x) - 2*x'*road'(x)");
  EXPECT_EQ(to_text(system.forces().at(0)), "-f'(x)");
}

TEST(Tables, FromCpp) {
  Symbols s;
  SystemText text;
  text.coordinates = {"x"};
  text.lagrangian = "x'^2/2";
  text.tables = {{"steer", {{0, 0}, {1, 2}}, "cubic"}};
  text.forces = {{"x", "steer(x)"}};
  EXPECT_EQ(first_table(System::from(text)).kind(), Table::Kind::cubic);
  text.forces = {{"x", Table("own", std::vector<double>{0, 1}, {0, 1}, {})(s["x"])}};
  EXPECT_EQ(to_text(System::from(text).forces().at(0)), "own(x)");
  text.tables = {{"steer", {{1, 0}, {0, 2}}}};
  EXPECT_TRUE(contains(refusal([&] { System::from(text); }), "out of order"));
}

TEST(Tables, WhatIsRefused) {
  const std::pair<const char*, const char*> cases[] = {
      {"f = 3", "table 'f' has to be a table with its points, not an integer"},
      {"f = { kind = \"linear\" }", "table 'f' has no points"},
      {"f = { points = 3 }", "`points` has to be an array"},
      {"f = { points = [] }", "table 'f' has 0 points"},
      {"f = { points = [[0, 1]] }", "table 'f' has 1 point"},
      {"f = { points = [[0, 1], [1]] }", "a point of table 'f' has 1 numbers, not two numbers"},
      {"f = { points = [[0, 1], 2] }", "a point of table 'f' is an integer, not two numbers"},
      {"f = { points = [[0, 1], [1, \"m\"]] }", "'m' in table 'f' is not a number"},
      {"f = { points = [[0, 1], [1, nan]] }", "table 'f'"},
      {"f = { points = [[1, 1], [0, 1]] }", "points 1 and 2 of table 'f' are out of order: 0 after 1"},
      {"f = { points = [[1, 1], [1, 2]] }", "points 1 and 2 of table 'f' have the same argument"},
      {"f = { points = \"0 1; 2\" }", "a point of table 'f' has 1 numbers, not 2"},
      {"f = { points = \"0 1; 2 x\" }", "'x' in table 'f' is not a number"},
      {"f = { points = [[0, 1], [1, 1]], kind = \"linaer\" }", "did you mean 'linear'?"},
      {"f = { points = [[0, 1], [1, 1]], kind = \"spline\" }", "write \"linear\" or \"cubic\""},
      {"f = { points = [[0, 1], [1, 1]], outside = \"zero\" }", "write \"hold\" or \"error\""},
      {"f = { points = [[0, 1], [1, 1]], outisde = \"hold\" }", "did you mean 'outside'?"},
      {"f = { points = [[0, 1], [1, 1]], file = \"a.csv\" }", "table 'f' has points and a file"},
      {"f = { file = \"a.csv\" }", "load the system from a file"},
      {"f = { points = [[0, 1], [1, 1]] }\nx = { points = [[0, 1], [1, 1]] }",
       "'x' is already the name of a coordinate"},
      {"f = { points = [[0, 1], [1, 1]] }\nsin = { points = [[0, 1], [1, 1]] }", "'sin' is a function"},
      {"f = { points = [[0, 1], [1, 1]] }\nfloor = { points = [[0, 1], [1, 1]] }", "'floor' is a function"},
  };
  for (const auto& [tables, what] : cases) {
    std::string all;
    for (const Problem& problem : problems_of(with_tables(tables))) all += to_text(problem) + "\n";
    EXPECT_TRUE(contains(all, what)) << tables << "\n" << all;
    EXPECT_TRUE(contains(all, "s.toml:")) << all;
  }
  const std::string good = "f = { points = [[0, 1], [1, 1]] }";
  EXPECT_TRUE(contains(problem_of(with_tables(good, "f(x, 1)")), "the table 'f' has one argument, not 2"));
  EXPECT_TRUE(contains(problem_of(with_tables(good, "2*f")), "the table 'f' needs its argument in parentheses"));
  EXPECT_TRUE(
      contains(problem_of("tables = 3\ncoordinates = [\"x\"]\nlagrangian = \"x'^2\"\n"), "`tables` has to be a table"));
}

class TableFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / "noslip tables";
    std::filesystem::create_directories(folder_ / "data");
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string refused(const std::string& table) const {
    write("system.toml", with_tables(table));
    return refusal([&] { System::load(path("system.toml")); });
  }

  std::filesystem::path folder_;
};

TEST_F(TableFile, BecomesPartOfTheText) {
  write("data/road.csv", "s, angle, \"height\"\n# in metres\n0, 9, 1\n0.1, 8, 3\n2, 7, 2\n");
  write("system.toml", with_tables("f = { file = \"data/road.csv\", x = \"s\", y = \"height\", kind = \"cubic\" }\n"
                                   "[tables.g]\n\"file\" = 'data/road.csv'\ny = 2\n"));
  const System system = System::load(path("system.toml"));
  ASSERT_EQ(system.tables().size(), 2U);
  EXPECT_EQ(system.tables()[0].x(1), to_quad("0.1"));
  EXPECT_EQ(system.tables()[0].y(1), 3);
  EXPECT_EQ(system.tables()[1].y(2), 7);
  const std::string text = with_points(read_text_file(path("system.toml"), 10000), path("system.toml"));
  std::filesystem::remove(folder_ / "data/road.csv");
  EXPECT_EQ(System::parse(text).tables()[0].fingerprint(), system.tables()[0].fingerprint());
  const std::string before = read_text_file(path("system.toml"), 10000);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), std::count(before.begin(), before.end(), '\n'));
  int asked = 0;
  (void)with_points(read_text_file(path("system.toml"), 10000), path("system.toml"), [&](const std::string& file) {
    ++asked;
    EXPECT_EQ(file, path("data/road.csv"));
    return std::string("s,angle,height\n0,0,0\n1,1,1\n");
  });
  EXPECT_EQ(asked, 2);
}

TEST_F(TableFile, WhatIsRefused) {
  write("a.csv", "t,y\n0,1\n1,2\n");
  write("plain.csv", "0,1\n1,2\n");
  write("unsorted.csv", "t,y\n0,1\n2,2\n1,3\n");
  write("same.csv", "t,y\n0,1\n0,2\n");
  write("hole.csv", "t,y\n0,1\n,2\n");
  write("word.csv", "t,y\n0,1\n1,x\n");
  write("one.csv", "t\n0\n1\n");
  const std::pair<const char*, const char*> cases[] = {
      {"f = { file = \"none.csv\" }", "table 'f': "},
      {"f = { file = 3 }", "`file` of table 'f' has to be a string, not an integer"},
      {"f = { file = \"a.csv\", x = \"T\" }", "has no column 'T'"},
      {"f = { file = \"plain.csv\", x = \"t\" }", "the columns have no names; write x = 1 for the first one"},
      {"f = { file = \"a.csv\", y = 3 }", "has no column 3"},
      {"f = { file = \"a.csv\", y = true }", "`y` has to be the name or the number of a column, not a boolean"},
      {"f = { file = \"one.csv\" }", "has no column 2"},
      {"f = { file = \"unsorted.csv\" }", "unsorted.csv:4:1: 1 follows 2: the arguments have to grow"},
      {"f = { file = \"same.csv\" }", "same.csv:3:1: 0 follows 0: a table has one value at each argument"},
      {"f = { file = \"hole.csv\" }", "hole.csv:3:1: a number is missing"},
      {"f = { file = \"word.csv\" }", "word.csv:3:"},
  };
  for (const auto& [table, what] : cases) {
    const std::string said = refused(table);
    EXPECT_TRUE(contains(said, what)) << table << "\n" << said;
  }
}

TEST_F(TableFile, MayBeLong) {
  std::string csv = "t,y\n";
  for (int i = 0; i < 100'000; ++i) csv += std::to_string(i) + ".5," + std::to_string(i % 10) + "\n";
  write("long.csv", csv);
  write("system.toml", with_tables("f = { file = \"long.csv\", kind = \"cubic\" }"));
  const System system = System::load(path("system.toml"));
  EXPECT_EQ(first_table(system).size(), 100'000U);
  EXPECT_EQ(first_table(system).value(54321.5), 1);
}

TEST(Keys, OfOtherFormatsAreAnswered) {
  const auto remedy = [](const std::string& line) {
    return problem_of(line + "\ncoordinates = [\"x\"]\nlagrangian = \"x'^2\"\n");
  };
  EXPECT_TRUE(contains(remedy("version = 1"), "a system file has no version: remove the line"));
  EXPECT_TRUE(contains(remedy("title = \"a\""), "write name"));
  EXPECT_TRUE(contains(remedy("dt = 0.1"), "it belongs to a run, not to a system"));
  EXPECT_TRUE(contains(remedy("potential = \"x\""), "write lagrangian = \"T - V\""));
}

}  // namespace
}  // namespace noslip::test
