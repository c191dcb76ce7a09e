#include "run_plot.hpp"

#include <utility>

#include "plot_options.hpp"

namespace noslip::app {

void declare_run_plot(Arguments& arguments) {
  declare_plot(arguments);
  arguments.value(
      "--show", "PANEL,...",
      "panels of the picture: energy, constraints, invariants, coordinates, velocities, multipliers, a name "
      "(over time) or A:B (B over A) [energy, constraints and coordinates]");
}

void check_run_plot(Arguments& arguments) {
  check_plot(arguments);
  if (arguments.has("--show") && !arguments.has("--plot")) {
    arguments.problem("--show has no effect without --plot FILE.svg", "drop it, or add --plot FILE.svg");
  }
  if (arguments.has("--show") && arguments.text("--show").empty()) {
    arguments.problem("--show: no panel is named", "for example --show energy,coordinates");
  }
}

RunPicture::RunPicture(const Arguments& arguments, const SystemChoice& choice, const RunOptions& options) {
  if (!arguments.has("--plot")) return;
  refuse_plot_file(arguments);
  const double begin = choice.initial.t;
  const double end = options.steps > 0 ? begin + options.step * static_cast<double>(options.steps) : options.until;
  plot_.emplace(choice.system, choice.parameters, arguments.text("--show"), begin, end);
}

void RunPicture::watch(RunOptions& options) {
  if (!plot_) return;
  rows_ = std::move(options.sink);
  every_ = options.every;
  options.every = 1;
  options.sink = [this](const Sample& sample) {
    plot_->add(sample);
    if (!rows_) return;
    is_last_left_out_ = seen_++ % every_ != 0;
    if (is_last_left_out_) {
      last_ = sample;
    } else {
      rows_(sample);
    }
  };
}

void RunPicture::hand_on_last_row() {
  if (std::exchange(is_last_left_out_, false)) rows_(last_);
}

void RunPicture::write(const Arguments& arguments, const Trajectory& run) const {
  if (plot_) write_plot(arguments, plot_->plot(run));
}

}  // namespace noslip::app
