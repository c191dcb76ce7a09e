// SVG documents as tests read them: every element, and failures where the document is not well-formed.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace noslip::svg_reading {

inline std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

/// Every element in the order of its opening tag: name, attributes, and the text right after the tag.
struct Element {
  std::string name, text;
  std::map<std::string, std::string> attributes;
  double number(const std::string& attribute) const { return std::stod(attributes.at(attribute)); }
};

inline bool starts_with_entity(const std::string& text) {
  for (const char* entity : {"&amp;", "&lt;", "&gt;", "&quot;"}) {
    if (text.starts_with(entity)) return true;
  }
  return false;
}

/// Characters that may stand between tags.
inline void check_text(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    ASSERT_TRUE(c >= 0x20U || c == '\n') << "control character";
    ASSERT_TRUE(c != '>' && c != '"' && (c != '&' || starts_with_entity(text.substr(i, 6)))) << text.substr(i, 20);
  }
}

/// ` name="value" ...` without the tag's name; fails the test where it is something else.
inline void read_attributes(std::string text, Element& element) {
  while (!text.empty()) {
    const std::size_t equals = text.find("=\""), end = text.find('"', equals + 2);
    ASSERT_TRUE(text[0] == ' ' && equals != std::string::npos && end != std::string::npos) << text;
    const std::string name = text.substr(1, equals - 1);
    ASSERT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABGRX12-:"), std::string::npos) << name;
    ASSERT_TRUE(element.attributes.emplace(name, text.substr(equals + 2, end - equals - 2)).second)
        << "twice: " << name;
    text.erase(0, end + 1);
  }
}

/// Reads the document; fails the test where it is not well-formed.
inline std::vector<Element> elements_of(const std::string& svg) {
  std::vector<Element> elements;
  std::vector<std::string> open;
  const std::string declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  EXPECT_TRUE(svg.starts_with(declaration));
  std::size_t at = declaration.size();
  while (at < svg.size() && !::testing::Test::HasFatalFailure()) {
    EXPECT_EQ(svg[at], '<');
    const std::size_t end = svg.find('>', at), next = std::min(svg.find('<', end), svg.size());
    std::string tag = svg.substr(at + 1, end - at - 1);
    if (tag.starts_with('/')) {
      EXPECT_FALSE(open.empty());
      EXPECT_EQ(open.back(), tag.substr(1)) << "closed out of order";
      open.pop_back();
    } else {
      const bool is_whole = tag.ends_with('/');
      if (is_whole) tag.pop_back();
      Element element;
      element.name = tag.substr(0, tag.find(' '));
      read_attributes(tag.substr(element.name.size()), element);
      element.text = svg.substr(end + 1, next - end - 1);
      if (!is_whole) open.push_back(element.name);
      elements.push_back(element);
    }
    check_text(svg.substr(end + 1, next - end - 1));
    at = next;
  }
  EXPECT_TRUE(open.empty()) << "not closed";
  return elements;
}

inline std::vector<Element> named(const std::string& svg, const std::string& name) {
  std::vector<Element> found = elements_of(svg);
  std::erase_if(found, [&](const Element& element) { return element.name != name; });
  return found;
}

}  // namespace noslip::svg_reading
