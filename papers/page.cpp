// Markdown: one table of verdicts, then paper by paper its experiments and its errata.
#include "page.hpp"

#include <set>
#include <string_view>

#include <fmt/format.h>

#include "words.hpp"

namespace noslip::papers {

namespace {

/// Text with what Markdown would take for its own.
std::string plain(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("\\*_~<|`").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string anchor_of(const std::string& id) {
  std::string result;
  for (const char c : id) {
    if (c != '.') result += c;
  }
  return result;
}

/// "Figure 8.1" of jay2009-fig-8.1, "Section 4.3" of celledoni2019-sec-4.3.
std::string place_of(const std::string& id) {
  const std::string place = id.substr(id.find('-') + 1);
  const std::size_t dash = place.find('-');
  const std::string kind = place.substr(0, dash), rest = dash == std::string::npos ? "" : place.substr(dash + 1);
  if (kind == "fig") return "Figure " + rest;
  if (kind == "sec") return "Section " + rest;
  return kind == "table" ? "Table " + rest : place;
}

/// The system files that the catalogue does not have, each once.
std::string files_of(const Experiment& experiment) {
  std::string text;
  std::set<std::string> shown;
  for (const Run& run : experiment.runs) {
    const Setting& setting = std::visit([](const auto& one) -> const Setting& { return one.setting; }, run);
    if (setting.toml.empty() || !shown.insert(setting.toml).second) continue;
    const std::size_t first = setting.toml.find_first_not_of('\n');
    text += fmt::format("\nThe {}:\n\n```toml\n{}```\n", setting.system, setting.toml.substr(first));
  }
  return text;
}

std::string section_of(const Reproduction& one, bool quick, const std::string& picture) {
  const Experiment& experiment = *one.experiment;
  std::string text = fmt::format("### {}\n\n{}: {}.\n\n**Paper.** {}\n\n", experiment.id, place_of(experiment.id),
                                 plain(experiment.what), plain(experiment.claim));
  if (!experiment.corrected.empty()) text += fmt::format("**Corrected.** {}\n\n", plain(experiment.corrected));
  text += "**Runs.**\n\n";
  for (const Run& run : experiment.runs) text += fmt::format("- {}\n", words_of(run, quick));
  text += files_of(experiment);
  text += "\n| measured | | paper | true | verdict |\n|---|---:|---|---|---|\n";
  for (const CheckResult& check : one.checks) {
    text += fmt::format("| {} | {} | {} | {} | {} |\n", plain(check.check->what), number_text(check),
                        range_text(check.bounds->paper), range_text(check.bounds->truth), to_text(check.verdict));
  }
  // In angle brackets where a name has blanks.
  const bool has_blanks = picture.find(' ') != std::string::npos;
  const std::string link = has_blanks ? "<" + picture + ">" : picture;
  if (!picture.empty()) text += fmt::format("\n![{}]({})\n", experiment.what, link);
  return text + "\n";
}

std::string verdict_table(const std::vector<Reproduction>& all) {
  std::string text = "| figure or table | what | verdict |\n|---|---|---|\n";
  for (const Reproduction& one : all) {
    text += fmt::format("| [{}](#{}) | {} | {} |\n", one.experiment->id, anchor_of(one.experiment->id),
                        plain(one.experiment->what), to_text(one.verdict));
  }
  return text + "\n";
}

}  // namespace

std::string page_of(const std::vector<Reproduction>& all, bool quick,
                    const std::function<std::string(const Experiment&)>& picture_of) {
  std::string text = "# The papers, reproduced\n\n";
  text += fmt::format(
      "Every figure and table of the papers that noslip is made from, computed by `noslip reproduce{}`. A check "
      "compares one number with the range that the paper's claim gives it, where the claim can be tested, and with the "
      "range in which it truly lies. Where a claim is made in words (bounded, exponential growth, machine precision), "
      "the range is one reading of it. The verdict is *agrees* inside the paper's range (and where the paper gives no "
      "number, inside the true one), *paper corrected* outside of it but inside the true one, and *differs* "
      "otherwise.\n\n",
      quick ? " --quick" : "");
  text += verdict_table(all);
  for (const Paper& paper : all_papers()) {
    std::string sections;
    for (const Reproduction& one : all) {
      if (one.experiment->id.starts_with(paper.key + "-"))
        sections += section_of(one, quick, picture_of(*one.experiment));
    }
    if (sections.empty()) continue;
    text += fmt::format("## {}\n\n{}.\n\n", paper.name, paper.citation) + sections;
    if (paper.errata.empty()) continue;
    text += fmt::format("### Errata of {}\n\n| where | printed | correct |\n|---|---|---|\n", paper.name);
    for (const Erratum& erratum : paper.errata) {
      text += fmt::format("| {} | {} | {} |\n", plain(erratum.where), plain(erratum.printed), plain(erratum.correct));
    }
    text += "\n";
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace noslip::papers
