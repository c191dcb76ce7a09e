// Any text as a system file: it is refused with places, or it builds, shows itself, is evaluated at its initial state,
// and makes a few steps or says why not.
#include <noslip/model/continuous.hpp>
#include <noslip/model/shown.hpp>
#include <noslip/run/stepper.hpp>

#include "target.hpp"

namespace {

using namespace noslip;

constexpr int most_dimensions = 6;

void make_steps(const System& system, const char* method) {
  Stepper stepper(Program(system, {.method = method, .backend = Backend::interpreter}), 0.01);
  stepper.advance(3);
  stepper.set_step(-0.01);
  stepper.advance(1);
  Stepper other(stepper.program(), 1);
  other.load(stepper.save());
  fuzz::require(other.save() == stepper.save(), "a stepper is not as it was saved");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  if (fuzz::has_long_number(text, 2)) return 0;
  fuzz::accepts([&] {
    const System system = System::parse(text, "fuzz.toml");
    if (system.dimension() > most_dimensions) return;
    shown(system);
    const std::vector<double> parameters = system.parameter_values();
    const InitialState initial = system.initial_state(parameters);
    std::vector<Problem> problems;
    const Continuous continuous(system, parameters);
    continuous.evaluate(initial, problems);
    fuzz::accepts([&] { continuous.project(initial); });
    if (!fuzz::accepts([&] { continuous.require_consistent(initial); })) return;
    static constexpr const char* methods[] = {"mp", "gauss:1", "gauss:2", "lobatto-ab:2", "cm", "gonzalez", "euler-a"};
    fuzz::accepts([&] { make_steps(system, methods[size % std::size(methods)]); });
  });
  forget_programs();
  return 0;
}
