// Runs a target without libFuzzer, always in the same way: on every file of a corpus, then on so many random changes of
// them.
//
//   fuzz_TARGET FOLDER [CHANGES [DICTIONARY]]
//
// What the target is given is in the file fuzz_TARGET.input, also after it has crashed.
#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <unistd.h>
#include <vector>

#include "target.hpp"

namespace {

using noslip::fuzz::require;
namespace fs = std::filesystem;

constexpr std::size_t longest = 4096;

std::string contents_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Words in quotes, one per line; \" \\ and \x0a stand for a character.
std::vector<std::string> words_of(const fs::path& path) {
  std::vector<std::string> words;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.size() < 2) continue;
    std::string word;
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
      if (line[i] != '\\') {
        word += line[i];
      } else if (line[++i] == 'x') {
        word += static_cast<char>(std::stoi(line.substr(i + 1, 2), nullptr, 16));
        i += 2;
      } else {
        word += line[i];
      }
    }
    words.push_back(std::move(word));
  }
  return words;
}

/// A file that has what was stored last, whatever happens to the program afterwards.
class LastInput {
 public:
  explicit LastInput(const std::string& path) : file_(open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0666)) {
    require(file_ >= 0, "cannot write " + path);
  }
  void store(const std::string& bytes) {
    require(ftruncate(file_, 0) == 0 && pwrite(file_, bytes.data(), bytes.size(), 0) == ssize_t(bytes.size()),
            "cannot store the input");
  }

 private:
  int file_;
};

class Changer {
 public:
  Changer(std::vector<std::string> corpus, std::vector<std::string> words)
      : corpus_(std::move(corpus)), words_(std::move(words)) {}

  std::string operator()() {
    std::string text = one_of(corpus_);
    for (std::size_t count = 1 + below(4); count > 0; --count) change(text);
    if (text.size() > longest) text.resize(longest);
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  const std::string& one_of(const std::vector<std::string>& list) { return list[below(list.size())]; }

  void change(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    switch (below(6)) {
      case 0: text.insert(at, 1, static_cast<char>(below(256))); break;
      case 1: text.erase(at, 1 + below(8)); break;
      case 2:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 3:
        if (!words_.empty()) text.insert(at, one_of(words_));
        break;
      case 4: {
        const std::string& other = one_of(corpus_);
        const std::size_t from = below(other.size() + 1);
        text.insert(at, other.substr(from, 1 + below(32)));
        break;
      }
      default: text.insert(at, text.substr(below(text.size() + 1), 1 + below(16))); break;
    }
  }

  std::mt19937 random_{1};  // the same everywhere
  std::vector<std::string> corpus_, words_;
};

}  // namespace

int main(int argc, char** argv) {
  require(argc >= 2, "usage: fuzz_TARGET FOLDER [CHANGES [DICTIONARY]]");
  std::vector<fs::path> files;
  if (fs::is_directory(argv[1])) {
    for (const auto& entry : fs::directory_iterator(argv[1])) files.push_back(entry.path());
  } else {
    files.emplace_back(argv[1]);
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> corpus;
  for (const fs::path& file : files) corpus.push_back(contents_of(file));
  require(!corpus.empty(), "the corpus is empty");

  LastInput last{fs::path(argv[0]).filename().string() + ".input"};
  const auto run = [&](const std::string& text) {
    last.store(text);
    // A block of its own, so that sanitizers see what is read behind its end.
    const std::vector<std::uint8_t> bytes(text.begin(), text.end());
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  };
  std::for_each(corpus.begin(), corpus.end(), run);
  const long changes = argc > 2 ? std::stol(argv[2]) : 0;
  Changer changer(corpus, argc > 3 ? words_of(argv[3]) : std::vector<std::string>{});
  for (long i = 0; i < changes; ++i) run(changer());
  last.store("");
  std::cerr << corpus.size() << " files and " << changes << " changes of them: nothing found\n";
}
