// Text that the user wrote, and where each piece of it stands, so that errors can point at it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <noslip/core/error.hpp>

namespace noslip {

/// A whole text with a name: a file, or one string of a SystemText.
class Document {
 public:
  Document(std::string name, std::string text);

  const std::string& text() const { return text_; }
  /// Line and column of a byte; columns count bytes, as the caret of to_text(Problem) does. Beyond the end means the
  /// end.
  Place place(std::size_t offset) const;
  /// The byte at a line and column counted from 1 in characters; clamped to the text.
  std::size_t offset(std::size_t line, std::size_t column) const;

 private:
  std::string name_;
  std::string text_;
  std::vector<std::size_t> line_starts_;
};

/// A string out of a document. The string may differ from the bytes of the document (escapes, line ends), hence a map
/// of its bytes to theirs.
struct Phrase {
  std::string text;
  std::shared_ptr<const Document> document;
  /// Byte of `text`, byte of the document; between two entries both advance alike. Sorted, the first at 0.
  std::vector<std::pair<std::size_t, std::size_t>> segments;

  Place place(std::size_t offset = 0) const;
  /// A whole document as a phrase.
  static Phrase whole(std::string name, std::string text);
};

/// The decoded text `value` of the TOML string whose opening quote is at `begin`.
Phrase toml_string_phrase(std::shared_ptr<const Document> document, std::size_t begin, std::string value);

}  // namespace noslip
