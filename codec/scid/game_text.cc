#include "codec/scid/game_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "codec/scid/extra_tags.h"
#include "codec/scid/line_moves.h"
#include "codec/scid/line_scan.h"
#include "codec/scid/record.h"
#include "codec/scid/signature_visitor.h"
#include "codec/scid/text_visitor.h"
#include "codec/text.h"
#include "codec/text_blocks.h"
#include "codec/variant.h"

namespace scidfs::codec::scid {
namespace {

// The most text that one byte of a record can become: a move with its number and a bracket, or the
// shortest tag. kFixedRoom includes all text of fixed length, and the slack of block stores.
constexpr std::size_t kTextPerByte = 24;
constexpr std::size_t kFixedRoom = 1024;
constexpr std::size_t kUtf8Growth = 3;
constexpr std::size_t kOverridable = 5;

std::size_t max_length(const GameTags& tags, Bytes record) {
  return max_tags_length(tags) + kOverridable * kMaxTagValue * kUtf8Growth +
         record.size() * kTextPerByte + kFixedRoom;
}

char* write_extra_tag(const ExtraTag& tag, CodePage page, char* out) {
  const auto put = [&out](std::string_view text) {
    std::memcpy(out, text.data(), text.size());
    out += text.size();
  };
  put("[");
  put(tag.name);
  put(" \"");
  const std::size_t plain = copy_plain_value(as_text(tag.value), out);
  if (plain == tag.value.size()) {
    out += plain;
  } else {
    put(pgn_escape(clean_line(tag.value, page)));
  }
  put("\"]\n");
  return out;
}

// Returns whether the index or the FEN already gives a tag of this name, so that a second one would
// contradict it. (SetUp occurs only with a FEN.)
bool is_written_already(const GameTags& tags, std::string_view name) {
  const auto is_rating = [name](std::string_view color, Rating rating) {
    return rating.value != 0 && name.starts_with(color) &&
           name.substr(color.size()) == rating_name(rating.type);
  };
  return name == "Date" || name == "Result" || name == "FEN" || name == "SetUp" ||
         roster_member(name) != nullptr || (name == "ECO" && eco_base(tags.eco) != kEcoBases) ||
         (name == "EventDate" && !tags.event_date.empty()) ||
         is_rating("White", tags.white_rating) || is_rating("Black", tags.black_rating);
}

// Returns the FEN whose castling rights are the files of rooks: it tells by itself that the game is
// one of Chess960.
std::string fen_by_files(const Position& position) {
  std::string rights;
  const auto add = [&](CastlingRight right, Color us, bool is_short) {
    if ((position.castling() & right) == 0) return;
    const int file = file_of(position.castling_homes().rook(us, is_short));
    rights += static_cast<char>((us == Color::White ? 'A' : 'a') + file);
  };
  add(kWhiteShort, Color::White, true);
  add(kWhiteLong, Color::White, false);
  add(kBlackShort, Color::Black, true);
  add(kBlackLong, Color::Black, false);
  std::string fen = position.fen();
  const std::size_t begin = fen.find(' ') + 3;  // after the side to move
  return fen.replace(begin, fen.find(' ', begin) - begin, rights);
}

// Movetext that keeps only comments. A copy of it is a place among them.
class CommentList {
 public:
  static constexpr bool kWantsStoredBytes = true;
  explicit CommentList(std::vector<Bytes>& comments) : comments_(&comments) {}

  template <Color>
  void move(const Position&, const Move&, bool) {}
  void nag(unsigned) {}
  void open_quote() {}
  void close_quote() {}
  void open_variation() {}
  void close_variation() {}
  void comment(Bytes text) {
    comments_->resize(count_++);
    comments_->push_back(text);
  }

  std::span<const Bytes> comments() const { return std::span(*comments_).first(count_); }

 private:
  std::vector<Bytes>* comments_;
  std::size_t count_ = 0;
};

// Movetext for a visitor. Assigning it an earlier copy begins the moves again.
class VisitedMovetext {
 public:
  VisitedMovetext(const Position& start, CodePage page, GameVisitor& visitor)
      : start_(&start), page_(page), visitor_(&visitor) {
    visitor_->start(start);
  }
  VisitedMovetext(const VisitedMovetext&) = default;
  VisitedMovetext& operator=(const VisitedMovetext& earlier) {
    if (this != &earlier) visitor_->start(*start_);
    return *this;
  }

  static constexpr bool kWantsStoredBytes = true;
  template <Color>
  void move(const Position& after, const Move& move, bool is_check) {
    visitor_->move(after, move, is_check);
  }
  void nag(unsigned value) { visitor_->nag(value); }
  void open_quote() {}
  void close_quote() {}
  void open_variation() { visitor_->open_variation(); }
  void close_variation() { visitor_->close_variation(); }
  void comment(Bytes text) {
    std::string clean;
    append_utf8(text, clean, page_);
    const auto is_unwanted = [](char c) { return is_ascii_control(c) && c != '\n' && c != '\t'; };
    std::ranges::replace_if(clean, is_unwanted, ' ');
    visitor_->comment(clean);
  }

 private:
  const Position* start_;
  CodePage page_;
  GameVisitor* visitor_;
};

}  // namespace

std::string damage_remark(const GamePlace& place, const Damage& damage) {
  return fmt::format("scidfs: game {} is damaged at byte {} of the game file: {}", place.number,
                     place.offset + damage.offset, damage.reason)
      .substr(0, kMaxRemarkLength);
}

GameTags make_tags(const GameEntry& entry, const Names& names) {
  return {.event = names[NameKind::Event].pgn(entry.event),
          .site = names[NameKind::Site].pgn(entry.site),
          .round = names[NameKind::Round].pgn(entry.round),
          .white = names[NameKind::Player].pgn(entry.white),
          .black = names[NameKind::Player].pgn(entry.black),
          .date = entry.date,
          .event_date = entry.event_date,
          .result = entry.result,
          .white_rating = entry.white_rating,
          .black_rating = entry.black_rating,
          .eco = entry.eco,
          .opening = {},
          .chess960 = entry.chess960};
}

GameTags GameText::override_names(const GameTags& tags) {
  GameTags result = tags;
  overrides_.clear();
  overrides_.reserve(kOverridable);
  for (const ExtraTag& tag : extra_tags_) {
    if (tag.name == "Opening") result.opening = {};
    std::string_view GameTags::*const member = roster_member(tag.name);
    if (member == nullptr) continue;
    std::string& text =
        overrides_.emplace_back(pgn_escape(clean_line(tag.value, options_.code_page)));
    if (text.empty()) text += NameTable::kMissing;
    const std::size_t length = text.size();
    text.append(NameTable::kPadding, '\0');
    result.*member = std::string_view(text).substr(0, length);
  }
  return result;
}

char* GameText::write_extra_tags(const GameTags& tags, char* out) {
  for (const ExtraTag& tag : extra_tags_) {
    if (!is_written_already(tags, tag.name)) out = write_extra_tag(tag, options_.code_page, out);
  }
  return out;
}

char* GameText::write_roster(const GameTags& tags, const RecordHead& head, char* out) {
  out = write_tags(roster_of(override_names(tags)), out);
  const bool castles_as_in_chess = !head.fen.has_value() || head.fen->castles_as_in_chess();
  if (!tags.chess960 && castles_as_in_chess) return out;
  const auto variant = std::ranges::find(extra_tags_, "Variant", &ExtraTag::name);
  if (variant != extra_tags_.end()) return write_extra_tag(*variant, options_.code_page, out);
  return tags.chess960 ? write_tag("Variant", "Chess960", out) : out;
}

char* GameText::write_head(const GameTags& tags, const RecordHead& head, char* out) {
  if (!extra_tags_.empty()) clean_extra_tags(extra_tags_, tag_names_);
  if (!options_.all_tags) {
    out = write_roster(tags, head, out);
  } else if (extra_tags_.empty()) {
    out = write_tags(tags, out);
    if (tags.chess960) out = write_tag("Variant", "Chess960", out);
  } else {
    out = write_tags(override_names(tags), out);
    const bool has_variant = std::ranges::count(extra_tags_, "Variant", &ExtraTag::name) != 0;
    if (tags.chess960 && !has_variant) out = write_tag("Variant", "Chess960", out);
    out = write_extra_tags(tags, out);
  }
  if (head.fen.has_value()) {
    const auto variant = std::ranges::find(extra_tags_, "Variant", &ExtraTag::name);
    const bool is_told = head.fen->castles_as_in_chess() || variant == extra_tags_.end() ||
                         names_chess960(as_text(variant->value));
    out = write_tag("SetUp", "1", out);
    out = write_tag("FEN", is_told ? head.fen->fen() : fen_by_files(*head.fen), out);
  }
  *out++ = '\n';
  return out;
}

std::size_t GameText::head_length(const GameTags& tags, const RecordHead& head, Bytes record) {
  constexpr std::string_view kLineEnd = "\n";
  if (extra_tags_.empty() && !head.fen.has_value() && !tags.chess960) {
    const std::size_t length = options_.all_tags ? tags_length(tags) : tags_length(roster_of(tags));
    return length + kLineEnd.size();
  }
  scratch_.clear();
  char* const begin = scratch_.room(max_length(tags, record));
  return static_cast<std::size_t>(write_head(tags, head, begin) - begin);
}

bool GameText::begins_with_line(Bytes record, const RecordHead& head, unsigned code) {
  const Bytes moves = record.subspan(head.moves_offset);
  const Bytes line = stored_line_bytes(code);
  if (line.size() <= moves.size() && std::ranges::equal(line, moves.first(line.size()))) {
    return true;
  }
  // There may be notes between the moves.
  LineScan scan(stored_line_moves(code));
  replay_.run(record, head, scan);
  return scan.end() != nullptr;
}

template <class Movetext, class Visitor>
std::optional<Damage> GameText::walk(Bytes record, const RecordHead& head, CommentTexts texts,
                                     Movetext& movetext, Visitor& visitor) {
  const Movetext fresh = movetext;
  const std::optional<Damage> damage = walker_.walk(record, head, visitor);
  const bool may_have_surplus = !damage.has_value() && walker_.end_offset() != record.size();
  if (!visitor.out_of_order() && !(may_have_surplus && visitor.has_surplus())) return damage;
  NotesPlan plan = NotesPlan::make(walker_, record, head);
  movetext = fresh;
  TextVisitor<Movetext> planned(options_, movetext, texts, &plan);
  return walker_.walk(record, head, planned);
}

template <class Movetext>
std::optional<Damage> GameText::tell_moves(Bytes record, const RecordHead& head,
                                           Movetext& movetext) {
  const CommentTexts texts(record, head.moves_offset);
  TextVisitor<Movetext> visitor(options_, movetext, texts, nullptr);
  return walk(record, head, texts, movetext, visitor);
}

GameText::Measure GameText::measure_moves(Bytes record, const RecordHead& head,
                                          MovetextMeter& meter, const IndexEntry& entry) {
  const CommentTexts texts(record, head.moves_offset);
  SignatureVisitor<TextVisitor<MovetextMeter>> visitor(options_, meter, texts, nullptr);
  Measure measure{.damage = walk(record, head, texts, meter, visitor)};
  if (measure.damage.has_value() || head.fen.has_value() != entry.has(kFlagStart)) return measure;
  measure.has_verified_signature =
      head.fen.has_value() ||
      (visitor.agrees_with(entry) && begins_with_line(record, head, entry.stored_line));
  return measure;
}

std::optional<Damage> GameText::append(const GameTags& tags, const GamePlace& place, Bytes record,
                                       TextBuffer& out) {
  char* const begin = out.room(max_length(tags, record));
  extra_tags_.clear();
  RecordHead head;
  std::optional<Damage> damage = parse_record_head(record, extra_tags_, head, rule_);
  MovetextWriter writer;
  writer.begin(write_head(tags, head, begin), options_.width);
  if (!damage.has_value()) damage = tell_moves(record, head, writer);
  if (damage.has_value()) writer.comment(as_bytes(damage_remark(place, *damage)));
  out.commit(writer.end(tags.result));
  return damage;
}

std::optional<Damage> GameText::visit(const GameTags& tags, Bytes record, GameVisitor& visitor) {
  extra_tags_.clear();
  RecordHead head;
  const std::optional<Damage> damage = parse_record_head(record, extra_tags_, head, rule_);
  scratch_.clear();
  char* const begin = scratch_.room(max_length(tags, record));
  char* const end = write_head(tags, head, begin);
  visitor.tags({begin, static_cast<std::size_t>(end - begin)});
  const Position start = head.fen.value_or(Position());
  VisitedMovetext movetext(start, options_.code_page, visitor);
  return damage.has_value() ? damage : tell_moves(record, head, movetext);
}

GameText::Measure GameText::length(const GameTags& tags, const GamePlace& place, Bytes record,
                                   const IndexEntry& entry) {
  extra_tags_.clear();
  RecordHead head;
  Measure measure{.damage = parse_record_head(record, extra_tags_, head, rule_)};
  const std::size_t before_moves = head_length(tags, head, record);
  MovetextMeter meter;
  if (!measure.damage.has_value()) measure = measure_moves(record, head, meter, entry);
  if (measure.damage.has_value()) meter.comment(as_bytes(damage_remark(place, *measure.damage)));
  measure.length = before_moves + meter.end(tags.result);
  return measure;
}

bool GameText::has_comments(Bytes record,
                            absl::FunctionRef<bool(std::span<const Bytes>)> are_wanted) {
  extra_tags_.clear();
  comments_.clear();
  RecordHead head;
  if (parse_record_head(record, extra_tags_, head, rule_).has_value()) return are_wanted({});
  CommentTexts texts(record, head.moves_offset);
  while (const std::optional<Bytes> text = texts.next()) comments_.push_back(*text);
  if (!are_wanted(comments_)) return false;
  CommentList shown(comments_);
  tell_moves(record, head, shown);
  return are_wanted(shown.comments());
}

void GameText::append_stub(const GameTags& tags, const GamePlace& place, std::string_view reason,
                           TextBuffer& out) {
  char* const begin = out.room(max_length(tags, {}));
  extra_tags_.clear();
  MovetextWriter writer;
  writer.begin(write_head(tags, RecordHead{}, begin), options_.width);
  const std::string remark = fmt::format(
      "scidfs: game {} cannot be read at byte {} of the game "
      "file: {}",
      place.number, place.offset, reason);
  writer.comment(as_bytes(std::string_view(remark).substr(0, kMaxRemarkLength)));
  out.commit(writer.end(tags.result));
}

}  // namespace scidfs::codec::scid
