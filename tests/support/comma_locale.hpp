// A locale with a decimal comma and points between thousands, for the C library and for iostreams. Made by localedef,
// so that a machine needs no German but the sources of locales (Debian: package `locales`).
#pragma once

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <locale>
#include <stdexcept>
#include <string>
#include <unistd.h>

#include <gnu/libc-version.h>

namespace noslip::testing {

/// While it lives, the whole process uses the locale. Throws where none can be had.
class CommaLocale {
 public:
  CommaLocale() : c_before_(std::setlocale(LC_ALL, nullptr)), stream_before_() {
    if (!is_set()) {
      // The C library remembers what it has not found, so that the locale has to be there before it is asked for.
      if (!std::filesystem::exists(folder() / name)) make();
      ::setenv("LOCPATH", folder().c_str(), 1);
      if (!is_set()) throw std::runtime_error(std::string("there is no locale ") + name);
    }
    if (std::string(std::localeconv()->decimal_point) != ",") throw std::runtime_error("not a decimal comma");
    std::locale::global(std::locale(name));
  }
  ~CommaLocale() {
    std::locale::global(stream_before_);
    std::setlocale(LC_ALL, c_before_.c_str());
  }
  CommaLocale(const CommaLocale&) = delete;
  CommaLocale& operator=(const CommaLocale&) = delete;

 private:
  static constexpr const char* name = "de_DE.UTF-8";

  static bool is_set() { return std::setlocale(LC_ALL, name) != nullptr; }
  /// Shared by all test programs. Files of one version of the C library are not for another.
  static std::filesystem::path folder() {
    return std::filesystem::temp_directory_path() / (std::string("noslip_locales_") + gnu_get_libc_version());
  }

  static void make() {
    std::filesystem::create_directories(folder());
    // Made beside its place and moved there: tests may run at the same time.
    const std::string own = (folder() / ("new" + std::to_string(std::rand() ^ ::getpid()))).string();
    const std::string command = "localedef -i de_DE -f UTF-8 --no-archive '" + own + "' 2>&1";
    if (std::system(command.c_str()) != 0) {
      throw std::runtime_error("no locale " + std::string(name) +
                               ", and no localedef with its source: install the package `locales`");
    }
    std::error_code exists;
    std::filesystem::rename(own, folder() / name, exists);
    if (exists) std::filesystem::remove_all(own);
  }

  std::string c_before_;
  std::locale stream_before_;
};

}  // namespace noslip::testing
