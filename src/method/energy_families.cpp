#include "method/energy_families.hpp"

#include <charconv>

#include <fmt/format.h>

#include <noslip/method/energy.hpp>

#include "method/recorded_method.hpp"

namespace noslip {

namespace {

constexpr char celledoni[] =
    "E. Celledoni, M. Farre Puiggali, E. H. Hoiseth, D. Martin de Diego, Energy-preserving integrators applied to "
    "nonholonomic systems (2019)";
constexpr char cohen_hairer[] = "D. Cohen and E. Hairer, BIT 51 (2011) 91";

std::string needs_mechanics_without_basis(const System& system) {
  if (!system.offers().lagrangian) {
    return "it integrates mechanical systems; take gonzalez, which is the same where no constraints are left";
  }
  return why_no_skew_form(system);
}

MethodTraits energy_traits(std::string name, int stages, int order, std::string summary, std::string source) {
  MethodTraits traits = traits_of(std::move(name), stages, order, order, std::move(summary), std::move(source));
  traits.keeps_energy = traits.keeps_constraints = traits.symmetric = traits.chooses_basis = true;
  return traits;
}

Made collocation(MethodTraits traits, const EnergyCollocation& method, WhyNot why_not = why_no_skew_form) {
  const auto record = [method](const System& system) { return record_energy_collocation(system, method); };
  return std::make_shared<RecordedMethod>(std::move(traits), record, std::move(why_not));
}

/// The value of an option that is a number of nodes; 0 where it is left to the method.
int nodes_of(const std::string& method, int stages, const MethodOptions& options) {
  const auto given = options.find("nodes");
  if (given == options.end() || given->second == "automatic") return 0;
  int nodes = 0;
  const char* const last = given->second.data() + given->second.size();
  const auto [end, error] = std::from_chars(given->second.data(), last, nodes);
  if (error != std::errc() || end != last || nodes < stages || nodes > most_energy_nodes) {
    throw InputError(
        fmt::format("method '{}': nodes cannot be '{}'", method, given->second),
        fmt::format("it is a number of quadrature nodes from {} to {}, or automatic", stages, most_energy_nodes));
  }
  return nodes;
}

std::string with_nodes(std::string name, int nodes) {
  return nodes == 0 ? name : fmt::format("{},nodes={}", name, nodes);
}

}  // namespace

Made make_gonzalez(int, const MethodOptions& options) {
  const auto given = options.find("derivatives");
  const std::string choice = given == options.end() ? "exact" : given->second;
  if (choice != "exact" && choice != "differences") {
    throw InputError(fmt::format("method 'gonzalez': derivatives cannot be '{}'", choice),
                     "they are those of the basis: exact, or differences (central ones of width h)");
  }
  const bool is_exact = choice == "exact";
  EnergyCollocation method;
  method.nodes = 1;
  method.derivatives = is_exact ? BasisDerivatives::exact : BasisDerivatives::differences;
  return collocation(
      energy_traits(is_exact ? "gonzalez" : "gonzalez,derivatives=differences", 1, 2,
                    "midpoint discrete gradient in adapted coordinates",
                    fmt::format("{}, sections 3.1 to 3.3; O. Gonzalez, J. Nonlinear Sci. 6 (1996) 449", celledoni)),
      method);
}

Made make_gonzalez_full(int, const MethodOptions&) {
  EnergyCollocation method;
  method.nodes = 1;
  method.coordinates = Coordinates::canonical;
  MethodTraits traits = energy_traits("gonzalez-full", 1, 2, "midpoint discrete gradient with reactions, in (q, p)",
                                      fmt::format("{}, equation (15)", celledoni));
  traits.keeps_constraints = traits.chooses_basis = false;
  return collocation(std::move(traits), method, needs_mechanics_without_basis);
}

Made make_avf(int, const MethodOptions& options) {
  EnergyCollocation method;
  method.nodes = nodes_of("avf", 1, options);
  return collocation(energy_traits(with_nodes("avf", method.nodes), 1, 2,
                                   "mean value discrete gradient (averaged vector field) in adapted coordinates",
                                   fmt::format("{}, sections 3.1 to 3.3", celledoni)),
                     method);
}

Made make_energy(int s, const MethodOptions& options) {
  EnergyCollocation method;
  method.stages = s;
  const std::string name = fmt::format("energy:{}", s);
  method.nodes = nodes_of(name, s, options);
  return collocation(
      energy_traits(with_nodes(name, method.nodes), s, 2 * s, "energy-preserving collocation in adapted coordinates",
                    fmt::format("{}; {}, section 3.2", cohen_hairer, celledoni)),
      method);
}

Made make_itoh_abe(int, const MethodOptions&) {
  MethodTraits traits = energy_traits(
      "itoh-abe", 1, 1, "discrete gradient of coordinate increments in adapted coordinates",
      fmt::format("{}, sections 3.1 to 3.3; T. Itoh and K. Abe, J. Comput. Phys. 76 (1988) 85", celledoni));
  traits.symmetric = false;
  return std::make_shared<RecordedMethod>(std::move(traits), record_itoh_abe, why_no_skew_form);
}

}  // namespace noslip
