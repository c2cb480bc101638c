#include "fs/options/option_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "fs/options/option_values.h"

namespace scidfs::fs {
namespace {

using Value = std::string_view;

template <auto kMember>
using InLibrary = In<&MountOptions::library, kMember>;
template <auto kMember>
using InDatabase = In<&MountOptions::library, &LibraryOptions::database, kMember>;
template <auto kMember>
using InPgn = In<&MountOptions::library, &LibraryOptions::database, &DatabaseOptions::pgn, kMember>;
std::optional<std::size_t> parse_question_bytes(Value value) {
  constexpr std::size_t kLeast = std::size_t{8} << 20;
  const std::optional<std::size_t> bytes = parse_size(value);
  return bytes.value_or(0) >= kLeast ? bytes : std::nullopt;
}

std::optional<SourceFormats> parse_formats(Value value) {
  if (value != "yes" && value != "no") return std::nullopt;
  return source_formats(value == "yes");
}

std::optional<std::chrono::seconds> parse_patience(Value value) {
  constexpr std::uint64_t kMost = 60;
  const auto seconds = parse_number(value, 0, kMost);
  if (!seconds) return std::nullopt;
  return std::chrono::seconds(*seconds);
}

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

template <auto kInstalled>
std::optional<DataFileChoice> parse_data_file(Value value) {
  if (value.empty()) return std::nullopt;
  if (value == "auto") return installed_data_files().*kInstalled;
  if (value == "none") return DataFileChoice{};
  return DataFileChoice{.path = absolute_path(value), .is_named = true};
}

std::optional<std::optional<DataFileChoice>> parse_player_list(Value value) {
  using Given = std::optional<DataFileChoice>;
  if (value == "auto") return std::make_optional(Given());
  const Given choice = parse_data_file<&DataFileChoices::fide>(value);
  return choice.has_value() ? std::make_optional(choice) : std::nullopt;
}

using codec::PgnOptions;

constexpr std::array kText = {
    MountOption{{"-o comments", "yes|no", "show comments (default: yes)"},
                &choose<InPgn<&PgnOptions::comments>, true, false>},
    MountOption{{"-o variations", "yes|no", "show variations (default: yes)"},
                &choose<InPgn<&PgnOptions::variations>, true, false>},
    MountOption{{"-o nags", "yes|no", "show annotation glyphs such as $1 (default: yes)"},
                &choose<InPgn<&PgnOptions::nags>, true, false>},
    MountOption{{"-o null_moves", "keep|comment",
                 "show null moves as moves, or a null move and the moves after it in its line as a "
                 "comment, for programs that accept no null moves (default: keep)"},
                &choose<InPgn<&PgnOptions::quote_null_moves>, false, true>},
    MountOption{
        {"-o width", "N", "columns of a line of moves, 20 to 10000; 0: one line (default: 80)"},
        &parse<InPgn<&PgnOptions::width>, parse_width>,
        "a number of columns from 20 to 10000, or 0 for no line breaks"},
    MountOption{{"-o opening", "tag|none",
                 "show the name of the ECO code as a tag Opening, unless the game has its own "
                 "(default: none)"},
                &choose<InPgn<&PgnOptions::opening>, true, false>},
    MountOption{{"-o encoding", "1252|1251|866|437|932|N[:PATH]",
                 "code page of texts that are not UTF-8, and of names in zip files (names:N: of "
                 "those alone), "
                 "of all databases or of one database or folder; may be given several times "
                 "(default: 1252)"},
                [](const OptionText& /*text*/, GivenOptions& given, Value value) {
                  std::optional<EncodingRule> rule = parse_encoding(value);
                  if (rule) given.library.encodings.push_back(*rule);
                  return rule.has_value();
                },
                "a code page that this system knows, such as 1251 or 866, perhaps after names: and "
                "before a colon and a database or folder"},
    MountOption{{"-o deleted", "hide|show",
                 "show deleted games only below deleted/, or among the others as well (default: "
                 "hide)"},
                &choose<InDatabase<&DatabaseOptions::show_deleted>, false, true>},
    MountOption{{"-o order", "database|round",
                 "order of the games of an event in games.pgn: that of the database, or by round "
                 "and board (default: database)"},
                &choose<InDatabase<&DatabaseOptions::by_round>, false, true>},
    MountOption{
        {"-o tags", "roster|all",
         "show all tags, or only the seven that every PGN game has, and those that its moves "
         "cannot be read without (default: all)"},
        &choose<InPgn<&PgnOptions::all_tags>, false, true>},
    MountOption{{"-o csv", "plain|excel",
                 "how tables NAME.csv are written: as most programs read them, or for Excel, which "
                 "takes no text for a formula then (default: plain)"},
                &choose<InDatabase<&DatabaseOptions::csv>, CsvForm::Plain, CsvForm::Excel>},
    MountOption{{"-o me", "NAME",
                 "who you are, as in player=NAME of a search, or in person=NAME with Scid's data "
                 "of names: prepare/ counts your games, too (default: not known)"},
                &parse<InDatabase<&DatabaseOptions::me>, parse_word>,
                "a name"},
    MountOption{
        {"-o pages", "yes|no|list",
         "have a page, index.html, in each directory, and one for each game; yes: only that "
         "of the mount point is listed; list: all are (default: yes)"},
        &choose<InDatabase<&DatabaseOptions::pages>, PagesMode::Unlisted, PagesMode::None,
                PagesMode::Listed>},
    MountOption{{"-o pgn", "yes|no", "show PGN files as databases, too (default: yes)"},
                &parse<InLibrary<&LibraryOptions::formats>, parse_formats>,
                "yes or no"},
    MountOption{{"-o together", "auto|list|all|no",
                 "have together/ in folders with several databases, which shows them as one; list: "
                 "listings have it; all: those in archives take part, too (default: auto)"},
                &choose<InLibrary<&LibraryOptions::together>, TogetherMode::Unlisted,
                        TogetherMode::Listed, TogetherMode::All, TogetherMode::None>},
};

constexpr std::array kData = {
    MountOption{{"-o spelling", "FILE|auto|none",
                 "Scid's spelling file, which lists all names of a person; auto: the file of "
                 "Debian's scid-rating-data, if it is installed (default: auto)"},
                &parse<In<&MountOptions::data_files, &DataFileChoices::spelling>,
                       parse_data_file<&DataFileChoices::spelling>>,
                "a file, auto or none"},
    MountOption{{"-o fide", "FILE|auto|none",
                 "FIDE's list of players, players_list_foa.txt or players_list.zip: more people, "
                 "and their ratings now; not with people=scid; auto: one of these in "
                 "~/.local/share/scidfs or /usr/share/scidfs (default: auto)"},
                &parse<In<&GivenOptions::given_fide>, parse_player_list>,
                "a file, auto or none"},
    MountOption{
        {"-o people", "evidence|scid",
         "whether a name that the spelling file knows means that person in a game by all "
         "evidence, FIDE ids in its tags, date and Elo, or only by the lifetime, as in Scid "
         "(default: evidence)"},
        &choose<InDatabase<&DatabaseOptions::evidence>, Evidence::AgeAndElo, Evidence::Lifetime>},
    MountOption{{"-o eco", "FILE|auto|none",
                 "Scid's names of openings; auto: the file of Debian's scid-data, if it is "
                 "installed (default: auto)"},
                &parse<In<&MountOptions::data_files, &DataFileChoices::eco>,
                       parse_data_file<&DataFileChoices::eco>>,
                "a file, auto or none"},
};

constexpr std::array kSpeed = {
    MountOption{{"-o cache", "SIZE",
                 "memory for decoded text, in bytes or with K, M or G; 0: none (default: 64M)"},
                &parse<In<&MountOptions::cache_bytes>, parse_size>,
                "a size such as 0, 512K, 64M or 1G"},
    MountOption{
        {"-o answers", "SIZE", "memory for results of searches, as for cache (default: 64M)"},
        &parse<InLibrary<&LibraryOptions::answer_bytes>, parse_size>,
        "a size such as 0, 512K, 64M or 1G"},
    MountOption{
        {"-o questions", "SIZE",
         "memory for tables, books and searches while they are made, as for cache, at least 8M; "
         "all together have so much, and one that needs more up to twice that (default: 512M)"},
        &parse<In<&MountOptions::question_bytes>, parse_question_bytes>,
        "a size of at least 8M, such as 64M or 1G"},
    MountOption{{"-o index", "auto|wait|background|none",
                 "measure the sizes of all games before the mount is ready, after it, or only on "
                 "request; auto: before if that takes a second at most, else after; a program that "
                 "asks for an unknown size waits for it (default: auto)"},
                &choose<InLibrary<&LibraryOptions::index>, IndexMode::Auto, IndexMode::Wait,
                        IndexMode::Background, IndexMode::None>},
    MountOption{
        {"-o source", "auto|local|remote",
         "remote: SOURCE is on a network or in a cloud, so that each read takes long and the "
         "server may hang; auto: the type of each file system decides, and any FUSE file "
         "system is remote (default: auto)"},
        &choose<InLibrary<&LibraryOptions::locality>, Locality::Auto, Locality::Local,
                Locality::Remote>},
    MountOption{{"-o threads", "N",
                 "threads that measure sizes, 1 to 1024; at most 4 of them also read ahead for "
                 "sequential readers of a large file (default: one for each processor)"},
                &parse<InLibrary<&LibraryOptions::threads>, parse_within<1, 1024>>,
                "a number from 1 to 1024"},
    MountOption{{"-o cache_dir", "PATH|none",
                 "folder where sizes are saved from one mount to the next (default: "
                 "$XDG_CACHE_HOME/scidfs, else ~/.cache/scidfs)"},
                &parse<In<&GivenOptions::cache_dir>, parse_cache_dir>,
                "a folder, or none"},
    MountOption{{"-o pgn_cache", "SIZE",
                 "room in the cache folder for the games of PGN files; 0: 2G, or a tenth of the "
                 "free space if that is less (default: 0)"},
                &parse<InLibrary<&LibraryOptions::pgn_bytes>, parse_size>,
                "a size such as 0, 512M or 10G"},
    MountOption{{"-o index_cache", "SIZE",
                 "room in the cache folder for index files, by which the next mount begins at once "
                 "and processes share memory; 0: none (default: a tenth of the free space, at most "
                 "4G)"},
                &parse<InDatabase<&DatabaseOptions::index_bytes>, parse_size>,
                "a size such as 0, 512M or 10G"},
    MountOption{{"-o unpack", "auto|memory|file",
                 "keep the unpacked contents of archives in memory, in nameless files in the cache "
                 "folder, or in memory up to 256M and else in files (default: auto)"},
                &choose<In<&MountOptions::library, &LibraryOptions::unpack, &UnpackOptions::to>,
                        UnpackTo::Auto, UnpackTo::Memory, UnpackTo::File>},
    MountOption{{"-o patience", "SECONDS",
                 "how long to wait when the files of a database do not fit together, 0 to 60: they "
                 "may be partial copies; after this long without a change they are shown anyway "
                 "(default: 5; a mount is ready after 10 at the latest)"},
                [](const OptionText& text, GivenOptions& given, Value value) {
                  return parse<InLibrary<&LibraryOptions::patience>, parse_patience>(text, given,
                                                                                     value) &&
                         parse<InLibrary<&LibraryOptions::first_patience>, parse_patience>(
                             text, given, value);
                },
                "a number of seconds from 0 to 60"},
};

constexpr std::array kAccess = {
    MountOption{{"-o uid", "N", "owner of all files (default: who mounts)"},
                &parse<In<&GivenOptions::given_uid>, parse_id>,
                "a user's number"},
    MountOption{{"-o gid", "N", "group of all files (default: that of who mounts)"},
                &parse<In<&GivenOptions::given_gid>, parse_id>,
                "a group's number"},
    MountOption{{"-o umask", "OCTAL",
                 "permissions removed from files (0444) and folders (0555) (default: 0)"},
                &parse<In<&GivenOptions::umask>, parse_within<0, 0777, 8>>,
                "an octal number up to 777"},
    MountOption{{"-o fmask", "OCTAL", "the same for files only (default: umask)"},
                &parse<In<&GivenOptions::fmask>, parse_within<0, 0777, 8>>,
                "an octal number up to 777"},
    MountOption{{"-o dmask", "OCTAL", "the same for folders only (default: umask)"},
                &parse<In<&GivenOptions::dmask>, parse_within<0, 0777, 8>>,
                "an octal number up to 777"},
    MountOption{{"-o allow_other", "",
                 "let other users in; for users other than root the line user_allow_other must be "
                 "in /etc/fuse.conf"},
                &set_flag<In<&GivenOptions::allow_other>>},
    MountOption{{"-o allow_root", "", "let root in"}, &set_flag<In<&GivenOptions::allow_root>>},
    MountOption{{"-o run_as", "USER",
                 "for root: the daemon runs as USER, who also owns its files and the cache folder"},
                &parse<In<&GivenOptions::user>, parse_word>,
                "a user"},
};

constexpr std::array kSafety = {
    MountOption{
        {"-o follow", "",
         "follow links of database files out of SOURCE, and links to folders, to where they "
         "lead when the mount is made (default: links of files within SOURCE alone)"},
        &set_flag<InLibrary<&LibraryOptions::follow_links>>},
    MountOption{
        {"-o sandbox", "auto|strict|off",
         "auto: after start the daemon can only read SOURCE, write its cache folder and answer "
         "requests, as far as the kernel can enforce it; strict: no mount or check if the kernel "
         "cannot, and a forbidden system call ends the process; off: for debugging (default: "
         "auto)"},
        &choose<In<&MountOptions::sandbox>, SandboxMode::Auto, SandboxMode::Strict,
                SandboxMode::Off>},
};

constexpr std::array kOfFuse = {
    MountOption{{"-o fsname", "NAME", "the name in df and mount (default: SOURCE)"},
                &parse<In<&GivenOptions::fsname>, parse_word>,
                "a name"},
    MountOption{{"-o subtype", "NAME", "the type is fuse.NAME (default: scidfs)"},
                &parse<In<&GivenOptions::subtype>, parse_word>,
                "a name"},
    MountOption{{"-o nonempty", "", "do not warn if MOUNTPOINT is not empty; its files are hidden"},
                &set_flag<In<&MountOptions::nonempty>>},
    MountOption{{"-o debug", "", "the same as -d"}, &set_flag<In<&MountOptions::debug>>},
};

constexpr std::array kGroups = {
    MountOptionGroup{"Text of the games (changes what files say, and their sizes):", kText},
    MountOptionGroup{"Data files of Scid and FIDE (read where they are, never copied):", kData},
    MountOptionGroup{"Speed and memory:", kSpeed},
    MountOptionGroup{"Access:", kAccess, true},
    MountOptionGroup{"Safety:", kSafety},
    MountOptionGroup{"Of FUSE:", kOfFuse, true},
};

}  // namespace

std::string requirement_of(const MountOption& option) {
  if (!option.expects.empty()) return std::string(option.expects);
  std::string words(option.text.value);
  const std::size_t last = words.rfind('|');
  words.replace(last, 1, " or ");
  for (std::size_t at = last; (at = words.rfind('|', at)) != Value::npos;)
    words.replace(at, 1, ", ");
  return words;
}

std::span<const MountOptionGroup> mount_option_groups() { return kGroups; }

FoundOption find_mount_option(std::string_view name) {
  for (const MountOptionGroup& group : kGroups) {
    const auto found = std::ranges::find(
        group.options, name, [](const MountOption& option) { return listed_name(option.text); });
    if (found != group.options.end()) return {&*found, group.is_of_mounts};
  }
  return {};
}

}  // namespace scidfs::fs
