#include <noslip/catalogue/catalogue.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <noslip/core/names.hpp>

#include "catalogue/chaotic.hpp"
#include "catalogue/system_files.hpp"

namespace noslip {
namespace {

const CatalogueEntry& find(std::string_view name) {
  if (const CatalogueEntry* const entry = find_catalogue_entry(name)) return *entry;
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : catalogue()) names.push_back(entry.name);
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
std::string text_without_sizes(std::string_view name, Values& settings) {
  const CatalogueEntry& entry = find(name);
  std::map<std::string, int> sizes;
  for (const SizeParameter& size : entry.sizes) {
    sizes[size.name] = size.default_value;
    if (const auto setting = settings.find(size.name); setting != settings.end()) {
      sizes[size.name] = whole_number(size, setting->second);
      settings.erase(setting);
    }
  }
  return entry.toml(sizes);
}

template <class Values>
System without_sizes(std::string_view name, Values& settings) {
  const std::string text = text_without_sizes(name, settings);
  return System::parse(text, std::string(name)).resized(settings);
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

const CatalogueEntry* find_catalogue_entry(std::string_view name) {
  const auto found = std::find_if(catalogue().begin(), catalogue().end(), [&](const auto& entry) { return entry.name == name; });
  return found == catalogue().end() ? nullptr : &*found;
}

bool names_a_system_file(const std::string& name) {
  std::error_code ignored;
  return name.find('/') != std::string::npos || name.ends_with(".toml") ||
         (find_catalogue_entry(name) == nullptr && std::filesystem::exists(name, ignored));
}

std::string catalogue_text(std::string_view name, Settings& settings) { return text_without_sizes(name, settings); }

System catalogue_system(std::string_view name, Settings& settings) { return without_sizes(name, settings); }

System catalogue_system(std::string_view name, std::map<std::string, double>& settings) {
  return without_sizes(name, settings);
}

System catalogue_system(std::string_view name) {
  Settings settings;
  return catalogue_system(name, settings);
}

}  // namespace noslip
