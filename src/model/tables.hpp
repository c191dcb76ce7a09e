// Tables of numbers under [tables].
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <noslip/expr/table.hpp>
#include <noslip/model/system_text.hpp>

#include "model/file_reader.hpp"

namespace noslip {

/// What a file has under `tables`.
std::vector<TableText> read_tables(FileReader& reader, const TomlEntry& entry);

/// The table, or nothing and a problem.
std::optional<Table> table_of(const TableText& text, std::vector<Problem>& problems);

}  // namespace noslip
