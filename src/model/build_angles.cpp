// Coordinates that are angles: everything stays as it is when one of them goes round once.
#include <noslip/core/names.hpp>
#include <noslip/expr/print.hpp>

#include "model/builder.hpp"
#include "model/periodic.hpp"

namespace noslip {

void Builder::angles() {
  if (text_.angles.empty()) return;
  std::vector<Expr> roots;
  for (const Names::Read& read : names_.texts_read()) roots.push_back(read.expression);
  const Periodicity periodicity(roots);
  std::set<std::size_t> seen;
  std::vector<std::string> coordinates = data_.coordinates;
  coordinates.resize(data_.configuration().size());
  const VariablePlaces places(coordinates);
  for (const Text& name : text_.angles) {
    const auto index = variable(name, places);
    if (!index) continue;
    if (const Factor* matrix = matrix_named(name.text)) {
      complain("'" + name.text + "' is an entry of the matrix " + matrix->name + ", not an angle", name.place(),
               "remove it from `angles`");
      continue;
    }
    if (!seen.insert(*index).second) {
      complain("angle '" + name.text + "' is given twice", name.place(), "name it once");
      continue;
    }
    data_.angles.push_back(static_cast<int>(*index));
    for (const auto& [root, part] : periodicity.violations(data_.q[*index])) {
      complain("'" + to_text(part, 200) + "' is not 2 pi periodic in the angle '" + name.text + "'",
               names_.texts_read()[root].text->place(),
               "an angle enters through sin, cos and tan, with whole numbers as factors: change this, or remove '" +
                   name.text + "' from `angles`");
    }
  }
}

}  // namespace noslip
