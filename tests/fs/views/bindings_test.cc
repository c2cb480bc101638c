// A request binds each set once.
#include <string>
#include <string_view>
#include <vector>

#include "tests/fs/library_fixture.h"
#include "tests/support/scid_files.h"

namespace scidfs::fs {
namespace {

class BindingsTest : public LibraryTest {
 protected:
  void open(int databases) {
    const std::filesystem::path folder = source_ / "folder";
    std::filesystem::create_directory(folder);
    for (int i = 0; i < databases; ++i) {
      tests::ScidWriter writer;
      tests::Random random(static_cast<std::uint64_t>(i));
      for (int game = 0; game < 5; ++game) {
        writer.add(tests::random_game(random, {.plies = 20}).record(), "Anna", "Bert");
      }
      put("folder/" + std::to_string(i), writer.files());
    }
    LibraryTest::open(source_);
  }

  template <class Ask>
  std::uint64_t bound_by(const Ask& ask) const {
    const std::uint64_t before = library_->searches().sets_bound;
    ask();
    return library_->searches().sets_bound - before;
  }

  // Makes each request about a directory of a set and its index.tsv twice: first, and when the
  // content is known. Returns how many sets each has bound.
  std::vector<std::uint64_t> requests(std::string_view path) const {
    const WorkBudget budget = tests::unlimited_budget();
    const Inode set = inode(path);
    std::vector<std::uint64_t> bound;
    for (int time = 0; time < 2; ++time) {
      bound.push_back(bound_by([&] { EXPECT_TRUE(tree_->lookup(set, "index.tsv", budget).ok()); }));
      const Inode file = tree_->lookup(set, "index.tsv", budget)->attributes.inode;
      bound.push_back(bound_by([&] { EXPECT_TRUE(tree_->attributes(set, budget).ok()); }));
      bound.push_back(bound_by([&] { EXPECT_TRUE(tree_->attributes(file, budget).ok()); }));
      bound.push_back(bound_by([&] { EXPECT_TRUE(tree_->read(file, 0, 100, budget).ok()); }));
      bound.push_back(bound_by([&] {
        EXPECT_TRUE(tree_->list(set, 0, budget, [](const DirectoryEntry&) { return true; }).ok());
      }));
      bound.push_back(
          bound_by([&] { EXPECT_FALSE(tree_->lookup(set, "no such name", budget).ok()); }));
    }
    return bound;
  }
};

TEST_F(BindingsTest, OneOfTheSet) {
  open(1);
  for (const std::string path : {"0.si4", "0.si4/years/_unknown", "0.si4/players/an/Anna"}) {
    EXPECT_EQ(requests("folder/" + path), std::vector<std::uint64_t>(12, 1)) << path;
  }
}

TEST_F(BindingsTest, OneOfASearchAndOneOfTheGamesThatItSearches) {
  open(1);
  EXPECT_EQ(requests("folder/0.si4/search/result=draw"), std::vector<std::uint64_t>(12, 2));
  EXPECT_EQ(requests("folder/0.si4/tree"), std::vector<std::uint64_t>(12, 2));
}

TEST_F(BindingsTest, BelowTogetherOneThereAndOneInEachDatabase) {
  open(4);
  for (const std::string path : {"", "/players/an/Anna", "/years/_unknown"}) {
    EXPECT_EQ(requests("folder/together" + path), std::vector<std::uint64_t>(12, 5)) << path;
  }
  EXPECT_EQ(requests("folder/together/players/an/Anna/search/result=draw"),
            std::vector<std::uint64_t>(12, 6));
}

}  // namespace
}  // namespace scidfs::fs
