// Pages for a web site of files alone, which has less than a mount.
#pragma once

#include <absl/functional/function_ref.h>

#include <string>
#include <string_view>

namespace scidfs::fs {

// Returns a page as it is, but for what would lead nowhere on the site: a link to a file that the
// site lacks becomes plain text, and forms, which ask a mount, are left out with their headings.
// `directory` is the path of the page's directory on the site, empty or with a slash at its end;
// `has_file` takes the path of a linked file.
//
// Relies on how pages are written (fs/pages/html.h): no text and no value of an attribute has a
// `<` or a `>`, and links are the only ones with `href` among elements `a`.
std::string static_page(std::string_view page, std::string_view directory,
                        absl::FunctionRef<bool(std::string_view path)> has_file);

}  // namespace scidfs::fs
