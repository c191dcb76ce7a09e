// Deflate (RFC 1951): one block with fixed codes, or stored blocks.
#include "io/deflate.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace noslip {

namespace {

constexpr std::size_t shortest_match = 3, longest_match = 258, farthest_match = 32768;
constexpr int tries_per_match = 16;  ///< earlier places with the same three bytes that are compared
constexpr int end_of_block = 256;

/// A length or a distance: the code that holds it, and how many bits tell where it lies among those of this code.
struct DeflateCode {
  int code = 0, extra_bits = 0;
  std::uint32_t extra = 0;
};

/// Codes come in groups, of `group` each; from one group to the next the number of further bits grows by one.
DeflateCode code_of(std::uint32_t from_zero, int group_bits) {
  DeflateCode result;
  std::uint32_t high = from_zero >> group_bits;
  if (high < 2) return {static_cast<int>(from_zero), 0, 0};
  while (high >= 2) {
    ++result.extra_bits;
    high >>= 1U;
  }
  const std::uint32_t kept = from_zero >> static_cast<unsigned>(result.extra_bits);
  result.code = (result.extra_bits << group_bits) + static_cast<int>(kept);
  result.extra = from_zero & ((1U << static_cast<unsigned>(result.extra_bits)) - 1);
  return result;
}

/// Bits in the order of RFC 1951: the first one is the lowest of the first byte.
class BitWriter {
 public:
  explicit BitWriter(std::string& bytes) : bytes_(bytes) {}

  void add(std::uint32_t bits, int count) {
    held_ |= static_cast<std::uint64_t>(bits) << static_cast<unsigned>(count_);
    for (count_ += count; count_ >= 8; count_ -= 8, held_ >>= 8U) bytes_ += static_cast<char>(held_ & 0xFFU);
  }

  /// Huffman codes begin with their highest bit.
  void add_code(std::uint32_t code, int count) {
    std::uint32_t turned = 0;
    for (int i = 0; i < count; ++i) turned |= ((code >> static_cast<unsigned>(i)) & 1U) << unsigned(count - 1 - i);
    add(turned, count);
  }

  void finish() {
    if (count_ > 0) add(0, 8 - count_);
  }

 private:
  std::string& bytes_;
  std::uint64_t held_ = 0;
  int count_ = 0;
};

/// A byte, the end, or a length, with the fixed code.
void add_symbol(BitWriter& bits, int symbol) {
  const auto code = static_cast<std::uint32_t>(symbol);
  if (symbol < 144) return bits.add_code(0x30 + code, 8);
  if (symbol < 256) return bits.add_code(0x190 + code - 144, 9);
  if (symbol < 280) return bits.add_code(code - 256, 7);
  bits.add_code(0xC0 + code - 280, 8);
}

void add_match(BitWriter& bits, std::size_t length, std::size_t distance) {
  // The longest length has a code of its own.
  const DeflateCode of_length =
      length == longest_match ? DeflateCode{28, 0, 0} : code_of(static_cast<std::uint32_t>(length - shortest_match), 2);
  add_symbol(bits, 257 + of_length.code);
  bits.add(of_length.extra, of_length.extra_bits);
  const DeflateCode of_distance = code_of(static_cast<std::uint32_t>(distance - 1), 1);
  bits.add_code(static_cast<std::uint32_t>(of_distance.code), 5);
  bits.add(of_distance.extra, of_distance.extra_bits);
}

/// Finds what has been before: places with the same first three bytes, the last ones first.
class Earlier {
 public:
  explicit Earlier(std::string_view content) : content_(content), before_(content.size(), nowhere) {
    last_.fill(nowhere);
  }

  struct Match {
    std::size_t length = 0, distance = 0;
  };

  Match longest_at(std::size_t at) const {
    Match best;
    if (at + shortest_match > content_.size()) return best;
    std::int64_t place = last_[hash(at)];
    for (int i = 0; i < tries_per_match && place != nowhere; ++i) {
      const auto from = static_cast<std::size_t>(place);
      if (at - from > farthest_match) break;
      const std::size_t length = common(from, at);
      if (length > best.length) best = {length, at - from};
      if (length == longest_match) break;
      place = before_[from];
    }
    return best;
  }

  void add(std::size_t at) {
    if (at + shortest_match > content_.size()) return;
    std::int64_t& last = last_[hash(at)];
    before_[at] = last;
    last = static_cast<std::int64_t>(at);
  }

 private:
  static constexpr std::int64_t nowhere = -1;

  std::size_t hash(std::size_t at) const {
    const auto byte = [&](std::size_t i) {
      return static_cast<std::uint32_t>(static_cast<unsigned char>(content_[i]));
    };
    return ((byte(at) << 16U | byte(at + 1) << 8U | byte(at + 2)) * 2654435761U) >> 17U;
  }

  std::size_t common(std::size_t from, std::size_t at) const {
    const std::size_t most = std::min(longest_match, content_.size() - at);
    std::size_t length = 0;
    while (length < most && content_[from + length] == content_[at + length]) ++length;
    return length;
  }

  std::string_view content_;
  std::vector<std::int64_t> before_;
  std::array<std::int64_t, 32768> last_{};
};

std::string compressed(std::string_view content) {
  std::string result;
  BitWriter bits(result);
  bits.add(1, 1);  // the last block
  bits.add(1, 2);  // with fixed codes
  Earlier earlier(content);
  for (std::size_t at = 0; at < content.size();) {
    const Earlier::Match match = earlier.longest_at(at);
    const std::size_t length = match.length < shortest_match ? 1 : match.length;
    if (length == 1) {
      add_symbol(bits, static_cast<unsigned char>(content[at]));
    } else {
      add_match(bits, match.length, match.distance);
    }
    for (const std::size_t end = at + length; at < end; ++at) earlier.add(at);
  }
  add_symbol(bits, end_of_block);
  bits.finish();
  return result;
}

std::string stored(std::string_view content) {
  constexpr std::size_t longest_block = 65535;
  std::string result;
  do {
    const std::size_t length = std::min(content.size(), longest_block);
    result += static_cast<char>(length == content.size() ? 1 : 0);
    for (const std::size_t number : {length, ~length}) {
      result += static_cast<char>(number & 0xFFU);
      result += static_cast<char>(number >> 8U & 0xFFU);
    }
    result += content.substr(0, length);
    content.remove_prefix(length);
  } while (!content.empty());
  return result;
}

std::uint32_t adler32_of(std::string_view content) {
  std::uint32_t a = 1, b = 0;
  for (const char c : content) {
    a = (a + static_cast<unsigned char>(c)) % 65521U;
    b = (b + a) % 65521U;
  }
  return b << 16U | a;
}

}  // namespace

std::string zlib_stream(std::string_view content) {
  std::string result = "\x78\x01";
  const std::string short_form = compressed(content), plain_form = stored(content);
  result += short_form.size() < plain_form.size() ? short_form : plain_form;
  const std::uint32_t sum = adler32_of(content);
  for (const unsigned shift : {24U, 16U, 8U, 0U}) result += static_cast<char>(sum >> shift & 0xFFU);
  return result;
}

}  // namespace noslip
