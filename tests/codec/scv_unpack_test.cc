// One test for each rule about the data of members.
#include <gtest/gtest.h>
#include <zlib.h>

#include "codec/scv/unpack.h"
#include "tests/support/archive.h"
#include "tests/support/files.h"

namespace scidfs::codec::scv {
namespace {

using tests::ArchiveBytes;
using tests::deflated;
using tests::unpack_text;

// A member that consists of all of `data`.
Member member_of(std::string_view data, Method method,
                 std::optional<std::uint64_t> file_size = std::nullopt) {
  Member member;
  member.size = data.size();
  member.method = method;
  member.file_size = file_size;
  return member;
}
Fault fault_of(const std::string& data, Method method,
               std::optional<std::uint64_t> file_size = std::nullopt) {
  return unpack_text(member_of(data, method, file_size), ArchiveBytes(data)).result.fault;
}

std::string long_text() {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i * 7919 % 10'007) + " ";
  return text;
}

TEST(ScvUnpack, WholeStreamsAreUnpacked) {
  for (const std::string& text : {std::string(), std::string("abc"), long_text()}) {
    for (const auto& [data, method] :
         {std::pair(text, Method::Raw), std::pair(deflated(text), Method::Zlib),
          std::pair(deflated(text, true), Method::Gzip)}) {
      for (const auto file_size :
           {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(text.size())}) {
        const auto unpacked = unpack_text(member_of(data, method, file_size), ArchiveBytes(data));
        EXPECT_EQ(unpacked.result.fault, Fault::None);
        EXPECT_EQ(unpacked.bytes, text);
        EXPECT_EQ(unpacked.result.size, text.size());
      }
    }
  }
}

TEST(ScvUnpack, StreamMustEndWithItsMember) {
  const std::string text = long_text();
  for (const Method method : {Method::Zlib, Method::Gzip}) {
    const std::string data = deflated(text, method == Method::Gzip);
    EXPECT_EQ(fault_of(data + "x", method), Fault::TrailingBytes);
    EXPECT_EQ(fault_of(data + data, method), Fault::TrailingBytes);
    EXPECT_EQ(fault_of(data.substr(0, data.size() - 1), method), Fault::Incomplete);
    EXPECT_EQ(fault_of(data.substr(0, 1), method), Fault::Incomplete);
    EXPECT_EQ(fault_of("", method), Fault::Incomplete);
    std::string damaged = data;
    damaged.back() = static_cast<char>(damaged.back() ^ 1);
    EXPECT_EQ(fault_of(damaged, method), Fault::BadData);
  }
  EXPECT_EQ(fault_of(deflated("abc", true), Method::Zlib), Fault::BadData);
  EXPECT_EQ(fault_of(deflated("abc"), Method::Gzip), Fault::BadData);
  EXPECT_EQ(fault_of("abc", Method::Unknown), Fault::UnknownMethod);
}

TEST(ScvUnpack, UnpackedSizeMustEqualDeclaredSize) {
  const std::string data = deflated("12345");
  EXPECT_EQ(fault_of(data, Method::Zlib, 4), Fault::UnpacksToMore);
  EXPECT_EQ(fault_of(data, Method::Zlib, 5), Fault::None);
  EXPECT_EQ(fault_of(data, Method::Zlib, 6), Fault::WrongFileSize);
  EXPECT_EQ(fault_of("12345", Method::Raw, 6), Fault::WrongFileSize);
  EXPECT_EQ(fault_of("12345", Method::Raw, 0), Fault::UnpacksToMore);
}

TEST(ScvUnpack, UnpackingStopsAtSizeLimit) {
  const std::string bomb = deflated(std::string(std::size_t{32} << 20, ' '));
  const auto with_size = unpack_text(member_of(bomb, Method::Zlib, 1000), ArchiveBytes(bomb));
  EXPECT_EQ(with_size.result.fault, Fault::UnpacksToMore);
  EXPECT_LE(with_size.bytes.size(), 1000U);
  const auto without = unpack_text(member_of(bomb, Method::Zlib), ArchiveBytes(bomb), 1 << 20);
  EXPECT_EQ(without.result.fault, Fault::UnpacksToMore);
  EXPECT_LE(without.bytes.size(), std::size_t{1} << 20);
  // A declared size that cannot be verified does not raise the limit.
  const auto boasting = unpack_text(member_of(bomb, Method::Zlib, std::uint64_t{1} << 60),
                                    ArchiveBytes(bomb), 1 << 20);
  EXPECT_EQ(boasting.result.fault, Fault::UnpacksToMore);
}

TEST(ScvUnpack, UnpackingStopsWhenReceiverStops) {
  const std::string data = deflated(long_text());
  const ArchiveBytes archive(data);
  const Unpacked unpacked = unpack(
      member_of(data, Method::Zlib),
      [&](std::uint64_t offset, std::span<std::uint8_t> out) { return archive.read(offset, out); },
      1 << 30, [](Bytes) { return false; });
  EXPECT_EQ(unpacked.fault, Fault::Refused);
}

std::uint32_t crc32_of(std::string_view text) {
  return static_cast<std::uint32_t>(
      ::crc32_z(0, reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

TEST(ScvUnpack, ChecksumsCoverStoredBytes) {
  const std::string text = "123456789";
  const std::string data = deflated(text);
  Member member = member_of(data, Method::Zlib);
  member.checksum = crc32_of(data);
  EXPECT_EQ(unpack_text(member, ArchiveBytes(data)).result.fault, Fault::None);
  member.checksum = crc32_of(text);
  EXPECT_EQ(unpack_text(member, ArchiveBytes(data)).result.fault, Fault::WrongChecksum);

  member = member_of(text, Method::Raw);
  member.checksum = 3421780262;
  EXPECT_EQ(unpack_text(member, ArchiveBytes(text)).result.fault, Fault::None);
  member.checksum = 3421780263;
  EXPECT_EQ(unpack_text(member, ArchiveBytes(text)).result.fault, Fault::WrongChecksum);
}

TEST(ScvUnpack, RawDataMayHaveChecksumOfScidb) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  Member member = member_of(bytes, Method::Raw);
  for (const auto& [checksum, is_text] :
       {std::pair(688229491U, false), std::pair(932461645U, true)}) {
    member.checksum = checksum;
    const Unpacked result = unpack_text(member, ArchiveBytes(bytes)).result;
    EXPECT_EQ(result.fault, Fault::None);
    EXPECT_EQ(result.has_text_checksum, is_text);
  }
}

TEST(ScvUnpack, GzipFilesMayHaveSeveralStreams) {
  const std::string data = deflated("one ", true) + deflated("", true) + deflated("two", true);
  const auto gunzip_text = [](const std::string& packed, std::string& text) {
    const auto sink = [&](Bytes bytes) {
      text.append(bytes.begin(), bytes.end());
      return true;
    };
    Gunzipper gunzipper(1000, sink);
    constexpr std::size_t kPiece = 7;
    for (std::size_t at = 0; at < packed.size(); at += kPiece) {
      if (!gunzipper.add(tests::as_bytes(std::string_view(packed).substr(at, kPiece)))) break;
    }
    return gunzipper.finish();
  };
  std::string text;
  EXPECT_EQ(gunzip_text(data, text).fault, Fault::None);
  EXPECT_EQ(text, "one two");
  EXPECT_EQ(gunzip_text(data + "x", text).fault, Fault::Incomplete);
  EXPECT_EQ(gunzip_text(data + "xxxxxxxxxxxxxxxxxxxxxx", text).fault, Fault::BadData);
  EXPECT_EQ(gunzip_text("", text).fault, Fault::Incomplete);
  EXPECT_EQ(gunzip_text(deflated(std::string(1001, 'x'), true), text).fault, Fault::UnpacksToMore);
}

// One block of LZO1X with only literals. REQUIRES: 4 to 238 of them.
std::string lzo_block(std::string_view text) {
  std::string block(1, static_cast<char>(17 + text.size()));
  return block.append(text).append("\x11\0\0", 3);
}
std::string big(std::size_t number, int width) {
  std::string bytes;
  while (width-- > 0) bytes += static_cast<char>(number >> (8 * width));
  return bytes;
}

class ScvLzo : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_lzo()) GTEST_SKIP() << "LZO is not built in";
  }
  static std::string unpacked(const std::string& data, std::uint64_t size) {
    const auto text = unpack_text(member_of(data, Method::Lzo, size), ArchiveBytes(data));
    return text.result.fault == Fault::None ? text.bytes : std::string(describe(text.result.fault));
  }
};

TEST_F(ScvLzo, UnpacksOneBlock) {
  EXPECT_EQ(unpacked(lzo_block("some text"), 9), "some text");
  EXPECT_EQ(fault_of(lzo_block("some text"), Method::Lzo), Fault::UnknownMethod);
  for (const std::uint64_t size : {std::uint64_t{8}, std::uint64_t{10}, std::uint64_t{1} << 62}) {
    EXPECT_EQ(fault_of(lzo_block("some text"), Method::Lzo, size), Fault::UnknownMethod) << size;
  }
  EXPECT_EQ(fault_of(lzo_block("some text") + "x", Method::Lzo, 9), Fault::UnknownMethod);
  EXPECT_EQ(fault_of("", Method::Lzo, 9), Fault::UnknownMethod);
}

TEST_F(ScvLzo, UnpacksChunks) {
  const std::string stored(32'768, 'x');
  const std::string block = lzo_block("the rest");
  const std::string data = big(32'768, 2) + stored + big(block.size(), 2) + block;
  EXPECT_EQ(unpacked(data, 32'768 + 8), stored + "the rest");
  EXPECT_EQ(fault_of(data, Method::Lzo, 32'768 + 9), Fault::UnknownMethod);
  EXPECT_EQ(fault_of(data + "x", Method::Lzo, 32'768 + 8), Fault::TrailingBytes);
}

TEST_F(ScvLzo, UnpacksLzopFiles) {
  const auto adler = [](std::string_view text) {
    return big(static_cast<std::uint32_t>(
                   ::adler32_z(1, reinterpret_cast<const std::uint8_t*>(text.data()), text.size())),
               4);
  };
  // Flags: checksums of the unpacked blocks and an extra field.
  const std::string header = big(0x1030, 2) + big(0x2080, 2) + big(0x0940, 2) + "\x01\x05" +
                             big(0x41, 4) + big(0644, 4) + big(0, 8) + "\x01n";
  const std::string magic("\x89LZO\0\r\n\x1A\n", 9);
  const std::string start = magic + header + adler(header) + big(3, 4) + "xyz" + big(0, 4);
  const std::string text(40, 't');
  // 40 times the same letter: 4 literals, and a match of 36 at the distance of 1.
  const std::string packed("\x15tttt\x20\x03\0\0\x11\0\0", 12);
  const std::string block = big(40, 4) + big(packed.size(), 4) + adler(text) + packed;
  const std::string stored = big(3, 4) + big(3, 4) + adler("abc") + "abc";
  const std::string end = big(0, 4);
  EXPECT_EQ(unpacked(start + block + stored + end, 43), text + "abc");
  EXPECT_EQ(fault_of(start + block + stored + end + "x", Method::Lzo, 43), Fault::TrailingBytes);
  EXPECT_EQ(fault_of(start + block + stored, Method::Lzo, 43), Fault::Incomplete);
  EXPECT_EQ(fault_of(start + block + end, Method::Lzo, 39), Fault::UnpacksToMore);
  EXPECT_EQ(fault_of(start + block + end, Method::Lzo, 41), Fault::WrongFileSize);
  std::string damaged = start + stored + end;
  damaged[start.size() + 12] = 'x';
  EXPECT_EQ(fault_of(damaged, Method::Lzo, 3), Fault::BadData);
  EXPECT_EQ(fault_of(magic + header + adler("x"), Method::Lzo, 3), Fault::BadData);
}

}  // namespace
}  // namespace scidfs::codec::scv
