// A system with its text, from which it can be made again elsewhere.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <noslip/core/given.hpp>
#include <noslip/model/system.hpp>
#include <noslip/run/columns.hpp>

#include "common.hpp"

namespace noslip::python {

class PySystem {
 public:
  PySystem() = default;
  /// From a text; `origin` is its name in messages. `entry` is the name in the catalogue, if it has one.
  PySystem(std::string text, std::string origin, std::string entry = {}, Settings sizes = {});
  /// A catalogue name or a path, as the tool has them.
  static PySystem find(const std::string& name);
  static PySystem load(const std::string& file);

  const System& system() const { return system_; }
  const std::string& text() const { return text_; }
  const std::string& origin() const { return origin_; }
  const std::string& entry() const { return entry_; }
  const Settings& sizes() const { return sizes_; }  ///< that differ from the text
  /// Of its rows (row_columns).
  const std::vector<Column>& columns() const { return *columns_; }
  /// With other sizes, which are taken out of `settings`; the same system if nothing changes.
  PySystem resized(Settings& settings) const;
  /// With other initial data (System::starting_at).
  PySystem starting_at(InitialStateQuad state) const;

 private:
  System system_;
  std::shared_ptr<const std::vector<Column>> columns_;
  std::string text_, origin_, entry_;  ///< entry: of the catalogue
  Settings sizes_;
  struct Variants {
    std::mutex mutex;
    std::map<Settings, PySystem> by_sizes;
  };
  std::shared_ptr<Variants> variants_ = std::make_shared<Variants>();
};

/// As a noslip.System.
py::object as_python(const PySystem& system);

}  // namespace noslip::python
