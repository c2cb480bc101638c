// The names of a spelling file in a few large arrays: made in one pass, saved unchanged.
//
// All arrays are parts of one vector of words, without gaps. P is the number of persons, A that of
// aliases (other spellings), S = P + A.
//
//  array          words  content
//  the header     14     SpellingIndex::Word
//  kPersonRows    9 P    a row of Field for each person, in the order of the file
//  kAliasRows     2 A    a row of AliasField for each alias, likewise
//  kFronts        2 S    for each place the first eight bytes of the key as a number, which sorts
//  as
//                        they do: its low word, its high word
//  kOrder         S      for each place its item: a person, or P + the number of an alias
//  kNames         *      the names of persons
//  kAliasTexts    *      the aliases
//  kCountryTexts  *      countries as in Person, each text once
//  kRules         *      the lines that are not about one player
//  kHistories     *      the ratings of persons who share a surname and an initial with others, see
//                        rating_history.h
//
//  * As many as the bytes need that the header counts; zeros fill the last word. A text, or a
//    history, ends where the next one begins.
//
// The words that have several fields:
//
//  word         bits    field       width  meaning
//  kExcluded+i  31..0   characters     32  bit b: keys leave out the ASCII character 32 i + b
//  kBorn        24..0   date           25  codec::pack_date()
//  kDied        24..0   date           25  likewise
//  kFacts       30..17  titles         14  codec::scid::titles_to_string()
//               16      inactive        1
//               15      woman           1
//               14      estimated       1  whether the rating is
//               13..0   highest        14  the rating; 0: unknown
//  kCountries   31..8   offset         24  in kCountryTexts
//               7..0    length          8  in bytes
//  kBest        13..0   rating         14  the greatest of `highest` and all lists; 0: unknown
//
// A change of these tables requires another kLayoutVersion.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/status/statusor.h>

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/scid/names.h"
#include "codec/scid/spelling_file.h"
#include "codec/types.h"
#include "fs/reference/rating_history.h"

namespace scidfs::fs {

// All spellings of players, sorted by the characters that count in comparisons (the key), and those
// facts of each player that tables need. About 80 bytes a player. Immutable.
class SpellingIndex {
 public:
  struct Person {
    std::string_view name;       // the correct one
    std::string_view countries;  // "URS/RUS"
    std::uint32_t titles = 0;    // bits, see codec::scid::titles_to_string()
    std::uint32_t fide_id = 0;   // 0: none
    codec::Date born{};
    codec::Date died{};
    std::uint16_t highest = 0;  // the rating behind the name; 0: unknown
    std::uint16_t best = 0;     // the greatest of `highest` and the ratings of all years
    bool is_estimated = false;  // whether `highest` is
    bool is_woman = false;
    bool is_inactive = false;
    MonthRating listed{};  // the rating in FIDE's list, if there is one; its month may be unknown
  };

  SpellingIndex(SpellingIndex&&) = default;
  SpellingIndex& operator=(SpellingIndex&&) = default;

  // Makes an index without names.
  static SpellingIndex empty();
  // Makes an index from the result of words(). Returns DataLoss for anything else.
  static absl::StatusOr<SpellingIndex> from(std::vector<std::uint32_t> words);
  // Returns the data to save.
  std::span<const std::uint32_t> words() const { return words_; }

  std::uint64_t fingerprint() const;  // of the bytes of the file
  std::uint32_t persons() const { return words_[kPersons]; }
  // REQUIRES for all below: person < persons(), place < spellings().
  Person person(std::uint32_t person) const;
  // Appends the known ratings of a person, by month; none of a person whose surname and initial
  // no other person has.
  void append_history(std::uint32_t person, std::vector<MonthRating>& ratings) const;
  // Returns Person::fide_id.
  std::uint32_t fide_id(std::uint32_t person) const { return field(person, kFideId); }
  // Returns where the first line of a person begins in the file.
  std::uint64_t offset(std::uint32_t person) const { return field(person, kOffset); }

  // Spellings by place: by key in byte order, then correct names first, then in the order of the
  // file.
  std::uint32_t spellings() const { return words_[kPersons] + words_[kAliases]; }
  std::uint32_t person_at(std::uint32_t place) const;
  std::string_view spelling_at(std::uint32_t place) const {
    assert(place < spellings());
    return text_of(order_[place]);
  }
  // Returns the first place whose key is not less than `key`.
  std::uint32_t lower_bound(std::string_view key) const;
  // Whether the key of a place is this one, or begins with it.
  enum class Match : std::uint8_t { None, Beginning, Exact };
  Match match(std::uint32_t place, std::string_view key) const;

  // Returns all lines of the file that are not about one player.
  std::string_view rules() const { return rules_; }

  std::size_t memory() const { return words_.capacity() * sizeof(words_[0]); }

 private:
  friend class SpellingIndexBuilder;

  // The arrays after the header.
  enum Array : std::size_t {
    kPersonRows,
    kAliasRows,
    kFronts,
    kOrder,
    kNames,
    kAliasTexts,
    kCountryTexts,
    kRules,
    kHistories,
    kArrays,
  };
  // The words of the header: the version of the layout, counts, the fingerprint of the file, ...
  enum Word : std::size_t {
    kLayout,
    kPersons,
    kAliases,
    kNameBytes,
    kAliasBytes,
    kCountryBytes,
    kRulesBytes,
    kHistoryBytes,
    kFingerprint,
    kFingerprintTop,
    kExcluded,
    kHeaderWords = kExcluded + 4,
  };
  static constexpr std::uint32_t kLayoutVersion = 3;
  // The fields of a person: where the name begins in kNames, where the first line in the file, ...;
  // where the ratings begin in kHistories.
  enum Field : std::size_t {
    kName,
    kOffset,
    kFideId,
    kBorn,
    kDied,
    kFacts,
    kCountries,
    kBest,
    kHistory,
    kFields,
  };
  // The fields of another spelling: where it begins in kAliasTexts, and whose it is.
  enum AliasField : std::size_t { kText, kPerson, kAliasFields };

  // Returns where each array begins after a header, and where the last one ends.
  using Layout = std::array<std::size_t, kArrays + 1>;
  static Layout layout_of(std::span<const std::uint32_t> header);

  explicit SpellingIndex(std::vector<std::uint32_t> words) : words_(std::move(words)) {}
  bool lay_out();
  bool is_verified() const;
  // Fills kFronts and kOrder, which are all zeros, from the texts.
  void sort_spellings();
  // Returns for each person whether another one has the same surname and initial.
  std::vector<bool> find_sharers() const;
  // Adds the histories of sharers, which are empty, from those of all persons and where each ends.
  void add_histories(std::string_view histories, std::span<const std::uint32_t> ends);

  std::uint32_t field(std::uint32_t person, Field field) const {
    assert(person < persons());
    return persons_[std::size_t{person} * kFields + field];
  }
  // Replaces `key` by the characters of an item that count in comparisons.
  void read_key(std::uint32_t item, std::string& key) const;
  bool is_excluded(char c) const {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x80 && (words_[kExcluded + byte / 32] >> byte % 32 & 1) != 0;
  }
  // Returns the text of an item: a person, or persons() plus the number of another spelling.
  std::string_view text_of(std::uint32_t item) const;
  // Returns the first bytes of a key, the first byte in the highest bits.
  std::uint64_t front_at(std::uint32_t place) const {
    return fronts_[2 * std::size_t{place}] | std::uint64_t{fronts_[2 * std::size_t{place} + 1]}
                                                 << 32;
  }
  static std::uint64_t front_of(std::string_view key);

  std::vector<std::uint32_t> words_;
  // Parts of words_.
  std::span<const std::uint32_t> persons_, aliases_, fronts_, order_;
  std::string_view names_, alias_texts_, countries_, rules_, histories_;
};

// Makes an index from the lines of a file.
class SpellingIndexBuilder {
 public:
  // Adds a line. `offset`: where the line begins in the file.
  void add(std::uint64_t offset, std::string_view line);
  // Returns InvalidArgument if there are no names, or too many.
  absl::StatusOr<SpellingIndex> finish(std::uint64_t fingerprint) &&;

 private:
  void add_player_line(std::uint64_t offset, const codec::scid::SpellingLine& line);
  void add_person(std::uint64_t offset, const codec::scid::SpellingLine& line);
  void add_ratings(std::string_view text);
  void end_person();
  std::uint32_t country(std::string_view text);
  bool is_full() const;
  // Returns all words; those of kFronts and kOrder are zeros.
  std::vector<std::uint32_t> take_words(std::uint64_t fingerprint);

  std::optional<codec::scid::NameKind> section_;
  std::array<std::uint32_t, 4> excluded_{};
  std::vector<std::uint32_t> persons_;  // by SpellingIndex::Field
  std::vector<std::uint32_t> aliases_;  // by SpellingIndex::AliasField
  std::string names_, alias_texts_, countries_, rules_;
  std::vector<MonthRating> ratings_;  // of the last person
  std::string histories_;
  std::vector<std::uint32_t> history_ends_;                  // by person, but the last one
  absl::flat_hash_map<std::string, std::uint32_t> country_;  // field by text
  std::size_t spellings_ = 0;                                // of the last person
  bool has_left_out_ = false;
};

}  // namespace scidfs::fs
