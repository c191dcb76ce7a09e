// Runs as bytes, for pickles.
#include <variant>

#include <noslip/run/run_fields.hpp>

#include "run.hpp"

namespace noslip::python {
namespace {

constexpr int format_of_runs = 1;

void carry(Archive& archive, Settings& settings) {
  std::vector<std::pair<std::string, quad>> values(settings.begin(), settings.end());
  archive(values);
  if (archive.loads()) settings.insert(values.begin(), values.end());
}

void carry(Archive& archive, NumberList& numbers) { archive(static_cast<std::vector<quad>&>(numbers)); }

/// All that states between the rows depend on, but for functions.
void carry(Archive& archive, RunOptions& options) {
  for (const RunField& field : run_fields()) {
    std::visit([&](auto member) { archive(options.*member); }, field.member);
  }
  for (Settings* const settings : {&options.set, &options.init, &options.control.inputs}) carry(archive, *settings);
  auto count = static_cast<std::uint64_t>(options.control.series.size());
  archive(count);
  if (archive.loads()) options.control.series.resize(static_cast<std::size_t>(count));
  for (InputSeries& series : options.control.series) {
    archive(series.input, series.is_linear);
    carry(archive, series.times), carry(archive, series.values);
  }
  carry(archive, options.at);
  archive(options.events, options.dense);
}

void carry(Archive& archive, PyRun& run) {
  carry(archive, run.chosen.options);
  archive(run.chosen.parameters, run.chosen.has_functions, run.trajectory);
  run.carry_all(archive);
}

}  // namespace

py::tuple pickled_run(const py::object& self) {
  auto& run = self.cast<PyRun&>();
  ByteWriter to;
  Archive archive(to);
  carry(archive, run);
  return py::make_tuple(format_of_runs, saved(run.shared_context()), py::bytes(to.take()), py::dict(self.attr("__dict__")));
}

std::pair<std::unique_ptr<PyRun>, py::dict> unpickled_run(const py::tuple& from) {
  if (from.size() != 4 || from[0].cast<int>() != format_of_runs) {
    throw InputError("the run was pickled by another version of noslip", "run it again");
  }
  const auto context = loaded_context(from[1]);
  Chosen chosen;
  chosen.system = context->made;
  auto run = std::make_unique<PyRun>(std::move(chosen), context);
  const auto content = from[2].cast<std::string>();
  ByteReader bytes(content);
  Archive archive(bytes);
  carry(archive, *run);
  if (!bytes.is_at_end()) throw InputError("the saved run has more bytes than it should have", "save it again");
  run->trajectory.about.columns = context->columns();
  run->trajectory.about.factors = context->system().factors();
  run->is_unpickled = true;
  return {std::move(run), from[3].cast<py::dict>()};
}

}  // namespace noslip::python
