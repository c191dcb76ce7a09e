// Rows of files and documents as initial states: every format, all digits, groups; and what is refused.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/io/initial_row.hpp>
#include <noslip/io/json.hpp>
#include <noslip/io/row_sink.hpp>
#include <noslip/run/rotations.hpp>
#include <noslip/run/row_reader.hpp>

namespace noslip {
namespace {

class InitialRows : public testing::Test {
 protected:
  void SetUp() override {
    const auto* const info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() / (std::string("noslip_initial_row_") + info->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  Trajectory write(const System& system, const std::string& name, bool quaternions = false) {
    std::vector<Column> columns = row_columns(system);
    QuaternionOutput turned(system.factors(), system.coordinates(), system.velocity_names());
    if (quaternions) columns = with_positions(columns, turned.names());
    const auto sink = open_rows({.name = path(name), .columns = columns});
    RowReader read(system, columns, system.parameter_values());
    Trajectory run = integrate(system, {.method = "gauss:2", .step = 0.05, .until = 0.5, .every = 1});
    for (const Sample& sample : run.samples) sink->write(quaternions ? read(turned(sample), sample) : read(sample));
    sink->close();
    return run;
  }
  InitialRow row(const System& system, const std::string& name, std::optional<long long> number = {}) {
    return initial_row(system, read_named_row(path(name), number), system.parameter_values_quad(), name);
  }
  std::string problem(const System& system, const std::string& name, std::optional<long long> number = {}) {
    try {
      row(system, name, number);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder_;
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(InitialRows, OfEveryFormatHaveAllDigits) {
  for (const char* name : {"sleigh", "rolling-coin-so3", "rolling-wheel", "chaplygin-sleigh-se2"}) {
    const System system = catalogue_system(name);
    for (const char* ending : {".csv", ".npz", ".h5"}) {
      const std::string file = std::string(name) + ending;
      const Trajectory run = write(system, file);
      const InitialState third = to_double(row(system, file, 3).state), last = to_double(row(system, file).state);
      EXPECT_EQ(third.q, run.samples[2].q) << file;
      EXPECT_EQ(third.v, run.samples[2].v) << file;
      EXPECT_EQ(third.t, run.samples[2].t) << file;
      EXPECT_EQ(last.q, run.last.q) << file;
      EXPECT_EQ(to_double(row(system, file, -1).state).q, run.last.q) << file;
      EXPECT_EQ(to_double(row(system, file, -2).state).q, run.samples[run.samples.size() - 2].q) << file;
    }
  }
}

TEST_F(InitialRows, OfQuaternions) {
  const System system = catalogue_system("rolling-coin-so3");
  const Trajectory run = write(system, "turned.csv", true);
  const InitialState state = to_double(row(system, "turned.csv", 5).state);
  ASSERT_EQ(state.q.size(), run.samples[4].q.size());
  for (std::size_t i = 0; i < state.q.size(); ++i) EXPECT_NEAR(state.q[i], run.samples[4].q[i], 1e-15);
  const Trajectory rest = integrate(system.starting_at(row(system, "turned.csv", 5).state),
                                    {.method = "gauss:2", .step = 0.05, .until = 0.5});
  for (std::size_t i = 0; i < state.q.size(); ++i) EXPECT_NEAR(rest.last.q[i], run.last.q[i], 1e-13);
}

TEST_F(InitialRows, OfDocumentsHaveTheDigitsOfThePrecision) {
  const System system = catalogue_system("rolling-coin-so3");
  const Trajectory run = integrate(
      system, {.method = "gauss:2", .step = 0.05, .until = 0.5, .precision = Precision::quadruple, .at = {0.2, 0.3}});
  std::ofstream(path("run.json")) << to_json_text(run);
  const InitialStateQuad state = row(system, "run.json").state;
  EXPECT_EQ(state.q, run.last_quad.q);
  EXPECT_EQ(state.v, run.last_quad.v);
  EXPECT_EQ(state.t, run.last_quad.t);
  EXPECT_EQ(to_double(row(system, "run.json", 2).state).q, run.values[1].q);
  EXPECT_TRUE(has(problem(system, "run.json", 3), "has no state in `at` 3"));
}

TEST_F(InitialRows, OfSystemsWithMultipliersAndMomentaAsVariables) {
  const System index2 = catalogue_system("index2");
  const Trajectory run = integrate(index2, {.method = "srk-radau-ia:2", .step = 0.05, .until = 0.5});
  std::ofstream(path("index2.json")) << to_json_text(run);
  const InitialState state = to_double(row(index2, "index2.json").state);
  EXPECT_EQ(state.q, run.last.q);
  EXPECT_EQ(state.z, run.last.multipliers);
}

TEST_F(InitialRows, HaveInputs) {
  const System system =
      System::parse("coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[inputs]\ntau = 0\n[forces]\nx = 'tau'\n");
  std::ofstream(path("cart.csv")) << "t,x,x',tau\n1,2,3,0.1\n";
  const InitialRow found = row(system, "cart.csv");
  EXPECT_EQ(static_cast<double>(found.state.t), 1);
  EXPECT_EQ(static_cast<double>(found.inputs.at("tau")), 0.1);
}

TEST_F(InitialRows, Refusals) {
  const System system = catalogue_system("sleigh");
  std::ofstream(path("few.csv")) << "t,x,y\n1,2,3\n";
  EXPECT_TRUE(has(problem(system, "few.csv"), "'few.csv' is no state: it has no theta, x', y' and theta' of"));
  EXPECT_TRUE(has(problem(system, "few.csv"), "do not leave any out with `columns`"));
  std::ofstream(path("hole.csv")) << "t,x,y,theta,x',y',theta'\n1,2,,0,0,0,0\n";
  EXPECT_TRUE(has(problem(system, "hole.csv"), "has no finite value for y"));
  std::ofstream(path("numbers.csv")) << "1,2\n";
  EXPECT_TRUE(has(problem(system, "numbers.csv"), "does not name its columns"));
  write(system, "run.csv");
  EXPECT_TRUE(has(problem(system, "run.csv", 0), "has no row 0\n"));
  EXPECT_TRUE(has(problem(system, "run.csv", 12), "rows are counted from 1 to 11"));
  std::ofstream(path("other.json")) << "{\"a\": 1}";
  EXPECT_TRUE(has(problem(system, "other.json"), "is not a JSON document of a run"));
  EXPECT_TRUE(has(problem(system, "run.txt"), "is not a file of states by its ending"));
  EXPECT_THROW(row(system, "none.csv"), FileError);
}

TEST_F(InitialRows, ChoicesOfRows) {
  const auto parts = [](const std::string& text) {
    const RowChoice choice = row_choice(text);
    return std::pair(choice.file, choice.row);
  };
  EXPECT_EQ(parts("run.csv"), std::pair(std::string("run.csv"), std::optional<long long>()));
  EXPECT_EQ(parts("run.csv:7"), std::pair(std::string("run.csv"), std::optional<long long>(7)));
  EXPECT_EQ(parts("a:b.csv:-1"), std::pair(std::string("a:b.csv"), std::optional<long long>(-1)));
  EXPECT_EQ(parts("a:b.csv"), std::pair(std::string("a:b.csv"), std::optional<long long>()));
}

/// The order of elimination is chosen where the file starts, so that no run depends on another one.
TEST_F(InitialRows, AnotherStartIsTheSameProgram) {
  const System system = catalogue_system("rolling-wheel");
  const Trajectory run = integrate(system, {.method = "gauss:2", .step = 0.05, .until = 0.5, .every = 1});
  const InitialState here{run.samples[4].t, run.samples[4].q, run.samples[4].v, {}};
  const Trajectory given = integrate(system, here, {.method = "gauss:2", .step = 0.05, .until = 0.5});
  const Trajectory other =
      integrate(system.starting_at(to_quad(here)), {.method = "gauss:2", .step = 0.05, .until = 0.5});
  EXPECT_EQ(given.last.q, other.last.q);
  EXPECT_EQ(system.starting_at(to_quad(here)).as_written().initial_state(system.parameter_values()).q,
            system.initial_state(system.parameter_values()).q);
}

}  // namespace
}  // namespace noslip
