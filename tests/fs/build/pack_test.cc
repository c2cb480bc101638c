// Packs databases into an archive, and unpacks it again.
#include "fs/build/pack.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <atomic>
#include <set>
#include <thread>

#include "tests/fs/library_fixture.h"
#include "tests/support/archive.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class PackTest : public LibraryTest {
 protected:
  absl::Status pack_all(const std::vector<std::string>& names, bool overwrite = false) const {
    PackOptions options{.databases = {},
                        .archive = target_,
                        .overwrite = overwrite,
                        .pause = std::chrono::milliseconds(20)};
    for (const std::string& name : names) options.databases.push_back(source_ / name);
    return pack(options);
  }
  codec::scv::Archive archive() const {
    return tests::ArchiveBytes(tests::read_file(target_)).parse();
  }
  // The unpacked bytes of a member.
  std::string member(std::size_t number) const {
    const tests::ArchiveBytes bytes(tests::read_file(target_));
    const tests::UnpackedText text = tests::unpack_text(archive().members.at(number), bytes);
    EXPECT_EQ(text.result.fault, codec::scv::Fault::None);
    return text.bytes;
  }
  std::vector<std::string> names_in_target_folder() const {
    std::vector<std::string> names;
    for (const auto& entry : stdfs::directory_iterator(folder_ / "out")) {
      names.push_back(entry.path().filename());
    }
    return names;
  }
  void SetUp() override { stdfs::create_directory(folder_ / "out"); }

  const Path target_ = folder_ / "out" / "base.scv";
};

TEST_F(PackTest, UnpackedFilesEqualPackedFiles) {
  put("a", example_database(300, 1).files());
  put("b", example_database(2, 2).files());
  put(source_ / "c.pgn", "[Event \"?\"]\n\n*\n\n");
  put(source_ / "empty.pgn", "");
  const std::vector<std::string> files = {"a.si4", "a.sg4", "a.sn4", "b.si4",
                                          "b.sg4", "b.sn4", "c.pgn", "empty.pgn"};
  ASSERT_TRUE(pack_all({"a.si4", "b.si4", "c.pgn", "empty.pgn"}).ok());
  const codec::scv::Archive packed = archive();
  EXPECT_EQ(packed.fault, codec::scv::Fault::None);
  ASSERT_EQ(packed.members.size(), files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    struct stat status {};
    ASSERT_EQ(::stat((source_ / files[i]).c_str(), &status), 0);
    EXPECT_EQ(packed.members[i].name, files[i]);
    EXPECT_EQ(packed.members[i].modified, status.st_mtim.tv_sec);
    EXPECT_EQ(member(i), tests::read_file(source_ / files[i])) << files[i];
  }
  // Each format once, as Scidb does.
  EXPECT_EQ(packed.format, "pgn,si4");
  EXPECT_EQ(packed.type, "multi");
  EXPECT_FALSE(packed.games.has_value());
  // A mount shows the same games.
  open(source_);
  const std::string all = text("a.si4/all.pgn");
  open(target_);
  EXPECT_EQ(text("a.si4/all.pgn"), all);
}

// The parser of Scidb accepts no other form.
TEST_F(PackTest, ArchiveHasTheFormatThatScidbReads) {
  put("a", example_database(3, 1).files());
  ASSERT_TRUE(pack_all({"a.si4"}).ok());
  const std::string bytes = tests::read_file(target_);
  std::uint64_t total = 0;
  for (const char* const file : {"a.si4", "a.sg4", "a.sn4"}) {
    total += stdfs::file_size(source_ / file);
  }
  EXPECT_THAT(bytes, StartsWith("iveArch\n<TotalSize> " + std::to_string(total) +
                                "\n<Count> 3\n<Format> si4\n<Type> single\n"
                                "<-- H E A D -->\n<FileName> a.si4\n<FileSize> " +
                                std::to_string(stdfs::file_size(source_ / "a.si4")) +
                                "\n<Compression> zlib\n<Modified> "));
  const codec::scv::Archive packed = archive();
  for (const codec::scv::Member& member : packed.members) {
    const std::string size = std::to_string(member.size);
    EXPECT_THAT(bytes, HasSubstr("\n<Size> " + size + std::string(11 - size.size(), ' ') + "\n"));
    const std::string checksum = std::to_string(*member.checksum);
    EXPECT_THAT(bytes, HasSubstr("\n<Checksum> " + checksum +
                                 std::string(11 - checksum.size(), ' ') + "\n<-- D A T A -->\n"));
    EXPECT_EQ(bytes.substr(member.offset, 2), "\x78\x9C");
    const std::uint64_t end = member.offset + member.size;
    EXPECT_EQ(bytes.substr(end, 17),
              &member == &packed.members.back() ? "" : "\n<-- H E A D -->\n");
  }
}

TEST_F(PackTest, ExistingArchiveIsReplacedOnlyWithForce) {
  put("a", example_database(3, 1).files());
  put(target_, "precious");
  EXPECT_THAT(std::string(pack_all({"a.si4"}).message()), HasSubstr("--force"));
  EXPECT_EQ(tests::read_file(target_), "precious");
  ASSERT_TRUE(pack_all({"a.si4"}, true).ok());
  EXPECT_EQ(archive().members.size(), 3U);
  EXPECT_THAT(names_in_target_folder(), ElementsAre("base.scv"));
  PackOptions onto_itself{
      .databases = {source_ / "a.si4"}, .archive = source_ / "a.sg4", .overwrite = true};
  EXPECT_THAT(std::string(pack(onto_itself).message()), HasSubstr("it would be overwritten"));
}

TEST_F(PackTest, FailureLeavesNoArchive) {
  put("a", example_database(3, 1).files());
  put(source_ / "lone.si4", example_database(3, 1).files().index);
  put(source_ / "other.txt", "text");
  put(source_ / "bad:name.pgn", "text");
  stdfs::create_directory(source_ / "sub");
  put(source_ / "sub/A.pgn", "one");
  put(source_ / "a.pgn", "two");
  EXPECT_FALSE(pack_all({"gone.si4"}).ok());
  EXPECT_THAT(std::string(pack_all({"lone.si4"}).message()), HasSubstr("lone.sg4"));
  EXPECT_THAT(std::string(pack_all({"other.txt"}).message()), HasSubstr("neither the index"));
  EXPECT_THAT(std::string(pack_all({"bad:name.pgn"}).message()), HasSubstr("such a name"));
  EXPECT_THAT(std::string(pack_all({"a.pgn", "sub/A.pgn"}).message()), HasSubstr("same name"));
  EXPECT_THAT(names_in_target_folder(), testing::IsEmpty());
  const Path nowhere = folder_ / "none" / "x.scv";
  EXPECT_FALSE(pack({.databases = {source_ / "a.si4"}, .archive = nowhere}).ok());
}

TEST_F(PackTest, OnlyRegularFileIsOverwritten) {
  put("a", example_database(3, 1).files());
  put(source_ / "precious", "precious");
  stdfs::create_symlink(source_ / "precious", target_);
  for (const bool overwrite : {false, true}) {
    EXPECT_EQ(pack_all({"a.si4"}, overwrite).message(), "Cannot write " + target_.string() + ": " +
                                                            target_.string() +
                                                            " is a symbolic link: not replaced");
  }
  EXPECT_EQ(tests::read_file(source_ / "precious"), "precious");
  EXPECT_THAT(names_in_target_folder(), ElementsAre("base.scv"));
}

TEST_F(PackTest, FilesInCapitalsBelongToTheirIndex) {
  const tests::ScidFiles files = example_database(30, 1).files();
  put(source_ / "MEGA.SI4", files.index);
  put(source_ / "MEGA.SG4", files.games);
  put(source_ / "mega.sn4", files.names);
  ASSERT_EQ(pack_all({"MEGA.SI4"}), absl::OkStatus());
  std::vector<std::string> names;
  for (const codec::scv::Member& member : archive().members) names.push_back(member.name);
  EXPECT_THAT(names, ElementsAre("MEGA.SI4", "MEGA.SG4", "MEGA.sn4"));
  EXPECT_EQ(member(1), files.games);
  EXPECT_EQ(member(2), files.names);
  open(target_);
  EXPECT_THAT(text("info.txt"), HasSubstr("database: MEGA.SI4: 30 games\n"));
}

TEST_F(PackTest, PartialDatabaseIsPackedOnlyIfItStaysUnchanged) {
  const tests::ScidFiles one = example_database(20, 1).files();
  put("a", one);
  put(source_ / "a.sg4", one.games.substr(0, one.games.size() / 2));
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    put(source_ / "a.sg4", one.games, tests::replace);
  });
  EXPECT_TRUE(pack_all({"a.si4"}).ok());
  writer.join();
  EXPECT_EQ(member(1), one.games);
  put(source_ / "a.sg4", "half", tests::replace);
  EXPECT_TRUE(pack_all({"a.si4"}, true).ok());
  EXPECT_EQ(member(1), "half");
}

// The packed files are one version, or the error says that a program is writing.
TEST_F(PackTest, DatabaseBeingReplacedIsPackedAsOneVersionOrRefused) {
  const tests::ScidFiles one = example_database(2000, 1).files();
  const tests::ScidFiles two = example_database(1500, 2).files();
  put("a", one);
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) {
      put("a", i % 2 == 0 ? two : one);
      std::this_thread::sleep_for(std::chrono::milliseconds(i % 3 == 0 ? 60 : 2));
    }
  });
  for (int i = 0; i < 10; ++i) {
    const absl::Status status = pack_all({"a.si4"}, true);
    if (!status.ok()) {
      EXPECT_TRUE(absl::IsUnavailable(status)) << status;
      continue;
    }
    const bool is_one = member(0) == one.index;
    EXPECT_EQ(member(0), is_one ? one.index : two.index);
    EXPECT_EQ(member(1), is_one ? one.games : two.games);
    EXPECT_EQ(member(2), is_one ? one.names : two.names);
  }
  stop = true;
  writer.join();
  ASSERT_TRUE(pack_all({"a.si4"}, true).ok());
  EXPECT_EQ(member(1), tests::read_file(source_ / "a.sg4"));
}

}  // namespace
}  // namespace scidfs::fs
