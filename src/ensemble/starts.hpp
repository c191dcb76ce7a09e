// From the number of a member to where it starts.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <noslip/ensemble/ensemble.hpp>

#include "run/initial_states.hpp"

namespace noslip {

/// What all members are given, with the values of one of them among it.
struct GivenValues {
  Settings set, init, inputs;
};

/// Immutable; threads share it.
class MemberStarts {
 public:
  /// InputError for names that are neither initial values nor parameters nor inputs, or that the options give too.
  MemberStarts(const System& system, const Members& members, const EnsembleOptions& options);
  MemberStarts(const System& system, std::span<const InitialState> states, const EnsembleOptions& options);

  std::size_t count() const { return members_ != nullptr ? members_->count() : states_.size(); }
  /// What varies; nothing where members are given as states.
  const std::vector<std::string>& names() const { return names_; }
  /// The values of these, member after member.
  void read(std::size_t first, std::size_t count, double* values) const;
  std::string name_of(std::size_t member) const;
  std::string identity() const;
  bool is_table() const { return members_ == nullptr || members_->is_table(); }

  /// Where a member with these values starts; not checked yet (settle_start). `scratch` is what given_to_all() returns,
  /// one for each thread: it saves copies.
  Start<double> start(std::size_t member, const double* values, GivenValues& scratch) const;
  GivenValues given_to_all() const;
  /// The options of its run, which starts at state(), if that is not null.
  RunOptions run(const double* values) const;
  const InitialState* state(std::size_t member) const { return members_ != nullptr ? nullptr : &states_[member]; }

 private:
  enum class Varied { initial, parameter, input };
  struct Place {
    Varied role;
    std::size_t index;  ///< of an initial value in the state, if `is_direct_`; of an input among the step constants
  };

  void put(const double* values, GivenValues& to) const;

  const System& system_;
  const EnsembleOptions& options_;
  const Members* members_ = nullptr;
  std::span<const InitialState> states_ = {};
  std::vector<std::string> names_;
  std::vector<Place> places_;
  /// Nothing else follows from what varies: values are put into the start of all others.
  bool is_direct_ = false;
  Start<double> common_;
};

}  // namespace noslip
