// A source in a temporary folder, with the library and the tree that show it.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "fs/library/library.h"
#include "fs/reference/reference.h"
#include "fs/tree/tree.h"
#include "tests/support/files.h"
#include "tests/support/library.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_writer.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {

class LibraryTest : public ::testing::Test {
 protected:
  using Path = std::filesystem::path;
  using Write = void (*)(const Path&, std::string_view);

  LibraryTest() {
    std::filesystem::create_directory(source_ = folder_ / "source");
    options_.patience = std::chrono::hours(1);
    options_.first_patience = std::chrono::hours(0);
    options_.threads = 2;
  }
  ~LibraryTest() override { close(); }

  void open(const Path& source) {
    close();
    absl::StatusOr<std::unique_ptr<Library>> library = Library::open(source, options_);
    ASSERT_TRUE(library.ok()) << library.status();
    library_ = *std::move(library);
    if (options_.index != IndexMode::None) {
      library_->build_sizes([](std::uint64_t, std::uint64_t) {});
    }
    tree_ = std::make_unique<Tree>(*library_, Tree::Options{.blocks = {.threads = 1}});
  }
  void close() {
    tree_.reset();
    library_.reset();
  }

  // The knowledge that a spelling file has.
  static ReferencePtr reference(const Path& path) {
    auto reference = std::make_shared<Reference>();
    const auto spelling = Spelling::load(*SourceFile::open(path), {});
    EXPECT_TRUE(spelling.ok()) << spelling.status();
    reference->spelling = std::make_shared<const SpellingLoad>(*spelling);
    reference->fingerprint = (*spelling)->fingerprint();
    return reference;
  }

  // Writes a file of a database with a time in the past, so that no later change has the same time.
  void put(const Path& path, std::string_view bytes, Write write = tests::overwrite) {
    write(path, bytes);
    set_time(path, ++clock_);
  }
  static void set_time(const Path& path, int seconds) {
    static const auto kStart =
        std::filesystem::file_time_type::clock::now() - std::chrono::hours(10'000);
    std::filesystem::last_write_time(path, kStart + std::chrono::seconds(seconds));
  }
  void put(std::string_view name, const tests::ScidFiles& files, Write write = tests::replace,
           std::string_view index_suffix = ".si4") {
    const codec::scid::Format& format = *codec::scid::format_of_index(index_suffix);
    const std::string prefix = source_ / name;
    put(prefix + std::string(format.index_suffix), files.index, write);
    put(prefix + std::string(format.names_suffix), files.names, write);
    put(prefix + std::string(format.games_suffix), files.games, write);
  }

  // Decodes the files that are on disk now.
  std::string decoded(std::string_view name, std::string_view index_suffix = ".si4") const {
    return tests::ScidDatabase(source_ / name, index_suffix).render(options_.database.pgn);
  }

  absl::StatusOr<Entry> find(std::string_view path) const {
    Entry entry;
    entry.attributes.inode = kRootInode;
    while (!path.empty()) {
      const std::size_t slash = std::min(path.find('/'), path.size());
      absl::StatusOr<Entry> next =
          tree_->lookup(entry.attributes.inode, path.substr(0, slash), tests::unlimited_budget());
      if (!next.ok()) return next.status();
      entry = *next;
      path.remove_prefix(std::min(slash + 1, path.size()));
    }
    return entry;
  }
  bool exists(std::string_view path) const { return find(path).ok(); }
  Inode inode(std::string_view path) const {
    const absl::StatusOr<Entry> entry = find(path);
    EXPECT_TRUE(entry.ok()) << path << ": " << entry.status();
    return entry.ok() ? entry->attributes.inode : 0;
  }
  // The names in a directory, in listed order.
  std::vector<std::string> names(std::string_view path) const {
    std::vector<std::string> names;
    const absl::Status status = tree_->list(inode(path), 0, tests::unlimited_budget(),
                                            [&names](const DirectoryEntry& entry) {
                                              names.emplace_back(entry.name);
                                              return true;
                                            });
    EXPECT_TRUE(status.ok()) << status;
    return names;
  }
  std::pair<std::int64_t, std::uint32_t> mtime(std::string_view path) const {
    const absl::StatusOr<Attributes> attributes =
        tree_->attributes(inode(path), tests::unlimited_budget());
    EXPECT_TRUE(attributes.ok()) << path << ": " << attributes.status();
    if (!attributes.ok()) return {};
    return {attributes->mtime.seconds, attributes->mtime.nanoseconds};
  }
  // The bytes of a file; checks that their number is the size in its attributes.
  absl::StatusOr<std::string> read(Inode file) const {
    const absl::StatusOr<Attributes> attributes =
        tree_->attributes(file, tests::unlimited_budget());
    if (!attributes.ok()) return attributes.status();
    std::string text;
    while (true) {
      const absl::StatusOr<Slice> slice =
          tree_->read(file, text.size(), 100'000, tests::unlimited_budget());
      if (!slice.ok()) return slice.status();
      if (slice->bytes.empty()) break;
      text += slice->bytes;
    }
    EXPECT_EQ(text.size(), attributes->size);
    return text;
  }
  std::string text(std::string_view path) const {
    const absl::StatusOr<std::string> text = read(inode(path));
    EXPECT_TRUE(text.ok()) << path << ": " << text.status();
    return text.ok() ? *text : "";
  }

  static std::string record(std::string_view moves) {
    return tests::ScidEncoder().moves(moves).record();
  }

  tests::TemporaryFolder folder_;
  Path source_;
  LibraryOptions options_;
  std::unique_ptr<Library> library_;
  std::unique_ptr<Tree> tree_;
  int clock_ = 0;
};

// A database of different games of about equal length, by different players.
inline tests::ScidWriter example_database(std::size_t games, std::uint64_t seed) {
  tests::ScidWriter writer;
  tests::Random random(seed);
  for (std::size_t game = 0; game < games; ++game) {
    writer.add(tests::random_game(random, {.plies = 10}).record(),
               "White " + std::to_string(random.below(5)),
               "Black " + std::to_string(random.below(5)));
  }
  return writer;
}

}  // namespace scidfs::fs
