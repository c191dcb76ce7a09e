// The arithmetic that the host program has chosen for its thread: results do not depend on it, and it is as before
// after every call.
#include <cfenv>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <noslip/core/default_arithmetic.hpp>
#include <noslip/core/error.hpp>
#include <noslip/model/continuous.hpp>
#include <noslip/run/compare.hpp>
#include <noslip/run/converge.hpp>
#include <noslip/run/section.hpp>
#include <noslip/run/stepper.hpp>
#include <noslip/run/structure.hpp>

#if defined(__x86_64__)

namespace noslip {
namespace {

struct Words {
  unsigned vector = 0;
  unsigned short x87 = 0;
  friend bool operator==(const Words&, const Words&) = default;
};

/// Without the flags of exceptions, which stay raised.
Words words() {
  Words now;
  asm volatile("stmxcsr %0" : "=m"(now.vector));
  asm volatile("fnstcw %0" : "=m"(now.x87));
  now.vector &= ~0x3FU;
  return now;
}

/// Sets what a host may have set, and resets it.
class Host {
 public:
  explicit Host(Words chosen) {
    asm volatile("ldmxcsr %0" : : "m"(chosen.vector));
    asm volatile("fldcw %0" : : "m"(chosen.x87));
  }
  ~Host() { std::fesetenv(FE_DFL_ENV); }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
};

constexpr Words hosts[] = {
    {0x1F80 | 0x4000, 0x037F | 0x0800},  // FE_UPWARD
    {0x1F80 | 0x2000, 0x037F | 0x0400},  // FE_DOWNWARD
    {0x1F80 | 0x6000, 0x037F | 0x0C00},  // FE_TOWARDZERO
    {0x1F80 | 0x8040, 0x037F},           // FTZ and DAZ
    {0x1F80, 0x027F},                    // x87 with 53 bits
    {0x1D00, 0x0372},                    // traps for invalid operations, divisions by zero and overflows
};

constexpr const char* pendulum = R"toml(
coordinates = ["x", "y", "s"]
lagrangian = "1/2*(x'^2 + y'^2 + s'^2/3) - g*y + cos(s)/7 + tiny*s"
constraints = ["x'*sin(s) = y'*cos(s)"]
[parameters]
g = "9.81/3"
tiny = "1e-310/7"
[inputs]
tau = 0.1
[forces]
s = "tau - s'/9"
[initial]
q = [0.1, 0.2, 0.3]
v = ["cos(0.3)", "sin(0.3)", 1e-312]
)toml";

void add(std::string& bits, std::span<const double> numbers) {
  for (const double& x : numbers) bits.append(reinterpret_cast<const char*>(&x), sizeof x);
}
void add(std::string& bits, const Sample& sample) {
  bits.append(reinterpret_cast<const char*>(&sample.t), sizeof(double));
  for (const auto* part : {&sample.q, &sample.v, &sample.multipliers}) add(bits, *part);
  bits.append(reinterpret_cast<const char*>(&sample.energy), sizeof(double));
}

struct Entry {
  const char* name;
  std::function<std::string()> results;
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{
      {"integrate",
       [] {
         std::string bits;
         forget_programs();
         const System system = System::parse(pendulum);
         for (const Precision precision :
              {Precision::double_precision, Precision::long_double, Precision::quadruple}) {
           const Trajectory run = integrate(
               system, {.method = "gauss:3", .step = 0.1, .until = 1.05, .every = 1, .precision = precision, .dense = true});
           for (const Sample& sample : run.samples) add(bits, sample);
           for (const std::string& text : run.last_text()) bits += text;
           add(bits, run.at(0.123));
         }
         return bits;
       }},
      {"stepper",
       [] {
         std::string bits;
         forget_programs();
         Stepper<double> stepper(Program<double>(System::parse(pendulum), {.method = "lobatto-ab:3"}), 0.1);
         for (int i = 0; i < 7; ++i) {
           stepper.set_input("tau", 0.125 * i);
           stepper.step();
           add(bits, std::vector<double>{stepper.t(), stepper.energy(), stepper.work(), stepper.residual()});
           add(bits, stepper.q());
           add(bits, stepper.v());
           add(bits, stepper.multipliers());
         }
         stepper.set_step(0.07);
         stepper.advance(9);
         stepper.set_parameters(std::vector{3.1, 0.2});
         stepper.advance(9);
         add(bits, stepper.q());
         return bits;
       }},
      {"studies",
       [] {
         std::string bits;
         forget_programs();
         const System system = System::parse(pendulum);
         SectionOptions options;
         options.run.method = "gauss:2";
         options.run.step = 0.05;
         options.event = {.when = "s = 0.31", .direction = Crossing::both, .stop_after = 1};
         const Section cut = section(system, options);
         for (const SectionPoint& point : cut.orbits.front().points) add(bits, point.values);
         const InitialState initial = system.initial_state(system.parameter_values());
         const Continuous continuous(system, system.parameter_values());
         std::vector<Problem> problems;
         const ContinuousState state = continuous.evaluate(initial, problems);
         add(bits, state.accelerations);
         add(bits, state.multipliers);
         add(bits, continuous.project(initial).v);
         return bits;
       }},
  };
  return all;
}

TEST(HostArithmetic, ResultsDoNotDependOnIt) {
  for (const Entry& entry : entries()) {
    const std::string expected = entry.results();
    ASSERT_GT(expected.size(), 100U) << entry.name;
    for (std::size_t i = 0; i < std::size(hosts); ++i) {
      std::string found;
      Words after;
      {
        const Host host(hosts[i]);
        found = entry.results();
        after = words();
      }
      EXPECT_TRUE(found == expected) << entry.name << ", host " << i;
      EXPECT_EQ(after, hosts[i]) << entry.name << ", host " << i;
    }
  }
}

TEST(HostArithmetic, IsAsBeforeAfterExceptions) {
  for (const Words& chosen : hosts) {
    Words after;
    int thrown = 0;
    {
      const Host host(chosen);
      try {
        System::parse("coordinates = 3");
      } catch (const InputError&) {
        ++thrown;
      }
      try {
        integrate(System::parse(pendulum), {.method = "gauss:2", .step = 0.1, .until = 1, .set = {{"g", std::numeric_limits<double>::quiet_NaN()}}});
      } catch (const InputError&) {
        ++thrown;
      }
      after = words();
    }
    EXPECT_EQ(thrown, 2);
    EXPECT_EQ(after, chosen);
  }
}

TEST(HostArithmetic, IsLeftAloneIfItIsTheDefault) {
  std::fesetenv(FE_DFL_ENV);
  const Words before = words();
  {
    const DefaultArithmetic arithmetic;
    EXPECT_EQ(words(), before);
  }
  EXPECT_EQ(words(), before);
}

}  // namespace
}  // namespace noslip

#endif
