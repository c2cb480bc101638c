// Paths and inode numbers from callers, on a small folder of databases.
#include <fmt/format.h>

#include <algorithm>

#include "fs/get/path_finder.h"
#include "fs/get/tree_reader.h"
#include "fs/library/library.h"
#include "fs/requests/request_runner.h"
#include "fs/tree/tree.h"
#include "tests/fuzz/target.h"
#include "tests/support/files.h"
#include "tests/support/library.h"
#include "tests/support/packed.h"
#include "tests/support/scid_files.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tree_walk.h"

namespace scidfs::fuzz {
namespace {

using fs::Inode;

// After this byte, inode numbers follow instead of a path.
constexpr char kNumbers = '\x01';

// A mounted folder that lives until the program ends.
class Mounted {
 public:
  Mounted() {
    std::filesystem::create_directory(folder_ / "below");
    for (const char* const stem : {"tags", "text_utf8", "flags", "names_empty"}) add(stem, stem);
    add("variations", "below/variations");
    tests::write_file(folder_ / "broken.si4", "Scid.si");
    for (const char* const archive : {"ok-multi.scv", "ok-subdir.scv"}) {
      const std::string bytes = tests::read_file(tests::test_data("scv/" + std::string(archive)));
      tests::write_file(folder_ / archive, bytes);
    }
    const std::string pgn = tests::read_file(tests::test_data("packed/games.pgn"));
    tests::write_file(folder_ / "games.pgn", pgn);
    tests::write_file(folder_ / "games.zip", tests::zipped({{"one.pgn", pgn}}));
    fs::LibraryOptions options = tests::without_patience();
    options.database.cache_folder = cache_.path();
    library_ = std::move(fs::Library::open(folder_.path(), options).value());
    for (const fs::MountedVersionPtr& shown : tests::shown_databases(*library_)) {
      require(shown->database->compute_sizes(0, shown->database->games()).ok(),
              "sizes cannot be computed");
    }
    tree_ = std::make_unique<fs::Tree>(
        *library_, fs::Tree::Options{.blocks = {.cache_bytes = 100'000, .threads = 1}});
    runner_ = std::make_unique<fs::RequestRunner>(*tree_);
    for (const auto& [path, text] : tests::walk_tree(*tree_).files) paths_.push_back(path);
  }

  fs::Tree& tree() const { return *tree_; }
  fs::TreeReader reader() const { return {*tree_, *runner_, library_->searches().rejected_names}; }
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  void add(const std::string& stem, const std::string& as) {
    tests::write_scid_files(tests::read_scid_files(tests::test_data("scid4/" + stem)),
                            folder_ / as);
  }

  tests::MemoryFolder folder_;
  tests::MemoryFolder cache_;
  std::unique_ptr<fs::Library> library_;
  std::unique_ptr<fs::Tree> tree_;
  std::unique_ptr<fs::RequestRunner> runner_;
  std::vector<std::string> paths_;
};

const Mounted& mounted() {
  static const Mounted kMounted;
  return kMounted;
}

std::string read_all(fs::Tree& tree, Inode inode) {
  std::string text;
  while (true) {
    const absl::StatusOr<fs::Slice> slice =
        tree.read(inode, text.size(), 50'000, tests::unlimited_budget());
    require(slice.ok(), "a file that was found cannot be read");
    if (slice->bytes.empty()) return text;
    text += slice->bytes;
  }
}

// Names that are found must be valid; names that are listed must be found.
void check_found(fs::Tree& tree, const fs::Attributes& found) {
  const absl::StatusOr<fs::Attributes> again =
      tree.attributes(found.inode, tests::unlimited_budget());
  require(again.ok(), "what was found has no attributes");
  require(again->size == found.size && again->is_directory == found.is_directory,
          "what was found has two kinds of attributes");
  if (!found.is_directory) {
    require(read_all(tree, found.inode).size() == found.size, "a file is not as long as it says");
    require(!tree.lookup(found.inode, "x", tests::unlimited_budget()).ok(), "a name in a file");
    return;
  }
  require(tree.lookup(found.inode, "..", tests::unlimited_budget()).ok(),
          "a directory without \"..\"");
  require(!tree.read(found.inode, 0, 10, tests::unlimited_budget()).ok(),
          "a directory can be read");
  std::string first;
  const absl::Status listed =
      tree.list(found.inode, 0, tests::unlimited_budget(), [&](const fs::DirectoryEntry& entry) {
        first = entry.name;
        return false;
      });
  require(listed.ok(), "a directory that was found cannot be listed");
  require(first.empty() || tree.lookup(found.inode, first, tests::unlimited_budget()).ok(),
          "a listed name is not found");
}

void check_path(fs::Tree& tree, std::string_view path) {
  Inode at = fs::kRootInode;
  while (true) {
    const std::string name(path.substr(0, path.find('/')));
    const absl::StatusOr<fs::Entry> found = tree.lookup(at, name, tests::unlimited_budget());
    if (!found.ok()) return;
    check_found(tree, found->attributes);
    at = found->attributes.inode;
    if (name.size() >= path.size()) return;
    path.remove_prefix(name.size() + 1);
  }
}

// The same by scidfs-get, which takes other slashes and wildcards, too: what it finds lies below
// the top under the name that it says.
void check_command_path(std::string_view path) {
  // Each further name with wildcards multiplies what is found.
  if (std::ranges::count_if(path, [](char c) { return c == '*' || c == '?' || c == '['; }) > 1) {
    return;
  }
  std::vector<fs::FoundPath> found;
  const absl::Status status =
      fs::find_path(mounted().reader(), path, fs::UnknownSize::IsLeftOut,
                    [&found](const fs::FoundPath& one) { found.push_back(one); });
  require(status.ok() ? !found.empty() : !status.message().empty(), "neither found nor refused");
  for (const fs::FoundPath& one : found) {
    Inode at = fs::kRootInode;
    std::string_view rest = one.path;
    if (rest == ".") rest = {};
    while (!rest.empty()) {
      const std::string name(rest.substr(0, rest.find('/')));
      require(!name.empty() && name != "." && name != "..", "a path with other names");
      const auto entry = mounted().tree().lookup(at, name, tests::unlimited_budget());
      require(entry.ok(), "what scidfs-get finds is not there");
      at = entry->attributes.inode;
      rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    }
    // A live text may have changed meanwhile.
    require(one.is_live || at == one.attributes.inode, "scidfs-get finds something else");
  }
}

void check_number(fs::Tree& tree, Inode inode, std::string_view name) {
  const absl::StatusOr<fs::Attributes> attributes =
      tree.attributes(inode, tests::unlimited_budget());
  (void)tree.lookup(inode, name, tests::unlimited_budget());
  (void)tree.lookup(inode, "..", tests::unlimited_budget());
  (void)tree.list(inode, inode % 5000, tests::unlimited_budget(),
                  [](const fs::DirectoryEntry&) { return true; });
  const absl::StatusOr<fs::Slice> slice =
      tree.read(inode, inode % 3000, 100, tests::unlimited_budget());
  require(!slice.ok() || attributes.ok(), "a file without attributes can be read");
  if (attributes.ok() && !attributes->is_directory) {
    require(read_all(tree, inode).size() == attributes->size, "a file is not as long as it says");
  }
}

class LookupTarget : public Target {
 public:
  std::string_view name() const override { return "lookup"; }
  std::size_t most_bytes() const override { return 600; }

  void check(std::string_view input) const override {
    fs::Tree& tree = mounted().tree();
    if (input.empty() || input[0] != kNumbers) {
      check_path(tree, input);
      check_command_path(input);
      return;
    }
    for (input.remove_prefix(1); input.size() >= sizeof(Inode);) {
      Inode inode = 0;
      for (const char c : input.substr(0, sizeof inode)) {
        inode = inode << 8 | static_cast<std::uint8_t>(c);
      }
      input.remove_prefix(sizeof inode);
      check_number(tree, inode, input);
    }
  }

  std::vector<Seed> seeds() const override {
    std::vector<Seed> seeds;
    const std::vector<std::string>& paths = mounted().paths();
    for (std::size_t i = 0; i < paths.size(); i += 1 + paths.size() / 40) {
      seeds.push_back({fmt::format("path-{}", i), paths[i]});
    }
    for (const std::string path :
         {"tags.si4/games/1.pgn", "tags.si4/games/00000/0000000001.pgn", "tags.si4/players/..",
          "below/variations.si4/../info.txt", "ok-multi.scv/files/../tiny.si4/games/1.pgn",
          "ok-multi.scv/extra.pgn.db/../extra.pgn", "//tags.si4/./games//", "t?gs.si4/summary.txt",
          "tags.si4/players/*", "tags.si4/search/white=A*/games.pgn", "tags.si4/sumary.txt"}) {
      seeds.push_back({fmt::format("alias-{}", seeds.size()), path});
    }
    // Databases, views, levels and keys, in all numbers that denote the root.
    std::string numbers(1, kNumbers);
    (void)mounted().tree().list(fs::kRootInode, 0, tests::unlimited_budget(),
                                [&](const fs::DirectoryEntry& entry) {
                                  append_number(entry.inode, numbers);
                                  return true;
                                });
    seeds.push_back({"numbers", numbers});
    return seeds;
  }

  void mutate(std::string& input, tests::Random& random, PlainMutator plain) const override {
    const std::vector<std::string>& paths = mounted().paths();
    if (random.one_in(4)) input = paths[random.below(paths.size())];
    if (random.one_in(4)) {
      input.assign(1, kNumbers);
      append_number(some_number(random), input);
    } else {
      plain(input, most_bytes());
    }
  }

 private:
  static void append_number(Inode inode, std::string& out) {
    for (unsigned shift = 64; shift > 0;) out += static_cast<char>(inode >> (shift -= 8));
  }

  // The number of an existing file with one field changed.
  static Inode some_number(tests::Random& random) {
    Inode inode = fs::kRootInode;
    const std::vector<std::string>& paths = mounted().paths();
    std::string_view path = paths[random.below(paths.size())];
    for (std::size_t depth = random.below(5); depth > 0 && !path.empty(); --depth) {
      const std::string_view name = path.substr(0, path.find('/'));
      if (const auto found = mounted().tree().lookup(inode, name, tests::unlimited_budget());
          found.ok()) {
        inode = found->attributes.inode;
      }
      path.remove_prefix(std::min(name.size() + 1, path.size()));
    }
    fs::InodeFields node = fs::unpack(inode);
    switch (random.below(6)) {
      case 0:
        node.place.key =
            static_cast<std::uint32_t>(random.next() >> random.below(64)) & fs::kMaxKey;
        break;
      case 1:
        node.place.entry = static_cast<std::uint8_t>(random.below(fs::kMaxEntry + 1));
        break;
      case 2:
        node.place.view = static_cast<std::uint8_t>(random.below(fs::kMaxView + 1));
        break;
      case 3:
        node.epoch = static_cast<std::uint16_t>(random.below(fs::kMaxEpoch + 1));
        break;
      case 4:
        node.slot = static_cast<std::uint16_t>(random.below(fs::kMaxSlot + 1));
        break;
      default:
        return inode ^ Inode { 1 } << random.below(64);
    }
    return fs::pack(node);
  }
};

}  // namespace

const Target& lookup_target() {
  static const LookupTarget kTarget;
  return kTarget;
}

}  // namespace scidfs::fuzz
