// Limits on the descriptors, memory and time that an archive may use.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>

#include "fs/archive/archive_file.h"
#include "fs/file/descriptors.h"
#include "tests/fs/library_fixture.h"
#include "tests/support/archive.h"
#include "tests/support/descriptor_limit.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using codec::scv::Fault;
using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::Not;
using tests::packed_member;

using ArchivePtr = std::shared_ptr<const ArchiveFile>;

constexpr std::size_t kMiB = std::size_t{1} << 20;

std::string database_members(const tests::ScidFiles& files, const std::string& root) {
  return packed_member(root + ".si4", files.index) + packed_member(root + ".sg4", files.games) +
         packed_member(root + ".sn4", files.names);
}

// Blanks, which deflate compresses to a thousandth.
std::string bomb(std::string_view name, const std::string& data, std::size_t size) {
  const std::string declared = size == 0 ? "" : "<FileSize> " + std::to_string(size) + "\n";
  return tests::archive_member("<FileName> " + std::string(name) + "\n" + declared +
                                   "<Compression> zlib\n<Size> " + std::to_string(data.size()) +
                                   "\n",
                               data);
}

// A text that takes some time to unpack, and is compressed to about a fifth.
std::string long_text(std::size_t size) {
  std::string text;
  tests::Random random(1);
  while (text.size() < size) text += std::to_string(random.below(100)) + " e4 e5 Nf3 Nc6 ";
  return text;
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

class ArchiveLimitsTest : public LibraryTest {
 protected:
  void put_archive(std::string_view name, const std::string& members) {
    put(source_ / name, std::string(tests::kArchiveStart) + members, tests::replace);
  }
  absl::StatusOr<ArchivePtr> open_archive(std::string_view name) const {
    absl::StatusOr<SourceFile> file = SourceFile::open(source_ / name);
    EXPECT_TRUE(file.ok()) << file.status();
    if (!file.ok()) return file.status();
    return ArchiveFile::open(*std::move(file), options_.unpack);
  }
};

TEST_F(ArchiveLimitsTest, ArchiveOfManyDatabasesUsesTwoDescriptors) {
  const tests::ScidFiles files = example_database(2, 1).files();
  std::string members;
  for (int i = 0; i < 300; ++i) members += database_members(files, "base" + std::to_string(i));
  put_archive("a.scv", members);
  for (const UnpackTo to : {UnpackTo::Memory, UnpackTo::File}) {
    close();
    options_.unpack = {.to = to, .folder = folder_ / "cache"};
    const std::size_t before = tests::open_descriptors();
    open(source_);
    EXPECT_EQ(tests::open_descriptors(), before + 2);
    EXPECT_EQ(library_->catalog()->databases(), 300U);
    EXPECT_EQ(text("a.scv/base299.si4/all.pgn"), text("a.scv/base0.si4/all.pgn"));
    EXPECT_THAT(text("a.scv/base7.si4/all.pgn"), HasSubstr("[White "));
  }
}

TEST_F(ArchiveLimitsTest, LackOfDescriptorsIsNotReportedAsDamage) {
  put("base", example_database(3, 1).files());
  put_archive("a.scv", database_members(example_database(3, 1).files(), "base"));
  // Leaves room for `more` files before the reserve.
  const auto with_room_for = [](std::size_t more, auto&& act) {
    std::vector<int> filled;
    const tests::DescriptorLimit limit(400);
    while (tests::open_descriptors() + reserved_descriptors() + more < most_descriptors()) {
      filled.push_back(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    }
    act();
    for (const int file : filled) ::close(file);
  };
  for (const std::size_t more : {0U, 1U, 2U}) {
    with_room_for(more, [&] {
      const auto opened = Database::open(source_ / "base.si4", "base", {});
      EXPECT_TRUE(absl::IsResourceExhausted(opened.status())) << more << opened.status();
      EXPECT_THAT(std::string(opened.status().message()), HasSubstr("ulimit -n"));
    });
  }
  with_room_for(3, [&] {
    const auto opened = Database::open(source_ / "base.si4", "base", {});
    ASSERT_TRUE(opened.ok()) << opened.status();
    EXPECT_THAT((*opened)->files().problems(), testing::IsEmpty());
  });
  with_room_for(1, [&] { EXPECT_TRUE(absl::IsResourceExhausted(open_archive("a.scv").status())); });
  with_room_for(2, [&] { EXPECT_TRUE(open_archive("a.scv").ok()); });
}

TEST_F(ArchiveLimitsTest, OpeningStopsWhenCancelled) {
  std::string members;
  const std::string text = long_text(4 * kMiB);
  for (int i = 0; i < 12; ++i) members += packed_member("x" + std::to_string(i) + ".pgn", text);
  put_archive("a.scv", members);
  // Processor time, because the machine may be busy.
  const double start = cpu_seconds();
  double asked = start;
  double longest = 0;
  options_.unpack.is_cancelled = [&] {
    const double now = cpu_seconds();
    longest = std::max(longest, now - std::exchange(asked, now));
    return now - start > 0.05;
  };
  EXPECT_TRUE(absl::IsCancelled(open_archive("a.scv").status()));
  EXPECT_LT(longest, 0.02);
  EXPECT_LT(cpu_seconds() - start, 0.1);
  options_.unpack.is_cancelled = nullptr;
  EXPECT_TRUE(open_archive("a.scv").ok());
}

TEST_F(ArchiveLimitsTest, CancelledUnpackingIsTakenOverByOthers) {
  const std::string text = long_text(4 * kMiB);
  put_archive("a.scv", packed_member("x.pgn.gz", tests::deflated(text, true)));
  const ArchivePtr archive = *open_archive("a.scv");
  EXPECT_FALSE(archive->has_gunzipped(0));
  int asked = 0;
  EXPECT_TRUE(absl::IsCancelled(archive->gunzipped(0, [&] { return ++asked > 20; }).status()));
  EXPECT_FALSE(archive->has_gunzipped(0));
  const std::uint64_t memory = archive->memory();
  EXPECT_TRUE(absl::IsCancelled(archive->gunzipped(0, [] { return true; }).status()));
  EXPECT_EQ(archive->memory(), memory);

  // One caller unpacks and makes no progress; another one that waits for it can be cancelled.
  std::atomic<bool> is_at_work = false;
  std::atomic<bool> may_go_on = false;
  std::thread worker([&] {
    const auto range = archive->gunzipped(0, [&] {
      is_at_work = true;
      while (!may_go_on) std::this_thread::sleep_for(milliseconds(1));
      return false;
    });
    EXPECT_TRUE(range.ok()) << range.status();
  });
  while (!is_at_work) std::this_thread::sleep_for(milliseconds(1));
  EXPECT_TRUE(absl::IsCancelled(archive->gunzipped(0, [] { return true; }).status()));
  may_go_on = true;
  const auto range = archive->gunzipped(0);
  worker.join();
  ASSERT_TRUE(range.ok());
  EXPECT_TRUE(archive->has_gunzipped(0));
  EXPECT_EQ(archive->memory(), text.size());
  std::string read(text.size(), '\0');
  ASSERT_TRUE(range->read(0, {reinterpret_cast<std::uint8_t*>(read.data()), read.size()}).ok());
  EXPECT_EQ(read, text);
}

TEST_F(ArchiveLimitsTest, MembersThatUnpackToTooMuchAreRefused) {
  const std::string data = tests::deflated(std::string(70 * kMiB, ' '));
  const std::string harmless = tests::deflated(std::string(2 * kMiB, ' '));
  put_archive("a.scv",
              bomb("declared.pgn", data, 70 * kMiB) + bomb("silent.pgn", data, 0) +
                  bomb("small.pgn", harmless, 0) +
                  packed_member("gz.pgn.gz", tests::deflated(std::string(70 * kMiB, ' '), true)) +
                  database_members(example_database(5, 1).files(), "base"));
  const ArchivePtr archive = *open_archive("a.scv");
  EXPECT_EQ(archive->fault(0), Fault::Overpacked);
  EXPECT_EQ(archive->fault(1), Fault::Overpacked);
  EXPECT_EQ(archive->fault(2), Fault::None);
  EXPECT_EQ(archive->fault(3), Fault::None);
  EXPECT_FALSE(archive->gunzipped_size(3).has_value());
  open(source_);
  const std::string info = text("a.scv/info.txt");
  EXPECT_THAT(info, HasSubstr("problem: declared.pgn: it unpacks to too many times its size\n"));
  EXPECT_THAT(info, HasSubstr("problem: silent.pgn: it unpacks to too many times its size\n"));
  EXPECT_THAT(info, HasSubstr("problem: gz.pgn.gz: what is in it cannot be unpacked\n"));
  EXPECT_FALSE(exists("a.scv/declared.pgn"));
  EXPECT_EQ(text("a.scv/small.pgn").size(), 2 * kMiB);
  EXPECT_THAT(text("a.scv/base.si4/all.pgn"), HasSubstr("[White "));
}

// 6 GiB out of 6 MiB, in members none of which is too large: unpacking takes 20 s.
TEST_F(ArchiveLimitsTest, UnpackingTimeOfManyBombsIsBoundedBySizeOfArchive) {
  constexpr std::size_t kSize = 60 * kMiB;
  const std::string data = tests::deflated(std::string(kSize, ' '));
  std::string members;
  for (int i = 0; i < 100; ++i) {
    members += bomb("x" + std::to_string(i) + ".pgn", data, i % 2 == 0 ? kSize : 0);
  }
  put_archive("a.scv", members + database_members(example_database(5, 1).files(), "base"));
  open(source_);
  EXPECT_THAT(text("a.scv/base.si4/all.pgn"), HasSubstr("[White "));
  const std::string info = text("a.scv/info.txt");
  EXPECT_THAT(info, HasSubstr("member: x0.pgn: 62914560 bytes"));
  for (const std::string name : {"x10.pgn", "x99.pgn"}) {
    EXPECT_THAT(
        info, HasSubstr("problem: " + name + ": not looked into: the archive takes too much work"));
  }
}

// Empty streams of gzip, of which a file can have any number with 20 bytes each.
TEST_F(ArchiveLimitsTest, UnpackingWithoutOutputCanBeCancelled) {
  std::string streams;
  const std::string empty = tests::deflated("", true);
  while (streams.size() < 8 * kMiB) streams += empty;
  put_archive("a.scv",
              tests::archive_member(
                  "<FileName> x.pgn.gz\n<Size> " + std::to_string(streams.size()) + "\n", streams));
  int asked = 0;
  options_.unpack.is_cancelled = [&asked] {
    ++asked;
    return false;
  };
  const ArchivePtr archive = *open_archive("a.scv");
  EXPECT_EQ(archive->gunzipped_size(0), 0U);
  EXPECT_GT(asked, 100);
}

}  // namespace
}  // namespace scidfs::fs
