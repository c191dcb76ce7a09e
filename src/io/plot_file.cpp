// Pictures as files: the ending says what they are. librsvg draws PNG from the SVG.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include <noslip/core/error.hpp>
#include <noslip/io/output_file.hpp>
#include <noslip/io/plot.hpp>

#include "io/special_file.hpp"

#if NOSLIP_HAS_RSVG
#include <cairo.h>
#include <librsvg/rsvg.h>
#endif

namespace noslip {

namespace {

namespace fs = std::filesystem;

constexpr const char* png_remedy = "use a name that ends in .svg, or build noslip with librsvg (librsvg2-dev)";

/// A kind of picture.
struct PlotFormat {
  const char* ending;
  std::string (*draw)(const Plot& plot);
  const char* missing;  ///< what this build lacks for it; null: nothing
  const char* remedy;
};

constexpr PlotFormat plot_formats[] = {
    {".svg", to_svg, nullptr, nullptr},
    {".png", [](const Plot& plot) { return to_png(plot); },
     NOSLIP_HAS_RSVG ? nullptr : "this build of noslip cannot draw PNG", png_remedy},
};

#if NOSLIP_HAS_RSVG

struct Release {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
  void operator()(GError* error) const { g_error_free(error); }
  void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
  void operator()(GInputStream* stream) const { g_object_unref(stream); }
};

template <class T>
using Held = std::unique_ptr<T, Release>;

[[noreturn]] void refuse_png(const std::string& why) {
  throw InputError(fmt::format("the picture cannot be drawn as PNG: {}", why),
                   "use a name that ends in .svg, or draw fewer or smaller panels");
}

cairo_status_t append(void* closure, const unsigned char* data, unsigned length) {
  static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

/// Throws why an operation failed.
void check(gboolean is_good, GError* failure) {
  const Held<GError> error(failure);
  if (is_good == FALSE || failure != nullptr) refuse_png(failure != nullptr ? failure->message : "librsvg failed");
}

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS) refuse_png(cairo_status_to_string(status));
}

#endif

}  // namespace

bool can_draw_png() { return NOSLIP_HAS_RSVG != 0; }

std::string to_png(const Plot& plot, double scale) {
#if NOSLIP_HAS_RSVG
  const std::string svg = to_svg(plot);
  GError* failure = nullptr;
  const Held<GInputStream> stream(
      g_memory_input_stream_new_from_data(svg.data(), static_cast<gssize>(svg.size()), nullptr));
  const Held<RsvgHandle> handle(
      rsvg_handle_new_from_stream_sync(stream.get(), nullptr, RSVG_HANDLE_FLAG_UNLIMITED, nullptr, &failure));
  check(handle != nullptr, failure);
  double width = 0, height = 0;
  check(rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &width, &height), nullptr);

  const RsvgRectangle page{0, 0, width * scale, height * scale};
  const Held<cairo_surface_t> surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(page.width), static_cast<int>(page.height)));
  check(cairo_surface_status(surface.get()));
  const Held<cairo_t> context(cairo_create(surface.get()));
  check(rsvg_handle_render_document(handle.get(), context.get(), &page, &failure), failure);
  check(cairo_status(context.get()));
  std::string png;
  check(cairo_surface_write_to_png_stream(surface.get(), append, &png));
  return png;
#else
  static_cast<void>(plot);
  static_cast<void>(scale);
  throw InputError("this build of noslip cannot draw PNG", png_remedy);
#endif
}

namespace {

/// The format that the ending of the name asks for; SVG for a device or a pipe.
const PlotFormat& plot_format_of(const std::string& file) {
  if (is_special_file(file)) return plot_formats[0];
  const fs::path path = file;
  const std::string ending = path.extension();
  std::vector<std::string> endings;
  for (const PlotFormat& format : plot_formats) {
    if (ending == format.ending) {
      if (format.missing == nullptr) return format;
      throw InputError(fmt::format("{}: {}", file, format.missing), format.remedy);
    }
    if (format.missing == nullptr) endings.emplace_back(format.ending);
  }
  const bool has_ending = path.has_extension() && path.stem() != path;
  throw InputError(fmt::format("{}: {}", file,
                               has_ending ? fmt::format("cannot draw {} files", ending)
                                          : std::string("the ending does not tell a format")),
                   fmt::format("use a name that ends in {}", fmt::join(endings, " or ")));
}

}  // namespace

void check_plot_file(const std::string& file) { plot_format_of(file); }

void write_plot(const Plot& plot, const std::string& file, bool overwrite) {
  const std::string picture = plot_format_of(file).draw(plot);
  OutputFile output(file, overwrite);
  output.write(picture);
  output.close();
}

}  // namespace noslip
