#include "fs/tree/tree.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "codec/text.h"
#include "fs/base/names.h"
#include "fs/base/status_macros.h"
#include "fs/library/folder_snapshot.h"
#include "fs/library/library.h"

namespace scidfs::fs {
namespace {

using About = PendingChanges::Request::About;

constexpr std::size_t kContentCacheSize = std::size_t{16} << 20;

// The position of the files of the mount itself in the listing of the root: after everything else.
constexpr std::uint64_t kAfterRoot = std::uint64_t{1} << 40;

// Returns whether an answer that reads the source could take longer than the budget allows.
bool must_wait(const MountedVersion& version, const WorkBudget& budget) {
  return version.is_remote && !budget.may_wait();
}

bool is_folder(const MountedVersion& version) {
  return version.noun.empty() && !version.is_together;
}

// Returns the path that the library notes changes under.
std::string known_path(const MountedVersion& version) {
  return version.noun.empty() ? version.path : shown_path(version.path, version.name);
}

// Returns the changes that answers about an entry, or about what it shows, must wait for.
PendingChanges::Request changes_of(const MountedVersion& version, bool is_below) {
  return {.about = version.is_together ? About::Databases : About::Path,
          .path = known_path(version),
          .needs_bytes = is_below};
}

absl::Status no_such(std::string_view what) {
  return absl::NotFoundError(std::string("no such ").append(what));
}

}  // namespace

// A request, which sees one catalog from its first to its last step.
class Tree::Request {
 public:
  explicit Request(const Tree& tree) : own_(tree.own_), catalog_(tree.library_.catalog()) {}

  // A directory or a file, and the version that it belongs to.
  struct Found {
    MountedVersionPtr version;
    LocalId place;
    bool is_directory = false;
  };
  // The same, bound.
  struct Bound : Found {
    NodePtr node;
  };

  bool is_root(const Found& found) const {
    return found.place == LocalId{} && found.version->slot == catalog_->root();
  }
  // Returns whether a name is that of a file of the mount itself.
  bool has_own(const Found& directory, std::string_view name) const {
    return is_root(directory) && MountSnapshot::has(name);
  }
  Inode inode_of(const Found& found) const {
    if (is_root(found)) return kRootInode;
    const Inode inode = found.is_directory
                            ? pack({.slot = found.version->slot, .place = found.place})
                            : pack({.slot = found.version->file_slot,
                                    .epoch = found.version->epoch,
                                    .place = found.place});
    assert(inode != 0 && inode != kRootInode);
    return inode;
  }
  // Finds the version that an inode number belongs to: the newest one of a directory, of a file its
  // own. The place may not exist there.
  absl::StatusOr<Found> locate(Inode inode) const;
  absl::StatusOr<Bound> bind(Inode inode) const;
  absl::StatusOr<Bound> bind_directory(Inode inode) const;
  // Returns the file or directory that a child of a directory refers to.
  absl::StatusOr<Found> find_child(const Found& directory, const Child& child) const;
  absl::StatusOr<Found> find_parent(const Bound& directory) const;
  // Returns the files of the mount itself, which the root shows besides its own.
  Bound own() const;

  // Returns the attributes without the size of a file, and with the time of its version.
  Attributes attributes_of(const Found& found) const {
    const MountedVersion& version = *found.version;
    return {.inode = inode_of(found),
            .generation = generation_of(version, found.place, found.is_directory),
            .is_directory = found.is_directory,
            .mtime = found.is_directory ? version.mtime : version.file_mtime};
  }
  const Catalog& catalog() const { return *catalog_; }
  // Appends the directories of an entry that the kernel may have listed: its own, and those in it.
  void add_directories(const MountedVersionPtr& version, std::vector<Inode>& inodes) const;

 private:
  const std::shared_ptr<const MountSnapshot>& own_;
  const CatalogPtr catalog_;
};

absl::StatusOr<Tree::Request::Found> Tree::Request::locate(Inode inode) const {
  InodeFields fields = unpack(inode);
  if (inode == kRootInode) fields = {.slot = catalog_->root()};
  const bool is_own = fields.slot == 0 && fields.epoch == 0;
  Found found{.version = is_own ? own().version : nullptr,
              .place = fields.place,
              .is_directory = fields.epoch == 0 && !is_own};
  if (!is_own) {
    found.version = found.is_directory ? catalog_->find_ptr(fields.slot)
                                       : catalog_->version(fields.slot, fields.epoch);
  }
  if (found.version != nullptr) return found;
  return found.is_directory
             ? no_such("directory")
             : absl::FailedPreconditionError("this version of the file has been evicted");
}

absl::StatusOr<Tree::Request::Bound> Tree::Request::bind(Inode inode) const {
  ASSIGN_OR_RETURN(Found found, locate(inode));
  NodePtr node = found.version->snapshot->bind(found.place);
  if (node == nullptr || node->is_directory() != found.is_directory) {
    if (is_query(found.place)) return absl::FailedPreconditionError("the query has been evicted");
    return no_such("place");
  }
  return Bound{std::move(found), std::move(node)};
}

absl::StatusOr<Tree::Request::Bound> Tree::Request::bind_directory(Inode inode) const {
  absl::StatusOr<Bound> found = bind(inode);
  if (found.ok() && !found->is_directory) return no_such("directory");
  return found;
}

absl::StatusOr<Tree::Request::Found> Tree::Request::find_child(const Found& directory,
                                                               const Child& child) const {
  if (!child.refusal.ok()) return child.refusal;
  if (!child.mounted.has_value()) {
    return Found{
        .version = directory.version, .place = child.place, .is_directory = child.is_directory};
  }
  const std::vector<std::uint16_t>& mounted = directory.version->mounted;
  MountedVersionPtr version =
      *child.mounted < mounted.size() ? catalog_->find_ptr(mounted[*child.mounted]) : nullptr;
  if (version == nullptr) return no_such("directory");
  return Found{.version = std::move(version), .place = {}, .is_directory = true};
}

absl::StatusOr<Tree::Request::Found> Tree::Request::find_parent(const Bound& directory) const {
  if (is_root(directory)) return directory;
  if (directory.place != LocalId{}) {
    return Found{
        .version = directory.version, .place = directory.node->parent(), .is_directory = true};
  }
  MountedVersionPtr above = catalog_->find_ptr(directory.version->parent_slot);
  if (above == nullptr) return no_such("directory");
  return Found{
      .version = std::move(above), .place = directory.version->parent_place, .is_directory = true};
}

Tree::Request::Bound Tree::Request::own() const {
  auto files = std::make_shared<MountedVersion>();
  const MountedVersion* const root = catalog_->find(catalog_->root());
  if (root != nullptr) files->file_mtime = root->file_mtime;
  files->snapshot = own_;
  return {{.version = std::move(files), .place = {}, .is_directory = true}, own_->bind({})};
}

void Tree::Request::add_directories(const MountedVersionPtr& version,
                                    std::vector<Inode>& inodes) const {
  inodes.push_back(inode_of({.version = version, .place = {}, .is_directory = true}));
  // These directories are cheap to list.
  const NodePtr node = version->snapshot->bind({});
  if (node == nullptr) return;
  (void)node->list(0, WorkBudget::limited(0), [&](const Child& child, std::uint64_t) {
    if (child.is_directory && !child.mounted.has_value()) {
      inodes.push_back(inode_of({.version = version, .place = child.place, .is_directory = true}));
    }
    return true;
  });
}

Tree::Tree(const Library& library, const Options& options)
    : library_(library),
      blocks_(options.blocks),
      contents_(kContentCacheSize),
      own_(std::make_shared<MountSnapshot>(library, blocks_.blocks(), options.more_status)),
      seen_(library.catalog()) {}

absl::StatusOr<std::uint64_t> Tree::size_of(Inode inode, const MountedVersion& version,
                                            const Node& file, const WorkBudget& budget) {
  if (const std::optional<std::uint64_t> known = file.known_size()) return *known;
  if (must_wait(version, budget)) return WorkBudget::exceeded();
  ASSIGN_OR_RETURN(const ContentPtr content, contents_.get(inode, file, budget));
  return content->size();
}

absl::StatusOr<Entry> Tree::lookup(Inode parent, std::string_view name, const WorkBudget& budget,
                                   UnknownSize unknown) {
  const Request request(*this);
  absl::StatusOr<Request::Bound> directory = request.bind_directory(parent);
  if (!directory.ok()) return directory.status();
  if (name.empty()) return no_such("file or directory");  // rows of tables of names may be unnamed
  // Paths do not need this, only file handles: NFS looks up the parents of a directory.
  if (name == "..") {
    ASSIGN_OR_RETURN(const Request::Found above, request.find_parent(*directory));
    return Entry{.attributes = request.attributes_of(above)};
  }
  if (request.has_own(*directory, name)) directory = request.own();
  const Snapshot& snapshot = *directory->version->snapshot;
  if (snapshot.find_reads() && must_wait(*directory->version, budget)) {
    return WorkBudget::exceeded();
  }
  std::optional<Child> child = directory->node->find(name);
  if (!child.has_value()) {
    ASSIGN_OR_RETURN(const bool finds_more, snapshot.prepare_find(budget));
    if (finds_more) child = directory->node->find(name);
  }
  if (!child.has_value()) return no_such("file or directory");
  ASSIGN_OR_RETURN(const Request::Found found, request.find_child(*directory, *child));
  Entry entry{.attributes = request.attributes_of(found)};
  if (found.is_directory) return entry;
  NodePtr file = directory->node->bind_child(*child);
  if (file == nullptr) file = found.version->snapshot->bind(found.place);
  if (file == nullptr) return no_such("file");
  entry.name_is_stable = child->is_settled;
  return finish(entry, *found.version, *file, budget, unknown);
}

absl::StatusOr<Entry> Tree::finish(Entry entry, const MountedVersion& version, const Node& file,
                                   const WorkBudget& budget, UnknownSize unknown) {
  entry.attributes.mtime = file.mtime().value_or(entry.attributes.mtime);
  const absl::StatusOr<std::uint64_t> size = size_of(entry.attributes.inode, version, file, budget);
  if (absl::IsUnavailable(size.status()) && unknown == UnknownSize::IsLeftOut) {
    entry.has_size = false;
    return entry;
  }
  if (!size.ok()) return size.status();
  entry.attributes.size = *size;
  entry.attributes_are_stable = true;
  return entry;
}

absl::StatusOr<Attributes> Tree::attributes(Inode inode, const WorkBudget& budget) {
  const Request request(*this);
  ASSIGN_OR_RETURN(const Request::Bound found, request.bind(inode));
  Attributes attributes = request.attributes_of(found);
  if (found.is_directory) return attributes;
  attributes.mtime = found.node->mtime().value_or(attributes.mtime);
  ASSIGN_OR_RETURN(attributes.size, size_of(inode, *found.version, *found.node, budget));
  return attributes;
}

absl::Status Tree::list(Inode directory, std::uint64_t first, const WorkBudget& budget,
                        absl::FunctionRef<bool(const DirectoryEntry&)> emit) const {
  const Request request(*this);
  ASSIGN_OR_RETURN(const Request::Bound found, request.bind_directory(directory));
  bool stopped = false;
  const auto list_in = [&](const Request::Bound& owner, std::uint64_t before) {
    const bool reads_nothing = must_wait(*owner.version, budget);
    return owner.node->list(
        std::max(first, before) - before, reads_nothing ? WorkBudget::limited(0) : budget,
        [&](const Child& child, std::uint64_t next) {
          const absl::StatusOr<Request::Found> below = request.find_child(owner, child);
          if (!below.ok()) return true;
          stopped = !emit({.name = child.name,
                           .is_directory = child.is_directory,
                           .inode = request.inode_of(*below),
                           .next = before + next});
          return !stopped;
        });
  };
  absl::Status status = first < kAfterRoot ? list_in(found, 0) : absl::OkStatus();
  if (!status.ok() || stopped || !request.is_root(found)) return status;
  return list_in(request.own(), kAfterRoot);
}

absl::StatusOr<ContentPtr> Tree::content_of(Inode inode, const WorkBudget& budget,
                                            bool& is_remote) {
  const Request request(*this);
  ASSIGN_OR_RETURN(const Request::Bound found, request.bind(inode));
  if (found.is_directory) return no_such("file");
  if (must_wait(*found.version, budget)) return WorkBudget::exceeded();
  is_remote = found.version->is_remote;
  return contents_.get(inode, *found.node, budget);
}

absl::StatusOr<Slice> Tree::read(Inode file, std::uint64_t offset, std::size_t size,
                                 const WorkBudget& budget) {
  bool is_remote = false;
  ASSIGN_OR_RETURN(const ContentPtr content, content_of(file, budget, is_remote));
  RETURN_IF_ERROR(content->prepare(budget));
  return blocks_.read(file, content, is_remote, offset, size, budget);
}

absl::StatusOr<std::vector<std::string>> Tree::nearest(Inode directory, std::string_view name,
                                                       const WorkBudget& budget) const {
  const Request request(*this);
  ASSIGN_OR_RETURN(const Request::Bound found, request.bind_directory(directory));
  return found.node->nearest(name, budget);
}

std::string Tree::why_refused(Inode directory, std::string_view name) const {
  const Request request(*this);
  const absl::StatusOr<Request::Found> found = request.locate(directory);
  if (!found.ok()) return {};
  const MountedVersion& version = *found->version;
  if (is_refused(version)) return version.snapshot->summary();
  for (const std::vector<Refusal>* const refusals : {&version.refused, &version.links}) {
    for (const Refusal& refusal : *refusals) {
      const bool is_meant = refusal.name.empty() || codec::clean_line(refusal.name) == name;
      if (is_meant) return codec::clean_line(refusal.why);
    }
  }
  return {};
}

absl::StatusOr<bool> Tree::is_of_source(Inode file) const {
  const Request request(*this);
  ASSIGN_OR_RETURN(const Request::Bound found, request.bind(file));
  return found.node->is_of_source();
}

absl::StatusOr<bool> Tree::has_damaged_games(Inode file, const WorkBudget& budget) {
  bool is_remote = false;
  ASSIGN_OR_RETURN(const ContentPtr content, content_of(file, budget, is_remote));
  return content->has_damaged_games();
}

absl::Status Tree::append(Inode file, std::string& out) {
  bool is_remote = false;
  ASSIGN_OR_RETURN(const ContentPtr content, content_of(file, WorkBudget::limited(0), is_remote));
  return content->read(0, content->size(), out);
}

std::uint16_t Tree::remote_slot(Inode inode) const {
  const Request request(*this);
  const absl::StatusOr<Request::Found> found = request.locate(inode);
  return found.ok() && found->version->is_remote ? found->version->slot : 0;
}

PendingChanges& Tree::pending_changes() const { return library_.pending_changes(); }

std::optional<PendingChanges::Request> Tree::query(Inode directory, std::string_view name) const {
  const bool is_top = directory == kRootInode || unpack(directory).place == LocalId{};
  if (name == "." || name == ".." || (!is_top && pending_changes().is_calm())) return std::nullopt;
  const Request request(*this);
  const absl::StatusOr<Request::Found> found = request.locate(directory);
  if (!found.ok() || !found->is_directory) return std::nullopt;
  const MountedVersion& version = *found->version;
  if (!is_folder(version)) return changes_of(version, /*is_below=*/true);
  const PendingChanges::Request listing{.about = About::Listing, .path = version.path};
  if (name.empty()) return listing;
  if (request.has_own(*found, name)) return std::nullopt;
  const NodePtr folder = version.snapshot->bind(found->place);
  if (folder == nullptr) return std::nullopt;
  const std::optional<Child> child = folder->find(name);
  if (child.has_value() && !child->mounted.has_value()) {
    return PendingChanges::Request{.about = About::Contents, .path = version.path};
  }
  if (child.has_value()) {
    const absl::StatusOr<Request::Found> below = request.find_child(*found, *child);
    if (below.ok()) return changes_of(*below->version, /*is_below=*/false);
  }
  // It comes with the second database of the folder, at any depth.
  if (name == kTogetherName) return listing;
  std::string path = version.path.empty() ? std::string() : version.path + "/";
  path += name;
  return PendingChanges::Request{
      .about = About::Listing, .path = std::move(path), .is_missing = !name.starts_with('.')};
}

TreeStatistics Tree::statistics() const {
  TreeStatistics statistics;
  const CatalogPtr catalog = library_.catalog();
  for (const MountedVersionPtr& version : catalog->all()) {
    if (version->database != nullptr) statistics.files += version->database->games();
    statistics.bytes += version->source_bytes;
  }
  return statistics;
}

std::vector<Inode> Tree::doubtful(const std::vector<PendingChanges::ChangeEvent>& signs) const {
  RescanScope changed{.is_all = false};
  std::set<std::string, std::less<>> listings;  // folders whose names may have changed
  for (const PendingChanges::ChangeEvent& sign : signs) {
    changed.paths.emplace(sign.path, false);
    if (!sign.is_arrival) continue;
    // An arrival may be the first shown entry of its folder: then the folder appears too, and so
    // may the folders above it.
    for (std::string_view path = sign.path; !path.empty();) {
      path = folder_of_path(path);
      listings.emplace(path);
    }
  }
  const Request request(*this);
  std::vector<Inode> inodes;
  for (const MountedVersionPtr& version : request.catalog().all()) {
    const std::string path = known_path(*version);
    const auto has_below = [&path](const auto& sign) { return is_within(sign.path, path); };
    if (changed.names(path) || (is_folder(*version) && listings.contains(path)) ||
        (version->is_together && std::ranges::any_of(signs, has_below))) {
      request.add_directories(version, inodes);
    }
  }
  return inodes;
}

std::vector<Inode> Tree::renew() {
  const Request request(*this);
  CatalogPtr before = library_.catalog();
  {
    const cache::MutexLock lock(seen_mutex_);
    seen_.swap(before);
  }
  contents_.drop([&request](Inode inode) {
    const InodeFields node = unpack(inode);
    return !request.catalog().has(node.slot, node.epoch);
  });
  std::vector<Inode> inodes;
  for (const MountedVersionPtr& version : request.catalog().all()) {
    if (before->find(version->slot) != version.get()) request.add_directories(version, inodes);
  }
  for (const MountedVersionPtr& version : before->all()) {
    if (request.catalog().find(version->slot) == nullptr) request.add_directories(version, inodes);
  }
  return inodes;
}

}  // namespace scidfs::fs
