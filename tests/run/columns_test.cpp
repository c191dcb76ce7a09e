// The table of columns: names, kinds, and the numbers that are read by it.
#include <cmath>

#include <gtest/gtest.h>

#include <noslip/core/error.hpp>
#include <noslip/run/row_reader.hpp>

namespace noslip {
namespace {

System skate() {
  return System::parse(R"toml(
coordinates = ["x", "y", "theta"]
angles      = ["theta"]
lagrangian  = "m/2*(x'^2 + y'^2 + theta'^2)"
constraints = ["y'*cos(theta) = x'*sin(theta)"]
[parameters]
m = 2
[invariants]
spin = "m*theta'"
[exact]
theta = "3*t"
)toml");
}

const Sample sample{0.5, {1, 2, 3}, {4, 5, 6}, {7}, 8, 9, 10};

std::vector<double> read(const System& system, const std::vector<Column>& columns) {
  RowReader reader(system, columns, system.parameter_values());
  const std::span<const double> row = reader(sample);
  return {row.begin(), row.end()};
}

TEST(Columns, SayWhatASampleHolds) {
  const std::vector<Column> columns = row_columns(skate());
  EXPECT_EQ(names_of(columns), (std::vector<std::string>{"t", "x", "y", "theta", "x'", "y'", "theta'", "lambda1",
                                                         "energy", "constraint"}));
  EXPECT_EQ(read(skate(), columns), (std::vector<double>{0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(columns[3].unit, "rad");
  EXPECT_EQ(columns[1].unit, "");
  EXPECT_EQ(columns[4].key, "x");  // of the velocity x'
  EXPECT_EQ(columns[4].index, 0U);
  EXPECT_EQ(find_column(columns, "lambda1"), 7U);
  EXPECT_EQ(find_column(columns, "lambda2"), columns.size());
  EXPECT_EQ(places_of(columns, ColumnKind::velocity), (std::vector<std::size_t>{4, 5, 6}));
  for (const Column& column : columns) EXPECT_TRUE(column.is_stored()) << column.name;
}

/// The work of an input in the potential is done between steps.
TEST(Columns, InputsStandBeforeTheConstraint) {
  const auto names = [](const std::string& lagrangian) {
    return names_of(row_columns(
        System::parse("coordinates = ['x']\nlagrangian = \"" + lagrangian + "\"\n[inputs]\nu = 1\nwork = 2\n")));
  };
  EXPECT_EQ(names("x'^2/2"), (std::vector<std::string>{"t", "x", "x'", "energy", "u", "work", "constraint"}));
  EXPECT_EQ(names("x'^2/2 - u*x"),
            (std::vector<std::string>{"t", "x", "x'", "energy", "work", "u", "work_", "constraint"}));
  Sample with_inputs = sample;
  with_inputs.inputs = {11, 12};
  EXPECT_EQ(value_of({"work_", ColumnKind::input, 1}, with_inputs), 12);
}

TEST(Columns, FunctionsStandBesideWhatIsStored) {
  const System system = skate();
  std::vector<Column> columns =
      columns_of(system, {ColumnKind::invariant, ColumnKind::time, ColumnKind::momentum, ColumnKind::exact});
  EXPECT_EQ(names_of(columns), (std::vector<std::string>{"spin", "t", "p(x)", "p(y)", "p(theta)", "exact(theta)"}));
  EXPECT_EQ(read(system, columns), (std::vector<double>{12, 0.5, 8, 10, 12, 1.5}));
}

TEST(Columns, TextsAreNamesOrExpressions) {
  const System system = skate();
  const std::vector<Column> columns = columns_of_texts(system, {"theta'", "m*x + t", "y"});
  EXPECT_EQ(columns[0].kind, ColumnKind::velocity);
  EXPECT_EQ(columns[1].kind, ColumnKind::expression);
  EXPECT_EQ(columns[2].kind, ColumnKind::coordinate);
  EXPECT_EQ(read(system, columns), (std::vector<double>{6, 2.5, 2}));
  try {
    RowReader(system, columns_of_texts(system, {"x", "tehta", "x +"}), system.parameter_values(), "column");
    ADD_FAILURE() << "wrong texts are accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().size(), 2U);
  }
}

TEST(Columns, OtherPositionsTakeThePlaceOfCoordinates) {
  const std::vector<std::string> positions = {"a", "constraint"};
  const std::vector<Column> columns = with_positions(row_columns(skate()), positions);
  EXPECT_EQ(names_of(columns), (std::vector<std::string>{"t", "a", "constraint", "x'", "y'", "theta'", "lambda1",
                                                         "energy", "constraint_"}));
  EXPECT_EQ(columns[2].index, 1U);
}

TEST(Columns, WhatASampleDoesNotHaveIsNotANumber) {
  EXPECT_TRUE(std::isnan(value_of({"lambda2", ColumnKind::multiplier, 1}, sample)));
  EXPECT_EQ(value_of({"work", ColumnKind::work}, sample), 10);
}

}  // namespace
}  // namespace noslip
