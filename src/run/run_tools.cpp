#include "run/run_tools.hpp"

#include <algorithm>

#include "core/per_thread.hpp"

namespace noslip {

namespace {

constexpr std::size_t most_idle_tools = 4;         // per thread and precision
constexpr std::size_t largest_idle_tools = 1 << 16;  // numbers of a workspace: large ones are rather made again

template <class T>
using IdleTools = std::vector<std::unique_ptr<RunTools<T>>>;

template <class T>
const PerThread<IdleTools<T>>& idle_tools() {
  static const auto& idle = *new PerThread<IdleTools<T>>;
  return idle;
}

}  // namespace

template <class T>
RunTools<T>::RunTools(std::shared_ptr<const ProgramData<T>> of, std::size_t extra)
    : program(std::move(of)),
      extra_slots(extra),
      stepper(program->steps ? new_stepper() : nullptr),
      solver(program->continuous.template equations<T>()),
      check(program->start_functions),
      energy(program->monitored.energy),
      momenta(program->monitored.momenta) {}

template <class T>
std::unique_ptr<LaneStepper<T>> RunTools<T>::new_stepper() const {
  return std::make_unique<LaneStepper<T>>(program->steps, program->problem(), program->key.options.tolerance,
                                          program->monitored.slots() + extra_slots);
}

template <class T>
void ReturnTools<T>::operator()(RunTools<T>* tools) const {
  std::unique_ptr<RunTools<T>> owned(tools);
  IdleTools<T>* const idle = idle_tools<T>().find();  // allocates nothing: a run may have failed
  if (idle == nullptr || idle->capacity() < most_idle_tools) return;
  if (!owned->stepper || static_cast<std::size_t>(owned->program->layout().size) > largest_idle_tools) return;
  if (idle->size() == most_idle_tools) idle->erase(idle->begin());
  idle->push_back(std::move(owned));
}

template <class T>
BorrowedTools<T> borrow_tools(const std::shared_ptr<const ProgramData<T>>& program, std::size_t extra_slots) {
  IdleTools<T>& idle = idle_tools<T>().get();
  idle.reserve(most_idle_tools);
  const auto found = std::find_if(idle.begin(), idle.end(), [&](const auto& tools) {
    return tools->program == program && tools->extra_slots == extra_slots;
  });
  if (found == idle.end()) return BorrowedTools<T>(new RunTools<T>(program, extra_slots));
  BorrowedTools<T> tools(found->release());
  idle.erase(found);
  return tools;
}

void forget_tools() {
  const auto forget = [](auto* idle) {
    if (idle != nullptr) idle->clear();
  };
  forget(idle_tools<double>().find());
  forget(idle_tools<long double>().find());
  forget(idle_tools<quad>().find());
}

#define NOSLIP_INSTANTIATE(T)     \
  template struct RunTools<T>;    \
  template struct ReturnTools<T>; \
  template BorrowedTools<T> borrow_tools<T>(const std::shared_ptr<const ProgramData<T>>&, std::size_t);
NOSLIP_INSTANTIATE(double)
NOSLIP_INSTANTIATE(long double)
NOSLIP_INSTANTIATE(quad)
#undef NOSLIP_INSTANTIATE

}  // namespace noslip
