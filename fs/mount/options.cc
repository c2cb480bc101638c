#include "fs/mount/options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "fs/file/cache_folder.h"

namespace scidfs::fs {
namespace {

using Value = std::string_view;

absl::Status wrong(const std::string& text) { return absl::InvalidArgumentError(text); }

std::optional<std::uint64_t> parse_number(Value text, std::uint64_t least, std::uint64_t most,
                                          int base = 10) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, base);
  if (error != std::errc() || stop != end || number < least || number > most) return std::nullopt;
  return number;
}

// "0", "500000", "512K", "64M", "1G".
std::optional<std::size_t> parse_size(Value text) {
  unsigned shift = 0;
  if (!text.empty()) {
    constexpr std::string_view kSuffixes = "KkMmGg";
    if (const auto at = kSuffixes.find(text.back()); at != std::string_view::npos) {
      shift = 10 * (static_cast<unsigned>(at) / 2 + 1);
      text.remove_suffix(1);
    }
  }
  const auto number = parse_number(text, 0, std::numeric_limits<std::size_t>::max() >> shift);
  if (!number) return std::nullopt;
  return static_cast<std::size_t>(*number) << shift;
}

std::filesystem::path absolute(Value path) {
  std::filesystem::path result = std::filesystem::absolute(path).lexically_normal();
  if (!result.has_filename()) result = result.parent_path();  // a slash at the end
  return result;
}

// What has been read so far.
struct Parsed {
  MountOptions& mount;
  std::optional<mode_t> umask = std::nullopt, fmask = std::nullopt, dmask = std::nullopt;
  std::optional<std::string> fsname = std::nullopt, subtype = std::nullopt;
  std::optional<std::string> run_as = std::nullopt;
  std::optional<std::filesystem::path> cache_dir = std::nullopt;  // empty: none
  std::optional<uid_t> uid = std::nullopt;
  std::optional<gid_t> gid = std::nullopt;
  bool allow_other = false, allow_root = false;
};

// Takes a value; false if it is a bad one.
using Setter = bool (*)(Parsed&, Value);

template <typename Field>
bool store(Field& field, const auto& value) {
  if (value) field = static_cast<Field>(*value);
  return value.has_value();
}

std::optional<bool> parse_choice(Value value, Value no, Value yes) {
  if (value == no) return false;
  if (value == yes) return true;
  return std::nullopt;
}
std::optional<bool> parse_yes(Value value) { return parse_choice(value, "no", "yes"); }

std::optional<IndexMode> parse_index(Value value) {
  if (value == "wait") return IndexMode::Wait;
  if (value == "background") return IndexMode::Background;
  if (value == "none") return IndexMode::None;
  return std::nullopt;
}

std::optional<UnpackTo> parse_unpack(Value value) {
  if (value == "auto") return UnpackTo::Auto;
  if (value == "memory") return UnpackTo::Memory;
  if (value == "file") return UnpackTo::File;
  return std::nullopt;
}

std::optional<SandboxMode> parse_sandbox(Value value) {
  if (value == "auto") return SandboxMode::Auto;
  if (value == "strict") return SandboxMode::Strict;
  if (value == "off") return SandboxMode::Off;
  return std::nullopt;
}

std::optional<unsigned> parse_width(Value value) {
  if (value == "0") return 0U;
  return parse_number(value, 20, 10'000);
}

std::optional<std::filesystem::path> parse_cache_dir(Value value) {
  if (value.empty()) return std::nullopt;
  if (value == "none") return std::filesystem::path();
  return absolute(value);
}

std::optional<std::uint64_t> parse_id(Value value) {
  // The last number means "no such user" to the kernel.
  return parse_number(value, 0, std::numeric_limits<std::uint32_t>::max() - 1);
}

struct ValueOption {
  Value name;
  Setter set;
  Value expects;  // completes "option NAME wants ..."
};

constexpr std::array kOwnOptions = {
    ValueOption{"cache",
                [](Parsed& p, Value v) { return store(p.mount.cache_bytes, parse_size(v)); },
                "a size such as 0, 512K, 64M or 1G"},
    ValueOption{"index",
                [](Parsed& p, Value v) { return store(p.mount.library.index, parse_index(v)); },
                "wait, background or none"},
    ValueOption{
        "comments",
        [](Parsed& p, Value v) { return store(p.mount.library.pgn.comments, parse_yes(v)); },
        "yes or no"},
    ValueOption{
        "variations",
        [](Parsed& p, Value v) { return store(p.mount.library.pgn.variations, parse_yes(v)); },
        "yes or no"},
    ValueOption{"nags",
                [](Parsed& p, Value v) { return store(p.mount.library.pgn.nags, parse_yes(v)); },
                "yes or no"},
    ValueOption{"width",
                [](Parsed& p, Value v) { return store(p.mount.library.pgn.width, parse_width(v)); },
                "a number of columns from 20 to 10000, or 0 for no line breaks"},
    ValueOption{"deleted",
                [](Parsed& p, Value v) {
                  return store(p.mount.library.show_deleted, parse_choice(v, "hide", "show"));
                },
                "hide or show"},
    ValueOption{"cache_dir",
                [](Parsed& p, Value v) {
                  p.cache_dir = parse_cache_dir(v);
                  return p.cache_dir.has_value();
                },
                "a folder, or none"},
    ValueOption{
        "unpack",
        [](Parsed& p, Value v) { return store(p.mount.library.unpack.to, parse_unpack(v)); },
        "auto, memory or file"},
    ValueOption{
        "threads",
        [](Parsed& p, Value v) { return store(p.mount.library.threads, parse_number(v, 1, 1024)); },
        "a number from 1 to 1024"},
    ValueOption{"max_idle_threads",
                [](Parsed& p, Value v) {
                  return store(p.mount.max_idle_threads, parse_number(v, 1, 1024));
                },
                "a number from 1 to 1024"},
    ValueOption{"uid", [](Parsed& p, Value v) { return store(p.uid, parse_id(v)); },
                "a user's number"},
    ValueOption{"gid", [](Parsed& p, Value v) { return store(p.gid, parse_id(v)); },
                "a group's number"},
    ValueOption{"umask",
                [](Parsed& p, Value v) { return store(p.umask, parse_number(v, 0, 0777, 8)); },
                "an octal number up to 777"},
    ValueOption{"fmask",
                [](Parsed& p, Value v) { return store(p.fmask, parse_number(v, 0, 0777, 8)); },
                "an octal number up to 777"},
    ValueOption{"dmask",
                [](Parsed& p, Value v) { return store(p.dmask, parse_number(v, 0, 0777, 8)); },
                "an octal number up to 777"},
    ValueOption{"sandbox",
                [](Parsed& p, Value v) { return store(p.mount.sandbox, parse_sandbox(v)); },
                "auto, strict or off"},
    ValueOption{"run_as",
                [](Parsed& p, Value v) {
                  p.run_as = v;
                  return !v.empty();
                },
                "a user"},
    ValueOption{"fsname",
                [](Parsed& p, Value v) {
                  p.fsname = v;
                  return !v.empty();
                },
                "a name"},
    ValueOption{"subtype",
                [](Parsed& p, Value v) {
                  p.subtype = v;
                  return !v.empty();
                },
                "a name"},
    ValueOption{"max_read",
                [](Parsed& p, Value v) {
                  const bool good = parse_number(v, 4096, std::uint64_t{1} << 30).has_value();
                  if (good) p.mount.fuse_options.push_back(fmt::format("max_read={}", v));
                  return good;
                },
                "a number of bytes from 4096"},
};

// Go to libfuse as they are.
constexpr std::array<Value, 8> kFuseFlags = {"exec",    "noexec", "nosuid", "nodev",
                                             "noatime", "sync",   "async",  "dirsync"};
constexpr std::array<Value, 4> kFuseValues = {"context", "fscontext", "defcontext", "rootcontext"};
// What mount(8) and fstab know and scidfs does not need: it is how we mount anyway (ro, clone_fd,
// default_permissions, auto_unmount), or means nothing on a file system without devices, programs
// and access times (dev and suid, which mount.fuse3 adds unasked, are never granted), or is meant
// for others.
constexpr std::array<Value, 30> kIgnoredFlags = {
    "auto_unmount", "ro",         "clone_fd",   "default_permissions",
    "dev",          "suid",       "nonempty",   "atime",
    "diratime",     "nodiratime", "relatime",   "norelatime",
    "strictatime",  "lazytime",   "nolazytime", "nostrictatime",
    "nofail",       "_netdev",    "user",       "users",
    "nouser",       "owner",      "noowner",    "group",
    "nogroup",      "auto",       "noauto",     "defaults",
    "nousers",      "silent"};

template <std::size_t kSize>
bool contains(const std::array<Value, kSize>& names, Value name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_for_others(Value option) {
  return option.starts_with("x-") || option.starts_with("X-") || option.starts_with("comment=") ||
         option == "comment" || option.starts_with("user=");
}

// Takes an option without a value; false if there is none of that name.
bool parse_flag(Parsed& parsed, Value name) {
  if (name == "allow_other") {
    parsed.allow_other = true;
  } else if (name == "allow_root") {
    parsed.allow_root = true;
  } else if (name == "follow") {
    parsed.mount.library.follow_links = true;
  } else if (name == "debug") {
    parsed.mount.debug = true;
  } else if (name == "rw") {
    // mount(8) says rw by itself where nobody said ro, so it cannot be refused.
    parsed.mount.warnings.emplace_back("scidfs never writes: mounted read-only");
  } else if (contains(kFuseFlags, name)) {
    parsed.mount.fuse_options.emplace_back(name);
  } else {
    return contains(kIgnoredFlags, name);
  }
  return true;
}

absl::Status parse_option(Parsed& parsed, Value option) {
  if (is_for_others(option)) return absl::OkStatus();
  const std::size_t equals = option.find('=');
  const bool has_value = equals != Value::npos;
  const Value name = option.substr(0, equals);
  const Value value = has_value ? option.substr(equals + 1) : Value();
  for (const ValueOption& own : kOwnOptions) {
    if (own.name != name) continue;
    if (!has_value) return wrong(fmt::format("option {} wants {}", name, own.expects));
    if (own.set(parsed, value)) return absl::OkStatus();
    return wrong(fmt::format("option {} wants {}, not '{}'", name, own.expects, value));
  }
  if (contains(kFuseValues, name)) {
    if (value.empty()) return wrong(fmt::format("option {} wants a value", name));
    parsed.mount.fuse_options.emplace_back(option);
    return absl::OkStatus();
  }
  if (!parse_flag(parsed, name)) return wrong(fmt::format("unknown option '{}'", name));
  if (has_value) return wrong(fmt::format("option {} takes no value", name));
  return absl::OkStatus();
}

// Splits at commas. As in libfuse a backslash takes the next character as it is, and \ooo is a
// byte.
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

absl::Status parse_options(Parsed& parsed, Value list) {
  for (const std::string& option : split_options(list)) {
    if (absl::Status status = parse_option(parsed, option); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status finish_check(Parsed& parsed, std::span<const Value> paths) {
  if (paths.empty()) return wrong("SOURCE is missing");
  if (paths.size() > 1) return wrong(fmt::format("unexpected argument '{}'", paths[1]));
  if (paths[0].empty()) return wrong("SOURCE is empty");
  parsed.mount.source = absolute(paths[0]);
  return absl::OkStatus();
}

// Whose the daemon, its files and its cache folder are.
absl::Status settle_owner(Parsed& parsed) {
  MountOptions& mount = parsed.mount;
  uid_t uid = ::getuid();
  gid_t gid = ::getgid();
  std::filesystem::path cache_folder = default_cache_folder();
  if (parsed.run_as) {
    absl::StatusOr<User> user = find_user(*parsed.run_as);
    if (!user.ok()) return wrong("option run_as: " + std::string(user.status().message()));
    if (::geteuid() != 0) return wrong("option run_as is for root alone");
    uid = user->uid;
    gid = user->gid;
    // What the environment says is root's.
    cache_folder = user->home / ".cache" / "scidfs";
    mount.run_as = *std::move(user);
  }
  mount.uid = parsed.uid.value_or(uid);
  mount.gid = parsed.gid.value_or(gid);
  mount.library.cache_folder = parsed.cache_dir.value_or(cache_folder);
  mount.library.unpack.folder = mount.library.cache_folder;
  if (mount.library.unpack.to == UnpackTo::File && mount.library.unpack.folder.empty()) {
    return wrong("option unpack=file wants a cache_dir");
  }
  return absl::OkStatus();
}

absl::Status finish(Parsed& parsed, std::span<const Value> paths) {
  MountOptions& mount = parsed.mount;
  if (paths.empty()) return wrong("SOURCE and MOUNTPOINT are missing");
  if (paths.size() == 1) return wrong("MOUNTPOINT is missing");
  if (paths.size() > 2) return wrong(fmt::format("unexpected argument '{}'", paths[2]));
  if (paths[0].empty()) return wrong("SOURCE is empty");
  if (paths[1].empty()) return wrong("MOUNTPOINT is empty");
  if (parsed.allow_other && parsed.allow_root) {
    return wrong("options allow_other and allow_root exclude each other");
  }
  if (absl::Status status = settle_owner(parsed); !status.ok()) return status;
  mount.source = absolute(paths[0]);
  mount.mountpoint = absolute(paths[1]);
  if (mount.debug) mount.foreground = true;

  const mode_t umask = parsed.umask.value_or(0);
  mount.file_mode &= ~parsed.fmask.value_or(umask);
  mount.directory_mode &= ~parsed.dmask.value_or(umask);

  // The kernel checks the modes, and answers every attempt to write with EROFS by itself.
  for (const Value always : {"ro", "default_permissions"}) mount.fuse_options.emplace_back(always);
  if (parsed.allow_other) mount.fuse_options.emplace_back("allow_other");
  if (parsed.allow_root) mount.fuse_options.emplace_back("allow_root");
  mount.fuse_options.push_back("fsname=" + parsed.fsname.value_or(mount.source.string()));
  mount.fuse_options.push_back("subtype=" + parsed.subtype.value_or("scidfs"));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CommandLine> parse_command_line(std::span<const char* const> arguments) {
  CommandLine result;
  Parsed parsed{result.mount};
  std::vector<Value> paths;
  bool only_paths = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Value argument = arguments[i];
    if (only_paths || argument.empty() || argument[0] != '-' || argument == "-") {
      paths.push_back(argument);
    } else if (argument == "--") {
      only_paths = true;
    } else if (argument == "-h" || argument == "--help") {
      result.action = CommandLine::Action::Help;
      return result;
    } else if (argument == "-V" || argument == "--version") {
      result.action = CommandLine::Action::Version;
      return result;
    } else if (argument == "--check") {
      result.action = CommandLine::Action::Check;
    } else if (argument == "--verbose") {
      result.verbose = true;
    } else if (argument == "-f") {
      result.mount.foreground = true;
    } else if (argument == "-d") {
      result.mount.debug = true;
    } else if (argument == "-s") {
      result.mount.single_thread = true;
    } else if (argument.starts_with("-o")) {
      Value list = argument.substr(2);
      if (list.empty()) {
        if (++i == arguments.size()) return wrong("-o wants a list of options");
        list = arguments[i];
      }
      if (absl::Status status = parse_options(parsed, list); !status.ok()) return status;
    } else {
      return wrong(fmt::format("unknown option '{}'", argument));
    }
  }
  const bool is_check = result.action == CommandLine::Action::Check;
  if (result.verbose && !is_check) return wrong("--verbose goes with --check alone");
  if (absl::Status status = is_check ? finish_check(parsed, paths) : finish(parsed, paths);
      !status.ok()) {
    return status;
  }
  return result;
}

}  // namespace scidfs::fs
