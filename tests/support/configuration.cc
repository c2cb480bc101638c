#include "tests/support/configuration.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>

namespace scidfs::tests {
namespace {

using Values = std::map<std::string, std::string, std::less<>>;

Values read_configuration() {
  std::ifstream file(std::filesystem::read_symlink("/proc/self/exe").parent_path() /
                     "configuration.txt");
  Values values;
  for (std::string line; std::getline(file, line);) {
    const std::size_t equals = line.find('=');
    if (equals != std::string::npos) values[line.substr(0, equals)] = line.substr(equals + 1);
  }
  return values;
}

}  // namespace

const std::string& configured(std::string_view key) {
  static const Values values = read_configuration();
  const auto found = values.find(key);
  if (found == values.end()) {
    std::fprintf(stderr, "no %s in configuration.txt beside this program\n",
                 std::string(key).c_str());
    std::abort();
  }
  return found->second;
}

std::filesystem::path source_path(std::string_view name) {
  return std::filesystem::path(configured("source")) / name;
}

}  // namespace scidfs::tests
