#include "model/skew_symmetry.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include <noslip/core/names.hpp>

#include "model/system_data.hpp"

namespace noslip {
namespace {

/// Expressions in the first constants of a step, as numbers.
std::vector<quad> evaluated(const SystemData& data, const std::vector<quad>& parameters,
                            const std::vector<Expr>& expressions) {
  const std::vector<Parameter> constants = data.step_constants();
  std::vector<Expr> symbols;
  for (std::size_t i = 0; i < parameters.size(); ++i) symbols.push_back(constants[i].symbol);
  const Evaluation<quad> values = Function<quad>({symbols}, {expressions})({parameters});
  return {values.output(0).begin(), values.output(0).end()};
}

std::vector<quad> default_parameters(const SystemData& data) {
  std::vector<quad> values;
  for (const Parameter& constant : data.step_constants()) {
    values.push_back(evaluated(data, values, {constant.default_value}).front());
  }
  return values;
}

/// The initial state (without time), then points around it; near ones too, for functions that are not defined far away.
std::vector<std::vector<quad>> points_around_start(const SystemData& data, const std::vector<quad>& parameters) {
  std::vector<Expr> initial;
  for (std::size_t i = 1; i < data.initial.size(); ++i) initial.push_back(data.initial[i].expression);
  const std::vector<quad> start = evaluated(data, parameters, initial);
  std::vector<std::vector<quad>> points{start};
  std::mt19937_64 random(1);  // the same points in every run
  for (const double reach : {1e-3, 0.03, 0.1, 0.3, 0.5, 1.0, 1.0, 2.0}) {
    points.push_back(start);
    for (quad& x : points.back()) {
      const double part = std::ldexp(static_cast<double>(random() >> 11), -52) - 1;
      x += quad(reach * part) * std::max(quad(1), size_of(x));
    }
  }
  return points;
}

std::string where(const SystemData& data, const std::vector<quad>& point, bool is_start) {
  if (is_start) return "at the initial state";
  if (point.size() > 6) return "near the initial state";
  std::vector<std::string> values;
  for (std::size_t i = 0; i < point.size(); ++i) {
    values.push_back(fmt::format("{} = {}", data.coordinates[i], to_short_text(static_cast<double>(point[i]), 6)));
  }
  return "where " + list_of(values);
}

Problem problem_of(const SystemText& given, const SkewSymmetry::Defect& defect, const std::string& place) {
  const auto text = [&](std::size_t i, std::size_t j) -> const Text& { return given.structure.rows[i].texts[j]; };
  const std::size_t i = defect.row, j = defect.column;
  if (i == j) {
    return {fmt::format("entry ({}, {}) of the structure is not zero: '{}' is {} {}", i + 1, i + 1, text(i, i).text,
                        to_short_text(static_cast<double>(defect.sum) / 2), place),
            text(i, i).place(), "the diagonal of a skew-symmetric matrix is zero"};
  }
  return {
      fmt::format("the structure is not skew-symmetric: entry ({}, {}) '{}' and entry ({}, {}) '{}' add up to {} {}",
                  i + 1, j + 1, text(i, j).text, j + 1, i + 1, text(j, i).text,
                  to_short_text(static_cast<double>(defect.sum)), place),
      text(j, i).place(), fmt::format("entry ({}, {}) has to be -({})", j + 1, i + 1, text(i, j).text)};
}

}  // namespace

SkewSymmetry::SkewSymmetry(const ExprMatrix& matrix, const std::vector<Expr>& symbols) : size_(matrix.size()) {
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = i; j < size_; ++j) {
      if (!(matrix[i][j] + matrix[j][i]).is_zero()) doubtful_.push_back({i, j});
    }
  }
  if (!doubtful_.empty()) entries_ = Function<quad>({symbols}, {entries_of(matrix)});
}

std::vector<SkewSymmetry::Defect> SkewSymmetry::defects(std::span<const quad> values, double tolerance) const {
  if (doubtful_.empty()) return {};
  const Evaluation<quad> here = entries_({values});
  const std::span<const quad> entries = here.output(0);
  quad largest = 0;
  for (const quad entry : entries) {
    if (is_finite(entry)) largest = std::max(largest, size_of(entry));
  }
  std::vector<Defect> result;
  for (const auto [row, column] : doubtful_) {
    const quad sum = entries[row * size_ + column] + entries[column * size_ + row];
    if (is_finite(sum) && size_of(sum) > quad(tolerance) * largest) result.push_back({row, column, sum});
  }
  return result;
}

void require_skew_symmetry(const SystemText& given, const SystemData& data, std::vector<Problem>& problems) {
  if (data.structure_matrix.empty()) return;
  constexpr double rounding = 1e-20;  // far above that of quadruple precision
  std::vector<Expr> symbols;
  for (const Parameter& constant : data.step_constants()) symbols.push_back(constant.symbol);
  symbols.insert(symbols.end(), data.q.begin(), data.q.end());
  const SkewSymmetry symmetry(data.structure_matrix, symbols);
  if (symmetry.is_certain()) return;
  const std::vector<quad> parameters = default_parameters(data);
  const std::vector<std::vector<quad>> points = points_around_start(data, parameters);
  std::vector<bool> is_known(data.q.size() * data.q.size(), false);
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<quad> numbers = parameters;
    numbers.insert(numbers.end(), points[i].begin(), points[i].end());
    for (const SkewSymmetry::Defect& defect : symmetry.defects(numbers, rounding)) {
      const std::size_t entry = defect.row * data.q.size() + defect.column;
      if (is_known[entry]) continue;
      is_known[entry] = true;
      problems.push_back(problem_of(given, defect, where(data, points[i], i == 0)));
    }
  }
}

}  // namespace noslip
