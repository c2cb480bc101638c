// The lines of index.tsv: the data of a game in index and names, without decoding it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec/eco.h"
#include "codec/scid/index.h"
#include "codec/scid/names.h"
#include "codec/text_buffer.h"
#include "fs/base/lazy.h"
#include "fs/database/game_list.h"
#include "fs/reference/opening_names.h"

namespace scidfs::fs {

// Writes lines, and computes the length of a line without writing it: the size of the table must be
// known before it is read. Made once for a database; immutable, any number of threads may use it.
//
// Names that are not known are empty fields, as everywhere in tables (fs/base/tsv.h); white_rating
// and black_rating are the ratings that are no Elo ratings.
//
// The entries are what codec::scid::parse_index_entry() makes of any bytes; ids that the names lack
// are harmless. `directory` is where the game lies: the path column begins with it. `database` is
// the field of one more column, which tables of several databases have; it has no tabs and ends of
// line.
class IndexTsvLines {
 public:
  // The names of the columns.
  static constexpr std::string_view kHead =
      "number\twhite\twhite_elo\tblack\tblack_elo\tresult\tdate\tround\tevent\tsite\teco\tplies\t"
      "path\tevent_date\tflags\tvariations\tcomments\tnags\tstored_line\tmaterial\thome_pawns\t"
      "offset\tlength\topening\tiso_date\twhite_rating\tblack_rating\n";

  // Both must outlive this. `openings` has the names of the codes; null: there are none.
  explicit IndexTsvLines(const codec::scid::Names& names, const OpeningNames* openings = nullptr);

  // Returns the bytes of the line that append() writes.
  std::size_t length(GameIndex game, const codec::scid::IndexEntry& entry,
                     std::string_view directory, std::string_view database = {}) const;
  void append(GameIndex game, const codec::scid::IndexEntry& entry, std::string_view directory,
              codec::TextBuffer& out, std::string_view database = {}) const;

  // Writes what the column `path` has. Returns its end. REQUIRES: `out` has room for the directory
  // and kPathRoom.
  static constexpr std::size_t kPathRoom = 224;
  char* write_path(GameIndex game, const codec::scid::GameEntry& entry, std::string_view directory,
                   char* out) const;

  // Returns the bytes of memory that this takes.
  std::size_t memory() const;

 private:
  // Means that a length does not fit a byte: it is looked up in the names.
  static constexpr std::uint8_t kLong = 255;
  // Means that a player's name is in file names unchanged, but with `_` instead of blanks.
  static constexpr std::uint8_t kPlain = 0;
  static constexpr std::size_t kEcoExtensions = codec::kMaxEco / codec::kEcoBases;

  // Lengths of names, which are made at the first use: few mounts need them.
  struct Lengths {
    // By id; one more after the last is for all missing ids.
    std::array<std::vector<std::uint8_t>, codec::scid::kNameKinds> texts;
    std::vector<std::uint8_t> players;
  };
  const Lengths& lengths() const {
    const Lengths* const made = lengths_.made();
    return made != nullptr ? *made : lengths_.get([this] { return make_lengths(); });
  }
  Lengths make_lengths() const;

  std::size_t text_length(codec::scid::NameKind kind, std::uint32_t id) const;
  // Returns the length of all five.
  std::size_t names_length(const codec::scid::IndexEntry& entry) const;
  std::size_t eco_length(codec::EcoCode code) const;
  // Return the bytes of a player in the file name of a game, and those of the whole name, if
  // nothing is too long for it.
  std::size_t player_length(std::uint32_t id) const;
  std::size_t uncut_length(std::uint32_t number, const codec::scid::GameEntry& entry) const;
  std::string cut_file_name(std::uint32_t number, const codec::scid::GameEntry& entry) const;

  char* write_name(codec::scid::NameKind kind, std::uint32_t id, char* out) const;
  char* write_player(std::uint32_t id, char* out) const;
  // `date` is the game's date as written in its own column.
  char* write_dated_path(std::uint32_t number, const codec::scid::GameEntry& entry,
                         std::string_view directory, const char* date, char* out) const;

  std::size_t opening_length(codec::EcoCode code) const {
    return openings_ == nullptr ? 0 : openings_->length_of(code);
  }

  const codec::scid::Names& names_;
  const OpeningNames* openings_;
  Lazy<Lengths> lengths_;
  std::array<std::uint8_t, kEcoExtensions> eco_lengths_;  // by extension
};

}  // namespace scidfs::fs
