// The names of Scid's spelling file, found as Scid finds them, and those of FIDE's list of players.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/scid/names.h"
#include "codec/scid/spelling_file.h"
#include "codec/types.h"
#include "fs/file/source_file.h"
#include "fs/reference/listed_people.h"
#include "fs/reference/name_rules.h"
#include "fs/reference/player_list.h"
#include "fs/reference/spelling_index.h"

namespace scidfs::fs {

// A spelling file with an index of its names in memory. Other data of persons are read from the
// file on demand. Persons are numbers, 0 .. persons()-1, in the order of the file; with FIDE's list
// of players, its people come after them (ListedPeople). Names are UTF-8, as in NameTable.
// Immutable; any number of threads may use it.
class Spelling {
 public:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};

  // Loads the index from the cache folder (empty: none) if it has one of this file. Otherwise reads
  // the whole file in blocks, unless `is_cancelled`, and saves the index there. `list`: that of
  // FIDE, or null. Errors: InvalidArgument if the file has no names; Cancelled; those of
  // SourceFile::read().
  static absl::StatusOr<std::shared_ptr<const Spelling>> load(
      SourceFile file, const std::filesystem::path& folder,
      absl::FunctionRef<bool()> is_cancelled = [] { return false; },
      std::shared_ptr<const PlayerList> list = nullptr);
  // Returns a Spelling without a file, and so without names but those of the list.
  static std::shared_ptr<const Spelling> of_list(std::shared_ptr<const PlayerList> list);
  static std::shared_ptr<const Spelling> of_nobody() { return of_list(nullptr); }

  // Returns the fingerprint of the bytes of the file.
  std::uint64_t fingerprint() const { return index_.fingerprint(); }
  std::uint32_t persons() const { return listed_ ? listed_->end() : index_.persons(); }
  // Returns what file and list know. REQUIRES: person < persons().
  SpellingIndex::Person person(std::uint32_t person) const;

  // Appends the known ratings of a person, as SpellingIndex::append_history() does, and that in the
  // list.
  void append_ratings(std::uint32_t person, std::vector<MonthRating>& ratings) const;

  // The result of Scid's rules for the name of a player. Case counts; blanks and other characters
  // that the file lists do not. Finds a name of a person, or another spelling of it; or the
  // beginning of such names, if all are of one person; or, if there are none, the result for the
  // name with its last word in front. A mere surname is no match.
  struct Found {
    enum class Kind : std::uint8_t {
      Nobody,
      Person,     // the candidate
      Namesakes,  // several persons with exactly this name
      Ambiguous,  // the beginning of several persons' names
      Surname,    // the beginning of one or several persons' names, but only a surname
    };
    Kind kind = Kind::Nobody;
    // A few of the candidates, all if they are Namesakes; in the order of the file.
    std::vector<std::uint32_t> candidates{};
  };
  Found find_player(std::string_view name) const;
  // Returns the persons who have a name or spelling with this surname and the same first letter of
  // the given names, where one of both given names is the beginning of the other: "Anand, V" and
  // "Anand, Viswanathan", in both directions. The surname is the part before the comma, or else the
  // first word. Ascending. Empty if the name has no given name, or if there are too many persons.
  std::vector<std::uint32_t> find_fitting(std::string_view name) const;
  // The maximum number of candidates of an ambiguous name.
  static constexpr std::size_t kMostCandidates = 10;

  // All persons whom a name can mean.
  struct Meant {
    std::vector<std::uint32_t> persons{};  // ascending
    // The only one of them who has exactly this name.
    std::uint32_t named = kNobody;
    // All have exactly this name, but for a number at its end.
    bool are_namesakes = false;
  };
  // Returns whom a name means that find_player() has found. A name with several given letters that
  // is exactly that of persons, or the beginning of the names of one, means these, and those whose
  // name has only a number more. Another name means all with its surname whose given names can be
  // the same, as find_fitting() has it. Empty for names without a given name that are not exactly a
  // person's, and for those that mean too many.
  Meant find_meant(std::string_view name, const Found& found) const;

  // Returns the persons whose full name in the list is exactly this one; see ListedPeople::find().
  std::vector<std::uint32_t> find_listed(std::string_view name) const;

  // Returns for each of some FIDE ids, ascending, the person who has it in the file or in the list;
  // kNobody if none has it, or several in the file do.
  std::vector<std::uint32_t> find_fide_ids(std::span<const std::uint32_t> ids) const;

  // Returns the correct name of a site, an event or a round; the name itself if the file has no
  // other.
  std::string correct_site(std::string_view name) const;
  std::string correct_event(std::string_view name) const;
  std::string correct_round(std::string_view name) const;

  // The data of a person that are only in the file; none for people of the list alone.
  struct Details {
    std::vector<std::string> notes;  // the texts of `%Bio`
    std::vector<codec::scid::YearRating> ratings;
  };
  // Returns FailedPrecondition if the file was overwritten since it was opened; errors of
  // SourceFile::read().
  absl::StatusOr<Details> details(std::uint32_t person) const;

  // Returns the bytes of memory that this takes.
  std::size_t memory() const { return index_.memory() + (listed_ ? listed_->memory() : 0); }

 private:
  Spelling(SourceFile file, SpellingIndex index);
  const NameRules& player_rules() const {
    return rules_[static_cast<std::size_t>(codec::scid::NameKind::Player)];
  }
  void add_list(std::shared_ptr<const PlayerList> list, absl::FunctionRef<bool()> is_cancelled);

  // A name in the form in which spellings have it or begin with it.
  struct Lookup {
    std::string name{};  // with its surname in front
    std::string key{};
    std::uint32_t place = 0;  // the first spelling
    SpellingIndex::Match match = SpellingIndex::Match::None;
    bool is_surname = false;
  };
  std::string replaced_name(std::string name) const;
  Lookup look_up(std::string_view name) const;
  SpellingIndex::Match match_at(std::uint32_t place, std::string_view key) const;
  std::vector<std::uint32_t> fitting(std::string_view name) const;
  // Call visit(person, text) for spellings that begin with the key; return false if these are too
  // many.
  template <class Visit>
  bool for_each_beginning(const Lookup& lookup, const Visit& visit) const;

  SourceFile file_;
  SpellingIndex index_;
  std::array<NameRules, codec::scid::kNameKinds> rules_;
  std::optional<ListedPeople> listed_;
};

}  // namespace scidfs::fs
