#include "fs/pgn/pgn_snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cache/hash.h"
#include "codec/ending.h"
#include "codec/text.h"
#include "fs/base/inode.h"
#include "fs/base/status_macros.h"
#include "fs/content/source_content.h"
#include "fs/pages/list_page.h"
#include "fs/pages/shared_files.h"
#include "fs/pgn/read_games.h"
#include "fs/views/numbers.h"
#include "fs/views/query_directory.h"
#include "fs/views/unread_directory.h"

namespace scidfs::fs {
namespace {

// The entries of kPgnView: files that no database has, and kPageFiles of a refused file.
enum OwnEntry : std::uint8_t {
  kSource,
  kRemarks,
  kRefusal,
  kPage,
  kOwnFiles = kPage + kPageFiles.size()
};

// Returns the key of a file that tells of a refusal: another reason is another file.
std::uint32_t key_of_refusal(const ReadSource& read) {
  return static_cast<std::uint32_t>(cache::fingerprint(read.refusal) % kMaxKey + 1);
}

// Returns "12.3 MB".
std::string in_megabytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

// Returns "source.pgn", with the further endings of a compressed file.
std::string source_name(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  const std::string small = codec::in_small_letters(name);
  return "source" + name.substr(small.rfind(".pgn"));
}

}  // namespace

// The directory of the file. Requests for its entries read the file, so each function looks anew at
// what has been read.
class PgnSnapshot::Directory : public Node {
 public:
  explicit Directory(const PgnSnapshot& snapshot) : snapshot_(snapshot) {}

  bool is_directory() const override { return true; }
  absl::Status list(std::uint64_t first, const WorkBudget& budget, EmitChild emit) const override;
  std::optional<Child> find(std::string_view name) const override;
  NodePtr bind_child(const Child& child) const override {
    const bool is_of_database = child.place.view != kPgnView && found_in_ != nullptr;
    return is_of_database ? found_in_->bind_child(child) : nullptr;
  }

 private:
  const PgnSnapshot& snapshot_;
  mutable NodePtr found_in_;  // the directory of the database, where find() has looked
};

class PgnSnapshot::OwnFile : public Node {
 public:
  OwnFile(const PgnSnapshot& snapshot, LocalId place) : snapshot_(snapshot), place_(place) {}

  bool is_directory() const override { return false; }
  absl::StatusOr<std::unique_ptr<Content>> open(const WorkBudget& budget) const override {
    return snapshot_.open_own(place_, budget);
  }

 private:
  const PgnSnapshot& snapshot_;
  const LocalId place_;
};

std::shared_ptr<const DatabaseSnapshot> PgnSnapshot::views() const {
  const LazyDatabase::Ptr made = database_->made();
  return made == nullptr ? nullptr : made->views;
}

std::string PgnSnapshot::summary() const {
  const LazyDatabase::Ptr made = database_->made();
  if (made == nullptr) {
    const LazyDatabase::Reading reading = database_->reading();
    if (reading.total == 0) return in_megabytes(source().stamp.size) + ", not read yet";
    return fmt::format("{} of {} have been read", in_megabytes(reading.done),
                       in_megabytes(reading.total));
  }
  return made->views == nullptr ? "refused: " + made->refusal : made->views->summary();
}

std::vector<std::string> PgnSnapshot::problems() const {
  const auto views = this->views();
  return views == nullptr ? std::vector<std::string>() : views->problems();
}

std::uint64_t PgnSnapshot::memory() const {
  const LazyDatabase::Ptr made = database_->made();
  const std::uint64_t own = sizeof(*this) + sizeof(LazyDatabase);
  if (made == nullptr) return own;
  return own + made->remarks.size() + (made->views == nullptr ? 0 : made->views->memory());
}

// The snapshot of a database that has been read lives as long as this.
NodePtr PgnSnapshot::bind(LocalId place) const {
  if (place == LocalId{}) return std::make_shared<const Directory>(*this);
  if (place.view == kPgnView) {
    const std::optional<Child> file = own_file(place.entry, database_->made());
    const bool is_there = file.has_value() && file->place == place;
    return is_there ? std::make_shared<const OwnFile>(*this, place) : nullptr;
  }
  const LazyDatabase::Ptr made = database_->made();
  if (made != nullptr) return made->views == nullptr ? nullptr : made->views->bind(place);
  if (!UnreadDirectory::may_exist(*searches_, place)) return nullptr;
  return std::make_shared<const UnreadDirectory>(
      place, [this](const WorkBudget& budget) -> absl::StatusOr<UnreadDirectory::Views> {
        ASSIGN_OR_RETURN(const LazyDatabase::Ptr read, database_->get(budget));
        return read->views;
      });
}

std::uint64_t PgnSnapshot::identity(LocalId place) const {
  return query_identity(*searches_, place);
}

std::optional<Child> PgnSnapshot::own_file(std::size_t number,
                                           const LazyDatabase::Ptr& made) const {
  const auto file = [number](std::string name, std::uint32_t key = 0) {
    return Child{
        .name = std::move(name),
        .place = {.view = kPgnView, .entry = static_cast<std::uint8_t>(number), .key = key},
        .is_settled = key == 0};
  };
  switch (number) {
    case kSource:
      if (source().is_unpacked) return std::nullopt;
      return file(source_name(source().path));
    case kRemarks:
      if (made == nullptr || made->views == nullptr || made->remarks.empty()) return std::nullopt;
      return file("remarks.txt");
    case kRefusal:
      if (made == nullptr || made->views != nullptr) return std::nullopt;
      return file("info.txt", key_of_refusal(*made));
    default: {
      const bool is_refused = made != nullptr && made->views == nullptr;
      if (!is_refused || pages_ == PagesMode::None || number >= kOwnFiles) return std::nullopt;
      return file(std::string(kPageFiles[number - kPage]),
                  number == kPage ? key_of_refusal(*made) : 0);
    }
  }
}

std::optional<Child> PgnSnapshot::listed_file(std::size_t number,
                                              const LazyDatabase::Ptr& made) const {
  const bool is_listed = number < kPage || lists_page_file(number - kPage, pages_, !is_in_folder_);
  return is_listed ? own_file(number, made) : std::nullopt;
}

absl::StatusOr<bool> PgnSnapshot::prepare_find(const WorkBudget& budget) const {
  // Also if it is there already: another thread may have read it since the caller's find().
  RETURN_IF_ERROR(database_->get(budget).status());
  return true;
}

absl::Status PgnSnapshot::Directory::list(std::uint64_t first, const WorkBudget& budget,
                                          EmitChild emit) const {
  ASSIGN_OR_RETURN(const LazyDatabase::Ptr made, snapshot_.database_->get(budget));
  bool stopped = false;
  absl::Status status = list_children(
      first, kOwnFiles, [&](std::uint64_t number) { return snapshot_.listed_file(number, made); },
      [&](Child child, std::uint64_t next) {
        stopped = !emit(std::move(child), next);
        return !stopped;
      });
  if (!status.ok() || stopped || made->views == nullptr) return status;
  constexpr std::uint64_t kBefore = kOwnFiles;  // positions of other files
  return made->views->bind(LocalId{})->list(
      std::max(first, kBefore) - kBefore, budget,
      [&](Child child, std::uint64_t next) { return emit(std::move(child), next + kBefore); });
}

std::optional<Child> PgnSnapshot::Directory::find(std::string_view name) const {
  const LazyDatabase::Ptr made = snapshot_.database_->made();
  for (std::size_t number = 0; number < kOwnFiles; ++number) {
    std::optional<Child> file = snapshot_.own_file(number, made);
    if (file.has_value() && file->name == name) return file;
  }
  if (made == nullptr || made->views == nullptr) return std::nullopt;
  found_in_ = made->views->bind(LocalId{});
  return found_in_->find(name);
}

std::string PgnSnapshot::refusal_text(const ReadSource& read) const {
  const std::filesystem::path& path = source().path;
  const std::string name = codec::clean_line(path.filename().string());
  std::string text = fmt::format("file: {}\nbytes: {}\nrefused: {}\n", name, source().stamp.size,
                                 codec::clean_line(read.refusal));
  if (read.is_damaged) return text;
  // A zip file is shown as it is, and not its members.
  const std::filesystem::path zip = path.parent_path();
  const bool is_in_zip = source().is_unpacked && codec::has_ending(zip.native(), ".zip");
  return text + fmt::format("hint: scidfs-import {} -o NEW.si5 makes a database of it\n",
                            is_in_zip ? codec::clean_line(zip.filename().string()) : name);
}

std::string PgnSnapshot::refusal_page(const LazyDatabase::Ptr& made) const {
  std::vector<Crumb> crumbs;
  if (is_in_folder_) crumbs.push_back(Crumb::folder_above(1));
  std::vector<PageEntry> entries;
  for (std::size_t number = 0; number < kPage; ++number) {
    const std::optional<Child> file = own_file(number, made);
    if (!file.has_value()) continue;
    entries.push_back(
        {.name = codec::clean_line(file->name), .link = Link().name(file->name), .words = {}});
  }
  return list_page(codec::clean_line(source().path.filename().string()), crumbs,
                   refusal_text(*made), entries);
}

absl::StatusOr<std::unique_ptr<Content>> PgnSnapshot::open_source(const WorkBudget& budget) const {
  absl::StatusOr<SourceFile> file = source().open([] { return false; });
  if (file.ok() && file->stamp().may_continue(source().stamp)) {
    if (!budget.is_unlimited()) return WorkBudget::exceeded();
    ASSIGN_OR_RETURN(const LazyDatabase::Ptr made, database_->get(budget));
    const bool is_whole = made->front.bytes == source().stamp.size;
    if (is_whole && begins_with(*file, made->front).value_or(false)) file->cut_to(source().stamp);
  }
  return source_content(std::move(file), source().stamp);
}

absl::StatusOr<std::unique_ptr<Content>> PgnSnapshot::open_own(LocalId file,
                                                               const WorkBudget& budget) const {
  const LazyDatabase::Ptr made = database_->made();
  const std::optional<Child> own = own_file(file.entry, made);
  if (!own.has_value() || own->place != file) return absl::NotFoundError("no such file");
  if (file.entry == kRemarks) return std::make_unique<TextContent>(made->remarks);
  if (file.entry == kRefusal) return std::make_unique<TextContent>(refusal_text(*made));
  if (file.entry == kPage) return std::make_unique<TextContent>(refusal_page(made));
  if (file.entry > kPage) {
    return std::make_unique<TextContent>(
        std::string(page_file_text(file.entry - std::size_t{kPage})));
  }
  return open_source(budget);
}

}  // namespace scidfs::fs
