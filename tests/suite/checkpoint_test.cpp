// Every method, broken off and continued on systems of all kinds: the same document and the same rows.
#include <algorithm>

#include <gtest/gtest.h>

#include <noslip/core/archive.hpp>
#include <noslip/io/json.hpp>
#include <noslip/run/run.hpp>

#include "suite/members.hpp"
#include "support/figures.hpp"
#include "support/pieces.hpp"

namespace noslip {
namespace {

using testing::everything;
using testing::in_pieces;

std::string document(Trajectory run) {
  run.wall_seconds = 0;
  return to_json_text(run);
}

class InPieces : public ::testing::TestWithParam<std::string> {};

TEST_P(InPieces, IsTheSameRun) {
  // Compiling all pairs takes most of a minute: each method has a part of its systems, another one than its neighbours.
  const std::vector<std::string> methods = testing::all_methods();
  const std::vector<System> systems = testing::systems_for(GetParam());
  const auto number = static_cast<std::size_t>(std::find(methods.begin(), methods.end(), GetParam()) - methods.begin());
  int compared = 0;
  for (std::size_t i = number % std::min<std::size_t>(4, systems.size()); i < systems.size(); i += 4) {
    const System& system = systems[i];
    RunOptions options = testing::options(GetParam(), testing::step_for(GetParam(), system), 40);
    options.every = 3;
    const Trajectory whole = integrate(system, options), pieces = in_pieces(system, options, {1, 2, 23});
    EXPECT_EQ(document(pieces), document(whole)) << system.name();
    EXPECT_TRUE(everything(pieces) == everything(whole)) << system.name();
    ++compared;
  }
  test::figure("pairs_resumed", compared);
}

INSTANTIATE_TEST_SUITE_P(All, InPieces, ::testing::ValuesIn(testing::all_methods()),
                         [](const auto& instance) { return testing::test_name(instance.param); });

}  // namespace
}  // namespace noslip
