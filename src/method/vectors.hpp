// Vectors of expressions, written as papers write them: sums, products, and sums with the weights of a tableau.
//
// The empty vector is the zero of every space: it may be added to any vector. So sums over no nodes, reactions of no
// constraints and the friction of ideal ones need no case of their own. Other vectors that meet have equal sizes.
#pragma once

#include <string>
#include <vector>

#include <noslip/core/scalar.hpp>
#include <noslip/expr/graph.hpp>
#include <noslip/expr/matrix.hpp>

namespace noslip {

using Vector = std::vector<Expr>;
using Vectors = std::vector<Vector>;  ///< one per stage or node, or the rows of a matrix
using Weights = std::vector<quad>;    ///< a row of a tableau

Vector operator+(const Vector& a, const Vector& b);
Vector operator-(const Vector& a, const Vector& b);
Vector operator-(const Vector& a);
Vector operator*(Expr factor, const Vector& a);
Vector operator*(quad factor, const Vector& a);
Vector operator/(const Vector& a, Expr divisor);
Vector operator/(const Vector& a, const Number& divisor);
Vector operator*(const Vectors& rows, const Vector& a);  ///< matrix times vector

/// sum_j weights_j vectors_j; what has the weight zero does not appear.
Vector sum(const Weights& weights, const Vectors& vectors);
/// The same with weights that are expressions: the transposed matrix times a vector, where `vectors` are its rows.
Vector sum(const Vector& weights, const Vectors& vectors);
Vector sum(const Vector& weights, const SparseMatrix& rows);

/// Names for the components, through which derivatives go by the chain rule (Graph::alias).
Vector alias(const Vector& a);
Vector joined(Vector first, const Vector& second);
Vector head(const Vector& a, std::size_t count);  ///< the first `count` components
Vector tail(const Vector& a, std::size_t count);  ///< all but these
Vector zeros(Graph& graph, std::size_t count);
/// Puts values in the place of symbols, as far as there are values.
void replace(Substitution& substitution, const Vector& symbols, const Vector& values);
/// `count` symbols that no user can write: step.stem1, step.stem2, ...
Vector new_symbols(Graph& graph, const std::string& stem, std::size_t count);

Expr coefficient(Graph& graph, quad value);

}  // namespace noslip
