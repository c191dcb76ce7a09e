// Reductions as they are written, and what is wrong with them.
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include <noslip/core/characters.hpp>
#include <noslip/core/default_arithmetic.hpp>
#include <noslip/core/names.hpp>
#include <noslip/ensemble/reduction.hpp>
#include <noslip/exec/function.hpp>
#include <noslip/expr/parse.hpp>

#include "ensemble/reduction_check.hpp"

namespace noslip {
namespace {

/// A word of the language, with what stands behind the expression.
struct ReductionWord {
  const char* name;
  MemberReduction::Kind kind;
  std::size_t numbers;
  const char* usage;
};
constexpr ReductionWord reduction_words[] = {
    {"mean", MemberReduction::Kind::mean, 0, "mean(E)"},
    {"variance", MemberReduction::Kind::variance, 0, "variance(E)"},
    {"deviation", MemberReduction::Kind::deviation, 0, "deviation(E)"},
    {"min", MemberReduction::Kind::min, 0, "min(E)"},
    {"max", MemberReduction::Kind::max, 0, "max(E)"},
    {"count", MemberReduction::Kind::count, 0, "count(E)"},
    {"quantile", MemberReduction::Kind::quantile, 1, "quantile(E,0.9)"},
    {"median", MemberReduction::Kind::quantile, 0, "median(E)"},
    {"histogram", MemberReduction::Kind::histogram, 3, "histogram(E,-1,1,50)"},
};

std::vector<std::string> names_of_reductions() {
  std::vector<std::string> names;
  for (const ReductionWord& word : reduction_words) names.emplace_back(word.name);
  return names;
}

const ReductionWord* word_called(std::string_view name) {
  for (const ReductionWord& word : reduction_words) {
    if (word.name == name) return &word;
  }
  return nullptr;
}

constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// A part of the text, without blanks around it.
struct Piece {
  std::string_view text;
  std::size_t offset = 0;
};

Piece piece_of(std::string_view whole, std::size_t begin, std::size_t end) {
  while (begin < end && is_space(whole[begin])) ++begin;
  while (end > begin && is_space(whole[end - 1])) --end;
  return {whole.substr(begin, end - begin), begin};
}

/// A number such as 0.9, 1/3 or -pi; nothing for anything else.
std::optional<double> constant_in(std::string_view text) {
  Graph graph;
  Scope scope;
  scope.symbol = scope.velocity = scope.momentum =
      scope.multiplier = [](std::string_view) { return std::optional<Expr>(); };
  const Parsed parsed = parse_expression(graph, text, scope);
  if (!parsed.problems.empty()) return std::nullopt;
  const auto value = static_cast<double>(Function<quad>({}, {{parsed.expression}})({}).output(0)[0]);
  return is_finite(value) ? std::optional(value) : std::nullopt;
}

class ReductionReader {
 public:
  explicit ReductionReader(const std::string& text) : text_(text) {}

  std::vector<MemberReduction> read() {
    if (piece_of(text_, 0, text_.size()).text.empty())
      complain("there are no reductions", 0, "write mean(x), for example");
    std::size_t begin = 0;
    while (problems_.empty() || begin < text_.size()) {
      const std::optional<std::size_t> end = comma_or_end(begin);
      if (!end) break;
      take(piece_of(text_, begin, *end));
      if (*end == text_.size()) break;
      begin = *end + 1;
    }
    if (!problems_.empty()) throw InputError(std::move(problems_));
    return std::move(reductions_);
  }

 private:
  void complain(std::string what, std::size_t offset, std::string remedy) {
    problems_.push_back({std::move(what), {{}, 0, static_cast<int>(offset) + 1, text_}, std::move(remedy)});
  }

  /// The next comma outside of brackets, or the end; nothing if brackets do not fit together.
  std::optional<std::size_t> comma_or_end(std::size_t i) {
    std::vector<std::size_t> open;
    for (; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c == ',' && open.empty()) return i;
      if (c == '(' || c == '[') open.push_back(i);
      if (c != ')' && c != ']') continue;
      if (open.empty() || text_[open.back()] != (c == ')' ? '(' : '[')) {
        complain(fmt::format("this '{}' closes nothing", c), i, "remove it, or open a bracket before");
        return std::nullopt;
      }
      open.pop_back();
    }
    if (open.empty()) return i;
    complain(fmt::format("this '{}' is not closed", text_[open.back()]), open.back(), "close the bracket");
    return std::nullopt;
  }

  void take(const Piece& item) {
    if (item.text.empty()) {
      if (problems_.empty())
        complain("a reduction is missing", item.offset, "write mean(x), for example, or remove the comma");
      return;
    }
    std::size_t length = 0;
    while (length < item.text.size() &&
           (is_letter(item.text[length]) || is_digit(item.text[length]) || item.text[length] == '_'))
      ++length;
    const std::string name(item.text.substr(0, length));
    const std::size_t bracket = item.text.find_first_not_of(" \t\r\n", length);
    const std::vector<std::string> names = names_of_reductions();
    const ReductionWord* word = word_called(name);
    if (bracket == std::string_view::npos || item.text[bracket] != '(' || length == 0) {
      return complain(
          fmt::format("'{}' is not a reduction", item.text.substr(0, 40)), item.offset,
          word != nullptr ? fmt::format("write {}", word->usage) : "write mean(E), for example, with an expression E");
    }
    if (word == nullptr) {
      const std::string near = did_you_mean(name, names);
      return complain(fmt::format("there is no reduction '{}'", name), item.offset,
                      near.empty() ? fmt::format("the reductions are {}", list_of(names)) : near);
    }
    const std::vector<Piece> arguments = arguments_of(item, bracket);
    if (arguments.empty()) return;
    if (arguments.size() != 1 + word->numbers) {
      return complain(fmt::format("{} has {} where {} {} expected", name, counted(arguments.size(), "argument"),
                                  1 + word->numbers, word->numbers == 0 ? "is" : "are"),
                      item.offset, fmt::format("write {}", word->usage));
    }
    add(item, *word, arguments);
  }

  /// What stands between the brackets; empty after a complaint.
  std::vector<Piece> arguments_of(const Piece& item, std::size_t bracket) {
    std::vector<Piece> arguments;
    int depth = 0;
    std::size_t begin = bracket + 1;
    for (std::size_t i = bracket; i < item.text.size(); ++i) {
      const char c = item.text[i];
      if (c == '(' || c == '[') ++depth;
      if (c == ')' || c == ']') --depth;
      if ((c != ',' || depth != 1) && depth != 0) continue;
      arguments.push_back(piece_of(text_, item.offset + begin, item.offset + i));
      begin = i + 1;
      if (depth != 0) continue;
      const Piece rest = piece_of(text_, item.offset + i + 1, item.offset + item.text.size());
      if (rest.text.empty()) return arguments;
      complain("a comma is expected behind a reduction", rest.offset, "reduce the whole expression: mean(x + 1)");
      return {};
    }
    return {};
  }

  void add(const Piece& item, const ReductionWord& word, const std::vector<Piece>& arguments) {
    const std::size_t before = problems_.size();
    MemberReduction reduction{word.kind, std::string(item.text), std::string(arguments[0].text), arguments[0].offset};
    if (reduction.expression.empty())
      complain("the expression is missing", arguments[0].offset, fmt::format("write {}", word.usage));
    if (!texts_.insert(reduction.text).second)
      complain(fmt::format("'{}' comes twice", reduction.text), item.offset, "write it once");
    std::vector<double> numbers;
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      const std::optional<double> number = constant_in(arguments[i].text);
      if (!number) {
        complain(fmt::format("'{}' is not a number", arguments[i].text.substr(0, 40)), arguments[i].offset,
                 "write a number such as 0.1, 1/10 or pi/2");
      }
      numbers.push_back(number.value_or(0));
    }
    if (problems_.size() > before) return;
    if (word.numbers == 1) reduction.p = numbers[0];
    if (word.numbers == 3) {
      reduction.low = numbers[0], reduction.high = numbers[1];
      if (numbers[2] < 1 || numbers[2] > static_cast<double>(most_bins) || std::floor(numbers[2]) != numbers[2]) {
        return complain(fmt::format("a histogram cannot have {} bins", arguments[3].text.substr(0, 40)),
                        arguments[3].offset, fmt::format("give a whole number from 1 to {}", most_bins));
      }
      reduction.bins = static_cast<std::size_t>(numbers[2]);
    }
    if (const ReductionFault fault = fault_of(reduction); !fault.what.empty()) {
      return complain(fault.what, arguments[1].offset, fault.remedy);
    }
    reductions_.push_back(std::move(reduction));
  }

  const std::string& text_;
  std::vector<MemberReduction> reductions_;
  std::vector<Problem> problems_;
  std::set<std::string> texts_;
};

}  // namespace

ReductionFault fault_of(const MemberReduction& reduction) {
  if (reduction.kind == MemberReduction::Kind::quantile && !(reduction.p >= 0 && reduction.p <= 1)) {
    return {fmt::format("a quantile at {} does not exist", to_text(reduction.p)), "give a number from 0 to 1"};
  }
  if (reduction.kind != MemberReduction::Kind::histogram) return {};
  if (!(reduction.low < reduction.high) || !is_finite(reduction.high - reduction.low)) {
    return {fmt::format("the histogram goes from {} to {}", to_text(reduction.low), to_text(reduction.high)),
            "give the lower end first, then a larger one"};
  }
  if (reduction.bins < 1 || reduction.bins > most_bins) {
    return {fmt::format("a histogram cannot have {} bins", reduction.bins),
            fmt::format("give a whole number from 1 to {}", most_bins)};
  }
  return {};
}

void check_reductions(const std::vector<MemberReduction>& reductions) {
  std::vector<Problem> problems;
  std::set<std::string> texts;
  for (const MemberReduction& reduction : reductions) {
    if (reduction.text.empty()) problems.push_back({"a reduction has no text", {}, "it is the name of its column"});
    if (reduction.expression.empty()) problems.push_back({"a reduction has no expression", {}, "say what is reduced"});
    if (!texts.insert(reduction.text).second)
      problems.push_back({fmt::format("'{}' comes twice", reduction.text), {}, "give it once"});
    if (const ReductionFault fault = fault_of(reduction); !fault.what.empty()) {
      problems.push_back({reduction.text + ": " + fault.what, {}, fault.remedy});
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

std::vector<MemberReduction> read_reductions(const std::string& text) {
  const DefaultArithmetic arithmetic;
  return ReductionReader(text).read();
}

}  // namespace noslip
