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
  std::vector<T> accelerations, multipliers;
  settle(where, accelerations, multipliers, announced);
  return where.state;
}

template <class T>
void RunSetup<T>::settle(Start<T>& where, std::vector<T>& accelerations, std::vector<T>& multipliers,
                         std::vector<Warning>* announced) const {
  accelerations.resize(system_.v().size());
  multipliers.resize(system_.multiplier_names().size());
  const std::span<const T> state(where.state);
  if (!project_ && tools->check.is_certain(*solver, where.t, state, where.parameters, accelerations, multipliers)) {
    program->complete(where, accelerations, multipliers);
    return;
  }
  make_consistent(system_, continuous, project_, where, announced);
  program->complete(where, *solver, accelerations, multipliers);
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
  return *tools->beside;
}

template <class T>
void RunSetup<T>::borrow() {
  tools = borrow_tools<T>(program, extra_slots_);
  solver = &tools->solver;
  solver->set_parameters(start.parameters);
  stepper = tools->stepper.get();
}

template <class T>
void RunSetup<T>::begin() {
  stepper->restart();
  stepper->set_parameters(start.parameters);
  for (int l = 0; l < stepper->lanes(); ++l) stepper->set_state(l, start.state);
}

/// The order of elimination that is good at the state of reference may be a bad one here: the first step tells.
template <class T>
void RunSetup<T>::choose_order(const std::vector<T>& accelerations, const std::vector<T>& multipliers, double h) {
  const auto pivots = [&] {
    begin();
    stepper->step(start.t, T(h));
    return stepper->pivoted_iterations() > 0;
  };
  if (program->steps && (program->is_explicit_without_watch() || !program->is_fused() || !pivots())) return;
  const std::shared_ptr<const ProgramData<T>> usual = program;
  ProgramKey key = usual->key;
  key.order_at = {static_cast<double>(start.t), h, in_double(start.parameters), in_double(start.state),
                  in_double(accelerations), in_double(multipliers)};
  program = find_program<T>(key);
  borrow();
  if (!usual->steps || !program->is_fused() || !pivots()) return;
  program = usual;
  borrow();
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
  borrow();
  std::vector<T> accelerations, multipliers;
  settle(start, accelerations, multipliers, &warnings);
  if (!program->steps || order == Order::suits) {
    choose_order(accelerations, multipliers, static_cast<double>(options.step));
  }
  begin();
}

template struct RunSetup<double>;
template struct RunSetup<long double>;
template struct RunSetup<quad>;

}  // namespace noslip
