#include <algorithm>
#include <cerrno>
#include <fstream>
#include <map>
#include <system_error>
#include <tuple>

#include "model/legendre_map.hpp"
#include "model/system_data.hpp"

namespace noslip {
namespace {

constexpr std::size_t largest_text = 1'000'000;  // bytes; a system is a page, not a book
constexpr std::size_t most_problems = 50;        // shown at once

void require_reasonable_size(std::uintmax_t size, const std::string& origin) {
  if (size > largest_text) {
    Problem problem{"the text is too long (" + std::to_string(size) + " bytes)",
                    {},
                    "at most " + std::to_string(largest_text) + " bytes are accepted"};
    problem.place.file = origin;
    throw InputError({problem});
  }
}

void understand(const Description& description, std::vector<Problem> problems, SystemData& data) {
  build(description, data, problems);
  if (data.kind == SystemKind::skew_gradient) require_skew_symmetry(description, data, problems);
  refuse(std::move(problems));
  derive(data);
  problems.clear();
  if (description.basis.is_given) require_linear_constraints(description, data, problems);
  if (data.kind == SystemKind::dae2) require_index_two(description, data, problems);
  if (data.kind == SystemKind::odae) require_reactions(description, data, problems);
  refuse(std::move(problems));
  compile_values(data);
  if (data.has_hamiltonian) {
    data.legendre =
        std::make_shared<const LegendreMap>(data.hamiltonian, data.t, data.q, data.velocity_names, data.parameters);
  }
  data.graph->freeze();
}

std::vector<NamedPhrase> named(const std::string& key,
                               const std::vector<std::pair<std::string, std::string>>& entries) {
  std::vector<NamedPhrase> result;
  for (const auto& [name, value] : entries) {
    result.push_back({Phrase::whole(key, name), Phrase::whole(key + "." + name, value)});
  }
  return result;
}

std::vector<Phrase> numbered(const std::string& key, const std::vector<std::string>& texts) {
  std::vector<Phrase> result;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    result.push_back(Phrase::whole(key + "[" + std::to_string(i + 1) + "]", texts[i]));
  }
  return result;
}

InitialPhrases initial(const std::string& key, const std::vector<std::string>& texts) {
  InitialPhrases result;
  for (Phrase& phrase : numbered(key, texts)) result.values.push_back({Phrase{}, std::move(phrase)});
  result.by_name = texts.empty();
  result.is_given = !texts.empty();
  result.place.file = key;
  return result;
}

RowPhrases described_rows(const std::string& key, const std::vector<std::vector<std::string>>& rows) {
  RowPhrases result;
  result.is_given = !rows.empty();
  result.place.file = key;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string row_key = key + "[" + std::to_string(i + 1) + "]";
    ListPhrases row{numbered(row_key, rows[i]), true, {}};
    row.place.file = row_key;
    result.rows.push_back(std::move(row));
  }
  return result;
}

void describe_coordinates(const SystemText& text, Description& result, std::vector<Problem>& problems) {
  for (std::size_t i = 0; i < text.coordinates.size(); ++i) {
    const CoordinateText& given = text.coordinates[i];
    const std::string key = "coordinates[" + std::to_string(i + 1) + "]";
    FactorPhrases factor;
    if (given.group.empty()) {
      factor = coordinate_factor(Phrase::whole(key, given.name));
    } else {
      GroupPhrases group;
      group.group = Phrase::whole(key, given.group);
      group.place.file = key;
      group.has_name = !given.name.empty();
      group.has_names = !given.names.empty();
      group.has_velocity = !given.velocity.empty();
      group.name = Phrase::whole(key + ".name", given.name);
      group.names = numbered(key + ".names", given.names);
      group.velocity = numbered(key + ".velocity", given.velocity);
      factor = group_factor(group, problems);
    }
    result.is_readable &= factor.group != nullptr;
    result.coordinates.insert(result.coordinates.end(), factor.names.begin(), factor.names.end());
    result.factors.push_back(std::move(factor));
  }
}

void describe_parts(const SystemText& text, Description& result) {
  result.constraints = numbered("g", text.g);
  result.parts = described_rows("f", text.f);
}

void describe_overdetermined(const SystemText& text, Description& result) {
  result.lambda = numbered("lambda", text.lambda);
  result.holonomic = numbered("g", text.g);
  const auto list = [](const char* key, const std::vector<std::string>& texts) {
    ListPhrases phrases{numbered(key, texts), !texts.empty(), {}};
    phrases.place.file = key;
    return phrases;
  };
  result.odae_v = list("v", text.v);
  result.odae_p = list("p", text.p);
  std::vector<std::string> f;
  for (const std::vector<std::string>& part : text.f) f.insert(f.end(), part.begin(), part.end());
  result.odae_f = list("f", f);
  result.odae_r = list("r", text.r);
  result.lambda0 = initial("lambda0", text.lambda0);
}

void describe_skew_gradient(const SystemText& text, Description& result) {
  result.coordinates = numbered("x", text.x);
  result.has_hamiltonian = !text.hamiltonian.empty();
  result.hamiltonian = Phrase::whole("hamiltonian", text.hamiltonian);
  result.structure = described_rows("structure", text.structure);
  result.angles = numbered("angles", text.angles);
  result.q0 = initial("x0", text.x0);
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

Description describe(const SystemText& text, std::vector<Problem>& problems) {
  Description result;
  result.kind = text.kind;
  result.name = text.name;
  result.place.file = text.name.empty() ? "system" : text.name;
  const auto refuse_field = [&](const char* field, bool is_given) {
    if (!is_given) return;
    problems.push_back({std::string("`") + field + "` does not belong to a system of kind " + to_text(text.kind),
                        result.place, "leave it empty, or set the kind"});
  };
  const auto refuse_overdetermined = [&] {
    refuse_field("lambda", !text.lambda.empty());
    refuse_field("v", !text.v.empty());
    refuse_field("p", !text.p.empty());
    refuse_field("r", !text.r.empty());
    refuse_field("lambda0", !text.lambda0.empty());
  };
  const auto refuse_index_two = [&] {
    refuse_field("y", !text.y.empty());
    refuse_field("z", !text.z.empty());
    refuse_field("f", !text.f.empty());
    refuse_field("g", !text.g.empty());
    refuse_field("y0", !text.y0.empty());
    refuse_field("z0", !text.z0.empty());
  };
  const auto refuse_skew_gradient = [&] {
    refuse_field("x", !text.x.empty());
    refuse_field("structure", !text.structure.empty());
    refuse_field("x0", !text.x0.empty());
  };
  if (text.kind == SystemKind::mechanical) {
    refuse_overdetermined();
    refuse_index_two();
    refuse_skew_gradient();
    describe_coordinates(text, result, problems);
    result.has_lagrangian = !text.lagrangian.empty();
    result.lagrangian = Phrase::whole("lagrangian", text.lagrangian);
    result.has_hamiltonian = !text.hamiltonian.empty();
    result.hamiltonian = Phrase::whole("hamiltonian", text.hamiltonian);
    result.constraints = numbered("constraints", text.constraints);
    result.holonomic = numbered("holonomic", text.holonomic);
    result.forces = named("forces", text.forces);
    result.nonideal = named("nonideal", text.nonideal);
    result.basis = described_rows("basis", text.basis);
    result.angles = numbered("angles", text.angles);
    result.q0 = initial("q0", text.q0);
    result.v0 = initial("v0", text.v0);
    result.p0 = initial("p0", text.p0);
  } else {
    refuse_field("coordinates", !text.coordinates.empty());
    refuse_field("lagrangian", !text.lagrangian.empty());
    refuse_field("constraints", !text.constraints.empty());
    refuse_field("holonomic", !text.holonomic.empty());
    refuse_field("forces", !text.forces.empty());
    refuse_field("nonideal", !text.nonideal.empty());
    refuse_field("basis", !text.basis.empty());
    refuse_field("angles", !text.angles.empty() && text.kind != SystemKind::skew_gradient);
    refuse_field("q0", !text.q0.empty());
    refuse_field("v0", !text.v0.empty());
    refuse_field("p0", !text.p0.empty());
  }
  if (text.kind == SystemKind::skew_gradient) {
    refuse_overdetermined();
    refuse_index_two();
    describe_skew_gradient(text, result);
  } else if (text.kind != SystemKind::mechanical) {
    refuse_field("hamiltonian", !text.hamiltonian.empty());
    refuse_skew_gradient();
    result.coordinates = numbered("y", text.y);
    result.z = numbered("z", text.z);
    result.q0 = initial("y0", text.y0);
    result.z0 = initial("z0", text.z0);
    if (text.kind == SystemKind::dae2) {
      refuse_overdetermined();
      describe_parts(text, result);
    } else {
      describe_overdetermined(text, result);
    }
  }
  result.parameters = named("parameters", text.parameters);
  result.definitions = named("definitions", text.definitions);
  result.invariants = named("invariants", text.invariants);
  result.exact = named("exact", text.exact);
  result.t0 = Phrase::whole("t0", text.t0);
  return result;
}

const char* to_text(SystemKind kind) {
  switch (kind) {
    case SystemKind::mechanical: return "mechanical";
    case SystemKind::dae2: return "dae2";
    case SystemKind::odae: return "odae";
    case SystemKind::skew_gradient: return "skew-gradient";
  }
  return "unknown";
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

System System::parse(std::string_view toml, const std::string& origin) {
  require_reasonable_size(toml.size(), origin);
  std::vector<Problem> problems;
  const Description description = read_system_file(toml, origin, problems);
  System system;
  auto data = std::make_shared<Data>();
  understand(description, std::move(problems), *data);
  system.data_ = std::move(data);
  return system;
}

System System::load(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    throw FileError("cannot read '" + file.string() + "': it is a directory");
  }
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (!error) require_reasonable_size(size, file.string());
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw FileError("cannot read '" + file.string() + "': " + std::generic_category().message(errno));
  }
  std::string text;
  for (char buffer[4096]; stream.read(buffer, sizeof buffer), stream.gcount() > 0;) {
    text.append(buffer, static_cast<std::size_t>(stream.gcount()));
    require_reasonable_size(text.size(), file.string());
  }
  if (stream.bad()) throw FileError("cannot read '" + file.string() + "'");
  return parse(text, file.string());
}

System System::from(const SystemText& text) {
  System system;
  auto data = std::make_shared<Data>();
  std::vector<Problem> problems;
  const Description description = describe(text, problems);
  understand(description, std::move(problems), *data);
  system.data_ = std::move(data);
  return system;
}

SystemKind System::kind() const { return data_->kind; }
const std::string& System::name() const { return data_->name; }
const std::string& System::description() const { return data_->description; }
const std::string& System::source() const { return data_->source; }
int System::dimension() const { return static_cast<int>(data_->group ? data_->v.size() : data_->q.size()); }
const Group& System::group() const { return *data_->group; }
const std::vector<Factor>& System::factors() const { return data_->factors; }
bool System::is_on_group() const { return data_->group && !data_->group->is_vector_space(); }
const std::vector<std::string>& System::coordinates() const { return data_->coordinates; }
const std::vector<int>& System::angles() const { return data_->angles; }
const std::vector<std::string>& System::velocity_names() const { return data_->velocity_names; }
const std::vector<std::string>& System::multiplier_names() const { return data_->multiplier_names; }
const std::vector<Parameter>& System::parameters() const { return data_->parameters; }
const std::vector<Constraint>& System::constraints() const { return data_->constraints; }
const std::vector<HolonomicConstraint>& System::holonomic() const { return data_->holonomic; }
const std::vector<Constraint>& System::velocity_level() const { return data_->velocity_level; }
const std::vector<std::pair<std::string, Expr>>& System::invariants() const { return data_->invariants; }
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
bool System::has_energy() const {
  return data_->kind == SystemKind::mechanical || data_->kind == SystemKind::skew_gradient;
}
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
const std::vector<std::vector<Expr>>& System::mass() const { return data_->mass; }
Expr System::power() const { return data_->power; }
const std::vector<Expr>& System::reaction_powers() const { return data_->reaction_powers; }
const std::vector<Expr>& System::acceleration_rhs() const { return data_->acceleration_rhs; }
const std::vector<Expr>& System::constraint_rhs() const { return data_->constraint_rhs; }
const std::vector<std::vector<Expr>>& System::basis() const { return data_->basis; }
const std::vector<std::vector<Expr>>& System::structure_matrix() const { return data_->structure_matrix; }
const std::vector<std::vector<Expr>>& System::parts() const { return data_->parts; }
const std::vector<Expr>& System::rates() const { return data_->rates; }
const std::vector<Expr>& System::hidden_constraints() const { return data_->hidden_constraints; }
const Graph& System::graph() const { return *data_->graph; }

}  // namespace noslip
