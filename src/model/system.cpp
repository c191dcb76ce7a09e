#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <noslip/core/default_arithmetic.hpp>
#include <noslip/core/names.hpp>
#include <noslip/core/text_file.hpp>

#include "model/expand.hpp"
#include "model/kind/kind.hpp"
#include "model/legendre_map.hpp"
#include "model/system_file.hpp"
#include "model/watched.hpp"

namespace noslip {
namespace {

constexpr std::size_t largest_text = 1'000'000;  // bytes; a system is a page, not a book
constexpr std::size_t largest_with_tables = 64'000'000;

std::size_t most_bytes(std::string_view toml) {
  return toml.find("tables") == std::string_view::npos ? largest_text : largest_with_tables;
}
constexpr std::size_t most_problems = 50;        // shown at once

/// Each once, in the order in which they came.
std::vector<ExternalFunction> functions_called(const Graph& graph) {
  std::vector<ExternalFunction> functions;
  for (const Call& call : graph.calls()) {
    if (std::find(functions.begin(), functions.end(), call.function) == functions.end()) {
      functions.push_back(call.function);
    }
  }
  return functions;
}

void understand(const SystemText& written, std::vector<Problem> problems, SystemData& data) {
  data.kind = find_kind(written.kind);
  data.text = std::make_shared<const SystemText>(written);
  data.size_values = SizeValues(written.parameters);
  Expander expander(written, data.size_values, problems);
  const std::size_t before = problems.size();
  SystemText text = expanded(written, expander);
  // Without some of the names every use of them would be a problem.
  if (problems.size() > before) text.is_readable = false;
  data.kind->build(text, data, problems);
  expander.tidy(problems);
  refuse(std::move(problems));
  data.sizes = data.size_values.used();
  data.kind->derive(data);
  derive_sampled(data);
  data.structure.external = functions_called(*data.graph);
  problems.clear();
  data.kind->check(text, data, problems);
  require_continuity(text, data, problems);
  refuse(std::move(problems));
  compile_values(data);
  if (data.has_hamiltonian) {
    data.legendre = std::make_shared<const LegendreMap>(data.hamiltonian, data.t, data.q, data.velocity_names,
                                                        data.step_constants());
  }
  data.graph->freeze();
  watch(text, data, problems);
  refuse(std::move(problems));
}

/// Texts that C++ gives get names for messages. Members of other kinds that are not empty are problems.
SystemText completed(SystemText text, std::vector<Problem>& problems) {
  const Kind* kind = find_kind(text.kind);
  if (!kind) {
    throw InputError("unknown kind '" + text.kind + "'", "the kinds are " + list_of(kind_names()));
  }
  text.place.file = text.name.empty() ? "system" : text.name;
  const auto is_own = [&](const Key& key) {
    const auto has = [&](std::span<const Key> keys) {
      return std::any_of(keys.begin(), keys.end(),
                         [&](const Key& own) { return std::string(own.member) == key.member; });
    };
    return has(kind->keys()) || has(kind->initial_keys());
  };
  std::set<std::string> refused;
  for (const Kind* other : kinds()) {
    for (const std::span<const Key> keys : {other->keys(), other->initial_keys()}) {
      for (const Key& key : keys) {
        if (is_own(key)) continue;
        if (is_given(key, text) && refused.insert(key.member).second) {
          problems.push_back({std::string("`") + key.member + "` does not belong to a system of kind " + kind->name(),
                              text.place, "leave it empty, or set the kind"});
        }
        clear_texts(key, text);
      }
    }
  }
  for (const std::span<const Key> keys : {kind->keys(), kind->initial_keys(), common_keys(), common_initial_keys()}) {
    for (const Key& key : keys) name_texts(key, text);
  }
  text.t0.name_document("t0");
  return text;
}

}  // namespace

void refuse(std::vector<Problem> problems) {
  if (problems.empty()) return;
  // By place within a text; the texts in the order in which they were first complained about.
  std::map<std::string, std::size_t> ranks;
  for (const Problem& problem : problems) ranks.try_emplace(problem.place.file, ranks.size());
  const auto key = [&](const Problem& problem) {
    return std::tuple(ranks.at(problem.place.file), problem.place.line, problem.place.column);
  };
  std::stable_sort(problems.begin(), problems.end(),
                   [&](const Problem& a, const Problem& b) { return key(a) < key(b); });
  if (problems.size() > most_problems) {
    const std::size_t more = problems.size() - most_problems;
    problems.resize(most_problems);
    problems.push_back({"and " + std::to_string(more) + " more problems", {}, ""});
  }
  throw InputError(std::move(problems));
}

const char* to_text(ConstraintKind kind) {
  switch (kind) {
    case ConstraintKind::linear: return "linear";
    case ConstraintKind::affine: return "affine";
    case ConstraintKind::nonlinear: return "nonlinear";
    case ConstraintKind::algebraic: return "algebraic";
  }
  return "unknown";
}

SystemText read_system_text(std::string_view toml, const std::string& origin) {
  const DefaultArithmetic arithmetic;
  require_size(toml.size(), most_bytes(toml), origin);
  std::vector<Problem> problems;
  SystemText text = read_system_file(toml, origin, problems);
  refuse(std::move(problems));
  return text;
}

System System::parse(std::string_view toml, const std::string& origin) {
  const DefaultArithmetic arithmetic;
  require_size(toml.size(), most_bytes(toml), origin);
  std::vector<Problem> problems;
  const SystemText text = read_system_file(toml, origin, problems);
  System system;
  auto data = std::make_shared<SystemData>();
  understand(text, std::move(problems), *data);
  system.data_ = std::move(data);
  return system;
}

System System::load(const std::filesystem::path& file) {
  const std::string text = read_text_file(file, largest_with_tables);
  return parse(with_points(text, file.string()), file.string());
}

System System::from(const SystemText& given) {
  const DefaultArithmetic arithmetic;
  System system;
  auto data = std::make_shared<SystemData>();
  std::vector<Problem> problems;
  const SystemText text = completed(given, problems);
  understand(text, std::move(problems), *data);
  system.data_ = std::move(data);
  return system;
}

System System::resized(const Settings& settings) const {
  const DefaultArithmetic arithmetic;
  SystemText text = *data_->text;
  bool is_other = false;
  for (const std::string& size : data_->sizes) {
    const auto setting = settings.find(size);
    if (setting == settings.end() || setting->second == data_->size_values.value(size)->value()) continue;
    if (!std::isfinite(static_cast<double>(setting->second))) continue;  // parameter_values refuses it
    for (NamedText& parameter : text.parameters) {
      if (parameter.name.text != size) continue;
      parameter.value.text = to_text(Number::real(setting->second));
      parameter.value.expression = {};
      is_other = true;
    }
  }
  if (!is_other) return *this;
  System system;
  auto data = std::make_shared<SystemData>();
  understand(text, {}, *data);
  system.data_ = std::move(data);
  return system;
}

const char* System::kind() const { return data_->kind->name(); }
const std::vector<Block>& System::blocks() const { return data_->blocks; }
const Offers& System::offers() const { return data_->offers; }
const std::string& System::name() const { return data_->name; }
const std::string& System::description() const { return data_->description; }
const std::string& System::source() const { return data_->source; }
int System::dimension() const { return static_cast<int>(data_->group ? data_->v.size() : data_->q.size()); }
const Group& System::group() const { return *data_->group; }
std::vector<std::pair<std::string, std::string>> System::units() const {
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto& [name, unit] : data_->units) result.emplace_back(name, unit.text);
  return result;
}

std::string System::unit(const std::string& name) const {
  const auto unit = unit_of_name(*data_, name);
  return unit ? unit->text : std::string();
}

const std::vector<FirstOrderState>& System::states() const { return data_->states; }
std::span<const Expr> System::configuration() const { return data_->configuration(); }
const std::vector<Factor>& System::factors() const { return data_->factors; }
bool System::is_on_group() const { return data_->group && !data_->group->is_vector_space(); }
const std::vector<std::string>& System::coordinates() const { return data_->coordinates; }
const std::vector<std::string>& System::sizes() const { return data_->sizes; }
const std::vector<int>& System::angles() const { return data_->angles; }
const std::vector<std::string>& System::velocity_names() const { return data_->velocity_names; }
const std::vector<std::string>& System::multiplier_names() const { return data_->multiplier_names; }
const std::vector<Parameter>& System::parameters() const { return data_->parameters; }
const std::vector<Parameter>& System::inputs() const { return data_->inputs; }
std::vector<Parameter> System::step_constants() const { return data_->step_constants(); }
const std::vector<Table>& System::tables() const { return data_->tables; }
const Sampled* System::sampled() const { return data_->sampled ? &*data_->sampled : nullptr; }
const std::vector<Constraint>& System::constraints() const { return data_->constraints; }
const std::vector<HolonomicConstraint>& System::holonomic() const { return data_->holonomic; }
const std::vector<Constraint>& System::velocity_level() const { return data_->velocity_level; }
const std::vector<std::pair<std::string, Expr>>& System::invariants() const { return data_->invariants; }
std::vector<std::string> System::definition_names() const {
  std::vector<std::string> names;
  for (const auto& [name, meaning] : data_->definitions) names.push_back(name);
  return names;
}
const std::vector<std::pair<std::string, Expr>>& System::outputs() const { return data_->outputs; }
const std::vector<Guard>& System::guards() const { return data_->guards; }
const Graph& System::watched_graph() const { return data_->watched_graph ? *data_->watched_graph : *data_->graph; }
const std::vector<std::pair<std::string, Expr>>& System::exact() const { return data_->exact; }
const Structure& System::structure() const { return data_->structure; }
Expr System::t() const { return data_->t; }
const std::vector<Expr>& System::q() const { return data_->q; }
const std::vector<Expr>& System::v() const { return data_->v; }
const std::vector<Expr>& System::z() const { return data_->z; }
const std::vector<Expr>& System::position_rates() const { return data_->position_rates; }
const std::vector<Expr>& System::group_defect() const { return data_->group_defect; }
const std::vector<Expr>& System::psi() const { return data_->psi; }
const std::vector<Expr>& System::nonideal() const { return data_->nonideal; }
const std::vector<Expr>& System::position_reactions() const { return data_->position_reactions; }
Expr System::lagrangian() const { return data_->lagrangian; }
bool System::has_hamiltonian() const { return data_->has_hamiltonian; }
Expr System::hamiltonian() const { return data_->hamiltonian; }
bool System::has_implicit_momenta() const { return data_->has_implicit_momenta; }
const std::vector<Expr>& System::velocities() const { return data_->velocities; }
Expr System::energy() const { return data_->energy; }
const std::vector<Expr>& System::momenta() const { return data_->momenta; }
const std::vector<Expr>& System::forces() const { return data_->forces; }
const std::vector<Expr>& System::turning() const { return data_->turning; }
const std::vector<Expr>& System::applied_forces() const { return data_->applied_forces; }
const SparseMatrix& System::mass() const { return data_->mass; }
Expr System::power() const { return data_->power; }
const std::vector<Expr>& System::reaction_powers() const { return data_->reaction_powers; }
const std::vector<Expr>& System::acceleration_rhs() const { return data_->acceleration_rhs; }
const std::vector<Expr>& System::constraint_rhs() const { return data_->constraint_rhs; }
const std::vector<std::vector<Expr>>& System::basis() const { return data_->basis; }
const std::vector<std::vector<Expr>>& System::structure_matrix() const { return data_->structure_matrix; }
const std::vector<std::vector<Expr>>& System::parts() const { return data_->parts; }
const std::vector<Expr>& System::hidden_constraints() const { return data_->hidden_constraints; }
const Graph& System::graph() const { return *data_->graph; }

std::vector<std::string> configuration_names(const System& system) {
  const std::vector<std::string>& all = system.coordinates();
  return {all.begin(), all.end() - static_cast<std::ptrdiff_t>(system.states().size())};
}

std::vector<std::string> state_names(const System& system) {
  std::vector<std::string> names;
  for (const FirstOrderState& state : system.states()) names.push_back(state.name);
  return names;
}

}  // namespace noslip
