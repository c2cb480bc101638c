// Compares every fixture, good and damaged, with its expected content.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iomanip>
#include <map>
#include <sstream>

#include "codec/scv/archive.h"
#include "codec/scv/unpack.h"
#include "tests/support/archive.h"
#include "tests/support/files.h"

namespace scidfs::codec::scv {
namespace {

// Rows of expected.tsv for one file.
struct Row {
  std::string member, name, verdict, size, crc32;
};

std::map<std::string, std::vector<Row>> expected_rows() {
  std::map<std::string, std::vector<Row>> rows;
  std::ifstream in(tests::test_data("scv/expected.tsv"));
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream fields(line);
    std::string file;
    Row row;
    std::getline(fields, file, '\t');
    for (std::string* const field : {&row.member, &row.name, &row.verdict, &row.size, &row.crc32}) {
      std::getline(fields, *field, '\t');
    }
    rows[file].push_back(row);
  }
  return rows;
}

// Classes of faults in expected.tsv.
const std::map<std::string, Fault>& faults() {
  static const std::map<std::string, Fault> kFaults = {
      {"ok", Fault::None},
      {"ok (legacy raw checksum)", Fault::None},
      {"external", Fault::None},
      {"error: unsafe name", Fault::UnsafeName},
      {"error: unpacks to more than FileSize", Fault::UnpacksToMore},
      {"error: checksum", Fault::WrongChecksum},
      {"error: duplicate name", Fault::DuplicateName},
      {"error: FileSize mismatch", Fault::WrongFileSize},
      {"error: corrupt archive header", Fault::CorruptHeader},
      {"error: not an archive", Fault::NotAnArchive},
      {"error: unknown compression", Fault::UnknownMethod},
      {"error: no file name", Fault::NoName},
      {"error: bad compressed data", Fault::BadData},
      {"error: Size exceeds the file", Fault::SizeExceedsFile},
      {"error: member without Size", Fault::NoSize},
      {"error: bad Size", Fault::BadSize},
      {"error: zlib stream incomplete", Fault::Incomplete},
      {"error: header delimiter expected", Fault::NoDelimiter},
      {"error: unterminated header line", Fault::Unterminated},
      {"error: bytes after the zlib stream", Fault::TrailingBytes},
  };
  return kFaults;
}

std::string fixture_path(const std::string& file) {
  const std::string small = tests::test_data("scv/" + file);
  return std::filesystem::exists(small) ? small : tests::shared_folder() + "/fixtures/scv/" + file;
}

void check_member(const Row& row, const Member& member, const tests::ArchiveBytes& bytes) {
  SCOPED_TRACE(row.name);
  const Fault expected = faults().at(row.verdict);
  EXPECT_EQ(member.is_external, row.verdict == "external");
  EXPECT_EQ(member.name, row.name == "None" ? "" : row.name);
  if (!member.is_usable()) {
    EXPECT_EQ(member.fault, expected);
    return;
  }
  const tests::UnpackedText text = tests::unpack_text(member, bytes);
  if (member.method == Method::Lzo && !has_lzo()) {
    EXPECT_EQ(text.result.fault, Fault::UnknownMethod);
    return;
  }
  EXPECT_EQ(text.result.fault, expected) << describe(text.result.fault);
  EXPECT_EQ(text.result.has_text_checksum, row.verdict == "ok (legacy raw checksum)");
  if (expected != Fault::None) return;
  EXPECT_EQ(std::to_string(text.result.size), row.size);
  EXPECT_EQ(text.bytes.size(), text.result.size);
  std::ostringstream crc32;
  crc32 << std::hex << std::setw(8) << std::setfill('0') << text.result.crc32;
  EXPECT_EQ(crc32.str(), row.crc32);
}

TEST(ScvFixtures, GiveExpectedMembersAndFaults) {
  std::size_t files = 0;
  for (const auto& [file, rows] : expected_rows()) {
    const std::string path = fixture_path(file);
    if (!std::filesystem::exists(path)) continue;
    ++files;
    SCOPED_TRACE(file);
    const tests::ArchiveBytes bytes(tests::read_file(path));
    const Archive archive = bytes.parse();
    ASSERT_FALSE(rows.empty());
    EXPECT_EQ(archive.fault, faults().at(rows.back().verdict)) << describe(archive.fault);
    ASSERT_EQ(archive.members.size(), rows.size() - 1);
    for (std::size_t i = 0; i < archive.members.size(); ++i) {
      check_member(rows[i], archive.members[i], bytes);
    }
  }
  EXPECT_GE(files, 45U);
}

// Truncation does not change the members before it.
TEST(ScvFixtures, TruncatedFixturesAreReadUpToTruncation) {
  const std::string whole = tests::read_file(tests::test_data("scv/ok-multi.scv"));
  const Archive good = tests::ArchiveBytes(whole).parse();
  ASSERT_EQ(good.members.size(), 4U);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    SCOPED_TRACE(size);
    const tests::ArchiveBytes bytes(whole.substr(0, size));
    const Archive archive = bytes.parse();
    std::size_t count = 0;
    for (const Member& member : good.members) count += member.offset + member.size <= size ? 1 : 0;
    ASSERT_GE(archive.members.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(archive.members[i].name, good.members[i].name);
      EXPECT_EQ(tests::unpack_text(archive.members[i], bytes).result.fault, Fault::None);
    }
    const Member& last = good.members[count == 0 ? 0 : count - 1];
    const bool ends_there =
        count != 0 && (size == last.offset + last.size || size == last.offset + last.size + 1);
    EXPECT_EQ(archive.fault == Fault::None, ends_there);
  }
}

}  // namespace
}  // namespace scidfs::codec::scv
