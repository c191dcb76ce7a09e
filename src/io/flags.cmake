# JSON documents are made with nlohmann-json; no public header shows it.
find_package(nlohmann_json REQUIRED)
target_link_libraries(noslip_io PRIVATE nlohmann_json::nlohmann_json)
