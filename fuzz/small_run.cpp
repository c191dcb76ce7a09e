// Small systems, any method, a few steps: the bytes choose. A run ends as it says, with numbers; machine code and
// interpreter give the same bits, and so does a run that was saved in between.
#include <array>
#include <bit>
#include <cmath>
#include <span>

#include <noslip/method/method.hpp>
#include <noslip/run/run.hpp>
#include <noslip/run/stepper.hpp>

#include "target.hpp"

namespace {

using namespace noslip;

class Choices {
 public:
  explicit Choices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  std::size_t below(std::size_t n) {
    if (bytes_.empty()) return 0;
    const std::size_t chosen = bytes_.front() % n;
    bytes_ = bytes_.subspan(1);
    return chosen;
  }
  template <std::size_t n>
  std::string from(const std::array<const char*, n>& these) {
    return these[below(n)];
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

constexpr std::array numbers{"0", "1", "-1/2", "2", "0.3", "1e-9", "1e9", "-3", "1e-200", "1e200", "pi", "1/3"};
constexpr std::array terms{"x",          "-y^2/2",         "cos(x)",         "x*y",        "-x^4",
                           "sin(z)*x",   "-sqrt(1 + x^2)", "abs(x)",         "exp(-y^2)",  "log(2 + x^2)",
                           "x*t",        "min(x, y)",      "x'*y",           "1/(x^2+1)",  "-1/sqrt(x^2+y^2)",
                           "less(0, x)", "tanh(y)",        "-max(0, y)^2/2", "atan2(y,x)", "-z^2/2"};
constexpr std::array masses{"1", "2", "(1 + x^2)", "(2 + cos(z))", "1e-9", "1e9", "(1 + y'^2)", "0", "-1", "x"};
constexpr std::array velocity_constraints{"y'*cos(z) = x'*sin(z)",
                                          "z' = x*y'",
                                          "x' = 1",
                                          "x' - y' + z' = 0",
                                          "x'^2 + y'^2 = 1",
                                          "x' = t",
                                          "y' = y'",
                                          "x'*y = 0",
                                          "y'*cos(z) - x'*sin(z) = z'/3"};
constexpr std::array position_constraints{"x^2 + y^2 = 1", "x = y", "z = x^2", "x = sin(t)", "x^2 + y^2 = 0"};
constexpr std::array forces{"-x'", "u", "sin(t)", "-x'*abs(x')", "x^2", "-u*y'"};

/// Samples come every one and a half steps: a step is not divided into millions.
std::string system_text(Choices& choices, double step) {
  const auto mass = [&] { return choices.from(masses); };
  const std::string of_x = mass(), of_y = mass(), of_z = mass();
  std::string text = "coordinates = ['x', 'y', 'z']\n";
  if (choices.below(4) == 1) text += "angles = ['z']\n";
  text += "lagrangian = \"" + of_x + "*x'^2/2 + " + of_y + "*y'^2/2 + " + of_z + "*z'^2/2";
  for (std::size_t count = choices.below(4); count > 0; --count) {
    const std::string factor = choices.from(numbers);
    text += " + (" + factor + ")*(" + choices.from(terms) + ")";
  }
  text += "\"\n";
  const auto list = [&](const char* key, const auto& of) {
    const std::size_t count = choices.below(3);
    if (count == 0) return;
    text += std::string(key) + " = [";
    for (std::size_t i = 0; i < count; ++i) text += "\"" + choices.from(of) + "\", ";
    text += "]\n";
  };
  list("constraints", velocity_constraints);
  if (choices.below(3) == 1) list("holonomic", position_constraints);
  if (choices.below(2) == 1) text += "[forces]\ny = \"" + choices.from(forces) + "\"\n[inputs]\nu = 1\n";
  if (choices.below(4) == 1) text += "[sampled]\nevery = " + to_text(1.5 * step) + "\nu = \"-x\"\n";
  const auto vector = [&] {
    std::string values;
    for (int i = 0; i < 3; ++i) values += "\"" + choices.from(numbers) + "\", ";
    return "[" + values + "]\n";
  };
  text += "[initial]\nq = " + vector();
  return text += "v = " + vector();
}

std::string method_name(Choices& choices) {
  static const std::vector<MethodFamily> families = method_families();
  const MethodFamily& family = families[choices.below(families.size())];
  if (family.numbers.empty()) return family.name;
  const std::size_t place = choices.below(std::min<std::size_t>(family.numbers.size(), 3));
  return family.name + ":" + std::to_string(family.numbers[place]);
}

bool are_finite(std::span<const double> values) {
  for (const double value : values) {
    if (!std::isfinite(value)) return false;
  }
  return true;
}

/// All that a run gives as numbers, as bits.
std::vector<std::uint64_t> bits_of(const Trajectory& run) {
  std::vector<std::uint64_t> bits{static_cast<std::uint64_t>(run.steps)};
  for (const Sample& sample : run.samples) {
    bits.push_back(std::bit_cast<std::uint64_t>(sample.t));
    for (const auto* values : {&sample.q, &sample.v}) {
      for (const double value : *values) bits.push_back(std::bit_cast<std::uint64_t>(value));
    }
  }
  return bits;
}

template <class T>
void check_saving(const System& system, const RunOptions& options) {
  const Program<T> program(system, {.method = options.method, .backend = Backend::interpreter});
  Stepper<T> at_once(program, static_cast<double>(options.step));
  at_once.project_states(true);
  at_once.set_state(system.initial_state(system.parameter_values()));
  at_once.advance(1);
  Stepper<T> in_parts(program, 1);
  in_parts.load(at_once.save());
  at_once.advance(2), in_parts.advance(2);
  fuzz::require(at_once.save() == in_parts.save(), "a stepper that was saved goes on in another way");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Choices choices({data, size});
  RunOptions options{.method = method_name(choices)};
  const std::array steps{quad(1) / 10, quad(1) / 1000, quad(1), quad(1e-12), quad(1e6)};
  options.step = steps[choices.below(steps.size())];
  options.steps = 3;
  options.every = 1;
  options.project = choices.below(4) != 1;
  options.precision = static_cast<Precision>(choices.below(3));
  if (choices.below(8) == 1) options.tolerance = 1e-6;
  if (choices.below(4) == 1) options.events = {{.when = choices.from(terms)}};
  if (choices.below(4) == 1) options.at = {options.step / 3, options.step * 2};
  if (choices.below(4) == 1) options.between = Between::step;
  options.backend = Backend::interpreter;
  const std::string text = system_text(choices, static_cast<double>(options.step));
  fuzz::accepts([&] {
    const System system = System::parse(text);
    const Trajectory run = integrate(system, options);
    const std::string what = options.method + " on\n" + text;
    fuzz::require(run.outcome.status == Status::done || !run.outcome.message.empty(),
                  "a failure without words: " + what);
    for (const Sample& sample : run.samples) {
      fuzz::require(are_finite(sample.q) && are_finite(sample.v), "a state that is not finite: " + what);
    }
    run.summary();
    if (options.precision == Precision::double_precision) {
      options.backend = Backend::automatic;
      fuzz::require(bits_of(integrate(system, options)) == bits_of(run), "other bits by machine code: " + what);
    }
    switch (options.precision) {
      case Precision::long_double: return check_saving<long double>(system, options);
      case Precision::quadruple: return check_saving<quad>(system, options);
      case Precision::double_precision: break;
    }
    check_saving<double>(system, options);
  });
  forget_programs();
  return 0;
}
