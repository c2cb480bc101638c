#include "fs/serve/file_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "codec/unicode.h"
#include "fs/serve/conditions.h"
#include "fs/serve/http_date.h"
#include "fs/serve/media_type.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kGzip = "gzip";

// Returns whether a client takes gzip (RFC 9110, section 12.5.3): it names it, without the weight
// 0.
bool takes_gzip(std::string_view accepted) {
  while (!accepted.empty()) {
    const std::size_t end = std::min(accepted.find(','), accepted.size());
    std::string_view one = accepted.substr(0, end);
    accepted.remove_prefix(std::min(end + 1, accepted.size()));
    one.remove_prefix(std::min(one.find_first_not_of(" \t"), one.size()));
    const std::string_view name = one.substr(0, one.find_first_of("; \t"));
    if (!std::ranges::equal(name, kGzip, {}, codec::to_ascii_lower)) continue;
    const std::size_t weight = one.find("q=");
    return weight == std::string_view::npos ||
           one.substr(weight + 2).find_first_of("123456789") != std::string_view::npos;
  }
  return false;
}

// Lets the body consist of these ranges, and adds the fields that say so.
void send_ranges(const std::vector<ByteRange>& ranges, std::uint64_t size, std::string_view type,
                 HttpAnswer& answer, FileBody& body) {
  const auto content_range = [size](const ByteRange& range) {
    return fmt::format("bytes {}-{}/{}", range.first, range.first + range.size - 1, size);
  };
  if (ranges.size() == 1) {
    answer.fields.emplace_back("Content-Type", type);
    answer.fields.emplace_back("Content-Range", content_range(ranges.front()));
    body.parts.push_back({.before = {}, .range = ranges.front()});
    return;
  }
  // Parts have their lengths: it does no harm if a text has the line.
  constexpr std::string_view kBoundary = "scidfs-part-of-a-file";
  for (const ByteRange& range : ranges) {
    body.parts.push_back(
        {.before = fmt::format("\r\n--{}\r\nContent-Type: {}\r\nContent-Range: {}\r\n\r\n",
                               kBoundary, type, content_range(range)),
         .range = range});
  }
  body.after = fmt::format("\r\n--{}--\r\n", kBoundary);
  answer.fields.emplace_back("Content-Type",
                             fmt::format("multipart/byteranges; boundary={}", kBoundary));
}

}  // namespace

std::string etag_of(const Attributes& file) {
  return fmt::format("\"{:x}-{:x}\"", file.inode, file.generation);
}

HttpAnswer answer_of_file(const HttpRequest& request, std::string_view name, const Entry& entry) {
  const Attributes& file = entry.attributes;
  const std::string_view type = media_type(name);
  const bool may_compress = is_worth_compressing(type, file.size);
  // Ranges are of the plain bytes, which the client wants to have.
  const bool compresses = may_compress && !request.is_head() && request.range.empty() &&
                          takes_gzip(request.accept_encoding);
  Validators validators = {.etag = etag_of(file), .modified = file.mtime.seconds};
  if (compresses) validators.etag.insert(validators.etag.size() - 1, "-gz");
  const Judged judged = judge({.if_match = request.if_match,
                               .if_none_match = request.if_none_match,
                               .if_modified_since = request.if_modified_since,
                               .if_unmodified_since = request.if_unmodified_since,
                               .range = request.is_head() ? std::string_view() : request.range,
                               .if_range = request.if_range},
                              validators, file.size, compresses);
  HttpAnswer answer{.status = 200,
                    .fields = {{"ETag", validators.etag},
                               {"Last-Modified", http_date(validators.modified)},
                               {"Cache-Control", "no-cache"}},
                    .body = {},
                    .kind = AnswerKind::File};
  if (may_compress) answer.fields.emplace_back("Vary", "Accept-Encoding");
  if (!compresses) answer.fields.emplace_back("Accept-Ranges", "bytes");
  FileBody body{.inode = file.inode, .is_compressed = compresses};
  const auto send_whole = [&body, &file] {
    if (file.size > 0) body.parts.push_back({.before = {}, .range = {.size = file.size}});
  };
  switch (judged.verdict) {
    case Verdict::NotModified:
      answer.status = 304;
      // Of the body its length alone is sent (RFC 9110, section 8.6), and if that is not known, 0:
      // libmicrohttpd has no other way.
      if (compresses) return answer;
      send_whole();
      break;
    case Verdict::PreconditionFailed:
      answer.status = 412;
      return answer;
    case Verdict::Unsatisfiable:
      answer.status = 416;
      answer.fields.emplace_back("Content-Range", fmt::format("bytes */{}", file.size));
      return answer;
    case Verdict::Ranges:
      answer.status = 206;
      send_ranges(judged.ranges, file.size, type, answer, body);
      break;
    case Verdict::Whole:
      answer.fields.emplace_back("Content-Type", type);
      if (compresses) answer.fields.emplace_back("Content-Encoding", kGzip);
      send_whole();
      break;
  }
  answer.body = std::move(body);
  return answer;
}

}  // namespace scidfs::fs
