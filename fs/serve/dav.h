// WebDAV, as far as a file system that is only to be read needs it: PROPFIND (RFC 4918,
// section 9.1).
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fs/tree/tree.h"

namespace scidfs::fs {

// The properties that a PROPFIND asks for.
struct DavQuestion {
  enum class Form { All, Names, Listed };
  using Property = std::pair<std::string, std::string>;  // namespace and name

  Form form = Form::All;
  std::vector<Property> properties{};  // if they are listed
};

// Takes the body of a PROPFIND; an empty one asks for all. Errors: InvalidArgument.
absl::StatusOr<DavQuestion> parse_propfind(std::string_view body);

// The answer to a PROPFIND: files and directories with their properties.
class Multistatus {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  explicit Multistatus(DavQuestion question);

  // Adds what lies at an encoded path; `name` is its last name. Returns false if the answer is too
  // long.
  bool add(std::string_view path, std::string_view name, const Attributes& attributes);
  // Returns the whole text. REQUIRES: called once, at last.
  std::string take_text();

 private:
  const DavQuestion question_;
  std::string text_;
};

}  // namespace scidfs::fs
