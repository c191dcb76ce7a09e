// The data of the papers: complete, and without slips that only a run would show.
#include <gtest/gtest.h>

#include <set>

#include <noslip/core/error.hpp>
#include <noslip/method/method.hpp>

#include "papers/prepare.hpp"

namespace noslip::papers {
namespace {

TEST(Data, IdsAreDifferentAndBelongToTheirPaper) {
  std::set<std::string> ids;
  for (const Paper& paper : all_papers()) {
    EXPECT_FALSE(paper.citation.empty());
    for (const Experiment& experiment : paper.experiments) {
      EXPECT_TRUE(ids.insert(experiment.id).second) << experiment.id;
      EXPECT_TRUE(experiment.id.starts_with(paper.number + "-")) << experiment.id;
    }
  }
}

/// Labels of the tables that a run gives.
struct Labels {
  template <class Run>
  std::vector<std::string> operator()(const Run& run) const {
    std::vector<std::string> labels;
    for (const std::string& method : run.methods) labels.push_back(label_of(run.label, run.methods, method));
    return labels;
  }
};

std::set<std::string> columns_of(const Run& run) {
  if (std::holds_alternative<OrderRun>(run)) return {"q", "v", "multipliers"};
  if (std::holds_alternative<EnsembleRun>(run)) return {"mean square", "largest"};
  std::set<std::string> columns;
  if (const auto* over_time = std::get_if<TimeRun>(&run)) {
    for (const Quantity& quantity : over_time->quantities) columns.insert(quantity.name);
  }
  return columns;
}

TEST(Data, ChecksAndPanelsNameWhatThereIs) {
  for (const Experiment* experiment : select({})) {
    std::map<std::string, std::set<std::string>> tables;
    for (const papers::Run& run : experiment->runs) {
      for (const std::string& label : std::visit(Labels{}, run)) {
        EXPECT_TRUE(tables.emplace(label, columns_of(run)).second) << experiment->id << ": two tables " << label;
      }
    }
    EXPECT_FALSE(experiment->checks.empty()) << experiment->id;
    EXPECT_FALSE(experiment->claim.empty()) << experiment->id;
    for (const Check& check : experiment->checks) {
      ASSERT_TRUE(tables.contains(check.run)) << experiment->id << ": " << check.run;
      EXPECT_TRUE(tables[check.run].contains(check.column)) << experiment->id << ": " << check.column;
      if (check.versus != Versus::nothing) {
        EXPECT_TRUE(tables.contains(check.other)) << experiment->id;
      }
      EXPECT_TRUE(check.full.paper || check.full.truth) << experiment->id << ": " << check.what;
      // A verdict that can be given at all, and that says what is true where it corrects.
      EXPECT_NE(check.full.recorded, Verdict::differs) << experiment->id << ": " << check.what;
      if (check.full.recorded == Verdict::corrected) {
        EXPECT_TRUE(check.full.paper && check.full.truth) << experiment->id << ": " << check.what;
        EXPECT_FALSE(experiment->corrected.empty()) << experiment->id;
      }
    }
    for (const Panel& panel : experiment->panels) {
      for (const std::string& run : panel.runs) EXPECT_TRUE(tables.contains(run)) << experiment->id << ": " << run;
    }
  }
}

TEST(Data, SystemsAndMethodsExist) {
  for (const Experiment* experiment : select({})) {
    for (const papers::Run& run : experiment->runs) {
      std::visit(
          [&](const auto& one) {
            const Prepared prepared = prepare(one.setting);
            for (const std::string& method : one.methods) {
              EXPECT_EQ(find_method(method)->why_not(prepared.system), "") << experiment->id << ": " << method;
            }
          },
          run);
    }
  }
}

std::vector<std::string> selected(const std::vector<std::string>& words) {
  std::vector<std::string> ids;
  for (const Experiment* experiment : select(words)) ids.push_back(experiment->id);
  return ids;
}

TEST(Select, FindsByNameAndByBeginning) {
  using Ids = std::vector<std::string>;
  EXPECT_EQ(selected({"000-fig-8.2"}), (Ids{"000-fig-8.2"}));
  EXPECT_EQ(selected({"000-fig-8.4"}), (Ids{"000-fig-8.4"}));
  EXPECT_EQ(selected({"004", "004-fig-6.1", "000-fig-8.1"}),
            (Ids{"000-fig-8.1", "004-fig-6.1", "004-fig-6.2", "004-fig-6.3"}));
  EXPECT_EQ(selected({"004-fig-6"}).size(), 3U);
  EXPECT_GE(selected({}).size(), 19U);
  try {
    select({"000-fig-8.1", "000-fg-8.2", "zzz"});
    FAIL();
  } catch (const InputError& error) {
    ASSERT_EQ(error.problems().size(), 2U);
    EXPECT_NE(error.problems()[0].remedy.find("000-fig-8.2"), std::string::npos);
    EXPECT_NE(error.problems()[1].remedy.find("--list"), std::string::npos);
  }
  EXPECT_THROW(select({"000-fig-8.40"}), InputError);
  EXPECT_THROW(select({"00"}), InputError);
}

}  // namespace
}  // namespace noslip::papers
