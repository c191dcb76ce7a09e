// Systems from expressions: what a text of a system file says, written with operators.
//
//   noslip::Symbols s;
//   const auto x = s["x"], y = s["y"], theta = s["theta"];
//   noslip::SystemText skate;
//   skate.coordinates = {x, y, theta};
//   skate.lagrangian = (sq(dot(x)) + sq(dot(y)) + sq(dot(theta)))/2 + x;
//   skate.constraints = {equal(dot(y)*cos(theta), dot(x)*sin(theta))};
//   const auto system = noslip::System::from(skate);
//
// A symbol means what its name means in a text: "x" is a coordinate where the system has one, a parameter or a
// definition where it has that, an unknown symbol otherwise. Texts and expressions may be mixed, and every check and
// message is the same; where a message shows the text, it is the printed expression.
//
// Numbers mix with expressions: `x/2`, `2*x`, `0.5*x`, pow(x, 3). Whole numbers and what follows from them are exact; a
// double means that double, so that a tenth is `x/10` and not `0.1*x`.
//
// Who owns what: a Symbols owns the graph of its expressions, copies of it share this graph. An Expr owns nothing: it
// has to be used while the Symbols, or one of its copies, lives. What is put into a SystemText keeps the graph alive by
// itself, and a System has copied what it needs: both may outlive the Symbols.
//
// Every operator adds to the graph: a Symbols, its copies and their expressions belong to one thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <noslip/model/system_text.hpp>

namespace noslip {

class Symbols {
 public:
  Symbols() : graph_(std::make_shared<Graph>()) {}

  /// The symbol of this name; the same one for the same name. "t" is the time. An InputError for what cannot be a name.
  Expr operator[](std::string_view name) const&;
  Expr operator[](std::string_view name) const&& = delete;  // its graph would be gone
  /// name1, name2, ... up to name<count>.
  std::vector<Expr> numbered(std::string_view name, std::size_t count) const&;
  std::vector<Expr> numbered(std::string_view name, std::size_t count) const&& = delete;

  Expr time() const& { return graph_->symbol("t"); }
  Expr time() const&& = delete;
  Expr pi() const& { return graph_->pi(); }
  Expr pi() const&& = delete;
  /// A number as an expression: where a sum begins (`Expr energy = s.number(0)`).
  Expr number(const Number& value) const& { return graph_->constant(value); }
  Expr number(const Number& value) const&& = delete;
  /// psi(1), psi(2), ...: multipliers, for nonideal reactions.
  Expr multiplier(int number) const&;
  Expr multiplier(int number) const&& = delete;

 private:
  std::shared_ptr<Graph> graph_;
};

/// x' for a coordinate x. An InputError for anything but a symbol.
Expr dot(Expr coordinate);
/// p(x), the momentum of a coordinate or a body velocity, where the system has a Hamiltonian.
Expr momentum(Expr coordinate);
/// The relation left = right for constraints, as the expression left - right, which vanishes. (`==` asks whether two
/// expressions are the same node, and a Text takes no bool.)
inline Expr equal(Expr left, Expr right) { return left - right; }
inline Expr equal(Expr left, const Number& right) { return left - right; }
/// x^2
inline Expr sq(Expr x) { return powi(x, 2); }

}  // namespace noslip
