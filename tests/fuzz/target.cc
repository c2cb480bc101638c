#include "tests/fuzz/target.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "codec/text.h"
#include "tests/support/files.h"

namespace scidfs::fuzz {

std::span<const Target* const> targets() {
  static const std::array<const Target*, 24> kTargets = {
      &archive_target(),     &database_target(),       &database5_target(),    &facet_target(),
      &fen_target(),         &filename_target(),       &index_target(),        &index5_target(),
      &kvetka_book_target(), &kvetka_sources_target(), &lookup_target(),       &names_target(),
      &names5_target(),      &packed_target(),         &pages_target(),        &parquet_target(),
      &pgn_target(),         &player_list_target(),    &record_target(),       &replay_target(),
      &sizes_file_target(),  &spelling_target(),       &stored_index_target(), &url_target()};
  return kTargets;
}

const Target* find_target(std::string_view name) {
  const auto found =
      std::ranges::find(targets(), name, [](auto* target) { return target->name(); });
  return found == targets().end() ? nullptr : *found;
}

void Target::insert_piece(std::span<const std::string_view> pieces, std::string& input,
                          tests::Random& random, PlainMutator plain) const {
  if (!random.one_in(2)) return plain(input, most_bytes());
  const std::string_view piece = pieces[random.below(pieces.size())];
  input.insert(random.below(input.size() + 1), piece);
  input.resize(std::min(input.size(), most_bytes()));
}

void require(bool holds, std::string_view what) {
  if (!holds) throw std::runtime_error(std::string(what));
}

void check_text(std::string_view text) {
  require(codec::is_utf8(tests::as_bytes(text)), "a text is no UTF-8");
  for (const char c : text) {
    require(static_cast<unsigned char>(c) >= ' ' && c != 0x7F, "a text has a control character");
  }
}

void mutate_bytes(std::string& bytes, std::size_t limit, tests::Random& random) {
  for (std::size_t changes = 1 + random.below(4); changes > 0; --changes) {
    const std::size_t at = random.below(bytes.size() + 1);
    const auto byte = static_cast<char>(random.next());
    if (at == bytes.size() || random.one_in(4)) {
      bytes.insert(at, 1 + random.below(3), byte);
    } else if (random.one_in(4)) {
      bytes.erase(at, 1 + random.below(8));
    } else {
      bytes[at] = random.one_in(2) ? byte : static_cast<char>(bytes[at] ^ 1 << random.below(8));
    }
  }
  bytes.resize(std::min(bytes.size(), limit));
}

}  // namespace scidfs::fuzz
