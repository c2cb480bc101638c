// Damaged archives, mounted in process and read in full.
#include <gtest/gtest.h>

#include <string>

#include "codec/scv/archive.h"
#include "fs/library/library.h"
#include "tests/fuzz/target.h"
#include "tests/support/archive.h"
#include "tests/support/files.h"
#include "tests/support/library.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_files.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tree_walk.h"

namespace scidfs::fuzz {
namespace {

constexpr int kCount = 400;

// Databases, PGN files and others, packed and unpacked.
std::string whole_archive() {
  std::string bytes(tests::kArchiveStart);
  for (const std::string stem : {"tags", "flags"}) {
    const tests::ScidFiles files = tests::read_scid_files(tests::test_data("scid4/" + stem));
    const std::string as = stem == "tags" ? stem : "sub/" + stem;
    bytes += tests::packed_member(as + ".si4", files.index) +
             tests::packed_member(as + ".sg4", files.games) +
             tests::packed_member(as + ".sn4", files.names);
  }
  const std::string pgn = "[Event \"?\"]\n\n1. e4 *\n\n";
  bytes += tests::packed_member("sub/one.pgn.gz", tests::deflated(pgn, true));
  bytes += tests::archive_member("<FileName> two.pgn\n<Size> 10\n", "0123456789");
  bytes += tests::archive_member("<FileName> far.pgn\n<URI> http://x/far.pgn\n", "");
  bytes += tests::packed_member("picture.png", std::string(100'000, 'p'));
  return bytes;
}

// Changed bytes within the headers as a rule: checksums detect changed data.
std::string damaged(const std::string& whole, tests::Random& random) {
  std::string bytes = whole;
  if (random.one_in(4)) {
    mutate_bytes(bytes, 1'000'000, random);
    return bytes;
  }
  for (std::size_t changes = 1 + random.below(3); changes > 0; --changes) {
    const std::size_t start = bytes.find("<-- H E A D", random.below(bytes.size()));
    if (start == std::string::npos) continue;
    const std::size_t length = bytes.find("<-- D A T A", start) - start;
    std::string header = bytes.substr(start, length);
    mutate_bytes(header, 10'000, random);
    bytes.replace(start, length, header);
  }
  if (random.one_in(10)) bytes.resize(random.below(bytes.size()));
  return bytes;
}

TEST(DamagedArchives, ShowUndamagedMembers) {
  const std::string whole = whole_archive();
  tests::Random random(1);
  int shown = 0;
  int untouched = 0;
  for (int i = 0; i < kCount && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const tests::MemoryFolder folder;
    const std::string bytes = i == 0 ? whole : damaged(whole, random);
    tests::write_file(folder / "x.scv", bytes);
    const auto library = fs::Library::open(folder.path(), tests::without_patience());
    ASSERT_TRUE(library.ok());
    tests::WalkedTree walked = tests::walk_library(**library);
    // Members are shown unchanged.
    std::erase_if(walked.faults, [](const std::string& fault) {
      return fault.ends_with("is no UTF-8") && fault.find(".si4/") == std::string::npos;
    });
    EXPECT_EQ(walked.faults, std::vector<std::string>());
    if (!walked.files.contains("x.scv/info.txt")) continue;
    ++shown;
    const auto pgn = walked.files.find("x.scv/two.pgn");
    if (pgn != walked.files.end() && pgn->second == "0123456789") ++untouched;
    if (i == 0) {
      EXPECT_TRUE(walked.files.contains("x.scv/sub/flags.si4/all.pgn"));
      EXPECT_TRUE(walked.files.contains("x.scv/sub/one.pgn"));
      EXPECT_TRUE(walked.files.contains("x.scv/files/picture.png"));
    }
  }
  EXPECT_GT(shown, kCount / 2);
  EXPECT_GT(untouched, kCount / 8);
}

}  // namespace
}  // namespace scidfs::fuzz
