#include "tests/bench/multiplier.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <numeric>
#include <string_view>
#include <utility>

#include "codec/scid/index.h"
#include "codec/scid/index_writer.h"
#include "codec/scid/record.h"
#include "tests/bench/own_lines.h"

namespace scidfs::bench {
namespace {

using codec::ByteReader;
using codec::Bytes;
using codec::scid::IndexEntry;
using codec::scid::kIndexEntrySize;
using codec::scid::kIndexHeaderSize;
using codec::scid::kNameKinds;
using codec::scid::NameKind;

constexpr std::string_view kNamesMagic("Scid.sn\0", 8);
constexpr std::size_t kStampSize = 4;
constexpr std::size_t kMaxName = 255;
constexpr std::uint32_t kMaxFrequency = (1U << 24) - 1;
constexpr std::size_t kGamesField = 0x0E;  // in the index header
constexpr std::size_t kOutputBlock = 1 << 20;

std::size_t id_width(std::size_t count) { return count < 0x10000 ? 2 : 3; }

std::size_t frequency_width(std::uint32_t greatest) {
  return greatest < 0x100 ? 1 : greatest < 0x10000 ? 2 : 3;
}

Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

void put_big(std::string& out, std::size_t width, std::uint64_t value) {
  for (std::size_t i = width; i-- > 0;) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

void set_big(char* out, std::size_t width, std::uint64_t value) {
  for (std::size_t i = width; i-- > 0; value >>= 8) out[i] = static_cast<char>(value & 0xFF);
}

// The first byte counts as unsigned, all others as signed; a zero byte ends the text (section 2).
bool scid_less(std::string_view a, std::string_view b) {
  const auto at = [](std::string_view text, std::size_t i) {
    return i < text.size() ? static_cast<signed char>(text[i]) : static_cast<signed char>(0);
  };
  if (a.empty() || b.empty() || a[0] != b[0]) {
    return static_cast<std::uint8_t>(at(a, 0)) < static_cast<std::uint8_t>(at(b, 0));
  }
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (in_a == a.end() && in_b == b.end()) return false;
  const auto i = static_cast<std::size_t>(in_a - a.begin());
  return at(a, i) < at(b, i);
}

void append_section(std::string& out, const RawNames& section) {
  const std::size_t count = section.names.size();
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return scid_less(section.names[a], section.names[b]);
  });
  const std::size_t id_size = id_width(count);
  std::uint32_t greatest = 0;
  for (const std::uint32_t frequency : section.frequencies) {
    greatest = std::max(greatest, frequency);
  }
  const std::size_t frequency_size = frequency_width(greatest);
  std::string_view previous;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view name = section.names[order[i]];
    put_big(out, id_size, order[i]);
    put_big(out, frequency_size, section.frequencies[order[i]]);
    put_big(out, 1, name.size());
    std::size_t prefix = 0;
    if (i > 0) {
      const auto differs =
          std::mismatch(name.begin(), name.end(), previous.begin(), previous.end()).first;
      prefix = static_cast<std::size_t>(differs - name.begin());
      put_big(out, 1, prefix);
    }
    out += name.substr(prefix);
    previous = name;
  }
}

absl::StatusOr<std::string> read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return absl::NotFoundError(fmt::format("cannot read {}", path));
  std::string bytes(std::istreambuf_iterator<char>(in), {});
  if (in.bad()) return absl::DataLossError(fmt::format("cannot read {}", path));
  return bytes;
}

// A new file, written in large pieces.
class Output {
 public:
  explicit Output(std::string path) : path_(std::move(path)), file_(open_new(path_)) {
    if (file_ == nullptr) error_ = errno;
    buffer_.reserve(kOutputBlock * 2);
  }

  void append(std::string_view bytes) {
    buffer_ += bytes;
    if (buffer_.size() >= kOutputBlock) flush();
  }

  absl::Status close() {
    flush();
    if (file_ != nullptr && std::fclose(file_.release()) != 0 && error_ == 0) error_ = errno;
    if (error_ == 0) return absl::OkStatus();
    return absl::UnavailableError(fmt::format("cannot write {}: {}", path_, std::strerror(error_)));
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  static std::FILE* open_new(const std::string& path) { return std::fopen(path.c_str(), "wbx"); }

  void flush() {
    if (error_ == 0 &&
        std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size()) {
      error_ = errno;
    }
    buffer_.clear();
  }

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::string buffer_;
  int error_ = 0;
};

// Determines where records go, one after the other.
class Placer {
 public:
  // Returns the place of a record of this length. filler() returns how many bytes come before it.
  std::uint64_t place(std::uint64_t length) {
    const std::uint64_t room = kGameBlock - end_ % kGameBlock;
    filler_ = length > room ? room : 0;
    const std::uint64_t offset = end_ + filler_;
    end_ = offset + length;
    return offset;
  }
  std::uint64_t filler() const { return filler_; }
  std::uint64_t end() const { return end_; }

 private:
  std::uint64_t end_ = 0;
  std::uint64_t filler_ = 0;
};

// One kind of names while copies are made. The first copy has the names of the source.
class NameCopies {
 public:
  NameCopies(RawNames source, std::uint32_t limit)
      : result_(std::move(source)), sources_(result_.names.size()), limit_(limit) {
    std::ranges::fill(result_.frequencies, 0U);
    for (std::uint32_t id = 0; id < sources_; ++id) ids_.try_emplace(result_.names[id], id);
  }

  void begin_copy(std::uint32_t number) {
    suffix_ = fmt::format(" #{}", number);
    current_.assign(sources_, kNone);
  }

  // Returns the id of the source's name `id` in this copy, which then counts one more use.
  std::uint32_t use(std::uint32_t id, bool renamed) {
    const std::uint32_t result = renamed ? rename(id) : id;
    std::uint32_t& frequency = result_.frequencies[result];
    frequency = std::min(frequency + 1, kMaxFrequency);
    return result;
  }

  std::size_t sources() const { return sources_; }
  RawNames take() { return std::move(result_); }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::uint32_t rename(std::uint32_t id) {
    if (current_[id] != kNone) return current_[id];
    if (result_.names.size() >= limit_) return current_[id] = id;
    std::string name = result_.names[id].substr(0, kMaxName - suffix_.size()) + suffix_;
    // Two long names may have become one.
    const auto [place, is_new] =
        ids_.try_emplace(name, static_cast<std::uint32_t>(result_.names.size()));
    if (is_new) {
      result_.names.push_back(std::move(name));
      result_.frequencies.push_back(0);
    }
    return current_[id] = place->second;
  }

  RawNames result_;
  const std::size_t sources_;
  const std::uint32_t limit_;
  absl::flat_hash_map<std::string, std::uint32_t> ids_;
  std::string suffix_;
  std::vector<std::uint32_t> current_;  // by source id
};

// Writes place and names into the bytes of an entry and leaves the rest unchanged.
void patch_entry(char* bytes, const IndexEntry& entry) {
  set_big(bytes, 4, entry.offset);
  bytes[9] = static_cast<char>((entry.white >> 12 & 0xF0) | entry.black >> 16);
  set_big(bytes + 10, 2, entry.white);
  set_big(bytes + 12, 2, entry.black);
  bytes[14] =
      static_cast<char>((entry.event >> 11 & 0xE0) | (entry.site >> 14 & 0x1C) | entry.round >> 16);
  set_big(bytes + 15, 2, entry.event);
  set_big(bytes + 17, 2, entry.site);
  set_big(bytes + 19, 2, entry.round);
}

// Returns the entry of a game with other moves.
IndexEntry with_moves(IndexEntry entry, const codec::scid::GameFacts& facts) {
  entry.plies = static_cast<std::uint16_t>(facts.plies);
  entry.material = facts.material;
  entry.home_pawn_count = facts.home_pawn_count;
  entry.home_pawns = facts.home_pawns;
  entry.stored_line = facts.stored_line;
  entry.variation_code = entry.comment_code = entry.nag_code = 0;
  constexpr std::uint32_t kOfMoves =
      1U << codec::scid::kFlagPromotion | 1U << codec::scid::kFlagUnderpromotion;
  entry.flags = (entry.flags & ~kOfMoves) |
                (facts.promotion ? 1U << codec::scid::kFlagPromotion : 0) |
                (facts.underpromotion ? 1U << codec::scid::kFlagUnderpromotion : 0);
  return entry;
}

class Multiplication {
 public:
  static absl::StatusOr<Multiplication> open(const std::string& source, const NameLimits& limits) {
    Multiplication result;
    for (const auto& [extension, bytes] :
         {std::pair(".si4", &result.index_), std::pair(".sg4", &result.game_file_),
          std::pair(".sn4", &result.name_file_)}) {
      absl::StatusOr<std::string> read = read_whole(source + extension);
      if (!read.ok()) return read.status();
      *bytes = *std::move(read);
    }
    if (absl::Status status = result.parse(limits); !status.ok()) {
      return absl::InvalidArgumentError(
          fmt::format("{}: {}", source, std::string(status.message())));
    }
    return result;
  }

  // True if the format has room for so many games.
  absl::Status check(std::uint32_t games) const {
    if (games > kMostGames) {
      return absl::OutOfRangeError(
          fmt::format("{} games are more than the format's {}", games, kMostGames));
    }
    if (games > 0 && entries_.empty()) {
      return absl::InvalidArgumentError("the source has no games to multiply");
    }
    Placer placer;
    for (std::uint32_t game = 0; game < games; ++game) {
      placer.place(entries_[game % entries_.size()].length);
      if (placer.end() > kMostGameBytes) {
        return absl::OutOfRangeError(
            fmt::format("{} games take more than 4 GiB of game file; {} would fit", games, game));
      }
    }
    return absl::OkStatus();
  }

  absl::Status write(std::uint32_t games, const std::string& target, Copies copies) && {
    Output index(target + ".si4");
    Output game_file(target + ".sg4");
    std::string header = index_.substr(0, kIndexHeaderSize);
    set_big(header.data() + kGamesField, 3, games);
    index.append(header);
    Placer placer;
    const auto count = static_cast<std::uint32_t>(entries_.size());
    OwnLines own_lines;
    std::vector<std::uint8_t> own_entry;
    for (std::uint32_t game = 0; game < games; ++game) {
      const std::uint32_t original = game % count;
      const std::uint32_t copy = game / count;
      if (original == 0) {
        for (NameCopies& names : names_) names.begin_copy(copy + 1);
      }
      const IndexEntry& from = entries_[original];
      IndexEntry to = from;
      std::string_view record = std::string_view(game_file_).substr(from.offset, from.length);
      const bool is_own =
          copies == Copies::OwnMoves && copy > 0 && give_moves(own_lines, game, to, record);
      to.length = static_cast<std::uint32_t>(record.size());
      to.offset = placer.place(record.size());
      if (placer.end() > kMostGameBytes) {
        return absl::OutOfRangeError("games take more than 4 GiB of game file");
      }
      game_file.append(record.substr(0, placer.filler()));
      game_file.append(record);
      const bool renamed = copy > 0;
      to.event = names(NameKind::Event).use(from.event, renamed);
      to.site = names(NameKind::Site).use(from.site, false);
      to.round = names(NameKind::Round).use(from.round, false);
      to.white = names(NameKind::Player).use(from.white, renamed);
      to.black = names(NameKind::Player).use(from.black, renamed);
      if (is_own) {
        own_entry.clear();
        codec::scid::append_index4_entry(to, own_entry);
        index.append(codec::as_text(own_entry));
        continue;
      }
      std::array<char, kIndexEntrySize> bytes;
      std::ranges::copy(entry_bytes(original), bytes.begin());
      patch_entry(bytes.data(), to);
      index.append({bytes.data(), bytes.size()});
    }
    Output name_file(target + ".sn4");
    RawDictionaries dictionaries;
    for (std::size_t kind = 0; kind < kNameKinds; ++kind) dictionaries[kind] = names_[kind].take();
    name_file.append(write_names(dictionaries));
    absl::Status status;
    for (Output* output : {&index, &game_file, &name_file}) status.Update(output->close());
    return status;
  }

 private:
  Multiplication() = default;

  // Gives a game moves of its own, if it begins in the standard position and can be read. The
  // record is valid until the next call. Returns whether it has them.
  static bool give_moves(OwnLines& lines, std::uint32_t game, IndexEntry& entry,
                         std::string_view& record) {
    std::vector<codec::scid::ExtraTag> tags;
    codec::scid::RecordHead head;
    if (parse_record_head(as_bytes(record), tags, head).has_value() || head.fen.has_value()) {
      return false;
    }
    const OwnGame own = lines.make(as_bytes(record), head, tags, game);
    if (own.record.empty()) return false;
    entry = with_moves(entry, own.facts);
    record = codec::as_text(own.record);
    return true;
  }

  NameCopies& names(NameKind kind) { return names_[static_cast<std::size_t>(kind)]; }

  std::string_view entry_bytes(std::uint32_t game) const {
    return std::string_view(index_).substr(kIndexHeaderSize + std::size_t{game} * kIndexEntrySize,
                                           kIndexEntrySize);
  }

  absl::Status parse(const NameLimits& limits) {
    const auto header = codec::scid::parse_index_header(as_bytes(index_));
    if (!header.ok()) return header.status();
    absl::StatusOr<RawDictionaries> dictionaries = read_names(as_bytes(name_file_));
    if (!dictionaries.ok()) return dictionaries.status();
    names_.reserve(kNameKinds);
    for (std::size_t kind = 0; kind < kNameKinds; ++kind) {
      names_.emplace_back(std::move((*dictionaries)[kind]), limits[kind]);
    }
    for (std::uint32_t game = 0; game < header->games; ++game) {
      const std::string_view bytes = entry_bytes_or_nothing(game);
      if (bytes.empty()) return absl::InvalidArgumentError("the index is too short");
      const IndexEntry entry = codec::scid::parse_index_entry(as_bytes(bytes));
      if (entry.offset > game_file_.size() || entry.length > game_file_.size() - entry.offset) {
        return absl::InvalidArgumentError(fmt::format("game {} is not in the game file", game + 1));
      }
      const auto known = [this](NameKind kind, std::uint32_t id) {
        return id < names(kind).sources();
      };
      if (!known(NameKind::Player, entry.white) || !known(NameKind::Player, entry.black) ||
          !known(NameKind::Event, entry.event) || !known(NameKind::Site, entry.site) ||
          !known(NameKind::Round, entry.round)) {
        return absl::InvalidArgumentError(
            fmt::format("game {} has a name that is not in the name file", game + 1));
      }
      entries_.push_back(entry);
    }
    return absl::OkStatus();
  }

  std::string_view entry_bytes_or_nothing(std::uint32_t game) const {
    if (kIndexHeaderSize + (std::size_t{game} + 1) * kIndexEntrySize > index_.size()) return {};
    return entry_bytes(game);
  }

  std::string index_, game_file_, name_file_;
  std::vector<IndexEntry> entries_;
  std::vector<NameCopies> names_;  // by kind
};

}  // namespace

absl::StatusOr<RawDictionaries> read_names(Bytes file) {
  ByteReader in(file);
  const Bytes magic = in.take(kNamesMagic.size());
  if (!std::ranges::equal(magic, as_bytes(kNamesMagic))) {
    return absl::InvalidArgumentError("the name file has the wrong magic");
  }
  in.take(kStampSize);
  std::array<std::uint32_t, kNameKinds> counts{};
  std::array<std::uint32_t, kNameKinds> greatest{};
  for (std::uint32_t& count : counts) count = in.u24();
  for (std::uint32_t& frequency : greatest) frequency = in.u24();

  RawDictionaries result;
  for (std::size_t kind = 0; kind < kNameKinds && in.ok(); ++kind) {
    RawNames& section = result[kind];
    section.names.resize(counts[kind]);
    section.frequencies.resize(counts[kind]);
    std::vector<bool> seen(counts[kind]);
    std::string name;
    for (std::uint32_t i = 0; i < counts[kind] && in.ok(); ++i) {
      const auto id = static_cast<std::uint32_t>(in.big(id_width(counts[kind])));
      const auto frequency = static_cast<std::uint32_t>(in.big(frequency_width(greatest[kind])));
      const std::size_t length = in.u8();
      const std::size_t prefix = i == 0 ? 0 : in.u8();
      if (id >= counts[kind] || seen[id] || prefix > length || prefix > name.size()) {
        return absl::InvalidArgumentError(
            fmt::format("the name file is damaged before byte {}", in.offset()));
      }
      const Bytes rest = in.take(length - prefix);
      name.resize(prefix);
      name.append(rest.begin(), rest.end());
      seen[id] = true;
      section.names[id] = name;
      section.frequencies[id] = frequency;
    }
  }
  if (!in.ok()) return absl::InvalidArgumentError("the name file is too short");
  return result;
}

std::string write_names(const RawDictionaries& dictionaries) {
  std::string out(kNamesMagic);
  out.append(kStampSize, '\0');
  for (const RawNames& section : dictionaries) put_big(out, 3, section.names.size());
  for (const RawNames& section : dictionaries) {
    const auto greatest = std::ranges::max_element(section.frequencies);
    put_big(out, 3, greatest == section.frequencies.end() ? 0 : *greatest);
  }
  for (const RawNames& section : dictionaries) append_section(out, section);
  return out;
}

absl::Status multiply(const std::string& source, std::uint32_t games, const std::string& target,
                      const NameLimits& limits, Copies copies) {
  absl::StatusOr<Multiplication> multiplication = Multiplication::open(source, limits);
  if (!multiplication.ok()) return multiplication.status();
  if (absl::Status status = multiplication->check(games); !status.ok()) return status;
  const auto extensions = {".si4", ".sg4", ".sn4"};
  for (const char* extension : extensions) {
    if (std::filesystem::exists(target + extension)) {
      return absl::AlreadyExistsError(fmt::format("{}{} exists already", target, extension));
    }
  }
  absl::Status status = (*std::move(multiplication)).write(games, target, copies);
  if (!status.ok()) {
    std::error_code ignored;
    for (const char* extension : extensions) {
      std::filesystem::remove(target + extension, ignored);
    }
  }
  return status;
}

}  // namespace scidfs::bench
