// Kinds of systems: their tables of keys, what they offer, and their blocks of variables.
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "help.hpp"
#include "model/kind/kind.hpp"

namespace noslip::test {
namespace {

std::string page() {
  std::ifstream file(NOSLIP_SOURCE_DIR "/docs/system-files.md");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Kinds, KeysAreDocumented) {
  const std::string text = page();
  ASSERT_FALSE(text.empty());
  // The general kinds have a section each, with their own table; the mechanical one has the page up to there.
  const std::map<std::string, std::string> sections = {{"mechanical", "## Keys"},
                                                       {"dae2", "## Systems of index 2"},
                                                       {"odae", "## Overdetermined systems"},
                                                       {"skew-gradient", "## Skew-gradient systems"}};
  for (const Kind* kind : kinds()) {
    EXPECT_TRUE(contains(text, std::string("`\"") + kind->name() + "\"`")) << kind->name();
    const std::size_t begin = text.find(sections.at(kind->name()));
    ASSERT_NE(begin, std::string::npos) << kind->name();
    const std::string section = text.substr(begin, text.find("\n## ", begin) - begin);
    const auto is_mentioned = [&](const std::string& name) {
      return contains(section, "`" + name + "`") || contains(section, "`[" + name + "]`");
    };
    for (const auto keys : {kind->keys(), kind->initial_keys(), common_keys(), common_initial_keys()}) {
      for (const Key& key : keys) EXPECT_TRUE(is_mentioned(key.name)) << kind->name() << " " << key.name;
    }
  }
}

TEST(Kinds, KeysAreDifferent) {
  for (const Kind* kind : kinds()) {
    std::set<std::string> names{"name", "description", "source", "kind", "initial"}, members;
    for (const auto keys : {kind->keys(), common_keys()}) {
      for (const Key& key : keys) EXPECT_TRUE(names.insert(key.name).second) << kind->name() << " " << key.name;
    }
    for (const auto keys : {kind->keys(), kind->initial_keys(), common_keys(), common_initial_keys()}) {
      for (const Key& key : keys) EXPECT_TRUE(members.insert(key.member).second) << kind->name() << " " << key.member;
    }
  }
}

/// What is refused for a C++ text of each kind is exactly what its tables do not have.
TEST(Kinds, MembersOfOthersAreRefused) {
  for (const Kind* kind : kinds()) {
    SystemText text;
    text.kind = kind->name();
    text.coordinates = {"a"};
    text.lagrangian = text.hamiltonian = "a";
    text.constraints = text.holonomic = text.angles = text.y = text.z = text.g = text.lambda = text.v = text.p =
        text.r = text.x = {"a"};
    text.basis = text.f = text.structure = {{"a"}};
    text.forces = text.nonideal = text.states = {{"a", "a"}};
    text.q0 = text.v0 = text.p0 = text.y0 = text.z0 = text.lambda0 = text.x0 = text.states0 = {"a"};
    const std::string message = refusal([&] { System::from(text); });
    std::set<std::string> own;
    for (const auto keys : {kind->keys(), kind->initial_keys()}) {
      for (const Key& key : keys) own.insert(key.member);
    }
    for (const Kind* other : kinds()) {
      for (const auto keys : {other->keys(), other->initial_keys()}) {
        for (const Key& key : keys) {
          const std::string refused = std::string("`") + key.member + "` does not belong to a system of kind ";
          EXPECT_EQ(contains(message, refused), !own.contains(key.member)) << kind->name() << " " << key.member;
        }
      }
    }
  }
}

TEST(Kinds, UnknownKind) {
  SystemText text;
  text.kind = "dea2";
  EXPECT_TRUE(contains(refusal([&] { System::from(text); }), "unknown kind 'dea2'"));
}

TEST(Kinds, InitialValuesByNameFromCpp) {
  SystemText text;
  text.coordinates = {"x", "y"};
  text.hamiltonian = "(p(x)^2 + p(y)^2)/2";
  text.p0.values = {{"y", "3"}};
  const System system = System::from(text);
  EXPECT_EQ(system.initial_state(system.parameter_values()).v, (std::vector<double>{0, 3}));
  text.p0.values = {{"z", "3"}};
  EXPECT_TRUE(contains(refusal([&] { System::from(text); }), "p0:1:1: unknown coordinate 'z'"));
  text.p0 = {};
  text.hamiltonian = Text::whole("mine", "p(x)^2 + p(y)^2 + x*");
  EXPECT_TRUE(contains(refusal([&] { System::from(text); }), "mine:1:"));
}

TEST(Kinds, BlocksAreTheState) {
  const System odae = System::parse(R"toml(
    kind = "odae"
    y = ["a", "b"]
    z = ["u", "w"]
    lambda = ["k"]
    v = ["u", "w"]
    f = ["0", "-1"]
    r = ["a*k", "b*k"]
    g = ["a^2 + b^2 = 1"]
    [initial]
    y = [1, 0]
  )toml");
  ASSERT_EQ(odae.blocks().size(), 3U);
  EXPECT_EQ(odae.blocks()[1].role, Role::velocity);
  EXPECT_EQ(odae.blocks()[1].letter, "z");
  EXPECT_EQ(odae.blocks()[2].names, std::vector<std::string>{"k"});
  EXPECT_EQ(odae.position_rates(), odae.velocities());
  EXPECT_TRUE(odae.offers().momenta);
  EXPECT_FALSE(odae.offers().lagrangian);

  const System body = System::parse(R"toml(
    coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }, "x"]
    lagrangian = "w1^2 + 2*w2^2 + 3*w3^2 + x'^2"
  )toml");
  ASSERT_EQ(body.blocks().size(), 2U);
  EXPECT_EQ(body.blocks()[0].names.size(), 10U);
  EXPECT_EQ(body.blocks()[0].given, (std::vector<std::string>{"R(1)", "R(2)", "R(3)", "x"}));
  EXPECT_EQ(body.blocks()[1].names, (std::vector<std::string>{"w1", "w2", "w3", "x'"}));
}

}  // namespace
}  // namespace noslip::test
