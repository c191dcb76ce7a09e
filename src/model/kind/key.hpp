// A key of system files: its name, the member of SystemText that it fills, and the words of what can be wrong with its
// type. A kind of system has a table of its keys; reading a file, naming the texts that C++ gives, and refusing what
// belongs to another kind follow from it.
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include <noslip/model/system_text.hpp>

#include "model/file_reader.hpp"

namespace noslip {

class Expander;

/// One string: an expression.
struct OneText {
  Text SystemText::*at;
};
/// An array of strings; where each may have a name, also a table of them.
struct Strings {
  TextList SystemText::*at;
  const char* of_what;     ///< "names"
  const char* item;        ///< "a variable"
  const char* remedy;      ///< "write x = [...]"
  bool is_needed = false;  ///< nothing can be understood without it
  bool may_have_names = false;
};
/// An array of numbers and expressions, one per variable; as the only row where the member has rows.
struct Expressions {
  std::variant<TextList SystemText::*, TextRows SystemText::*> at;
};
/// An array of arrays of numbers and expressions.
struct RowTexts {
  TextRows SystemText::*at;
  const char* row;  ///< "part"
  const char* remedy;
  bool is_needed = false;
};
/// Numbers and expressions by name.
struct NamedTexts {
  std::vector<NamedText> SystemText::*at;
  const char* if_empty = nullptr;  ///< what to do with a table that has no line; null: it says nothing, and may
  bool has_families = false;       ///< names may be q[i=0:9]
  bool has_arrays = false;         ///< a value may be an array, for m[0], m[1], ...
};
/// Coordinates and elements of groups.
struct CoordinateTexts {
  std::vector<CoordinateText> SystemText::*at;
};
/// Initial values of a block of variables; under [initial].
struct InitialValues {
  InitialTexts SystemText::*at;
  const char* variable;  ///< "coordinate": what one of them belongs to
};

/// Tables of numbers by name.
struct TableTexts {
  std::vector<TableText> SystemText::*at;
};

struct Key {
  const char* name;  ///< in the file
  std::variant<OneText, Strings, Expressions, RowTexts, NamedTexts, CoordinateTexts, InitialValues,
               TableTexts>
      holds;
  const char* member = name;  ///< of SystemText
};

/// The keys that every kind has, beside name, description, source, kind and initial.
std::span<const Key> common_keys();
/// The keys of [initial] that every kind has, beside t.
std::span<const Key> common_initial_keys();

/// Reads what a table of the file has under this key, if anything.
void read_key(FileReader& reader, const TomlNode& table, const Key& key, SystemText& text);

/// Is there anything in the member?
bool is_given(const Key& key, const SystemText& text);

void clear_texts(const Key& key, SystemText& text);

/// Replaces the families in the member by what they stand for.
void expand_key(const Key& key, SystemText& text, Expander& expander);

/// Gives the texts of the member, which C++ has set, documents that are named after it: constraints[2], forces.x.
void name_texts(const Key& key, SystemText& text);

}  // namespace noslip
