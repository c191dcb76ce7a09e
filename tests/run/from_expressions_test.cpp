// Runs of systems from expressions are those of the same system from texts, bit for bit.
#include <gtest/gtest.h>

#include <noslip/expr/parse.hpp>

#include "run/help.hpp"
#include "support/as_expressions.hpp"

namespace noslip::testing {
namespace {

TEST(RunFromExpressions, EveryFileOfTheCatalogueRunsBitForBit) {
  int done = 0;
  for (const auto& [name, toml] : test::catalogue_files(NOSLIP_SOURCE_DIR)) {
    const System from_text = System::parse(toml, name),
                 from_expressions = System::from(test::as_expressions(toml, name));
    RunOptions options;
    options.method = from_text.offers().lagrangian  ? "gauss:2"
                     : from_text.offers().skew_form ? "itoh-abe"
                                                    : "srk-gauss:2";
    options.step = 0.01;
    options.steps = 20;
    options.every = 1;
    options.project = true;
    options.backend = Backend::interpreter;
    try {
      const Trajectory a = integrate(from_text, options), b = integrate(from_expressions, options);
      EXPECT_EQ(a.last_text(), b.last_text()) << name;
      EXPECT_EQ(a.steps, b.steps) << name;
      EXPECT_EQ(to_text(a.last.energy), to_text(b.last.energy)) << name;
      if (a.steps == 20) ++done;
    } catch (const InputError& error) {
      ADD_FAILURE() << name << ": " << error.what();
    }
  }
  EXPECT_GE(done, 30);
}

}  // namespace
}  // namespace noslip::testing
