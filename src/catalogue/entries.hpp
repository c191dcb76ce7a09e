// One function per catalogue system; each in a file of its own.
#pragma once

#include <string>
#include <string_view>

#include <noslip/catalogue/catalogue.hpp>

namespace noslip {

CatalogueEntry chaotic();
CatalogueEntry contact_oscillator();
CatalogueEntry cvt();
CatalogueEntry index2();
CatalogueEntry index2_split();
CatalogueEntry mobile_robot();
CatalogueEntry particle();
CatalogueEntry rolling_disk();
CatalogueEntry skate();
CatalogueEntry sleigh();

/// A system file: title, a sentence of physics and the source in front of the rest.
std::string system_file(std::string_view title, std::string_view summary, std::string_view source,
                        std::string_view rest);

}  // namespace noslip
