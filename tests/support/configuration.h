// What `meson setup` wrote down of this build, read at run time: compilers are told no absolute
// path, so that two checkouts compile the same.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace scidfs::tests {

// Returns the value of a key of tests/configuration.txt.in, from the copy beside the running
// program. Ends the program if there is none.
const std::string& configured(std::string_view key);

// Returns the path of a file or folder of the checkout, e.g. "tests/data".
std::filesystem::path source_path(std::string_view name);

}  // namespace scidfs::tests
