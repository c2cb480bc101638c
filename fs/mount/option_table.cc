#include "fs/mount/option_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "fs/mount/option_values.h"

namespace scidfs::fs {
namespace {

using Value = std::string_view;

// Returns false if there is no value.
template <typename Field>
bool store(Field& field, const auto& value) {
  if (value) field = static_cast<Field>(*value);
  return value.has_value();
}

bool store_word(std::optional<std::string>& field, Value value) {
  field = value;
  return !value.empty();
}

std::optional<bool> parse_yes(Value value) { return parse_choice(value, "no", "yes"); }

std::optional<std::uint64_t> parse_threads(Value value) { return parse_number(value, 1, 1024); }

std::optional<std::chrono::seconds> parse_patience(Value value) {
  constexpr std::uint64_t kMost = 60;
  const auto seconds = parse_number(value, 0, kMost);
  if (!seconds) return std::nullopt;
  return std::chrono::seconds(*seconds);
}

std::optional<std::uint64_t> parse_mask(Value value) { return parse_number(value, 0, 0777, 8); }

std::optional<std::filesystem::path> parse_cache_dir(Value value) {
  if (value.empty()) return std::nullopt;
  return value == "none" ? std::filesystem::path() : absolute_path(value);
}

std::optional<EncodingRule> parse_encoding(Value value) {
  // The colon of "names:" comes before the number, that of a path after it.
  const std::size_t number = std::min(value.find_first_of("0123456789"), value.size());
  const std::size_t colon = value.find(':', number);
  const std::optional<ChosenPage> chosen = parse_chosen_page(value.substr(0, colon));
  if (!chosen) return std::nullopt;
  EncodingRule rule{.path = "", .page = chosen->page, .is_of_names = chosen->is_of_names};
  if (colon == Value::npos) return rule;
  rule.path = value.substr(colon + 1);
  while (rule.path.ends_with('/')) rule.path.pop_back();
  if (rule.path.empty()) return std::nullopt;
  return rule;
}

std::optional<DataFileChoice> parse_data_file(Value value, const DataFileChoice& installed) {
  if (value.empty()) return std::nullopt;
  if (value == "auto") return installed;
  if (value == "none") return DataFileChoice{};
  return DataFileChoice{.path = absolute_path(value), .is_named = true};
}

constexpr std::array kText = {
    MountOption{{"-o comments", "yes|no", "show comments (default: yes)"},
                "yes or no",
                [](MountOptions& m, UnsettledOptions&, Value v) {
                  return store(m.library.database.pgn.comments, parse_yes(v));
                }},
    MountOption{{"-o variations", "yes|no", "show variations (default: yes)"},
                "yes or no",
                [](MountOptions& m, UnsettledOptions&, Value v) {
                  return store(m.library.database.pgn.variations, parse_yes(v));
                }},
    MountOption{{"-o nags", "yes|no", "show annotation glyphs such as $1 (default: yes)"},
                "yes or no",
                [](MountOptions& m, UnsettledOptions&, Value v) {
                  return store(m.library.database.pgn.nags, parse_yes(v));
                }},
    MountOption{{"-o null_moves", "keep|comment",
                 "show null moves as moves, or a null move and the moves after it in its line as a "
                 "comment, for programs that accept no null moves (default: keep)"},
                "keep or comment",
                [](MountOptions& m, UnsettledOptions&, Value v) {
                  return store(m.library.database.pgn.quote_null_moves,
                               parse_choice(v, "keep", "comment"));
                }},
    MountOption{
        {"-o width", "N", "columns of a line of moves, 20 to 10000; 0: one line (default: 80)"},
        "a number of columns from 20 to 10000, or 0 for no line breaks",
        [](MountOptions& m, UnsettledOptions&, Value v) {
          return store(m.library.database.pgn.width, parse_width(v));
        }},
    MountOption{{"-o opening", "tag|none",
                 "show the name of the ECO code as a tag Opening, unless the game has its own "
                 "(default: none)"},
                "tag or none",
                [](MountOptions& m, UnsettledOptions&, Value v) {
                  return store(m.library.database.pgn.opening, parse_choice(v, "none", "tag"));
                }},
    MountOption{{"-o encoding", "1252|1251|866|437|932|N[:PATH]",
                 "code page of texts that are not UTF-8, and of names in zip files (names:N: of "
                 "those alone), "
                 "of all databases or of one database or folder; may be given several times "
                 "(default: 1252)"},
                "a code page that this system knows, such as 1251 or 866, perhaps after names: and "
                "before a colon and a database or folder",
                [](MountOptions& m, UnsettledOptions&, Value v) {
                  std::optional<EncodingRule> rule = parse_encoding(v);
                  if (!rule.has_value()) return false;
                  m.library.encodings.push_back(*std::move(rule));
                  return true;
                }},
    MountOption{{"-o deleted", "hide|show",
                 "show deleted games only below deleted/, or among the others as well (default: "
                 "hide)"},
                "hide or show",
                [](MountOptions& m, UnsettledOptions&, Value v) {
                  return store(m.library.database.show_deleted, parse_choice(v, "hide", "show"));
                }},
    MountOption{{"-o order", "database|round",
                 "order of the games of an event in games.pgn: that of the database, or by round "
                 "and board (default: database)"},
                "database or round",
                [](MountOptions& m, UnsettledOptions&, Value v) {
                  return store(m.library.database.by_round, parse_choice(v, "database", "round"));
                }},
    MountOption{
        {"-o tags", "roster|all",
         "show all tags, or only the seven that every PGN game has, and those that its moves "
         "cannot be read without (default: all)"},
        "roster or all",
        [](MountOptions& m, UnsettledOptions&, Value v) {
          return store(m.library.database.pgn.all_tags, parse_choice(v, "roster", "all"));
        }},
    MountOption{{"-o csv", "plain|excel",
                 "how tables NAME.csv are written: as most programs read them, or for Excel, which "
                 "takes no text for a formula then (default: plain)"},
                "plain or excel",
                [](MountOptions& m, UnsettledOptions&, Value v) {
                  return store(m.library.database.csv, parse_choice(v, "plain", "excel"));
                }},
    MountOption{
        {"-o pages", "yes|no|list",
         "have a page, index.html, in each directory, and one for each game; yes: only that "
         "of the mount point is listed; list: all are (default: yes)"},
        "yes, no or list",
        [](MountOptions& m, UnsettledOptions&, Value v) {
          return store(m.library.database.pages, parse_pages_mode(v));
        }},
    MountOption{{"-o pgn", "yes|no", "show PGN files as databases, too (default: yes)"},
                "yes or no",
                [](MountOptions& m, UnsettledOptions&, Value v) {
                  const std::optional<bool> is_wanted = parse_yes(v);
                  if (is_wanted) m.library.formats = source_formats(*is_wanted);
                  return is_wanted.has_value();
                }},
    MountOption{{"-o together", "auto|list|all|no",
                 "have together/ in folders with several databases, which shows them as one; list: "
                 "listings have it; all: those in archives take part, too (default: auto)"},
                "auto, list, all or no",
                [](MountOptions& m, UnsettledOptions&, Value v) {
                  return store(m.library.together, parse_together_mode(v));
                }},
};

constexpr std::array kData = {
    MountOption{{"-o spelling", "FILE|auto|none",
                 "Scid's spelling file, which lists all names of a person; auto: the file of "
                 "Debian's scid-rating-data, if it is installed (default: auto)"},
                "a file, auto or none",
                [](MountOptions& m, UnsettledOptions&, Value v) {
                  return store(m.data_files.spelling,
                               parse_data_file(v, installed_data_files().spelling));
                }},
    MountOption{{"-o people", "evidence|scid",
                 "whether a name that the spelling file knows means that person in a game by all "
                 "evidence, date and Elo, or only by the lifetime, as in Scid (default: evidence)"},
                "evidence or scid",
                [](MountOptions& m, UnsettledOptions&, Value v) {
                  return store(m.library.database.evidence, parse_choice(v, "scid", "evidence"));
                }},
    MountOption{{"-o eco", "FILE|auto|none",
                 "Scid's names of openings; auto: the file of Debian's scid-data, if it is "
                 "installed (default: auto)"},
                "a file, auto or none",
                [](MountOptions& m, UnsettledOptions&, Value v) {
                  return store(m.data_files.eco, parse_data_file(v, installed_data_files().eco));
                }},
};

constexpr std::array kSpeed = {
    MountOption{{"-o cache", "SIZE",
                 "memory for decoded text, in bytes or with K, M or G; 0: none (default: 64M)"},
                "a size such as 0, 512K, 64M or 1G",
                [](MountOptions& m, UnsettledOptions&, Value v) {
                  return store(m.cache_bytes, parse_size(v));
                }},
    MountOption{
        {"-o answers", "SIZE", "memory for results of searches, as for cache (default: 64M)"},
        "a size such as 0, 512K, 64M or 1G",
        [](MountOptions& m, UnsettledOptions&, Value v) {
          return store(m.library.answer_bytes, parse_size(v));
        }},
    MountOption{
        {"-o questions", "SIZE",
         "memory for tables, books and searches while they are made, as for cache, at least 8M; "
         "all together have so much, and one that needs more up to twice that (default: 512M)"},
        "a size of at least 8M, such as 64M or 1G",
        [](MountOptions& m, UnsettledOptions&, Value v) {
          constexpr std::size_t kLeast = std::size_t{8} << 20;
          return store(m.question_bytes, parse_size(v)) && m.question_bytes >= kLeast;
        }},
    MountOption{{"-o index", "auto|wait|background|none",
                 "measure the sizes of all games before the mount is ready, after it, or only on "
                 "request; auto: before if that takes a second at most, else after; a program that "
                 "asks for an unknown size waits for it (default: auto)"},
                "auto, wait, background or none",
                [](MountOptions& m, UnsettledOptions&, Value v) {
                  return store(m.library.index, parse_index_mode(v));
                }},
    MountOption{
        {"-o source", "auto|local|remote",
         "remote: SOURCE is on a network or in a cloud, so that each read takes long and the "
         "server may hang; auto: the type of each file system decides, and any FUSE file "
         "system is remote (default: auto)"},
        "auto, local or remote",
        [](MountOptions& m, UnsettledOptions&, Value v) {
          return store(m.library.locality, parse_locality(v));
        }},
    MountOption{{"-o threads", "N",
                 "threads that measure sizes, 1 to 1024; at most 4 of them also read ahead for "
                 "sequential readers of a large file (default: one for each processor)"},
                "a number from 1 to 1024",
                [](MountOptions& m, UnsettledOptions&, Value v) {
                  return store(m.library.threads, parse_threads(v));
                }},
    MountOption{{"-o cache_dir", "PATH|none",
                 "folder where sizes are saved from one mount to the next (default: "
                 "$XDG_CACHE_HOME/scidfs, else ~/.cache/scidfs)"},
                "a folder, or none",
                [](MountOptions&, UnsettledOptions& g, Value v) {
                  g.cache_dir = parse_cache_dir(v);
                  return g.cache_dir.has_value();
                }},
    MountOption{{"-o pgn_cache", "SIZE",
                 "room in the cache folder for the games of PGN files; 0: 2G, or a tenth of the "
                 "free space if that is less (default: 0)"},
                "a size such as 0, 512M or 10G",
                [](MountOptions& m, UnsettledOptions&, Value v) {
                  return store(m.library.pgn_bytes, parse_size(v));
                }},
    MountOption{{"-o unpack", "auto|memory|file",
                 "keep the unpacked contents of archives in memory, in nameless files in the cache "
                 "folder, or in memory up to 256M and else in files (default: auto)"},
                "auto, memory or file",
                [](MountOptions& m, UnsettledOptions&, Value v) {
                  return store(m.library.unpack.to, parse_unpack(v));
                }},
    MountOption{{"-o patience", "SECONDS",
                 "how long to wait when the files of a database do not fit together, 0 to 60: they "
                 "may be partial copies; after this long without a change they are shown anyway "
                 "(default: 5; a mount is ready after 10 at the latest)"},
                "a number of seconds from 0 to 60",
                [](MountOptions& m, UnsettledOptions&, Value v) {
                  return store(m.library.patience, parse_patience(v)) &&
                         store(m.library.first_patience, parse_patience(v));
                }},
};

constexpr std::array kAccess = {
    MountOption{
        {"-o uid", "N", "owner of all files (default: who mounts)"},
        "a user's number",
        [](MountOptions&, UnsettledOptions& g, Value v) { return store(g.uid, parse_id(v)); }},
    MountOption{
        {"-o gid", "N", "group of all files (default: that of who mounts)"},
        "a group's number",
        [](MountOptions&, UnsettledOptions& g, Value v) { return store(g.gid, parse_id(v)); }},
    MountOption{
        {"-o umask", "OCTAL",
         "permissions removed from files (0444) and folders (0555) (default: 0)"},
        "an octal number up to 777",
        [](MountOptions&, UnsettledOptions& g, Value v) { return store(g.umask, parse_mask(v)); }},
    MountOption{
        {"-o fmask", "OCTAL", "the same for files only (default: umask)"},
        "an octal number up to 777",
        [](MountOptions&, UnsettledOptions& g, Value v) { return store(g.fmask, parse_mask(v)); }},
    MountOption{
        {"-o dmask", "OCTAL", "the same for folders only (default: umask)"},
        "an octal number up to 777",
        [](MountOptions&, UnsettledOptions& g, Value v) { return store(g.dmask, parse_mask(v)); }},
    MountOption{{"-o allow_other", "",
                 "let other users in; for users other than root the line user_allow_other must be "
                 "in /etc/fuse.conf"},
                "",
                [](MountOptions&, UnsettledOptions& g, Value) {
                  g.allow_other = true;
                  return true;
                }},
    MountOption{{"-o allow_root", "", "let root in"},
                "",
                [](MountOptions&, UnsettledOptions& g, Value) {
                  g.allow_root = true;
                  return true;
                }},
    MountOption{
        {"-o follow", "",
         "follow links of database files out of SOURCE, and links to folders, to where they "
         "lead when the mount is made (default: links of files within SOURCE alone)"},
        "",
        [](MountOptions& m, UnsettledOptions&, Value) {
          m.library.follow_links = true;
          return true;
        }},
};

constexpr std::array kSafety = {
    MountOption{
        {"-o sandbox", "auto|strict|off",
         "auto: after start the daemon can only read SOURCE, write its cache folder and answer "
         "requests, as far as the kernel can enforce it; strict: no mount or check if the kernel "
         "cannot, and a forbidden system call ends the process; off: for debugging (default: "
         "auto)"},
        "auto, strict or off",
        [](MountOptions& m, UnsettledOptions&, Value v) {
          return store(m.sandbox, parse_sandbox(v));
        }},
    MountOption{
        {"-o run_as", "USER",
         "for root: the daemon runs as USER, who also owns its files and the cache folder"},
        "a user",
        [](MountOptions&, UnsettledOptions& g, Value v) { return store_word(g.run_as, v); }},
};

constexpr std::array kOfFuse = {
    MountOption{
        {"-o fsname", "NAME", "the name in df and mount (default: SOURCE)"},
        "a name",
        [](MountOptions&, UnsettledOptions& g, Value v) { return store_word(g.fsname, v); }},
    MountOption{
        {"-o subtype", "NAME", "the type is fuse.NAME (default: scidfs)"},
        "a name",
        [](MountOptions&, UnsettledOptions& g, Value v) { return store_word(g.subtype, v); }},
    MountOption{{"-o nonempty", "", "do not warn if MOUNTPOINT is not empty; its files are hidden"},
                "",
                [](MountOptions& m, UnsettledOptions&, Value) {
                  m.nonempty = true;
                  return true;
                }},
    MountOption{{"-o debug", "", "the same as -d"},
                "",
                [](MountOptions& m, UnsettledOptions&, Value) {
                  m.debug = true;
                  return true;
                }},
};

constexpr std::array kGroups = {
    MountOptionGroup{"Text of the games (changes what files say, and their sizes):", kText},
    MountOptionGroup{"Scid's data files (read where they are, never copied):", kData},
    MountOptionGroup{"Speed and memory:", kSpeed},
    MountOptionGroup{"Access:", kAccess},
    MountOptionGroup{"Safety:", kSafety},
    MountOptionGroup{"Of FUSE:", kOfFuse},
};

}  // namespace

std::span<const MountOptionGroup> mount_option_groups() { return kGroups; }

const MountOption* find_mount_option(std::string_view name) {
  for (const MountOptionGroup& group : kGroups) {
    const auto found = std::ranges::find(group.options, name, &MountOption::name);
    if (found != group.options.end()) return &*found;
  }
  return nullptr;
}

}  // namespace scidfs::fs
