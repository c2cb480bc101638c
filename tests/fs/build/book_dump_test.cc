// Dumps books of the fixtures as tables, and the readable rest of damaged ones.
#include "fs/build/book_dump.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fs/book/book.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Dump {
  std::string text;
  std::vector<std::string> problems;
  absl::Status status;

  std::ptrdiff_t lines() const { return std::ranges::count(text, '\n'); }
};

Dump dumped(const std::filesystem::path& path) {
  Dump result;
  const auto problems = dump_book(path, [&result](std::string_view text) { result.text += text; });
  result.status = problems.status();
  if (problems.ok()) result.problems = *problems;
  return result;
}

Dump dump_fixture(const std::string& name) { return dumped(tests::test_data("kvetka/" + name)); }

std::string expected_dump(const std::string& name) {
  return tests::read_file(tests::test_data("kvetka/" + name + ".expected.tsv"));
}

TEST(BookDump, DumpsGoodBooks) {
  for (const std::string name : {"small", "split", "nolinks"}) {
    const Dump book = dump_fixture(name);
    EXPECT_EQ(book.text, expected_dump(name)) << name;
    EXPECT_THAT(book.problems, ElementsAre()) << name;
  }
}

TEST(BookDump, DumpsSources) {
  for (const std::string name : {"small.ksf", "split.ksf"}) {
    const Dump sources = dump_fixture(name);
    EXPECT_EQ(sources.text, expected_dump(name)) << name;
    EXPECT_THAT(sources.problems, ElementsAre()) << name;
  }
}

TEST(BookDump, AnyFileOfBookNamesTheBook) {
  for (const std::string name : {"nolinks_0.kob", "nolinks.kob", "nolinks.kin"}) {
    EXPECT_EQ(dump_fixture(name).text, expected_dump("nolinks")) << name;
  }
}

TEST(BookDump, FilesInCapitalsBelongToBook) {
  const tests::TemporaryFolder folder;
  const auto copy = [&folder](const std::string& from, const std::string& to) {
    std::filesystem::copy_file(tests::test_data("kvetka/" + from), folder / to);
  };
  copy("split_0.kob", "SPLIT_0.KOB");
  copy("split_1.kob", "SPLIT_1.KOB");
  copy("split_2.kob", "SPLIT_2.kob");
  copy("split.ksf", "SPLIT.ksf");
  copy("small_0.kob", "SMALL_0.KOB");
  copy("small.kin", "SMALL.KIN");
  for (const std::string of : {"SPLIT", "SMALL"}) {
    for (const char* const end : {"", ".KOB", "_0.KOB", ".KIN"}) {
      const Dump book = dumped(folder / (of + end));
      EXPECT_EQ(book.text, expected_dump(of == "SPLIT" ? "split" : "small")) << of << end;
      EXPECT_THAT(book.problems, ElementsAre()) << of << end;
    }
  }
  EXPECT_EQ(dumped(folder / "SPLIT.ksf").text, expected_dump("split.ksf"));
  // If two files have equal names except for case, the lower case one belongs to the book without
  // an extension.
  copy("small_0.kob", "SPLIT_0.kob");
  EXPECT_EQ(dumped(folder / "SPLIT_0.KOB").text, expected_dump("split"));
  EXPECT_NE(dumped(folder / "SPLIT").text, expected_dump("split"));
}

TEST(BookDump, DumpDoesNotDependOnLayoutOfLinks) {
  const auto body = [](const std::string& name) {
    const std::string text = dump_fixture(name).text;
    return text.substr(text.find('\n'));
  };
  for (const std::string name : {"layout_u16", "layout_u32", "layout_bare"}) {
    EXPECT_EQ(body(name), body("layout_ci")) << name;
  }
}

TEST(BookDump, DamageHidesOneBlock) {
  const Dump good = dump_fixture("bad_none_baseline");
  EXPECT_THAT(good.problems, ElementsAre());
  const std::string second_block = good.text.substr(good.text.find("\n1\t"));
  for (const std::string name :
       {"bad_fill_big", "bad_fill_small", "bad_element_overrun", "bad_compactint"}) {
    const Dump book = dump_fixture(name);
    EXPECT_THAT(book.problems, ElementsAre(StartsWith("block 0, byte "))) << name;
    EXPECT_THAT(book.text, ::testing::EndsWith(second_block)) << name;
  }
}

TEST(BookDump, ReportsWrongBlockCountAndTruncation) {
  const Dump good = dump_fixture("bad_none_baseline");
  const Dump short_of_blocks = dump_fixture("bad_blockcount");
  EXPECT_THAT(short_of_blocks.problems, ElementsAre(HasSubstr("tells of 3 blocks")));
  EXPECT_EQ(short_of_blocks.lines(), good.lines());

  const Dump cut = dump_fixture("bad_truncated");
  EXPECT_THAT(cut.problems,
              ElementsAre(HasSubstr("tells of 2 blocks, 4096 bytes; there are 3996")));
  EXPECT_THAT(good.text.substr(good.text.find("#block")),
              StartsWith(cut.text.substr(cut.text.find("#block"))));

  const Dump unsorted = dump_fixture("bad_unsorted");
  EXPECT_THAT(unsorted.problems, ElementsAre(HasSubstr("out of order")));
  EXPECT_EQ(unsorted.lines(), good.lines());

  EXPECT_THAT(std::string(dump_fixture("bad_type").status.message()), HasSubstr("type 2"));
  EXPECT_THAT(std::string(dump_fixture("bad_caption").status.message()), HasSubstr("caption"));
  EXPECT_TRUE(absl::IsNotFound(dump_fixture("no_such_book").status));
}

// Copies the pieces of a fixture with their names.
void copy_book(const std::string& name, const tests::MemoryFolder& folder,
               const std::vector<std::string>& suffixes) {
  for (const std::string& suffix : suffixes) {
    tests::write_file(folder / (name + suffix),
                      tests::read_file(tests::test_data("kvetka/" + name + suffix)));
  }
}

TEST(BookDump, MissingPieceEndsTheBook) {
  const tests::MemoryFolder folder;
  copy_book("split", folder, {"_0.kob", "_2.kob"});
  const Dump book = dumped(folder / "split");
  EXPECT_THAT(book.problems,
              ElementsAre(HasSubstr("split_1.kob is missing"), HasSubstr("tells of 21 blocks")));
  const std::string all = expected_dump("split");
  EXPECT_THAT(all.substr(all.find("#block")),
              StartsWith(book.text.substr(book.text.find("#block"))));
}

// Every position of every block is found, with and without an index, and no other.
TEST(Book, FindsItsPositionsAndNoOthers) {
  for (const std::string name : {"small", "split", "nolinks", "small_stale", "bad_unsorted"}) {
    const tests::MemoryFolder folder;
    if (name == "small_stale") {
      copy_book("small", folder, {"_0.kob"});
      tests::write_file(folder / "small.kin",
                        tests::read_file(tests::test_data("kvetka/small_stale.kin")));
    }
    const auto book = Book::open(name == "small_stale" ? (folder / "small").string()
                                                       : tests::test_data("kvetka/" + name));
    ASSERT_TRUE(book.ok()) << name;
    EXPECT_EQ((*book)->problems().size(), name == "small_stale" ? 1U : 0U);
    BookBlock block;
    std::size_t positions = 0;
    BookPosition found;
    for (std::uint64_t i = 0; i < (*book)->blocks(); ++i) {
      ASSERT_TRUE((*book)
                      ->visit_block(i, block,
                                    [&](const codec::kvetka::Element& element) {
                                      ++positions;
                                      const auto is_there = (*book)->find(element.key, found);
                                      ASSERT_TRUE(is_there.ok() && *is_there) << name;
                                      EXPECT_EQ(found.element.key, element.key);
                                      EXPECT_EQ(found.element.wins, element.wins);
                                      codec::kvetka::Key other = element.key;
                                      other.back() ^= 1;
                                      const auto is_other = (*book)->find(other, found);
                                      EXPECT_TRUE(is_other.ok() && !*is_other) << name;
                                    })
                      .ok());
    }
    EXPECT_GT(positions, 80U) << name;
  }
}

// An index of the right size whose first and last keys are right.
TEST(Book, WrongIndexIsDetected) {
  const tests::MemoryFolder folder;
  copy_book("small", folder, {"_0.kob"});
  std::string index = tests::read_file(tests::test_data("kvetka/small.kin"));
  // Keys slightly above the right ones: the first element of a block is searched in the block
  // before.
  constexpr std::size_t kKeySize = codec::kvetka::kKeySize;
  for (std::size_t i = 1; i + 1 < index.size() / kKeySize; ++i) index[(i + 1) * kKeySize - 1] |= 1;
  tests::write_file(folder / "small.kin", index);
  const auto book = Book::open(folder / "small");
  ASSERT_TRUE(book.ok());
  EXPECT_THAT((*book)->problems(), ElementsAre());
  BookBlock block;
  BookPosition found;
  for (std::uint64_t i = 0; i < (*book)->blocks(); ++i) {
    (void)(*book)->visit_block(i, block, [&](const codec::kvetka::Element& element) {
      const auto is_there = (*book)->find(element.key, found);
      EXPECT_TRUE(is_there.ok() && *is_there) << i;
    });
  }
}

}  // namespace
}  // namespace scidfs::fs
