// Snapshots of any format in a library: how they are found, shown, replaced and removed.
#include <gmock/gmock.h>

#include <array>
#include <map>
#include <sstream>

#include "codec/number.h"
#include "fs/content/places_snapshot.h"
#include "tests/fs/library_fixture.h"
#include "tests/support/library.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

// A format of the tests: "name=text" lines are files, "dir/name=text" is a file in a directory, and
// double/N, which is never listed, contains 2 * N. "broken" is invalid; "problem" and "unfinished"
// as a first line have these effects.
class Lines : public PlacesSnapshot {
 public:
  static absl::StatusOr<Opened> open_file(const stdfs::path& path, const OpenOptions& options) {
    const absl::StatusOr<SourceFile> file = SourceFile::open(path, options.database.origin);
    if (!file.ok()) return file.status();
    const absl::StatusOr<std::vector<std::uint8_t>> bytes = file->read_front(1 << 20);
    if (!bytes.ok()) return bytes.status();
    const std::string text(bytes->begin(), bytes->end());
    if (text == "broken") return absl::DataLossError("Cannot open " + path.string());
    auto lines = std::make_shared<Lines>();
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
      const std::size_t equals = line.find('=');
      if (equals == std::string::npos) {
        lines->first_ = line;
      } else {
        lines->files_.emplace_back(line.substr(0, equals), line.substr(equals + 1) + "\n");
      }
    }
    Opened opened;
    opened.fingerprint = fingerprint_of(file->stamp());
    opened.mtime = {.seconds = file->stamp().mtime_seconds,
                    .nanoseconds = file->stamp().mtime_nanoseconds};
    opened.is_whole = lines->first_ != "unfinished";
    opened.problems = lines->problems();
    opened.snapshot = std::move(lines);
    return opened;
  }
  static SourceStamps stamps(const stdfs::path& path) { return {stamp_of(path)}; }

  std::string summary() const override { return std::to_string(files_.size()) + " lines"; }
  std::vector<std::string> problems() const override {
    if (first_ != "problem") return {};
    return {"a line is wrong"};
  }
  bool is_directory(LocalId place) const override {
    return place.view == 0 && place.entry <= kDouble && place.key == 0;
  }
  bool exists(LocalId place) const override {
    if (place.view != 0) return false;
    return is_directory(place) || place.entry == kProduct ||
           (place.entry == kFile && place.key < files_.size());
  }
  absl::Status list(LocalId directory, std::uint64_t first, const WorkBudget&,
                    EmitChild emit) const override {
    if (directory.entry == kDouble) return absl::OkStatus();
    const std::uint64_t more = directory.entry == kTop ? 2 : 0;
    return list_children(
        first, files_.size() + more,
        [&](std::uint64_t position) -> std::optional<Child> {
          if (position >= files_.size()) {
            const bool is_double = position > files_.size();
            return child(is_double ? "double" : "dir", is_double ? kDouble : kSub, 0);
          }
          return child_in(directory, position);
        },
        emit);
  }
  std::optional<Child> find(LocalId directory, std::string_view name) const override {
    if (directory.entry == kTop && name == "dir") return child("dir", kSub, 0);
    if (directory.entry == kTop && name == "double") return child("double", kDouble, 0);
    if (directory.entry == kDouble) {
      const auto number = codec::parse_number<std::uint32_t>(name);
      if (!number) return std::nullopt;
      return child(std::string(name), kProduct, *number);
    }
    for (std::size_t i = 0; i < files_.size(); ++i) {
      std::optional<Child> found = child_in(directory, i);
      if (found && found->name == name) return found;
    }
    return std::nullopt;
  }
  absl::StatusOr<std::unique_ptr<Content>> open(LocalId file, const WorkBudget&) const override {
    if (file.entry == kProduct) {
      return std::make_unique<TextContent>(std::to_string(2 * std::uint64_t{file.key}));
    }
    if (file.entry != kFile || file.key >= files_.size()) return absl::NotFoundError("no file");
    return std::make_unique<TextContent>(files_[file.key].second);
  }

 private:
  enum Level : std::uint8_t { kTop, kSub, kDouble, kFile, kProduct };

  static Child child(std::string name, Level level, std::uint32_t key) {
    return {.name = std::move(name),
            .place = {.entry = level, .key = key},
            .is_directory = level <= kDouble};
  }
  std::optional<Child> child_in(LocalId directory, std::size_t line) const {
    std::string_view name = files_[line].first;
    const bool is_below = name.starts_with("dir/");
    if (is_below != (directory.entry == kSub)) return std::nullopt;
    if (is_below) name.remove_prefix(4);
    return child(std::string(name), kFile, static_cast<std::uint32_t>(line));
  }

  std::string first_;
  std::vector<std::pair<std::string, std::string>> files_;
};

constexpr std::array kFormats = {
    SourceFormat{.extension = ".lines", .open = &Lines::open_file, .stamps = &Lines::stamps}};

class SnapshotTest : public LibraryTest {
 protected:
  SnapshotTest() {
    formats_.assign(kFormats.begin(), kFormats.end());
    for (const SourceFormat& format : source_formats()) formats_.push_back(format);
    options_.formats = formats_;
  }

  void write(std::string_view name, std::string_view bytes) { put(source_ / name, bytes); }

  std::vector<SourceFormat> formats_;
};

TEST_F(SnapshotTest, AreShownInTheirFolderBesideDatabases) {
  stdfs::create_directory(source_ / "sub");
  put("base", example_database(3, 1).files());
  write("a.lines", "one=1\ndir/two=22");
  write("sub/b.lines", "problem\none=first");
  write("sub/c.lines", "broken");
  open(source_);
  EXPECT_THAT(names(""), ElementsAre("base.si4", "a.lines", "sub", "info.txt", "index.html",
                                     "status.txt", "README.txt"));
  EXPECT_THAT(names("a.lines"), ElementsAre("one", "dir", "double"));
  EXPECT_THAT(names("a.lines/dir"), ElementsAre("two"));
  EXPECT_EQ(text("a.lines/one"), "1\n");
  EXPECT_EQ(text("a.lines/dir/two"), "22\n");
  EXPECT_EQ(text("sub/b.lines/one"), "first\n");
  EXPECT_FALSE(exists("a.lines/two"));
  EXPECT_FALSE(exists("a.lines/one/two"));
  EXPECT_FALSE(exists("sub/c.lines"));
  EXPECT_THAT(text("info.txt"), HasSubstr("directory: a.lines: 2 lines\n"));
  EXPECT_THAT(text("sub/info.txt"), HasSubstr("directory: b.lines: 1 lines, damaged\n"));
  EXPECT_THAT(text("sub/info.txt"), HasSubstr("refused: Cannot open "));
  EXPECT_THAT(text("status.txt"), HasSubstr("directory sub/b.lines: 1 lines, damaged\n"));
}

TEST_F(SnapshotTest, UnlistedNamesAreFound) {
  write("a.lines", "one=1");
  open(source_);
  EXPECT_TRUE(names("a.lines/double").empty());
  EXPECT_EQ(text("a.lines/double/21"), "42");
  EXPECT_EQ(text("a.lines/double/268435455"), "536870910") << "the greatest key";
  EXPECT_FALSE(exists("a.lines/double/x"));
}

TEST_F(SnapshotTest, InodeNumbersSurviveRemount) {
  write("a.lines", "one=1\ndir/two=22");
  open(source_);
  std::map<std::string, Inode> before;
  for (const char* const path : {"a.lines", "a.lines/one", "a.lines/dir", "a.lines/double/3"}) {
    before[path] = inode(path);
  }
  // Other files are added and removed.
  write("b.lines", "one=1");
  put("base", example_database(3, 1).files());
  open(source_);
  for (const auto& [path, number] : before) EXPECT_EQ(inode(path), number) << path;
}

TEST_F(SnapshotTest, InvalidInodeNumbersAreNotFound) {
  write("a.lines", "one=1");
  open(source_);
  const InodeFields file = unpack(inode("a.lines/one"));
  const auto with = [](InodeFields node, auto change) {
    change(node);
    return pack(node);
  };
  for (const Inode number : {with(file, [](InodeFields& n) { n.place.key = 7; }),
                             with(file, [](InodeFields& n) { n.place.entry = 9; }),
                             with(file, [](InodeFields& n) { n.epoch = 0; }),
                             with(file, [](InodeFields& n) { n.place.entry = 0, n.place.key = 0; }),
                             with(file, [](InodeFields& n) { n.epoch ^= 1; }),
                             with(file, [](InodeFields& n) { n.slot ^= 1; }),
                             with(file, [](InodeFields& n) { n.place.view = 1; })}) {
    EXPECT_FALSE(tree_->attributes(number, tests::unlimited_budget()).ok()) << number;
    EXPECT_FALSE(tree_->read(number, 0, 10, tests::unlimited_budget()).ok()) << number;
    EXPECT_FALSE(tree_->lookup(number, "one", tests::unlimited_budget()).ok()) << number;
  }
  EXPECT_FALSE(tree_
                   ->list(pack(file), 0, tests::unlimited_budget(),
                          [](const DirectoryEntry&) { return true; })
                   .ok());
  EXPECT_FALSE(tree_->read(inode("a.lines"), 0, 10, tests::unlimited_budget()).ok());
}

TEST_F(SnapshotTest, ParentsLeadToTheRoot) {
  stdfs::create_directory(source_ / "sub");
  write("sub/a.lines", "one=1\ndir/two=22");
  open(source_);
  EXPECT_EQ(
      tree_->lookup(inode("sub/a.lines/dir"), "..", tests::unlimited_budget())->attributes.inode,
      inode("sub/a.lines"));
  EXPECT_EQ(tree_->lookup(inode("sub/a.lines"), "..", tests::unlimited_budget())->attributes.inode,
            inode("sub"));
}

TEST_F(SnapshotTest, ListingContinuesWhereItStopped) {
  write("a.lines", "one=1\ntwo=2\nthree=3");
  for (const bool alone : {false, true}) {
    open(alone ? source_ / "a.lines" : source_);
    const std::string path = alone ? "" : "a.lines";
    std::vector<std::string> found;
    std::uint64_t next = 0;
    for (bool any = true; any;) {
      any = false;
      ASSERT_TRUE(tree_
                      ->list(inode(path), next, tests::unlimited_budget(),
                             [&](const DirectoryEntry& entry) {
                               if (any) return false;
                               any = true;
                               found.emplace_back(entry.name);
                               next = entry.next;
                               return true;
                             })
                      .ok());
    }
    EXPECT_EQ(found, names(path));
  }
}

TEST_F(SnapshotTest, NewVersionIsShownAndOldOneStaysReadable) {
  write("a.lines", "one=1\ndir/two=22");
  open(source_);
  const Inode directory = inode("a.lines");
  const Inode below = inode("a.lines/dir");
  const Inode file = inode("a.lines/one");
  const auto time = mtime("a.lines");
  EXPECT_FALSE(library_->rescan().changed);

  put(source_ / "a.lines", "one=another", tests::replace);
  set_time(source_ / "a.lines", 0);  // earlier than before
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_EQ(inode("a.lines"), directory);
  EXPECT_EQ(inode("a.lines/dir"), below);
  EXPECT_NE(inode("a.lines/one"), file);
  EXPECT_GT(mtime("a.lines"), time);
  EXPECT_EQ(text("a.lines/one"), "another\n");
  EXPECT_FALSE(exists("a.lines/dir/two"));
  EXPECT_EQ(*read(file), "1\n");
  EXPECT_EQ(library_->catalog()->retired().size(), 2U);
  EXPECT_THAT(tree_->renew(), testing::IsSupersetOf({directory, below}));
}

TEST_F(SnapshotTest, PartialVersionIsShownOnlyIfItStaysUnchanged) {
  write("a.lines", "one=1");
  open(source_);
  for (const char* const half : {"broken", "unfinished\none=2"}) {
    put(source_ / "a.lines", half, tests::replace);
    const Library::Rescan found = library_->rescan();
    EXPECT_FALSE(found.changed);
    EXPECT_TRUE(found.again);
    EXPECT_EQ(text("a.lines/one"), "1\n");
  }
  options_.patience = std::chrono::milliseconds(0);
  open(source_);
  EXPECT_EQ(text("a.lines/one"), "2\n");
  put(source_ / "a.lines", "broken", tests::replace);
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_FALSE(exists("a.lines"));
  EXPECT_THAT(text("info.txt"), HasSubstr("refused: "));
  put(source_ / "a.lines", "one=3", tests::replace);
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_EQ(text("a.lines/one"), "3\n");
  EXPECT_THAT(text("info.txt"), testing::Not(HasSubstr("refused: ")));
}

TEST_F(SnapshotTest, RemovedFileStaysReadableForItsReaders) {
  write("a.lines", "one=1");
  put("base", example_database(3, 1).files());
  open(source_);
  const Inode file = inode("a.lines/one");
  stdfs::remove(source_ / "a.lines");
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_FALSE(exists("a.lines"));
  EXPECT_EQ(*read(file), "1\n");
  EXPECT_THAT(text("info.txt"), testing::Not(HasSubstr("a.lines")));
}

TEST_F(SnapshotTest, FileCanBeTheSource) {
  write("a.lines", "info.txt=of its own\none=1\ndir/two=22");
  open(source_ / "a.lines");
  EXPECT_THAT(names(""),
              ElementsAre("info.txt", "one", "dir", "double", "status.txt", "README.txt"));
  EXPECT_EQ(text("info.txt"), "of its own\n");
  EXPECT_EQ(text("dir/two"), "22\n");
  EXPECT_EQ(tree_->lookup(inode("dir"), "..", tests::unlimited_budget())->attributes.inode,
            kRootInode);
  const Inode file = inode("one");

  put(source_ / "a.lines", "one=another", tests::replace);
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_EQ(text("one"), "another\n");
  EXPECT_EQ(*read(file), "1\n");
  EXPECT_FALSE(exists("info.txt"));

  stdfs::remove(source_ / "a.lines");
  EXPECT_FALSE(library_->rescan().changed);
  EXPECT_EQ(text("one"), "another\n");
}

TEST_F(SnapshotTest, InvalidSourceIsRefused) {
  write("a.lines", "broken");
  write("a.other", "one=1");
  const auto broken = Library::open(source_ / "a.lines", options_);
  EXPECT_TRUE(absl::IsDataLoss(broken.status())) << broken.status();
  const auto other = Library::open(source_ / "a.other", options_);
  EXPECT_THAT(std::string(other.status().message()), HasSubstr("nor a file that ends in .lines"));
}

}  // namespace
}  // namespace scidfs::fs
