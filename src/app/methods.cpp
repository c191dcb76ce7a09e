// noslip methods: the methods and what they keep.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <noslip/method/method.hpp>

#include "options.hpp"
#include "output.hpp"
#include "verbs.hpp"

namespace noslip::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* methods_examples = R"(Examples:
  noslip methods
  noslip methods sleigh          which methods can integrate the sleigh, and why the others cannot

Columns: symmetric (a step back undoes a step); constraints, energy (held to rounding at the end of every step);
d'Alembert (satisfies the discrete Lagrange-d'Alembert principle); positions (takes position constraints, and keeps the
symplectic form on them).

Behind every name, sums=plain adds increments without compensation of rounding: gauss:3,sums=plain. It is cheaper.

On a Lie group steps are made by the discrete Hamilton-Pontryagin principle, or in local coordinates xi of
g_c tau(xi). Behind a name, map=cay or map=exp chooses tau, and chart=start or chart=middle where g_c is in the step:
nh-lobatto:3,map=exp,chart=middle.
)";

std::string mark(bool value) { return value ? "yes" : "no"; }

Json family_json(const MethodFamily& family, const System* system) {
  const MethodTraits& traits = family.example;
  Json object = {{"name", family.name},
                 {"pattern", family.pattern},
                 {"order", family.order},
                 {"summary", traits.summary},
                 {"source", traits.source},
                 {"symmetric", traits.symmetric},
                 {"keeps_constraints", traits.keeps_constraints},
                 {"keeps_energy", traits.keeps_energy},
                 {"lagrange_dalembert", traits.lagrange_dalembert},
                 {"index2", traits.index2},
                 {"holonomic", traits.holonomic},
                 {"symplectic", traits.symplectic},
                 {"example",
                  {{"name", traits.name},
                   {"stages", traits.stages},
                   {"order", traits.order},
                   {"multiplier_order", traits.multiplier_order},
                   {"position_multiplier_order", traits.position_multiplier_order}}}};
  if (system != nullptr) {
    const std::string reason = find_method(traits.name)->why_not(*system);
    object["accepts"] = reason.empty();
    object["why_not"] = reason;
    if (system->is_on_group()) {
      const std::shared_ptr<const Method> method = find_method(traits.name);
      object["symmetric"] = method->traits().is_symmetric_on(*system);
      object["on_group"] = method->has_group_form() ? "hamilton-pontryagin" : "local-coordinates";
    }
  }
  return object;
}

std::vector<std::string> family_row(const MethodFamily& family, const System* system) {
  const MethodTraits& traits = family.example;
  std::string last = traits.summary;
  bool is_symmetric = traits.symmetric;
  if (system != nullptr) {
    const std::shared_ptr<const Method> method = find_method(traits.name);
    const std::string reason = method->why_not(*system);
    if (system->is_on_group()) is_symmetric = method->traits().is_symmetric_on(*system);
    const char* yes = !system->is_on_group()     ? "accepts it"
                      : method->has_group_form() ? "Hamilton-Pontryagin steps"
                                                 : "steps in local coordinates";
    last = reason.empty() ? yes : "no: " + reason;
  }
  return {family.pattern,
          family.order,
          mark(is_symmetric),
          mark(traits.keeps_constraints),
          mark(traits.keeps_energy),
          mark(traits.lagrange_dalembert),
          traits.symplectic ? "symplectic" : mark(traits.holonomic),
          last};
}

}  // namespace

int methods_verb(const Words& words) {
  Arguments arguments("methods", "Lists the methods with their orders and with what they keep.");
  arguments.usage("[SYSTEM] [options]");
  declare_system(arguments);
  arguments.epilogue(methods_examples);
  if (!arguments.parse(words)) return exit_done;

  std::optional<System> system;
  if (arguments.has("SYSTEM")) {
    system = choose_system(arguments).system;
  } else if (arguments.has("--set")) {
    throw InputError("--set has no effect without a system", "name one: noslip methods SYSTEM");
  }
  const System* const chosen = system ? &*system : nullptr;

  if (arguments.has("--json")) {
    Json list = Json::array();
    for (const MethodFamily& family : method_families()) list.push_back(family_json(family, chosen));
    Json document = Json::object();
    if (chosen != nullptr) document["system"] = chosen->name();
    document["methods"] = std::move(list);
    print(document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    return exit_done;
  }
  std::vector<std::vector<std::string>> rows;
  for (const MethodFamily& family : method_families()) rows.push_back(family_row(family, chosen));
  print(table({"METHOD", "ORDER", "SYMMETRIC", "CONSTRAINTS", "ENERGY", "D'ALEMBERT", "POSITIONS",
               chosen ? "FOR " + chosen->name() : "WHAT"},
              rows));
  return exit_done;
}

}  // namespace noslip::app
