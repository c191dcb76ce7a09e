// A program around the library may have set a locale with a decimal comma: numbers are read and written as ever.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/exec/kernel.hpp>
#include <noslip/expr/parse.hpp>
#include <noslip/expr/print.hpp>
#include <noslip/io/json.hpp>
#include <noslip/io/plot.hpp>
#include <noslip/io/row_sink.hpp>
#include <noslip/io/section.hpp>
#include <noslip/model/continuous.hpp>
#include <noslip/run/row_reader.hpp>
#include <noslip/run/section.hpp>

#include "support/comma_locale.hpp"

namespace noslip {
namespace {

using testing::CommaLocale;

/// Constants in every form that a system file has for them.
const char* const text = R"toml(
coordinates = ["x", "y"]
lagrangian  = "m/2*(x'^2 + 1234567.5*y'^2) - 1.38e-23*x - cos(pi*x)/2.5 - y^4*1.1e+3"
constraints = ["x' = 0.25*y'"]
[parameters]
m = 1.5
k = "6.62607015e-34"
n = 31415.9265e-4
[invariants]
push = "123456.789*x'"
[exact]
x = "1.25*t"
[initial]
q = [0, "1/3"]
v = [0.5, 2.0]
)toml";

std::vector<std::string> numbers() {
  std::vector<std::string> result;
  for (const char* number : {"1.38e-23", "0.1", "3.14159265358979323846264338327950288419716939937510582", "1e-4000",
                             "123456789.123456789123456789123456789123456789", "2.5e+100", "7."}) {
    result.push_back(to_text(Number::parse(number).value()));
    result.push_back(to_text(to_quad(number)));
  }
  for (const double x : {0.1, 1234567.875, 1e22, -2.5e-300}) {
    result.push_back(to_text(x));
    result.push_back(to_text(static_cast<long double>(x) / 3));
    result.push_back(to_text(static_cast<quad>(x) / 3));
    result.push_back(to_short_text(x));
    result.push_back(to_text(Number::real(static_cast<quad>(x) / 7)));
  }
  return result;
}

std::string content(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Trajectory without_time(Trajectory run) {
  run.wall_seconds = 0;
  return run;
}

/// Everything that people and programs read.
std::vector<std::string> outputs() {
  std::vector<std::string> result = numbers();
  const System system = System::parse(text);
  for (const Expr expression : {system.lagrangian(), system.energy(), system.acceleration_rhs()[0]}) {
    result.push_back(to_text(expression));
    result.push_back(to_latex(expression));
  }
  for (const double value : system.parameter_values()) result.push_back(to_text(value));
  for (const quad value : system.parameter_values_quad()) result.push_back(to_text(value));

  RunOptions options;
  options.step = 0.01;
  options.steps = 30;
  options.every = 10;
  options.events = {{"x = 0.0123"}, {"sin(pi*t/0.3) = 0.5"}};
  const Trajectory run = without_time(integrate(system, options));
  result.push_back(to_json_text(run));
  result.push_back(run.summary());
  for (const Precision precision : {Precision::long_double, Precision::quadruple}) {
    options.precision = precision;
    result.push_back(to_json_text(without_time(integrate(system, options))));
  }
  const std::filesystem::path file = ::testing::TempDir() + "noslip_locale_test.csv";
  const auto csv = open_rows(file.string(), true, run.about.columns);
  RowReader read_row(run.about.columns);
  for (const Sample& sample : run.samples) csv->write(read_row(sample));
  csv->close();
  result.push_back(content(file));
  std::filesystem::remove(file);

  Plot plot;
  plot.title = "h^2.5";
  plot.panels = {{"", {"t"}, {"energy"}, {{"a", {{0, 1234567.5}, {0.001, 2345678.25}, {0.0025, 3e6}}}}},
                 {"", {"t"}, {"x", true}, {{"b", {{1, 1e-7}, {2, 0.5}}}}}};
  result.push_back(to_svg(plot));
  if (can_draw_png()) result.push_back(to_png(plot));

  try {
    System::parse("coordinates = ['x']\nlagrangian = \"x'^2 - 1.5.5*x\"");
  } catch (const InputError& error) {
    result.push_back(error.what());
  }
  const System wrong = System::parse("coordinates = ['x']\nlagrangian = \"x'^2\"\nconstraints = [\"x' = 1234.5\"]");
  try {
    integrate(wrong, options);
  } catch (const InputError& error) {
    result.push_back(error.what());
  }
  return result;
}

TEST(Locale, TheCommaIsThere) {
  const CommaLocale comma;
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.2f", 0.25);
  EXPECT_STREQ(buffer, "0,25");
  std::ostringstream stream;
  stream << 1234567;
  EXPECT_EQ(stream.str(), "1.234.567");
}

TEST(Locale, NumbersAreReadAndWrittenWithAPoint) {
  const std::vector<std::string> before = outputs();
  const CommaLocale comma;
  const std::vector<std::string> here = outputs();
  ASSERT_EQ(here.size(), before.size());
  for (std::size_t i = 0; i < here.size(); ++i) EXPECT_EQ(here[i], before[i]);
}

TEST(Locale, ConstantsHaveTheirValues) {
  const CommaLocale comma;
  Graph graph;
  const std::vector<Tape::Output> wanted{{graph.pi(), 0}, {graph.constant(*Number::parse("1.38e-23")), 1}};
  const Kernel<quad> kernel(Tape({}, wanted), Backend::interpreter);
  std::vector<quad> values(2), scratch(kernel.scratch_size());
  kernel(values.data(), scratch.data());
  EXPECT_EQ(static_cast<double>(values[0]), std::numbers::pi);
  EXPECT_EQ(static_cast<double>(values[1]), 1.38e-23);
  EXPECT_EQ(System::parse(text).parameter_values(), (std::vector<double>{1.5, 6.62607015e-34, 3.14159265}));
}

/// The locale of the program and of its other threads stays what it is while numbers are converted.
TEST(Locale, IsLeftAlone) {
  const CommaLocale comma;
  std::jthread other([](const std::stop_token& stop) {
    while (!stop.stop_requested()) EXPECT_TRUE(to_quad("0.5") == quad(0.5));
  });
  for (int i = 0; i < 2000; ++i) {
    ASSERT_STREQ(std::localeconv()->decimal_point, ",");
    ASSERT_EQ(to_digits(quad(0.5), 3), "0.5");
  }
}

}  // namespace
}  // namespace noslip
