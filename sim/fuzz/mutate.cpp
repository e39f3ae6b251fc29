// Stands in for libFuzzer where there is none: the corpus, and mutations of it made with a fixed
// seed, for a bounded time. Usage: fuzz_mutate SECONDS FOLDER... Prints what it did; a crash is its
// exit status. For several side by side: LANESCOPE_FUZZ_SEED, and LANESCOPE_FUZZ_INPUT names a file that
// holds the last input.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

/// Kernel texts without their comments: shorter inputs, more of them a second.
std::string stripped(std::string text) {
  for (std::size_t at; (at = text.find("/*")) != std::string::npos;)
    text.erase(at, text.find("*/", at) == std::string::npos ? std::string::npos
                                                            : text.find("*/", at) + 2 - at);
  for (std::size_t at; (at = text.find("//")) != std::string::npos;)
    text.erase(at, text.find('\n', at) - at);
  return text;
}

std::string mutated(std::string text, const std::vector<std::string>& all, std::mt19937& random) {
  static const char* const kPieces[] = {"__syncthreads();",
                                        "threadIdx.x",
                                        "<",
                                        ">",
                                        "(",
                                        ")",
                                        "{",
                                        "}",
                                        "[",
                                        "]",
                                        "-1",
                                        "0",
                                        "4294967295",
                                        "return;",
                                        "float4",
                                        "double",
                                        "while(1);",
                                        "/",
                                        "%",
                                        "<<<1,1>>>",
                                        "__shared__ ",
                                        "template<int N>",
                                        "* ",
                                        "& ",
                                        "\0"};
  for (unsigned n = 1 + random() % 4; n > 0 && !text.empty(); --n) {
    const std::size_t at = random() % text.size();
    switch (random() % 5) {
    case 0:
      text.erase(at, 1 + random() % 8);
      break;
    case 1:
      text.insert(at, kPieces[random() % std::size(kPieces)]);
      break;
    case 2:
      text[at] = static_cast<char>(random());
      break;
    case 3:
      text.resize(at);
      break;
    default: {
      const std::string& other = all[random() % all.size()];
      if (!other.empty()) text.insert(at, other.substr(random() % other.size(), random() % 40));
    }
    }
  }
  return text;
}

/// What crashes is in the file then.
void note(const char* file, const std::string& text) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << text << std::flush;
}

void feed(const std::string& text) {
  if (const char* file = std::getenv("LANESCOPE_FUZZ_INPUT"); file != nullptr) note(file, text);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return std::fputs("usage: fuzz_mutate SECONDS FOLDER...\n", stderr), 2;
  std::vector<std::string> texts;
  for (int i = 2; i < count; ++i)
    for (const auto& entry : std::filesystem::recursive_directory_iterator(arguments[i])) {
      if (entry.path().extension() != ".cu") continue;
      std::ifstream file(entry.path());
      texts.push_back(
          stripped({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()}));
    }
  if (texts.empty()) return std::fputs("no corpus\n", stderr), 2;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(arguments[1]));
  const char* seed = std::getenv("LANESCOPE_FUZZ_SEED");
  std::mt19937 random(seed != nullptr ? static_cast<unsigned>(std::atoi(seed)) : 20260101u);
  std::uint64_t inputs = 0;
  for (; std::chrono::steady_clock::now() < end; ++inputs) {
    const std::string& text = texts[random() % texts.size()];
    feed(inputs < texts.size() ? texts[inputs] : mutated(text, texts, random));
  }
  std::printf("%llu inputs from a corpus of %zu\n", static_cast<unsigned long long>(inputs),
              texts.size());
  return inputs == 0;
}
