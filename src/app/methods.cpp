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

constexpr const char* examples = R"(Examples:
  noslip methods
  noslip methods sleigh          which methods can integrate the sleigh, and why the others cannot

Columns: symmetric (a step back undoes a step); constraints, energy (held to rounding at the end of every step);
d'Alembert (satisfies the discrete Lagrange-d'Alembert principle); positions (takes position constraints, and keeps the
symplectic form on them).
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
  }
  return object;
}

std::vector<std::string> family_row(const MethodFamily& family, const System* system) {
  const MethodTraits& traits = family.example;
  std::string last = traits.summary;
  if (system != nullptr) {
    const std::string reason = find_method(traits.name)->why_not(*system);
    last = reason.empty() ? "accepts it" : "no: " + reason;
  }
  return {family.pattern,
          family.order,
          mark(traits.symmetric),
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
  arguments.flag("--json", "print one JSON document");
  arguments.epilogue(examples);
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
    Json document;
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
