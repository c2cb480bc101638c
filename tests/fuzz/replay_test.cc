// Runs every target on its seeds, on every stored find, and on some mutated seeds.
//
// finds/TARGET/NAME has inputs that have shown a fault; each is named after it. The environment
// variable SCIDFS_FUZZ_CORPUS may name a folder with more inputs, sorted in the same way;
// SCIDFS_MUTATIONS is the number of changes to each seed (default 20).
#include <gtest/gtest.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>

#include "tests/fuzz/target.h"
#include "tests/support/configuration.h"
#include "tests/support/files.h"

namespace scidfs::fuzz {
namespace {

std::size_t mutations_of_each() {
  const char* const number = std::getenv("SCIDFS_MUTATIONS");
  return number == nullptr ? 20 : std::stoul(number);
}

class Replay : public testing::TestWithParam<const Target*> {
 protected:
  const Target& target() const { return *GetParam(); }

  void check(std::string_view bytes, const std::string& what) {
    try {
      target().check(bytes);
    } catch (const std::exception& error) {
      ADD_FAILURE() << target().name() << ", " << what << ": " << error.what();
    }
  }

  // Returns the number of files.
  std::size_t check_folder(const std::filesystem::path& folder) {
    std::size_t count = 0;
    const std::filesystem::path below = folder / target().name();
    if (!std::filesystem::exists(below)) return count;
    for (const auto& file : std::filesystem::directory_iterator(below)) {
      check(tests::read_file(file.path()), file.path());
      ++count;
    }
    return count;
  }
};

TEST_P(Replay, SeedsPass) {
  const std::vector<Seed> seeds = target().seeds();
  ASSERT_FALSE(seeds.empty());
  for (const Seed& seed : seeds) check(seed.bytes, seed.name);
}

TEST_P(Replay, EarlierFindsPass) {
  check_folder(tests::source_path("tests/fuzz/finds"));
  if (const char* const more = std::getenv("SCIDFS_FUZZ_CORPUS"); more != nullptr) {
    EXPECT_GT(check_folder(more), 0U);
  }
}

TEST_P(Replay, MutatedSeedsPass) {
  tests::Random random(1);
  const auto plain = [&random](std::string& bytes, std::size_t limit) {
    mutate_bytes(bytes, limit, random);
  };
  for (const Seed& seed : target().seeds()) {
    std::string bytes = seed.bytes;
    for (std::size_t i = 0; i < mutations_of_each() && !HasFailure(); ++i) {
      target().mutate(bytes, random, plain);
      check(bytes, seed.name + " changed " + std::to_string(i + 1) + " times");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Replay, testing::ValuesIn(targets().begin(), targets().end()),
                         [](const testing::TestParamInfo<const Target*>& target) {
                           return std::string(target.param->name());
                         });

}  // namespace
}  // namespace scidfs::fuzz
