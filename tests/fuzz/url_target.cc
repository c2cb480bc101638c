// Requests of HTTP: what their addresses, conditions and ranges lead to.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "codec/number.h"
#include "fs/serve/conditions.h"
#include "fs/serve/http_date.h"
#include "fs/serve/request_target.h"
#include "tests/fuzz/target.h"

namespace scidfs::fuzz {
namespace {

constexpr std::uint64_t kSize = 1000;

// A target and values of headers: the lines of the input.
constexpr std::size_t kLines = 5;
std::array<std::string, kLines> lines_of(std::string_view input) {
  std::array<std::string, kLines> lines;
  for (std::string& line : lines) {
    line = input.substr(0, input.find('\n'));
    input.remove_prefix(std::min(line.size() + 1, input.size()));
  }
  return lines;
}

bool is_safe(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.size() <= 255 &&
         std::ranges::all_of(name, [](char c) { return c != '/' && c != '\0'; });
}

void check_target(const std::string& raw) {
  const absl::StatusOr<fs::RequestTarget> target = fs::parse_target(raw);
  if (!target.ok()) {
    require(absl::IsInvalidArgument(target.status()) || absl::IsOutOfRange(target.status()),
            "a refusal of another kind");
    check_text(std::string(target.status().message()));
    return;
  }
  require(std::ranges::all_of(target->names, is_safe), "a name leads elsewhere");
  const std::string path = fs::encode_path(target->names, target->is_directory);
  require(std::ranges::all_of(path, [](char c) { return c > ' ' && c < 0x7F; }) &&
              path.find_first_of("?#\"<>\\^`{|}") == std::string::npos,
          "a path has what no path may have");
  const absl::StatusOr<fs::RequestTarget> again = fs::parse_target(path);
  // With all its bytes as %XX, a path may be too long.
  require(again.ok() || path.size() > fs::kMostTargetBytes, "a path leads nowhere");
  require(!again.ok() || (again->names == target->names && again->query.empty() &&
                          again->is_directory == target->is_directory),
          "a path leads elsewhere");
  const std::vector<fs::Parameter> parameters = fs::parse_parameters(target->query);
  std::size_t bytes = 0;
  for (const auto& [name, value] : parameters) bytes += name.size() + value.size();
  require(parameters.size() <= fs::kMostParameters && bytes <= target->query.size(),
          "parameters have more than was sent");
}

void check_answer(const fs::Conditions& conditions, std::uint64_t size, bool is_compressed) {
  const fs::Validators validators = {.etag = "\"7\"", .modified = 784'111'777};
  fs::Judged judged = fs::judge(conditions, validators, size, is_compressed);
  require((judged.verdict == fs::Verdict::Ranges) == !judged.ranges.empty(),
          "ranges without an answer, or an answer without ranges");
  require(judged.ranges.empty() || !is_compressed, "a compressed answer has ranges");
  require(judged.ranges.size() <= fs::kMostRanges, "too many ranges");
  std::ranges::sort(judged.ranges, {}, &fs::ByteRange::first);
  std::uint64_t end = 0;
  for (const fs::ByteRange& range : judged.ranges) {
    require(range.size > 0 && range.first >= end, "ranges overlap");
    require(range.first < size && range.size <= size - range.first, "a range ends behind the file");
    end = range.first + range.size;
  }
}

class UrlTarget : public Target {
 public:
  std::string_view name() const override { return "url"; }
  std::size_t most_bytes() const override { return 6000; }

  void check(std::string_view input) const override {
    const auto [target, size, match, since, range] = lines_of(input);
    check_target(target);
    const std::uint64_t bytes = codec::parse_number<std::uint64_t>(size).value_or(kSize);
    for (const fs::Conditions& conditions :
         {fs::Conditions{.range = range}, fs::Conditions{.range = range, .if_range = match},
          fs::Conditions{.range = range, .if_range = since},
          fs::Conditions{.if_match = match, .if_modified_since = since, .range = range},
          fs::Conditions{.if_none_match = match, .if_unmodified_since = since, .range = range}}) {
      check_answer(conditions, bytes, false);
      check_answer(conditions, bytes, true);
    }
    if (const auto date = fs::parse_http_date(since)) {
      require(fs::parse_http_date(fs::http_date(*date)) == date, "a date is another one");
    }
  }

  std::vector<Seed> seeds() const override {
    return {{"plain",
             "/mega.si4/players/ka/Kasparov,G/all.pgn\n1000\n\"7\"\n"
             "Sun, 06 Nov 1994 08:49:37 GMT\nbytes=0-499,-1"},
            {"encoded",
             "/a%20b/%C3%A9/50%2525/?fen=8%2F8+w&play=e2e4,c7c5#x\n0\nW/\"7\", \"8\"\n"
             "Sunday, 06-Nov-94 08:49:37 GMT\nbytes= 1-1 , 3-,"},
            {"absolute",
             "http://host:80//a//?list\n18446744073709551615\n*\n"
             "Sun Nov  6 08:49:37 1994\nbytes=99999999999999999999-"},
            {"traversal", "/a/%2e%2e/..%2f/%00/\\..\\\n\n\"\n\nbytes=2-1"}};
  }

  void mutate(std::string& input, tests::Random& random, PlainMutator plain) const override {
    constexpr std::string_view kPieces[] = {"/",        "//",      ".",
                                            "..",       "%2e",     "%2F",
                                            "%00",      "%",       "%25",
                                            "%ff",      "\\",      "?",
                                            "&",        "=",       "+",
                                            "#",        "\n",      "\"",
                                            "W/",       "*",       ",",
                                            "-",        "0-",      "-0",
                                            " ",        "bytes=",  "0",
                                            "999",      "1-1,",    "%u002f",
                                            ";",        "@",       ":",
                                            "\t",       "GMT",     "60",
                                            "\xC0\xAF", "http://", "18446744073709551616"};
    if (random.one_in(3)) return plain(input, most_bytes());
    const std::string_view piece = kPieces[random.below(std::size(kPieces))];
    input.insert(random.below(input.size() + 1), piece);
    input.resize(std::min(input.size(), most_bytes()));
  }
};

}  // namespace

const Target& url_target() {
  static const UrlTarget kTarget;
  return kTarget;
}

}  // namespace scidfs::fuzz
