// Families of names and texts, each replaced by what it stands for: q[0:9] by q[0], q[1], ..., a text with an index by
// one text for each of its values.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <noslip/expr/parse.hpp>
#include <noslip/model/system_text.hpp>

#include "model/size_values.hpp"

namespace noslip {

class Expander {
 public:
  /// `sizes` are asked for the names in ranges.
  Expander(const SystemText& text, SizeValues& sizes, std::vector<Problem>& problems);

  /// Names of a list: q[0:9].
  void expand_names(std::vector<Text>& names);
  void expand(std::vector<CoordinateText>& coordinates);
  /// Texts of a list: for i = 0:9: q[i]' = 0.
  void expand_texts(std::vector<Text>& texts);
  /// Texts by name: "q[i=0:9]" = "-q[i]'".
  void expand(std::vector<NamedText>& table);
  /// The same; an array in place of a value is for all entries of an array: q = [1, 2, 3].
  void expand(InitialTexts& initial);

  /// Problems at one place of a family are reported once, for the first index. Where there are problems, arrays without
  /// entries may be the cause: they are named too.
  void tidy(std::vector<Problem>& problems) const;

 private:
  struct Range {
    std::int64_t first = 0, last = -1;
  };
  /// q[i=0:9]; without an index q[0:9]; of one entry q[3].
  struct Family {
    std::string array;
    std::string index;
    Range range;
  };
  struct Region {  // from the first to the last byte of a text
    Place begin, end;
  };

  void complain(std::string what, Place place, std::string remedy) {
    problems_.push_back({std::move(what), std::move(place), std::move(remedy)});
  }
  void note(const Text& text);
  std::optional<std::int64_t> whole_number(const Text& text, std::size_t begin, std::size_t end,
                                           const std::string& what);
  std::optional<Range> range(const Text& text, std::size_t begin, std::size_t colon, std::size_t end);
  bool is_free_index(const Text& text, std::size_t offset, const std::string& name, const Indices& others);
  std::optional<Family> family(const Text& name);
  void add_texts(const Text& text, std::vector<Text>& result);
  static std::vector<std::pair<Text, std::optional<std::int64_t>>> members(const Text& name, const Family& family);

  SizeValues& sizes_;
  std::vector<Problem>& problems_;
  std::set<std::string, std::less<>> names_;          // that mean something else than an index
  std::map<std::string, Range, std::less<>> arrays_;  // of names
  std::vector<Region> regions_;
  std::vector<Problem> empty_;  // what there is to say of names without entries
};

/// The texts without families.
SystemText expanded(SystemText text, Expander& expander);

}  // namespace noslip
