#include "system.hpp"

#include <algorithm>

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/core/text_file.hpp>
#include <noslip/io/check.hpp>
#include <noslip/io/json.hpp>
#include <noslip/model/shown.hpp>
#include <noslip/model/system_text.hpp>
#include <noslip/run/row_reader.hpp>

#include "call.hpp"
#include "options.hpp"
#include "values.hpp"

namespace noslip::python {
namespace {

constexpr std::uintmax_t largest_file = 64'000'000;  // bytes, as System::load has it

}  // namespace

PySystem::PySystem(std::string text, std::string origin, std::string entry, Settings sizes)
    : system_(System::parse(text, origin).resized(sizes)),
      columns_(std::make_shared<const std::vector<Column>>(row_columns(system_))),
      text_(std::move(text)),
      origin_(std::move(origin)),
      entry_(std::move(entry)),
      sizes_(std::move(sizes)) {}

PySystem PySystem::starting_at(InitialStateQuad state) const {
  PySystem other = *this;
  other.system_ = system_.starting_at(std::move(state));
  other.variants_ = std::make_shared<Variants>();
  return other;
}

PySystem PySystem::load(const std::string& file) {
  return {with_points(read_text_file(file, largest_file), file), file};
}

PySystem PySystem::find(const std::string& name) {
  if (names_a_system_file(name)) return load(name);
  Settings none;
  return {catalogue_text(name, none), name, name};
}

PySystem PySystem::resized(Settings& settings) const {
  Settings wanted;
  const CatalogueEntry* const entry = entry_.empty() ? nullptr : find_catalogue_entry(entry_);
  bool changes_text = false;
  if (entry != nullptr) {
    for (const SizeParameter& size : entry->sizes) {
      const auto given = settings.find(size.name);
      if (given == settings.end()) continue;
      wanted.insert(*given);
      changes_text = true;
    }
  }
  for (const std::string& name : system_.sizes()) {
    if (const auto given = settings.find(name); given != settings.end()) wanted.insert(*given);
  }
  if (wanted.empty()) return *this;

  {
    const std::lock_guard lock(variants_->mutex);
    if (const auto known = variants_->by_sizes.find(wanted); known != variants_->by_sizes.end()) {
      if (changes_text) catalogue_text(entry_, settings);
      return known->second;
    }
  }
  PySystem other;
  if (changes_text) {
    other = PySystem(catalogue_text(entry_, settings), origin_, entry_, sizes_);
  } else {
    other = *this;
    other.variants_ = std::make_shared<Variants>();
    other.system_ = system_.resized(wanted);
    other.columns_ = std::make_shared<const std::vector<Column>>(row_columns(other.system_));
    for (const auto& [name, value] : wanted) other.sizes_[name] = value;
  }
  const std::lock_guard lock(variants_->mutex);
  if (variants_->by_sizes.size() > 16) variants_->by_sizes.clear();
  variants_->by_sizes.emplace(std::move(wanted), other);
  return other;
}

py::object as_python(const PySystem& system) { return py::module_::import("noslip.system").attr("System")(system); }

namespace {

PySystem make_system(const py::object& source) {
  if (!PyUnicode_Check(source.ptr())) {
    if (!py::hasattr(source, "__fspath__")) {
      throw InputError("System(" + shown(source) + "): this is neither a text nor a path",
                       "give a name of the catalogue, a path, or the text of a system file");
    }
    const std::string file = path_of(source);
    return Call()([&] { return PySystem::load(file); });
  }
  const std::string text = text_of(source);
  const bool is_content = text.find_first_of("\n=") != std::string::npos;
  return Call()([&] { return is_content ? PySystem(text, "system") : PySystem::find(text); });
}

std::vector<std::string> names_of(const std::vector<Parameter>& parameters) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  return names;
}

/// Default values by name.
py::dict values_of(const System& system, bool of_inputs) {
  const std::vector<double> values = system.parameter_values();
  const std::size_t first = of_inputs ? system.parameters().size() : 0;
  py::dict result;
  const std::vector<std::string> names = names_of(of_inputs ? system.inputs() : system.parameters());
  for (std::size_t i = 0; i < names.size(); ++i) result[py::str(names[i])] = values[first + i];
  return result;
}

std::string check(const PySystem& self, const py::object& set, const py::object& init, const py::object& init_from,
                  const py::object& inputs, bool project) {
  std::vector<Problem> problems;
  CheckOptions options;
  options.set = settings_of(set, "set", problems);
  options.project = project;
  PySystem system = self.resized(options.set);
  if (!init_from.is_none()) {
    InitialRow row = row_of_python(init_from, system.system(), options.set);
    system = system.starting_at(std::move(row.state));
    options.inputs = std::move(row.inputs);
  }
  Settings known;
  const std::vector<quad> values = system.system().parameter_values_quad(options.set);
  for (std::size_t i = 0; i < system.system().parameters().size(); ++i) known[system.system().parameters()[i].name] = values[i];
  options.init = settings_of(init, "init", problems, known);
  for (const auto& [name, value] : settings_of(inputs, "inputs", problems, known)) options.inputs[name] = value;
  refuse_all(std::move(problems));
  return Call()([&] { return to_json_text(check_system(system.system(), options)); });
}

py::tuple saved(const PySystem& system) {
  std::vector<std::pair<std::string, std::string>> sizes;
  for (const auto& [name, value] : system.sizes()) sizes.emplace_back(name, to_text(value));
  return py::make_tuple(system.text(), system.origin(), system.entry(), sizes);
}

PySystem loaded(const py::tuple& saved) {
  Settings sizes;
  for (const auto& [name, value] : saved[3].cast<std::vector<std::pair<std::string, std::string>>>()) sizes[name] = to_quad(value);
  const auto text = saved[0].cast<std::string>(), origin = saved[1].cast<std::string>(), entry = saved[2].cast<std::string>();
  return Call()([&] { return PySystem(text, origin, entry, sizes); });
}

}  // namespace

void bind_system(py::module_& module) {
  py::class_<PySystem>(module, "System", "What moves: a catalogue name, a path, or the text of a system file.")
      .def(py::init([](const PySystem& other) { return other; }), py::arg("source"))
      .def(py::init(&make_system), py::arg("source"))
      .def_property_readonly("text", [](const PySystem& self) { return py::str(self.text()); }, "The text of its system file.")
      .def_property_readonly("name", [](const PySystem& self) { return self.system().name(); })
      .def_property_readonly("description", [](const PySystem& self) { return self.system().description(); })
      .def_property_readonly("source", [](const PySystem& self) { return self.system().source(); })
      .def_property_readonly("kind", [](const PySystem& self) { return self.system().kind(); })
      .def_property_readonly("coordinates", [](const PySystem& self) { return py::tuple(py::cast(self.system().coordinates())); })
      .def_property_readonly("velocities", [](const PySystem& self) {
        std::vector<std::string> names;
        for (const Column& column : columns_of(self.system(), {ColumnKind::velocity})) names.push_back(column.name);
        return py::tuple(py::cast(names));
      })
      .def_property_readonly("multipliers", [](const PySystem& self) { return py::tuple(py::cast(self.system().multiplier_names())); })
      .def_property_readonly("sizes", [](const PySystem& self) { return py::tuple(py::cast(self.system().sizes())); })
      .def_property_readonly("parameters", [](const PySystem& self) { return values_of(self.system(), false); },
                             "Default values by name.")
      .def_property_readonly("inputs", [](const PySystem& self) { return values_of(self.system(), true); },
                             "Default values by name.")
      .def_property_readonly("constraints", [](const PySystem& self) {
        py::list texts;
        for (const Constraint& constraint : self.system().constraints()) texts.append(constraint.text);
        return py::tuple(texts);
      })
      .def_property_readonly("holonomic", [](const PySystem& self) {
        py::list texts;
        for (const HolonomicConstraint& constraint : self.system().holonomic()) texts.append(constraint.text);
        return py::tuple(texts);
      })
      .def("latex", [](const PySystem& self) { return Call()([&] { return to_latex(shown(self.system())); }); },
           "The equations of motion as LaTeX, one align* environment.")
      .def("_equations", [](const PySystem& self) {
        const Shown all = Call()([&] { return shown(self.system()); });
        py::list sections;
        for (const Shown::Section& section : all.sections) {
          py::list lines;
          for (const Equation& equation : section.text) lines.append(py::make_tuple(equation.left, equation.right));
          if (!section.text.empty()) sections.append(py::make_tuple(section.title, lines));
        }
        return sections;
      })
      .def("_resized", [](const PySystem& self, const py::object& sizes) {
        std::vector<Problem> problems;
        Settings settings = settings_of(sizes, "resized", problems);
        refuse_all(std::move(problems));
        return Call()([&] {
          PySystem other = self.resized(settings);
          other.system().parameter_values(settings);  // refuses names that are no sizes
          return other;
        });
      })
      .def("_check", &check)
      .def("_saved", &saved)
      .def_static("_loaded", &loaded)
      .def(py::pickle(&saved, &loaded));
}

}  // namespace noslip::python
