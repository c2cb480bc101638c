// A fuzz target for each parser: a check that holds for any bytes, seeds, and a mutator of inputs
// whose results still reach deep code.
#pragma once

#include <absl/functional/function_ref.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/random_game.h"

namespace scidfs::fuzz {

struct Seed {
  std::string name;
  std::string bytes;
};

// Mutates bytes without knowledge of their format; the result has at most `limit` bytes.
using PlainMutator = absl::FunctionRef<void(std::string& bytes, std::size_t limit)>;

class Target {
 public:
  Target() = default;
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  virtual ~Target() = default;

  virtual std::string_view name() const = 0;
  // Throws an exception with a description of the fault. Accepts any bytes.
  virtual void check(std::string_view input) const = 0;
  // Made from the files in tests/data.
  virtual std::vector<Seed> seeds() const = 0;
  // The length of inputs beyond which the target learns nothing.
  virtual std::size_t most_bytes() const { return 4096; }
  // Mutates an input; calls `plain` on inputs that it cannot parse.
  virtual void mutate(std::string& input, tests::Random& random, PlainMutator plain) const = 0;

 protected:
  // Inserts one of some pieces anywhere in an input, or calls `plain`: one as often as the other.
  void insert_piece(std::span<const std::string_view> pieces, std::string& input,
                    tests::Random& random, PlainMutator plain) const;
};

const Target& archive_target();
const Target& database_target();
const Target& database5_target();
const Target& facet_target();
const Target& fen_target();
const Target& filename_target();
const Target& index_target();
const Target& index5_target();
const Target& kvetka_book_target();
const Target& kvetka_sources_target();
const Target& lookup_target();
const Target& names_target();
const Target& names5_target();
const Target& packed_target();
const Target& pages_target();
const Target& parquet_target();
const Target& pgn_target();
const Target& player_list_target();
const Target& record_target();
const Target& replay_target();
const Target& sizes_file_target();
const Target& spelling_target();
const Target& stored_index_target();
const Target& url_target();

std::span<const Target* const> targets();
// Null if there is no target of this name.
const Target* find_target(std::string_view name);

// Throws unless `holds`.
void require(bool holds, std::string_view what);
// Throws unless `text` is UTF-8 without control characters.
void check_text(std::string_view text);

// Changes, inserts or removes a few bytes: like libFuzzer where it is available, but simpler.
void mutate_bytes(std::string& bytes, std::size_t limit, tests::Random& random);

}  // namespace scidfs::fuzz
