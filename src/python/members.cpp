#include "members.hpp"

#include <cmath>

#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/core/short_text.hpp>
#include <noslip/exec/value_text.hpp>
#include <noslip/io/members_file.hpp>

#include "call.hpp"
#include "values.hpp"

namespace noslip::python {
namespace {

/// Columns of values by name; a single number holds for all.
std::shared_ptr<const Members> members_of(const py::object& given) {
  if (PyUnicode_Check(given.ptr()) || py::hasattr(given, "__fspath__")) {
    const std::string file = path_of(given);
    return Call()([&] { return noslip::read_members(file); });
  }
  if (!py::hasattr(given, "items")) {
    throw InputError("members=" + shown(given) + ": expected values by name", "give a dict such as {\"x\": [1, 2, 3]}, or the name of a CSV file");
  }
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;
  std::size_t count = 1;
  for (const py::handle pair : given.attr("items")()) {
    const auto [name, values] = pair.cast<std::pair<py::object, py::object>>();
    names.push_back(text_of(py::str(name)));
    if (py::isinstance<py::iterable>(values) && !PyUnicode_Check(values.ptr())) {
      columns.push_back(doubles_of(values, {"members", names.back()}));
    } else {
      std::vector<Problem> problems;
      const auto number = number_of(values, {"members", names.back()}, problems);
      refuse_all(std::move(problems));
      columns.push_back({static_cast<double>(*number)});
    }
    if (columns.back().size() != 1) count = columns.back().size();
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (columns[i].size() == count || columns[i].size() == 1) continue;
    throw InputError(fmt::format("members: '{}' has {} values, others have {}", shortened(names[i]), columns[i].size(), count),
                     "give one value for each member, or a single one for all");
  }
  std::vector<double> values;
  values.reserve(count * names.size());
  for (std::size_t member = 0; member < count; ++member) {
    for (const auto& column : columns) values.push_back(column[column.size() == 1 ? 0 : member]);
  }
  return list_members(std::move(names), std::move(values));
}

/// (first, last, count), or values.
std::shared_ptr<const Members> grid_of(const py::object& given) {
  if (!py::hasattr(given, "items")) {
    throw InputError("grid=" + shown(given) + ": expected axes by name", "give a dict such as {\"m\": (1, 2, 11)}");
  }
  std::vector<GridAxis> axes;
  std::vector<std::string> names;
  std::vector<std::vector<double>> values;
  bool has_values = false;
  std::vector<Problem> problems;
  for (const py::handle pair : given.attr("items")()) {
    const auto [key, axis] = pair.cast<std::pair<py::object, py::object>>();
    const std::string name = text_of(py::str(key)), what = "grid: " + shortened(name);
    names.push_back(name);
    if (py::isinstance<py::tuple>(axis) && py::len(axis) == 3) {
      const NumberList ends = numbers_of(axis, what, problems);
      if (ends.size() != 3) continue;
      const auto count = static_cast<double>(ends[2]);
      if (!(count >= 1 && count <= 9007199254740992.0 && count == std::floor(count))) {
        refuse(problems, fmt::format("{}: {} is not a number of values", what, to_text(count)), "the last number says how many values there are: 1, 2, 3, ...");
        continue;
      }
      axes.push_back({name, static_cast<double>(ends[0]), static_cast<double>(ends[1]), static_cast<std::size_t>(count)});
      values.emplace_back();
    } else {
      has_values = true;
      axes.push_back({name, 0, 0, 1});
      values.push_back(doubles_of(axis, what));
    }
  }
  refuse_all(std::move(problems));
  if (!has_values) return grid_members(std::move(axes));
  std::size_t count = 1;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (values[i].empty() && axes[i].count > 0) {
      values[i].resize(axes[i].count);
      grid_members({axes[i]})->read(0, axes[i].count, values[i].data());
    }
    if (values[i].empty() || count > (std::size_t{1} << 40) / values[i].size()) throw InputError("grid: these are no or too many members");
    count *= values[i].size();
  }
  std::vector<double> all;
  all.reserve(count * axes.size());
  for (std::size_t member = 0; member < count; ++member) {
    std::size_t rest = count, place = member;
    for (const auto& axis : values) {
      rest /= axis.size();
      all.push_back(axis[place / rest]);
      place %= rest;
    }
  }
  return list_members(std::move(names), std::move(all));
}

/// ("uniform", a, b), or "uniform(a,b)".
Variation variation_of(const std::string& name, const py::object& given, std::vector<Problem>& problems) {
  const std::string what = "vary: " + shortened(name), example = "write it as {\"m\": \"uniform(1,2)\"} or {\"m\": (\"normal\", 1, 0.1)}";
  std::string kind;
  NumberList numbers;
  if (PyUnicode_Check(given.ptr())) {
    const std::string text = text_of(given);
    const std::size_t open = text.find('(');
    if (open != std::string::npos && text.ends_with(')')) {
      kind = text.substr(0, open);
      for (const std::string& piece : split_outside_brackets(text.substr(open + 1, text.size() - open - 2), ',')) {
        const Value value = evaluate(piece);
        if (!value.number) refuse(problems, fmt::format("{}: {}", what, value.what), value.remedy);
        numbers.push_back(value.number.value_or(0));
      }
    }
  } else if (py::isinstance<py::sequence>(given) && py::len(given) == 3) {
    const auto list = py::reinterpret_borrow<py::sequence>(given);
    kind = text_of(py::str(py::object(list[0])));
    numbers = numbers_of(py::make_tuple(list[1], list[2]), what, problems);
  }
  Variation variation{.name = name};
  const std::vector<std::string> kinds = {"uniform", "normal"};
  if (kind != "uniform" && kind != "normal") {
    const std::string guess = did_you_mean(kind, kinds);
    refuse(problems, fmt::format("{}={}: expected uniform(A,B) or normal(MEAN,DEVIATION)", what, shown(given)), guess.empty() ? example : guess);
  } else if (numbers.size() != 2) {
    refuse(problems, fmt::format("{}: {} takes two numbers", what, kind), example);
  } else {
    variation.kind = kind == "uniform" ? Variation::Kind::uniform : Variation::Kind::normal;
    variation.a = static_cast<double>(numbers[0]);
    variation.b = static_cast<double>(numbers[1]);
  }
  return variation;
}

}  // namespace

std::shared_ptr<const Members> chosen_members(Given& given) {
  const int sources = (given.has("members") ? 1 : 0) + (given.has("grid") ? 1 : 0) + (given.has("sample") ? 1 : 0);
  if (sources != 1) {
    refuse(given.problems, sources == 0 ? "the members are missing" : "the members are given in several ways",
           "give one of `members`, `grid` and `sample` with `vary`");
  }
  for (const char* const name : {"seed", "vary"}) {
    if (given.has(name) && !given.has("sample")) {
      refuse(given.problems, fmt::format("`{}` has no effect without `sample`", name), "drop it, or give `sample`");
    }
  }
  if (given.has("sample") && !given.has("vary")) {
    refuse(given.problems, "`sample`: nothing varies", "say what is drawn, for example vary={\"m\": \"uniform(1,2)\"}");
  }
  const auto count = given.whole("sample"), seed = given.whole("seed");
  std::vector<Variation> variations;
  if (const py::object vary = given["vary"]; !vary.is_none()) {
    if (!py::hasattr(vary, "items")) {
      refuse(given.problems, "vary=" + shown(vary) + ": expected what is drawn by name", "for example vary={\"m\": \"uniform(1,2)\"}");
    } else {
      for (const py::handle pair : vary.attr("items")()) {
        const auto [name, draw] = pair.cast<std::pair<py::object, py::object>>();
        variations.push_back(variation_of(text_of(py::str(name)), draw, given.problems));
      }
    }
  }
  refuse_all(std::move(given.problems));
  if (given.has("members")) return members_of(given["members"]);
  if (given.has("grid")) return grid_of(given["grid"]);
  return sample_members(static_cast<std::size_t>(count.value_or(1)), static_cast<std::uint64_t>(seed.value_or(1)), std::move(variations));
}

}  // namespace noslip::python
