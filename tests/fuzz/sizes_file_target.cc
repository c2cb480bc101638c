// The file with the saved words of a mount: sizes of games and others.
#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "fs/file/cache_file.h"
#include "tests/fuzz/target.h"

namespace scidfs::fuzz {
namespace {

constexpr std::uint64_t kKey = 0x1234'5678'9ABC'DEF0;
// An input is the number of words that the file should have, in two bytes, and the file.
constexpr std::size_t kCountBytes = 2;
constexpr std::size_t kHeaderSize = sizeof(fs::CacheFileHeader);

std::size_t count_of(std::string_view input) {
  return static_cast<std::size_t>(static_cast<unsigned char>(input[0])) << 8 |
         static_cast<unsigned char>(input[1]);
}

// Returns the words after a header.
std::vector<std::uint32_t> words_of(std::string_view file, std::size_t count) {
  std::vector<std::uint32_t> words(count);
  // Of none there is no address.
  if (count != 0) std::memcpy(words.data(), file.data() + kHeaderSize, 4 * count);
  return words;
}

// Gives a file the header that it should have.
void repair(std::string& input) {
  std::string file = input.substr(kCountBytes);
  if (file.size() < kHeaderSize) return;
  const std::size_t count = (file.size() - kHeaderSize) / 4;
  file.resize(kHeaderSize + 4 * count);
  const fs::CacheFileHeader header = fs::cache_file_header(kKey, words_of(file, count));
  std::memcpy(file.data(), &header, kHeaderSize);
  input = {static_cast<char>(count >> 8), static_cast<char>(count)};
  input += file;
}

class SizesFileTarget : public Target {
 public:
  std::string_view name() const override { return "sizes_file"; }
  std::size_t most_bytes() const override { return 2000; }

  void check(std::string_view input) const override {
    if (input.size() < kCountBytes) return;
    const std::size_t count = count_of(input);
    const std::string_view file = input.substr(kCountBytes);
    fs::CacheFileHeader header{};
    std::memcpy(&header, file.data(), std::min(file.size(), kHeaderSize));
    absl::Status status = fs::check_cache_file_header(header, kKey, count, file.size());
    std::vector<std::uint32_t> words;
    if (status.ok()) {
      require(file.size() == kHeaderSize + 4 * count, "another number of words");
      words = words_of(file, count);
      status = fs::check_cache_file_words(header, words);
    }
    if (!status.ok()) {
      require(absl::IsDataLoss(status) || absl::IsFailedPrecondition(status),
              "a fault of another kind: " + std::string(status.message()));
      return;
    }
    require(fs::cache_file_header(kKey, words) == header,
            "a file is another one when written again");
  }

  std::vector<Seed> seeds() const override {
    std::vector<Seed> seeds;
    for (const std::size_t count : {0, 1, 2, 300}) {
      std::string input(kCountBytes + kHeaderSize, '\0');
      for (std::size_t i = 0; i < 4 * count; ++i) input += static_cast<char>(i * 37);
      repair(input);
      seeds.push_back({"sizes-" + std::to_string(count), input});
    }
    return seeds;
  }

  void mutate(std::string& input, tests::Random& random, PlainMutator plain) const override {
    plain(input, most_bytes());
    if (random.one_in(2) && input.size() >= kCountBytes) repair(input);
  }
};

}  // namespace

const Target& sizes_file_target() {
  static const SizesFileTarget kTarget;
  return kTarget;
}

}  // namespace scidfs::fuzz
