#include "fs/serve/request_target.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <optional>

#include "codec/ending.h"
#include "codec/number.h"
#include "fs/base/status_macros.h"

namespace scidfs::fs {
namespace {

constexpr std::size_t kEscapeSize = 3;

// Returns the byte that a text begins with as %XX.
std::optional<char> leading_escape(std::string_view text) {
  constexpr int kHexadecimal = 16;
  if (text.size() < kEscapeSize || text[0] != '%') return std::nullopt;
  const auto byte = codec::parse_number<unsigned char>(text.substr(1, 2), kHexadecimal);
  if (!byte.has_value()) return std::nullopt;
  return static_cast<char>(*byte);
}

absl::StatusOr<std::string> decode_name(std::string_view raw) {
  std::string name;
  while (!raw.empty()) {
    const std::optional<char> escaped = leading_escape(raw);
    if (raw[0] == '%' && !escaped.has_value()) {
      return absl::InvalidArgumentError("in a path, two hexadecimal digits must follow a %");
    }
    name += escaped.value_or(raw[0]);
    raw.remove_prefix(escaped.has_value() ? kEscapeSize : 1);
  }
  if (name == "." || name == "..") {
    return absl::InvalidArgumentError("a path must not have the names . and ..");
  }
  if (name.find('\0') != std::string::npos || name.find('/') != std::string::npos) {
    return absl::InvalidArgumentError("a name must have neither a slash nor a NUL");
  }
  if (name.size() > kMostNameBytesOfTarget) {
    return absl::OutOfRangeError(
        fmt::format("a name has more than {} bytes", kMostNameBytesOfTarget));
  }
  return name;
}

// Returns the target without the scheme and the host of its absolute form.
std::string_view without_host(std::string_view raw) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (codec::in_small_letters(raw.substr(0, scheme.size())) == scheme) {
      raw.remove_prefix(scheme.size());
      raw.remove_prefix(std::min(raw.find_first_of("/?"), raw.size()));
      return raw.empty() ? "/" : raw;
    }
  }
  return raw;
}

// Returns a part of a form's data.
std::string decode_form(std::string_view raw) {
  std::string text;
  while (!raw.empty()) {
    const std::optional<char> escaped = leading_escape(raw);
    text += escaped.value_or(raw[0] == '+' ? ' ' : raw[0]);
    raw.remove_prefix(escaped.has_value() ? kEscapeSize : 1);
  }
  return text;
}

// pchar of RFC 3986, 3.3, but for escapes.
constexpr bool is_plain_in_path(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~!$&'()*+,;=:@").find(c) != std::string_view::npos;
}

}  // namespace

absl::StatusOr<RequestTarget> parse_target(std::string_view raw) {
  if (raw.size() > kMostTargetBytes) {
    return absl::OutOfRangeError(
        fmt::format("an address has more than {} bytes", kMostTargetBytes));
  }
  raw = without_host(raw.substr(0, raw.find('#')));
  RequestTarget target;
  if (const std::size_t end = raw.find('?'); end != std::string_view::npos) {
    target.query = raw.substr(end + 1);
    raw = raw.substr(0, end);
  }
  if (!raw.starts_with('/')) return absl::InvalidArgumentError("a path must begin with a slash");
  target.is_directory = raw.ends_with('/');
  while (!raw.empty()) {
    const std::string_view name = raw.substr(0, raw.find('/'));
    raw.remove_prefix(std::min(name.size() + 1, raw.size()));
    if (name.empty()) continue;
    ASSIGN_OR_RETURN(target.names.emplace_back(), decode_name(name));
  }
  return target;
}

std::vector<Parameter> parse_parameters(std::string_view query) {
  std::vector<Parameter> parameters;
  while (!query.empty() && parameters.size() < kMostParameters) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    if (pair.empty()) continue;
    const std::size_t sign = std::min(pair.find('='), pair.size());
    parameters.emplace_back(decode_form(pair.substr(0, sign)),
                            decode_form(pair.substr(std::min(sign + 1, pair.size()))));
  }
  return parameters;
}

std::string encode_path(std::span<const std::string> names, bool is_directory) {
  std::string path;
  for (const std::string& name : names) {
    assert(!name.empty() && name != "." && name != "..");
    path += '/';
    for (const char c : name) {
      if (is_plain_in_path(c)) {
        path += c;
      } else {
        path += fmt::format("%{:02X}", static_cast<unsigned char>(c));
      }
    }
  }
  if (is_directory || names.empty()) path += '/';
  return path;
}

}  // namespace scidfs::fs
