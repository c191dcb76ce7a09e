// What coefficients that a user gives have to satisfy, and the order that follows from them.
#pragma once

#include <string>
#include <vector>

#include <noslip/core/error.hpp>
#include <noslip/method/register.hpp>

namespace noslip {

/// Coefficients are read, all problems are collected, and the order is what `order` says where there are none.
class OwnCoefficients {
 public:
  OwnCoefficients(std::string method, const SparkCoefficients& coefficients, int claimed_order);
  OwnCoefficients(std::string method, const Tableau& tableau, int claimed_order);

  std::vector<Problem>& problems() { return problems_; }
  int order() const { return order_; }                ///< of q and v
  int order_when_free() const { return when_free_; }  ///< without constraints
  double tolerance() const { return tolerance_; }     ///< of conditions on these coefficients

 private:
  using Rows = std::vector<std::vector<quad>>;

  void blame(std::string what, std::string remedy);
  bool has_shape(const std::string& what, const Rows& rows, std::size_t count, std::size_t length);
  bool has_length(const std::string& what, const std::vector<quad>& values, std::size_t length);
  bool has_shape(const std::string& what, const Tableau& tableau, std::size_t stages);
  bool has_shape(const SparkCoefficients& coefficients);
  void read(const Tableau& tableau);
  void read(const std::vector<quad>& values);
  void set_tolerance();
  bool is_zero(quad x) const { return size_of(x) <= quad(tolerance_); }

  void adds_up(const std::string& what, const std::vector<quad>& values, quad to);
  void rows_add_up(const std::string& what, const Rows& rows, const std::vector<quad>& to);
  void check_nodes(const NodeCoefficients& nodes, const std::vector<quad>& b);
  void check_multipliers(const SparkCoefficients& coefficients);
  void set_order(OrderRange known, int proved, int claimed);

  std::string method_;
  std::vector<Problem> problems_;
  bool is_finite_ = true, are_doubles_ = true;
  quad largest_ = 1;
  double tolerance_ = 0;
  int order_ = 0, when_free_ = 0;
};

}  // namespace noslip
