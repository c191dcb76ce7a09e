#include "ensemble/starts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/core/option_name.hpp>
#include <noslip/model/sampled.hpp>

namespace noslip {

namespace {

std::size_t find_parameter(const std::vector<Parameter>& among, const std::string& name) {
  const auto has_name = [&](const Parameter& parameter) { return parameter.name == name; };
  return static_cast<std::size_t>(std::find_if(among.begin(), among.end(), has_name) - among.begin());
}

bool is_controlled(const System& system, std::size_t input) {
  const Sampled* const sampled = system.sampled();
  return sampled != nullptr && std::any_of(sampled->values.begin(), sampled->values.end(), [&](const Sampled::Value& value) {
           return value.input == static_cast<int>(input);
         });
}

/// As System::with_initial knows them.
std::vector<std::string> initial_names(const System& system) {
  std::vector<std::string> names;
  const bool has_velocities = system.offers().lagrangian;
  for (const Block& block : system.blocks()) {
    if (has_velocities && block.role != Role::position && block.role != Role::state) continue;
    names.insert(names.end(), block.given.begin(), block.given.end());
  }
  if (has_velocities) {
    for (const Expr& velocity : system.v()) names.push_back(velocity.name());
  }
  if (system.has_hamiltonian()) {
    for (const std::string& name : system.velocity_names()) names.push_back("p(" + name + ")");
  }
  return names;
}

/// Elements of an array, the nearest name, or all names.
std::string remedy_for(const std::string& name, const std::vector<std::string>& known) {
  constexpr std::size_t most = 12;
  std::vector<std::string> elements;
  const auto is_element = [&](const std::string& one) { return one.starts_with(name + "["); };
  std::copy_if(known.begin(), known.end(), std::back_inserter(elements), is_element);
  if (!elements.empty()) {
    return fmt::format("it is an array: vary one of its elements, {}{}", elements.front(),
                       elements.size() > 1 ? " to " + elements.back() : "");
  }
  std::string guess = did_you_mean(name, known);
  if (!guess.empty() || known.empty()) return guess;
  const bool is_long = known.size() > most;
  const std::vector<std::string> some(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(std::min(most, known.size())));
  return fmt::format("what may vary is {}{}", list_of(some), is_long ? ", and others" : "");
}

/// Place of a symbol in the state q, v; nothing if it has another name there.
std::optional<std::size_t> place_in_state(const System& system, const std::string& name) {
  std::size_t place = 0;
  for (const auto* symbols : {&system.q(), &system.v()}) {
    for (const Expr& symbol : *symbols) {
      if (symbol.name() == name) return place;
      ++place;
    }
  }
  return std::nullopt;
}

}  // namespace

MemberStarts::MemberStarts(const System& system, std::span<const InitialState> states, const EnsembleOptions& options)
    : system_(system), options_(options), states_(states) {
  if (states.empty()) throw InputError("the ensemble has no members", "give at least one initial state");
}

MemberStarts::MemberStarts(const System& system, const Members& members, const EnsembleOptions& options)
    : system_(system), options_(options), members_(&members), names_(members.names()) {
  const RunOptions& given = options.run;
  std::vector<Problem> problems;
  std::size_t place = 0;  // of the name at hand
  const auto refuse = [&](std::string what, std::string remedy) {
    problems.push_back({std::move(what), members.place_of_name(place), std::move(remedy)});
  };
  const std::vector<std::string> initial = initial_names(system);
  std::vector<std::string> known = initial;
  for (const Parameter& one : system.step_constants()) known.push_back(one.name);
  bool can_be_direct = !system.has_hamiltonian() && !system.is_on_group();
  for (const std::string& name : names_) {
    place = static_cast<std::size_t>(&name - names_.data());
    const std::size_t parameter = find_parameter(system.parameters(), name);
    const std::size_t input = find_parameter(system.inputs(), name);
    const auto& sizes = system.sizes();
    if (std::find(sizes.begin(), sizes.end(), name) != sizes.end()) {
      refuse(fmt::format("'{}' is a size of the system: members cannot differ in it", name),
             fmt::format("run one ensemble for each size: {}", option("set", name + "=4")));
    } else if (parameter < system.parameters().size()) {
      places_.push_back({Varied::parameter, parameter});
      can_be_direct = false;
    } else if (input < system.inputs().size() && is_controlled(system, input)) {
      refuse(fmt::format("the controller ([sampled]) gives the input '{}': other values have no effect", name),
             "vary a parameter of the controller");
    } else if (input < system.inputs().size()) {
      places_.push_back({Varied::input, system.parameters().size() + input});
    } else if (name == "t") {
      refuse("members cannot differ in the initial time t", "let the system depend on a parameter, as in sin(t + phase)");
    } else if (std::find(initial.begin(), initial.end(), name) != initial.end()) {
      const std::optional<std::size_t> in_state = place_in_state(system, name);
      can_be_direct &= in_state.has_value();
      places_.push_back({Varied::initial, in_state.value_or(0)});
    } else {
      refuse(fmt::format("'{}' is neither an initial value nor a parameter nor an input of '{}'", name, system.name()),
             remedy_for(name, known));
    }
    if (given.set.count(name) + given.init.count(name) + given.control.inputs.count(name) > 0) {
      refuse(fmt::format("'{}' has a value for all members, and varies", name), "give one of them");
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  is_direct_ = can_be_direct;
  if (is_direct_) common_ = find_start<double>(system, nullptr, given.set, given.init, given.control.inputs);
}

void MemberStarts::read(std::size_t first, std::size_t count, double* values) const {
  if (members_ != nullptr) members_->read(first, count, values);
}

std::string MemberStarts::name_of(std::size_t member) const {
  return members_ != nullptr ? members_->name_of(member) : fmt::format("member {}", member);
}

std::string MemberStarts::identity() const {
  return members_ != nullptr ? members_->identity() : fmt::format("{} initial states", states_.size());
}

GivenValues MemberStarts::given_to_all() const {
  return {options_.run.set, options_.run.init, options_.run.control.inputs};
}

void MemberStarts::put(const double* values, GivenValues& to) const {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    switch (places_[i].role) {
      case Varied::initial: to.init[names_[i]] = values[i]; break;
      case Varied::parameter: to.set[names_[i]] = values[i]; break;
      case Varied::input: to.inputs[names_[i]] = values[i]; break;
    }
  }
}

RunOptions MemberStarts::run(const double* values) const {
  RunOptions run = options_.run;
  GivenValues given = given_to_all();
  put(values, given);
  run.set = std::move(given.set);
  run.init = std::move(given.init);
  run.control.inputs = std::move(given.inputs);
  return run;
}

Start<double> MemberStarts::start(std::size_t member, const double* values, GivenValues& scratch) const {
  if (!is_direct_) {
    put(values, scratch);
    return find_start<double>(system_, state(member), scratch.set, scratch.init, scratch.inputs);
  }
  Start<double> start = common_;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    (places_[i].role == Varied::input ? start.parameters : start.state)[places_[i].index] = values[i];
  }
  return start;
}

}  // namespace noslip
