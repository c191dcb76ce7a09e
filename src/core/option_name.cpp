#include <noslip/core/option_name.hpp>

#include <atomic>
#include <cassert>

#include <noslip/core/options.hpp>

namespace noslip {

namespace {

std::atomic<OptionStyle> option_style = OptionStyle::member;

}  // namespace

void set_option_style(OptionStyle style) { option_style = style; }

std::string option(std::string_view name, std::string_view value) {
  const bool is_flag = option_style == OptionStyle::flag;
  const Option* known = find_option(name);
  assert(known != nullptr);
  std::string text(is_flag ? "--" : "`");
  text.append(is_flag || known == nullptr || known->member.empty() ? name : known->member);
  if (!value.empty()) text.append(is_flag ? " " : " = ").append(value);
  if (!is_flag) text.push_back('`');
  return text;
}

}  // namespace noslip
