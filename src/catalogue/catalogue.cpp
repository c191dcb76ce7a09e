#include <noslip/catalogue/catalogue.hpp>

#include <cmath>

#include <noslip/core/names.hpp>
#include "catalogue/entries.hpp"

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
  return System::parse(entry.toml(sizes), entry.name);
}

}  // namespace

std::string system_file(std::string_view title, std::string_view summary, std::string_view source,
                        std::string_view rest) {
  std::string text;
  for (const auto& [key, value] : {std::pair<const char*, std::string_view>{"name        = \"", title},
                                   {"description = \"", summary},
                                   {"source      = \"", source}}) {
    text.append(key).append(value).append("\"\n");
  }
  return text.append(rest);
}

const std::vector<CatalogueEntry>& catalogue() {
  static const std::vector<CatalogueEntry> entries = {bicycle(),
                                                      chaotic(),
                                                      chaplygin_ball(),
                                                      chaplygin_sleigh_se2(),
                                                      charged_particle(),
                                                      contact_oscillator(),
                                                      cvt(),
                                                      differential_drive(),
                                                      double_pendulum(),
                                                      gearbox(),
                                                      heavy_top(),
                                                      index2(),
                                                      index2_split(),
                                                      knife_edge_pendulum(),
                                                      mobile_robot(),
                                                      particle(),
                                                      rattleback(),
                                                      rigid_body(),
                                                      roller_racer(),
                                                      rolling_ball_in_bowl(),
                                                      rolling_coin_so3(),
                                                      rolling_disk(),
                                                      rolling_wheel(),
                                                      skate(),
                                                      sleigh(),
                                                      sleigh_reduced(),
                                                      slider_crank(),
                                                      snakeboard(),
                                                      spherical_pendulum(),
                                                      suslov(),
                                                      suslov_so3(),
                                                      turntable_ball(),
                                                      turntable_ball_spatial(),
                                                      unicycle_spring()};
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
