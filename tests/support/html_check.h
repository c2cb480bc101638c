// What is wrong with a page, as far as our pages use HTML.
#pragma once

#include <string>
#include <string_view>

namespace scidfs::tests {

// Returns the first fault of a page, a line; empty if there is none. A page has a document type,
// and only elements that pages use, each of which ends; attributes in double quotes, without styles
// and event handlers; links into the mount or by http; `<`, `>`, `"` and `&` only as markup; valid
// UTF-8 without control characters but tabs and line ends; a script without text.
std::string html_fault(std::string_view page);

}  // namespace scidfs::tests
