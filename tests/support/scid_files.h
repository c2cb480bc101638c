// The three files of a Scid 4 database as bytes: reads, makes, damages and writes them. Source:
// codec/scid/FORMAT.md, sections 2 and 3.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/bytes.h"
#include "codec/position.h"
#include "codec/scid/facts.h"
#include "codec/scid/index.h"
#include "codec/scid/names.h"
#include "codec/types.h"

namespace scidfs::tests {

struct ScidFiles {
  std::string index, names, games;

  friend bool operator==(const ScidFiles&, const ScidFiles&) = default;
};

// The files `prefix`.si4, .sn4 and .sg4, or those of another format by the suffix of its index.
ScidFiles read_scid_files(const std::string& prefix, std::string_view index_suffix = ".si4");
void write_scid_files(const ScidFiles& files, const std::filesystem::path& prefix,
                      std::string_view index_suffix = ".si4");

// The offset of the number of games in the index, in three bytes.
inline constexpr std::size_t kGameCountOffset = 0x0E;

void put_big(std::uint32_t value, std::size_t width, std::string& out);
// Overwrites `width` bytes. REQUIRES: they exist.
void patch_big(std::uint32_t value, std::size_t width, std::size_t offset, std::string& bytes);

// A date in the form of indexes, in 20 bits.
std::uint32_t date_bits(codec::Date date);

std::string index_header(std::uint32_t games);
// The 47 bytes that parse_index_entry() parses to the entry. An event date that the format cannot
// store is left out.
std::string index_entry(const codec::scid::IndexEntry& entry);

// By kind and id. REQUIRES: names of at most 255 bytes.
using NameLists = std::array<std::vector<std::string>, codec::scid::kNameKinds>;
std::string name_file(const NameLists& names);

// Returns the facts of a game; nothing if the head of its record is damaged.
std::optional<codec::scid::GameFacts> facts_of_record(
    codec::Bytes record, codec::CastlingRule rule = codec::CastlingRule::Standard);
// Returns an entry with the fields from which index signatures are made, and nothing else.
codec::scid::IndexEntry entry_of_facts(const codec::scid::GameFacts& facts);

// Builds a database game by game.
class ScidFilesBuilder {
 public:
  // Returns the id of a name; a new one for each call.
  std::uint32_t name(codec::scid::NameKind kind, std::string_view text);
  // The builder determines the place of the record.
  void game(codec::scid::IndexEntry entry, std::string_view record);

  ScidFiles files() const;

 private:
  NameLists names_;
  std::string entries_;
  std::string games_;
  std::uint32_t count_ = 0;
};

// Returns a builder with one name of each kind, "x".
ScidFilesBuilder builder_with_names();

}  // namespace scidfs::tests
