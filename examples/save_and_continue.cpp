// A stepper that is saved, loaded by another one and continued: the same bits as without a break.
#include <algorithm>
#include <cstdio>

#include <noslip/noslip.hpp>

int main() {
  const noslip::Program program(noslip::catalogue_system("chaotic"), {.method = "gauss:2"});
  noslip::Stepper first(program, 0.1), second(program, 0.1);
  first.advance(500);
  const std::string saved = first.save();  // bytes, for a file
  first.advance(500);
  second.load(saved);
  second.advance(500);
  std::printf("%zu bytes; x1 = %.17g and %.17g\n", saved.size(), first.q()[0], second.q()[0]);
  const bool is_same = std::equal(first.q().begin(), first.q().end(), second.q().begin()) &&
                       std::equal(first.v().begin(), first.v().end(), second.v().begin()) &&
                       first.save() == second.save();
  return is_same ? 0 : 1;
}
