// Text in SVG: what may stand there, how wide it is, what is raised.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <noslip/core/characters.hpp>
#include <noslip/core/printable.hpp>

#include "io/svg.hpp"

namespace noslip {

namespace {

/// In sizes of the font; of DejaVu Sans, which is wider than other fonts.
double character_width(char c) {
  const std::string_view narrow = "iIjl.,:;'|!ftr()[]/\\ ", wide = "mwMW@%";
  if ((static_cast<unsigned char>(c) & 0xC0U) == 0x80U) return 0;  // goes on with the character before it
  if (narrow.find(c) != std::string_view::npos) return 0.39;
  if (wide.find(c) != std::string_view::npos) return 0.97;
  if (c == '+' || c == '-' || c == '=' || c == '<' || c == '>') return 0.84;
  return c >= 'A' && c <= 'Z' ? 0.72 : 0.64;
}

constexpr double raised_size = 0.72, raised_by = 0.42;  ///< in the size of the text

/// A piece of a text, raised or not.
struct Piece {
  std::string_view text;
  bool is_raised = false;
};

std::vector<Piece> pieces_of(std::string_view text) {
  std::vector<Piece> pieces;
  while (!text.empty()) {
    const std::size_t mark = text.find('^');
    if (mark == std::string_view::npos || mark + 1 == text.size()) break;
    std::size_t begin = mark + 1, end = begin, next = 0;
    if (text[begin] == '{' && text.find('}', begin) != std::string_view::npos) {
      end = text.find('}', ++begin);
      next = end + 1;
    } else {
      constexpr std::string_view minus = "\u2212";
      if (text.substr(end).starts_with(minus))
        end += minus.size();
      else if (text[end] == '-' || text[end] == '+')
        ++end;
      while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]) || text[end] == '.')) ++end;
      next = end;
    }
    if (begin == end) break;  // a mark before nothing stays what it is
    if (mark > 0) pieces.push_back({text.substr(0, mark)});
    pieces.push_back({text.substr(begin, end - begin), true});
    text.remove_prefix(next);
  }
  if (!text.empty()) pieces.push_back({text});
  return pieces;
}

const char* to_text(SvgAnchor anchor) {
  switch (anchor) {
    case SvgAnchor::middle: return "middle";
    case SvgAnchor::end: return "end";
    case SvgAnchor::start: break;
  }
  return "start";
}

std::string attributes(SvgPoint at, const SvgText& style) {
  std::string halo;
  if (*style.halo != '\0') halo = fmt::format(R"( paint-order="stroke" stroke="{}" stroke-width="3")", style.halo);
  return fmt::format(R"(x="{:.2f}" y="{:.2f}" font-size="{:.3g}" text-anchor="{}" fill="{}"{}{})", at.x, at.y,
                     style.size, to_text(style.anchor), style.colour, style.is_bold ? R"( font-weight="bold")" : "",
                     halo);
}

std::string content(std::string_view text, double size) {
  std::string result;
  bool is_up = false;
  for (const Piece& piece : pieces_of(text)) {
    const double shift = piece.is_raised == is_up ? 0 : (is_up ? raised_by : -raised_by) * size;
    is_up = piece.is_raised;
    if (is_up) {
      result += fmt::format(R"(<tspan dy="{:.1f}" font-size="{:.3g}">{}</tspan>)", shift, raised_size * size,
                            xml_escaped(piece.text));
    } else if (shift != 0) {
      result += fmt::format(R"(<tspan dy="{:.1f}">{}</tspan>)", shift, xml_escaped(piece.text));
    } else {
      result += xml_escaped(piece.text);
    }
  }
  return result;
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Character c = first_character(text);
    if (!c.is_valid || c.code == 0xFFFE || c.code == 0xFFFF) {  // no characters of XML
      result += '?';
    } else if (c.code == '&') {
      result += "&amp;";
    } else if (c.code == '<') {
      result += "&lt;";
    } else if (c.code == '>') {
      result += "&gt;";
    } else if (c.code == '"') {
      result += "&quot;";
    } else if (c.code < 0x20 || (0x7f <= c.code && c.code < 0xA0)) {
      result += ' ';
    } else {
      result += text.substr(0, c.length);
    }
    text.remove_prefix(c.length);
  }
  return result;
}

double text_width(std::string_view text, double size) {
  double width = 0;
  for (const Piece& piece : pieces_of(text)) {
    for (const char c : piece.text) width += character_width(c) * (piece.is_raised ? raised_size : 1);
  }
  return width * size;
}

std::vector<std::string> wrapped_lines(std::string_view text, double size, double width) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    const std::string word(text.substr(0, blank));
    text.remove_prefix(std::min(blank + 1, text.size()));
    if (lines.empty() || text_width(lines.back() + " " + word, size) > width) {
      lines.push_back(word);
    } else {
      lines.back() += " " + word;
    }
  }
  return lines;
}

void SvgWriter::text(SvgPoint at, std::string_view text, const SvgText& style) {
  if (text.empty()) return;
  text_ += fmt::format("<text {}>{}</text>\n", attributes(at, style), content(text, style.size));
}

void SvgWriter::vertical_text(SvgPoint at, std::string_view text, const SvgText& style) {
  if (text.empty()) return;
  text_ += fmt::format("<text transform=\"translate({:.2f} {:.2f}) rotate(-90)\" {}>{}</text>\n", at.x, at.y,
                       attributes({0, 0}, style), content(text, style.size));
}

}  // namespace noslip
