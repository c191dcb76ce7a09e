// The list of the papers, and how a word finds experiments in it.
#include <algorithm>

#include <fmt/format.h>

#include <noslip/core/error.hpp>
#include <noslip/core/names.hpp>

#include "experiment.hpp"

namespace noslip::papers {

namespace {

/// Ids once began with numbers: 000-fig-8.1 is jay2009-fig-8.1, and 000 all of that paper.
std::string present_id(const std::string& word) {
  constexpr const char* keys[][2] = {
      {"000", "jay2009"}, {"001", "hilden2009"}, {"002", "martin2022"}, {"003", "celledoni2019"}, {"004", "jay2007"}};
  for (const auto& [former, key] : keys) {
    const std::string rest = word.starts_with(former) ? word.substr(3) : "?";
    if (rest.empty() || rest[0] == '-') return key + rest;
  }
  return word;
}

/// `jay2009-fig-8` begins `jay2009-fig-8.1`, but not `jay2009-fig-81`.
bool begins(const std::string& id, const std::string& word) {
  return id.starts_with(word) && (id.size() == word.size() || id[word.size()] == '-' || id[word.size()] == '.');
}

}  // namespace

const std::vector<Paper>& all_papers() {
  static const std::vector<Paper> papers = {jay2009(), hilden2009(), martin2022(), celledoni2019(), jay2007()};
  return papers;
}

std::vector<const Experiment*> select(const std::vector<std::string>& words) {
  std::vector<const Experiment*> all, chosen;
  std::vector<std::string> ids;
  for (const Paper& paper : all_papers()) {
    for (const Experiment& experiment : paper.experiments) {
      all.push_back(&experiment);
      ids.push_back(experiment.id);
    }
  }
  if (words.empty()) return all;
  std::vector<bool> wanted(all.size(), false);
  std::vector<Problem> problems;
  for (const std::string& given : words) {
    const std::string word = present_id(given);
    const auto exact = std::find(ids.begin(), ids.end(), word);
    bool found = exact != ids.end();
    if (found) wanted[static_cast<std::size_t>(exact - ids.begin())] = true;
    for (std::size_t i = 0; exact == ids.end() && i < ids.size(); ++i) {
      if (!begins(ids[i], word)) continue;
      wanted[i] = found = true;
    }
    if (found) continue;
    const std::string guess = did_you_mean(word, ids);
    Problem problem;
    problem.what = fmt::format("there is no experiment '{}'", given);
    problem.remedy = guess.empty() ? "noslip reproduce --list names them all" : guess;
    problems.push_back(std::move(problem));
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (wanted[i]) chosen.push_back(all[i]);
  }
  return chosen;
}

}  // namespace noslip::papers
