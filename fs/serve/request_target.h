// The target of an HTTP request, as the request line has it, and the path in the tree that it
// means.
//
// Names in the tree are any bytes but NUL and slash, and so are decoded ones: nothing here knows of
// characters, and a backslash is a byte like others.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scidfs::fs {

// The maximum number of bytes of a target, as sent.
inline constexpr std::size_t kMostTargetBytes = 4096;
// The maximum number of bytes of a name, decoded: what a mount says in statfs(2).
inline constexpr std::size_t kMostNameBytesOfTarget = 255;
// Further parameters of a target are left out.
inline constexpr std::size_t kMostParameters = 64;

// A target whose path was decoded, once, and is safe to look up name by name.
struct RequestTarget {
  // From the top of the tree; none is empty, `.` or `..`, and none has NUL or a slash.
  std::vector<std::string> names;
  // Whether the path ends with a slash. That of the top does.
  bool is_directory = false;
  // What follows the `?`, as sent.
  std::string query;
};

// Takes "/a/b%20c/?x=1", or the same after "http://host" or "https://host", as proxies are asked.
// Repeated slashes are as one. A fragment ends the target.
//
// Fails with InvalidArgument, and a reason for the user, for a target without a slash at its
// beginning, for a `%` without two hexadecimal digits, and for names that could lead elsewhere:
// `.`,
// `..`, and those with NUL or a slash, plain or encoded. They are not resolved: what a proxy in
// front has allowed is what is looked up. Fails with OutOfRange for what is longer than the limits.
absl::StatusOr<RequestTarget> parse_target(std::string_view raw);

// A name and a value, decoded.
using Parameter = std::pair<std::string, std::string>;

// Returns the parameters of a query, in its order, as forms send them
// (application/x-www-form-urlencoded): a `+` is a blank, and what is no escape stays as it is.
std::vector<Parameter> parse_parameters(std::string_view query);

// Returns the path of names, from the top, for links and headers: with a slash at its beginning and
// all bytes as %XX that a path may not have (RFC 3986, pchar). parse_target() gives the names
// again. REQUIRES: names as those of a RequestTarget. The top is a directory.
std::string encode_path(std::span<const std::string> names, bool is_directory);

}  // namespace scidfs::fs
