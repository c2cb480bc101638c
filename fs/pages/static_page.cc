#include "fs/pages/static_page.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace scidfs::fs {
namespace {

constexpr std::string_view kLink = "<a ";
constexpr std::string_view kLinkEnd = "</a>";
constexpr std::string_view kForm = "<form ";
constexpr std::string_view kFormEnd = "</form>\n";
constexpr std::string_view kHeading = "<h2>";
constexpr std::string_view kHeadingEnd = "</h2>";
constexpr std::string_view kAddress = " href=\"";

// Returns text with each %41 as the byte that it means.
std::string without_escapes(std::string_view text) {
  constexpr std::size_t kEscape = 3;
  constexpr int kHexadecimal = 16;
  std::string plain;
  while (!text.empty()) {
    unsigned char byte = 0;
    if (text.front() == '%' && text.size() >= kEscape &&
        std::from_chars(text.data() + 1, text.data() + kEscape, byte, kHexadecimal).ptr ==
            text.data() + kEscape) {
      plain += static_cast<char>(byte);
      text.remove_prefix(kEscape);
    } else {
      plain += text.front();
      text.remove_prefix(1);
    }
  }
  return plain;
}

// Returns the path that an address leads to from a directory; nothing if that is above the site.
std::optional<std::string> path_of(std::string_view address, std::string_view directory) {
  constexpr std::string_view kUp = "../";
  for (; address.starts_with(kUp); address.remove_prefix(kUp.size())) {
    if (directory.empty()) return std::nullopt;
    directory.remove_suffix(1);
    directory = directory.substr(0, directory.rfind('/') + 1);
  }
  return std::string(directory) + without_escapes(address.substr(0, address.find('#')));
}

bool is_elsewhere(std::string_view address) {
  return address.starts_with('#') || address.starts_with("http://") ||
         address.starts_with("https://");
}

class StaticPage {
 public:
  StaticPage(std::string_view page, std::string_view directory,
             absl::FunctionRef<bool(std::string_view path)> has_file)
      : rest_(page), directory_(directory), has_file_(has_file) {
    out_.reserve(page.size());
  }

  std::string make() {
    while (!rest_.empty()) {
      if (rest_.starts_with(kLink)) {
        take_link();
      } else if (rest_.starts_with(kForm)) {
        leave_out_form();
      } else {
        take(rest_.find('<', 1));
      }
    }
    return std::move(out_);
  }

 private:
  std::string_view cut(std::size_t size) {
    const std::string_view front = rest_.substr(0, size);
    rest_.remove_prefix(front.size());
    return front;
  }
  void take(std::size_t size) { out_ += cut(size); }

  void take_link() {
    const std::string_view tag = rest_.substr(0, std::min(rest_.find('>'), rest_.size() - 1) + 1);
    const std::size_t begin = std::min(tag.find(kAddress), tag.size());
    const std::string_view value = tag.substr(std::min(begin + kAddress.size(), tag.size()));
    const std::string_view address = value.substr(0, value.find('"'));
    const std::optional<std::string> path =
        is_elsewhere(address) ? std::nullopt : path_of(address, directory_);
    if (is_elsewhere(address) || (path.has_value() && has_file_(*path))) return take(tag.size());
    const std::string_view before = tag.substr(0, begin);
    const std::string_view after = value.substr(std::min(address.size() + 1, value.size()));
    cut(tag.size());
    // board.js finds the moves of a game by what else their links have.
    if (before.size() >= kLink.size() || after != ">") {
      out_.append(before).append(after);
      return;
    }
    take(rest_.find(kLinkEnd));
    cut(kLinkEnd.size());
  }

  void leave_out_form() {
    const std::size_t end = rest_.find(kFormEnd);
    cut(end == std::string_view::npos ? end : end + kFormEnd.size());
    if (out_.ends_with(kHeadingEnd)) out_.resize(std::min(out_.rfind(kHeading), out_.size()));
  }

  std::string_view rest_;
  const std::string_view directory_;
  const absl::FunctionRef<bool(std::string_view path)> has_file_;
  std::string out_;
};

}  // namespace

std::string static_page(std::string_view page, std::string_view directory,
                        absl::FunctionRef<bool(std::string_view path)> has_file) {
  return StaticPage(page, directory, has_file).make();
}

}  // namespace scidfs::fs
