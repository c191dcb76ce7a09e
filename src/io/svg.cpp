#include "io/svg.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace noslip {

namespace {

constexpr std::size_t many_points = 1000;  ///< from here on a tenth of a pixel is exact enough

std::string attributes(const SvgStroke& stroke) {
  std::string text = fmt::format(R"(stroke="{}" stroke-width="{:g}")", stroke.colour, stroke.width);
  if (*stroke.dashes != '\0') text += fmt::format(R"( stroke-dasharray="{}")", stroke.dashes);
  return text;
}

std::string points_text(std::span<const SvgPoint> points) {
  std::string text;
  const int digits = points.size() > many_points ? 1 : 2;
  for (const SvgPoint& point : points) {
    fmt::format_to(std::back_inserter(text), "{}{:.{}f},{:.{}f}", text.empty() ? "" : " ", point.x, digits, point.y,
                   digits);
  }
  return text;
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

void SvgWriter::dots(std::vector<SvgPoint> points, double diameter, const char* colour) {
  if (points.empty()) return;
  // Whole tenths of a pixel, row by row, each relative to the one before: short numbers.
  constexpr double unit = 0.1;
  std::vector<std::pair<long, long>> places;  // y, x
  for (const SvgPoint& point : points) places.emplace_back(std::lround(point.y / unit), std::lround(point.x / unit));
  const auto row = [](long y) { return y / 10; };
  std::sort(places.begin(), places.end(), [&](const auto& a, const auto& b) {
    return row(a.first) != row(b.first) ? a.first < b.first : a.second < b.second;
  });
  text_ += fmt::format(
      "<path transform=\"scale({:g})\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:g}\" stroke-linecap=\"round\" d=\"",
      unit, colour, diameter / unit);
  long x = 0, y = 0;
  for (const auto& [next_y, next_x] : places) {
    fmt::format_to(std::back_inserter(text_), "m{}{}{}h0", next_x - x, next_y < y ? "" : " ", next_y - y);
    x = next_x;
    y = next_y;
  }
  text_ += "\"/>\n";
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
