// One test for each rule of the archive syntax.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/scv/archive.h"
#include "codec/scv/groups.h"
#include "codec/scv/name.h"
#include "tests/support/archive.h"

namespace scidfs::codec::scv {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using tests::archive_member;
using tests::ArchiveBytes;
using tests::kArchiveStart;

Archive parse(const std::string& bytes) { return ArchiveBytes(bytes).parse(); }
Archive parse_with(std::string_view lines, std::string_view data) {
  return parse(std::string(kArchiveStart) + archive_member(lines, data));
}
Member member_with(std::string_view line) {
  const Archive archive =
      parse_with("<FileName> a.pgn\n<Size> 3\n" + std::string(line) + "\n", "abc");
  EXPECT_EQ(archive.fault, Fault::None) << line << describe(archive.fault);
  EXPECT_EQ(archive.members.size(), 1U);
  return archive.members.empty() ? Member{} : archive.members[0];
}
// Returns a valid member with this name.
Member named(const std::string& name) {
  const Archive archive = parse_with("<FileName> " + name + "\n<Size> 3\n", "abc");
  EXPECT_EQ(archive.fault, Fault::None) << name;
  return archive.members.empty() ? Member{} : archive.members[0];
}

TEST(Scv, HeaderNamesIgnoreCaseAndFirstValueWins) {
  const Archive archive = parse(
      "iveArch\n<format>\t si4 , pgn \t\n<COUNT> 7\n<Unknown> x\n\n<Count> 8\n"
      "<-- H E A D -->\n<filename>a.pgn\n<SIZE> +3\n<Size> 9\n<FileName> b.pgn\n"
      "<-- D A T A -->\nabc");
  EXPECT_EQ(archive.fault, Fault::None);
  EXPECT_EQ(archive.format, "si4 , pgn");
  EXPECT_EQ(archive.games, 7U);
  ASSERT_EQ(archive.members.size(), 1U);
  EXPECT_EQ(archive.members[0].name, "a.pgn");
  EXPECT_EQ(archive.members[0].size, 3U);
  EXPECT_EQ(archive.members[0].method, Method::Raw);
}

TEST(Scv, RejectsFilesThatAreNotArchives) {
  for (const char* const bytes :
       {"", "iveArch", "iveArc", "ivearch\n", " iveArch\n", "iveArch \n"}) {
    EXPECT_EQ(parse(bytes).fault, Fault::NotAnArchive) << bytes;
  }
  EXPECT_EQ(parse("iveArch\r\n<-- H E A D -->\r\n").fault, Fault::ConvertedLineEnds);
  EXPECT_EQ(parse("iveArch\n").fault, Fault::NoMembers);
  EXPECT_EQ(parse("iveArch\n<Format> si4\n").fault, Fault::NoMembers);
  EXPECT_EQ(parse("iveArch\nFormat si4\n").fault, Fault::CorruptHeader);
  EXPECT_EQ(parse("iveArch\n<-- D A T A -->\n").fault, Fault::CorruptHeader);
  EXPECT_EQ(parse("iveArch\n<> x\n").fault, Fault::CorruptHeader);
}

TEST(Scv, RejectsHeadersBeyondLimits) {
  const std::string start(kArchiveStart);
  const std::string line(std::size_t{65} << 10, 'x');
  EXPECT_EQ(parse(start + "<X> " + line + "\n").fault, Fault::TooLong);
  EXPECT_EQ(parse(start + "<-- H E A D -->\n<X> " + line + "\n").fault, Fault::TooLong);
  std::string many;
  for (int i = 0; i < 1001; ++i) many += "<X> y\n";
  EXPECT_EQ(parse(start + many).fault, Fault::TooLong);
  EXPECT_EQ(parse(start + "<-- H E A D -->\n" + many).fault, Fault::TooLong);
  EXPECT_EQ(parse(start + "<-- H E A D -->\n<Size> 3").fault, Fault::Unterminated);
  EXPECT_EQ(parse(start + "<-- H E A D -->\n<Size> 3\n").fault, Fault::Unterminated);
  EXPECT_EQ(parse(start + "<-- H E A D -->\nsomething\n").fault, Fault::CorruptMemberHeader);
}

TEST(Scv, RejectsTooManyMembers) {
  std::string bytes(kArchiveStart);
  for (std::size_t i = 0; i <= kMaxMembers; ++i) {
    bytes += archive_member("<FileName> " + std::to_string(i) + "\n<Size> 0\n", "");
  }
  const Archive archive = parse(bytes);
  EXPECT_EQ(archive.fault, Fault::TooManyMembers);
  EXPECT_EQ(archive.members.size(), kMaxMembers);
}

TEST(Scv, NumbersAreDigitsWithOptionalPlus) {
  EXPECT_EQ(member_with("<FileSize>  12  ").file_size, 12U);
  EXPECT_EQ(member_with("<FileSize> +12").file_size, 12U);
  EXPECT_EQ(member_with("<FileSize> 9223372036854775807").file_size, 9223372036854775807U);
  for (const char* const number : {"", "x", "1 2", "1x", "0x1", "-1", "1.0", "+-1", "--1", "+",
                                   "9223372036854775808", "00000000000000000001"}) {
    const Member member = member_with("<FileSize> " + std::string(number));
    EXPECT_EQ(member.fault, Fault::BadFileSize) << number;
  }
}

TEST(Scv, SizeMustNotExceedTheFile) {
  const auto fault_of = [](const std::string& size) {
    return parse_with("<FileName> a.pgn\n<Size> " + size + "\n", "abc").fault;
  };
  // The line end after the data may be included.
  EXPECT_EQ(fault_of("4"), Fault::None);
  EXPECT_EQ(fault_of("5"), Fault::SizeExceedsFile);
  EXPECT_EQ(fault_of("-1"), Fault::SizeExceedsFile);
  EXPECT_EQ(fault_of("9223372036854775807"), Fault::SizeExceedsFile);
  EXPECT_EQ(fault_of("18446744073709551615"), Fault::BadSize);
  EXPECT_EQ(fault_of("x"), Fault::BadSize);
  EXPECT_EQ(fault_of("2"), Fault::NoDelimiter);
  EXPECT_EQ(parse_with("<FileName> a.pgn\n", "abc").fault, Fault::NoSize);
}

TEST(Scv, ChecksumsAreUnsignedOrSigned) {
  EXPECT_EQ(member_with("<Checksum> 4294967295").checksum, 4294967295U);
  EXPECT_EQ(member_with("<Checksum> -1").checksum, 4294967295U);
  EXPECT_EQ(member_with("<Checksum> x").fault, Fault::WrongChecksum);
  EXPECT_FALSE(member_with("<X> y").checksum.has_value());
}

TEST(Scv, TimesAreSecondsOrDates) {
  const auto time = [](const std::string& text) {
    return member_with("<Modified> " + text).modified;
  };
  EXPECT_EQ(time("1700000000"), 1'700'000'000);
  EXPECT_EQ(time("2023-11-14 22:13:20"), 1'700'000'000);
  EXPECT_EQ(time("1970-01-01 00:00:00"), 0);
  EXPECT_EQ(time("2000-02-29 12:00:00"), 951'825'600);
  EXPECT_EQ(time("2100-03-01 00:00:00"), 4'107'542'400);
  for (const char* const bad :
       {"", "-5", "yesterday", "2023-13-14 22:13:20", "2023-00-14 22:13:20", "2023-11-14T22:13:20",
        "2023-11-32 00:00:00", "2023-11-14", "2023-11-14 24:00:00", "0000-11-14 22:13:20"}) {
    EXPECT_FALSE(time(bad).has_value()) << bad;
    EXPECT_EQ(member_with("<Modified> " + std::string(bad)).fault, Fault::None);
  }
}

TEST(Scv, MethodNamesIgnoreCase) {
  EXPECT_EQ(member_with("<Compression> ZLib").method, Method::Zlib);
  EXPECT_EQ(member_with("<Compression> LZO").method, Method::Lzo);
  EXPECT_EQ(member_with("<Compression> gzip").method, Method::Gzip);
  EXPECT_EQ(member_with("<Compression> zstd").method, Method::Unknown);
  EXPECT_EQ(member_with("<Compression> zstd").method_name, "zstd");
}

TEST(Scv, RefusesNamesThatLeaveTheArchive) {
  for (const char* const good :
       {"a.pgn", "sub/a.pgn", "a b.pgn", ".hidden", "a..b", "\xC3\xA9.pgn"}) {
    EXPECT_EQ(named(good).fault, Fault::None) << good;
  }
  std::string deep;
  for (int i = 0; i < 40; ++i) deep += "d/";
  for (const std::string& bad :
       {std::string("/a"), std::string("../a"), std::string("a/../b"), std::string("./a"),
        std::string("a//b"), std::string("a/"), std::string(".."), std::string("a\\b"),
        std::string("C:a"), std::string("a\x01"), std::string("a\x7F"), std::string("a<b"),
        std::string("a>b"), std::string("a\0b", 3), std::string(256, 'a'), deep + "a",
        std::string("\xC2\x85"), std::string(5000, 'a')}) {
    EXPECT_EQ(named(bad).fault, Fault::UnsafeName) << bad;
  }
  EXPECT_EQ(named("").fault, Fault::NoName);
  EXPECT_EQ(named("Caf\xE9.pgn").name, "Caf\xC3\xA9.pgn");
}

TEST(Scv, NamesThatDifferOnlyInCaseAreDuplicates) {
  const Archive archive =
      parse(std::string(kArchiveStart) + archive_member("<FileName> \u00C9.pgn\n<Size> 0\n", "") +
            archive_member("<FileName> \u00E9.PGN\n<Size> 0\n", "") +
            archive_member("<FileName> e.pgn\n<Size> 0\n", ""));
  ASSERT_EQ(archive.members.size(), 3U);
  EXPECT_EQ(archive.members[1].fault, Fault::DuplicateName);
  EXPECT_EQ(archive.members[2].fault, Fault::None);
}

TEST(Scv, ExternalMembersHaveNoData) {
  const Archive archive = parse(
      std::string(kArchiveStart) + archive_member("<FileName> a.pgn\n<URI> file:///x/a.pgn\n", "") +
      archive_member("<FileName> b.pgn\n<URI> http://x/b.pgn\n<Size> 3\n", "abc") +
      archive_member("<FileName> http://x/y/c.pgn\n", "") +
      archive_member("<FileName> d.pgn\n<Size> 3\n", "", "<-- N O D A T A -->") +
      archive_member("<FileName> e.pgn\n<URI> http://x/e.pgn\n<Size> 0\n", ""));
  EXPECT_EQ(archive.fault, Fault::None);
  std::vector<bool> external;
  for (const Member& member : archive.members) external.push_back(member.is_external);
  EXPECT_THAT(external, ElementsAre(true, false, true, true, true));
  EXPECT_EQ(archive.members[0].uri, "file:///x/a.pgn");
  EXPECT_EQ(last_component(archive.members[2].name), "c.pgn");
}

TEST(Scv, ReadErrorIsReportedAsFault) {
  const Archive archive = parse_archive(
      1000, [](std::uint64_t, std::span<std::uint8_t>) { return absl::DataLossError("broken"); });
  EXPECT_EQ(archive.fault, Fault::Unreadable);
}

std::vector<Group> groups_of(const std::vector<std::string>& names,
                             std::string_view more_lines = "") {
  std::string bytes(kArchiveStart);
  for (const std::string& name : names) {
    bytes += archive_member("<FileName> " + name + "\n<Size> 0\n" + std::string(more_lines), "");
  }
  return find_groups(parse(bytes));
}

TEST(ScvGroups, MembersAreGroupedByDirectoryAndName) {
  const std::vector<Group> groups =
      groups_of({"x/a.sg4", "a.SN4", "a.Si4", "x/a.si4", "a.sg4", "a.ssc", "b.pgn", "c.PGN.gz",
                 "a.jpg", "a.b.si4", "a.b.sn4"});
  ASSERT_EQ(groups.size(), 5U);
  EXPECT_EQ(groups[0].root, "a");
  EXPECT_EQ(groups[0].index, 2U);
  EXPECT_THAT(groups[0].required, ElementsAre(4, 1));
  EXPECT_THAT(groups[0].optional, ElementsAre(5));
  EXPECT_THAT(groups[0].missing, IsEmpty());
  EXPECT_EQ(groups[1].root, "x/a");
  EXPECT_THAT(groups[1].missing, ElementsAre(".sn4"));
  EXPECT_EQ(groups[2].kind->index, ".pgn");
  EXPECT_EQ(groups[3].kind->index, ".pgn.gz");
  EXPECT_EQ(groups[3].root, "c");
  EXPECT_EQ(groups[4].root, "a.b");
  EXPECT_THAT(groups[4].missing, ElementsAre(".sg4"));
}

TEST(ScvGroups, DatabaseAttributeOverridesFileNames) {
  const std::vector<Group> groups =
      groups_of({"one.si4", "two.sg4", "three.sn4"}, "<Database> base\n");
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].root, "base");
  EXPECT_THAT(groups[0].missing, IsEmpty());
}

TEST(ScvGroups, SuffixBeginsAtTheLastDot) {
  const auto split = [](std::string_view name) {
    const Suffixed parts = split_suffix(name);
    return std::string(parts.root) + "|" + parts.suffix;
  };
  EXPECT_EQ(split("a.SI4"), "a|.si4");
  EXPECT_EQ(split("d.e/a"), "d.e/a|");
  EXPECT_EQ(split("d.e/.pgn"), "d.e/.pgn|");
  EXPECT_EQ(split("a.bpgn.GZ"), "a|.bpgn.gz");
  EXPECT_EQ(split("a.tar.gz"), "a.tar|.gz");
  EXPECT_EQ(split("d/.pgn.gz"), "d/.pgn|.gz");
}

}  // namespace
}  // namespace scidfs::codec::scv
