#include "io/hdf5_objects.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <stdexcept>

#include <noslip/io/output_file.hpp>

#include "io/damaged.hpp"
#include "io/hdf5_messages.hpp"
#include "io/notes.hpp"
#include "io/saved_rows.hpp"

namespace noslip::hdf5 {

namespace {

struct ReadAttribute {
  std::string name, type, content;
};

struct ReadLink {
  std::string name;
  std::uint64_t address = 0;
};

/// An object header.
struct ReadObject {
  std::map<std::uint8_t, std::string> messages;  ///< by type, but for attributes and links
  std::vector<ReadAttribute> attributes;
  std::vector<ReadLink> links;
  bool is_group() const { return messages.contains(group_info_message); }
};

class ObjectReader {
 public:
  explicit ObjectReader(const ReadableFile& file) : file_(file), size_(size_of_file(file.number())) {}

  Described run() {
    const std::string superblock = bytes(0, 48);
    const bool is_ours = superblock.starts_with("\x89HDF\r\n\x1a\n") && number_at(superblock, 8, 4) == 0x00080802 &&
                         number_at(superblock, 44, 4) == metadata_checksum(superblock.substr(0, 44));
    if (!is_ours) refuse_damaged(file_.name(), "does not begin as an HDF5 file of noslip");
    if (number_at(superblock, 28, 8) != size_) refuse_damaged(file_.name(), "has another size than it says");
    const ReadObject root = object_at(number_at(superblock, 36, 8));
    result_.file.name = file_.name();
    take_notes(root);
    for (const ReadLink& link : root.links) {
      const ReadObject object = object_at(link.address);
      if (object.is_group()) {
        take_members(object);
      } else if (link.name == record_name && messages_of(object, type_message) == byte_type()) {
        result_.file.has_record = true;
      } else {
        columns_.push_back(column_of(link.name, object));
        if (columns_.size() == 1) first_layout_ = messages_of(object, layout_message);
      }
    }
    finish();
    return std::move(result_);
  }

 private:
  std::string bytes(std::uint64_t place, std::uint64_t count) const {
    std::string text;
    if (place <= size_ && count <= size_ - place) file_.append(text, place, count);
    if (text.size() != count) refuse_damaged(file_.name(), "is shorter than it says");
    return text;
  }

  ReadObject object_at(std::uint64_t place) const {
    constexpr std::size_t head = 10, sum_size = 4, message_head = 4;
    const std::string start = bytes(place, head);
    if (!start.starts_with(std::string_view("OHDR\x02\x02", 6)))
      refuse_damaged(file_.name(), "has an object without a header");
    const std::uint64_t size = number_at(start, 6, 4);
    const std::string all = bytes(place, head + size + sum_size);
    if (number_at(all, head + size, 4) != metadata_checksum(std::string_view(all).substr(0, head + size))) {
      refuse_damaged(file_.name(), "has an object with a wrong checksum");
    }
    ReadObject object;
    for (std::size_t at = head; at + message_head <= head + size;) {
      const auto type = static_cast<std::uint8_t>(number_at(all, at, 1));
      const std::size_t length = number_at(all, at + 1, 2);
      at += message_head;
      if (length > head + size - at) refuse_damaged(file_.name(), "has an object that is not complete");
      const std::string content = all.substr(at, length);
      at += length;
      if (type == attribute_message) {
        object.attributes.push_back(attribute_in(content));
      } else if (type == link_message) {
        const std::size_t name = number_at(content, 11, 2);
        object.links.push_back({content.substr(13, name), number_at(content, 13 + name, 8)});
      } else {
        object.messages.emplace(type, content);
      }
    }
    return object;
  }

  static ReadAttribute attribute_in(const std::string& content) {
    constexpr std::size_t head = 9;
    const std::size_t name = number_at(content, 2, 2), type = number_at(content, 4, 2),
                      space = number_at(content, 6, 2);
    ReadAttribute result{content.substr(head, name), content.substr(head + name, type),
                         content.substr(head + name + type + space)};
    if (result.name.ends_with('\0')) result.name.pop_back();
    return result;
  }

  static std::string messages_of(const ReadObject& object, std::uint8_t type) {
    const auto found = object.messages.find(type);
    return found != object.messages.end() ? found->second : "";
  }

  /// An object of a heap: where its collection is, and its number there.
  std::string long_text(const std::string& reference) {
    const std::uint64_t size = number_at(reference, 0, 4), place = number_at(reference, 4, 8);
    const std::uint64_t number = number_at(reference, 12, 4);
    if (heap_place_ != place) {
      const std::string start = bytes(place, 16);
      if (!start.starts_with("GCOL")) refuse_damaged(file_.name(), "has a text that is not there");
      heap_ = bytes(place, number_at(start, 8, 8));
      heap_place_ = place;
      heap_objects_.clear();
      for (std::size_t at = 16; at + 16 <= heap_.size() && number_at(heap_, at, 2) != 0;) {
        heap_objects_.push_back(at);
        const std::uint64_t length = number_at(heap_, at + 8, 8);
        if (length > heap_.size() - at - 16) refuse_damaged(file_.name(), "has a text that is not complete");
        at += 16 + rounded_up(length);
      }
    }
    if (number == 0 || number > heap_objects_.size() || number_at(heap_, heap_objects_[number - 1] + 8, 8) != size) {
      refuse_damaged(file_.name(), "has a text that is not there");
    }
    return heap_.substr(heap_objects_[number - 1] + 16, size);
  }

  std::string text_of(const ReadObject& object, const char* name) {
    for (const ReadAttribute& attribute : object.attributes) {
      if (attribute.name == name && attribute.type == long_text_type()) return long_text(attribute.content);
    }
    return "";
  }

  void take_notes(const ReadObject& root) {
    std::vector<std::pair<std::string, std::string>> texts;
    double step = 0;
    for (const ReadAttribute& attribute : root.attributes) {
      if (attribute.type == long_text_type()) texts.emplace_back(attribute.name, long_text(attribute.content));
      if (attribute.name == "step") step = std::bit_cast<double>(number_at(attribute.content, 0, 8));
    }
    ReadNotes read = notes_in_texts(texts);
    result_.version = read.version;
    result_.file.notes = std::move(read.notes);
    result_.file.notes.step = step;
  }

  Column column_of(const std::string& name, const ReadObject& object) {
    if (messages_of(object, type_message) != double_type()) refuse_words(file_.name(), name);
    Column column{name, ColumnKind::expression, 0, "", text_of(object, "long_name")};
    column.unit = text_of(object, "units");
    const bool is_scale = std::any_of(object.attributes.begin(), object.attributes.end(),
                                      [](const auto& attribute) { return attribute.name == "CLASS"; });
    if (is_scale && column.text == "time") column.kind = ColumnKind::time;
    return column;
  }

  void take_members(const ReadObject& group) {
    if (has_group_) refuse_damaged(file_.name(), "has more groups than one");
    has_group_ = true;
    for (const ReadLink& link : group.links) in_group_.push_back(column_of(link.name, object_at(link.address)));
  }

  /// Columns of the group come first; the times are no column, and the numbers are there twice.
  void finish() {
    RowFile& file = result_.file;
    if (!has_group_) {
      file.columns = std::move(columns_);
      if (file.columns.empty()) refuse_damaged(file_.name(), "has no columns");
      return;
    }
    if (columns_.size() < 2 || in_group_.empty() || columns_[0].name != column_of_times().name) {
      refuse_damaged(file_.name(), "has data sets that do not belong together");
    }
    file.columns = in_group_;
    file.columns.insert(file.columns.end(), columns_.begin() + 2, columns_.end());
    file.members.emplace(MemberRows{in_group_.size(), times_in(first_layout_)});
    if (file.members->times.empty()) refuse_damaged(file_.name(), "has no times");
  }

  std::vector<double> times_in(const std::string& layout) const {
    const std::string found = bytes(number_at(layout, 2, 8), number_at(layout, 10, 8));
    std::vector<double> times(found.size() / sizeof(double));
    std::memcpy(times.data(), found.data(), times.size() * sizeof(double));
    return times;
  }

  const ReadableFile& file_;
  std::uint64_t size_;
  Described result_;
  std::vector<Column> columns_, in_group_;
  std::string first_layout_;  ///< of the first one
  bool has_group_ = false;
  std::string heap_;
  std::uint64_t heap_place_ = nowhere;
  std::vector<std::size_t> heap_objects_;
};

}  // namespace

Described described_in(const ReadableFile& file) {
  try {
    return ObjectReader(file).run();
  } catch (const std::out_of_range&) {  // of number_at, substr
    refuse_damaged(file.name(), "has an object that is not complete");
  }
}

}  // namespace noslip::hdf5
