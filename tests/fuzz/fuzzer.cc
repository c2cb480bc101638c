// libFuzzer for one of the targets: fuzz --target=NAME [FLAG ...] [CORPUS ...]
// With --write-seeds=FOLDER it writes the seeds of the target there instead.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "tests/fuzz/target.h"
#include "tests/support/temporary_folder.h"

using scidfs::fuzz::Target;

// NOLINTNEXTLINE(readability-identifier-naming): the names are libFuzzer's
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t limit);

namespace {

const Target* target = nullptr;

void write_seeds(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const scidfs::fuzz::Seed& seed : target->seeds()) {
    scidfs::tests::write_file(folder / seed.name, seed.bytes);
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  constexpr std::string_view kTarget = "--target=";
  constexpr std::string_view kSeeds = "--write-seeds=";
  std::string_view folder;
  for (int i = 1; i < *count; ++i) {
    const std::string_view word = (*words)[i];
    if (word.starts_with(kTarget)) {
      target = scidfs::fuzz::find_target(word.substr(kTarget.size()));
    }
    if (word.starts_with(kSeeds)) folder = word.substr(kSeeds.size());
  }
  if (target == nullptr) {
    fmt::print(stderr, "usage: {} --target=NAME, which is one of:", (*words)[0]);
    for (const Target* each : scidfs::fuzz::targets()) fmt::print(stderr, " {}", each->name());
    fmt::print(stderr, "\n");
    std::exit(2);
  }
  if (!folder.empty()) {
    write_seeds(folder);
    std::exit(0);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  target->check({reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t limit, unsigned seed) {
  const auto plain = [](std::string& bytes, std::size_t most) {
    const std::size_t before = bytes.size();
    bytes.resize(std::max(before, most));
    const std::size_t after =
        LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()), before, bytes.size());
    bytes.resize(after);
  };
  std::string input(reinterpret_cast<const char*>(data), size);
  scidfs::tests::Random random(seed);
  target->mutate(input, random, plain);
  input.resize(std::min(input.size(), limit));
  std::memcpy(data, input.data(), input.size());
  return input.size();
}
