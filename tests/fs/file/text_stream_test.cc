#include "fs/file/text_stream.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/packed.h"
#include "tests/support/random_game.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

using testing::HasSubstr;

constexpr std::array kPackedEndings = {".gz", ".zst", ".bz2", ".xz"};

std::span<std::uint8_t> writable(std::string& text) {
  return {reinterpret_cast<std::uint8_t*>(text.data()), text.size()};
}

// Reads all of a stream, `step` bytes at a time.
absl::StatusOr<std::string> read_all(TextStream& stream, std::size_t step = 1000) {
  std::string text;
  std::string piece(step, ' ');
  while (true) {
    const absl::StatusOr<std::size_t> count = stream.read(writable(piece));
    if (!count.ok()) return count.status();
    text.append(piece, 0, *count);
    if (*count < step) return text;
  }
}

class TextStreamTest : public testing::Test {
 protected:
  SourceFile file(std::string_view bytes, std::string_view name) {
    path_ = folder_ / name;
    tests::write_file(path_, bytes);
    absl::StatusOr<SourceFile> file = SourceFile::open(path_);
    if (!file.ok()) std::abort();
    return *std::move(file);
  }
  absl::StatusOr<std::string> read(std::string_view bytes, std::string_view name) {
    const SourceFile source = file(bytes, name);
    TextStream stream(source);
    absl::StatusOr<std::string> text = read_all(stream);
    EXPECT_TRUE(!text.ok() || stream.bytes_of_file() == bytes.size());
    return text;
  }

  const tests::TemporaryFolder folder_;
  std::filesystem::path path_;
};

TEST_F(TextStreamTest, UnpacksWhatIsCompressed) {
  tests::Random random(3);
  std::string large;
  while (large.size() < 700'000) large += fmt::format("{} ", random.below(100'000));
  for (const std::string& text : {std::string(), std::string("x"), large}) {
    EXPECT_EQ(*read(text, "plain.pgn"), text);
    for (const std::string ending : kPackedEndings) {
      const std::string bytes = tests::packed(text, ending);
      EXPECT_TRUE(*read(bytes, "packed.pgn" + ending) == text) << ending;
      EXPECT_TRUE(*read(bytes, "packed.pgn") == text) << "under a name that does not say so";
      EXPECT_TRUE(*read(bytes + bytes + bytes, "a" + ending) == text + text + text)
          << "several in a row, " << ending;
    }
  }
}

TEST_F(TextStreamTest, UnpacksWhatOtherProgramsCompressed) {
  const std::string text = tests::read_file(tests::test_data("packed/games.pgn"));
  for (const std::string ending : kPackedEndings) {
    const std::string bytes = tests::read_file(tests::test_data("packed/games.pgn" + ending));
    EXPECT_EQ(*read(bytes, "games.pgn" + ending), text);
  }
}

// A file that is cut or changed cannot be read, or unpacks to the same text.
TEST_F(TextStreamTest, DamageIsAnError) {
  const std::string text = tests::read_file(tests::test_data("packed/games.pgn"));
  for (const std::string ending : kPackedEndings) {
    const std::string name = "games.pgn" + ending;
    const std::string bytes = tests::read_file(tests::test_data("packed/" + name));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const auto cut = read(bytes.substr(0, size), name);
      ASSERT_TRUE(absl::IsDataLoss(cut.status())) << name << " of " << size << " bytes";
      EXPECT_THAT(cut.status().message(), HasSubstr("Cannot unpack " + path_.string() + ": "));
    }
    std::size_t errors = 0;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      std::string damaged = bytes;
      damaged[at] ^= 0x10;
      const auto other = read(damaged, name);
      EXPECT_EQ(other.value_or(text), text) << name << ", byte " << at;
      if (!other.ok()) ++errors;
    }
    // Some bytes mean nothing, as the time in gzip.
    EXPECT_GT(errors, bytes.size() - 12) << name;
    for (std::size_t size = 1; size < bytes.size(); ++size) {
      const auto cut = read(bytes + bytes.substr(0, size), name);
      EXPECT_TRUE(absl::IsDataLoss(cut.status())) << name << " and " << size << " bytes";
    }
    EXPECT_TRUE(absl::IsDataLoss(read(bytes + "trailing", name).status())) << name;
  }
  const std::string large = tests::packed(std::string(1'000'000, 'x') + text, ".gz", 9);
  EXPECT_THAT(read(large.substr(0, large.size() - 10), "large.gz").status().message(),
              HasSubstr(fmt::format("before byte {}: ", large.size() - 10)));
}

// Returns a frame that zstd skips.
std::string skippable(std::size_t size, char kind = 0x50) {
  std::string frame = {kind, 0x2A, 0x4D, 0x18};
  for (int i = 0; i < 4; ++i) frame += static_cast<char>(size >> (8 * i));
  return frame + std::string(size, 'x');
}

TEST_F(TextStreamTest, FramesOfZstdThatAreToBeSkippedAreSkipped) {
  const std::string text = tests::read_file(tests::test_data("packed/games.pgn"));
  const std::string games = tests::packed(text, ".zst");
  const std::string all = skippable(4) + games + skippable(0, 0x5F) + skippable(100'000) + games;
  EXPECT_EQ(*read(all, "a.pgn.zst"), text + text);
  EXPECT_EQ(*read(skippable(0) + skippable(300) + games, "a.pgn"), text) << "known by no name";
  EXPECT_EQ(*read(skippable(3), "a.pgn.zst"), "");
  const std::string one = skippable(4) + games;
  for (std::size_t size = 0; size < one.size(); ++size) {
    if (size == skippable(4).size()) continue;
    EXPECT_TRUE(absl::IsDataLoss(read(one.substr(0, size), "a.pgn.zst").status())) << size;
  }
}

TEST_F(TextStreamTest, ZerosAfterGzipDataArePassedOver) {
  const std::string bytes = tests::packed("text", ".gz");
  for (const std::size_t count : {1, 500, 100'000}) {
    const std::string zeros(count, '\0');
    EXPECT_EQ(*read(bytes + zeros, "a.pgn.gz"), "text");
    EXPECT_EQ(*read(bytes + zeros + bytes + zeros, "a.pgn.gz"), "texttext");
    EXPECT_TRUE(absl::IsDataLoss(read(bytes + zeros + "x", "a.pgn.gz").status()));
  }
}

TEST_F(TextStreamTest, TextNamedAsACompressedFileIsText) {
  const std::string text = tests::read_file(tests::test_data("packed/games.pgn"));
  for (const std::string ending : kPackedEndings) {
    const SourceFile source = file(text, "a.pgn" + ending);
    TextStream stream(source);
    EXPECT_EQ(*read_all(stream), text);
    EXPECT_TRUE(stream.is_misnamed());
    for (const std::string other : {"", "\x01\x02\x03 some bytes", "<!DOCTYPE html>\n<html>"}) {
      EXPECT_TRUE(absl::IsDataLoss(read(other, "a.pgn" + ending).status())) << other;
    }
  }
}

// With Cut::End, the text is the beginning of the whole one; only what is cut is taken.
TEST_F(TextStreamTest, WhatIsLeftOfACutFileCanBeTaken) {
  tests::Random random(5);
  std::string text;
  while (text.size() < 3'000'000) text += fmt::format("{} ", random.below(100'000));
  constexpr std::size_t kMostLost = std::size_t{1} << 20;  // the last block
  for (const std::string ending : kPackedEndings) {
    const std::string bytes = tests::packed(text, ending);
    for (const std::size_t left : {bytes.size() - 1, bytes.size() / 10 * 9}) {
      const SourceFile source = file(bytes.substr(0, left), "a.pgn" + ending);
      TextStream stream(source, TextStream::Cut::End);
      const auto whole = read_all(stream);
      ASSERT_TRUE(whole.ok()) << ending << whole.status();
      EXPECT_TRUE(text.starts_with(*whole)) << ending;
      EXPECT_GT(whole->size(), text.size() / 10 * 9 - kMostLost) << ending;
      EXPECT_THAT(stream.cut().message(), HasSubstr("the compressed data end too early"));
    }
    const SourceFile trailing = file(bytes + std::string(100, 'x'), "a.pgn" + ending);
    TextStream stream(trailing, TextStream::Cut::End);
    EXPECT_TRUE(absl::IsDataLoss(read_all(stream).status())) << ending;
  }
}

TEST_F(TextStreamTest, StandardInputThatIsNoTextIsRefused) {
  const auto from_input = [this](std::string_view bytes) {
    tests::write_file(folder_ / "input", bytes);
    const Descriptor input(::open((folder_ / "input").c_str(), O_RDONLY | O_CLOEXEC));
    TextStream stream(input.get(), "standard input");
    return read_all(stream);
  };
  for (const std::string& text :
       {std::string(), std::string("1. e4 *"), std::string("[White \"M\xFCller\"]\x1A")}) {
    EXPECT_EQ(from_input(text).value_or("refused"), text);
  }
  for (const auto& [bytes, kind] :
       {std::pair<std::string, std::string>(tests::zipped({{"a.pgn", "1. e4 *"}}), "a zip file"),
        {std::string("7z\xBC\xAF\x27\x1C\0\4", 8), "a 7z archive"},
        {std::string("Rar!\x1A\7\0", 7), "a RAR archive"},
        {"%PDF-1.7\n%\xE2\xE3", "a PDF file"},
        {"\n<!doctype HTML>\n<html>", "an HTML page"},
        {std::string("SQLite format 3\0", 16), "neither text nor compressed"},
        {std::string(100, '\x02'), "neither text nor compressed"}}) {
    EXPECT_THAT(from_input(bytes).status().message(), HasSubstr(kind));
    EXPECT_TRUE(absl::IsDataLoss(from_input(bytes).status()));
  }
}

// Encodes a text, of which no character is beyond U+FFFF, but for U+1D11E, in UTF-16.
std::string in_utf16(std::u16string_view text, bool is_big) {
  std::string bytes;
  for (const char16_t unit : text) {
    const std::array<char, 2> halves = {static_cast<char>(unit & 0xFF),
                                        static_cast<char>(unit >> 8)};
    bytes += {halves[is_big ? 1 : 0], halves[is_big ? 0 : 1]};
  }
  return bytes;
}

TEST_F(TextStreamTest, MakesUtf8OfUtf16) {
  std::u16string wide = u"[Event \"Łódź \U0001D11E\"]\r\n\r\n1. e4 *\r\n";
  std::string text = "[Event \"Łódź \U0001D11E\"]\r\n\r\n1. e4 *\r\n";
  for (int i = 0; i < 11; ++i) {
    wide += wide;
    text += text;
  }
  for (const bool is_big : {false, true}) {
    const std::string plain = in_utf16(wide, is_big);
    for (const std::string& bytes : {plain, in_utf16(u"\uFEFF", is_big) + plain}) {
      EXPECT_TRUE(*read(bytes, "a.pgn") == text);
      EXPECT_TRUE(*read(tests::packed(bytes, ".gz"), "a.pgn.gz") == text);
      tests::write_file(folder_ / "input", bytes);
      const Descriptor input(::open((folder_ / "input").c_str(), O_RDONLY | O_CLOEXEC));
      TextStream stream(input.get(), "standard input");
      EXPECT_TRUE(*read_all(stream, 7) == text);
      const SourceFile source = file(bytes, "b.pgn");
      TextStream skipped(source);
      ASSERT_TRUE(skipped.skip(text.size() - 9).ok());
      EXPECT_EQ(*read_all(skipped), text.substr(text.size() - 9));
    }
  }
  EXPECT_EQ(*read(in_utf16(u"1. e4 {\xD834x\xDD1E} *", false) + "x", "a.pgn"),
            "1. e4 {\uFFFDx\uFFFD} *");
}

TEST_F(TextStreamTest, ReadsStandardInputAsAFile) {
  for (const std::string ending : {"", ".gz", ".zst", ".bz2", ".xz"}) {
    const Descriptor input(
        ::open(tests::test_data("packed/games.pgn" + ending).c_str(), O_RDONLY | O_CLOEXEC));
    TextStream stream(input.get(), "standard input");
    EXPECT_EQ(*read_all(stream, 7), tests::read_file(tests::test_data("packed/games.pgn")));
  }
  TextStream none(-1, "standard input");
  EXPECT_THAT(read_all(none).status().message(), HasSubstr("Cannot read standard input: "));
}

TEST_F(TextStreamTest, PassesTheBeginning) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += fmt::format("{} ", i);
  for (const std::string ending : {"", ".gz", ".zst", ".bz2", ".xz"}) {
    const SourceFile source =
        file(ending.empty() ? text : tests::packed(text, ending), "games.pgn" + ending);
    for (const std::size_t offset : {std::size_t{0}, std::size_t{1}, std::size_t{65'536},
                                     std::size_t{65'537}, text.size() - 1, text.size()}) {
      TextStream stream(source);
      ASSERT_TRUE(stream.skip(offset).ok());
      EXPECT_TRUE(*read_all(stream) == text.substr(offset)) << offset << ending;
    }
    TextStream stream(source);
    EXPECT_TRUE(absl::IsDataLoss(stream.skip(text.size() + 1)));
  }
}

TEST_F(TextStreamTest, NoticesThatTheFileChanges) {
  const std::string text(200'000, 'x');
  const auto grow = [this] { std::ofstream(path_, std::ios::app) << "y"; };
  const auto shrink = [this] { std::filesystem::resize_file(path_, 150'000); };
  const auto overwrite = [this] {
    std::fstream(path_, std::ios::in | std::ios::out).seekp(190'000) << "z";
    std::filesystem::last_write_time(path_, {});
  };
  for (const std::function<void()>& change : {std::function<void()>(grow), {shrink}, {overwrite}}) {
    const SourceFile source = file(text, "games.pgn");
    TextStream stream(source);
    std::string piece(100'000, ' ');
    ASSERT_TRUE(stream.read(writable(piece)).ok());
    change();
    EXPECT_TRUE(absl::IsFailedPrecondition(read_all(stream).status()));
  }
}

// Returns the memory of this process in use, in bytes.
std::size_t resident_memory() {
  std::size_t total = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * 4096;
}

TEST_F(TextStreamTest, BombsTakeNoMemory) {
  constexpr std::size_t kMost = std::size_t{24} << 20;
  const std::string zeros(std::size_t{1} << 20, '\0');
  std::string piece = zeros;
  for (const std::string ending : kPackedEndings) {
    const SourceFile source = file(tests::packed(zeros, ending, 64), "bomb.pgn" + ending);
    EXPECT_LT(source.size(), 1'000'000u);
    TextStream stream(source);
    std::size_t memory = 0, size = 0, count = 0;
    const std::size_t before = resident_memory();
    do {
      count = stream.read(writable(piece)).value();
      size += count;
      memory = std::max(memory, resident_memory());
    } while (count == piece.size());
    EXPECT_EQ(size, zeros.size() * 64);
    EXPECT_LT(memory, before + kMost) << ending;
  }
}

}  // namespace
}  // namespace scidfs::fs
