// Compression without a library, for pictures inside of documents.
#pragma once

#include <string>
#include <string_view>

namespace noslip {

/// The content as a zlib stream (RFC 1950): repetitions within 32 KB are replaced, with the fixed codes of RFC 1951, or
/// the content is stored if that is shorter. The same bytes in every build. Some 20 ns per byte.
std::string zlib_stream(std::string_view content);

}  // namespace noslip
