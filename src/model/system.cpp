#include <algorithm>
#include <cerrno>
#include <fstream>
#include <map>
#include <system_error>
#include <tuple>

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
  refuse(std::move(problems));
  derive(data);
  compile_values(data);
}

std::vector<NamedPhrase> named(const std::string& key,
                               const std::vector<std::pair<std::string, std::string>>& entries) {
  std::vector<NamedPhrase> result;
  for (const auto& [name, value] : entries) {
    result.push_back({Phrase::whole(key, name), Phrase::whole(key + "." + name, value)});
  }
  return result;
}

std::vector<NamedPhrase> numbered(const std::string& key, const std::vector<std::string>& values) {
  std::vector<NamedPhrase> result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    result.push_back({Phrase{}, Phrase::whole(key + "[" + std::to_string(i + 1) + "]", values[i])});
  }
  return result;
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

Description describe(const SystemText& text) {
  Description result;
  result.name = text.name;
  result.place.file = text.name.empty() ? "system" : text.name;
  for (std::size_t i = 0; i < text.coordinates.size(); ++i) {
    result.coordinates.push_back(Phrase::whole("coordinates[" + std::to_string(i + 1) + "]", text.coordinates[i]));
  }
  result.has_lagrangian = !text.lagrangian.empty();
  result.lagrangian = Phrase::whole("lagrangian", text.lagrangian);
  for (std::size_t i = 0; i < text.constraints.size(); ++i) {
    result.constraints.push_back(Phrase::whole("constraints[" + std::to_string(i + 1) + "]", text.constraints[i]));
  }
  result.parameters = named("parameters", text.parameters);
  result.definitions = named("definitions", text.definitions);
  result.forces = named("forces", text.forces);
  result.invariants = named("invariants", text.invariants);
  result.exact = named("exact", text.exact);
  result.t0 = Phrase::whole("t0", text.t0);
  result.q0 = numbered("q0", text.q0);
  result.v0 = numbered("v0", text.v0);
  result.q0_by_name = text.q0.empty();
  result.v0_by_name = text.v0.empty();
  return result;
}

const char* to_text(ConstraintKind kind) {
  switch (kind) {
    case ConstraintKind::linear: return "linear";
    case ConstraintKind::affine: return "affine";
    case ConstraintKind::nonlinear: return "nonlinear";
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
  understand(describe(text), {}, *data);
  system.data_ = std::move(data);
  return system;
}

const std::string& System::name() const { return data_->name; }
const std::string& System::description() const { return data_->description; }
const std::string& System::source() const { return data_->source; }
int System::dimension() const { return static_cast<int>(data_->q.size()); }
const std::vector<std::string>& System::coordinates() const { return data_->coordinates; }
const std::vector<Parameter>& System::parameters() const { return data_->parameters; }
const std::vector<Constraint>& System::constraints() const { return data_->constraints; }
const std::vector<std::pair<std::string, Expr>>& System::invariants() const { return data_->invariants; }
const std::vector<std::pair<std::string, Expr>>& System::exact() const { return data_->exact; }
const Structure& System::structure() const { return data_->structure; }
Expr System::t() const { return data_->t; }
const std::vector<Expr>& System::q() const { return data_->q; }
const std::vector<Expr>& System::v() const { return data_->v; }
Expr System::lagrangian() const { return data_->lagrangian; }
Expr System::energy() const { return data_->energy; }
const std::vector<Expr>& System::momenta() const { return data_->momenta; }
const std::vector<Expr>& System::forces() const { return data_->forces; }
const std::vector<std::vector<Expr>>& System::mass() const { return data_->mass; }
const std::vector<Expr>& System::acceleration_rhs() const { return data_->acceleration_rhs; }
const std::vector<Expr>& System::constraint_rhs() const { return data_->constraint_rhs; }
Graph& System::graph() const { return *data_->graph; }

}  // namespace noslip
