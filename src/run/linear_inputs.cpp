// Inputs that change at a constant rate, by a change of the system's text.
#include "run/linear_inputs.hpp"

#include <algorithm>
#include <list>
#include <mutex>

#include <fmt/format.h>

#include <noslip/run/control.hpp>
#include <noslip/run/program.hpp>

#include "model/system_data.hpp"
#include "run/input_names.hpp"

namespace noslip {

namespace {

void require_inputs(const System& system, const std::vector<std::string>& inputs) {
  std::vector<Problem> problems;
  for (auto name = inputs.begin(); name != inputs.end(); ++name) {
    find_input(system, *name, problems);
    if (std::find(inputs.begin(), name, *name) == name) continue;
    problems.push_back({fmt::format("input '{}' is given twice", *name), {}, "give it once"});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

System made_linear(const System& system, const std::vector<std::string>& inputs) {
  SystemText text = *system.data().text;
  for (const std::string& name : inputs) {
    const auto found = std::find_if(text.inputs.begin(), text.inputs.end(),
                                    [&](const NamedText& input) { return input.name.text == name; });
    NamedText at = *found;
    at.name = linear_name(name);
    const auto place = text.inputs.erase(found);
    text.inputs.insert(place, {at, {Text(name + "_rate"), Text("0")}, {Text(name + "_since"), Text("0")}});
    text.definitions.push_back({Text(name), Text(fmt::format("{0}_at + {0}_rate*(t - {0}_since)", name))});
  }
  return System::from(text);
}

/// The systems that were used last: programs are kept by system, and one that is made again would be another one.
class LinearShelf {
 public:
  static LinearShelf& the() {
    static LinearShelf shelf;
    return shelf;
  }

  System find(const System& system, const std::vector<std::string>& inputs) {
    const std::lock_guard lock(mutex_);  // also while one is made: whoever wants it too waits
    const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) {
      return &e.given.data() == &system.data() && e.inputs == inputs;
    });
    if (entry != entries_.end()) {
      entries_.splice(entries_.begin(), entries_, entry);
    } else {
      entries_.push_front({system, inputs, made_linear(system, inputs)});
      if (entries_.size() > program_counts().most_kept) entries_.pop_back();
    }
    return entries_.front().made;
  }

  void clear() {
    const std::lock_guard lock(mutex_);
    entries_.clear();
  }

 private:
  struct Entry {
    System given;
    std::vector<std::string> inputs;
    System made;
  };
  std::mutex mutex_;
  std::list<Entry> entries_;  // used last first
};

}  // namespace

System with_linear_inputs(const System& system, const std::vector<std::string>& inputs) {
  require_inputs(system, inputs);
  return LinearShelf::the().find(system, inputs);
}

void forget_linear_inputs() { LinearShelf::the().clear(); }

}  // namespace noslip
