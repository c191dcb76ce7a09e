#include "run/start_order.hpp"

namespace noslip {

template <class T>
StepStart step_start(const Start<T>& start, double h, const std::vector<T>& accelerations,
                     const std::vector<T>& multipliers) {
  const auto in_double = [](const std::vector<T>& values) { return std::vector<double>(values.begin(), values.end()); };
  return {static_cast<double>(start.t), h,
          in_double(start.parameters),  in_double(start.state),
          in_double(accelerations),     in_double(multipliers)};
}

template <class T>
std::shared_ptr<const ProgramData<T>> ordered_at(const StepStart& start, const ProgramData<T>& usual) {
  ProgramKey key = usual.key;
  key.order_at = start;
  return find_program<T>(key);
}

#define NOSLIP_INSTANTIATE(T)                                                                              \
  template StepStart step_start<T>(const Start<T>&, double, const std::vector<T>&, const std::vector<T>&); \
  template std::shared_ptr<const ProgramData<T>> ordered_at<T>(const StepStart&, const ProgramData<T>&);
NOSLIP_INSTANTIATE(double)
NOSLIP_INSTANTIATE(long double)
NOSLIP_INSTANTIATE(quad)
#undef NOSLIP_INSTANTIATE

}  // namespace noslip
