// Members of the families of energy-preserving methods.
#pragma once

#include "method/families.hpp"

namespace noslip {

std::shared_ptr<const Method> make_gonzalez(int number, const MethodOptions& options);
std::shared_ptr<const Method> make_gonzalez_full(int number, const MethodOptions& options);
std::shared_ptr<const Method> make_avf(int number, const MethodOptions& options);
std::shared_ptr<const Method> make_itoh_abe(int number, const MethodOptions& options);
std::shared_ptr<const Method> make_energy(int stages, const MethodOptions& options);

}  // namespace noslip
