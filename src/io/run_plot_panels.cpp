#include "io/run_plot_panels.hpp"

#include <functional>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include <noslip/core/error.hpp>
#include <noslip/core/names.hpp>
#include <noslip/core/option_name.hpp>

namespace noslip {

namespace {

bool has_constraints(const System& system) { return !system.constraints().empty() || !system.holonomic().empty(); }

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else if (c != ' ') {
      parts.back() += c;
    }
  }
  return parts;
}

RunPanel panel_of_all(const std::string& label, std::size_t first, std::size_t end) {
  RunPanel panel{RunPanelKind::curves, label};
  panel.places.resize(end - first);
  std::iota(panel.places.begin(), panel.places.end(), first);
  return panel;
}

/// Reads one entry after the other.
class PanelChoice {
 public:
  PanelChoice(const System& system, const RunRow& row) : system_(system), row_(row) {}

  void add(const std::string& entry) {
    if (entry.empty()) return refuse("a name is missing between the commas", "for example energy,x:y");
    // Names of the system first: a coordinate may be called energy.
    if (row_.find(entry) < row_.names().size()) return add_curve(entry);
    if (entry.find(':') != std::string::npos) return add_path(entry);
    if (entry == "energy") {
      if (system_.has_energy()) return add(RunPanelKind::energy);
    } else if (entry == "constraints") {
      if (has_constraints(system_)) return add(RunPanelKind::constraints);
    } else if (entry == "invariants") {
      if (row_.invariant_count() > 0) return add(RunPanelKind::invariants);
    } else if (entry == "coordinates") {
      return add_all(entry, row_.first_coordinate(), row_.first_velocity());
    } else if (entry == "velocities") {
      return add_all(entry, row_.first_velocity(), row_.first_multiplier());
    } else if (entry == "multipliers") {
      return add_all(entry, row_.first_multiplier(), row_.first_invariant());
    } else {
      return refuse_name(entry);
    }
    refuse_missing(entry);
  }

  std::vector<RunPanel> finish() {
    if (!problems_.empty()) throw InputError(std::move(problems_));
    return std::move(panels_);
  }

 private:
  void add(RunPanelKind kind) { panels_.push_back({kind}); }

  void add_all(const std::string& what, std::size_t first, std::size_t end) {
    if (first == end) return refuse_missing(what);
    panels_.push_back(panel_of_all(what, first, end));
  }

  void add_curve(const std::string& name) { panels_.push_back({RunPanelKind::curves, name, {row_.find(name)}, true}); }

  void add_path(const std::string& entry) {
    const std::vector<std::string> names = split(entry, ':');
    if (names.size() != 2 || names[0].empty() || names[1].empty()) {
      return refuse(fmt::format("'{}': expected two names", entry), "for example x:y, which draws y over x");
    }
    RunPanel panel{RunPanelKind::path};
    for (const std::string& name : names) {
      panel.places.push_back(row_.find(name));
      if (panel.places.back() == row_.names().size()) refuse_name(name, false);
    }
    panels_.push_back(std::move(panel));
  }

  void refuse(const std::string& what, const std::string& remedy) {
    Problem& problem = problems_.emplace_back();
    problem.what = fmt::format("{}: {}", option("show"), what);
    problem.remedy = remedy;
  }

  void refuse_missing(const std::string& entry) {
    const bool has_hidden = entry == "invariants" && !system_.invariants().empty();
    refuse(fmt::format("'{}': {} {}", entry, system_.name(),
                       has_hidden ? "has momenta without a closed form, which stored states do not hold"
                                  : fmt::format("has no {}", entry)),
           has_hidden ? "leave it out; the summary has the largest errors" : "leave it out");
  }

  void refuse_name(const std::string& name, bool is_panel = true) {
    std::vector<std::string> known = row_.names();
    if (is_panel) {
      for (const char* group : {"energy", "constraints", "invariants", "coordinates", "velocities", "multipliers"}) {
        known.emplace_back(group);
      }
    }
    std::string remedy = did_you_mean(name, known);
    if (remedy.empty()) remedy = fmt::format("there are {}", list_of(known));
    refuse(fmt::format("'{}' is not {} of {}", name, is_panel ? "a panel or a name" : "a name", system_.name()),
           remedy);
  }

  const System& system_;
  const RunRow& row_;
  std::vector<RunPanel> panels_;
  std::vector<Problem> problems_;
};

}  // namespace

std::vector<RunPanel> chosen_panels(const System& system, const RunRow& row, const std::string& show) {
  if (show.empty()) {
    std::vector<RunPanel> panels;
    if (system.has_energy()) panels.push_back({RunPanelKind::energy});
    if (has_constraints(system)) panels.push_back({RunPanelKind::constraints});
    panels.push_back(panel_of_all("coordinates", row.first_coordinate(), row.first_velocity()));
    return panels;
  }
  PanelChoice choice(system, row);
  for (const std::string& entry : split(show, ',')) choice.add(entry);
  return choice.finish();
}

}  // namespace noslip
