// Saved steppers: in pieces, in other processes, of other programs, damaged.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include <noslip/core/bytes.hpp>
#include <noslip/run/stepper.hpp>

#include "run/control_help.hpp"

namespace noslip {
namespace {

using testing::numbers;
using testing::pushed_cart;
using testing::refusal;
using testing::sampled_cart;
using testing::spinning_sleigh;

template <class T>
void expect_same_in_pieces(const System& system, const ProgramOptions& options, double h, long long steps) {
  const Program<T> program(system, options);
  Stepper<T> at_once(program, h), one_by_one(program, h);
  ASSERT_EQ(at_once.advance(steps), steps) << at_once.outcome().message;
  for (long long i = 0; i < steps; ++i) ASSERT_TRUE(one_by_one.step());
  const std::string end = at_once.save();
  EXPECT_TRUE(one_by_one.save() == end) << system.name() << " " << options.method;
  for (const long long pieces : {1, 7, 10}) {
    std::string state = Stepper<T>(program, h).save();
    for (long long i = 0; i < pieces; ++i) {
      Stepper<T> next(Program<T>(system, options), 7 * h);
      next.load(state);
      next.advance(steps * (i + 1) / pieces - steps * i / pieces);
      state = next.save();
    }
    EXPECT_TRUE(state == end) << system.name() << " " << options.method << " in pieces: " << pieces;
    Stepper<T> last(program, h);
    last.load(state);
    EXPECT_EQ(last.t(), at_once.t());
    EXPECT_EQ(last.steps(), steps);
    EXPECT_EQ(numbers(last.q()), numbers(at_once.q()));
    EXPECT_EQ(numbers(last.v()), numbers(at_once.v()));
    EXPECT_EQ(numbers(last.multipliers()), numbers(at_once.multipliers()));
    EXPECT_EQ(last.work(), at_once.work());
  }
}

TEST(SavedSteppers, GoOnWithTheSameBits) {
  for (const std::string method : {"gauss:2", "mp", "lobatto-ab:2", "cm", "nh-lobatto:2"}) {
    for (const System& system : {testing::sleigh(), spinning_sleigh(), pushed_cart(), sampled_cart()}) {
      expect_same_in_pieces<double>(system, {.method = method}, 0.01, 1000);
      expect_same_in_pieces<double>(system, {.method = method, .tolerance = 1e-6}, 0.01, 1000);
    }
    expect_same_in_pieces<long double>(spinning_sleigh(), {.method = method}, 0.01, 200);
    expect_same_in_pieces<quad>(spinning_sleigh(), {.method = method}, 0.01, 200);
    expect_same_in_pieces<quad>(sampled_cart(), {.method = method}, 0.02, 200);
    expect_same_in_pieces<double>(spinning_sleigh(), {.method = method, .lanes = 4}, 0.01, 1000);
    expect_same_in_pieces<double>(testing::sleigh(), {.method = method, .lanes = 8, .tolerance = 1e-7}, 0.01, 300);
  }
}

const char* const saved_file = "NOSLIP_TEST_SAVED_STATE";

/// Not a test of its own: what the other process does.
TEST(SavedSteppers, InAnotherProcess) {
  const char* const path = std::getenv(saved_file);
  if (path == nullptr) GTEST_SKIP() << "started by the test below";
  std::ifstream file(path, std::ios::binary);
  const std::string state{std::istreambuf_iterator<char>(file), {}};
  Stepper stepper(Program(spinning_sleigh(), {.method = "gauss:3"}), 1);
  stepper.load(state);
  stepper.advance(500);
  std::ofstream(path, std::ios::binary) << stepper.save();
}

TEST(SavedSteppers, GoOnInAnotherProcess) {
  const Program program(spinning_sleigh(), {.method = "gauss:3"});
  Stepper stepper(program, 0.01);
  stepper.advance(500);
  const std::filesystem::path path = std::filesystem::temp_directory_path() / ("noslip_" + std::to_string(std::random_device()()));
  std::ofstream(path, std::ios::binary) << stepper.save();
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string command = std::string(saved_file) + "='" + path.string() + "' GTEST_TOTAL_SHARDS=1 GTEST_SHARD_INDEX=0 '" +
                              self + "' --gtest_filter=SavedSteppers.InAnotherProcess --gtest_brief=1 > /dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream file(path, std::ios::binary);
  const std::string there{std::istreambuf_iterator<char>(file), {}};
  std::filesystem::remove(path);
  stepper.advance(500);
  EXPECT_TRUE(there == stepper.save());
}

TEST(SavedSteppers, OfOtherProgramsAreRefused) {
  const System system = testing::sleigh();
  Stepper stepper(Program(system, {.method = "mp"}), 0.01);
  stepper.advance(10);
  const std::string before = stepper.save();
  const auto message = [&](const std::string& bytes) {
    const std::string text = refusal([&] { stepper.load(bytes); });
    EXPECT_TRUE(stepper.save() == before);
    return text;
  };
  EXPECT_NE(message(Stepper(Program(system), 0.01).save()).find("gauss:2"), std::string::npos);
  EXPECT_NE(message(Stepper(Program(spinning_sleigh(), {.method = "mp"}), 0.01).save()).find("'spinning sleigh'"),
            std::string::npos);
  EXPECT_NE(message(Stepper(Program(system, {.method = "mp", .lanes = 4}), 0.01).save()).find("4 lanes"),
            std::string::npos);
  EXPECT_NE(message(Stepper(Program(system, {.method = "mp", .tolerance = 1e-5}), 0.01).save()).find("tolerance"),
            std::string::npos);
  EXPECT_NE(message(Stepper<quad>(Program<quad>(system, {.method = "mp"}), 0.01).save()).find("quad"), std::string::npos);
  const System other = System::parse(R"toml(
    name        = "sleigh"
    coordinates = ["x", "y", "theta"]
    lagrangian  = "(x'^2 + y'^2)/2 + theta'^2"
    constraints = ["y'*cos(theta) = x'*sin(theta)"])toml");
  EXPECT_NE(message(Stepper(Program(other, {.method = "mp"}), 0.01).save()).find("version"), std::string::npos);
  EXPECT_FALSE(message("").empty());
  EXPECT_FALSE(message("what is this? it is long enough to have some numbers in it, but it has none").empty());
  EXPECT_FALSE(message(before + "x").empty());
  // Sums of the state that are plain are another method.
  EXPECT_FALSE(message(Stepper(Program(system, {.method = "mp,sums=plain"}), 0.01).save()).empty());
}

/// A system of the same name with other variables, whose order of elimination was chosen at the start.
TEST(SavedSteppers, OfOtherSystemsWithTheSameNameAreRefused) {
  const auto blade = [](int more) {
    std::string names = "'x', 'y', 'theta'", lagrangian = "(x'^2 + y'^2)/2 + theta'^2 - x/3 - y^2/4 - cos(x)*y/5";
    for (int i = 0; i < more; ++i) {
      names += ", 'a" + std::to_string(i) + "'";
      lagrangian += " + a" + std::to_string(i) + "'^2/2";
    }
    return System::parse("name = 'blade'\ncoordinates = [" + names + "]\nlagrangian = \"" + lagrangian +
                         "\"\nconstraints = [\"cos(theta)*x' + sin(theta)*y' = 0\"]\n[initial]\nv = {y = 1, theta = 1}\n");
  };
  for (const std::string method : {"mp", "rk-lobatto-iiic:3", "nh-lobatto:2"}) {
    for (const int more : {1, 30}) {
      const Program large(blade(more), {.method = method}), small(blade(0), {.method = method});
      const auto start = [](const Program<double>& program) {
        Stepper stepper(program, 0.02);
        const std::size_t count = program.system().q().size();
        InitialState state{0, std::vector<double>(count), std::vector<double>(count), {}};
        state.q[2] = std::numbers::pi / 2;
        state.v[0] = -1;
        state.v[2] = 1e-3;
        stepper.project_states(true);
        stepper.set_state(state);
        EXPECT_TRUE(stepper.step());
        return stepper;
      };
      Stepper one = start(large), other = start(small);
      EXPECT_EQ(one.program().shared() != large.shared(), method == "rk-lobatto-iiic:3") << method;
      for (const auto& [to, from] : {std::pair{&one, &other}, std::pair{&other, &one}}) {
        const std::string before = to->save();
        EXPECT_NE(refusal([&] { to->load(from->save()); }).find("version"), std::string::npos) << method;
        EXPECT_TRUE(to->save() == before);
      }
    }
  }
}

/// Neither has a step in it that differs.
TEST(SavedSteppers, OfOtherControllersAreRefused) {
  const auto saved = [](const std::string& controller) {
    return Stepper(Program(testing::cart("[sampled]\nevery = 0.1\n" + controller), {.method = "mp"}), 0.01).save();
  };
  Stepper stepper(Program(testing::cart("[sampled]\nevery = 0.1\nu = '-x'\n"), {.method = "mp"}), 0.01);
  stepper.load(saved("u = '-x'\n"));
  EXPECT_FALSE(refusal([&] { stepper.load(saved("u = '-2*x'\n")); }).empty());
  EXPECT_FALSE(refusal([&] { stepper.load(saved("I = 'last(I) + x'\nu = '-x'\n")); }).empty());
}

TEST(SavedSteppers, ThatAreDamagedAreRefused) {
  Stepper stepper(Program(sampled_cart(), {.method = "mp"}), 0.01);
  stepper.advance(33);
  const std::string good = stepper.save();
  for (std::size_t length = 0; length < good.size(); ++length) {
    EXPECT_FALSE(refusal([&] { stepper.load(std::string_view(good).substr(0, length)); }).empty()) << length;
  }
  std::mt19937 random(5);
  for (int i = 0; i < 1000; ++i) {
    std::string bad = good;
    const int changes = 1 + static_cast<int>(random() % 4);
    for (int k = 0; k < changes; ++k) bad[random() % bad.size()] ^= static_cast<char>(1 + random() % 255);
    if (i % 5 == 0) bad.insert(random() % bad.size(), std::string(random() % 20, static_cast<char>(random())));
    if (i % 7 == 0) bad.erase(random() % bad.size(), random() % 20);
    if (bad == good) continue;
    EXPECT_FALSE(refusal([&] { stepper.load(bad); }).empty()) << i;
  }
  EXPECT_TRUE(stepper.save() == good);
  stepper.load(good);
  EXPECT_TRUE(stepper.step());
}

/// Bytes with a checksum that fits, but which no stepper has saved: refused, or a state from which steps are made or fail.
TEST(SavedSteppers, ThatWereMadeUpDoNoHarm) {
  const auto with_checksum = [](std::string bytes) {
    std::uint64_t sum = 14695981039346656037ULL;  // FNV-1a
    for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
    ByteWriter end;
    end.put(sum);
    return bytes + end.take();
  };
  const auto check = [&](const Program<double>& program) {
    Stepper original(program, 0.03);
    original.advance(33);
    std::string body = original.save();
    body.resize(body.size() - sizeof(std::uint64_t));
    ASSERT_TRUE(with_checksum(body) == original.save());
    const auto bytes_of_number = [](double x) {
      ByteWriter bytes;
      bytes.put(x);
      return bytes.take();
    };
    int refused = 0;
    for (const std::string& pattern : {std::string(8, '\xff'), std::string(1, '\2'), bytes_of_number(-1e300)}) {
      for (std::size_t at = 0; at + pattern.size() <= body.size(); at += 5) {
        std::string bad = body;
        bad.replace(at, pattern.size(), pattern);
        Stepper stepper(program, 0.01);
        try {
          stepper.load(with_checksum(bad));
          stepper.advance(2);
        } catch (const InputError&) {
          ++refused;
        }
      }
    }
    EXPECT_GT(refused, 20);
  };
  check(Program(sampled_cart(), {.method = "mp", .backend = Backend::interpreter}));
  check(Program(spinning_sleigh(), {.method = "gauss:2", .backend = Backend::interpreter, .tolerance = 1e-6}));
}

}  // namespace
}  // namespace noslip
