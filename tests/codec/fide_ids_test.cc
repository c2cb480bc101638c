#include "codec/scid/fide_ids.h"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>
#include <vector>

#include "codec/text.h"

namespace scidfs::codec::scid {
namespace {

TEST(FideIds, StandInTagsOfAnyCase) {
  struct Case {
    std::vector<std::pair<std::string_view, std::string_view>> tags;
    FideIds ids;
  };
  const std::vector<Case> cases = {
      {{}, {}},
      {{{"WhiteFideId", "1503014"}}, {.white = 1'503'014}},
      {{{"BlackFideId", "1503014"}}, {.black = 1'503'014}},
      {{{"Annotator", "7"}, {"WhiteFideID", "1"}, {"BlackFIDEID", "2"}}, {.white = 1, .black = 2}},
      {{{"whitefideid", "007"}, {"BLACKFIDEID", "4294967295"}},
       {.white = 7, .black = 4'294'967'295}},
      // Not such tags.
      {{{"WhiteFide", "1"}, {"WhiteFideIds", "1"}, {"WhiteTeamId", "1"}, {"GreenFideId", "1"}}, {}},
      // Not ids.
      {{{"WhiteFideId", ""}, {"BlackFideId", "0"}}, {}},
      {{{"WhiteFideId", "-1"}, {"BlackFideId", "+1"}}, {}},
      {{{"WhiteFideId", "99999999999999"}, {"BlackFideId", "4294967296"}}, {}},
      {{{"WhiteFideId", "12a"}, {"BlackFideId", "GM"}}, {}},
      {{{"WhiteFideId", " 12"}, {"BlackFideId", "12 "}}, {}},
      {{{"WhiteFideId", "1 2"}, {"BlackFideId", "\xC2\xB2"}}, {}},
      {{{"WhiteFideId", "?"}, {"BlackFideId", "12"}}, {.black = 12}},
      // Contradictions.
      {{{"WhiteFideId", "1"}, {"WhiteFideID", "2"}, {"BlackFideId", "3"}}, {.black = 3}},
      {{{"WhiteFideId", "1"}, {"WhiteFideID", "2"}, {"WHITEFIDEID", "1"}}, {}},
      {{{"WhiteFideId", "1"}, {"WhiteFideID", "1"}}, {.white = 1}},
      {{{"WhiteFideId", "1"}, {"WhiteFideID", "?"}}, {.white = 1}},
      {{{"WhiteFideId", "1"}, {"BlackFideId", "1"}}, {}},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::vector<ExtraTag> tags;
    for (const auto& [name, value] : cases[i].tags) {
      tags.push_back({.name = name, .value = as_bytes(value)});
    }
    const FideIds ids = fide_ids_of(tags);
    EXPECT_EQ(ids.white, cases[i].ids.white) << i;
    EXPECT_EQ(ids.black, cases[i].ids.black) << i;
  }
}

}  // namespace
}  // namespace scidfs::codec::scid
