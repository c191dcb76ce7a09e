#include "io/svg.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace noslip {

namespace {

constexpr double marker_radius = 4;

const char* to_text(SvgAnchor anchor) {
  switch (anchor) {
    case SvgAnchor::middle: return "middle";
    case SvgAnchor::end: return "end";
    case SvgAnchor::start: break;
  }
  return "start";
}

std::string attributes(const SvgStroke& stroke) {
  std::string text = fmt::format(R"(stroke="{}" stroke-width="{:g}")", stroke.colour, stroke.width);
  if (*stroke.dashes != '\0') text += fmt::format(R"( stroke-dasharray="{}")", stroke.dashes);
  return text;
}

std::string attributes(SvgPoint at, const SvgText& style) {
  return fmt::format(R"(x="{:.2f}" y="{:.2f}" font-size="{:g}" text-anchor="{}" fill="{}"{}{})", at.x, at.y, style.size,
                     to_text(style.anchor), style.colour, style.is_bold ? R"( font-weight="bold")" : "",
                     style.has_halo ? R"( paint-order="stroke" stroke="#ffffff" stroke-width="3")" : "");
}

std::string points_text(std::span<const SvgPoint> points) {
  std::string text;
  for (const SvgPoint& point : points) {
    fmt::format_to(std::back_inserter(text), "{}{:.2f},{:.2f}", text.empty() ? "" : " ", point.x, point.y);
  }
  return text;
}

/// Bytes of the UTF-8 character that the text begins with; 0 if it begins with none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xC2 && first < 0xE0 ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  }
  return length;
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text.substr(i));
    const char c = text[i];
    if (length == 0) {
      result += '?';
    } else if (length > 1) {
      result += text.substr(i, length);
    } else if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else {
      result += static_cast<unsigned char>(c) < 0x20U || c == 0x7f ? ' ' : c;
    }
    i += std::max<std::size_t>(length, 1);
  }
  return result;
}

double text_width(std::string_view text, double size) {
  // Continuation bytes of UTF-8 take no room.
  const auto characters =
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  return 0.58 * size * static_cast<double>(characters);
}

SvgWriter::SvgWriter(double width, double height) {
  text_ = fmt::format(
      R"(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" viewBox="0 0 {0:.0f} {1:.0f}" font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif">
<rect width="100%" height="100%" fill="#ffffff"/>
)",
      width, height);
}

void SvgWriter::line(SvgPoint a, SvgPoint b, const SvgStroke& stroke) {
  text_ += fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" {}/>\n", a.x, a.y, b.x, b.y,
                       attributes(stroke));
}

void SvgWriter::polyline(std::span<const SvgPoint> points, const SvgStroke& stroke) {
  text_ += fmt::format("<polyline fill=\"none\" stroke-linejoin=\"round\" {} points=\"{}\"/>\n", attributes(stroke),
                       points_text(points));
}

void SvgWriter::rectangle(double left, double top, double width, double height) {
  text_ += fmt::format(
      "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"none\" stroke=\"#444444\"/>\n", left,
      top, width, height);
}

void SvgWriter::marker(SvgPoint at, PlotMarker marker, const char* colour) {
  const double r = marker_radius;
  std::vector<SvgPoint> corners;
  switch (marker) {
    case PlotMarker::none: return;
    case PlotMarker::circle:
      text_ += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:g}\" fill=\"{}\"/>\n", at.x, at.y, r, colour);
      return;
    case PlotMarker::square:
      corners = {{at.x - r, at.y - r}, {at.x + r, at.y - r}, {at.x + r, at.y + r}, {at.x - r, at.y + r}};
      break;
    case PlotMarker::triangle:
      corners = {{at.x, at.y - 1.3 * r}, {at.x + 1.2 * r, at.y + r}, {at.x - 1.2 * r, at.y + r}};
      break;
    case PlotMarker::diamond:
      corners = {{at.x, at.y - 1.4 * r}, {at.x + 1.4 * r, at.y}, {at.x, at.y + 1.4 * r}, {at.x - 1.4 * r, at.y}};
      break;
  }
  text_ += fmt::format("<polygon fill=\"{}\" points=\"{}\"/>\n", colour, points_text(corners));
}

void SvgWriter::text(SvgPoint at, std::string_view text, const SvgText& style) {
  if (text.empty()) return;
  text_ += fmt::format("<text {}>{}</text>\n", attributes(at, style), xml_escaped(text));
}

void SvgWriter::number(SvgPoint at, std::string_view text, const SvgText& style) {
  const std::size_t raised = text.find('^');
  if (raised == std::string_view::npos) return this->text(at, text, style);
  text_ += fmt::format("<text {}>{}<tspan dy=\"-5\" font-size=\"{:g}\">{}</tspan></text>\n", attributes(at, style),
                       xml_escaped(text.substr(0, raised)), 0.8 * style.size, xml_escaped(text.substr(raised + 1)));
}

void SvgWriter::vertical_text(SvgPoint at, std::string_view text, double size) {
  if (text.empty()) return;
  text_ += fmt::format("<text transform=\"translate({:.2f} {:.2f}) rotate(-90)\" {}>{}</text>\n", at.x, at.y,
                       attributes({0, 0}, {size, SvgAnchor::middle}), xml_escaped(text));
}

void SvgWriter::begin_clipped(const std::string& name, double left, double top, double width, double height) {
  text_ += fmt::format(
      "<clipPath id=\"{0}\"><rect x=\"{1:.2f}\" y=\"{2:.2f}\" width=\"{3:.2f}\" height=\"{4:.2f}\"/></clipPath>\n"
      "<g clip-path=\"url(#{0})\">\n",
      name, left, top, width, height);
}

void SvgWriter::end_clipped() { text_ += "</g>\n"; }

std::string SvgWriter::finish() { return std::exchange(text_, {}) + "</svg>\n"; }

}  // namespace noslip
