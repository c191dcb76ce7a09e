// The one system of the catalogue that is not a file: it has as many coordinates as is asked for.
#pragma once

#include <noslip/catalogue/catalogue.hpp>

namespace noslip {

CatalogueEntry chaotic();

}  // namespace noslip
