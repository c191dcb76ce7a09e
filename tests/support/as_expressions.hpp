// The system files of the catalogue, and their texts as expressions. Needs gtest, expr/parse.hpp and model/system.hpp.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace noslip::test {

/// The texts of a system file, each replaced by an expression of one graph; those with arrays stay texts.
class AsExpressions {
 public:
  explicit AsExpressions(SystemText text) : text_(std::move(text)) {
    scope_.symbol = [this](std::string_view name) { return symbol(std::string(name)); };
    scope_.velocity = [this](std::string_view name) { return symbol(std::string(name) + "'"); };
    scope_.momentum = [this](std::string_view name) { return symbol("p(" + std::string(name) + ")"); };
    scope_.multiplier = [this](std::string_view name) { return symbol("psi(" + std::string(name) + ")"); };
    // In the order in which a system reads them.
    for (auto* table : {&text_.definitions, &text_.parameters}) each(*table);
    for (Text* one : {&text_.hamiltonian, &text_.lagrangian}) {
      if (one->is_given) replace(*one);
    }
    for (TextList* list : {&text_.constraints, &text_.holonomic}) each(*list);
    for (auto* table : {&text_.forces, &text_.nonideal}) each(*table);
    for (TextRows* rows : {&text_.basis, &text_.f, &text_.structure}) {
      for (TextList& row : rows->rows) each(row);
    }
    for (TextList* list : {&text_.v, &text_.p, &text_.g, &text_.r}) each(*list);
    for (auto* table : {&text_.invariants, &text_.exact}) each(*table);
    replace(text_.t0);
    for (InitialTexts* initial : {&text_.q0, &text_.v0, &text_.p0, &text_.y0, &text_.z0, &text_.lambda0, &text_.x0}) {
      each(initial->values);
    }
  }

  const SystemText& text() const { return text_; }

 private:
  std::optional<Expr> symbol(const std::string& name) { return graph_->symbol(name); }
  void replace(Text& text) {
    if (text.text.find('[') != std::string::npos) return;
    const Parsed parsed = parse_relation(*graph_, text.text, scope_);
    ASSERT_TRUE(parsed.problems.empty()) << text.text << ": " << parsed.problems.front().what;
    text = parsed.expression;
  }
  void each(std::vector<NamedText>& table) {
    for (NamedText& entry : table) {
      if (entry.name.text.find('[') == std::string::npos) replace(entry.value);
    }
  }
  void each(TextList& list) {
    for (Text& text : list.texts) replace(text);
  }

  SystemText text_;
  std::shared_ptr<Graph> graph_ = std::make_shared<Graph>();
  Scope scope_;
};

inline SystemText as_expressions(const std::string& toml, const std::string& origin) {
  return AsExpressions(read_system_text(toml, origin)).text();
}

struct CatalogueFile {
  std::string name, toml;
};

inline std::vector<CatalogueFile> catalogue_files(const std::filesystem::path& source) {
  std::vector<CatalogueFile> files;
  for (const auto& entry : std::filesystem::directory_iterator(source / "src/catalogue")) {
    if (entry.path().extension() != ".toml") continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    files.push_back({entry.path().filename().string(), {std::istreambuf_iterator<char>(stream), {}}});
  }
  return files;
}

}  // namespace noslip::test
