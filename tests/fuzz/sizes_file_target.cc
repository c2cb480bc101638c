// The file with the saved sizes of games.
#include <algorithm>
#include <cstring>

#include "cache/hash.h"
#include "cache/kept_sizes.h"
#include "tests/fuzz/target.h"
#include "tests/support/files.h"

namespace scidfs::fuzz {
namespace {

constexpr std::uint64_t kKey = 0x1234'5678'9ABC'DEF0;
// An input is the number of sizes of the database, in two bytes, and the file.
constexpr std::size_t kCountBytes = 2;
constexpr std::size_t kHeaderSize = cache::kKeptSizesHeaderSize;
constexpr std::size_t kHeaderChecked = 32;

std::size_t count_of(std::string_view input) {
  return static_cast<std::size_t>(static_cast<unsigned char>(input[0])) << 8 |
         static_cast<unsigned char>(input[1]);
}

void put_little(std::uint64_t value, std::size_t width, std::size_t at, std::string& bytes) {
  for (std::size_t i = 0; i < width; ++i) bytes[at + i] = static_cast<char>(value >> 8 * i);
}

// Gives a file the right checksums, key and count.
void repair(std::string& input) {
  std::string file = input.substr(kCountBytes);
  if (file.size() < kHeaderSize) return;
  file.resize(kHeaderSize + (file.size() - kHeaderSize) / 4 * 4);
  const std::size_t count = (file.size() - kHeaderSize) / 4;
  file.replace(0, 8, "scidfsSZ");
  put_little(1, 4, 8, file);
  put_little(count, 4, 12, file);
  put_little(kKey, 8, 16, file);
  put_little(cache::fingerprint(std::string_view(file).substr(kHeaderSize)), 8, 24, file);
  put_little(cache::fingerprint(std::string_view(file).substr(0, kHeaderChecked)), 8, 32, file);
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
    const codec::Bytes file = tests::as_bytes(input.substr(kCountBytes));
    cache::KeptSizesHeader header{};
    const codec::Bytes front = file.first(std::min(file.size(), header.size()));
    std::ranges::copy(front, header.begin());
    absl::Status status = cache::check_kept_sizes_header(front, kKey, count, file.size());
    std::vector<std::uint32_t> sizes;
    if (status.ok()) {
      require(file.size() == header.size() + 4 * count, "another number of sizes");
      sizes.resize(count);
      // An empty span has no address.
      if (count != 0) std::memcpy(sizes.data(), file.data() + header.size(), 4 * count);
      status = cache::check_kept_sizes(header, sizes);
    }
    if (!status.ok()) {
      require(absl::IsDataLoss(status) || absl::IsFailedPrecondition(status),
              "a fault of another kind: " + std::string(status.message()));
      return;
    }
    require(cache::kept_sizes_header(kKey, sizes) == header,
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
