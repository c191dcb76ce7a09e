// Counts for docs/reliability.md: how much of a thing a test has tried.
//
// With NOSLIP_FIGURES=FOLDER each test writes its count to FOLDER/NAME.TEST; tools/check_figures.py adds them up by NAME
// and compares the sums with the page.
#pragma once

#include <cstdlib>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace noslip::test {

/// To be called once per NAME at the end of a test; does nothing without NOSLIP_FIGURES, or if the test has failed.
inline void figure(const std::string& name, long long count) {
  const char* const folder = std::getenv("NOSLIP_FIGURES");
  if (folder == nullptr || ::testing::Test::HasFailure()) return;
  const ::testing::TestInfo& test = *::testing::UnitTest::GetInstance()->current_test_info();
  std::string file = std::string(test.test_suite_name()) + "." + test.name();
  for (char& c : file) {
    if (c == '/') c = '-';
  }
  std::ofstream(std::string(folder) + "/" + name + "." + file) << count << '\n';
}

}  // namespace noslip::test
