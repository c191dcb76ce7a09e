// The list of warnings in JSON documents.
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include <noslip/core/status.hpp>

namespace noslip {

inline nlohmann::ordered_json warnings_json(const std::vector<Warning>& warnings) {
  auto list = nlohmann::ordered_json::array();
  for (const Warning& warning : warnings) {
    list.push_back({{"code", warning.code}, {"message", warning.message}, {"t", warning.t}});
  }
  return list;
}

}  // namespace noslip
