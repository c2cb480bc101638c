// board.svg and explorer.json of positions, which no listing has.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>

#include "tests/mounted/mounted.h"
#include "tests/support/explorer_check.h"
#include "tests/support/xml_check.h"

namespace scidfs::tests {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

constexpr std::array<const char*, 3> kPages = {"board.svg", "board-black.svg", "explorer.json"};
constexpr std::array<const char*, 5> kPositions = {
    "tree", "tree/e4,c5", "tree/e4/c5/Nf3", "years/2018/tree/d2d4,g8f6",
    "positions/r1bqkbnr-pppp1ppp-2n5-1B2p3-4P3-5N2-PPPP1PPP-RNBQK2R_b"};

class PagesTest : public SampleTest {
 protected:
  // Expects that stat(2), fstat(2) and read(2) tell one size. Returns the text.
  static std::string read_whole(const std::filesystem::path& path) {
    struct stat by_name {};
    EXPECT_EQ(::stat(path.c_str(), &by_name), 0) << path << ": " << std::strerror(errno);
    const std::string text = read_all(path);
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat opened {};
    EXPECT_EQ(::fstat(file, &opened), 0) << path << ": " << std::strerror(errno);
    ::close(file);
    EXPECT_EQ(by_name.st_size, static_cast<off_t>(text.size())) << path;
    EXPECT_EQ(opened.st_size, static_cast<off_t>(text.size())) << path;
    EXPECT_EQ(opened.st_ino, by_name.st_ino) << path;
    return text;
  }
};

TEST_F(PagesTest, AreNotListedAndOpenWithTheirSizes) {
  std::map<std::string, std::string> texts;
  for (const char* const position : kPositions) {
    for (const char* const page : kPages) {
      EXPECT_THAT(names_in(*mount_ / position), Not(Contains(page))) << position;
      const std::filesystem::path path = *mount_ / position / page;
      texts[path.lexically_relative(mount_->path())] = read_whole(path);
      EXPECT_THAT(names_in(*mount_ / position), Not(Contains(page))) << "after it was read";
    }
  }
  // Where no size of a game is known, and nothing is kept, they are the same.
  const Mount other({.source = sample_database(), .options = "index=none,cache_dir=none,cache=0"});
  ASSERT_TRUE(other.ok());
  for (const auto& [path, text] : texts) {
    EXPECT_FALSE(text.empty()) << path;
    EXPECT_EQ(read_whole(other / path), text) << path;
  }
}

TEST_F(PagesTest, AreWhatProgramsRead) {
  for (const char* const position : kPositions) {
    const std::filesystem::path directory = *mount_ / position;
    const std::string explorer = read_all(directory / "explorer.json");
    EXPECT_THAT(explorer_faults(explorer), IsEmpty()) << position << ": " << explorer;
    EXPECT_GT(parse_explorer(explorer)["moves"].size(), 0U) << position;
    for (const char* const picture : {"board.svg", "board-black.svg"}) {
      const ParsedXml xml = parse_xml(read_all(directory / picture));
      EXPECT_EQ(xml.fault, "") << position;
      EXPECT_NE(xml.find("title"), nullptr) << position;
    }
  }
}

TEST_F(PagesTest, AreThoseOfPositionsOnly) {
  for (const char* const path :
       {"board.svg", "explorer.json", "years/2018/explorer.json", "games/explorer.json",
        "positions/explorer.json", "search/eco=B/board.svg", "tree/e4,e4", "tree/e4,",
        "tree/e4,,e5", "tree/e4,e5,Ke3/explorer.json"}) {
    errno = 0;
    EXPECT_EQ(::open((*mount_ / path).c_str(), O_RDONLY | O_CLOEXEC), -1) << path;
    EXPECT_EQ(errno, ENOENT) << path;
  }
}

}  // namespace
}  // namespace scidfs::tests
