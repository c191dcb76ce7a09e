// Ensembles from Python.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <thread>

#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/ensemble/ensemble.hpp>
#include <noslip/io/data_files.hpp>

#include "call.hpp"
#include "callbacks.hpp"
#include "checkpoint.hpp"
#include "members.hpp"
#include "options.hpp"
#include "values.hpp"

namespace noslip::python {
namespace {

/// An ensemble, with its numbers if no file took them.
struct PyEnsemble {
  Ensemble result;
  bool has_rows = false;  ///< `every` was given: arrays have a dimension for the time
};

/// Files of members, or of what is known of all of them in the end.
class Files {
 public:
  Files(const std::vector<std::string>& names, const EnsembleOptions& options, const EnsembleTable& table, const PySystem& system, bool overwrites)
      : has_members_(options.reductions.empty() || !options.columns.empty()),
        kept_(options.reductions.empty() ? table.columns.size() : options.columns.size()),
        of_member_(table.member_columns.size()),
        columns_(table.columns.size()),
        rows_(table.times.size()) {
    RowFile file{.overwrites = overwrites, .columns = {}, .when_full = "keep fewer columns or rows"};
    file.notes = {.system = system.text(), .method = options.run.method, .step = static_cast<double>(options.run.step)};
    if (has_members_) {
      file.columns = {{"number", ColumnKind::expression, 0, "number", "number of the member"}};
      file.columns.insert(file.columns.end(), table.member_columns.begin(), table.member_columns.end());
      file.columns.insert(file.columns.end(), table.columns.begin(), table.columns.begin() + static_cast<std::ptrdiff_t>(kept_));
      file.members = MemberRows{1 + of_member_, table.times};
    } else {
      file.columns = {{"t", ColumnKind::time, 0, "t"}};
      for (const std::string& name : Reducer(options.reductions, rows_).columns()) file.columns.push_back({name});
    }
    files_ = DataFiles(names, std::move(file));
  }

  void take(const MemberBlock& block) {
    if (!has_members_) return;
    for (std::size_t i = 0; i < block.count; ++i) {
      row_.assign(1, static_cast<double>(block.first + i));
      const auto numbers = block.of_member.begin() + static_cast<std::ptrdiff_t>(i * of_member_);
      row_.insert(row_.end(), numbers, numbers + static_cast<std::ptrdiff_t>(of_member_));
      const auto values = block.values.begin() + static_cast<std::ptrdiff_t>(i * columns_ * rows_);
      row_.insert(row_.end(), values, values + static_cast<std::ptrdiff_t>(kept_ * rows_));
      files_.write(row_);
    }
  }
  void finish(const Ensemble& ensemble) {
    for (std::size_t row = 0; row < rows_ && !has_members_ && ensemble.outcome.status == Status::done; ++row) {
      row_ = ensemble.reduced.values(row);
      row_.insert(row_.begin(), ensemble.times[row]);
      files_.write(row_);
    }
    files_.open();  // also without a row
    files_.close();
  }

  void carry(Archive& archive) {
    if (has_members_) archive(files_);
  }

 private:
  bool has_members_;
  std::size_t kept_, of_member_, columns_, rows_;
  DataFiles files_;
  std::vector<double> row_;
};

/// Members that were computed before a break, for an ensemble without files.
struct KeptMembers {
  std::vector<double> of_member, values;
  void take(const MemberBlock& block) {
    of_member.insert(of_member.end(), block.of_member.begin(), block.of_member.end());
    values.insert(values.end(), block.values.begin(), block.values.end());
  }
  void carry(Archive& archive) { archive(of_member, values); }
};

/// What the file of a checkpoint holds.
struct SavedEnsemble {
  std::string header;  ///< a JSON document: system and options
  std::string state, followers;
  void carry(Archive& archive) { archive(header, state, followers); }
};

/// Work in a thread of its own, while this one looks for signals and tells how far it is.
class Elsewhere {
 public:
  explicit Elsewhere(Call& call, py::object progress) : call_(call), progress_(std::move(progress)) {}

  /// As RunOptions::progress.
  bool report(long long done, long long all) {
    done_ = done;
    all_ = all;
    return !call_.token().stop_requested();
  }

  template <class Work>
  void operator()(Work&& work) {
    std::exception_ptr raised;
    std::thread thread([&] {
      try {
        const StopScope scope(call_.token());
        work();
      } catch (...) {
        raised = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      is_done_ = true;
      changed_.notify_all();
    });
    std::exception_ptr mine;
    {
      std::unique_lock lock(mutex_);
      while (!changed_.wait_for(lock, std::chrono::milliseconds(20), [&] { return is_done_; })) {
        lock.unlock();
        try {
          if (!mine) tell();
        } catch (...) {
          mine = std::current_exception();
          call_.stop();
        }
        lock.lock();
      }
    }
    thread.join();
    if (mine) std::rethrow_exception(mine);
    if (raised) std::rethrow_exception(raised);
  }

 private:
  void tell() {
    if (call_.is_stopped() || progress_.is_none() || all_ == 0) return;
    const py::gil_scoped_acquire lock;
    if (!goes_on(progress_(done_.load(), all_.load()))) call_.stop();
  }

  Call& call_;
  py::object progress_;
  std::atomic<long long> done_ = 0, all_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_done_ = false;
};

std::unique_ptr<PyEnsemble> make_ensemble(const PySystem& system, const py::dict& keywords, const std::string& header, const py::object& resumed) {
  Given given(keywords);
  Chosen chosen = read_run(system, given);
  if (chosen.has_functions) refuse(given.problems, "an ensemble calls no functions in Python", "write the event or the controller in the system");
  EnsembleOptions options;
  options.run = std::move(chosen.options);
  options.columns = texts_of(given["columns"], "columns", given.problems);
  if (given.has("reduce")) {
    std::string list;
    for (const std::string& text : texts_of(given["reduce"], "reduce", given.problems)) list += (list.empty() ? "" : ", ") + text;
    try {
      options.reductions = read_reductions(list);
    } catch (const InputError& error) {
      for (const Problem& problem : error.problems()) refuse(given.problems, "reduce: " + problem.what, problem.remedy);
    }
  }
  options.threads = static_cast<int>(given.whole("threads").value_or(0));
  if (given.has("lanes")) {
    const auto lanes = number_of(given["lanes"], "lanes", given.problems);
    if (lanes && (*lanes == 1 || *lanes == 4 || *lanes == 8)) {
      options.lanes = static_cast<int>(*lanes);
    } else if (lanes) {
      refuse(given.problems, fmt::format("lanes={}: not a number of lanes", shown(given["lanes"])), "choose 1, 4 or 8");
    }
  }
  options.checkpoint_every = options.run.checkpoint_every;
  const std::vector<std::string> names = given.data_files();
  const std::shared_ptr<const Members> members = chosen_members(given);

  auto made = std::make_unique<PyEnsemble>();
  made->has_rows = given.has("every");
  Call call;
  Elsewhere elsewhere(call, progress_of(given));
  options.run.progress = [&](long long done, long long all) { return elsewhere.report(done, all); };
  options.run.stop = call.token();
  const bool overwrites = given.flag("force");
  const CheckpointTarget checkpoint(given, !resumed.is_none());
  std::optional<SavedEnsemble> saved;
  if (!resumed.is_none()) load_bytes(saved.emplace(), resumed.cast<std::string>());
  std::unique_ptr<Files> files;
  KeptMembers kept;
  const auto followers = [&](Archive& archive) { files ? archive(*files) : archive(kept); };
  if (saved) options.from = saved->state;
  if (checkpoint) {
    options.checkpoint = [&](const EnsembleCheckpoint& here) {
      ByteWriter to;
      Archive archive(to);
      followers(archive);
      SavedEnsemble now{header, here.state, to.take()};
      checkpoint.write(ensemble_kind, now);
    };
  }
  const auto prepare = [&] {
    if (!names.empty()) {
      files = std::make_unique<Files>(names, options, ensemble_table(chosen.system.system(), *members, options), chosen.system, overwrites);
      options.sink = [&](const MemberBlock& block) { files->take(block); };
    } else if (checkpoint) {
      options.sink = [&](const MemberBlock& block) { kept.take(block); };
    }
    if (!saved) return;
    ByteReader bytes(saved->followers);
    Archive archive(bytes);
    followers(archive);
  };
  call([&] {
    elsewhere([&] {
      prepare();
      made->result = integrate_ensemble(chosen.system.system(), *members, options);
      if (files) {
        files->finish(made->result);
      } else if (checkpoint) {
        made->result.member_values = std::move(kept.of_member);
        made->result.values = std::move(kept.values);
      }
    });
  });
  return made;
}

/// A column: of what varies and of events [member], of what is kept [time, member], of reductions [time].
py::object column(const py::object& self, const std::string& name) {
  const auto& ensemble = self.cast<const PyEnsemble&>();
  const Ensemble& result = ensemble.result;
  const auto rows = static_cast<py::ssize_t>(result.times.size()), count = static_cast<py::ssize_t>(result.columns.size());
  const auto of_member = static_cast<py::ssize_t>(result.member_columns.size());
  const bool has_members = !result.member_values.empty() || !result.values.empty();
  const auto members = has_members ? static_cast<py::ssize_t>(result.members) : 0;
  std::size_t place = find_column(result.columns, name);
  if (has_members && place < result.columns.size()) {
    const double* const first = result.values.data() + place * result.times.size();
    if (!ensemble.has_rows) return view_of(first, {members}, {count * rows}, self);
    return view_of(first, {rows, members}, {1, count * rows}, self);
  }
  place = find_column(result.member_columns, name);
  if (has_members && place < result.member_columns.size()) return view_of(result.member_values.data() + place, {members}, {of_member}, self);
  std::vector<std::string> names = names_of(result.columns);
  for (const std::string& more : names_of(result.member_columns)) names.push_back(more);
  const auto& reductions = result.reduced.reductions();
  for (std::size_t i = 0; i < reductions.size(); ++i) {
    names.push_back(reductions[i].text);
    if (reductions[i].text != name) continue;
    std::vector<double> values;
    std::size_t width = 1;
    for (std::size_t row = 0; row < result.times.size(); ++row) {
      if (reductions[i].kind == MemberReduction::Kind::histogram) {
        const Histogram bins = result.reduced.histogram(row, i);
        width = bins.counts.size();
        for (const std::uint64_t bin : bins.counts) values.push_back(static_cast<double>(bin));
      } else {
        values.push_back(result.reduced.number(row, i));
      }
    }
    py::array all = copy_of(values);
    if (width != 1 || reductions[i].kind == MemberReduction::Kind::histogram) {
      all = all.reshape({rows, static_cast<py::ssize_t>(width)});
    }
    if (ensemble.has_rows) return all;
    return all[py::int_(0)];
  }
  if (!has_members && (find_column(result.columns, name) < result.columns.size() || place < result.member_columns.size())) {
    throw InputError("'" + name + "' went into the file", "leave `output` out to have it here");
  }
  const std::string guess = did_you_mean(name, names);
  throw InputError("there is no column '" + name + "'", guess.empty() ? "the columns are " + list_of(names) : guess);
}

}  // namespace

void bind_ensemble(py::module_& module) {
  py::class_<PyEnsemble>(module, "Ensemble", "Many trajectories of one system.")
      .def(py::init(&make_ensemble), py::arg("system"), py::arg("options"), py::arg("header") = "", py::arg("resumed") = py::none())
      .def("__getitem__", [](const py::object& self, const py::str& name) { return column(self, text_of(name)); },
           "A column by name: [member], with `every` [time, member]; a reduction has no members.")
      .def_property_readonly("varied", [](const py::object& self) {
        const Ensemble& result = self.cast<const PyEnsemble&>().result;
        const auto width = static_cast<py::ssize_t>(result.member_columns.size());
        py::dict columns;
        for (std::size_t i = 0; i < result.member_columns.size() && !result.member_values.empty(); ++i) {
          columns[py::str(result.member_columns[i].name)] =
              view_of(result.member_values.data() + i, {static_cast<py::ssize_t>(result.members)}, {width}, self);
        }
        return columns;
      }, "One number for each member: what varies, events, failed.")
      .def_property_readonly("t", [](const py::object& self) {
        const auto& times = self.cast<const PyEnsemble&>().result.times;
        return view_of(times.data(), {static_cast<py::ssize_t>(times.size())}, {1}, self);
      }, "Times of the rows.")
      .def_property_readonly("columns", [](const PyEnsemble& self) { return py::tuple(py::cast(names_of(self.result.columns))); })
      .def_property_readonly("member_columns", [](const PyEnsemble& self) { return py::tuple(py::cast(names_of(self.result.member_columns))); })
      .def_property_readonly("reductions", [](const PyEnsemble& self) {
        py::list texts;
        for (const MemberReduction& reduction : self.result.reduced.reductions()) texts.append(reduction.text);
        return py::tuple(texts);
      })
      .def("edges", [](const PyEnsemble& self, const std::string& name) {
        const auto& reductions = self.result.reduced.reductions();
        for (std::size_t i = 0; i < reductions.size(); ++i) {
          if (reductions[i].text == name && reductions[i].kind == MemberReduction::Kind::histogram) return copy_of(self.result.reduced.edges(i));
        }
        throw InputError("there is no histogram '" + name + "'");
      }, "Of the bins of a histogram.")
      .def_property_readonly("system", [](const PyEnsemble& self) { return self.result.system; })
      .def_property_readonly("method", [](const PyEnsemble& self) { return self.result.method; })
      .def_property_readonly("step", [](const PyEnsemble& self) { return self.result.step; })
      .def_property_readonly("backend", [](const PyEnsemble& self) { return to_text(self.result.backend); })
      .def_property_readonly("members", [](const PyEnsemble& self) { return self.result.members; })
      .def_property_readonly("done", [](const PyEnsemble& self) { return self.result.done; })
      .def_property_readonly("failed", [](const PyEnsemble& self) { return self.result.failed; })
      .def_property_readonly("steps", [](const PyEnsemble& self) { return self.result.steps; })
      .def_property_readonly("threads", [](const PyEnsemble& self) { return self.result.threads; })
      .def_property_readonly("lanes", [](const PyEnsemble& self) { return self.result.lanes; })
      .def_property_readonly("ranks", [](const PyEnsemble& self) { return self.result.ranks; })
      .def_property_readonly("wall_seconds", [](const PyEnsemble& self) { return self.result.wall_seconds; })
      .def_property_readonly("status", [](const PyEnsemble& self) { return to_text(self.result.outcome.status); })
      .def_property_readonly("message", [](const PyEnsemble& self) { return self.result.outcome.message; })
      .def_property_readonly("has_rows", [](const PyEnsemble& self) { return self.has_rows; })
      .def_property_readonly("warnings", [](const PyEnsemble& self) {
        py::list texts;
        for (const Warning& warning : self.result.warnings) texts.append(warning.message);
        return texts;
      })
      .def_property_readonly("failures", [](const PyEnsemble& self) {
        py::list list;
        for (const MemberFailure& failure : self.result.failures) {
          py::dict one;
          one["member"] = failure.member;
          one["t"] = failure.t;
          one["message"] = failure.message;
          list.append(one);
        }
        return list;
      }, "The first ones: member, t and message.");
}

}  // namespace noslip::python
