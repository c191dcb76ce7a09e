// The registered methods of this program.
#include <noslip/method/register.hpp>

#include <algorithm>
#include <mutex>
#include <variant>

#include <fmt/format.h>

#include <noslip/method/reduced_runge_kutta.hpp>

#include "method/families.hpp"
#include "method/own_coefficients.hpp"
#include "method/spark_method.hpp"

namespace noslip {

namespace {

struct RegisteredMethod {
  std::variant<SparkCoefficients, Tableau> coefficients;
  MethodNotes notes;
  Family family;
};

struct Register {
  std::mutex mutex;
  std::vector<RegisteredMethod> entries;
};

Register& registered() {
  static Register all;
  return all;
}

bool have_same_numbers(const Tableau& a, const Tableau& b) { return a.c == b.c && a.b == b.b && a.a == b.a; }

bool have_same_numbers(const NodeCoefficients& a, const NodeCoefficients& b) {
  return a.c == b.c && a.b == b.b && a.reach == b.reach && a.a == b.a && a.correction == b.correction &&
         a.has_end_multiplier == b.has_end_multiplier;
}

bool have_same_numbers(const SparkCoefficients& a, const SparkCoefficients& b) {
  const bool have_same_nodes =
      a.nodes.has_value() == b.nodes.has_value() && (!a.nodes || have_same_numbers(*a.nodes, *b.nodes));
  return have_same_numbers(a.q, b.q) && have_same_numbers(a.forces, b.forces) &&
         have_same_numbers(a.reactions, b.reactions) && a.omega == b.omega &&
         a.constraint_at_mean == b.constraint_at_mean && a.first_multiplier_given == b.first_multiplier_given &&
         a.end_multipliers == b.end_multipliers && have_same_nodes && a.for_positions_only == b.for_positions_only;
}

/// What is wrong with the name itself.
void check_name(const std::string& name, std::vector<Problem>& problems) {
  if (name.empty()) {
    problems.push_back({"a method needs a name", {}, "for example my-rk4"});
    return;
  }
  const bool is_plain = std::all_of(name.begin(), name.end(), [](unsigned char c) { return c > ' ' && c != 127; }) &&
                        name.find_first_of(":,=") == std::string::npos;
  if (!is_plain) {
    problems.push_back({fmt::format("'{}' cannot be the name of a method", name),
                        {},
                        "names have no blanks and none of : , = which come behind them; for example my-rk4"});
  }
  const auto& known = families();
  if (std::any_of(known.begin(), known.end(), [&](const Family& family) { return family.name == name; })) {
    problems.push_back({fmt::format("method '{}' exists", name), {}, "take another name"});
  }
}

void check_multiplier_orders(const std::string& name, const MethodNotes& notes, int order,
                             std::vector<Problem>& problems) {
  for (const int claimed : {notes.multiplier_order, notes.position_multiplier_order}) {
    if (claimed >= 0 && (claimed <= order || !problems.empty())) continue;
    problems.push_back({fmt::format("method '{}': order {} is claimed for multipliers", name, claimed),
                        {},
                        fmt::format("it is at least 0 and not above that of q and v, {}", order)});
  }
}

std::string why_not_reduced(const System& system) {
  const std::string reason = why_no_skew_form(system);
  return reason.empty() ? reason : "its reduced equations are those of energy-preserving methods: " + reason;
}

/// A method of its coefficients joins the others, once.
template <class Coefficients, class Make>
void add(const std::string& name, const Coefficients& coefficients, const MethodNotes& notes, const Make& make) {
  OwnCoefficients own(name, coefficients, notes.order);
  std::vector<Problem> problems;
  check_name(name, problems);
  problems.insert(problems.end(), own.problems().begin(), own.problems().end());
  check_multiplier_orders(name, notes, own.order(), problems);
  if (!problems.empty()) throw InputError(problems);
  const Made method = make(own);
  const std::lock_guard lock(registered().mutex);
  for (const RegisteredMethod& entry : registered().entries) {
    if (entry.family.name != name) continue;
    const auto* before = std::get_if<Coefficients>(&entry.coefficients);
    if (before != nullptr && have_same_numbers(*before, coefficients) && entry.notes == notes) return;
    throw InputError(fmt::format("method '{}' is registered already, and not as this one", name), "take another name");
  }
  Family family;
  family.name = name;
  family.order = fmt::format("{}", own.order());
  family.make = [method](int, const MethodOptions&) { return method; };
  registered().entries.push_back({coefficients, notes, std::move(family)});
}

}  // namespace

std::vector<Family> registered_families() {
  const std::lock_guard lock(registered().mutex);
  std::vector<Family> all;
  for (const RegisteredMethod& entry : registered().entries) all.push_back(entry.family);
  return all;
}

void register_spark(const std::string& name, const SparkCoefficients& coefficients, const MethodNotes& notes) {
  add(name, coefficients, notes, [&](const OwnCoefficients& own) {
    const bool has_own_multipliers = !coefficients.end_multipliers.empty();
    MethodTraits traits =
        traits_of(name, coefficients.q.stages(), own.order(),
                  has_own_multipliers ? notes.multiplier_order : own.order(), notes.summary, notes.source);
    if (own.order_when_free() > own.order()) traits.order_when_free = own.order_when_free();
    traits.position_multiplier_order = notes.position_multiplier_order;
    return spark_method(std::move(traits), coefficients, own.tolerance());
  });
}

void register_runge_kutta(const std::string& name, const Tableau& tableau, const MethodNotes& notes) {
  add(name, tableau, notes, [&](const OwnCoefficients& own) {
    MethodTraits traits = traits_of(name, tableau.stages(), own.order(), own.order(), notes.summary, notes.source);
    traits.keeps_constraints = traits.chooses_basis = true;
    traits.symmetric = defect_symmetric(tableau) <= quad(own.tolerance());
    const Chart::Centre centre = traits.symmetric ? Chart::Centre::middle : Chart::Centre::start;
    const auto record = [tableau](const System& system) { return record_reduced_runge_kutta(system, tableau); };
    return std::make_shared<RecordedMethod>(std::move(traits), record, why_not_reduced, OnGroup{{}, centre, true});
  });
}

}  // namespace noslip
