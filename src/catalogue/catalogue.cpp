#include <noslip/catalogue/catalogue.hpp>

#include <algorithm>
#include <cmath>

#include <noslip/core/names.hpp>

#include "catalogue/chaotic.hpp"
#include "catalogue/system_files.hpp"

namespace noslip {
namespace {

const CatalogueEntry& find(std::string_view name) {
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : catalogue()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  const std::string guess = did_you_mean(name, names);
  throw InputError("unknown system '" + std::string(name) + "'",
                   guess.empty() ? "the systems of the catalogue are " + list_of(names) : guess);
}

int whole_number(const SizeParameter& size, quad given) {
  const auto value = static_cast<double>(given);
  const std::string range = std::to_string(size.least) + " to " + std::to_string(size.most);
  if (!(value == std::floor(value)) || value < size.least || value > size.most) {
    throw InputError("'" + size.name + "' cannot be " + to_text(value),
                     "it counts coordinates: a whole number from " + range);
  }
  return static_cast<int>(value);
}

template <class Values>
System without_sizes(std::string_view name, Values& settings) {
  const CatalogueEntry& entry = find(name);
  std::map<std::string, int> sizes;
  for (const SizeParameter& size : entry.sizes) {
    sizes[size.name] = size.default_value;
    if (const auto setting = settings.find(size.name); setting != settings.end()) {
      sizes[size.name] = whole_number(size, setting->second);
      settings.erase(setting);
    }
  }
  return System::parse(entry.toml(sizes), entry.name).resized(settings);
}

}  // namespace

const std::vector<CatalogueEntry>& catalogue() {
  static const std::vector<CatalogueEntry> entries = [] {
    std::vector<CatalogueEntry> all = {chaotic()};
    for (const SystemFile& file : system_files()) {
      const auto text = [&file](const auto&) { return std::string(file.text); };
      all.push_back({file.name, file.description, file.source, {}, text});
    }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return all;
  }();
  return entries;
}

System catalogue_system(std::string_view name, Settings& settings) { return without_sizes(name, settings); }

System catalogue_system(std::string_view name, std::map<std::string, double>& settings) {
  return without_sizes(name, settings);
}

System catalogue_system(std::string_view name) {
  Settings settings;
  return catalogue_system(name, settings);
}

}  // namespace noslip
