#include <noslip/core/option_name.hpp>

#include <algorithm>
#include <atomic>
#include <cassert>

#include <noslip/core/options.hpp>

namespace noslip {

namespace {

std::atomic<OptionStyle> option_style = OptionStyle::member;

}  // namespace

void set_option_style(OptionStyle style) { option_style = style; }

std::string option(std::string_view name, std::string_view value) {
  const OptionStyle style = option_style;
  const Option* known = find_option(name);
  assert(known != nullptr);
  std::string text(name);
  if (style == OptionStyle::member && known != nullptr && !known->member.empty()) text = known->member;
  if (style == OptionStyle::keyword) text = keyword_of(name);
  if (!value.empty()) {
    text.append(style == OptionStyle::flag ? " " : style == OptionStyle::member ? " = " : "=").append(value);
  }
  return style == OptionStyle::flag ? "--" + text : "`" + text + "`";
}

std::string option_entry(std::string_view name, std::string_view key, std::string_view value) {
  const auto joined = [](auto... parts) {
    std::string text;
    (text.append(parts), ...);
    return text;
  };
  switch (option_style) {
    case OptionStyle::flag:  // a shell takes an apostrophe for a quotation mark
      return key.find('\'') == key.npos ? joined("--", name, " ", key, "=", value) : joined("--", name, " \"", key, "=", value, "\"");
    case OptionStyle::keyword: return joined("`", keyword_of(name), "={\"", key, "\": ", value, "}`");
    case OptionStyle::member: break;
  }
  return joined("`", name, "[\"", key, "\"] = ", value, "`");
}

std::string keyword_of(std::string_view name) {
  if (name == "event") return "events";  // several of them are one list
  if (name == "input") return "inputs";
  std::string text(name);
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

}  // namespace noslip
