// What the targets have in common. A target is a program that takes any bytes and says that something is wrong by
// ending with a signal; libFuzzer calls it (`./test --fuzz`), or replay.cpp (`./test`).
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <noslip/core/error.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace noslip::fuzz {

/// Ends the program, unless `holds`.
inline void require(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: %s\n", what.c_str());
  std::abort();
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// A refusal has something to say, and shows a place that exists.
inline void require_sound(const InputError& error) {
  require(!error.problems().empty(), "a refusal without a problem");
  for (const Problem& problem : error.problems()) {
    require(!problem.what.empty(), "a problem without words");
    const Place& place = problem.place;
    require(place.line >= 0 && place.column >= 0, "a place before the text: " + to_text(problem));
    require(place.column <= static_cast<int>(place.source_line.size()) + 1,
            "a place behind the end of its line: " + to_text(problem));
  }
}

/// False if the call refuses its input. Other exceptions end the program.
template <class Call>
bool accepts(const Call& call) {
  try {
    call();
    return true;
  } catch (const InputError& error) {
    require_sound(error);
    return false;
  }
}

/// Sizes are written in digits, and a large system takes long because it is large.
inline bool has_long_number(std::string_view text, int most_digits) {
  int digits = 0;
  for (const char c : text) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (digits > most_digits) return true;
  }
  return false;
}

}  // namespace noslip::fuzz
