// A run as bytes: all that changes while it goes on, in one list for saving and loading.
#include <fmt/format.h>

#include <noslip/core/option_name.hpp>

#include "run/integration.hpp"
#include "run/run_identity.hpp"

namespace noslip {

namespace {

constexpr char magic_of_runs[] = "noslip run 1";

/// Where a run is to end, as it was asked for.
struct RunEnd {
  long long steps = 0;
  quad until = 0;

  explicit RunEnd(const RunOptions& options)
      : steps(options.steps), until(options.steps > 0 ? quad(0) : options.until) {}
  void carry(Archive& archive) { archive(steps, until); }
  friend bool operator==(const RunEnd&, const RunEnd&) = default;
};

/// The controls of a run that has come to t.
template <class T>
struct ControlsAt {
  T t;
  Controls<T>& controls;
  void save(ByteWriter& to) const { controls.save(to); }
  void load(ByteReader& from) { controls.load(from, t); }
};

}  // namespace

/// Everything that a member of this class or of what it owns may have become since the constructor. Not here are
/// descriptions (program, options, system), memory that every step writes before it reads it, and the clock.
template <class T>
void Integration<T>::carry(Archive& archive) {
  archive(t_, stored_, own_multipliers_, stopped_at_, ends_inside_, starts_on_exact_, actions_,
          first_action_, has_divided_, course_);
  archive.fixed(parameters_);
  archive.fixed(state_);
  archive.fixed(folded_);
  archive(trajectory_.steps, trajectory_.outcome, trajectory_.stops_at_guard, trajectory_.samples, setup_.warnings);
  ControlsAt<T> controls{t_, controls_};
  archive(*setup_.stepper, monitor_, scrutiny_, controls);
  if (archive.loads()) setup_.solver->set_parameters(parameters_);
  if (switches_) {
    if (archive.loads()) switches_->restart(parameters_);
    archive(*switches_);
  }
  if (between_) archive(*between_);
}

template <class T>
bool Integration<T>::is_bound_to_end() const {
  if (course_.follows_plan) return course_.index > plan_.first_for_end();
  return course_.has_grid && !course_.ends_in_change && course_.index > 0;
}

template <class T>
void Integration<T>::checkpoint() {
  options_.checkpoint({static_cast<double>(t_), trajectory_.steps, is_bound_to_end(), save()});
  last_checkpoint_ = Clock::now();
}

template <class T>
std::string Integration<T>::save() {
  ByteWriter to;
  to.put_text(magic_of_runs);
  Archive archive(to);
  std::vector<RunTrait> identity = identity_of(system_, *setup_.program, setup_.start, options_);
  RunEnd end(options_);
  T h = step_size();
  double seconds = seconds_before_ + std::chrono::duration<double>(Clock::now() - begin_).count();
  bool is_bound = is_bound_to_end();
  archive(identity, end, h, is_bound, seconds);
  carry(archive);
  return sealed(to.take());
}

template <class T>
void Integration<T>::load(std::string_view saved) {
  const std::string_view magic(magic_of_runs);
  const bool begins_well =
      saved.size() > magic.size() + 2 * sizeof(std::uint64_t) && ByteReader(saved).get_text() == magic;
  if (!begins_well) throw InputError("this is not a saved run", "give Checkpoint::state as RunOptions::checkpoint got it");
  const std::optional<std::string_view> content = unsealed(saved);
  if (!content) {
    throw InputError("the saved run is not complete, or has changed since it was saved", "save it again");
  }
  ByteReader from(*content);
  from.get_text();
  Archive archive(from);
  std::vector<RunTrait> identity;
  archive(identity);
  require_same_run(identity, identity_of(system_, *setup_.program, setup_.start, options_));
  RunEnd end_then(options_);
  const RunEnd end_now(options_);
  T h = 0;
  bool was_bound = false;
  archive(end_then, h, was_bound, seconds_before_);
  carry(archive);
  if (!from.is_at_end()) throw InputError("the saved run has more bytes than it should have", "save it again");
  steps_before_ = trajectory_.steps;
  next_look_ = steps_before_ + 1;
  if (end_then == end_now) return;
  if (h != step_size()) {
    throw OtherEnd(fmt::format("with this end, steps have the size {}", to_text(step_size())),
                   fmt::format("the run has made steps of {} so far; choose an end that is a multiple of them",
                               to_text(h)));
  }
  change_end(was_bound);
}

template <class T>
void Integration<T>::change_end(bool was_bound) {
  const T end = end_time();
  const auto refuse_early = [&] {
    throw InputError(fmt::format("the run has reached t = {} already, and its end is {}",
                                 to_text(static_cast<double>(t_)), to_text(static_cast<double>(end))),
                     fmt::format("give a later {}", option("until")));
  };
  const auto refuse_bound = [&] {
    throw OtherEnd(fmt::format("the steps before t = {} were chosen for another end", to_text(static_cast<double>(t_))),
                   "go on to that end, or start again");
  };
  if (!(t_ < end) || (course_.follows_plan && course_.index >= plan_.all())) refuse_early();
  if (course_.follows_plan) {
    if (was_bound || course_.index > plan_.first_for_end()) refuse_bound();
    return;
  }
  if (!course_.has_grid || (course_.ends_in_change && course_.index == course_.grid.count)) return;
  if (course_.index == 0) {  // another grid may take its place
    course_.has_grid = false;
    return;
  }
  const T change = course_.ends_in_change ? course_.grid.end : controls_.next(t_);
  const bool ends_in_change = controls_.is_before(change, end);
  const StepGrid<T> grid(course_.grid.begin, ends_in_change ? change : end, step_size());
  if (grid.h != course_.grid.h || course_.index >= grid.count) refuse_bound();
  course_.grid = grid;
  course_.ends_in_change = ends_in_change;
}

#define NOSLIP_INSTANTIATE(T)                            \
  template void Integration<T>::carry(Archive&);         \
  template bool Integration<T>::is_bound_to_end() const; \
  template void Integration<T>::checkpoint();            \
  template std::string Integration<T>::save();           \
  template void Integration<T>::load(std::string_view);  \
  template void Integration<T>::change_end(bool);
NOSLIP_INSTANTIATE(double)
NOSLIP_INSTANTIATE(long double)
NOSLIP_INSTANTIATE(quad)
#undef NOSLIP_INSTANTIATE

}  // namespace noslip
