#include "fs/views/kept_text.h"

#include <fmt/format.h>

#include <cassert>
#include <utility>

#include "fs/base/status_macros.h"

namespace scidfs::fs {
namespace {

struct KeptText {
  std::string bytes;

  std::size_t memory() const { return sizeof *this + bytes.capacity(); }
};

class KeptContent : public Content {
 public:
  explicit KeptContent(std::shared_ptr<const std::string> text) : text_(std::move(text)) {}

  std::uint64_t size() const override { return text_->size(); }
  absl::Status read(std::uint64_t offset, std::size_t length, std::string& out) const override {
    assert(offset + length <= size());
    out.append(*text_, offset, length);
    return absl::OkStatus();
  }
  std::size_t memory() const override { return sizeof *this; }

 private:
  const std::shared_ptr<const std::string> text_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Content>> open_kept_text(
    const Set& set, std::string_view name, const WorkBudget& budget,
    absl::FunctionRef<absl::StatusOr<std::string>(const GameSet& games)> make) {
  ASSIGN_OR_RETURN(
      const std::shared_ptr<const KeptText> text,
      set.version().searches->results.get<KeptText>(
          fmt::format("{}:{}:{}", set.version().id, name, set.answer_key()), budget,
          [&]() -> absl::StatusOr<std::shared_ptr<const KeptText>> {
            ASSIGN_OR_RETURN(const GameSet games, set.games(budget));
            ASSIGN_OR_RETURN(std::string bytes, make(games));
            return std::make_shared<const KeptText>(KeptText{.bytes = std::move(bytes)});
          }));
  return shared_text(std::shared_ptr<const std::string>(text, &text->bytes));
}

std::unique_ptr<Content> shared_text(std::shared_ptr<const std::string> bytes) {
  return std::make_unique<KeptContent>(std::move(bytes));
}

}  // namespace scidfs::fs
