#include "fs/base/code_pages.h"

#include <fmt/format.h>
#include <iconv.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string_view>

namespace scidfs::fs {
namespace {

using codec::PageTable;

// One code page of iconv.
class Decoder {
 public:
  explicit Decoder(std::uint16_t number)
      : decoder_(::iconv_open("UTF-8", fmt::format("CP{}", number).c_str())) {}
  ~Decoder() {
    if (is_known()) ::iconv_close(decoder_);
  }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  // iconv_open() returns -1 as a pointer.
  bool is_known() const { return decoder_ != reinterpret_cast<iconv_t>(-1); }  // NOLINT

  // Returns the one character that some bytes are, kPair if they begin one, else kHole.
  char32_t decode(std::span<char> bytes) const {
    std::array<char, 16> room;
    char* in = bytes.data();
    char* out = room.data();
    std::size_t in_left = bytes.size();
    std::size_t out_left = room.size();
    ::iconv(decoder_, nullptr, nullptr, nullptr, nullptr);
    const std::size_t result = ::iconv(decoder_, &in, &in_left, &out, &out_left);
    if (result == static_cast<std::size_t>(-1)) {
      return errno == EINVAL ? PageTable::kPair : PageTable::kHole;
    }
    // Some keep a letter until they know whether a mark follows.
    ::iconv(decoder_, nullptr, nullptr, &out, &out_left);
    std::string_view text(room.data(), room.size() - out_left);
    if (text.empty()) return PageTable::kHole;
    const char32_t code = codec::take_code_point(text);
    return text.empty() && !codec::is_control(code) ? code : PageTable::kHole;
  }

 private:
  iconv_t decoder_;
};

// Returns null for a page in which ASCII is not ASCII.
std::unique_ptr<const PageTable> make_table(std::uint16_t number) {
  const Decoder decoder(number);
  if (!decoder.is_known()) return nullptr;
  for (char c = ' '; c < '\x7F'; ++c) {
    if (decoder.decode({&c, 1}) != static_cast<unsigned char>(c)) return nullptr;
  }
  auto table = std::make_unique<PageTable>();
  table->number = number;
  constexpr std::size_t kSeconds = 256;
  for (std::size_t i = 0; i < table->characters.size(); ++i) {
    std::array<char, 2> pair = {static_cast<char>(0x80 + i)};
    table->characters[i] = decoder.decode(std::span(pair).first(1));
    if (table->characters[i] != PageTable::kPair) continue;
    table->pairs.resize(table->characters.size() * kSeconds, PageTable::kHole);
    for (std::size_t second = 1; second < kSeconds; ++second) {
      pair[1] = static_cast<char>(second);
      const char32_t code = decoder.decode(pair);
      if (code != PageTable::kPair) table->pairs[i * kSeconds + second] = code;
    }
  }
  return table;
}

}  // namespace

std::optional<codec::CodePage> find_code_page(std::uint16_t number) {
  for (const codec::CodePage page : {codec::CodePage(codec::CodePage::Windows1252),
                                     codec::CodePage(codec::CodePage::Windows1251)}) {
    if (page.number() == number) return page;
  }
  static std::map<std::uint16_t, std::unique_ptr<const PageTable>> tables;
  std::unique_ptr<const PageTable>& table = tables.try_emplace(number).first->second;
  if (table == nullptr) table = make_table(number);
  if (table == nullptr) return std::nullopt;
  return codec::CodePage(table.get());
}

}  // namespace scidfs::fs
