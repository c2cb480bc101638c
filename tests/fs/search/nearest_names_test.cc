#include "fs/search/nearest_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "fs/search/facet_value.h"
#include "tests/fs/search/slow_distance.h"
#include "tests/support/random_game.h"

namespace scidfs::fs {
namespace {

using testing::ElementsAreArray;

std::vector<std::string> nearest(std::string_view wanted, const std::vector<std::string>& names) {
  const std::string text = *unescape_value(wanted, true);
  const MisspelledName misspelled(text);
  NearestNames found(misspelled);
  for (const std::string& name : names) found.add(name);
  std::vector<std::string> result;
  for (const NearestNames::Near& near : found.all()) result.push_back(near.name);
  return result;
}

TEST(NearestNamesTest, FindsWhatWasMeant) {
  const std::vector<std::string> names = {"Karpov, Anatoly", "Karpov,A",
                                          "Kasparov, Gary",  "Kárpov, Ana",
                                          "Short, Nigel D",  "Kortchnoi, Viktor",
                                          "Polgár, Judit",   "Ståhlberg, G",
                                          "Ивaнов, A",       "World Championship 2013",
                                          "Karpov,A"};
  const struct {
    std::string wanted;
    std::vector<std::string> found;
  } cases[] = {
      {"Karpow,A", {"Karpov,A", "Kárpov, Ana", "Karpov, Anatoly"}},
      {"KARPOV,_ANATOLI", {"Karpov, Anatoly", "Kárpov, Ana", "Karpov,A"}},
      {"Carpov*", {"Karpov,A", "Kárpov, Ana", "Karpov, Anatoly"}},
      {"Krotchnoi", {"Kortchnoi, Viktor"}},
      {"Korchnoi,_V", {"Kortchnoi, Viktor"}},
      {"Polgar,_Yudit", {"Polgár, Judit"}},
      {"Stahlbreg", {"Ståhlberg, G"}},
      {"Ивaнoв,_A", {"Ивaнов, A"}},
      {"*Champoinship*", {"World Championship 2013"}},
      {"Champoinship", {"World Championship 2013"}},
      {"S?ort,_Nigle", {"Short, Nigel D"}},
      {"K*v,_Anatoli", {}},
      {"Nobody,_At_All", {}},
      {"Kar", {"Karpov,A", "Kárpov, Ana", "Karpov, Anatoly"}},
      {"*", {}},
      {"", {}},
      {std::string(300, 'x'), {}},
  };
  for (const auto& test : cases) {
    EXPECT_THAT(nearest(test.wanted, names), ElementsAreArray(test.found)) << test.wanted;
  }
}

TEST(NearestNamesTest, WordsCountInAnyOrder) {
  const std::vector<std::string> names = {
      "Kasparov,G",  "Kasparov, Gary", "Kasparova, Gara", "Gary, Karl",      "Vachier-Lagrave, M",
      "Lagrange, M", "Carlsen,M",      "Carlsen, Henrik", "Karlsen, Magnus", "Vachier Lagrave, X",
      "Wei, Yi",     "Weinert, Y",     "Li, Xiaoming",    "Candidates 2014", "Ponomariov, R"};
  const struct {
    std::string wanted;
    std::vector<std::string> found;
  } cases[] = {
      // The given name in front.
      {"Gary_Kasparov", {"Kasparov, Gary", "Kasparov,G", "Kasparova, Gara"}},
      {"garry_kasparow", {"Kasparov, Gary", "Kasparov,G"}},
      {"M_Carlsen", {"Carlsen,M", "Carlsen, Henrik", "Karlsen, Magnus"}},
      {"Yi_Wei", {"Wei, Yi", "Weinert, Y"}},
      // A part of a name.
      {"Lagrave", {"Vachier Lagrave, X", "Vachier-Lagrave, M"}},
      {"Maxime_Lagrave", {"Vachier-Lagrave, M", "Vachier Lagrave, X"}},
      {"Lagra", {"Lagrange, M", "Vachier Lagrave, X", "Vachier-Lagrave, M"}},
      {"candidates", {"Candidates 2014"}},
      {"Xiao", {"Li, Xiaoming"}},
      // An initial for the name, and the reverse.
      {"Carlsen,Magnus", {"Carlsen,M", "Karlsen, Magnus", "Carlsen, Henrik"}},
      {"Carlsen,H.", {"Carlsen, Henrik", "Carlsen,M"}},
      {"Ponomariov,Ruslan", {"Ponomariov, R"}},
      {"Li,X", {"Li, Xiaoming"}},
      // Another year.
      {"Candidates_2013", {"Candidates 2014"}},
      // What tells too little.
      {"Gary_Nobody", {}},
      {"A,_M", {}},
      {"Z", {}},
  };
  for (const auto& test : cases) {
    EXPECT_THAT(nearest(test.wanted, names), ElementsAreArray(test.found)) << test.wanted;
  }
}

// The words of a folded text.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// The nearness without regard to what can be told by a look at the letters.
std::optional<Nearness> slow_nearness(const std::string& wanted, const std::string& name) {
  Nearness near{.distance = tests::slow_distance(wanted, name, false)};
  const bool is_near = near.distance.of_part <= wanted.size() / 4;
  std::vector<std::string> asked = words_of(wanted);
  std::ranges::stable_sort(asked, std::greater(), &std::string::size);
  std::vector<std::string> left = words_of(name);
  std::size_t missing = 0, wrong = 0, exact = 0, all = 0;
  bool is_telling = false;
  for (const std::string& word : asked) {
    all += word.size();
    // How it is there (exactly, misspelled, a beginning, not at all), letters, whether it is not
    // telling, where.
    std::tuple<int, std::size_t, bool, std::size_t> best(3, 0, true, 0);
    for (std::size_t i = 0; i < left.size(); ++i) {
      const std::size_t distance = tests::slow_distance(word, left[i], false).of_whole;
      if (distance <= word.size() / 4) {
        best = std::min(best, {distance == 0 ? 0 : 1, distance, word.size() < 2, i});
      } else if (left[i].starts_with(word)) {
        best = std::min(best, {2, 1, word.size() < 3, i});
      } else if (word.starts_with(left[i])) {
        best = std::min(best, {2, 1, true, i});
      }
    }
    const auto [how, letters, is_not_telling, place] = best;
    if (how == 3) {
      ++missing;
      continue;
    }
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(place));
    wrong += letters;
    if (how == 2) ++near.begun;
    if (how == 0) exact += word.size();
    is_telling = is_telling || !is_not_telling;
  }
  near.inexact = all - exact;
  const bool are_enough = is_telling && (missing == 0 || 2 * exact >= all);
  if (!is_near && !are_enough) return std::nullopt;
  near.missing = is_near ? 0 : missing;
  near.wrong = is_near ? near.distance.of_part : wrong;
  if (are_enough && missing == 0) near.wrong = std::min(near.wrong, wrong);
  return near;
}

TEST(NearestNamesTest, AreThoseThatAComparisonOfAllWordsFinds) {
  constexpr int kCases = 20'000;
  tests::Random random(1);
  const auto text = [&random] {
    constexpr std::array<std::string_view, 12> kWords = {"carlsen", "magnus", "m",       "carl",
                                                         "li",      "lie",    "vachier", "lagrave",
                                                         "lagrvae", "2013",   "open",    "opn"};
    std::string made;
    for (std::size_t count = 1 + random.below(4); count != 0; --count) {
      made += kWords[random.below(kWords.size())];
      if (random.one_in(4)) made[random.below(made.size())] = "alm 3"[random.below(5)];
      if (count != 1) made += random.one_in(2) ? ", " : " ";
    }
    return made;
  };
  std::string room;
  int near = 0;
  for (int i = 0; i < kCases; ++i) {
    const std::string wanted = text();
    const std::string name = text();
    const std::optional<Nearness> found = MisspelledName(wanted).nearness(name, room);
    ASSERT_EQ(found, slow_nearness(wanted, name)) << wanted << '\n' << name;
    if (found.has_value()) ++near;
  }
  EXPECT_GT(near, kCases / 10);
}

}  // namespace
}  // namespace scidfs::fs
