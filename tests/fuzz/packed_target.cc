// A compressed file, or a zip file: what it unpacks to, in small pieces and in large ones.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fs/file/private_file.h"
#include "fs/file/source_file.h"
#include "fs/file/text_stream.h"
#include "fs/file/unpacker.h"
#include "fs/file/utf16.h"
#include "fs/file/zip_file.h"
#include "tests/fuzz/target.h"
#include "tests/support/files.h"
#include "tests/support/packed.h"

namespace scidfs::fuzz {
namespace {

// How much is unpacked of one input.
constexpr std::size_t kMostUnpacked = std::size_t{2} << 20;
constexpr const char* kPackedName = "games.pgn";

// What came of reading a text up to its end, a failure or kMostUnpacked.
struct ReadText {
  std::string bytes;
  absl::Status status;
  bool is_whole = false;
};

// Reads from anything with a read() like Unpacker, `step` bytes at a time.
template <class Reader>
ReadText read_text(Reader& reader, std::size_t step) {
  ReadText text;
  std::vector<std::uint8_t> room(step);
  while (text.bytes.size() < kMostUnpacked) {
    const absl::StatusOr<std::size_t> count = reader.read(room);
    text.status = count.status();
    if (!count.ok()) return text;
    require(*count <= step, "more bytes than there is room for");
    text.is_whole = *count == 0;
    if (text.is_whole) return text;
    text.bytes.append(reinterpret_cast<const char*>(room.data()), *count);
  }
  return text;
}

// Returns a text as TextStream reads it: in UTF-8.
ReadText in_utf8(ReadText text) {
  constexpr std::size_t kFront = 512;
  const codec::Bytes bytes = tests::as_bytes(text.bytes);
  const auto order = fs::utf16_order(bytes.first(std::min(kFront, bytes.size())));
  if (!order.has_value()) return text;
  std::string decoded;
  fs::Utf16Decoder(*order).append(bytes, decoded);
  text.bytes = std::move(decoded);
  return text;
}

void check_refusal(const absl::Status& status) {
  require(absl::IsDataLoss(status), "a failure that is no damage: " + status.ToString());
  require(std::string(status.message()).starts_with("Cannot unpack "),
          "a failure without a reason");
}

// Compares two ways to read the same bytes. libzstd notices that a frame is shorter than it says
// only if it gets the frame at once: with `is_zstd_in_pieces`, one of them alone may be damaged.
void check_same(const ReadText& one, const ReadText& other, bool is_zstd_in_pieces = false) {
  const std::size_t common = std::min(one.bytes.size(), other.bytes.size());
  require(std::string_view(one.bytes).substr(0, common) ==
              std::string_view(other.bytes).substr(0, common),
          "another text in pieces of another size");
  for (const ReadText* const text : {&one, &other}) {
    if (!text->status.ok()) check_refusal(text->status);
  }
  const auto is_cut = [](const ReadText& text) { return text.status.ok() && !text.is_whole; };
  if (is_cut(one) || is_cut(other) || (is_zstd_in_pieces && one.is_whole != other.is_whole)) return;
  require(one.is_whole == other.is_whole, "damaged only in pieces of some size");
  if (one.is_whole) require(one.bytes.size() == other.bytes.size(), "a text ends early");
}

// Unpacks bytes that come in pieces of `packed_step`, in pieces of `step`.
ReadText unpack(std::string_view input, fs::Packing packing, std::size_t packed_step,
                std::size_t step) {
  const auto next = [&](std::span<std::uint8_t> out) -> absl::StatusOr<std::size_t> {
    const std::size_t count = std::min({input.size(), out.size(), packed_step});
    if (count != 0) std::memcpy(out.data(), input.data(), count);
    input.remove_prefix(count);
    return count;
  };
  const auto unpacker = fs::Unpacker::create(packing, kPackedName, next);
  require(unpacker.ok(), "a library lacks a method");
  return read_text(**unpacker, step);
}

// Gives an input to SourceFile.
fs::SourceFile as_file(std::string_view input) {
  const auto room = fs::PrivateFile::make({.to = fs::UnpackTo::Memory});
  require(room.ok() && (*room)->append(tests::as_bytes(input)).ok(), "no memory for a file");
  auto files = std::make_shared<fs::UnpackedFiles>();
  files->emplace(kPackedName, fs::UnpackedFile{.bytes = fs::PrivateRange(*room, 0, input.size()),
                                               .stamp = {.size = input.size()}});
  return *fs::SourceFile::open(kPackedName, fs::FileOrigin(std::move(files)));
}

// `text`: what the file unpacks to if it is read as a whole.
void check_stream(const fs::SourceFile& file, const ReadText& text, bool is_zstd) {
  constexpr std::size_t kStep = 4096;
  fs::TextStream stream(file);
  check_same(read_text(stream, kStep), text, is_zstd);
  if (!text.is_whole) return;
  fs::TextStream rest(file);
  require(rest.skip(text.bytes.size() / 2).ok(), "a text cannot be skipped");
  require(read_text(rest, kStep).bytes == text.bytes.substr(text.bytes.size() / 2),
          "another text after what was skipped");
  fs::TextStream end(file);
  require(!end.skip(text.bytes.size() + 1).ok(), "more was skipped than there is");
}

void check_zip(const fs::SourceFile& file) {
  constexpr std::size_t kMembers = 8;
  const auto members = fs::list_zip(file);
  if (!members.ok()) return check_refusal(members.status());
  fs::ZipMembers unpacked(file);
  std::uint64_t left = kMostUnpacked;
  std::vector<std::uint8_t> room(std::size_t{256} << 10);
  for (std::size_t i = 0; i < std::min(kMembers, members->size()); ++i) {
    const fs::ZipMember& member = (*members)[i];
    std::uint64_t size = 0;
    const auto input = unpacked.open(member);
    absl::StatusOr<std::size_t> count =
        input.ok() ? 1 : absl::StatusOr<std::size_t>(input.status());
    while (count.ok() && *count != 0) {
      count = (*input)(room);
      size += count.value_or(0);
      require(size <= member.size, "more bytes than the directory says");
      if (size > left) return;
    }
    if (!count.ok()) {
      check_refusal(count.status());
    } else {
      require(size == member.size, "fewer bytes than the directory says");
    }
    left -= size;
  }
}

std::string some_text(std::size_t bytes) {
  std::string text = "[White \"Anand,V\"]\n\n1. e4 e5 ";
  for (std::size_t i = 0; text.size() < bytes; ++i) text += fmt::format("{{{}}} ", i * i * 2654435);
  return text.substr(0, bytes);
}

class PackedTarget : public Target {
 public:
  std::string_view name() const override { return "packed"; }
  std::size_t most_bytes() const override { return 8000; }

  void check(std::string_view input) const override {
    ReadText text{
        .bytes = std::string(input.substr(0, kMostUnpacked)), .status = {}, .is_whole = true};
    bool is_zstd = false;
    if (const auto packing = fs::packing_of(tests::as_bytes(input))) {
      text = unpack(input, *packing, input.size(), kMostUnpacked);
      is_zstd = *packing == fs::Packing::Zstd;
      check_same(unpack(input, *packing, input.size(), 1000), text);
      check_same(unpack(input, *packing, 1, 1000), text, is_zstd);
      check_same(unpack(input, *packing, 300, 7777), text, is_zstd);
    }
    const fs::SourceFile file = as_file(input);
    if (!fs::other_kind_of(tests::as_bytes(input)).empty()) {
      fs::TextStream stream(file);
      check_refusal(read_text(stream, 1000).status);
    } else {
      check_stream(file, in_utf8(std::move(text)), is_zstd);
    }
    check_zip(file);
  }

  std::vector<Seed> seeds() const override {
    std::vector<Seed> seeds;
    for (const std::string_view ending : {".gz", ".zst", ".bz2", ".xz"}) {
      const std::string some = tests::packed(some_text(5000), ending);
      const std::string stem(ending.substr(1));
      seeds.push_back({stem + "-some", some});
      seeds.push_back({stem + "-two", some + tests::packed("x", ending)});
      seeds.push_back({stem + "-empty", tests::packed("", ending)});
      seeds.push_back({stem + "-much", tests::packed(std::string(1000, ' '), ending, 5000)});
    }
    seeds.push_back(
        {"zip-some", tests::zipped({{"a.pgn", some_text(3000)}, {"b/", ""}, {"c", "x"}})});
    seeds.push_back({"zip-much", tests::zipped({{"a.pgn", std::string(1'000'000, ' ')}})});
    seeds.push_back({"zip-locked", tests::zipped({{"a.pgn", "secret"}}, true)});
    seeds.push_back({"text", "[White \"A\"]\n\n1. e4 *\n"});
    std::string utf16;
    for (const char c : some_text(600)) utf16.append({'\0', c});
    seeds.push_back({"utf-16", utf16});
    seeds.push_back({"gz-utf-16", tests::packed(utf16, ".gz")});
    std::erase_if(seeds, [this](const Seed& seed) { return seed.bytes.size() > most_bytes(); });
    return seeds;
  }

  void mutate(std::string& input, tests::Random& random, PlainMutator plain) const override {
    plain(input, most_bytes());
    if (!random.one_in(8)) return;
    // Something whole after it, or in the midst of it.
    static const std::vector<Seed> kSeeds = seeds();
    const std::string& more = kSeeds[random.below(kSeeds.size())].bytes;
    input.insert(random.one_in(2) ? input.size() : random.below(input.size() + 1), more);
    input.resize(std::min(input.size(), most_bytes()));
  }
};

}  // namespace

const Target& packed_target() {
  static const PackedTarget kTarget;
  return kTarget;
}

}  // namespace scidfs::fuzz
