// Studies from Python: measured orders, comparisons, Poincare sections.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <noslip/exec/value_text.hpp>
#include <noslip/io/json.hpp>
#include <noslip/io/section.hpp>
#include <noslip/io/study_plot.hpp>
#include <noslip/run/compare.hpp>
#include <noslip/run/converge.hpp>
#include <noslip/run/over_time.hpp>
#include <noslip/run/section.hpp>

#include "call.hpp"
#include "callbacks.hpp"
#include "options.hpp"
#include "values.hpp"

namespace noslip::python {
namespace {

/// A study as the tool tells it.
struct Study {
  std::string json;
  Plot plot;
  Outcome outcome;
};

/// Names of methods in a text with commas between them, or in a list.
std::vector<std::string> methods_of(Given& given) {
  const py::object method = given["method"];
  if (PyUnicode_Check(method.ptr())) return split_list(text_of(method));
  return texts_of(given["method"], "method", given.problems);
}

StudyProgress study_progress(const py::object& progress, Call& call) {
  if (progress.is_none()) return [&call](const std::string&, long long, long long) { return !call.is_stopped(); };
  return [&call, held = Held(progress)](const std::string& what, long long done, long long all) {
    if (call.is_stopped()) return false;
    const py::gil_scoped_acquire lock;
    return goes_on((*held)(what, done, all));
  };
}

/// What converge and compare share.
template <class Options>
void read_study(Options& options, Chosen& chosen, const PySystem& system, Given& given) {
  options.methods = methods_of(given);
  if (const auto until = given.number("until")) options.until = *until;
  if (!given.has("until")) refuse(given.problems, "`until` is missing", "give the end time, for example `until=10`");
  options.project = given.flag("project");
  if (const auto place = given.choice("backend")) options.backend = static_cast<Backend>(*place);
  if (const auto place = given.choice("precision")) options.precision = static_cast<Precision>(*place);
  read_system(chosen, system, given);
  if (chosen.has_functions) refuse(given.problems, "inputs: a study calls no functions in Python", "give values or series");
  refuse_all(std::move(given.problems));
  options.set = chosen.options.set;
  options.init = chosen.options.init;
  options.control = chosen.options.control;
}

Study converge_study(const PySystem& system, const py::dict& keywords) {
  Given given(keywords);
  Chosen chosen;
  ConvergeOptions options;
  options.steps = numbers_of(given["steps_list"], "steps_list", given.problems);
  read_study(options, chosen, system, given);
  Call call;
  options.progress = study_progress(progress_of(given), call);
  return call([&] {
    const Convergence result = converge(chosen.system.system(), options);
    return Study{to_json_text(result), plot_of(result), result.outcome};
  });
}

Study compare_study(const PySystem& system, const py::dict& keywords) {
  Given given(keywords);
  Chosen chosen;
  CompareOptions options;
  if (const auto step = given.number("step")) options.step = *step;
  const bool over_time = given.choice("against").value_or(0) == 1;
  read_study(options, chosen, system, given);
  Call call;
  options.progress = study_progress(progress_of(given), call);
  return call([&] {
    if (over_time) {
      const ComparisonOverTime result = compare_over_time(chosen.system.system(), options);
      return Study{to_json_text(result.comparison), plot_of(result), result.comparison.outcome};
    }
    const Comparison result = compare(chosen.system.system(), options);
    return Study{to_json_text(result), plot_of(result), result.outcome};
  });
}

/// The crossings of all orbits as columns.
class PySection {
 public:
  explicit PySection(Section found) : result(std::move(found)) {
    for (const Column& column : columns_of(result)) names_.push_back(column.name);
    for_each_row(result, [&](std::span<const double> row) { rows_.insert(rows_.end(), row.begin(), row.end()); });
  }

  Section result;

  const std::vector<std::string>& names() const { return names_; }
  py::ssize_t rows() const { return static_cast<py::ssize_t>(rows_.size() / names_.size()); }
  py::array column(const std::string& name, py::handle self) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) {
      std::string all;
      for (const std::string& known : names_) all += (all.empty() ? "" : ", ") + known;
      throw InputError("there is no column '" + name + "'", "the columns are " + all);
    }
    const auto width = static_cast<py::ssize_t>(names_.size());
    return view_of(rows_.data() + (found - names_.begin()), {rows()}, {width}, self);
  }

 private:
  std::vector<std::string> names_;
  std::vector<double> rows_;
};

std::unique_ptr<PySection> make_section(const PySystem& system, const py::dict& keywords) {
  Given given(keywords);
  Chosen chosen = read_run(system, given, false);
  SectionOptions options;
  options.event.when = given.text("when", "");
  if (options.event.when.empty()) refuse(given.problems, "`when` is missing", "give an expression, for example `when=\"y'\"`");
  if (const auto place = given.choice("direction")) options.event.direction = static_cast<Crossing>(*place);
  const auto crossings = given.whole("crossings");
  if (!given.has("crossings")) refuse(given.problems, "`crossings` is missing", "give a number, for example `crossings=100`");
  options.event.stop_after = crossings.value_or(1);
  options.columns = texts_of(given["columns"], "columns", given.problems);
  if (chosen.has_functions) refuse(given.problems, "inputs: a section calls no functions in Python", "give values or series");
  const Settings init = chosen.options.init;
  options.orbits.front().init = init;
  if (const py::object orbits = given["orbits"]; !orbits.is_none()) {
    if (!py::hasattr(orbits, "items") || py::len(orbits) != 1) {
      refuse(given.problems, "orbits=" + shown(orbits) + ": expected values of one name", "for example orbits={\"z0\": [-1, 0, 1]}");
    } else {
      const py::list pairs(orbits.attr("items")());
      const auto [key, values] = py::object(pairs[0]).cast<std::pair<py::object, py::object>>();
      const std::string name = text_of(py::str(key));
      const auto& parameters = chosen.system.system().parameters();
      const bool is_parameter = std::any_of(parameters.begin(), parameters.end(), [&](const Parameter& one) { return one.name == name; });
      options.orbits.clear();
      for (const quad value : numbers_of(values, "orbits", given.problems)) {
        OrbitStart start{fmt::format("{} = {}", name, to_short_text(static_cast<double>(value))), {}, init};
        (is_parameter ? start.set : start.init)[name] = value;
        options.orbits.push_back(std::move(start));
      }
    }
  }
  refuse_all(std::move(given.problems));
  options.run = chosen.options;
  options.run.init = {};
  Call call;
  options.progress = study_progress(progress_of(given), call);
  options.run.stop = call.token();
  return call([&] { return std::make_unique<PySection>(section(chosen.system.system(), options)); });
}

}  // namespace

void bind_studies(py::module_& module) {
  py::class_<Study>(module, "Study", "What a study has found.")
      .def("json", [](const Study& self) { return self.json; }, "The JSON document that the tool prints.")
      .def("plot", [](const Study& self) { return self.plot; }, "The picture that the tool draws.")
      .def_property_readonly("status", [](const Study& self) { return to_text(self.outcome.status); })
      .def_property_readonly("message", [](const Study& self) { return self.outcome.message; });
  module.def("_converge", &converge_study);
  module.def("_compare", &compare_study);

  py::class_<PySection>(module, "Section", "The points where a function of the state vanishes, of one or more orbits.")
      .def(py::init(&make_section), py::arg("system"), py::arg("options"))
      .def_property_readonly("columns", [](const PySection& self) { return py::tuple(py::cast(self.names())); })
      .def("__getitem__", [](const py::object& self, const py::str& name) { return self.cast<const PySection&>().column(text_of(name), self); },
           "A column of all crossings; `orbit` is the number of the orbit if there are several.")
      .def("__len__", &PySection::rows)
      .def_property_readonly("labels", [](const PySection& self) {
        py::list labels;
        for (const SectionOrbit& orbit : self.result.orbits) labels.append(orbit.start.label);
        return labels;
      }, "Of the orbits.")
      .def_property_readonly("found", [](const PySection& self) {
        py::list counts;
        for (const SectionOrbit& orbit : self.result.orbits) counts.append(orbit.found);
        return counts;
      }, "Crossings of each orbit.")
      .def_property_readonly("status", [](const PySection& self) { return to_text(self.result.outcome.status); })
      .def_property_readonly("message", [](const PySection& self) { return self.result.outcome.message; })
      .def("json", [](const PySection& self) { return to_json_text(self.result); }, "The JSON document that the tool prints.")
      .def("plot", [](const PySection& self) { return plot_of(self.result); }, "The picture that the tool draws.");
}

}  // namespace noslip::python
