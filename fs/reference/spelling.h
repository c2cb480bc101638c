// Who is who: the names of Scid's spelling file, found as Scid finds them.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codec/scid/names.h"
#include "codec/scid/spelling_file.h"
#include "codec/types.h"
#include "fs/file/source_file.h"
#include "fs/reference/name_rules.h"
#include "fs/reference/spelling_index.h"

namespace scidfs::fs {

// The file, of which an index of names is in memory; what else it says of somebody is read when it
// is asked for. Persons are numbers, 0 .. persons()-1, in the order of the file. Names are UTF-8,
// as NameTable has them. Immutable; any number of threads may ask.
class Spelling {
 public:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};

  // Takes the index from the cache folder (empty: none) if it is there for this file, or reads the
  // whole file in blocks, unless `is_over`, and keeps it there. Errors: InvalidArgument if the file
  // has no names; Cancelled; those of SourceFile::read().
  static absl::StatusOr<std::shared_ptr<const Spelling>> load(
      SourceFile file, const std::filesystem::path& folder,
      absl::FunctionRef<bool()> is_over = [] { return false; });
  // Knows no names.
  static std::shared_ptr<const Spelling> of_nobody();

  // Of the bytes of the file.
  std::uint64_t fingerprint() const { return index_.fingerprint(); }
  std::uint32_t persons() const { return index_.persons(); }
  SpellingIndex::Person person(std::uint32_t person) const { return index_.person(person); }

  // What Scid's rules make of the name of a player. Case counts; blanks and other characters that
  // the file names do not. A name that somebody has, or another spelling of it, is found; or the
  // beginning of such names, if all are of one person; or, if there are none, what it is with its
  // last word in front. A surname alone is not.
  struct Found {
    enum class Kind : std::uint8_t {
      Nobody,
      Person,     // the candidate
      Namesakes,  // several who are called exactly that
      Ambiguous,  // the beginning of several persons' names
      Surname,    // that, or of one person's, but nothing more than a surname
    };
    Kind kind = Kind::Nobody;
    // A few of them, all if they are Namesakes; in the order of the file.
    std::vector<std::uint32_t> candidates{};
  };
  Found find_player(std::string_view name) const;
  // That many candidates are told of an ambiguous name.
  static constexpr std::size_t kMostCandidates = 10;

  // The correct name of a site, an event or a round; the name itself if the file has no other.
  std::string correct_site(std::string_view name) const;
  std::string correct_event(std::string_view name) const;
  std::string correct_round(std::string_view name) const;

  // What only the file says of a person.
  struct Details {
    std::vector<std::string> notes;  // the texts of `%Bio`
    std::vector<codec::scid::YearRating> ratings;
  };
  // FailedPrecondition if the file was written over since it was opened; errors of
  // SourceFile::read().
  absl::StatusOr<Details> details(std::uint32_t person) const;

  // Bytes of memory that it costs.
  std::size_t memory() const { return index_.memory(); }

 private:
  Spelling(SourceFile file, SpellingIndex index);

  SourceFile file_;
  SpellingIndex index_;
  std::array<NameRules, codec::scid::kNameKinds> rules_;
};

}  // namespace scidfs::fs
