#include "io/hdf5_index.hpp"

#include <noslip/io/output_file.hpp>

#include "io/hdf5_messages.hpp"

namespace noslip::hdf5 {

namespace {

constexpr std::uint64_t fanout = 64;  // what HDF5 takes for granted
constexpr std::size_t count_place = 6, right_place = 16, first_entry = 24;

/// Levels of a tree with so many chunks.
std::size_t height(std::uint64_t count) {
  std::size_t levels = count > 0 ? 1 : 0;
  for (std::uint64_t most = fanout; most < count; most *= fanout) ++levels;
  return levels;
}

/// Chunks below a child of a node.
std::uint64_t chunks_below(std::size_t level) { return level == 0 ? 1 : fanout * chunks_below(level - 1); }

}  // namespace

std::uint64_t Index::root() const { return nodes_.empty() ? nowhere : nodes_.back(); }

std::size_t Index::node_size() const { return first_entry + fanout * entry_size() + key_size(); }

std::uint64_t Index::entry_place(std::uint64_t node, std::uint64_t number) const {
  return node + first_entry + number % fanout * entry_size();
}

std::string Index::node_text(std::size_t level, std::size_t count, std::uint64_t left,
                             const std::string& entries) const {
  Bytes node;
  node.text("TREE").one(1).one(level).two(count).eight(left).eight(nowhere).text(entries);
  return node.zeros(node_size() - node.size()).str();
}

/// The node of a level under which a chunk is.
bool Index::find_node(int file, std::uint64_t& node, std::size_t from, std::size_t to, std::uint64_t number) const {
  for (std::size_t level = from; level > to; --level) {
    std::string child(8, '\0');
    const std::uint64_t place = entry_place(node, number / chunks_below(level)) + key_size();
    if (!read_at(file, place, child.data(), child.size())) return false;
    node = number_at(child, 0, 8);
  }
  return true;
}

/// The size of a chunk, and where it begins in each dimension; the last one is that of the bytes of an element.
std::string Index::key(std::uint64_t size, std::uint64_t chunk) const {
  Bytes text;
  text.four(size).four(0);
  if (dimensions_ == 2) text.eight(0);
  return text.eight(chunk * chunk_rows_).eight(0).str();
}

/// The key of a child, the child, and the key behind it.
std::string Index::entry(std::uint64_t child, std::uint64_t size, std::uint64_t begin, std::uint64_t end) const {
  return Bytes().text(key(size, begin)).eight(child).text(key(0, end)).str();
}

void Index::add(std::uint64_t number, const std::string& chunk, std::uint64_t place, std::string& block,
                std::vector<Patch>& patches) {
  // New nodes come first, then the chunk.
  std::size_t new_nodes = 0;
  while (new_nodes < nodes_.size() && number / chunks_below(new_nodes) % fanout == 0) ++new_nodes;
  if (new_nodes == nodes_.size()) ++new_nodes;
  std::uint64_t next_node = place + block.size(), child = next_node + new_nodes * node_size(), size = chunk.size();
  std::uint64_t replaced = 0;  // the node to the left of the child
  for (std::size_t level = 0;; ++level) {
    const std::uint64_t i = number / chunks_below(level), below = chunks_below(level);
    const std::string added = entry(child, size, i * below, (i + 1) * below);
    const bool exists = level < nodes_.size();
    if (exists && i % fanout != 0) {
      patches.push_back({entry_place(nodes_[level], i), added});
      patches.push_back({nodes_[level] + count_place, Bytes().two(i % fanout + 1).str()});
      break;
    }
    if (!exists) {
      const std::string first = level == 0 ? "" : entry(replaced, 0, 0, below).substr(0, entry_size());
      block += node_text(level, level == 0 ? 1 : 2, nowhere, first + added);
      nodes_.push_back(next_node);
      break;
    }
    block += node_text(level, 1, nodes_[level], added);
    patches.push_back({nodes_[level] + right_place, Bytes().eight(next_node).str()});
    replaced = nodes_[level];
    child = nodes_[level] = next_node;
    size = 0;
    next_node += node_size();
  }
  block += chunk;
  block.resize(rounded_up(block.size()));
}

bool Index::find(int file, std::uint64_t root, std::uint64_t count, std::uint64_t number, Chunk& chunk) const {
  std::string found(entry_size(), '\0');
  if (!find_node(file, root, height(count) - 1, 0, number)) return false;
  if (!read_at(file, entry_place(root, number), found.data(), found.size())) return false;
  chunk = {number_at(found, key_size(), 8), number_at(found, 0, 4)};
  return true;
}

bool Index::cut(int file, std::uint64_t root, std::uint64_t count, std::uint64_t fewer, std::vector<Patch>& patches) {
  nodes_.assign(height(fewer), root);
  for (std::size_t level = 0; level < nodes_.size(); ++level) {
    if (!find_node(file, nodes_[level], height(count) - 1, level, fewer - 1)) return false;
    std::string node(node_size(), '\0');
    if (!read_at(file, nodes_[level], node.data(), node.size())) return false;
    const std::uint64_t below = chunks_below(level), i = (fewer - 1) / below, used = i % fanout + 1;
    const std::string last = key(0, (i + 1) * below);
    node.resize(first_entry + used * entry_size());
    node = Bytes().text(node).text(last).zeros(node_size() - node.size() - last.size()).str();
    node.replace(count_place, 2, Bytes().two(used).str());
    node.replace(right_place, 8, Bytes().eight(nowhere).str());
    patches.push_back({nodes_[level], node});
  }
  return true;
}

}  // namespace noslip::hdf5
