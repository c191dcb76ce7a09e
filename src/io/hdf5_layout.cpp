#include "io/hdf5_layout.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include <noslip/core/error.hpp>
#include <noslip/io/output_file.hpp>

#include "io/notes.hpp"

namespace noslip::hdf5 {

namespace {

constexpr std::size_t most_chunk_rows = 8192, least_chunk_rows = 64, most_buffered_bytes = 1 << 22;
constexpr std::uint64_t most_rows = std::uint64_t{1} << 53;  // of a file: sums of rows and sizes stay far from 2^64
constexpr std::size_t most_references = 4000;  // in one message
constexpr std::size_t most_chunk_bytes = 1 << 27;  // readers have to hold it as a whole
constexpr const char* group_name = "member";

std::string meaning_of(const Column& column) {
  const std::string& key = column.key.empty() ? column.name : column.key;
  switch (column.kind) {
    case ColumnKind::time: return "time";
    case ColumnKind::coordinate: return "position " + key;
    case ColumnKind::velocity:
      // On a group a velocity is not the derivative of a coordinate, and has a name of its own.
      return column.name.starts_with(key + "'") ? "velocity of " + key : "body velocity " + key;
    case ColumnKind::state: return "state " + key;
    case ColumnKind::multiplier: return "multiplier " + key;
    case ColumnKind::energy: return "energy";
    case ColumnKind::work: return "work";
    case ColumnKind::input: return "input " + key;
    case ColumnKind::constraint: return "largest residual of the constraints";
    case ColumnKind::output: return "output " + key;
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

/// The header of a group in which the order of the names counts.
Header group(std::size_t names) {
  Bytes links;
  links.one(0).one(3).eight(names).eight(nowhere).eight(nowhere).eight(nowhere);
  Header header;
  header.add(link_info_message, links.str());
  header.add(group_info_message, Bytes().one(0).one(0).str());
  return header;
}

[[noreturn]] void refuse_times(const std::string& file, std::size_t count, std::size_t most) {
  throw InputError(fmt::format("{}: rows have {} times, but an HDF5 file of an ensemble can have {}", file, count, most),
                   "store fewer times, or give the file another ending");
}

}  // namespace

Layout::Layout(const RowFile& file)
    : shape_(file), columns_(file.columns), has_record_(file.has_record), notes_(file.notes) {
  if (is_of_members()) columns_.insert(columns_.begin(), columns_[0]);
  name_columns();
  const std::size_t fitting = most_buffered_bytes / (8 * std::max<std::size_t>(1, shape_.size()));
  const std::size_t least = is_of_members() ? 1 : least_chunk_rows;
  chunk_rows_ = std::clamp(std::bit_floor(fitting), least, most_chunk_rows);
  if (is_of_members()) {
    scales_ = {times_object(), object(0)};
  } else if (const std::vector<std::size_t> times = places_of(columns_, ColumnKind::time); !times.empty()) {
    scales_ = {object(times[0])};
  }

  Heap heap(superblock_size);
  const auto text = [&](const std::string& content) { return heap.add(content, content.size()); };
  // Addresses of the scales, for each description, are filled in when they are known.
  const std::size_t list_count = std::max<std::size_t>(1, scales_.size());
  const auto list_place = [&](int which, std::size_t i) {
    return 16 + 16 + (static_cast<std::size_t>(which) * list_count + i) * (16 + 8);
  };
  for (std::vector<std::string>& lists : scale_lists_) {
    for (std::size_t i = 0; i < list_count; ++i) lists.push_back(heap.add(std::string(8, '\0'), 1));
  }
  for (const auto& [name, note] : text_notes(notes_)) root_attributes_.emplace_back(name, text(note));
  if (is_of_members()) time_meaning_ = text(meaning_of(column_of_times()));
  std::size_t widest = 8;
  for (const Column& column : columns_) {
    auto& attributes = attributes_.emplace_back();
    attributes.emplace_back("long_name", text(meaning_of(column)));
    if (!column.unit.empty()) attributes.emplace_back("units", text(column.unit));
    std::vector<std::string>& words = words_.emplace_back();
    for (const std::string& word : column.words) words.push_back(text(word));
    widest = std::max(widest, width(attributes_.size() - 1));
  }
  texts_ = heap.finish();
  if (is_of_members()) {
    const std::vector<double>& times = file.members->times;
    if (times.size() > most_chunk_bytes / widest) refuse_times(file.name, times.size(), most_chunk_bytes / widest);
    times_place_ = superblock_size + texts_.size();
    texts_.append(reinterpret_cast<const char*>(times.data()), times.size() * sizeof(double));
  }

  const Extent empty{0, std::vector<std::uint64_t>(columns_.size(), nowhere)};
  for (int which = 0; which < 2; ++which) {
    const std::uint64_t texts_end = superblock_size + rounded_up(texts_.size());
    description_places_[which] = which == 0 ? texts_end : texts_end + rounded_up(description_size_);
    std::vector<std::uint64_t>& addresses = addresses_[which];
    addresses.assign(object_count(), 0);
    std::uint64_t place = description_places_[which];
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      const std::size_t size = object_header(i, which, addresses.data(), empty).size();
      addresses[i] = place;
      place += rounded_up(size);
    }
    description_size_ = place - description_places_[which];
    for (std::size_t i = 0; i < scales_.size(); ++i) {
      texts_.replace(list_place(which, i), 8, Bytes().eight(addresses[scales_[i]]).str());
    }
  }
}

/// Names in each group are different. The scales and the group of members have theirs before all columns.
void Layout::name_columns() {
  for (Column& column : columns_) column.name = link_name(column.name);
  std::vector<Column> in_root, in_group;
  if (has_record_) in_root.push_back({record_name});
  if (is_of_members()) in_root.insert(in_root.end(), {column_of_times(), {group_name}});
  std::size_t next_in_root = in_root.size(), next_in_group = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) (is_in_group(i) ? in_group : in_root).push_back(columns_[i]);
  in_root = with_different_names(in_root);
  in_group = with_different_names(in_group);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    columns_[i] = is_in_group(i) ? in_group[next_in_group++] : in_root[next_in_root++];
  }
}

std::vector<std::size_t> Layout::scales_of(std::size_t object) const {
  if (object == 0 || object > columns_.size()) return {};
  if (std::find(scales_.begin(), scales_.end(), object) != scales_.end()) return {};
  if (!is_of_members()) return scales_.empty() ? std::vector<std::size_t>{} : std::vector<std::size_t>{0};
  return is_over_time(object - 1) ? std::vector<std::size_t>{0, 1} : std::vector<std::size_t>{1};
}

std::string Layout::object_header(std::size_t object, int which, const std::uint64_t* addresses,
                                  const Extent& extent) const {
  if (object == 0) return root_header(addresses);
  if (object <= columns_.size()) return column_header(object - 1, which, addresses, extent);
  if (has_record_ && object == record_object()) return record_header(extent);
  return object == times_object() ? times_header(addresses) : group_header(addresses);
}

std::string Layout::root_header(const std::uint64_t* addresses) const {
  std::vector<std::pair<std::string, std::uint64_t>> links;
  if (is_of_members()) links = {{column_of_times().name, addresses[times_object()]}};
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!is_in_group(i)) links.emplace_back(columns_[i].name, addresses[object(i)]);
    if (is_of_members() && i == 0) links.emplace_back(group_name, addresses[group_object()]);
  }
  if (has_record_) links.emplace_back(record_name, addresses[record_object()]);
  Header header = group(links.size());
  for (const auto& [name, place] : root_attributes_) header.attribute(name, long_text_type(), scalar_space(), place);
  if (notes_.step > 0) {
    header.attribute("step", double_type(), scalar_space(), Bytes().eight(std::bit_cast<std::uint64_t>(notes_.step)).str());
  }
  for (std::size_t i = 0; i < links.size(); ++i) header.link(links[i].first, i, links[i].second);
  return header.finish();
}

std::string Layout::group_header(const std::uint64_t* addresses) const {
  Header header = group(shape_.single());
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (is_in_group(i)) header.link(columns_[i].name, number++, addresses[object(i)]);
  }
  return header.finish();
}

std::string Layout::times_header(const std::uint64_t* addresses) const {
  const std::uint64_t count = shape_.times();
  Header header;
  header.add(space_message, simple_space({{count, count}}));
  header.add(type_message, double_type(), 1);
  header.add(fill_message, Bytes().one(3).one(0x0a).str(), 1);
  header.add(layout_message, Bytes().one(3).one(1).eight(times_place_).eight(count * sizeof(double)).str());
  add_scale(header, 0, column_of_times().name, addresses);
  header.attribute("long_name", long_text_type(), scalar_space(), time_meaning_);
  return header.finish();
}

std::string Layout::record_header(const Extent& extent) const {
  Header header;
  header.add(space_message, simple_space({{extent.record_size, extent.record_size}}));
  header.add(type_message, byte_type(), 1);
  header.add(fill_message, Bytes().one(3).one(0x0a).str(), 1);
  header.add(layout_message, Bytes().one(3).one(1).eight(extent.record_place).eight(extent.record_size).str());
  return header.finish();
}

std::string Layout::column_space(std::size_t column, std::uint64_t rows) const {
  if (!is_over_time(column)) return simple_space({{rows, nowhere}});
  return simple_space({{shape_.times(), shape_.times()}, {rows, nowhere}});
}

std::string Layout::column_header(std::size_t column, int which, const std::uint64_t* addresses,
                                  const Extent& extent) const {
  const bool has_numbers = words_[column].empty();
  Header header;
  header.add(space_message, column_space(column, extent.rows));
  header.add(type_message, has_numbers ? double_type() : long_text_type(), 1);
  header.add(fill_message, Bytes().one(3).one(0x0b).str(), 1);
  Bytes layout;
  layout.one(3).one(2).one(is_over_time(column) ? 3 : 2).eight(extent.roots[column]);
  if (is_over_time(column)) layout.four(shape_.times());
  layout.four(chunk_rows_).four(width(column));
  header.add(layout_message, layout.str());
  header.add(filter_message, filters(has_numbers), 1);
  for (std::size_t i = 0; i < scales_.size(); ++i) {
    if (scales_[i] == object(column)) add_scale(header, i, columns_[column].name, addresses);
  }
  const std::vector<std::size_t> scales = scales_of(object(column));
  if (!scales.empty()) {
    std::string lists;
    for (const std::size_t scale : scales) lists += scale_lists_[which][scale];
    header.attribute("DIMENSION_LIST", list_of(reference_type()), simple_space({{scales.size(), scales.size()}}), lists);
  }
  for (const auto& [name, place] : attributes_[column]) header.attribute(name, long_text_type(), scalar_space(), place);
  return header.finish();
}

/// What makes a data set the scale of a dimension of others.
void Layout::add_scale(Header& header, std::size_t scale, const std::string& name,
                       const std::uint64_t* addresses) const {
  header.attribute("CLASS", Bytes().one(0x13).one(0).two(0).four(16).str(), scalar_space(), std::string("DIMENSION_SCALE") + '\0');
  const std::string text = name + '\0';
  header.attribute("NAME", Bytes().one(0x13).one(0x10).two(0).four(text.size()).str(), scalar_space(), text);
  Bytes references;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::vector<std::size_t> scales = scales_of(object(i));
    const auto found = std::find(scales.begin(), scales.end(), scale);
    if (found == scales.end()) continue;
    references.eight(addresses[object(i)]).eight(static_cast<std::uint64_t>(found - scales.begin()));
    ++count;
  }
  if (count == 0 || count > most_references) return;
  header.attribute("REFERENCE_LIST", back_reference_type(), simple_space({{count, count}}), references.str());
}

std::string Layout::description(int which, const Extent& extent) const {
  Bytes all;
  for (std::size_t i = 0; i < object_count(); ++i) {
    const std::string header = object_header(i, which, addresses_[which].data(), extent);
    all.text(header).zeros(rounded_up(header.size()) - header.size());
  }
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
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::size_t begin = addresses_[which][object(i)] - description_places_[which];
    const std::size_t rows_place = Header().next_content() + (is_over_time(i) ? 12 : 4);
    Header messages;
    messages.add(space_message, column_space(i, 0));
    messages.add(type_message, words_[i].empty() ? double_type() : long_text_type());
    messages.add(fill_message, std::string(2, '\0'));
    extent.rows = number_at(found, begin + rows_place, 8);
    extent.roots[i] = number_at(found, begin + messages.next_content() + 3, 8);
  }
  if (has_record_) {
    const std::size_t begin = addresses_[which][record_object()] - description_places_[which];
    Header messages;
    messages.add(space_message, simple_space({{0, 0}})).add(type_message, byte_type());
    messages.add(fill_message, std::string(2, '\0'));
    extent.record_place = number_at(found, begin + messages.next_content() + 2, 8);
    extent.record_size = number_at(found, begin + messages.next_content() + 10, 8);
  }
  return extent.rows <= most_rows && found == description(which, extent);
}

}  // namespace noslip::hdf5
