#include "io/hdf5_layout.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include <noslip/io/output_file.hpp>

#include "io/notes.hpp"
#include "io/saved_rows.hpp"

namespace noslip::hdf5 {

namespace {

enum MessageType : std::uint8_t {
  space_message = 0x01,
  link_info_message = 0x02,
  type_message = 0x03,
  fill_message = 0x05,
  layout_message = 0x08,
  group_info_message = 0x0a,
  filter_message = 0x0b,
};

constexpr std::size_t most_chunk_rows = 8192, least_chunk_rows = 64, most_buffered_bytes = 1 << 22;
constexpr std::uint64_t most_rows = std::uint64_t{1} << 53;  // of a file: sums of rows and sizes stay far from 2^64
constexpr std::size_t most_references = 4000;  // in one message

std::string meaning_of(const Column& column) {
  const std::string& key = column.key.empty() ? column.name : column.key;
  switch (column.kind) {
    case ColumnKind::time: return "time";
    case ColumnKind::coordinate: return "position " + key;
    case ColumnKind::velocity:
      // On a group a velocity is not the derivative of a coordinate, and has a name of its own.
      return column.name.starts_with(key + "'") ? "velocity of " + key : "body velocity " + key;
    case ColumnKind::multiplier: return "multiplier " + key;
    case ColumnKind::energy: return "energy";
    case ColumnKind::work: return "work";
    case ColumnKind::input: return "input " + key;
    case ColumnKind::constraint: return "largest residual of the constraints";
    case ColumnKind::momentum: return "momentum of " + key;
    case ColumnKind::invariant: return "invariant " + key;
    case ColumnKind::exact: return "exact solution of " + key;
    case ColumnKind::expression: return column.text.empty() ? column.name : column.text;
    case ColumnKind::label: return "label";
  }
  return column.name;
}

/// A slash separates groups in names.
std::string link_name(std::string name) {
  std::replace(name.begin(), name.end(), '/', ':');
  return name.empty() || name == "." ? name + '_' : name;
}

/// Shuffle and deflate.
std::string filters(bool has_numbers) {
  Bytes message;
  message.one(2).one(has_numbers ? 2 : 1);
  if (has_numbers) message.two(2).two(1).two(1).four(8);
  message.two(1).two(1).two(1).four(1);
  return message.str();
}

}  // namespace

Layout::Layout(const RowFile& file) : columns_(file.columns), notes_(file.notes) {
  for (Column& column : columns_) column.name = link_name(column.name);
  columns_ = with_different_names(columns_);
  const std::size_t fitting = most_buffered_bytes / (8 * std::max<std::size_t>(1, columns_.size()));
  chunk_rows_ = std::clamp(std::bit_floor(fitting), least_chunk_rows, most_chunk_rows);
  const std::vector<std::size_t> times = places_of(columns_, ColumnKind::time);
  scale_ = times.empty() ? columns_.size() : times[0];

  Heap heap(superblock_size);
  const auto text = [&](const std::string& content) { return heap.add(content, content.size()); };
  // The addresses of the time, one for each description, are filled in when they are known.
  const std::uint64_t first_addresses = superblock_size + 16 + 16, second_addresses = first_addresses + 8 + 16;
  for (std::string& list : scale_lists_) list = heap.add(std::string(8, '\0'), 1);
  for (const auto& [name, note] : text_notes(notes_)) root_attributes_.emplace_back(name, text(note));
  for (const Column& column : columns_) {
    auto& attributes = attributes_.emplace_back();
    attributes.emplace_back("long_name", text(meaning_of(column)));
    if (!column.unit.empty()) attributes.emplace_back("units", text(column.unit));
    std::vector<std::string>& words = words_.emplace_back(column.words);
    std::size_t length = 1;
    for (const std::string& word : words) length = std::max(length, word.size());
    for (std::string& word : words) word.resize(length);
  }
  texts_ = heap.finish();

  const Extent empty{0, std::vector<std::uint64_t>(columns_.size(), nowhere)};
  for (int which = 0; which < 2; ++which) {
    const std::uint64_t texts_end = superblock_size + rounded_up(texts_.size());
    description_places_[which] = which == 0 ? texts_end : texts_end + rounded_up(description_size_);
    std::vector<std::uint64_t>& addresses = addresses_[which];
    addresses.assign(columns_.size() + 1, 0);
    std::uint64_t place = description_places_[which];
    const std::uint64_t root_size = rounded_up(root_header(addresses.data()).size());
    addresses[0] = place;
    place += root_size;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      addresses[i + 1] = place;
      place += rounded_up(column_header(i, which, addresses.data(), empty).size());
    }
    description_size_ = place - description_places_[which];
    if (scale_ < columns_.size()) {
      const std::string address = Bytes().eight(addresses[scale_ + 1]).str();
      texts_.replace((which == 0 ? first_addresses : second_addresses) - superblock_size, 8, address);
    }
  }
}

std::string Layout::root_header(const std::uint64_t* addresses) const {
  Header header;
  // The order of the columns counts.
  Bytes links;
  links.one(0).one(3).eight(columns_.size()).eight(nowhere).eight(nowhere).eight(nowhere);
  header.add(link_info_message, links.str());
  header.add(group_info_message, Bytes().one(0).one(0).str());
  for (const auto& [name, place] : root_attributes_) header.attribute(name, long_text_type(), scalar_space(), place);
  if (notes_.step > 0) {
    header.attribute("step", double_type(), scalar_space(), Bytes().eight(std::bit_cast<std::uint64_t>(notes_.step)).str());
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) header.link(columns_[i].name, i, addresses[i + 1]);
  return header.finish();
}

std::string Layout::column_header(std::size_t column, int which, const std::uint64_t* addresses,
                                  const Extent& extent) const {
  const bool has_numbers = words_[column].empty();
  Header header;
  header.add(space_message, simple_space(extent.rows, nowhere));
  header.add(type_message, has_numbers ? double_type() : text_type(width(column)), 1);
  header.add(fill_message, Bytes().one(3).one(0x0b).str(), 1);
  Bytes layout;
  layout.one(3).one(2).one(2).eight(extent.roots[column]).four(chunk_rows_).four(width(column));
  header.add(layout_message, layout.str());
  header.add(filter_message, filters(has_numbers), 1);
  if (column == scale_) {
    header.attribute("CLASS", Bytes().one(0x13).one(0).two(0).four(16).str(), scalar_space(), std::string("DIMENSION_SCALE") + '\0');
    const std::string name = columns_[column].name + '\0';
    header.attribute("NAME", Bytes().one(0x13).one(0x10).two(0).four(name.size()).str(), scalar_space(), name);
    if (columns_.size() > 1 && columns_.size() <= most_references) {
      Bytes references;
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (i != scale_) references.eight(addresses[i + 1]).eight(0);
      }
      header.attribute("REFERENCE_LIST", back_reference_type(), simple_space(columns_.size() - 1, columns_.size() - 1),
                       references.str());
    }
  } else if (scale_ < columns_.size()) {
    header.attribute("DIMENSION_LIST", list_of(reference_type()), simple_space(1, 1), scale_lists_[which]);
  }
  for (const auto& [name, place] : attributes_[column]) header.attribute(name, long_text_type(), scalar_space(), place);
  return header.finish();
}

std::string Layout::description(int which, const Extent& extent) const {
  const std::uint64_t* addresses = addresses_[which].data();
  Bytes all;
  const auto add = [&](const std::string& header) {
    all.text(header).zeros(rounded_up(header.size()) - header.size());
  };
  add(root_header(addresses));
  for (std::size_t i = 0; i < columns_.size(); ++i) add(column_header(i, which, addresses, extent));
  return all.str();
}

std::string Layout::superblock(int which, std::uint64_t file_size) const {
  Bytes all;
  all.text("\x89HDF\r\n\x1a\n").one(2).one(8).one(8).one(0);
  all.eight(0).eight(nowhere).eight(file_size).eight(addresses_[which][0]);
  all.four(metadata_checksum(all.str()));
  return all.str();
}

bool Layout::find(int file, int& which, Extent& extent) const {
  std::string found(superblock_size, '\0');
  if (!read_at(file, 0, found.data(), found.size())) return false;
  which = number_at(found, 36, 8) == addresses_[1][0] ? 1 : 0;
  if (found != superblock(which, number_at(found, 28, 8))) return false;
  found.resize(texts_.size());
  if (!read_at(file, texts_place(), found.data(), found.size()) || found != texts_) return false;
  found.resize(description_size_);
  if (!read_at(file, description_places_[which], found.data(), found.size())) return false;
  // Every data set has the number of rows first, and later the place of its index.
  extent.roots.assign(columns_.size(), nowhere);
  const std::size_t rows_place = Header().next_content() + 4;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::size_t begin = addresses_[which][i + 1] - description_places_[which];
    Header messages;
    messages.add(space_message, simple_space(0, nowhere));
    messages.add(type_message, words_[i].empty() ? double_type() : text_type(width(i)));
    messages.add(fill_message, std::string(2, '\0'));
    extent.rows = number_at(found, begin + rows_place, 8);
    extent.roots[i] = number_at(found, begin + messages.next_content() + 3, 8);
  }
  return extent.rows <= most_rows && found == description(which, extent);
}

}  // namespace noslip::hdf5
