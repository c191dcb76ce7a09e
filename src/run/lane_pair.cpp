#include "run/lane_pair.hpp"

#include <algorithm>

namespace noslip {

template <class T>
LanePair<T>::LanePair(LaneStepper<T>& first, LaneStepper<T>& second) : first_(&first), second_(&second) {
  const StepProgram<T>& program = *first.program_;
  loop_ = program.loop_of_two();
  if (loop_ == nullptr) return;
  const Tape& tape = program.plans.front().loop;
  read_ = tape.input_slots();
  for (const Tape::Store& store : tape.stores()) stored_.push_back(store.slot);
  constexpr std::size_t alignment = 64;
  memory_.resize(2 * static_cast<std::size_t>(program.layout.size) * program.lanes + alignment / sizeof(T));
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
  workspace_ = memory_.data() + (alignment - address % alignment) % alignment / sizeof(T);
  scratch_.resize(loop_->scratch_size());
}

template <class T>
long long LanePair<T>::repeat(T t0, T h, long long first, long long count) {
  const auto lanes = static_cast<std::size_t>(first_->lanes_);
  T* const second_half = workspace_ + static_cast<std::size_t>(first_->layout().size) * lanes;
  for (LaneStepper<T>* stepper : {first_, second_}) {
    stepper->set_loop(t0, h, first);
    T* const copy = stepper == first_ ? workspace_ : second_half;
    for (const std::uint32_t slot : read_) std::copy_n(stepper->workspace() + slot * lanes, lanes, copy + slot * lanes);
  }
  const long long done = (*loop_)(workspace_, scratch_.data(), count - 1);
  for (LaneStepper<T>* stepper : {first_, second_}) {
    const T* const copy = stepper == first_ ? workspace_ : second_half;
    for (const std::uint32_t slot : stored_) {
      std::copy_n(copy + slot * lanes, lanes, stepper->workspace() + slot * lanes);
    }
  }
  return done;
}

template <class T>
long long LanePair<T>::advance_explicitly(T t0, T h, long long first, long long count) {
  for (LaneStepper<T>* stepper : {first_, second_}) stepper->begin_explicitly();
  long long done = repeat(t0, h, first, count);
  const auto are_angles_due = [&] { return first_->are_angles_due() || second_->are_angles_due(); };
  for (; done == 0 || (done < count && !are_angles_due()); ++done) {
    for (LaneStepper<T>* stepper : {first_, second_}) stepper->step_explicitly(t0 + T(first + done) * h, h);
  }
  for (LaneStepper<T>* stepper : {first_, second_}) {
    if (!stepper->end_explicitly()) stepper->advance(t0, h, first, done);
  }
  return done;
}

template <class T>
void LanePair<T>::advance(T t0, T h, long long first, long long count) {
  for (long long done = 0; done < count;) {
    const bool is_possible =
        loop_ != nullptr && first_->can_advance_explicitly() && second_->can_advance_explicitly();
    if (is_possible) {
      done += advance_explicitly(t0, h, first + done, std::min(LaneStepper<T>::most_at_once, count - done));
      continue;
    }
    for (LaneStepper<T>* stepper : {first_, second_}) stepper->advance(t0, h, first + done, count - done);
    return;
  }
}

template class LanePair<double>;

}  // namespace noslip
