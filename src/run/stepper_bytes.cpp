// Steppers as bytes: what the next step depends on, in one order for saving and loading.
#include <noslip/core/bytes.hpp>
#include <noslip/core/default_arithmetic.hpp>
#include <noslip/expr/print.hpp>
#include <noslip/model/sampled.hpp>

#include "run/stepper_data.hpp"

namespace noslip {

namespace {

constexpr char magic[] = "noslip state 2";

/// Of the variables, constants and controller of a system: what the numbers of a saved state mean.
template <class T>
std::uint64_t meaning(const ProgramData<T>& program) {
  std::string all;
  const auto add = [&](std::string_view name) { all.append(name).push_back('\n'); };
  for (const StateVariable& variable : program.recipe.state) add(variable.symbol.name());
  for (const std::string& name : program.system.multiplier_names()) add(name);
  for (const Parameter& constant : program.system.parameters()) add(constant.name);
  add("inputs");
  for (const Parameter& constant : program.system.inputs()) add(constant.name);
  if (const Sampled* const sampled = program.system.sampled()) {
    add(to_text(sampled->every));
    add(to_text(sampled->delay));
    for (const Sampled::Value& value : sampled->values) add(value.name), add(value.text);
  }
  return checksum(all);
}

[[noreturn]] void refuse_other_version() {
  throw InputError("the saved state belongs to another version of the system, of the method or of noslip",
                   "start again from its positions and velocities");
}

/// Numbers that are saved one by one.
template <class Data, class Visit>
void visit_numbers(Data& data, const Visit& visit) {
  visit(data.h), visit(data.t0), visit(data.count), visit(data.steps_since_set), visit(data.steps_made);
  visit(data.iterations), visit(data.stepped), visit(data.is_first);
}

/// Those that decide how often something is done.
template <class T>
void require_numbers(const StepperData<T>& data) {
  for (const long long counter : {data.count, data.steps_since_set, data.steps_made, data.iterations}) {
    require_counter(counter);
  }
  require_saved(is_finite(data.t0) && is_finite(data.h) && data.h != 0);
  require_saved(data.controls->is_empty() || data.h > 0);
  require_saved(data.controls->is_empty() ? !data.grid : data.grid || data.count == 0);
  if (!data.grid) return;
  require_saved(is_finite(data.grid->begin) && is_finite(data.grid->h) && data.grid->h > 0);
  require_saved(data.count <= data.grid->count && data.grid->end > data.grid->begin);
}

template <class Grid, class Visit>
void visit_grid(Grid& grid, const Visit& visit) {
  visit(grid.begin), visit(grid.end), visit(grid.h), visit(grid.count), visit(grid.is_divided);
}

}  // namespace

template <class T>
std::string Stepper<T>::save() const {
  const DefaultArithmetic arithmetic;
  data_->require_state();
  const StepperData<T>& data = *data_;
  ByteWriter to;
  const auto put = [&](const auto& value) { to.put(value); };
  to.put_text(magic);
  to.put_text(data.identity());
  to.put(meaning(data.data()));
  const std::optional<StepStart>& order = data.data().key.order_at;
  to.put(order.has_value());
  if (order) {
    to.put(order->t);
    to.put(order->h);
    for (const std::vector<double>* values :
         {&order->parameters, &order->state, &order->accelerations, &order->multipliers}) {
      to.put(static_cast<std::uint64_t>(values->size()));
      to.put_all(std::span<const double>(*values));
    }
  }
  to.put(data.data().steps->fingerprint);
  visit_numbers(data, put);
  for (const std::vector<T>& values : data.parameters) to.put_all(std::span<const T>(values));
  to.put_all(std::span<const T>(data.jumps));
  to.put_all(std::span<const T>(data.first_state));
  to.put(data.grid.has_value());
  if (data.grid) visit_grid(*data.grid, put);
  data.controls->save(to);
  data.engine->save(to);
  return sealed(to.take());
}

template <class T>
void Stepper<T>::load(std::string_view saved) {
  const DefaultArithmetic arithmetic;
  ByteReader all(saved);
  if (all.get_text() != magic) throw InputError("this is not a saved state of a stepper");
  const std::string identity = all.get_text();
  if (identity != data_->identity()) {
    throw InputError("the saved state is one of " + identity, "this stepper is one of " + data_->identity());
  }
  const std::optional<std::string_view> content = unsealed(saved);
  if (!content) {
    throw InputError("the saved state is not complete, or has changed since it was saved", "save it again");
  }
  ByteReader from(*content);
  from.get_text(), from.get_text();
  const auto get = [&](auto& value) { from.get(value); };
  if (from.get<std::uint64_t>() != meaning(*data_->usual)) refuse_other_version();
  // Into a copy, which takes this one's place when everything has been read.
  ProgramKey key = data_->usual->key;
  key.order_at.reset();
  if (from.get<bool>()) {
    StepStart& order = key.order_at.emplace();
    from.get(order.t);
    from.get(order.h);
    const StepRecipe& recipe = data_->usual->recipe;
    const auto get_all = [&](std::vector<double>& values, std::size_t wanted) {
      if (from.get_count() != wanted) refuse_other_version();
      values.resize(wanted);
      from.get_all(std::span(values));
    };
    get_all(order.parameters, data_->parameters[0].size());
    get_all(order.state, recipe.state.size());
    get_all(order.accelerations, recipe.accelerations.size());
    get_all(order.multipliers, recipe.multipliers.size());
  }
  auto data = std::make_unique<StepperData<T>>(Program<T>(find_program<T>(key)), data_->h, data_->parameters[0]);
  data->usual = data_->usual;
  data->projects = data_->projects;
  if (!data->engine || from.get<std::uint64_t>() != data->data().steps->fingerprint) refuse_other_version();
  visit_numbers(*data, get);
  for (std::vector<T>& values : data->parameters) from.get_all(std::span(values));
  from.get_all(std::span(data->jumps));
  from.get_all(std::span(data->first_state));
  if (from.get<bool>()) visit_grid(data->grid.emplace(), get);
  data->has_divided = data->grid && data->grid->is_divided;
  require_numbers(*data);
  data->controls->load(from, data->t0);
  data->engine->load(from);
  if (!from.is_at_end()) throw InputError("the saved state has more bytes than it should have", "save it again");
  data->has_state = true;
  data_ = std::move(data);
}

#define NOSLIP_INSTANTIATE(T)                   \
  template std::string Stepper<T>::save() const; \
  template void Stepper<T>::load(std::string_view);
NOSLIP_INSTANTIATE(double)
NOSLIP_INSTANTIATE(long double)
NOSLIP_INSTANTIATE(quad)
#undef NOSLIP_INSTANTIATE

}  // namespace noslip
