// The data of the papers: complete, and without slips that only a run would show.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <gtest/gtest.h>

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
      EXPECT_TRUE(experiment.id.starts_with(paper.key + "-")) << experiment.id;
    }
  }
}

/// Tables of a run by label, with their columns; nothing for kinds of run that name them in other ways.
using Shapes = std::map<std::string, std::set<std::string>>;

template <class Kind>
Shapes shapes_of(const Kind& run, const std::set<std::string>& columns) {
  Shapes shapes;
  for (const std::string& method : run.methods) shapes[label_of(run.label, run.methods, method)] = columns;
  return shapes;
}

std::optional<Shapes> shapes_of(const papers::Run& run) {
  if (const auto* orders = std::get_if<OrderRun>(&run)) return shapes_of(*orders, {"q", "v", "multipliers"});
  if (const auto* ensemble = std::get_if<EnsembleRun>(&run)) return shapes_of(*ensemble, {"mean square", "largest"});
  if (const auto* rival = std::get_if<RivalRun>(&run)) {
    Shapes shapes;
    std::set<std::string>& columns = shapes[rival->label] = {"step", "energy error", "constraint"};
    const std::size_t count = prepare(rival->setting).system.constraints().size();
    for (std::size_t r = 1; r <= count; ++r) columns.insert("constraint " + std::to_string(r));
    return shapes;
  }
  if (const auto* section = std::get_if<SectionRun>(&run)) {
    Shapes shapes = shapes_of(*section, {"energy at section", "energy", "mean energy", "plane", "separation"});
    for (const std::string& method : section->methods) {
      for (const double value : section->values) {
        std::set<std::string>& columns = shapes[orbit_label(*section, method, value)] = {"energy error"};
        for (const Quantity& quantity : section->quantities) columns.insert(quantity.name);
      }
    }
    return shapes;
  }
  const auto* over_time = std::get_if<TimeRun>(&run);
  if (over_time == nullptr) return {};
  std::set<std::string> columns;
  for (const Quantity& quantity : over_time->quantities) columns.insert(quantity.name);
  return shapes_of(*over_time, columns);
}

TEST(Data, VerdictsCanBeGiven) {
  for (const Experiment* experiment : select({})) {
    EXPECT_FALSE(experiment->checks.empty()) << experiment->id;
    EXPECT_FALSE(experiment->claim.empty()) << experiment->id;
    for (const Check& check : experiment->checks) {
      EXPECT_TRUE(check.full.paper || check.full.truth) << experiment->id << ": " << check.what;
      EXPECT_NE(check.full.recorded, Verdict::differs) << experiment->id << ": " << check.what;
      if (check.full.recorded == Verdict::corrected) {  // then it says what is true
        EXPECT_TRUE(check.full.paper && check.full.truth) << experiment->id << ": " << check.what;
        EXPECT_FALSE(experiment->corrected.empty()) << experiment->id;
      }
    }
  }
}

TEST(Data, ChecksAndPanelsNameWhatThereIs) {
  for (const Experiment* experiment : select({})) {
    Shapes tables;
    bool all_are_known = true;
    for (const papers::Run& run : experiment->runs) {
      const std::optional<Shapes> shapes = shapes_of(run);
      all_are_known = all_are_known && shapes;
      if (!shapes) continue;
      for (const auto& [label, columns] : *shapes) {
        EXPECT_TRUE(tables.emplace(label, columns).second) << experiment->id << ": two tables " << label;
      }
    }
    if (!all_are_known) continue;
    for (const Check& check : experiment->checks) {
      ASSERT_TRUE(tables.contains(check.run)) << experiment->id << ": " << check.run;
      EXPECT_TRUE(tables[check.run].contains(check.column)) << experiment->id << ": " << check.column;
      if (check.versus != Versus::nothing) {
        EXPECT_TRUE(tables.contains(check.other)) << experiment->id;
      }
    }
    for (const Panel& panel : experiment->panels) {
      for (const std::string& run : panel.runs) EXPECT_TRUE(tables.contains(run)) << experiment->id << ": " << run;
    }
  }
}

TEST(Data, PlanesAreMadeOfQuantities) {
  for (const Experiment* experiment : select({})) {
    for (const papers::Run& run : experiment->runs) {
      const auto* section = std::get_if<SectionRun>(&run);
      if (section == nullptr || section->plane.empty()) continue;
      EXPECT_EQ(section->plane.size(), 3U) << experiment->id;
      for (const std::string& name : section->plane) {
        EXPECT_TRUE(std::any_of(section->quantities.begin(), section->quantities.end(),
                                [&](const Quantity& quantity) { return quantity.name == name; }))
            << experiment->id << ": " << name;
      }
    }
  }
}

TEST(Data, SystemsAndMethodsExist) {
  for (const Experiment* experiment : select({})) {
    for (const papers::Run& run : experiment->runs) {
      std::visit(
          [&](const auto& one) {
            const Prepared prepared = prepare(one.setting);
            if constexpr (requires { one.methods; }) {
              for (const std::string& method : one.methods) {
                EXPECT_EQ(find_method(method)->why_not(prepared.system), "") << experiment->id << ": " << method;
              }
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
  EXPECT_EQ(selected({"jay2009-fig-8.2"}), (Ids{"jay2009-fig-8.2"}));
  EXPECT_EQ(selected({"jay2009-fig-8.4"}), (Ids{"jay2009-fig-8.4"}));
  EXPECT_EQ(selected({"jay2007", "jay2007-fig-6.1", "jay2009-fig-8.1"}),
            (Ids{"jay2009-fig-8.1", "jay2007-fig-6.1", "jay2007-fig-6.2", "jay2007-fig-6.3"}));
  EXPECT_EQ(selected({"jay2007-fig-6"}).size(), 3U);
  EXPECT_GE(selected({}).size(), 19U);
  try {
    select({"jay2009-fig-8.1", "jay2009-fg-8.2", "zzz"});
    FAIL();
  } catch (const InputError& error) {
    ASSERT_EQ(error.problems().size(), 2U);
    EXPECT_NE(error.problems()[0].remedy.find("jay2009-fig-8.2"), std::string::npos);
    EXPECT_NE(error.problems()[1].remedy.find("--list"), std::string::npos);
  }
  EXPECT_THROW(select({"jay2009-fig-8.40"}), InputError);
  EXPECT_THROW(select({"jay"}), InputError);
}

TEST(Select, UnderstandsFormerIds) {
  using Ids = std::vector<std::string>;
  EXPECT_EQ(selected({"000-fig-8.1"}), (Ids{"jay2009-fig-8.1"}));
  EXPECT_EQ(selected({"001-fig-4"}), selected({"hilden2009-fig-4"}));
  EXPECT_EQ(selected({"002-fig-8", "003-sec-4.3"}), (Ids{"martin2022-fig-8", "celledoni2019-sec-4.3"}));
  const char* former[] = {"000", "001", "002", "003", "004"};
  ASSERT_EQ(std::size(former), all_papers().size());
  for (std::size_t i = 0; i < all_papers().size(); ++i) {
    EXPECT_EQ(selected({former[i]}), selected({all_papers()[i].key})) << former[i];
    EXPECT_EQ(selected({former[i]}).size(), all_papers()[i].experiments.size()) << former[i];
  }
  try {
    select({"000-fg-8.2"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(error.problems()[0].what.find("'000-fg-8.2'"), std::string::npos);  // as it was given
    EXPECT_NE(error.problems()[0].remedy.find("jay2009-fig-8.2"), std::string::npos);
  }
  EXPECT_THROW(select({"005"}), InputError);
  EXPECT_THROW(select({"0001"}), InputError);
  EXPECT_THROW(select({"00"}), InputError);
}

}  // namespace
}  // namespace noslip::papers
