// Saved states of steppers that were changed on their way. The bytes are the changes, so that they mean something also
// when the format is another one. A state that was damaged is refused; one that was made (with a good checksum) is
// refused, or goes on, or fails as a step does.
#include <vector>

#include <noslip/core/bytes.hpp>
#include <noslip/run/stepper.hpp>

#include "target.hpp"

namespace {

using namespace noslip;

/// As steppers have it (FNV-1a).
std::uint64_t checksum_of(std::string_view bytes) {
  std::uint64_t sum = 14695981039346656037ULL;
  for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
  return sum;
}

struct Subject {
  Program<double> program;
  std::string saved;
};

Subject subject(const char* text, const ProgramOptions& options) {
  const Program program(System::parse(text), options);
  Stepper stepper(program, 0.1);
  stepper.advance(3);
  return {program, stepper.save()};
}

const std::vector<Subject>& subjects() {
  static constexpr const char* skate = R"toml(
    coordinates = ["x", "y", "theta"]
    angles      = ["theta"]
    lagrangian  = "1/2*(x'^2 + y'^2 + theta'^2) + g*x"
    constraints = ["y'*cos(theta) = x'*sin(theta)"]
    [parameters]
    g = 1
    [initial]
    v = [0, 0, 1])toml";
  static constexpr const char* cart = R"toml(
    coordinates = ["x"]
    lagrangian  = "x'^2/2"
    [forces]
    x = "u"
    [inputs]
    u = 0
    [sampled]
    every = "1/4"
    delay = "1/8"
    I = "last(I) + x"
    u = "-x - I"
    [initial]
    q = [1])toml";
  const auto options = [](const char* method, int lanes) {
    return ProgramOptions{.method = method, .backend = Backend::interpreter, .lanes = lanes};
  };
  static const std::vector<Subject> all = {subject(skate, options("gauss:2", 1)), subject(skate, options("mp", 4)),
                                           subject(cart, options("mp", 1)), subject(skate, options("nh-lobatto:2", 1))};
  return all;
}

/// Four bytes each: what to do, where (two bytes), and with what.
std::string changed(std::string bytes, std::string_view changes) {
  for (; changes.size() >= 4; changes.remove_prefix(4)) {
    const auto number = [&](int i) { return static_cast<std::size_t>(static_cast<unsigned char>(changes[i])); };
    const std::size_t place = (number(1) + 256 * number(2)) % (bytes.size() + 1);
    const std::size_t count = 1 + number(3) % 16;
    switch (number(0) % 5) {
      case 0:
        if (place < bytes.size()) bytes[place] = changes[3];
        break;
      case 1: bytes.insert(place, 1, changes[3]); break;
      case 2: bytes.erase(place, count); break;
      case 3: bytes.resize(place); break;
      default: bytes.replace(std::min(place, bytes.size()), count, count, static_cast<char>(number(3) % 2 - 1)); break;
    }
  }
  return bytes;
}

void load(const Subject& subject, const std::string& bytes) {
  Stepper stepper(subject.program, 0.1);
  const std::string before = stepper.save();
  if (!fuzz::accepts([&] { stepper.load(bytes); })) {
    fuzz::require(stepper.save() == before, "a refusal has changed the stepper");
    return;
  }
  const std::string after = stepper.save();
  Stepper other(subject.program, 1);
  other.load(after);
  fuzz::require(other.save() == after, "a stepper is not as it was saved");
  stepper.advance(3), other.advance(3);
  fuzz::require(other.save() == stepper.save(), "a stepper does not go on as it would have");
  stepper.energy(), stepper.work(), stepper.multipliers(), stepper.residual(), stepper.outcome();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Subject& subject = subjects()[data[0] % subjects().size()];
  std::string body = subject.saved.substr(0, subject.saved.size() - sizeof(std::uint64_t));
  const std::string_view changes = fuzz::text_of(data + 1, size - 1);
  const std::string damaged = changed(subject.saved, changes);
  Stepper stepper(subject.program, 0.1);
  const bool is_loaded = fuzz::accepts([&] { stepper.load(damaged); });
  fuzz::require(!is_loaded || damaged == subject.saved, "a damaged state is taken for a good one");
  body = changed(std::move(body), changes);
  ByteWriter end;
  end.put(checksum_of(body));
  load(subject, body + end.take());
  return 0;
}
