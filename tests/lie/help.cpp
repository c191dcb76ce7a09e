#include "lie/help.hpp"

#include <ostream>

namespace noslip::testing {

std::vector<Expr> symbols(Graph& graph, const std::string& name, int count) {
  std::vector<Expr> result;
  for (int i = 0; i < count; ++i) result.push_back(graph.symbol(name + std::to_string(i)));
  return result;
}

std::vector<Expr> entries(const ExprMatrix& m) {
  std::vector<Expr> result;
  for (const std::vector<Expr>& row : m) result.insert(result.end(), row.begin(), row.end());
  return result;
}

Tape tape_of(const std::vector<std::vector<Expr>>& arguments, const std::vector<Expr>& values) {
  std::vector<Tape::Input> inputs;
  std::vector<Tape::Output> outputs;
  std::uint32_t slot = 0;
  for (const auto& argument : arguments) {
    for (const Expr& symbol : argument) inputs.push_back({symbol, slot++});
  }
  for (const Expr& value : values) outputs.push_back({value, slot++});
  return Tape(inputs, outputs);
}

template <class T>
struct Maps<T>::Recording {
  Recording(const Group& of, Retraction with)
      : group(of),
        map(with),
        g(symbols(graph, "g", of.size())),
        to(symbols(graph, "to", of.size())),
        xi(symbols(graph, "xi", of.dimension())),
        eta(symbols(graph, "eta", of.dimension())),
        p(symbols(graph, "p", of.dimension())) {}

  mutable Graph graph;
  const Group& group;
  Retraction map;
  std::vector<Expr> g, to, xi, eta, p;
};

template <class T>
Maps<T>::Maps(const Group& group, Retraction map) : Maps(group, Recording(group, map)) {}

template <class T>
Maps<T>::Maps(const Group& group, const Recording& r)
    : dimension_(static_cast<std::size_t>(group.dimension())),
      identity_({}, group.identity(r.graph)),
      frame_({r.g}, entries(group.frame(r.g))),
      defect_({r.g}, group.defect(r.g)),
      increment_({r.g, r.xi}, group.increment(r.map, r.g, r.xi)),
      between_({r.g, r.to}, group.between(r.map, r.g, r.to)),
      tangent_({r.xi}, entries(group.tangent_less_one(r.map, r.xi))),
      inverse_tangent_({r.xi}, entries(group.inverse_tangent_less_one(r.map, r.xi))),
      adjoint_({r.xi}, entries(group.adjoint_less_one(r.map, r.xi))),
      ad_({r.xi}, entries(group.ad(r.xi))),
      tangent_gradient_({r.xi, r.eta, r.p}, group.tangent_gradient(r.map, r.xi, r.eta, r.p)),
      second_tangent_({r.xi, r.eta, r.p}, group.second_tangent(r.map, r.xi, r.eta, r.p)) {}

template <class T>
Matrix<T> Maps<T>::square(const Vector<T>& numbers, int add) const {
  Matrix<T> result;
  for (std::size_t i = 0; i * dimension_ < numbers.size(); ++i) {
    const auto row = numbers.begin() + static_cast<std::ptrdiff_t>(i * dimension_);
    result.emplace_back(row, row + static_cast<std::ptrdiff_t>(dimension_));
    if (add != 0) result[i][i] += add;
  }
  return result;
}

template class Maps<double>;
template class Maps<quad>;

namespace {

/// The matrix with a one in row i, column j, and minus one in row j, column i if it is antisymmetric.
Matrix<quad> single(std::size_t n, std::size_t i, std::size_t j, bool antisymmetric) {
  Matrix<quad> m = zeros<quad>(n, n);
  m[i][j] = 1;
  if (antisymmetric) m[j][i] = -1;
  return m;
}

Matrix<quad> on_diagonal(const std::vector<Matrix<quad>>& blocks) {
  std::size_t n = 0, at = 0;
  for (const auto& block : blocks) n += block.size();
  Matrix<quad> m = zeros<quad>(n, n);
  for (const auto& block : blocks) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      std::copy(block[i].begin(), block[i].end(), m[at + i].begin() + static_cast<std::ptrdiff_t>(at));
    }
    at += block.size();
  }
  return m;
}

std::vector<Matrix<quad>> space_basis(std::size_t n) {
  std::vector<Matrix<quad>> basis;
  for (std::size_t i = 0; i < n; ++i) basis.push_back(single(n + 1, i, n, false));
  return basis;
}

std::vector<Matrix<quad>> turn_basis(std::size_t n) {
  return {single(n, 2, 1, true), single(n, 0, 2, true), single(n, 1, 0, true)};
}

std::vector<Matrix<quad>> plane_basis() {
  return {single(3, 0, 2, false), single(3, 1, 2, false), single(3, 1, 0, true)};
}

std::vector<Matrix<quad>> body_basis() {
  std::vector<Matrix<quad>> basis;
  for (std::size_t i = 0; i < 3; ++i) basis.push_back(single(4, i, 3, false));
  for (const Matrix<quad>& m : turn_basis(4)) basis.push_back(m);
  return basis;
}

Matrix<quad> space_element(const Vector<quad>& g) {
  Matrix<quad> m = unit<quad>(g.size() + 1);
  for (std::size_t i = 0; i < g.size(); ++i) m[i][g.size()] = g[i];
  return m;
}

Matrix<quad> circle_element(const Vector<quad>& g) {
  const quad c = cosq(g[0]), s = sinq(g[0]);
  return {{c, -s}, {s, c}};
}

Matrix<quad> plane_element(const Vector<quad>& g) {
  const quad c = cosq(g[2]), s = sinq(g[2]);
  return {{c, -s, g[0]}, {s, c, g[1]}, {0, 0, 1}};
}

Matrix<quad> turn_element(const Vector<quad>& g) {
  return {{g[0], g[1], g[2]}, {g[3], g[4], g[5]}, {g[6], g[7], g[8]}};
}

Matrix<quad> body_element(const Vector<quad>& g) {
  return {{g[0], g[1], g[2], g[3]}, {g[4], g[5], g[6], g[7]}, {g[8], g[9], g[10], g[11]}, {0, 0, 0, 1}};
}

Matrix<quad> product_element(const Vector<quad>& g) {
  return on_diagonal({turn_element({g.begin(), g.begin() + 9}), space_element({g.begin() + 9, g.begin() + 11}),
                      plane_element({g.begin() + 11, g.begin() + 14})});
}

std::vector<Matrix<quad>> product_basis() {
  const Matrix<quad> three = zeros<quad>(3, 3);
  std::vector<Matrix<quad>> basis;
  for (const Matrix<quad>& m : turn_basis(3)) basis.push_back(on_diagonal({m, three, three}));
  for (const Matrix<quad>& m : space_basis(2)) basis.push_back(on_diagonal({three, m, three}));
  for (const Matrix<quad>& m : plane_basis()) basis.push_back(on_diagonal({three, three, m}));
  return basis;
}

}  // namespace

Matrix<quad> Case::matrix(const Vector<quad>& xi) const {
  Matrix<quad> m = zeros<quad>(basis[0].size(), basis[0].size());
  for (std::size_t i = 0; i < xi.size(); ++i) m = sum(m, basis[i], xi[i]);
  return m;
}

Vector<quad> Case::coordinates(const Matrix<quad>& m) const {
  // The basis is orthogonal for the sum of the products of the entries.
  Vector<quad> result;
  for (const Matrix<quad>& b : basis) {
    quad above = 0, below = 0;
    for (std::size_t i = 0; i < m.size(); ++i) {
      for (std::size_t j = 0; j < m.size(); ++j) {
        above += b[i][j] * m[i][j];
        below += b[i][j] * b[i][j];
      }
    }
    result.push_back(above / below);
  }
  return result;
}

Matrix<quad> Case::tau(const Vector<quad>& xi) const {
  const Matrix<quad> m = matrix(xi), one = unit<quad>(m.size());
  if (map == Retraction::exp) return exponential(m);
  return solved(sum(one, m, quad(-0.5)), sum(one, m, quad(0.5)));
}

std::vector<Case> cases() {
  std::vector<Case> result;
  for (const Retraction map : {Retraction::cay, Retraction::exp}) {
    const double longest = map == Retraction::cay ? 50 : 3;
    result.push_back({vector_space(3), map, space_basis(3), space_element, longest});
    result.push_back({so2(), map, {single(2, 1, 0, true)}, circle_element, longest});
    result.push_back({so3(), map, turn_basis(3), turn_element, longest});
    result.push_back({se2(), map, plane_basis(), plane_element, longest});
    result.push_back({se3(), map, body_basis(), body_element, longest});
    result.push_back({product({so3(), vector_space(2), se2()}), map, product_basis(), product_element, longest});
  }
  return result;
}

std::string name_of(const Case& instance) {
  std::string name;
  for (const char letter : instance.group->name()) {
    if (std::isalnum(static_cast<unsigned char>(letter))) name += letter;
  }
  return name + "_" + to_text(instance.map);
}

std::ostream& operator<<(std::ostream& out, const Case& instance) { return out << name_of(instance); }

std::vector<Vector<double>> Vectors::of_all_lengths() {
  std::vector<Vector<double>> result;
  for (const double length : {0.0, 1e-12, 1e-9, 1e-6, 1e-3, 0.1, 1.0, 2.0, longest_}) {
    for (int k = 0; k < 3; ++k) result.push_back(of_length(length));
  }
  return result;
}

Vector<double> Vectors::of_length(double length) {
  std::normal_distribution<double> distribution;
  Vector<double> x(dimension_);
  double squares = 0;
  for (double& value : x) {
    value = distribution(generator_);
    squares += value * value;
  }
  return scaled(length / std::sqrt(squares), x);
}

}  // namespace noslip::testing
