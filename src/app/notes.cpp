#include "notes.hpp"

#include "values.hpp"

namespace noslip::app {

FileNotes notes_of(const Arguments& arguments, const SystemChoice& choice, const RunOptions& options) {
  FileNotes notes{.system = choice.text, .method = options.method, .step = static_cast<double>(options.step)};
  const auto values_of = [&](const std::string& option) {
    NotedValues values;
    for (const std::string& text : arguments.texts(option)) {
      if (const auto sides = split_assignment(text)) values.push_back(*sides);
    }
    return values;
  };
  notes.set = values_of("--set");
  // The text of a system of the catalogue has its sizes already.
  std::erase_if(notes.set, [&](const auto& given) { return !choice.set.contains(given.first); });
  notes.init = values_of("--init");
  notes.input = values_of("--input");
  for (const auto& [name, text] : choice.texts.all()) {
    if (name != arguments.text("SYSTEM")) notes.files.emplace_back(name, text);
  }
  for (const std::string name : {"step", "precision", "tolerance", "project", "between", "looks", "when", "direction",
                                 "orbits", "quaternions"}) {
    const std::string option = "--" + name;
    if (!arguments.takes(option) || !arguments.has(option)) continue;
    notes.options.emplace_back(name, arguments.text(option).empty() ? "yes" : arguments.text(option));
  }
  return notes;
}

}  // namespace noslip::app
