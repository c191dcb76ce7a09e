// JSON documents: the type, their text, and the list of warnings.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <noslip/core/status.hpp>

namespace noslip {

using Json = nlohmann::ordered_json;

inline std::string text_of(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

inline Json warnings_json(const std::vector<Warning>& warnings) {
  Json list = Json::array();
  for (const Warning& warning : warnings) {
    list.push_back({{"code", warning.code}, {"message", warning.message}, {"t", warning.t}});
  }
  return list;
}

}  // namespace noslip
