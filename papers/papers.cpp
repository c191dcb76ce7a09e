// The list of the papers, and how a word finds experiments in it.
#include <algorithm>

#include <fmt/format.h>

#include <noslip/core/error.hpp>
#include <noslip/core/names.hpp>

#include "experiment.hpp"

namespace noslip::papers {

namespace {

/// `000-fig-8` begins `000-fig-8.1`, but not `000-fig-81`.
bool begins(const std::string& id, const std::string& word) {
  return id.starts_with(word) && (id.size() == word.size() || id[word.size()] == '-' || id[word.size()] == '.');
}

}  // namespace

const std::vector<Paper>& all_papers() {
  static const std::vector<Paper> papers = {paper_000(), paper_001(), paper_002(), paper_003(), paper_004()};
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
  for (const std::string& word : words) {
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
    problem.what = fmt::format("there is no experiment '{}'", word);
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
