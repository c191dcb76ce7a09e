// What tests of ensembles share: members, columns, comparison with runs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <noslip/ensemble/ensemble.hpp>

namespace noslip {

inline std::vector<InitialState> particles(const System& system, int count) {
  std::vector<InitialState> members;
  for (int j = 0; j < count; ++j) {
    const std::map<std::string, double> set = {{"j", j}, {"J", count - 1}};
    members.push_back(system.initial_state(system.parameter_values(set)));
  }
  return members;
}

/// Positions, velocities and energy.
inline std::vector<std::string> everything(const System& system) {
  std::vector<std::string> names = names_of(columns_of(system, {ColumnKind::coordinate, ColumnKind::velocity}));
  names.emplace_back("energy");
  return names;
}

/// A member at a row has the bits of a sample of its own run; of columns as in everything().
inline void expect_sample(const Ensemble& ensemble, std::size_t row, std::size_t member, const Sample& alone) {
  std::vector<double> expected = alone.q, found;
  expected.insert(expected.end(), alone.v.begin(), alone.v.end());
  expected.push_back(alone.energy);
  for (std::size_t i = 0; i < ensemble.columns.size(); ++i) found.push_back(ensemble.value(i, row, member));
  expected.resize(found.size());
  EXPECT_EQ(found, expected) << "member " << member << ", row " << row;
}

inline const MemberFailure* failure_of(const Ensemble& ensemble, std::size_t member) {
  for (const MemberFailure& failure : ensemble.failures) {
    if (failure.member == member) return &failure;
  }
  return nullptr;
}

}  // namespace noslip
