#include "io/svg.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "io/base64.hpp"
#include "io/png.hpp"

namespace noslip {

namespace {

constexpr std::size_t many_points_of_a_path = 1000;  ///< from here on a tenth of a pixel is exact enough

std::string attributes(const SvgStroke& stroke) {
  std::string text = fmt::format(R"(stroke="{}" stroke-width="{:g}")", stroke.colour, stroke.width);
  if (*stroke.dashes != '\0') text += fmt::format(R"( stroke-dasharray="{}")", stroke.dashes);
  return text;
}

std::string points_text(std::span<const SvgPoint> points) {
  std::string text;
  const int digits = points.size() > many_points_of_a_path ? 1 : 2;
  for (const SvgPoint& point : points) {
    fmt::format_to(std::back_inserter(text), "{}{:.{}f},{:.{}f}", text.empty() ? "" : " ", point.x, digits, point.y,
                   digits);
  }
  return text;
}

/// Whole tenths of a pixel, each relative to the one before, are the shortest numbers that are exact enough.
struct Tenth {
  long x = 0, y = 0;
};

Tenth in_tenths(SvgPoint point) { return {std::lround(10 * point.x), std::lround(10 * point.y)}; }

void append_move(std::string& text, const char* command, Tenth from, Tenth to) {
  const char* separator = to.y < from.y ? "" : " ";  // a minus separates numbers, too
  fmt::format_to(std::back_inserter(text), "{}{}{}{}", command, to.x - from.x, separator, to.y - from.y);
}

}  // namespace

SvgWriter::SvgWriter(double width, double height, const char* background) {
  text_ = fmt::format(
      R"(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" viewBox="0 0 {0:.0f} {1:.0f}" xml:space="preserve" font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif">
<rect width="100%" height="100%" fill="{2}"/>
)",
      std::ceil(width), std::ceil(height), background);
}

void SvgWriter::line(SvgPoint a, SvgPoint b, const SvgStroke& stroke) {
  text_ += fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" {}/>\n", a.x, a.y, b.x, b.y,
                       attributes(stroke));
}

void SvgWriter::polyline(std::span<const SvgPoint> points, const SvgStroke& stroke) {
  text_ += fmt::format("<polyline fill=\"none\" stroke-linejoin=\"round\" {} points=\"{}\"/>\n", attributes(stroke),
                       points_text(points));
}

void SvgWriter::rectangle(double left, double top, double width, double height, const SvgStroke& stroke) {
  text_ += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"none\" {}/>\n", left,
                       top, width, height, attributes(stroke));
}

void SvgWriter::marker(SvgPoint at, PlotMarker marker, double diameter, const char* colour) {
  const double r = diameter / 2;
  std::vector<SvgPoint> corners;
  switch (marker) {
    case PlotMarker::none: return;
    case PlotMarker::circle:
    case PlotMarker::dot:
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

void SvgWriter::path(std::span<const std::vector<SvgPoint>> pieces, const SvgStroke& stroke) {
  begin_tenths(stroke.colour, stroke.width);
  Tenth at;
  for (const std::vector<SvgPoint>& piece : pieces) {
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const Tenth next = in_tenths(piece[i]);
      if (i > 0 && next.x == at.x && next.y == at.y) continue;
      append_move(text_, i == 0 ? "m" : "l", at, next);
      at = next;
    }
  }
  text_ += "\"/>\n";
}

void SvgWriter::dots(std::vector<SvgPoint> points, double diameter, const char* colour) {
  if (points.empty()) return;
  // Row by row, so that the way from one to the next is short.
  std::vector<Tenth> places;
  for (const SvgPoint& point : points) places.push_back(in_tenths(point));
  const auto row = [](const Tenth& place) { return place.y / 10; };
  std::sort(places.begin(), places.end(),
            [&](const Tenth& a, const Tenth& b) { return row(a) != row(b) ? a.y < b.y : a.x < b.x; });
  begin_tenths(colour, diameter);
  Tenth at;
  for (const Tenth& next : places) {
    append_move(text_, "m", at, next);
    text_ += "h0";
    at = next;
  }
  text_ += "\"/>\n";
}

void SvgWriter::area(std::span<const std::vector<SvgPoint>> pieces, const char* colour, double opacity) {
  text_ += fmt::format(R"x(<path transform="scale(0.1)" fill="{}" fill-opacity="{:.3g}" d=")x", colour, opacity);
  Tenth at;
  for (const std::vector<SvgPoint>& piece : pieces) {
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const Tenth next = in_tenths(piece[i]);
      append_move(text_, i == 0 ? "m" : "l", at, next);
      at = next;
    }
    if (piece.empty()) continue;
    at = in_tenths(piece.front());
    text_ += "z";
  }
  text_ += "\"/>\n";
}

void SvgWriter::filled_rectangles(std::span<const SvgRectangle> rectangles, const char* colour, bool is_crisp) {
  if (rectangles.empty()) return;
  text_ += fmt::format(R"x(<path transform="scale(0.1)" fill="{}"{} d=")x", colour,
                       is_crisp ? R"( shape-rendering="crispEdges")" : "");
  Tenth at;
  for (const SvgRectangle& rectangle : rectangles) {
    const Tenth from = in_tenths({rectangle.left, rectangle.top}), to = in_tenths({rectangle.right, rectangle.bottom});
    append_move(text_, "m", at, from);
    fmt::format_to(std::back_inserter(text_), "h{}v{}h{}z", to.x - from.x, to.y - from.y, from.x - to.x);
    at = from;
  }
  text_ += "\"/>\n";
}

void SvgWriter::image(const SvgRectangle& place, std::string_view png) {
  text_ += fmt::format(
      "<image x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" preserveAspectRatio=\"none\" "
      "image-rendering=\"pixelated\" href=\"data:image/png;base64,{}\"/>\n",
      place.left, place.top, place.right - place.left, place.bottom - place.top, base64_of(png));
}

void SvgWriter::gradient(const std::string& name, const SvgRectangle& place, std::span<const std::string> colours) {
  text_ += fmt::format("<linearGradient id=\"{}\" x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">\n", name);
  for (std::size_t i = 0; i < colours.size(); ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(colours.size() - 1, 1));
    text_ += fmt::format("<stop offset=\"{:.5g}\" stop-color=\"{}\"/>\n", share, colours[i]);
  }
  text_ += fmt::format(
      "</linearGradient>\n<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"url(#{})\"/>\n",
      place.left, place.top, place.right - place.left, place.bottom - place.top, name);
}

void SvgWriter::begin_tenths(const char* colour, double width) {
  text_ += fmt::format(
      R"x(<path transform="scale(0.1)" fill="none" stroke="{}" stroke-width="{:g}" stroke-linecap="round" )x"
      R"x(stroke-linejoin="round" d=")x",
      colour, 10 * width);
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
