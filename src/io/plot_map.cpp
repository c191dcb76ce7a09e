// Maps: cells in the colours of their values, and the colour bar.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "io/plot_areas.hpp"

namespace noslip {

namespace {

constexpr std::size_t few_cells = 2500;  ///< up to here they are written as areas
constexpr double image_pixels = 2;       ///< of the picture of a larger map, for one of the page
constexpr double bar_gap = 14, bar_width = 16, bar_mark = 4;
constexpr std::size_t bar_colours = 52;

/// The cells between edges that can be drawn, in one direction: where each begins and ends on the page.
struct MapCells {
  std::size_t first = 0;      ///< number of the first cell
  std::vector<double> edges;  ///< pixels, one more than cells, from the low end of the axis on

  std::size_t count() const { return edges.empty() ? 0 : edges.size() - 1; }
};

template <class Place>
MapCells cells_between(const std::vector<double>& edges, const PlotAxis& axis, double low, double high, Place place) {
  constexpr double beyond_box = 20;  // pixels: further ends are not told from each other
  MapCells result;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (!can_be_drawn(edges[i], axis)) continue;  // these are the first or the last ones
    if (result.edges.empty()) result.first = i;
    result.edges.push_back(std::clamp(place(edges[i]), low - beyond_box, high + beyond_box));
  }
  return result;
}

/// A map on the page.
class MapDrawing {
 public:
  MapDrawing(const AreaCanvas& canvas, const PlotMap& map, const PlotPanel& panel, const ColourScale& colours)
      : canvas_(canvas), map_(map), colours_(colours) {
    const PlotBox& box = canvas.box;
    columns_ = cells_between(map.x_edges, panel.x, box.left, box.right(), [&](double x) {
      return canvas.scales.place({x, canvas.scales.y().low}, box).x;
    });
    rows_ = cells_between(map.y_edges, panel.y, box.top, box.bottom(), [&](double y) {
      return canvas.scales.place({canvas.scales.x().low, y}, box).y;
    });
  }

  void draw() const {
    if (columns_.count() == 0 || rows_.count() == 0) return;
    if (columns_.count() * rows_.count() <= few_cells) {
      draw_areas();
    } else {
      draw_image();
    }
  }

 private:
  int level(std::size_t column, std::size_t row) const {
    const std::size_t across = map_.x_edges.size() - 1;
    return colours_.level_of(map_.values[(rows_.first + row) * across + columns_.first + column]);
  }

  /// Neighbours of one colour in a row are one rectangle.
  void draw_areas() const {
    std::map<int, std::vector<SvgRectangle>> by_level;
    for (std::size_t row = 0; row < rows_.count(); ++row) {
      for (std::size_t column = 0; column < columns_.count();) {
        const std::size_t begin = column;
        const int shown = level(begin, row);
        while (column < columns_.count() && level(column, row) == shown) ++column;
        by_level[shown].push_back(
            {columns_.edges[begin], rows_.edges[row + 1], columns_.edges[column], rows_.edges[row]});
      }
    }
    for (const auto& [shown, rectangles] : by_level) {
      const std::string colour = shown == ColourScale::missing ? canvas_.style.missing : to_text(palette(shown));
      canvas_.svg.filled_rectangles(rectangles, colour.c_str(), true);
    }
  }

  void draw_image() const {
    const PlotBox& box = canvas_.box;
    const SvgRectangle place{std::max(box.left, columns_.edges.front()), std::max(box.top, rows_.edges.back()),
                             std::min(box.right(), columns_.edges.back()), std::min(box.bottom(), rows_.edges.front())};
    if (!(place.right > place.left && place.bottom > place.top)) return;
    const auto pixels = [](double length) {
      return static_cast<std::size_t>(std::max(1L, std::lround(image_pixels * length)));
    };
    IndexedImage image;
    image.width = pixels(place.right - place.left);
    image.height = pixels(place.bottom - place.top);
    const std::vector<std::size_t> columns = cells_at(place.left, place.right, image.width, columns_.edges);
    std::vector<double> upwards(rows_.edges.rbegin(), rows_.edges.rend());
    const std::vector<std::size_t> rows = cells_at(place.top, place.bottom, image.height, upwards);
    image.pixels.reserve(image.width * image.height);
    for (const std::size_t from_top : rows) {
      const std::size_t row = rows_.count() - 1 - from_top;
      for (const std::size_t column : columns) {
        const int shown = level(column, row);
        image.pixels.push_back(static_cast<std::uint8_t>(shown == ColourScale::missing ? colour_levels : shown));
      }
    }
    for (int shown = 0; shown < colour_levels; ++shown) image.palette.push_back(palette(shown));
    image.palette.push_back(rgb_of(canvas_.style.missing));
    canvas_.svg.image(place, png_of(image));
  }

  /// The cell in which the middle of each pixel lies. `edges` ascend.
  static std::vector<std::size_t> cells_at(double from, double to, std::size_t pixels,
                                           const std::vector<double>& edges) {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < pixels; ++i) {
      const double at = from + (to - from) * (static_cast<double>(i) + 0.5) / static_cast<double>(pixels);
      const auto next = std::upper_bound(edges.begin() + 1, edges.end() - 1, at);
      result.push_back(static_cast<std::size_t>(next - edges.begin()) - 1);
    }
    return result;
  }

  Rgb palette(int shown) const { return value_palette(canvas_.style.theme)[static_cast<std::size_t>(shown)]; }

  const AreaCanvas& canvas_;
  const PlotMap& map_;
  const ColourScale& colours_;
  MapCells columns_, rows_;
};

}  // namespace

void draw_map(const AreaCanvas& canvas, const PlotMap& map, const PlotPanel& panel, const ColourScale& colours) {
  MapDrawing(canvas, map, panel, colours).draw();
}

ColourBar::ColourBar(const PlotPanel& panel, const PlotStyle& style, double height)
    : style_(style), scale_(panel, height), label_(wrapped_lines(panel.colours.label, text_size, height)) {}

double ColourBar::widest_number() const {
  double width = 0;
  for (const PlotTicks::Tick& tick : scale_.ticks().ticks) width = std::max(width, text_width(tick.text, small_size));
  return width;
}

double ColourBar::room() const {
  if (scale_.is_empty()) return 0;
  const double label = line_height * text_size * static_cast<double>(label_.size());
  const double scaling = text_width(scale_.ticks().scaling, small_size);
  return bar_gap + std::max(bar_width + number_gap + widest_number() + (label_.empty() ? 4 : 10 + label), scaling) + 4;
}

void ColourBar::draw(SvgWriter& svg, const PlotBox& box, int number) const {
  if (scale_.is_empty()) return;
  const SvgRectangle place{box.right() + bar_gap, box.top, box.right() + bar_gap + bar_width, box.bottom()};
  std::vector<std::string> colours;
  for (std::size_t i = 0; i < bar_colours; ++i) {
    colours.push_back(to_text(value_palette(style_.theme)[i * (colour_levels - 1) / (bar_colours - 1)]));
  }
  svg.gradient(fmt::format("colours{}", number), place, colours);
  svg.rectangle(place.left, place.top, bar_width, box.height, {style_.frame, 1});
  for (const PlotTicks::Tick& tick : scale_.ticks().ticks) {
    const double y = box.bottom() - box.height * scale_.share(tick.value);
    const double mark = tick.text.empty() ? bar_mark / 2 : bar_mark;
    svg.line({place.right, y}, {place.right + mark, y}, {style_.frame, 1});
    svg.text({place.right + number_gap, y + 4}, with_wide_minus(tick.text),
             {small_size, SvgAnchor::start, false, style_.text});
  }
  svg.text({place.left, box.top - 10}, with_wide_minus(scale_.ticks().scaling),
           {small_size, SvgAnchor::start, false, style_.text});
  double x = place.right + number_gap + widest_number() + 10 + text_size;
  for (const std::string& line : label_) {
    svg.vertical_text({x, box.top + box.height / 2}, line, {text_size, SvgAnchor::middle, false, style_.text});
    x += line_height * text_size;
  }
}

}  // namespace noslip
