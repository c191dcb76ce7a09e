#include "run.hpp"

#include <cmath>

#include <fmt/format.h>

#include <noslip/io/json.hpp>

#include "call.hpp"
#include "callbacks.hpp"
#include "checkpoint.hpp"
#include "values.hpp"

namespace noslip::python {

std::shared_ptr<const DenseOutput> PyRun::dense() {
  if (dense_) return dense_;
  if (!trajectory.dense) {
    if (chosen.has_functions) {
      throw InputError("states between the rows: the run has called functions in Python, which may not do the same again",
                       is_unpickled ? "call at() before pickling; a pickle has the rows, not every step"
                                    : "run it with `dense=True`, which keeps every step");
    }
    if (trajectory.steps == 0) throw InputError("states between the rows: the run has no steps");
    Call call;
    RunOptions options = chosen.options;
    long long left = trajectory.steps;  // no further than this run
    if (trajectory.outcome.status == Status::interrupted) {
      options.observe = [&](double, std::span<const double>, std::span<const double>) {
        if (--left == 0) call.stop();
      };
    }
    options.every = 0;
    options.at = {};
    options.dense = true;
    options.progress = read_progress(py::none(), call);
    options.stop = call.token();
    auto kept = call([&] { return integrate(chosen.system.system(), options).dense; });
    if (!dense_) dense_ = std::move(kept);  // unless another thread was faster
  } else {
    dense_ = trajectory.dense;
  }
  if (!dense_) throw InputError("states between the rows: the run has no steps");
  return dense_;
}

void PyRun::forget_functions() {
  for (std::vector<Event>* const events : {&trajectory.events, &chosen.options.events}) {
    for (Event& event : *events) event.function = {}, event.act = {};
  }
  chosen.options.control.controllers.clear();
}

namespace {

/// What the file of a checkpoint holds.
struct Saved {
  std::string header;  ///< a JSON document: system and options
  struct Position {
    std::string state, followers;
    void carry(Archive& archive) { archive(state, followers); }
  };
  Position here;
  std::optional<Position> before;  ///< from where it can go on to another end, if that is not certain of `here`
  void carry(Archive& archive) { archive(header, here, before); }
};

FileNotes notes_of(const PySystem& system, const RunOptions& options) {
  FileNotes notes{.system = system.text(), .method = options.method, .step = static_cast<double>(options.step)};
  const auto noted = [](const Settings& settings) {
    NotedValues values;
    for (const auto& [name, value] : settings) values.emplace_back(name, to_text(static_cast<double>(value)));
    return values;
  };
  notes.set = noted(options.set);
  notes.init = noted(options.init);
  notes.input = noted(options.control.inputs);
  return notes;
}

/// About how many rows there will be, for memory that is taken once.
std::size_t expected_rows(const Chosen& chosen) {
  const RunOptions& options = chosen.options;
  if (!options.at.empty()) return options.at.size();
  if (options.every < 1) return 0;
  double steps = static_cast<double>(options.steps);
  if (options.steps == 0) {
    const auto start = options.init.find("t");
    const double begin = start != options.init.end() ? static_cast<double>(start->second) : 0;
    steps = (static_cast<double>(options.until) - begin) / static_cast<double>(options.step);
  }
  const double rows = steps / static_cast<double>(options.every) + 3;
  return rows > 0 && rows < 4e6 ? static_cast<std::size_t>(rows) : 1024;
}

std::unique_ptr<PyRun> make_run(const PySystem& system, const py::dict& keywords, const std::string& header, const py::object& resumed) {
  Given given(keywords);
  Chosen chosen = read_run(system, given);
  RunOptions& options = chosen.options;
  if (!given.has("every") && options.at.empty()) options.every = 1;
  if (given.has("every") && !options.at.empty()) {
    refuse(given.problems, "`every` and `at` both say which states are stored", "drop one of them");
  }
  options.dense = given.flag("dense");
  const std::vector<std::string> columns = texts_of(given["columns"], "columns", given.problems);
  const std::vector<std::string> files = given.data_files();
  if (given.has("checkpoint") && chosen.has_functions) {
    refuse(given.problems, "checkpoint: functions in Python cannot be saved", "give the values as series, or write the controller in the system");
  }
  refuse_all(std::move(given.problems));
  options.check();

  auto context = std::make_shared<RowContext>(RowContext{chosen.system, chosen.parameters, options.events});
  auto run = std::make_unique<PyRun>(std::move(chosen), context);
  RunOptions live = run->chosen.options;  // with what lives no longer than this call
  run->reserve(expected_rows(run->chosen));
  run->evaluate_as_they_come(columns);

  std::vector<Column> file_columns;
  std::unique_ptr<RowReader> read;
  if (!files.empty() && !columns.empty()) {
    file_columns = columns_of(context->system(), {ColumnKind::time});
    for (Column& column : columns_of_texts(context->system(), columns)) file_columns.push_back(std::move(column));
    read = std::make_unique<RowReader>(context->system(), file_columns, context->parameters);
  } else if (!files.empty()) {
    file_columns = context->columns();
    read = std::make_unique<RowReader>(file_columns);
  }
  DataFiles out;
  if (!files.empty()) {
    out = DataFiles(files, {.overwrites = given.flag("force"), .columns = file_columns, .notes = notes_of(run->chosen.system, live)});
  }
  const auto take = [&](const Sample& sample) {
    run->add(sample);
    if (read) out.write((*read)(sample));
  };
  if (live.at.empty()) live.sink = take;

  Call call;
  live.progress = read_progress(progress_of(given), call);
  live.stop = call.token();

  std::optional<Saved> saved;
  std::optional<Saved::Position> free;
  const auto followers = [&](Archive& archive) { run->carry(archive), archive(out); };
  const auto go_on = [&](const Saved::Position& from) {
    live.from = from.state;
    ByteReader bytes(from.followers);
    Archive archive(bytes);
    followers(archive);
  };
  if (!resumed.is_none()) {
    saved.emplace();
    load_bytes(*saved, resumed.cast<std::string>());
    free = saved->before;
    go_on(saved->here);
  }
  const CheckpointTarget checkpoint(given, !resumed.is_none());
  if (checkpoint) {
    live.checkpoint = [&](const Checkpoint& here) {
      ByteWriter to;
      Archive archive(to);
      followers(archive);
      Saved now{header, {here.state, to.take()}, std::nullopt};
      here.is_bound_to_end ? now.before = free : free = now.here;
      checkpoint.write(run_kind, now);
    };
  }
  const auto work = [&] {
    try {
      run->trajectory = integrate(run->chosen.system.system(), live);
    } catch (const OtherEnd&) {
      if (!saved || !saved->before) throw;
      go_on(*saved->before);
      run->trajectory = integrate(run->chosen.system.system(), live);
    }
    if (run->trajectory.steps == 0 && run->trajectory.outcome.status == Status::done) throw InputError("the run has no steps");
    if (!live.at.empty()) std::for_each(run->trajectory.values.begin(), run->trajectory.values.end(), take);
    out.open();  // also without a row
    out.close();
  };
  try {
    call(work);
  } catch (const InputError&) {
    if (resumed.is_none()) check_end(run->chosen, given);  // which may know better what is wrong
    throw;
  }
  run->forget_functions();
  context->events = run->trajectory.events;
  return run;
}

py::object at(const py::object& self, const py::object& times) {
  auto& run = self.cast<PyRun&>();
  const DoubleArray array = array_of(times, "at");
  if (array.ndim() > 1) throw InputError(fmt::format("at: the array has {} dimensions", array.ndim()), "give a time, or an array of times in one dimension");
  const std::shared_ptr<const DenseOutput> dense = run.dense();
  const double* const wanted = array.data();
  const auto count = static_cast<std::size_t>(array.size());
  Call call;
  if (array.ndim() == 0) {
    State state{run.shared_context(), call([&] { return dense->at(*wanted); })};
    return py::cast(std::move(state));
  }
  auto rows = std::make_unique<Rows>(run.shared_context());
  rows->reserve(count);
  call([&] {
    for (std::size_t i = 0; i < count && !call.is_stopped(); ++i) rows->add(dense->at(wanted[i]));
  });
  return py::cast(std::move(rows));
}

/// Content, header, and whether it is an ensemble.
py::tuple read_saved(const py::object& file) {
  const std::string name = path_of(file);
  const CheckpointFile found = read_checkpoint(name);
  if (found.kind != run_kind && found.kind != ensemble_kind) {
    throw InputError(fmt::format("'{}' was written by the tool (noslip {}), and holds a command line", name, found.kind),
                     fmt::format("go on in a shell: noslip resume {}", name));
  }
  ByteReader bytes(found.content);  // the header comes first
  return py::make_tuple(py::bytes(found.content), bytes.get_text(), found.kind == ensemble_kind);
}

}  // namespace

void bind_run(py::module_& module) {
  py::class_<PyRun, Rows>(module, "Run", "What a run has given.")
      .def(py::init(&make_run), py::arg("system"), py::arg("options"), py::arg("header") = "", py::arg("resumed") = py::none())
      .def_property_readonly("status", [](const PyRun& self) { return to_text(self.trajectory.outcome.status); },
                             "done, stopped (by an event), interrupted or failed.")
      .def_property_readonly("message", [](const PyRun& self) { return self.trajectory.outcome.message; })
      .def_property_readonly("warnings", [](const PyRun& self) {
        py::list texts;
        for (const Warning& warning : self.trajectory.warnings) texts.append(warning.message);
        return texts;
      })
      .def_property_readonly("steps", [](const PyRun& self) { return self.trajectory.steps; })
      .def_property_readonly("system", [](const PyRun& self) { return as_python(self.chosen.system); })
      .def_property_readonly("last", [](const PyRun& self) { return State{self.shared_context(), self.trajectory.last}; },
                             "The last good state.")
      .def_property_readonly("last_text", [](const PyRun& self) { return self.trajectory.last_text(); },
                             "t, q and v of the last state, with all digits of the precision of the run.")
      .def_property_readonly("events", [](const PyRun& self) {
        py::list hits;
        for (const EventHit& hit : self.trajectory.hits) hits.append(Hit{self.shared_context(), hit});
        return hits;
      }, "Crossings, in the order of time.")
      .def("summary", [](const PyRun& self) { return self.trajectory.summary(); }, "What the tool prints.")
      .def("json", [](const PyRun& self) { return to_json_text(self.trajectory); }, "The JSON document that the tool prints.")
      .def("at", &at, "The state at a time, or rows at several.", py::arg("t"))
      .def("_plot", [](const PyRun& self, const std::string& show, const std::string& theme) {
        return plot_of(self, self.trajectory, show, theme == "dark" ? PlotTheme::dark : PlotTheme::light);
      })
      .def(py::pickle(&pickled_run, &unpickled_run));
  module.def("_read_checkpoint", &read_saved);
}

}  // namespace noslip::python
