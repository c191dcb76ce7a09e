// From the user's words to a stepper.
#include "run/setup.hpp"

#include "run/start_order.hpp"

namespace noslip {

template <class T>
void settle_start(RunTools<T>& tools, bool projects, Start<T>& where, std::vector<T>& accelerations,
                  std::vector<T>& multipliers, std::vector<Warning>* announced) {
  const ProgramData<T>& program = *tools.program;
  accelerations.resize(program.system.v().size());
  multipliers.resize(program.system.multiplier_names().size());
  tools.solver.set_parameters(where.parameters);
  const std::span<const T> state(where.state), parameters(where.parameters);
  if (tools.check.is_certain(tools.solver, where.t, state, parameters, projects, accelerations, multipliers)) {
    program.complete(where, accelerations, multipliers);
    return;
  }
  const Continuous here = program.continuous.with_parameters({where.parameters.begin(), where.parameters.end()});
  make_consistent(program.system, here, projects, where, announced);
  program.complete(where, tools.solver, accelerations, multipliers);
}

template <class T>
Continuous RunSetup<T>::continuous() const {
  return program->continuous.with_parameters({start.parameters.begin(), start.parameters.end()});
}

template <class T>
std::unique_ptr<LaneStepper<T>> RunSetup<T>::new_stepper() const {
  auto made = tools->new_stepper();
  made->set_parameters(start.parameters);
  return made;
}

template <class T>
LaneStepper<T>& RunSetup<T>::stepper_beside() const {
  if (!tools->beside) tools->beside = tools->new_stepper();
  tools->beside->set_parameters(start.parameters);
  tell(*tools->beside);
  return *tools->beside;
}

template <class T>
void RunSetup<T>::tell(LaneStepper<T>& other) const {
  if (!program->start_functions.is_linear) return;
  other.know(start.t, start.state, start.parameters, accelerations_, multipliers_);
}

template <class T>
void RunSetup<T>::borrow() {
  tools = borrow_tools<T>(program, extra_slots_);
  solver = &tools->solver;
  solver->set_parameters(start.parameters);
  stepper = tools->stepper.get();
}

template <class T>
void RunSetup<T>::use(const std::shared_ptr<const ProgramData<T>>& other) {
  if (program == other) return;
  program = other;
  borrow();
}

template <class T>
void RunSetup<T>::begin() {
  stepper->restart();
  stepper->set_parameters(start.parameters);
  for (int l = 0; l < stepper->lanes(); ++l) stepper->set_state(l, start.state);
  tell(*stepper);
}

template <class T>
void RunSetup<T>::choose_order(double h) {
  const auto here = [&] { return step_start(start, h, accelerations_, multipliers_); };
  const auto pivots = [&](const std::shared_ptr<const ProgramData<T>>& tried) {
    use(tried);
    begin();
    stepper->step(start.t, T(h));
    return stepper->pivoted_iterations() > 0;
  };
  use(suited_program<T>(program, here, pivots));
}

template <class T>
RunSetup<T>::RunSetup(const System& system, const InitialState* initial, const RunOptions& options, int lanes,
                      std::size_t extra_slots, bool looks_inside, Order order)
    : program(find_program<T>({system,
                               {options.method, options.backend, lanes, options.tolerance},
                               looks_inside && options.between == Between::polynomial})),
      start(find_start<T>(system, initial, options.set, options.init, options.control.inputs)),
      extra_slots_(extra_slots) {
  borrow();
  settle_start(*tools, options.project, start, accelerations_, multipliers_, &warnings);
  if (!program->steps || order == Order::suits) choose_order(static_cast<double>(options.step));
  begin();
}

#define NOSLIP_INSTANTIATE(T)                                                                          \
  template void settle_start<T>(RunTools<T>&, bool, Start<T>&, std::vector<T>&, std::vector<T>&, \
                                std::vector<Warning>*);
NOSLIP_INSTANTIATE(double)
NOSLIP_INSTANTIATE(long double)
NOSLIP_INSTANTIATE(quad)
#undef NOSLIP_INSTANTIATE
template struct RunSetup<double>;
template struct RunSetup<long double>;
template struct RunSetup<quad>;

}  // namespace noslip
