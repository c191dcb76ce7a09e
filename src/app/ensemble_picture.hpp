// The plot of an ensemble (--plot): a value over what varies, or what reductions give.
#pragma once

#include <string>
#include <vector>

#include <noslip/core/archive.hpp>
#include <noslip/ensemble/ensemble.hpp>
#include <noslip/io/plot.hpp>

#include "arguments.hpp"
#include "ensemble_options.hpp"

namespace noslip::app {

/// Without --plot it does nothing. With reductions it draws these: a histogram at the end, a fan of quantiles over time,
/// other numbers over time. Otherwise the first column at the end, over one or two names that vary.
class EnsemblePicture {
 public:
  /// InputError for what cannot be drawn: more than two names, or too many members that are not on a grid.
  EnsemblePicture(const Arguments& arguments, const EnsembleChoice& choice, const EnsembleTable& table);

  void take(const MemberBlock& block);
  void write(Arguments& arguments, const Ensemble& ensemble) const;
  void carry(Archive& archive) { archive(varied_, values_); }

 private:
  Plot plot_of_members() const;
  bool is_empty(const Ensemble& ensemble) const;  ///< no number to draw

  bool is_wanted_ = false, has_reductions_ = false;
  std::vector<GridAxis> axes_;
  std::vector<std::string> names_;  ///< what varies
  std::string column_;
  std::size_t of_member_ = 0, columns_ = 0, rows_ = 0;
  std::vector<double> varied_;  ///< of members that are not on a grid, member after member
  std::vector<double> values_;  ///< of the first column at the end
};

}  // namespace noslip::app
