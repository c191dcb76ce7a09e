// A system as it was written, before anything is understood: texts with their places.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <noslip/model/system.hpp>
#include "model/document.hpp"

namespace noslip {

struct NamedPhrase {
  Phrase name;
  Phrase value;
};

struct Description {
  std::string name, description, source;
  Place place;  ///< of the whole; for what is missing
  std::vector<Phrase> coordinates;
  bool has_coordinates = true;  ///< false where they could not be read; the rest would make no sense then
  Phrase lagrangian;            ///< without a document where it could not be read
  bool has_lagrangian = false;
  std::vector<Phrase> constraints;
  std::vector<NamedPhrase> parameters, definitions, forces, invariants, exact;
  Phrase t0 = Phrase::whole("t", "0");
  /// Initial values: in the order of the coordinates (names empty), or by coordinate; what is not named is zero.
  std::vector<NamedPhrase> q0, v0;
  bool q0_by_name = true, v0_by_name = true;
  Place q0_place, v0_place;
};

/// Reads TOML text. What is wrong with the file itself (syntax, keys, types) is added to `problems`.
Description read_system_file(std::string_view toml, const std::string& origin, std::vector<Problem>& problems);

/// The C++ form as a description; each text is its own document, named after its key.
Description describe(const SystemText& text);

/// Throws an InputError if there are problems: sorted by place, a long list cut.
void refuse(std::vector<Problem> problems);

}  // namespace noslip
