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

enum class SvgAnchor { start, middle, end };

struct SvgText {
  double size = 13;
  SvgAnchor anchor = SvgAnchor::start;
  bool is_bold = false;
  const char* colour = "#222222";
  bool has_halo = false;  ///< a white rim, for text among lines
};

/// Text as XML has it: & < > and " escaped, control characters replaced by blanks, bytes that are not
/// UTF-8 by question marks.
std::string xml_escaped(std::string_view text);

/// How wide a text will be, roughly: the font is the reader's.
double text_width(std::string_view text, double size);

class SvgWriter {
 public:
  /// A white page.
  SvgWriter(double width, double height);

  void line(SvgPoint a, SvgPoint b, const SvgStroke& stroke);
  void polyline(std::span<const SvgPoint> points, const SvgStroke& stroke);
  void rectangle(double left, double top, double width, double height);  ///< the frame of a panel
  void marker(SvgPoint at, PlotMarker marker, const char* colour);
  void text(SvgPoint at, std::string_view text, const SvgText& style);    ///< `at`: on the base line; nothing if empty
  void number(SvgPoint at, std::string_view text, const SvgText& style);  ///< `10^-3` with a raised exponent
  void vertical_text(SvgPoint at, std::string_view text, double size);    ///< upwards, centred

  /// What follows is cut at the rectangle, until end_clipped(). Names differ within a document.
  void begin_clipped(const std::string& name, double left, double top, double width, double height);
  void end_clipped();

  /// The document. To be called once.
  std::string finish();

 private:
  std::string text_;
};

}  // namespace noslip
