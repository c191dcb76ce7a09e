// Any words as a command line, one per line. The tool itself is called, in an empty folder. Of verbs that would run for
// long or write, everything is read, and refused at last because of a coordinate that does not exist.
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "target.hpp"

int noslip_main(int argc, char** argv);  // main() of the tool

namespace {

using namespace noslip;

/// Paths that leave the folder.
bool leads_out(std::string_view word) {
  if (word.find("..") != word.npos || word.find('~') != word.npos) return true;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] == '/' && (i == 0 || word[i - 1] == '=' || word[i - 1] == ',' || word[i - 1] == '/')) return true;
    if (word[i] == '/' && word.starts_with("-o")) return true;
  }
  return false;
}

bool is_harmless(const std::vector<std::string>& words) {
  return words.size() < 2 || words[0] == "systems" || words[0] == "methods" || words[0] == "help" ||
         words[0].starts_with("-");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bool is_in_folder = [] {
    std::string folder = std::filesystem::temp_directory_path() / "noslip-fuzz-XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) return false;
    std::filesystem::current_path(folder);
    return true;
  }();
  fuzz::require(is_in_folder, "no folder to run the tool in");
  const std::string_view text = fuzz::text_of(data, size);
  if (text.find('\0') != text.npos || fuzz::has_long_number(text, 2)) return 0;
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    if (leads_out(words.back())) return 0;
    begin = end + 1;
  }
  if (!is_harmless(words)) words.insert(words.end(), {"--init", "no_such_coordinate=0"});
  std::vector<char*> argv = {const_cast<char*>("noslip")};
  for (std::string& word : words) argv.push_back(word.data());
  const int code = noslip_main(static_cast<int>(argv.size()), argv.data());
  fuzz::require(code == 0 || code == 2 || code == 3 || code == 4, "exit code " + std::to_string(code));
  return 0;
}
