// Entries that are not shown.
#pragma once

#include <string>

namespace scidfs::fs {

// An entry of a folder or a container that is not shown.
struct Refusal {
  std::string name;  // that it would be shown by; empty: none of them is known
  std::string why;   // a line, also of info.txt
};

}  // namespace scidfs::fs
