#include "fs/mount/option_list.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "fs/file/cache_folder.h"
#include "fs/mount/option_values.h"

namespace scidfs::fs {
namespace {

using Value = std::string_view;
using Given = OptionList::Given;

absl::Status wrong(const std::string& text) { return absl::InvalidArgumentError(text); }

// False if there is no value.
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
  using codec::CodePage;
  const std::size_t colon = value.find(':');
  const Value page = value.substr(0, colon);
  if (page != "1252" && page != "1251") return std::nullopt;
  EncodingRule rule{.path = "",
                    .page = page == "1251" ? CodePage::Windows1251 : CodePage::Windows1252};
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

// Takes a value; false if it is a bad one.
using Setter = bool (*)(MountOptions&, Given&, Value);

struct ValueOption {
  Value name;
  Value expects;  // completes "option NAME wants ..."
  Setter set;
};

constexpr std::array kOwnOptions =
    {
        ValueOption{
            "cache", "a size such as 0, 512K, 64M or 1G",
            [](MountOptions& m, Given&, Value v) { return store(m.cache_bytes, parse_size(v)); }},
        ValueOption{"answers", "a size such as 0, 512K, 64M or 1G",
                    [](MountOptions& m, Given&, Value v) {
                      return store(m.library.answer_bytes, parse_size(v));
                    }},
        ValueOption{"index", "auto, wait, background or none",
                    [](MountOptions& m, Given&, Value v) {
                      return store(m.library.index, parse_index_mode(v));
                    }},
        ValueOption{"comments", "yes or no",
                    [](MountOptions& m, Given&, Value v) {
                      return store(m.library.pgn.comments, parse_yes(v));
                    }},
        ValueOption{"variations", "yes or no",
                    [](MountOptions& m, Given&, Value v) {
                      return store(m.library.pgn.variations, parse_yes(v));
                    }},
        ValueOption{"nags", "yes or no",
                    [](MountOptions& m, Given&, Value v) {
                      return store(m.library.pgn.nags, parse_yes(v));
                    }},
        ValueOption{"null_moves", "keep or comment",
                    [](MountOptions& m, Given&, Value v) {
                      return store(m.library.pgn.quote_null_moves,
                                   parse_choice(v, "keep", "comment"));
                    }},
        ValueOption{"width", "a number of columns from 20 to 10000, or 0 for no line breaks",
                    [](MountOptions& m, Given&, Value v) {
                      return store(m.library.pgn.width, parse_width(v));
                    }},
        ValueOption{"opening", "tag or none",
                    [](MountOptions& m, Given&, Value v) {
                      return store(m.library.pgn.opening, parse_choice(v, "none", "tag"));
                    }},
        ValueOption{"encoding", "1252 or 1251, or either with a colon and a database or folder",
                    [](MountOptions& m, Given&, Value v) {
                      std::optional<EncodingRule> rule = parse_encoding(v);
                      if (!rule.has_value()) return false;
                      m.library.encodings.push_back(*std::move(rule));
                      return true;
                    }},
        ValueOption{"deleted", "hide or show",
                    [](MountOptions& m, Given&, Value v) {
                      return store(m.library.show_deleted, parse_choice(v, "hide", "show"));
                    }},
        ValueOption{"spelling", "a file, auto or none",
                    [](MountOptions& m, Given&, Value v) {
                      return store(m.data_files.spelling,
                                   parse_data_file(v, installed_data_files().spelling));
                    }},
        ValueOption{"eco", "a file, auto or none",
                    [](MountOptions& m, Given&, Value v) {
                      return store(m.data_files.eco,
                                   parse_data_file(v, installed_data_files().eco));
                    }},
        ValueOption{"order", "database or round",
                    [](MountOptions& m, Given&, Value v) {
                      return store(m.library.by_round, parse_choice(v, "database", "round"));
                    }},
        ValueOption{"tags", "roster or all",
                    [](MountOptions& m, Given&, Value v) {
                      return store(m.library.pgn.all_tags, parse_choice(v, "roster", "all"));
                    }},
        ValueOption{"cache_dir", "a folder, or none",
                    [](MountOptions&, Given& g, Value v) {
                      g.cache_dir = parse_cache_dir(v);
                      return g.cache_dir.has_value();
                    }},
        ValueOption{"unpack", "auto, memory or file",
                    [](MountOptions& m, Given&, Value v) {
                      return store(m.library.unpack.to, parse_unpack(v));
                    }},
        ValueOption{"source", "auto, near or far",
                    [](MountOptions& m, Given&, Value v) {
                      return store(m.library.distance, parse_distance(v));
                    }},
        ValueOption{"threads", "a number from 1 to 1024",
                    [](MountOptions& m, Given&, Value v) {
                      return store(m.library.threads, parse_threads(v));
                    }},
        ValueOption{"patience", "a number of seconds from 0 to 60",
                    [](MountOptions& m, Given&, Value v) {
                      return store(m.library.patience, parse_patience(v)) &&
                             store(m.library.first_patience, parse_patience(v));
                    }},
        ValueOption{"max_idle_threads", "a number from 1 to 1024",
                    [](MountOptions& m, Given&, Value v) {
                      return store(m.max_idle_threads, parse_threads(v));
                    }},
        ValueOption{"uid", "a user's number",
                    [](MountOptions&, Given& g, Value v) { return store(g.uid, parse_id(v)); }},
        ValueOption{"gid", "a group's number",
                    [](MountOptions&, Given& g, Value v) { return store(g.gid, parse_id(v)); }},
        ValueOption{"umask", "an octal number up to 777",
                    [](MountOptions&, Given& g, Value v) { return store(g.umask, parse_mask(v)); }},
        ValueOption{"fmask", "an octal number up to 777",
                    [](MountOptions&, Given& g, Value v) { return store(g.fmask, parse_mask(v)); }},
        ValueOption{"dmask", "an octal number up to 777",
                    [](MountOptions&, Given& g, Value v) { return store(g.dmask, parse_mask(v)); }},
        ValueOption{
            "sandbox", "auto, strict or off",
            [](MountOptions& m, Given&, Value v) { return store(m.sandbox, parse_sandbox(v)); }},
        ValueOption{"run_as", "a user",
                    [](MountOptions&, Given& g, Value v) { return store_word(g.run_as, v); }},
        ValueOption{"fsname", "a name",
                    [](MountOptions&, Given& g, Value v) { return store_word(g.fsname, v); }},
        ValueOption{"subtype", "a name",
                    [](MountOptions&, Given& g, Value v) { return store_word(g.subtype, v); }},
        ValueOption{"max_read", "a number of bytes from 4096",
                    [](MountOptions& m, Given&, Value v) {
                      const bool good = parse_number(v, 4096, std::uint64_t{1} << 30).has_value();
                      if (good) m.fuse_options.push_back(fmt::format("max_read={}", v));
                      return good;
                    }},
};

struct Flag {
  Value name;
  void (*set)(MountOptions&, Given&);
};

constexpr std::array kOwnFlags = {
    Flag{"allow_other", [](MountOptions&, Given& g) { g.allow_other = true; }},
    Flag{"allow_root", [](MountOptions&, Given& g) { g.allow_root = true; }},
    Flag{"follow", [](MountOptions& m, Given&) { m.library.follow_links = true; }},
    Flag{"nonempty", [](MountOptions& m, Given&) { m.nonempty = true; }},
    Flag{"debug", [](MountOptions& m, Given&) { m.debug = true; }},
};

// Go to libfuse as they are.
constexpr std::array<Value, 8> kFuseFlags = {"exec",    "noexec", "nosuid", "nodev",
                                             "noatime", "sync",   "async",  "dirsync"};
constexpr std::array<Value, 4> kFuseValues = {"context", "fscontext", "defcontext", "rootcontext"};
// What mount(8) and fstab know and scidfs does not need: it is how we mount anyway (ro, clone_fd,
// default_permissions, auto_unmount), or means nothing on a file system without devices, programs
// and access times (dev and suid, which mount.fuse3 adds unasked, are never granted), or is meant
// for others. mount(8) says rw by itself where nobody has said ro.
constexpr std::array<Value, 30> kIgnoredFlags = {
    "auto_unmount",  "ro",         "rw",          "clone_fd", "default_permissions",
    "dev",           "suid",       "atime",       "diratime", "nodiratime",
    "relatime",      "norelatime", "strictatime", "lazytime", "nolazytime",
    "nostrictatime", "nofail",     "_netdev",     "user",     "users",
    "nouser",        "owner",      "noowner",     "group",    "nogroup",
    "auto",          "noauto",     "defaults",    "nousers",  "silent"};

bool is_for_others(Value option) {
  return option.starts_with("x-") || option.starts_with("X-") || option.starts_with("comment=") ||
         option == "comment" || option.starts_with("user=");
}

std::vector<std::string> split_options(Value list) {
  std::vector<std::string> options(1);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == ',') {
      options.emplace_back();
    } else if (list[i] == '\\' && i + 1 < list.size()) {
      const auto byte = list[i + 1] <= '3' ? parse_number(list.substr(i + 1, 3), 0, 0377, 8)
                                           : std::optional<std::uint64_t>();
      const bool octal = byte && i + 3 < list.size();
      options.back() += octal ? static_cast<char>(*byte) : list[i + 1];
      i += octal ? 3 : 1;
    } else {
      options.back() += list[i];
    }
  }
  std::erase(options, "");
  return options;
}

}  // namespace

std::vector<Value> OptionList::names() {
  std::vector<Value> names;
  names.reserve(kOwnOptions.size() + kOwnFlags.size() + kFuseFlags.size() + kFuseValues.size());
  for (const ValueOption& option : kOwnOptions) names.push_back(option.name);
  for (const Flag& flag : kOwnFlags) names.push_back(flag.name);
  names.insert(names.end(), kFuseFlags.begin(), kFuseFlags.end());
  names.insert(names.end(), kFuseValues.begin(), kFuseValues.end());
  return names;
}

// Takes an option without a value; false if there is none of that name.
bool OptionList::add_flag(Value name) {
  if (const auto own = std::ranges::find(kOwnFlags, name, &Flag::name); own != kOwnFlags.end()) {
    own->set(mount_, given_);
  } else if (std::ranges::find(kFuseFlags, name) != kFuseFlags.end()) {
    mount_.fuse_options.emplace_back(name);
  } else {
    return std::ranges::find(kIgnoredFlags, name) != kIgnoredFlags.end();
  }
  return true;
}

absl::Status OptionList::add_one(Value option) {
  if (is_for_others(option)) return absl::OkStatus();
  const std::size_t equals = option.find('=');
  const bool has_value = equals != Value::npos;
  const Value name = option.substr(0, equals);
  const Value value = has_value ? option.substr(equals + 1) : Value();
  if (const auto own = std::ranges::find(kOwnOptions, name, &ValueOption::name);
      own != kOwnOptions.end()) {
    if (!has_value) return wrong(fmt::format("option {} wants {}", name, own->expects));
    if (own->set(mount_, given_, value)) return absl::OkStatus();
    return wrong(fmt::format("option {} wants {}, not '{}'", name, own->expects, value));
  }
  if (std::ranges::find(kFuseValues, name) != kFuseValues.end()) {
    if (value.empty()) return wrong(fmt::format("option {} wants a value", name));
    mount_.fuse_options.emplace_back(option);
    return absl::OkStatus();
  }
  if (!add_flag(name)) {
    return ignores_unknown_ ? absl::OkStatus() : wrong(fmt::format("unknown option '{}'", name));
  }
  if (has_value) return wrong(fmt::format("option {} takes no value", name));
  return absl::OkStatus();
}

absl::Status OptionList::add(Value list) {
  for (const std::string& option : split_options(list)) {
    if (absl::Status status = add_one(option); !status.ok()) return status;
  }
  return absl::OkStatus();
}

// Whose the daemon, its files and its cache folder are.
absl::Status OptionList::settle_owner() {
  uid_t uid = ::getuid();
  gid_t gid = ::getgid();
  std::filesystem::path cache_folder = default_cache_folder();
  if (given_.run_as) {
    absl::StatusOr<User> user = find_user(*given_.run_as);
    if (!user.ok()) return wrong("option run_as: " + std::string(user.status().message()));
    if (::geteuid() != 0) return wrong("option run_as is for root alone");
    uid = user->uid;
    gid = user->gid;
    // What the environment says is root's.
    cache_folder = user->home / ".cache" / "scidfs";
    mount_.run_as = *std::move(user);
  }
  mount_.uid = given_.uid.value_or(uid);
  mount_.gid = given_.gid.value_or(gid);
  mount_.library.cache_folder = given_.cache_dir.value_or(cache_folder);
  mount_.library.unpack.folder = mount_.library.cache_folder;
  if (mount_.library.unpack.to == UnpackTo::File && mount_.library.unpack.folder.empty()) {
    return wrong("option unpack=file wants a cache_dir");
  }
  return absl::OkStatus();
}

absl::Status OptionList::settle() {
  if (given_.allow_other && given_.allow_root) {
    return wrong("options allow_other and allow_root exclude each other");
  }
  if (absl::Status status = settle_owner(); !status.ok()) return status;
  if (mount_.debug) mount_.foreground = true;

  const mode_t umask = given_.umask.value_or(0);
  mount_.file_mode &= ~given_.fmask.value_or(umask);
  mount_.directory_mode &= ~given_.dmask.value_or(umask);

  // The kernel checks the modes, and answers every attempt to write with EROFS by itself.
  for (const Value always : {"ro", "default_permissions"}) mount_.fuse_options.emplace_back(always);
  if (given_.allow_other) mount_.fuse_options.emplace_back("allow_other");
  if (given_.allow_root) mount_.fuse_options.emplace_back("allow_root");
  if (given_.fsname) mount_.fuse_options.push_back("fsname=" + *given_.fsname);
  mount_.fuse_options.push_back("subtype=" + given_.subtype.value_or("scidfs"));
  return absl::OkStatus();
}

}  // namespace scidfs::fs
