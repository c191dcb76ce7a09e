// JSON documents: the type, their text, and the list of warnings.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <noslip/core/status.hpp>

namespace noslip {

/// Documents begin as Json::object() or Json::array(): a null that becomes one of them where memory is missing crashes.
using Json = nlohmann::ordered_json;

inline std::string text_of(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// A list that may be too long for a document: its entries are made one by one when they are written.
struct JsonList {
  std::size_t size = 0;
  std::function<Json(std::size_t)> entry;
};
/// What stands in a document where such a list belongs.
inline Json list_here() { return Json(Json::value_t::discarded); }

using TakeText = std::function<void(std::string_view)>;
/// The text that text_of would give, in pieces; `lists` in the order of their places.
void write_document(const Json& document, std::span<const JsonList> lists, const TakeText& take);

inline Json warnings_json(const std::vector<Warning>& warnings) {
  Json list = Json::array();
  for (const Warning& warning : warnings) {
    list.push_back({{"code", warning.code}, {"message", warning.message}, {"t", warning.t}});
  }
  return list;
}

}  // namespace noslip
