// A thread of the host with a small stack: deep input is read, refused or integrated, and never overruns it.
#include <algorithm>
#include <functional>
#include <pthread.h>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <noslip/core/error.hpp>
#include <noslip/model/shown.hpp>
#include <noslip/run/run.hpp>

#include "support/figures.hpp"
#include "support/sanitizers.hpp"

namespace noslip {
namespace {

/// With sanitizers one frame has kilobytes.
constexpr std::size_t stack_size = (testing::has_sanitizers ? 32 : 1) * 256 * 1024;

void* call(void* task) {
  (*static_cast<std::function<void()>*>(task))();
  return nullptr;
}

void in_small_thread(std::function<void()> task) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, stack_size), 0);
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, call, &task), 0);
  pthread_attr_destroy(&attributes);
  pthread_join(thread, nullptr);
}

std::string repeated(const std::string& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

std::string nested(const std::string& open, const std::string& close, int count) {
  return repeated(open, count) + "x" + repeated(close, count);
}

std::string file_with(const std::string& expression) {
  return "coordinates = [\"x\"]\nlagrangian = \"1/2*x'^2 - cos(" + expression +
         ")/1000\"\n[initial]\nq = [0.5]\nv = [0]\n";
}

/// 198 is what the parser takes beside the cosine; all larger numbers are refused.
std::vector<std::string> deep_files(int count) {
  const int chained = std::min(count, 200);  // what is accepted however long it is
  std::vector<std::string> files{
      file_with(nested("(", ")", count)),           file_with(nested("sin(", ")", count)),
      file_with(repeated("-", count) + "x"),        file_with(nested("1/(1 + ", ")", count)),
      file_with(nested("atan2(1, ", ")", count)),   file_with(nested("max(x, -x^2*(", "))", count / 2)),
      file_with("x" + repeated("^1.5", count)),     file_with("x" + repeated(" + sin(x)", chained)),
      file_with("x" + repeated("/(2 + x)", chained)), file_with(nested("if(", ")", count)),
      file_with(nested("if(x < 1, ", ", 2)", count)), file_with(nested("if(not (x < ", "), x, 2)", count / 3)),
      file_with(nested("if((", " < 1), x, 2)", count / 2)),
      "a = " + repeated("[", count) + repeated("]", count) + "\n" + file_with("x"),
      "a = " + repeated("{ a = ", count) + "1" + repeated("}", count) + "\n" + file_with("x"),
      "a" + repeated(".a", count) + " = 1\n" + file_with("x"),
      "[a" + repeated(".a", count) + "]\nb = 1\n",
  };
  std::string chain = "[definitions]\n";
  for (int i = 0; i < chained; ++i) chain += "d" + std::to_string(i) + " = \"sin(d" + std::to_string(i + 1) + ") + 1\"\n";
  files.push_back(file_with("d0") + chain + "d" + std::to_string(chained) + " = \"x\"\n");
  return files;
}

TEST(SmallStack, DeepInputIsNoDanger) {
  int made = 0, refused = 0;
  for (const int count : {30, 198, 5000}) {
    for (const std::string& file : deep_files(count)) {
      in_small_thread([&] {
        try {
          const System system = System::parse(file);
          for (const char* method : {"mp", "avf"}) {
            EXPECT_LE(integrate(system, {.method = method, .step = 0.1, .steps = 2}).steps, 2);
          }
          EXPECT_FALSE(shown(system).sections.empty());
          ++made;
        } catch (const InputError& error) {
          EXPECT_FALSE(error.problems().empty());
          ++refused;
        }
      });
    }
  }
  EXPECT_GT(made, 15);
  EXPECT_GT(refused, 10);
  test::figure("deep_files", made + refused);
}

}  // namespace
}  // namespace noslip
