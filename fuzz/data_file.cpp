// Any bytes as a data file of each format, and files of noslip with changed bytes.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <vector>

#include <noslip/io/row_source.hpp>

#include "target.hpp"

namespace {

using namespace noslip;
namespace fs = std::filesystem;

/// A folder of this process, in memory if possible, which disappears with it.
class FuzzFolder {
 public:
  FuzzFolder() : name_(fs::exists("/dev/shm") ? "/dev/shm" : fs::temp_directory_path().string()) {
    name_ += "/noslip-fuzz-XXXXXX";
    fuzz::require(mkdtemp(name_.data()) != nullptr, "no folder");
  }
  ~FuzzFolder() {
    std::error_code ignored;
    fs::remove_all(name_, ignored);
  }
  FuzzFolder(const FuzzFolder&) = delete;
  FuzzFolder& operator=(const FuzzFolder&) = delete;
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

std::string content_of(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A small whole file of members, with a record.
std::string whole_file(const std::string& name) {
  RowFile file{
      name, true, {{"number"}, {"failed"}, {"x"}, {"y"}}, {.system = "a", .method = "mp"}, MemberRows{2, {0, 0.5}}};
  file.has_record = true;
  const auto sink = open_rows(file);
  for (const double i : {0.0, 1.0, 2.0}) sink->write(std::vector<double>{i, 0, i / 3, -i, 1, 2 * i});
  sink->add_record("record");
  sink->close();
  return content_of(name);
}

void read_all(const std::string& name, const std::string& bytes) {
  std::ofstream(name, std::ios::binary) << bytes;
  fuzz::accepts([&] {
    const auto source = open_row_source(name);
    std::size_t size = 0;
    std::uint64_t rows = 0;
    const std::uint64_t all = source->read([&](std::span<const double> row) {
      fuzz::require(rows == 0 || row.size() == size, "rows of different sizes");
      size = row.size();
      return ++rows < 1000;
    });
    fuzz::require(all == rows || rows == 1000, "another number of rows");
    fuzz::require(!source->row_count() || rows == 1000 || rows == *source->row_count(), "another count of rows");
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  for (const RowFormat& format : row_formats()) {
    static const FuzzFolder folder;
    const std::string name = folder.name() + "/a" + format.ending;
    static std::vector<std::pair<std::string, std::string>> known;
    auto found = std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.first == name; });
    if (found == known.end()) found = known.insert(known.end(), {name, whole_file(name)});
    read_all(name, std::string(text));
    std::string changed = found->second;  // three bytes: where, and what is there
    for (std::size_t i = 0; i + 2 < text.size(); i += 3) {
      const auto byte = [&](std::size_t k) {
        return static_cast<std::size_t>(static_cast<unsigned char>(text[i + k]));
      };
      changed[(byte(0) << 8 | byte(1)) % changed.size()] = text[i + 2];
    }
    read_all(name, changed);
  }
  return 0;
}
