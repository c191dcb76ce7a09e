// From the user's words to a stepper.
#include "run/setup.hpp"

namespace noslip {

namespace {

template <class T>
std::vector<double> in_double(const std::vector<T>& values) {
  return {values.begin(), values.end()};
}

}  // namespace

template <class T>
std::vector<T> RunSetup<T>::state_at(const InitialState& initial, std::vector<Warning>* announced) const {
  Start<T> where = find_start<T>(system_, &initial, set_, init_, inputs_);
  make_consistent(system_, continuous, project_, where, announced);
  std::vector<T> accelerations, multipliers;
  program->complete(where, program->problem(), accelerations, multipliers);
  return where.state;
}

template <class T>
std::unique_ptr<LaneStepper<T>> RunSetup<T>::new_stepper() const {
  auto made = std::make_unique<LaneStepper<T>>(program->steps, program->problem(), program->key.options.tolerance,
                                               program->monitored.slots() + extra_slots_);
  made->set_parameters(start.parameters);
  return made;
}

/// The order of elimination that is good at the state of reference may be a bad one here: the first step tells.
template <class T>
void RunSetup<T>::make_stepper(const StepStart& numbers, double h, Order order) {
  const auto begin = [&] {
    stepper = new_stepper();
    for (int l = 0; l < stepper->lanes(); ++l) stepper->set_state(l, start.state);
  };
  const auto pivots = [&] {
    stepper->step(start.t, T(h));
    return stepper->pivoted_iterations() > 0;
  };
  const std::shared_ptr<const ProgramData<T>> usual = program;
  const auto order_here = [&] {
    ProgramKey key = usual->key;
    key.order_at = numbers;
    program = find_program<T>(key);
    begin();
  };
  if (!usual->steps) return order_here();
  begin();
  if (order == Order::as_usual || !program->is_fused()) return;
  if (pivots()) {
    order_here();
    if (pivots()) program = usual;
  }
  begin();
}

template <class T>
RunSetup<T>::RunSetup(const System& system, const InitialState* initial, const RunOptions& options, int lanes,
                      std::size_t extra_slots, bool looks_inside, Order order)
    : program(find_program<T>({system,
                               {options.method, options.backend, lanes, options.tolerance},
                               looks_inside && options.between == Between::polynomial})),
      start(find_start<T>(system, initial, options.set, options.init, options.control.inputs)),
      continuous(program->continuous.with_parameters(in_double(start.parameters))),
      system_(system),
      set_(options.set),
      init_(options.init),
      inputs_(options.control.inputs),
      project_(options.project),
      extra_slots_(extra_slots) {
  make_consistent(system_, continuous, project_, start, &warnings);
  solver = std::make_shared<MotionSolver<T>>(continuous.template equations<T>(), start.parameters);
  std::vector<T> accelerations, multipliers;
  program->complete(start, program->problem(), accelerations, multipliers);
  const auto h = static_cast<double>(options.step);
  make_stepper({static_cast<double>(start.t), h, in_double(start.parameters), in_double(start.state),
                in_double(accelerations), in_double(multipliers)},
               h, order);
}

template struct RunSetup<double>;
template struct RunSetup<long double>;
template struct RunSetup<quad>;

}  // namespace noslip
