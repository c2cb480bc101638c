// pgn-extract plays all our games and must find no fault except those of the games themselves.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "tests/differential/reference.h"
#include "tests/support/files.h"
#include "tests/support/scid_database.h"

namespace scidfs::tests {
namespace {

enum class Complaint {
  Result,    // the tag contradicts the mate or stalemate on the board
  NullMove,  // pgn-extract accepts null moves in variations only
};

// How many of each kind there are.
using Complaints = std::map<Complaint, std::size_t>;

struct Inherent {
  std::string_view database;
  Complaints complaints;
};

const Complaints& inherent(std::string_view database) {
  static const Inherent known[] = {
      {"captures", {{Complaint::Result, 1}}},
      {"nullmoves", {{Complaint::NullMove, 6}}},
      {"queens", {{Complaint::Result, 1}}},
      {"random_annotated", {{Complaint::NullMove, 16}}},
      {"random_fen", {{Complaint::Result, 2}, {Complaint::NullMove, 3}}},
      {"san", {{Complaint::Result, 3}}},
      {"masters", {{Complaint::Result, 4}}},  // official results that differ from the positions
  };
  static const Complaints none;
  const auto found = std::ranges::find(known, database, &Inherent::database);
  return found == std::end(known) ? none : found->complaints;
}

// The messages of pgn-extract without its counter of games.
std::vector<std::string> messages(const std::string& output) {
  std::vector<std::string> lines;
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);) {
    const std::size_t shown = line.rfind('\r');
    if (shown != std::string::npos) line.erase(0, shown + 1);
    while (line.starts_with("Games: ")) {
      const std::size_t end = line.find_first_not_of("0123456789", 7);
      line.erase(0, end);
    }
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

void expect_readable(const std::string& name, const std::string& path) {
  const std::string program = find_program("pgn-extract");
  if (program.empty()) GTEST_SKIP() << "pgn-extract is not installed";
  const std::string file =
      std::filesystem::path(::testing::TempDir()) / fmt::format("scidfs-{}-{}.pgn", name, getpid());
  std::ofstream(file, std::ios::binary) << ScidDatabase(path).render();
  const std::optional<std::string> output =
      output_of(fmt::format("'{}' -s -r '{}' 2>&1", program, file));
  std::filesystem::remove(file);
  ASSERT_TRUE(output.has_value()) << "pgn-extract failed";

  Complaints found;
  const std::vector<std::string> lines = messages(*output);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (line.starts_with("Warning: Result of ")) {
      ++found[Complaint::Result];
      ++i;  // the players are in the next line
    } else if (line == "Null moves (--) only allowed in variations.") {
      ++found[Complaint::NullMove];
    } else if (!line.starts_with("File ") || line.find(": Line number: ") == std::string::npos) {
      ADD_FAILURE() << "pgn-extract says: " << line;
    }
  }
  EXPECT_EQ(found, inherent(name));
}

class PgnExtract : public ::testing::TestWithParam<std::string> {};

TEST_P(PgnExtract, ReadsEveryGame) {
  expect_readable(GetParam(), test_data("scid4/" + GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Scid4, PgnExtract, ::testing::ValuesIn(stems_in("scid4", ".si4")),
                         [](const auto& test) { return test.param; });

TEST(PgnExtractLarge, ReadsMasters) {
  const std::string path = shared_folder() + "/data/masters";
  if (!std::filesystem::exists(path + ".si4")) GTEST_SKIP() << "the shared databases are not here";
  expect_readable("masters", path);
}

}  // namespace
}  // namespace scidfs::tests
