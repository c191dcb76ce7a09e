#include "io/run_plot_panels.hpp"

#include <algorithm>
#include <utility>

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

/// Panels that show all columns of a kind.
constexpr std::pair<const char*, ColumnKind> panels_of_kinds[] = {{"coordinates", ColumnKind::coordinate},
                                                                  {"velocities", ColumnKind::velocity},
                                                                  {"states", ColumnKind::state},
                                                                  {"multipliers", ColumnKind::multiplier},
                                                                  {"inputs", ColumnKind::input},
                                                                  {"outputs", ColumnKind::output}};

/// Reads one entry after the other.
class PanelChoice {
 public:
  PanelChoice(const System& system, std::vector<Column>& columns)
      : system_(system), columns_(columns), names_(names_of(columns)) {
    for (const std::string& name : system.definition_names()) names_.push_back(name);
  }

  void add(const std::string& entry) {
    if (entry.empty()) return refuse("a name is missing between the commas", "for example energy,x:y");
    // Names of the system first: a coordinate may be called energy.
    if (place_of(entry) < columns_.size()) return add_curve(entry);
    if (entry.find('+') != std::string::npos) return add_together(entry);
    if (entry.find(':') != std::string::npos) return add_path(entry);
    for (const auto& [name, kind] : panels_of_kinds) {
      if (entry == name) return add_all(entry, kind);
    }
    if (entry == "energy") {
      if (system_.has_energy()) return add(RunPanelKind::energy);
    } else if (entry == "constraints") {
      if (has_constraints(system_)) return add(RunPanelKind::constraints);
    } else if (entry == "invariants") {
      if (!places_of(columns_, ColumnKind::invariant).empty()) return add(RunPanelKind::invariants);
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

  void add_all(const std::string& what, ColumnKind kind) {
    RunPanel panel{RunPanelKind::curves, what, places_of(columns_, kind)};
    if (panel.places.empty()) return refuse_missing(what);
    panels_.push_back(std::move(panel));
  }

  /// A definition becomes a column when it is asked for first.
  std::size_t place_of(const std::string& name) {
    const std::size_t place = find_column(columns_, name);
    if (place < columns_.size()) return place;
    const std::vector<std::string> definitions = system_.definition_names();
    if (std::find(definitions.begin(), definitions.end(), name) == definitions.end()) return columns_.size();
    columns_.push_back({name, ColumnKind::expression, 0, name, name});
    return place;
  }

  void add_curve(const std::string& name) {
    panels_.push_back({RunPanelKind::curves, name, {place_of(name)}, true});
  }

  /// Curves, or paths, in one panel.
  void add_together(const std::string& entry) {
    std::vector<RunPanel> parts;
    const std::size_t before = problems_.size();
    for (const std::string& part : split(entry, '+')) {
      const std::size_t count = panels_.size();
      add(part);
      if (panels_.size() == count) continue;
      parts.push_back(std::move(panels_.back()));
      panels_.pop_back();
    }
    if (problems_.size() > before) return;
    RunPanel panel{parts.front().kind, parts.front().label, parts.front().places};
    const bool can_join = panel.kind == RunPanelKind::curves || panel.kind == RunPanelKind::path;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!can_join || parts[i].kind != panel.kind) {
        return refuse(fmt::format("'{}': a panel has curves over time or paths, not both, and no errors beside them", entry),
                      "for example x+y, or x1:y1+x2:y2");
      }
      if (i == 0) continue;
      panel.label += ", " + parts[i].label;
      panel.places.insert(panel.places.end(), parts[i].places.begin(), parts[i].places.end());
    }
    panels_.push_back(std::move(panel));
  }

  void add_path(const std::string& entry) {
    const std::vector<std::string> names = split(entry, ':');
    if (names.size() != 2 || names[0].empty() || names[1].empty()) {
      return refuse(fmt::format("'{}': expected two names", entry), "for example x:y, which draws y over x");
    }
    RunPanel panel{RunPanelKind::path};
    for (const std::string& name : names) {
      panel.places.push_back(place_of(name));
      if (panel.places.back() == columns_.size()) refuse_name(name, false);
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
    std::vector<std::string> known = names_;
    if (is_panel) {
      known.insert(known.end(), {"energy", "constraints", "invariants"});
      for (const auto& [group, kind] : panels_of_kinds) known.emplace_back(group);
    }
    std::string remedy = did_you_mean(name, known);
    if (remedy.empty()) remedy = fmt::format("there are {}", list_of(known));
    refuse(fmt::format("'{}' is not {} of {}", name, is_panel ? "a panel or a name" : "a name", system_.name()),
           remedy);
  }

  const System& system_;
  std::vector<Column>& columns_;
  std::vector<std::string> names_;
  std::vector<RunPanel> panels_;
  std::vector<Problem> problems_;
};

}  // namespace

std::vector<Column> drawable_columns(const System& system) {
  return columns_of(system, {ColumnKind::time, ColumnKind::coordinate, ColumnKind::velocity, ColumnKind::state,
                             ColumnKind::multiplier, ColumnKind::invariant, ColumnKind::input, ColumnKind::output});
}

std::vector<RunPanel> chosen_panels(const System& system, std::vector<Column>& columns, const std::string& show) {
  if (show.empty()) {
    std::vector<RunPanel> panels;
    if (system.has_energy()) panels.push_back({RunPanelKind::energy});
    if (has_constraints(system)) panels.push_back({RunPanelKind::constraints});
    panels.push_back({RunPanelKind::curves, "coordinates", places_of(columns, ColumnKind::coordinate)});
    if (!system.states().empty()) {
      panels.push_back({RunPanelKind::curves, "states", places_of(columns, ColumnKind::state)});
    }
    return panels;
  }
  PanelChoice choice(system, columns);
  for (const std::string& entry : split(show, ',')) choice.add(entry);
  return choice.finish();
}

}  // namespace noslip
