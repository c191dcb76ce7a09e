// Every way of running a tape gives the same bits: interpreter and machine code, 1, 4 and 8 lanes, every instruction
// set.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <noslip/tape/backup.hpp>
#include <noslip/tape/side_by_side.hpp>

#include "exec/kernel_access.hpp"
#include "exec/machine_code.hpp"
#include "exec/random_tape.hpp"
#include "exec/rolled.hpp"
#include "support/figures.hpp"

namespace noslip {
namespace {

std::vector<double> run(const Kernel<double>& kernel, std::vector<double> workspace) {
  // Fresh scratch full of a strange number: nothing may be read from it that the call has not written.
  std::vector<double> scratch(kernel.scratch_size(), -7.25e77);
  kernel(workspace.data(), scratch.data());
  return workspace;
}

std::vector<double> random_workspace(Random& random, const TapeShape& shape) {
  std::vector<double> workspace(static_cast<std::size_t>(shape.slots));
  for (double& value : workspace) value = shape.is_tame ? random_tame_number(random) : random_number(random);
  return workspace;
}

struct Way {
  Backend backend;
  int lanes;
  Isa isa;
};

std::string to_text(const Way& way) {
  const char* isa = way.isa == Isa::avx512 ? "AVX-512" : way.isa == Isa::avx2 ? "AVX2" : "baseline";
  return fmt::format("{}, {} lanes, {}", way.backend == Backend::jit ? "machine code" : "interpreter", way.lanes, isa);
}

std::vector<Way> ways(Isa isa, bool has_externals = false) {
  std::vector<Way> list;
  for (const int lanes : {1, 4, 8}) {
    list.push_back({Backend::interpreter, lanes, isa});
    if (why_no_machine_code(isa).empty() && !has_externals) list.push_back({Backend::jit, lanes, isa});
  }
  return list;
}

// Runs eight trajectories in every way and compares with the interpreter of one lane.
void compare(const Tape& tape, const TapeShape& shape, Random& random, Isa isa) {
  const Kernel<double> single = KernelAccess<double>::make(tape, Backend::interpreter, 1, isa);
  const auto size = static_cast<std::size_t>(shape.slots);
  std::vector<std::vector<double>> before, expected;
  for (int trajectory = 0; trajectory < 8; ++trajectory) {
    before.push_back(random_workspace(random, shape));
    expected.push_back(run(single, before.back()));
  }
  for (const Way& way : ways(isa, !tape.calls().empty())) {
    const Kernel<double> kernel = KernelAccess<double>::make(tape, way.backend, way.lanes, way.isa);
    const auto lanes = static_cast<std::size_t>(way.lanes);
    for (std::size_t first = 0; first < 8; first += lanes) {
      std::vector<double> workspace(size * lanes);
      for (std::size_t k = 0; k < size; ++k) {
        for (std::size_t lane = 0; lane < lanes; ++lane) workspace[k * lanes + lane] = before[first + lane][k];
      }
      workspace = run(kernel, std::move(workspace));
      for (std::size_t k = 0; k < size; ++k) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          const double wanted = expected[first + lane][k], found = workspace[k * lanes + lane];
          ASSERT_TRUE(is_same(found, wanted))
              << to_text(way) << ": slot " << k << " of lane " << lane << " is " << found << ", not " << wanted << "\n"
              << (tape.code().size() < 30 ? to_text(tape) : std::string());
        }
      }
    }
  }
}

/// Of docs/reliability.md.
const char* name_of_tapes(Isa isa) {
  return isa == Isa::avx512 ? "tapes_avx512" : isa == Isa::avx2 ? "tapes_avx2" : "tapes_baseline";
}

template <class Compare>
void fuzz(Isa isa, std::uint64_t seed, int rounds, Compare compare_them) {
  if (native_isa() < isa) GTEST_SKIP() << "the processor does not have these instructions";
  for (int round = 0; round < rounds; ++round) {
    Random random(seed + static_cast<std::uint64_t>(round));
    TapeShape shape = random_shape(random);
    if (round % 4 == 3) shape.externals = 0.1;
    const Tape tape = random_tape(random, shape);
    SCOPED_TRACE(fmt::format("seed {}", seed + static_cast<std::uint64_t>(round)));
    compare_them(tape, shape, random, isa);
    if (testing::Test::HasFatalFailure()) return;
  }
  test::figure(name_of_tapes(isa), rounds);
}
void fuzz(Isa isa, std::uint64_t seed, int rounds) { fuzz(isa, seed, rounds, compare); }

// A tape with a backup does the same in every way, keeps what it has replaced, and tells what is not finite.
void compare_backups(const Tape& tape, const TapeShape& shape, Random& random, Isa isa) {
  Backup backup;
  for (const Tape::Store& store : tape.stores()) {
    backup.checked.push_back(store.slot);
    if (random() % 4 > 0) backup.replaced.push_back(store.slot);
  }
  backup.replaced.push_back(static_cast<std::uint32_t>(shape.slots) - 1);  // stored or not
  backup.kept = static_cast<std::uint32_t>(shape.slots);
  backup.verdict = backup.kept + static_cast<std::uint32_t>(backup.replaced.size());
  const Tape safe = with_backup(tape, backup);
  TapeShape larger = shape;
  larger.slots = static_cast<int>(backup.verdict) + 1;
  compare(safe, larger, random, isa);

  const Kernel<double> plain = KernelAccess<double>::make(tape, Backend::interpreter, 1, isa);
  const Kernel<double> kernel = KernelAccess<double>::make(safe, Backend::interpreter, 1, isa);
  const std::vector<double> before = random_workspace(random, larger);
  const std::vector<double> expected = run(plain, before), found = run(kernel, before);
  for (std::uint32_t k = 0; k < backup.kept; ++k) ASSERT_TRUE(is_same(found[k], expected[k])) << "slot " << k;
  for (std::size_t i = 0; i < backup.replaced.size(); ++i) {
    ASSERT_TRUE(is_same(found[backup.kept + i], before[backup.replaced[i]])) << "kept " << i;
  }
  const bool is_finite = std::all_of(backup.checked.begin(), backup.checked.end(),
                                     [&](std::uint32_t slot) { return std::isfinite(expected[slot]); });
  ASSERT_EQ(found[backup.verdict] == 0, is_finite);
}

// Many runs in a row, by calls and by a loop, with and without a guard that ends them early.
void compare_loops(const Tape& tape, const TapeShape& shape, Random& random, Isa isa) {
  static constexpr long long counts[] = {0, 1, 2, 3, 64, 65};
  LoopKernel<double>::Guard guard;
  if (random() % 2 == 0) {
    guard.limit = 2.5;
    for (const Tape::Store& store : tape.stores()) {
      if (random() % 4 == 0) guard.slots.push_back(store.slot);
    }
  }
  for (const Way& way : ways(isa, !tape.calls().empty())) {
    const Kernel<double> once = KernelAccess<double>::make(tape, way.backend, way.lanes, way.isa);
    const LoopKernel<double> loop = LoopKernelAccess<double>::make(tape, way.backend, way.lanes, way.isa, guard);
    ASSERT_EQ(loop.is_machine_code(), way.backend == Backend::jit);
    std::vector<double> before(static_cast<std::size_t>(shape.slots) * static_cast<std::size_t>(way.lanes));
    for (double& value : before) value = shape.is_tame ? random_tame_number(random) : random_number(random);
    const long long count = counts[random() % std::size(counts)];
    std::vector<double> expected = before, found = before;
    std::vector<double> scratch(std::max(once.scratch_size(), loop.scratch_size()), -7.25e77);
    const auto is_over = [&] {
      for (const std::uint32_t slot : guard.slots) {
        for (int lane = 0; lane < way.lanes; ++lane) {
          const auto place = static_cast<std::size_t>(slot) * static_cast<std::size_t>(way.lanes);
          if (std::fabs(expected[place + static_cast<std::size_t>(lane)]) > guard.limit) return true;
        }
      }
      return false;
    };
    long long done = 0;
    while (done < count) {
      once(expected.data(), scratch.data());
      ++done;
      if (is_over()) break;
    }
    std::fill(scratch.begin(), scratch.end(), -7.25e77);
    ASSERT_EQ(loop(found.data(), scratch.data(), count), done) << to_text(way) << ", " << count << " runs";
    for (std::size_t k = 0; k < found.size(); ++k) {
      ASSERT_TRUE(is_same(found[k], expected[k])) << to_text(way) << ", " << count << " runs, place " << k << ": "
                                                  << found[k] << ", not " << expected[k] << "\n"
                                                  << (tape.code().size() < 30 ? to_text(tape) : std::string());
    }
  }
}

// Two copies side by side do what each does by itself.
void compare_copies(const Tape& tape, const TapeShape& shape, Random& random, Isa isa) {
  if (!tape.calls().empty()) return;
  const auto size = static_cast<std::size_t>(shape.slots);
  std::vector<std::uint32_t> shared;
  for (const std::uint32_t slot : tape.input_slots()) {
    const bool is_stored = std::any_of(tape.stores().begin(), tape.stores().end(),
                                       [&](const Tape::Store& store) { return store.slot == slot; });
    if (!is_stored && random() % 3 == 0) shared.push_back(slot);
  }
  const Tape both = side_by_side(tape, static_cast<std::uint32_t>(shape.slots), shared);
  const Kernel<double> single = KernelAccess<double>::make(tape, Backend::interpreter, 1, isa);
  const std::vector<double> first = random_workspace(random, shape);
  std::vector<double> second = random_workspace(random, shape);
  for (const std::uint32_t slot : shared) second[slot] = first[slot];
  std::vector<double> expected = run(single, first);
  const std::vector<double> other = run(single, second);
  expected.insert(expected.end(), other.begin(), other.end());
  for (const Way& way : ways(isa)) {
    const Kernel<double> kernel = KernelAccess<double>::make(both, way.backend, way.lanes, way.isa);
    const auto lanes = static_cast<std::size_t>(way.lanes);
    std::vector<double> workspace;
    for (const std::vector<double>& half : {first, second}) {
      for (const double value : half) workspace.insert(workspace.end(), lanes, value);
    }
    workspace = run(kernel, std::move(workspace));
    for (std::size_t k = 0; k < 2 * size * lanes; ++k) {
      ASSERT_TRUE(is_same(workspace[k], expected[k / lanes])) << to_text(way) << ": slot " << k / lanes;
    }
  }
}

void fuzz_repetitions(Isa isa, std::uint64_t seed, int rounds) {
  if (native_isa() < isa) GTEST_SKIP() << "the processor does not have these instructions";
  int rolled = 0;
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(fmt::format("seed {}", seed + static_cast<std::uint64_t>(round)));
    Random random(seed + static_cast<std::uint64_t>(round));
    TapeShape shape;
    shape.is_tame = round % 4 > 0;
    const Tape tape = repeating_tape(random, shape);
    rolled += roll(tape, 8) ? 1 : 0;
    compare(tape, shape, random, isa);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(2 * rolled, rounds);
  test::figure(name_of_tapes(isa), rounds);
}

// The comparison would be worth little if most results were NaN.
TEST(Fuzz, tame_tapes_give_ordinary_numbers) {
  int results = 0, ordinary = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    TapeShape shape = random_shape(random);
    shape.is_tame = true;
    const Tape tape = random_tape(random, shape);
    const std::vector<double> before = random_workspace(random, shape);
    const std::vector<double> after = run(Kernel<double>(tape, Backend::interpreter), before);
    for (const Tape::Store& store : tape.stores()) {
      ++results;
      ordinary += std::isnormal(after[store.slot]) ? 1 : 0;
    }
  }
  EXPECT_GT(ordinary, results * 7 / 10) << ordinary << " of " << results;
}

TEST(Fuzz, covers_machine_code) {
  if (native_isa() == Isa::baseline) GTEST_SKIP() << "no AVX2 here";
  EXPECT_EQ(why_no_machine_code(native_isa()), why_no_machine_code());
  EXPECT_EQ(ways(native_isa()).size(), why_no_machine_code().empty() ? 6u : 3u);
}

TEST(Fuzz, baseline) { fuzz(Isa::baseline, 1000000, 300); }
TEST(Fuzz, avx2) { fuzz(Isa::avx2, 2000000, 3000); }
TEST(Fuzz, avx512) { fuzz(Isa::avx512, 3000000, 3000); }

TEST(Fuzz, repetitions_avx2) { fuzz_repetitions(Isa::avx2, 11000000, 300); }
TEST(Fuzz, repetitions_avx512) { fuzz_repetitions(Isa::avx512, 12000000, 300); }

TEST(Fuzz, loops_baseline) { fuzz(Isa::baseline, 7000000, 300, compare_loops); }
TEST(Fuzz, loops_avx2) { fuzz(Isa::avx2, 8000000, 3000, compare_loops); }
TEST(Fuzz, loops_avx512) { fuzz(Isa::avx512, 9000000, 3000, compare_loops); }

TEST(Fuzz, copies_baseline) { fuzz(Isa::baseline, 13000000, 100, compare_copies); }
TEST(Fuzz, copies_avx2) { fuzz(Isa::avx2, 14000000, 500, compare_copies); }
TEST(Fuzz, copies_avx512) { fuzz(Isa::avx512, 15000000, 500, compare_copies); }

TEST(Fuzz, backups_baseline) { fuzz(Isa::baseline, 10000000, 100, compare_backups); }
TEST(Fuzz, backups_avx2) { fuzz(Isa::avx2, 11000000, 1000, compare_backups); }
TEST(Fuzz, backups_avx512) { fuzz(Isa::avx512, 12000000, 1000, compare_backups); }

TEST(Fuzz, long_tapes) {
  for (const Isa isa : {Isa::avx2, Isa::avx512}) {
    if (native_isa() < isa) continue;
    Random random(5);
    for (const int reach : {20, 300, 5000}) {
      TapeShape shape;
      shape.instructions = 5000;
      shape.inputs = 120;
      shape.constants = 60;
      shape.slots = 200;
      shape.reach = reach;
      compare(random_tape(random, shape), shape, random, isa);
    }
  }
}

// More places than sixteen bits can name.
TEST(Fuzz, very_many_values) {
  Random random(6);
  TapeShape shape;
  shape.instructions = 12000;
  shape.inputs = 9000;
  shape.slots = 9100;
  shape.reach = 20000;
  shape.is_tame = true;
  compare(random_tape(random, shape), shape, random, native_isa());
}

}  // namespace
}  // namespace noslip
