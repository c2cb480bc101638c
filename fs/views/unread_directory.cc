#include "fs/views/unread_directory.h"

#include "fs/base/status_macros.h"
#include "fs/views/numbers.h"
#include "fs/views/query_directory.h"
#include "fs/views/view.h"

namespace scidfs::fs {

NodePtr bind_kept(std::shared_ptr<const DatabaseSnapshot> views, LocalId place) {
  NodePtr node = views == nullptr ? nullptr : views->bind(place);
  if (node == nullptr) return nullptr;
  const auto both =
      std::make_shared<const std::pair<std::shared_ptr<const DatabaseSnapshot>, NodePtr>>(
          std::move(views), std::move(node));
  return {both, both->second.get()};
}

bool UnreadDirectory::may_exist(QueryContext& searches, LocalId place) {
  const View* const view = find_view(place.view);
  if (view == nullptr || !view->is_directory(place)) return false;
  return !is_query(place) || query_identity(searches, place) != 0;
}

NodePtr UnreadDirectory::known() const {
  return bind_kept(read_(WorkBudget::limited(0)).value_or(nullptr), place_);
}

LocalId UnreadDirectory::parent() const {
  const NodePtr known = this->known();
  return known == nullptr ? LocalId{} : known->parent();
}

std::optional<Child> UnreadDirectory::find(std::string_view name) const {
  const NodePtr known = this->known();
  return known == nullptr ? std::nullopt : known->find(name);
}

absl::Status UnreadDirectory::list(std::uint64_t first, const WorkBudget& budget,
                                   EmitChild emit) const {
  ASSIGN_OR_RETURN(const Views views, read_(budget));
  const NodePtr read = bind_kept(views, place_);
  return read == nullptr ? absl::OkStatus() : read->list(first, budget, emit);
}

}  // namespace scidfs::fs
