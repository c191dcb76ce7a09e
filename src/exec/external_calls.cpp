// Calls of functions that were written in C++.
#include <array>

#include "exec/program.hpp"

namespace noslip {

template <class T>
void call_external(const typename Kernel<T>::Program& program, std::size_t call, const T* scratch, T* out, int lanes) {
  const auto& external = program.external_calls[call];
  std::array<T, ExternalFunction::most_arguments> arguments;
  for (int lane = 0; lane < lanes; ++lane) {
    for (std::size_t i = 0; i < external.arguments.size(); ++i) arguments[i] = scratch[external.arguments[i] + lane];
    const std::span<T> given(arguments.data(), external.arguments.size());
    out[lane] = external.call.function.template evaluate<T>(external.call.by, given);
  }
}

template void call_external<double>(const Kernel<double>::Program&, std::size_t, const double*, double*, int);
template void call_external<long double>(const Kernel<long double>::Program&, std::size_t, const long double*,
                                         long double*, int);
template void call_external<quad>(const Kernel<quad>::Program&, std::size_t, const quad*, quad*, int);

}  // namespace noslip
