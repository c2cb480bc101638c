// The settings of `meson setup`, read at run time: no absolute path is compiled in, so two
// checkouts compile to the same.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace scidfs::tests {

// Returns the value of a key of tests/configuration.txt.in, from the copy beside the running
// program. Ends the program if it is missing.
const std::string& configured(std::string_view key);

// Returns the path of a file or folder of the checkout, e.g. "tests/data".
std::filesystem::path source_path(std::string_view name);

}  // namespace scidfs::tests
