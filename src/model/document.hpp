// Text that the user wrote, and where each piece of it stands, so that errors can point at it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <noslip/model/system_text.hpp>

namespace noslip {

/// A whole text with a name: a file, or one string of a SystemText.
class Document {
 public:
  Document(std::string name, std::string text);

  const std::string& text() const { return text_; }
  /// Line and column of a byte; columns count bytes, as the caret of to_text(Problem) does. Beyond the end means the
  /// end.
  Place place(std::size_t offset) const;

 private:
  friend class OffsetFinder;
  std::string name_;
  std::string text_;
  std::vector<std::size_t> line_starts_;
};

/// Finds the byte at a line and column counted from 1 in characters; clamped to the text. A line is walked through once
/// as long as the columns are asked for in their order, so that a file of one long line costs no more than others.
class OffsetFinder {
 public:
  explicit OffsetFinder(std::shared_ptr<const Document> document) : document_(std::move(document)) {}
  std::size_t operator()(std::size_t line, std::size_t column);

 private:
  std::shared_ptr<const Document> document_;
  std::size_t line_ = 0, column_ = 0, at_ = 0;  // the last answer; line 0: none
};

/// The decoded text `value` of the TOML string whose opening quote is at `begin`.
Text toml_string_text(std::shared_ptr<const Document> document, std::size_t begin, std::string value);

}  // namespace noslip
