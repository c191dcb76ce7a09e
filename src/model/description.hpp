// A system as it was written, before anything is understood: texts with their places.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <noslip/model/system.hpp>
#include "model/document.hpp"
#include "model/factors.hpp"

namespace noslip {

struct NamedPhrase {
  Phrase name;
  Phrase value;
};

/// Initial values: in the order of the variables (names empty), or by variable; what is not named is zero. Arrays
/// inside are for what several numbers give: their numbers are among the values, by name as R(1), R(2), ...
struct InitialPhrases {
  struct Vector {
    Phrase name;                       ///< R; without text in an array
    std::size_t first = 0, count = 0;  ///< among the values
    Place place;
  };
  std::vector<NamedPhrase> values;
  std::vector<Vector> vectors;
  bool by_name = true;
  bool is_given = false;
  Place place;
};

/// Texts of an odae system, one per variable; a row of a matrix; or one part of the splitting of f, without texts where
/// it is missing.
struct ListPhrases {
  std::vector<Phrase> texts;
  bool is_given = false;
  Place place;
};

/// Lists of texts, each with its place.
struct RowPhrases {
  std::vector<ListPhrases> rows;
  bool is_given = false;
  bool is_readable = true;
  Place place;
};

struct Description {
  SystemKind kind = SystemKind::mechanical;
  std::string name, description, source;
  Place place;                         ///< of the whole; for what is missing
  std::vector<Phrase> coordinates;     ///< names of q, of y or of x
  std::vector<FactorPhrases> factors;  ///< of a mechanical system: what the coordinates belong to, in their order
  bool is_readable = true;             ///< false where names could not be read; the rest would make no sense then
  Phrase lagrangian;                   ///< without a document where it could not be read
  bool has_lagrangian = false;
  Phrase hamiltonian;  ///< instead of the Lagrangian, or H(x); without a document where it could not be read
  bool has_hamiltonian = false;
  std::vector<Phrase> constraints;  ///< k, or g of a dae2 system
  std::vector<Phrase> holonomic;    ///< g(t, q) of a mechanical system
  RowPhrases basis;                 ///< of the allowed velocities
  std::vector<Phrase> angles;       ///< names of coordinates
  std::vector<Phrase> z;
  RowPhrases parts;  ///< of f
  std::vector<NamedPhrase> parameters, definitions, forces, nonideal, invariants, exact;
  std::vector<Phrase> lambda;  ///< names, odae
  ListPhrases odae_v, odae_p, odae_f, odae_r;
  RowPhrases structure;  ///< the matrix of a skew-gradient system
  Phrase t0 = Phrase::whole("t", "0");
  InitialPhrases q0, v0, z0;  ///< q0 is also y0 and x0
  InitialPhrases p0;          ///< momenta, instead of v0
  InitialPhrases lambda0;     ///< odae
};

/// Reads TOML text. What is wrong with the file itself (syntax, keys, types) is added to `problems`.
Description read_system_file(std::string_view toml, const std::string& origin, std::vector<Problem>& problems);

/// The C++ form as a description; each text is its own document, named after its key. Fields of the other kind that are
/// not empty are added to `problems`.
Description describe(const SystemText& text, std::vector<Problem>& problems);

/// Throws an InputError if there are problems: sorted by place, a long list cut.
void refuse(std::vector<Problem> problems);

}  // namespace noslip
