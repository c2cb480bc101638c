#include "fs/reference/opening_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "cache/hash.h"
#include "codec/text.h"
#include "fs/base/log.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::EcoCode;
using codec::PieceType;
using codec::Position;

// Returns the hash of the board and the side to move.
std::uint64_t hash_of(const Position& position) {
  std::array<codec::Bitboard, 2 * codec::kPieceTypes + 1> words{};
  std::size_t i = 0;
  for (const Color color : {Color::White, Color::Black}) {
    for (std::size_t type = 0; type < codec::kPieceTypes; ++type) {
      words[i++] = position.pieces(color, static_cast<PieceType>(type));
    }
  }
  words[i] = position.side_to_move() == Color::White ? 0 : 1;
  return cache::fingerprint({reinterpret_cast<const char*>(words.data()), sizeof words});
}

Position nowhere() {
  // An invalid FEN would be an error in this code, not in a file.
  return Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - -").value_or(Position());
}

}  // namespace

codec::Square en_passant_for_openings(const Position& position) {
  const codec::Square passed = position.en_passant();
  if (passed == codec::kNoSquare) return passed;
  const Color us = position.side_to_move();
  const bool is_beside =
      (codec::pawn_attacks(~us, passed) & position.pieces(us, PieceType::Pawn)) != 0;
  return is_beside ? passed : codec::kNoSquare;
}

bool is_same_for_openings(const Position& a, const Position& b) {
  return a.has_same_board(b) && a.has_same_castling(b) &&
         en_passant_for_openings(a) == en_passant_for_openings(b);
}

OpeningNames::OpeningNames(std::string text, std::string_view file_name)
    : text_(std::move(text)),
      file_name_(file_name),
      fingerprint_(cache::fingerprint(text_)),
      file_(codec::scid::parse_eco_file(text_)),
      by_code_(std::size_t{codec::kMaxEco} + 1, kNoOpening) {
  name_codes();
  for (std::size_t i = 0; i < size(); ++i) {
    const std::string value = codec::pgn_escape(file_.lines[i].name);
    if (value != file_.lines[i].name) escaped_.emplace(i + 1, value);
  }
  for (const std::string& problem : file_.problems) {
    log_warning(fmt::format("{}: {}", file_name_, printable(problem)));
  }
  if (file_.bad_entries > file_.problems.size()) {
    log_warning(fmt::format("{}: {} entries cannot be read", file_name_, file_.bad_entries));
  }
}

void OpeningNames::name_codes() {
  std::array<OpeningNumber, codec::kEcoBases> of_bases{};
  // Takes an entry if its name is better than the one so far.
  const auto take = [this](OpeningNumber& named, OpeningNumber number, bool with_a_move) {
    const auto rank = [&](OpeningNumber of) {
      const std::uint32_t plies = file_.lines[of - 1].plies;
      return std::pair(with_a_move && plies == 0, plies);
    };
    if (named == kNoOpening || rank(number) < rank(named)) named = number;
  };
  for (std::size_t i = 0; i < size(); ++i) {
    const auto number = static_cast<OpeningNumber>(i + 1);
    take(by_code_[code(number)], number, false);
    take(of_bases[codec::eco_base(code(number))], number, true);
  }
  constexpr unsigned kPerLetter = 5;  // a letter alone, and with four digits
  for (unsigned base = 0; base < codec::kEcoBases; ++base) {
    const std::size_t bare = 1 + std::size_t{base} * codec::kEcoExtensions;
    by_code_[bare] = of_bases[base];
    for (unsigned extension = 1; extension < codec::kEcoExtensions; ++extension) {
      OpeningNumber& named = by_code_[bare + extension];
      const unsigned digit = (extension - 1) % kPerLetter;
      if (named == kNoOpening) named = by_code_[digit == 0 ? bare : bare + extension - digit];
    }
  }
  lengths_.reserve(by_code_.size());
  for (const OpeningNumber number : by_code_) {
    lengths_.push_back(static_cast<std::uint16_t>(name(number).size()));
  }
}

void OpeningNames::play_all() const {
  positions_.reserve(size());
  codec::scid::LinePlayer player;
  std::vector<Place> places;
  places.reserve(size());
  std::size_t bad = 0;
  for (const codec::scid::NamedLine& line : file_.lines) {
    absl::StatusOr<Position> position = player.play(line.moves);
    const auto number = static_cast<OpeningNumber>(positions_.size() + 1);
    if (position.ok()) {
      places.push_back({.hash = hash_of(*position), .number = number});
    } else if (++bad <= codec::scid::kMostEcoProblems) {
      log_warning(fmt::format("{}: {}: {}", file_name_, printable(line.name),
                              printable(std::string(position.status().message()))));
    }
    positions_.push_back(position.ok() ? *std::move(position) : nowhere());
  }
  // The last entry of each position comes first.
  std::ranges::sort(places, [](const Place& a, const Place& b) {
    return std::tuple(a.hash, b.number) < std::tuple(b.hash, a.number);
  });
  by_position_ = std::move(places);
}

std::span<const Position> OpeningNames::positions() const {
  std::call_once(played_, [this] { play_all(); });
  return positions_;
}

std::string_view OpeningNames::tag_value_of(EcoCode code) const {
  if (code > codec::kMaxEco) return {};
  const auto escaped = escaped_.find(by_code_[code]);
  return escaped == escaped_.end() ? name(by_code_[code]) : escaped->second;
}

OpeningNumber OpeningNames::find(const Position& position) const {
  const std::span<const Position> positions = this->positions();
  const std::uint64_t hash = hash_of(position);
  for (auto place = std::ranges::lower_bound(by_position_, hash, {}, &Place::hash);
       place != by_position_.end() && place->hash == hash; ++place) {
    if (is_same_for_openings(positions[place->number - 1U], position)) return place->number;
  }
  return kNoOpening;
}

}  // namespace scidfs::fs
