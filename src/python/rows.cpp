#include "rows.hpp"

#include <algorithm>

#include <noslip/core/names.hpp>
#include <noslip/io/run_plot.hpp>

#include "call.hpp"
#include "values.hpp"

namespace noslip::python {

Rows::Rows(std::shared_ptr<const RowContext> context) : context_(std::move(context)) {
  const auto count = [&](ColumnKind kind) { return places_of(context_->columns(), kind).size(); };
  ns_ = count(ColumnKind::state);
  nq_ = count(ColumnKind::coordinate) + ns_;
  nv_ = count(ColumnKind::velocity);
  nm_ = count(ColumnKind::multiplier);
  ni_ = count(ColumnKind::input);
  no_ = count(ColumnKind::output);
}

void Rows::reserve(std::size_t rows) {
  for (const auto& [values, width] : {std::pair{&t_, std::size_t{1}}, {&q_, nq_}, {&v_, nv_}, {&multipliers_, nm_}, {&inputs_, ni_}, {&outputs_, no_},
                                      {&energy_, 1}, {&work_, 1}, {&constraint_, 1}}) {
    values->reserve(rows * width);
  }
}

namespace {

/// Exactly `width` numbers.
void append(std::vector<double>& to, const std::vector<double>& values, std::size_t width) {
  const std::size_t count = std::min(values.size(), width);
  to.insert(to.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
  to.insert(to.end(), width - count, std::numeric_limits<double>::quiet_NaN());
}

std::vector<double> row_of(const std::vector<double>& values, std::size_t row, std::size_t width) {
  const auto first = values.begin() + static_cast<std::ptrdiff_t>(row * width);
  return {first, first + static_cast<std::ptrdiff_t>(width)};
}

}  // namespace

void Rows::add(const Sample& sample) {
  t_.push_back(sample.t);
  append(q_, sample.q, nq_);
  append(v_, sample.v, nv_);
  append(multipliers_, sample.multipliers, nm_);
  append(inputs_, sample.inputs, ni_);
  append(outputs_, sample.outputs, no_);
  energy_.push_back(sample.energy);
  work_.push_back(sample.work);
  constraint_.push_back(sample.max_constraint);
  if (!evaluate_) return;
  const std::span<const double> values = (*evaluate_)(sample);
  for (std::size_t i = 0; i < evaluated_names_.size(); ++i) values_[evaluated_names_[i]].push_back(values[i]);
}

void Rows::carry_all(Archive& archive) {
  archive(t_, q_, v_, multipliers_, inputs_, outputs_, energy_, work_, constraint_);
  std::vector<std::pair<std::string, std::vector<double>>> values(values_.begin(), values_.end());
  archive(values);
  if (!archive.loads()) return;  // arrays of what is here stay valid
  values_ = {std::make_move_iterator(values.begin()), std::make_move_iterator(values.end())};
  const std::pair<const std::vector<double>*, std::size_t> all[] = {{&q_, nq_}, {&v_, nv_}, {&multipliers_, nm_}, {&inputs_, ni_}, {&outputs_, no_},
                                                                    {&energy_, 1}, {&work_, 1}, {&constraint_, 1}};
  bool fits = true;
  for (const auto& [numbers, width] : all) fits = fits && numbers->size() == size() * width;
  for (const auto& [name, numbers] : values_) fits = fits && numbers.size() == size();
  if (!fits) throw InputError("the saved rows are not complete, or belong to another system", "save them again");
}

Sample Rows::sample(std::size_t row) const {
  Sample sample;
  sample.t = t_[row];
  sample.q = row_of(q_, row, nq_);
  sample.v = row_of(v_, row, nv_);
  sample.multipliers = row_of(multipliers_, row, nm_);
  sample.inputs = row_of(inputs_, row, ni_);
  sample.outputs = row_of(outputs_, row, no_);
  sample.energy = energy_[row];
  sample.work = work_[row];
  sample.max_constraint = constraint_[row];
  return sample;
}

py::array Rows::matrix(const std::vector<double>& values, std::size_t columns, py::handle self) const {
  const auto width = static_cast<py::ssize_t>(columns);
  return view_of(values.data(), {rows(), width}, {width, 1}, self);
}

py::array Rows::part_of_q(std::size_t first, std::size_t count, py::handle self) const {
  const double* const begin = q_.empty() ? nullptr : q_.data() + first;
  return view_of(begin, {rows(), static_cast<py::ssize_t>(count)}, {static_cast<py::ssize_t>(nq_), 1}, self);
}

void Rows::evaluate_as_they_come(const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  evaluate_ = std::make_unique<RowReader>(context_->system(), columns_of_texts(context_->system(), texts), context_->parameters);
  evaluated_names_ = texts;
  for (const std::string& text : texts) values_[text];
}

namespace {

/// What else could be meant: a column, or one of an expression.
[[noreturn]] void refuse_column(const RowContext& context, const std::string& name, const InputError& error) {
  const std::string guess = did_you_mean(name, names_of(context.columns()));
  if (guess.empty()) throw error;
  throw InputError("there is no column '" + name + "'", guess);
}

}  // namespace

py::array Rows::column(const std::string& name, py::handle self) {
  const std::size_t place = find_column(context_->columns(), name);
  if (place < context_->columns().size()) {
    const Column& column = context_->columns()[place];
    const auto of = [&](const std::vector<double>& values, std::size_t width) {
      return view_of(values.empty() ? nullptr : values.data() + column.index, {rows()}, {static_cast<py::ssize_t>(width)}, self);
    };
    switch (column.kind) {
      case ColumnKind::time: return of(t_, 1);
      case ColumnKind::coordinate:
      case ColumnKind::state: return of(q_, nq_);
      case ColumnKind::velocity: return of(v_, nv_);
      case ColumnKind::multiplier: return of(multipliers_, nm_);
      case ColumnKind::input: return of(inputs_, ni_);
      case ColumnKind::output: return of(outputs_, no_);
      case ColumnKind::energy: return of(energy_, 1);
      case ColumnKind::work: return of(work_, 1);
      case ColumnKind::constraint: return of(constraint_, 1);
      default: break;
    }
  }
  auto known = values_.find(name);
  if (known == values_.end()) {
    std::vector<double> values;
    values.reserve(size());
    Call call;
    call([&] {
      try {
        RowReader read(context_->system(), columns_of_texts(context_->system(), {name}), context_->parameters);
        for (std::size_t row = 0; row < size(); ++row) {
          if (row % 1024 == 0 && call.is_stopped()) return;
          values.push_back(read(sample(row))[0]);
        }
      } catch (const InputError& error) {
        refuse_column(*context_, name, error);
      }
    });
    known = values_.emplace(name, std::move(values)).first;
  }
  return view_of(known->second.data(), {rows()}, {1}, self);
}

Plot plot_of(const Rows& rows, const Trajectory& run, const std::string& show, PlotTheme theme) {
  const RowContext& context = rows.context();
  if (rows.size() == 0) throw InputError("the run has no rows to draw", "run it with `every=1`");
  RunPlot picture(context.system(), context.parameters, show, rows.sample(0).t, rows.sample(rows.size() - 1).t);
  for (std::size_t row = 0; row < rows.size(); ++row) picture.add(rows.sample(row));
  Plot plot = picture.plot(run);
  plot.theme = theme;
  return plot;
}

namespace {

/// A column of one state.
double value_in(const RowContext& context, const Sample& sample, const std::string& name) {
  const std::size_t place = find_column(context.columns(), name);
  if (place < context.columns().size()) return value_of(context.columns()[place], sample);
  try {
    RowReader read(context.system(), columns_of_texts(context.system(), {name}), context.parameters);
    return read(sample)[0];
  } catch (const InputError& error) {
    refuse_column(context, name, error);
  }
}

const std::string& when_of(const Hit& hit) { return hit.context->events[static_cast<std::size_t>(hit.event)].when; }

py::tuple saved_state(const State& state) {
  Sample sample = state.sample;
  return py::make_tuple(saved(state.context), py::bytes(saved_bytes(sample)));
}
State loaded_state(const py::tuple& from) {
  State state{loaded_context(from[0]), {}};
  load_bytes(state.sample, from[1].cast<std::string>());
  return state;
}

py::tuple saved_hit(const Hit& hit) {
  EventHit all{hit.event, hit.number, hit.direction, hit.sample};
  return py::make_tuple(saved(hit.context), py::bytes(saved_bytes(all)));
}
Hit loaded_hit(const py::tuple& from) {
  EventHit all;
  load_bytes(all, from[1].cast<std::string>());
  const auto context = loaded_context(from[0]);
  if (all.event < 0 || static_cast<std::size_t>(all.event) >= context->events.size()) throw InputError("the saved crossing belongs to no event", "save it again");
  return {context, all};
}

py::tuple saved_rows(const Rows& rows) {
  ByteWriter to;
  Archive archive(to);
  const_cast<Rows&>(rows).carry_all(archive);  // NOLINT: an archive that saves changes nothing
  return py::make_tuple(saved(rows.shared_context()), py::bytes(to.take()));
}
std::unique_ptr<Rows> loaded_rows(const py::tuple& from) {
  auto rows = std::make_unique<Rows>(loaded_context(from[0]));
  const auto content = from[1].cast<std::string>();
  ByteReader bytes(content);
  Archive archive(bytes);
  rows->carry_all(archive);
  if (!bytes.is_at_end()) throw InputError("the saved rows have more bytes than they should have", "save them again");
  return rows;
}

}  // namespace

py::tuple saved(const std::shared_ptr<const RowContext>& context) {
  RowContext copy = *context;
  return py::make_tuple(context->made, py::bytes(saved_bytes(copy)));
}

std::shared_ptr<const RowContext> loaded_context(const py::tuple& from) {
  auto context = std::make_shared<RowContext>();
  context->made = from[0].cast<PySystem>();
  load_bytes(*context, from[1].cast<std::string>());
  return context;
}

void bind_rows(py::module_& module) {
  py::class_<Plot>(module, "Plot", "A picture: shown by notebooks, and written as SVG or PNG.")
      .def("_repr_svg_", [](const Plot& self) { return to_svg(self); })
      .def("svg", [](const Plot& self) { return to_svg(self); }, "The picture as an SVG document.")
      .def("png", [](const Plot& self, double scale) { return py::bytes(to_png(self, scale)); }, "The picture as PNG.",
           py::arg("scale") = 2.0)
      .def("save", [](const Plot& self, const py::object& file, bool force) { write_plot(self, path_of(file), force); },
           "Writes FILE.svg or FILE.png.", py::arg("file"), py::kw_only(), py::arg("force") = false)
      .def_readwrite("title", &Plot::title)
      .def_readwrite("subtitle", &Plot::subtitle)
      .def("__repr__", [](const Plot& self) { return "Plot(" + std::string(py::repr(py::str(self.title))) + ")"; });

  const auto array_of = [](auto member) {
    return [member](const py::object& self) { return (self.cast<Rows&>().*member)(self); };
  };
  py::class_<Rows>(module, "Rows", "States, row after row. Arrays are views of the memory of this object.")
      .def_property_readonly("t", array_of(&Rows::t), "Times.")
      .def_property_readonly("q", array_of(&Rows::q), "Positions, one row for each time.")
      .def_property_readonly("states", array_of(&Rows::states), "States of first order, one row for each time.")
      .def_property_readonly("v", array_of(&Rows::v), "Velocities.")
      .def_property_readonly("multipliers", array_of(&Rows::multipliers))
      .def_property_readonly("inputs", array_of(&Rows::inputs))
      .def_property_readonly("outputs", array_of(&Rows::outputs), "Outputs of the system.")
      .def_property_readonly("energy", array_of(&Rows::energy))
      .def_property_readonly("work", array_of(&Rows::work))
      .def_property_readonly("constraint", array_of(&Rows::constraint), "The largest residual of a constraint.")
      .def_property_readonly("columns", [](const Rows& self) { return py::tuple(py::cast(names_of(self.context().columns()))); })
      .def("__len__", &Rows::size)
      .def("__contains__", [](const Rows& self, const std::string& name) {
        return find_column(self.context().columns(), name) < self.context().columns().size();
      })
      .def("__getitem__", [](const py::object& self, const py::str& name) { return self.cast<Rows&>().column(text_of(name), self); },
           "A column by name, or an expression.")
      .def(py::pickle(&saved_rows, &loaded_rows));

  py::class_<State>(module, "State", "One state.")
      .def_property_readonly("t", [](const State& self) { return self.sample.t; })
      .def_property_readonly("q", [](const State& self) { return copy_of(self.context->coordinates_of(self.sample)); }, "Positions, as a copy.")
      .def_property_readonly("states", [](const State& self) { return copy_of(self.context->states_of(self.sample)); }, "States of first order, as a copy.")
      .def_property_readonly("v", [](const State& self) { return copy_of(self.sample.v); }, "Velocities, as a copy.")
      .def_property_readonly("multipliers", [](const State& self) { return copy_of(self.sample.multipliers); })
      .def_property_readonly("inputs", [](const State& self) { return copy_of(self.sample.inputs); })
      .def_property_readonly("outputs", [](const State& self) { return copy_of(self.sample.outputs); }, "Outputs of the system.")
      .def_property_readonly("energy", [](const State& self) { return self.sample.energy; })
      .def_property_readonly("work", [](const State& self) { return self.sample.work; }, "Done on the system since the start.")
      .def_property_readonly("constraint", [](const State& self) { return self.sample.max_constraint; }, "The largest residual of a constraint.")
      .def("__getitem__", [](const State& self, const py::str& name) { return value_in(*self.context, self.sample, text_of(name)); })
      .def("to_dict", [](const State& self) {
        py::dict result;
        for (const Column& column : self.context->columns()) result[py::str(column.name)] = value_of(column, self.sample);
        return result;
      }, "All columns by name.")
      .def("__repr__", [](const State& self) { return "State(t=" + std::string(py::repr(py::float_(self.sample.t))) + ")"; })
      .def(py::pickle(&saved_state, &loaded_state));

  py::class_<Hit, State>(module, "Hit", "A crossing of an event.")
      .def_property_readonly("event", [](const Hit& self) { return self.event; }, "Which one of the events, from 0 on.")
      .def_property_readonly("when", &when_of, "The expression, or the name of the function.")
      .def_property_readonly("number", [](const Hit& self) { return self.number; }, "Of this event, from 1 on.")
      .def_property_readonly("direction", [](const Hit& self) { return to_text(self.direction); })
      .def("__repr__", [](const Hit& self) {
        return "Hit(" + std::string(py::repr(py::str(when_of(self)))) + ", number=" + std::to_string(self.number) +
               ", t=" + std::string(py::repr(py::float_(self.sample.t))) + ")";
      })
      .def(py::pickle(&saved_hit, &loaded_hit));
}

}  // namespace noslip::python
