// The systems that noslip knows by name. Each is a system file in src/catalogue.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <noslip/model/system.hpp>

namespace noslip {

/// A whole number that decides how many coordinates a system has, set like a parameter (`--set m=4`).
struct SizeParameter {
  std::string name;
  int default_value;
  int least;
  int most;
};

struct CatalogueEntry {
  std::string name;                                                          ///< "sleigh"
  std::string summary;                                                       ///< a sentence of physics
  std::string source;                                                        ///< the paper and section
  std::vector<SizeParameter> sizes;                                          ///< empty for most systems
  std::function<std::string(const std::map<std::string, int>& sizes)> toml;  ///< the system file for these sizes
};

/// All entries, by name.
const std::vector<CatalogueEntry>& catalogue();

/// Null if there is none.
const CatalogueEntry* find_catalogue_entry(std::string_view name);
/// Whether a name that somebody has given for a system means a file: it has a `/`, ends in .toml, or is no entry but a file.
bool names_a_system_file(const std::string& name);
/// The system file of an entry; the rest as catalogue_system.
std::string catalogue_text(std::string_view name, Settings& settings);

/// A catalogue system by name; InputError with "did you mean" for an unknown one. Size parameters are taken out of
/// `settings` (checked: whole, within bounds); the rest is left for System::parameter_values.
System catalogue_system(std::string_view name, Settings& settings);
System catalogue_system(std::string_view name, std::map<std::string, double>& settings);
System catalogue_system(std::string_view name);

}  // namespace noslip
