// The elements of SVG that pictures are made of. Coordinates in pixels, y downwards.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <noslip/io/plot.hpp>

namespace noslip {

struct SvgPoint {
  double x = 0, y = 0;
};

struct SvgStroke {
  const char* colour = "#000000";
  double width = 1;
  const char* dashes = "";
};

struct SvgRectangle {
  double left = 0, top = 0, right = 0, bottom = 0;
};

enum class SvgAnchor { start, middle, end };

struct SvgText {
  double size = 13;
  SvgAnchor anchor = SvgAnchor::start;
  bool is_bold = false;
  const char* colour = "#222222";
  const char* halo = "";  ///< colour of a rim, for text among lines; empty: none
};

/// Text as XML has it: & < > and " escaped, control characters replaced by blanks, bytes that are not UTF-8 by question
/// marks.
std::string xml_escaped(std::string_view text);

/// How wide a text will be, rather too wide than too narrow: the font is the reader's.
double text_width(std::string_view text, double size);

/// The text broken at blanks into lines that are no wider than `width`, where that can be done.
std::vector<std::string> wrapped_lines(std::string_view text, double size, double width);

class SvgWriter {
 public:
  SvgWriter(double width, double height, const char* background);

  void line(SvgPoint a, SvgPoint b, const SvgStroke& stroke);
  void polyline(std::span<const SvgPoint> points, const SvgStroke& stroke);
  /// Pieces of one solid line as one element, to a tenth of a pixel.
  void path(std::span<const std::vector<SvgPoint>> pieces, const SvgStroke& stroke);
  void rectangle(double left, double top, double width, double height, const SvgStroke& stroke);
  /// Closed areas as one element, to a tenth of a pixel. `opacity`: 0 to 1.
  void area(std::span<const std::vector<SvgPoint>> pieces, const char* colour, double opacity);
  /// Rectangles as one element, to a tenth of a pixel. Crisp ones that touch have no seam between them.
  void filled_rectangles(std::span<const SvgRectangle> rectangles, const char* colour, bool is_crisp);
  /// A picture of the document itself; its pixels are not blurred.
  void image(const SvgRectangle& place, std::string_view png);
  /// An area whose colour changes evenly from one to the next, from the bottom to the top. Names as for
  /// begin_clipped().
  void gradient(const std::string& name, const SvgRectangle& place, std::span<const std::string> colours);
  void marker(SvgPoint at, PlotMarker marker, double diameter, const char* colour);
  /// Many small round points as one element.
  void dots(std::vector<SvgPoint> points, double diameter, const char* colour);
  /// `at`: on the base line; nothing if empty. What follows `^` is raised (plot.hpp).
  void text(SvgPoint at, std::string_view text, const SvgText& style);
  void vertical_text(SvgPoint at, std::string_view text, const SvgText& style);  ///< upwards

  /// What follows is cut at the rectangle, until end_clipped(). Names differ within a document.
  void begin_clipped(const std::string& name, double left, double top, double width, double height);
  void end_clipped();

  /// The document. To be called once.
  std::string finish();

 private:
  void begin_tenths(const char* colour, double width);  ///< of a line; up to its list of points

  std::string text_;
};

}  // namespace noslip
