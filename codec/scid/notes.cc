#include "codec/scid/notes.h"

#include <algorithm>
#include <cassert>

namespace scidfs::codec::scid {
namespace {

constexpr bool is_move_assessment(std::uint8_t nag) { return nag >= 1 && nag <= 6; }
constexpr bool is_position_assessment(std::uint8_t nag) { return nag >= 10 && nag <= 21; }

constexpr std::string_view kTooManyNags = "a move has more than seven NAGs";
constexpr std::string_view kNoText = "a comment's text is missing";

}  // namespace

bool Notes::add_nag(std::uint8_t value) {
  if (value == 0) return true;
  const auto end = nags_.begin() + nag_count_;
  if (is_move_assessment(value) || is_position_assessment(value)) {
    const auto same_kind = is_move_assessment(value) ? is_move_assessment : is_position_assessment;
    if (const auto old = std::find_if(nags_.begin(), end, same_kind); old != end) {
      *old = value;
      return true;
    }
  }
  if (nag_count_ == kMaxNags) return false;
  if (is_move_assessment(value)) {
    std::copy_backward(nags_.begin(), end, end + 1);
    nags_[0] = value;
  } else {
    nags_[nag_count_] = value;
  }
  ++nag_count_;
  return true;
}

// A visitor of a walk that collects the notes of each node, wherever they are in the bytes.
class NotesPlan::Collector {
 public:
  Collector(NotesPlan& plan, CommentTexts texts) : plan_(plan), texts_(texts) {}

  void start(const Position&) { place_ = {.node = 0, .is_move = false}; }
  template <Color>
  void move(const Position&, const Move&) {
    place_ = {.node = ++last_node_, .is_move = true};
  }
  std::string_view nag(std::uint8_t value) {
    if (place_.is_move && !item().notes.add_nag(value)) return failed(kTooManyNags);
    ++plan_.good_notes_;
    return {};
  }
  std::string_view comment() {
    const std::optional<Bytes> text = texts_.next();
    if (!text.has_value()) return failed(kNoText);
    item().notes.set_comment(*text);
    last_marked_ = place_.node;
    any_marked_ = true;
    ++plan_.good_notes_;
    return {};
  }
  void begin_variation(const Position&) {
    parents_.push_back(place_);
    place_ = {.node = ++last_node_, .is_move = false};
  }
  void end_variation(const Position&) {
    const std::uint32_t node = place_.node;
    const bool has_moves = place_.is_move;
    ++last_node_;
    place_ = parents_.back();
    parents_.pop_back();
    if (!has_moves) empty_lines_.push_back({.node = node, .parent = place_.node});
  }
  std::span<const EmptyLine> empty_lines() const { return empty_lines_; }
  void end(const Position&) {}

  // Gives the remaining texts to the nodes after the last marked one. Those of ends of variations
  // vanish, since no caller asks for them.
  void spread_surplus() {
    for (std::uint32_t node = any_marked_ ? last_marked_ + 1 : 0; node <= last_node_; ++node) {
      const std::optional<Bytes> text = texts_.next();
      if (!text.has_value()) return;
      place_ = {.node = node, .is_move = false};
      item().notes.set_comment(*text);
    }
  }

 private:
  struct Place {
    std::uint32_t node = 0;
    bool is_move = false;
    std::size_t item = kNoItem;  // index into the plan's items
  };
  static constexpr std::size_t kNoItem = ~std::size_t{0};

  Item& item() {
    if (place_.item == kNoItem) {
      place_.item = plan_.items_.size();
      plan_.items_.push_back({.node = place_.node, .notes = {}});
    }
    return plan_.items_[place_.item];
  }
  std::string_view failed(std::string_view error) {
    plan_.error_ = error;
    return error;
  }

  NotesPlan& plan_;
  CommentTexts texts_;
  Place place_;
  std::vector<Place> parents_;
  std::vector<EmptyLine> empty_lines_;
  std::uint32_t last_node_ = 0;
  std::uint32_t last_marked_ = 0;
  bool any_marked_ = false;
};

NotesPlan NotesPlan::make(Walker& walker, Bytes record, const RecordHead& head) {
  NotesPlan plan;
  Collector collector(plan, CommentTexts(record, head.moves_offset));
  const bool whole = !walker.walk(record, head, collector).has_value();
  // In a damaged game the remaining texts belong to markers after the damage.
  if (whole) collector.spread_surplus();
  std::stable_sort(plan.items_.begin(), plan.items_.end(),
                   [](const Item& a, const Item& b) { return a.node < b.node; });
  plan.move_comments(collector.empty_lines());
  return plan;
}

void NotesPlan::move_comments(std::span<const EmptyLine> lines) {
  std::vector<std::pair<std::uint32_t, Bytes>> moved;
  for (const EmptyLine& line : lines) {
    Bytes comment;
    const auto is_before = [](const Item& item, std::uint32_t node) { return item.node < node; };
    auto item = std::lower_bound(items_.begin(), items_.end(), line.node, is_before);
    for (; item != items_.end() && item->node == line.node; ++item) {
      comment = item->notes.comment();
      item->notes.clear();
    }
    if (!comment.empty()) moved.emplace_back(line.parent, comment);
  }
  std::stable_sort(moved.begin(), moved.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [receiver, comment] : moved) {
    receivers_.push_back(receiver);
    moved_.push_back(comment);
  }
}

Notes NotesPlan::take(std::uint32_t node) {
  assert(next_ == 0 || items_[next_ - 1].node < node);
  assert(next_moved_ == 0 || receivers_[next_moved_ - 1] < node);
  while (next_ < items_.size() && items_[next_].node < node) ++next_;
  Notes notes;
  // A second item of a node holds a surplus text.
  for (; next_ < items_.size() && items_[next_].node == node; ++next_) {
    const Notes& more = items_[next_].notes;
    if (notes.empty()) {
      notes = more;
    } else {
      notes.set_comment(more.comment());
    }
  }
  while (next_moved_ < receivers_.size() && receivers_[next_moved_] < node) ++next_moved_;
  const std::size_t first = next_moved_;
  while (next_moved_ < receivers_.size() && receivers_[next_moved_] == node) ++next_moved_;
  notes.set_more_comments(std::span(moved_).subspan(first, next_moved_ - first));
  return notes;
}

}  // namespace scidfs::codec::scid
