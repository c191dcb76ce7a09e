#include <noslip/core/option_name.hpp>

#include <atomic>

namespace noslip {

namespace {

std::atomic<OptionStyle> option_style = OptionStyle::member;

}  // namespace

void set_option_style(OptionStyle style) { option_style = style; }

std::string option(std::string_view name, std::string_view value) {
  const bool is_flag = option_style == OptionStyle::flag;
  std::string text(is_flag ? "--" : "`");
  text.append(name);
  if (!value.empty()) text.append(is_flag ? " " : " = ").append(value);
  if (!is_flag) text.push_back('`');
  return text;
}

}  // namespace noslip
