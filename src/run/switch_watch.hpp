// Says that the equations of a system have changed inside a step, where a method loses its order.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <noslip/core/archive.hpp>
#include <noslip/expr/switches.hpp>
#include <noslip/model/system.hpp>
#include <noslip/run/trajectory.hpp>

#include "run/state_functions.hpp"

namespace noslip {

template <class T>
class SwitchWatch {
 public:
  /// `order`: of the method. What it does not lose is not watched: across a jump one order is left, across a corner two.
  SwitchWatch(const System& system, std::span<const T> parameters, const std::string& method, int order);

  bool is_needed() const { return !switches_.empty(); }
  /// The next step starts with other parameters or from another state.
  void restart(std::span<const T> parameters);
  /// A step from `before` to `after`, of size h. Changes within rounding error of its ends are none: steps begin there.
  void look(T t, T h, std::span<const T> before, std::span<const T> after);
  std::vector<Warning> warnings() const;
  void carry(Archive& archive);

 private:
  struct Watched {
    std::string text;   // of the quantity
    std::string event;  // whose zeros are all places where it changes
    bool is_whole = false;
    int smoothness = -1;  // as in Switch
    std::optional<Table> table;
    bool has_smooth_points = false;  // of the table: only its ends count
  };
  bool is_passed(const Watched& watched, T from, T to) const;
  /// Where in the step, from 0 to 1; nothing if more than one place is passed.
  std::optional<T> part_of_step(std::size_t number, std::span<const T> there) const;
  std::vector<T> evaluate(T t, std::span<const T> state) const;

  Graph graph_;
  std::vector<Watched> switches_;
  std::optional<StateFunctions<T>> functions_;  // pieces, then quantities
  std::vector<T> here_;                         // at the end of the last step; empty: not known
  std::string method_;
  int order_;
  long long steps_ = 0;     // inside of which something has changed
  std::size_t first_ = 0;   // what changed first,
  T first_time_ = 0;        // and when,
  T first_place_ = 0;       // and at which point of a table
};

extern template class SwitchWatch<double>;
extern template class SwitchWatch<long double>;
extern template class SwitchWatch<quad>;

}  // namespace noslip
