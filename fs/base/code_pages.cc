#include "fs/base/code_pages.h"

#include <zlib.h>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "fs/base/packed_pages.h"

namespace scidfs::fs {
namespace {

using codec::PageTable;

using PageTables = std::map<std::uint16_t, PageTable>;

// Takes the words of a page one by one.
class PageReader {
 public:
  explicit PageReader(const PackedPages& packed) : bytes_(packed.length) {
    uLongf length = packed.length;
    [[maybe_unused]] const int result =
        ::uncompress(bytes_.data(), &length, packed.bytes.data(), packed.bytes.size());
    assert(result == Z_OK && length == packed.length);
  }
  bool at_end() const { return at_ == bytes_.size(); }
  std::uint16_t take() {
    const unsigned low = bytes_[at_];
    const unsigned high = bytes_[at_ + 1];
    at_ += 2;
    return static_cast<std::uint16_t>(low | high << 8);
  }

 private:
  std::vector<unsigned char> bytes_;
  std::size_t at_ = 0;
};

PageTables unpack_pages() {
  PageTables pages;
  for (PageReader reader(packed_pages()); !reader.at_end();) {
    PageTable table{.number = reader.take()};
    for (char32_t& character : table.characters) character = reader.take();
    if (std::ranges::find(table.characters, PageTable::kPair) != table.characters.end()) {
      constexpr std::size_t kSeconds = 256;
      table.pairs.resize(table.characters.size() * kSeconds);
      for (char32_t& character : table.pairs) character = reader.take();
    }
    const std::uint16_t number = table.number;
    pages.emplace(number, std::move(table));
  }
  return pages;
}

}  // namespace

std::optional<codec::CodePage> find_code_page(std::uint16_t number) {
  for (const codec::CodePage page : {codec::CodePage(codec::CodePage::Windows1252),
                                     codec::CodePage(codec::CodePage::Windows1251)}) {
    if (page.number() == number) return page;
  }
  static const PageTables kTables = unpack_pages();
  const auto found = kTables.find(number);
  if (found == kTables.end()) return std::nullopt;
  return codec::CodePage(&found->second);
}

}  // namespace scidfs::fs
