#include "codec/epd.h"

#include <fmt/format.h>

#include "codec/write.h"

namespace scidfs::codec {
namespace {

constexpr std::string_view kId = " id \"";
constexpr std::string_view kResult = "\"; c0 \"";
constexpr std::string_view kRemark = "; c1 \"";
constexpr char kQuote = '"';

std::size_t digits_of(std::uint32_t number) {
  std::size_t digits = 1;
  for (; number >= 10; number /= 10) ++digits;
  return digits;
}

}  // namespace

void EpdWriter::begin(std::uint32_t game, std::uint32_t ply, const Position& position, char* out,
                      std::string_view id_prefix) {
  id_ = fmt::format("{}{}{}.", kId, id_prefix, game);
  ply_ = ply;
  fields_.begin(position);
  out_ = fields_.write(position, out);
}

void EpdWriter::put(std::string_view text) { out_ = write_text(text, out_); }

void EpdWriter::put_id() {
  put(id_);
  out_ = write_number(++ply_, out_);
}

char* EpdWriter::end(Result result, std::string_view remark) {
  put_id();
  put(kResult);
  put(result_token(result));
  *out_++ = kQuote;
  if (!remark.empty()) {
    put(kRemark);
    put(remark);
    *out_++ = kQuote;
  }
  put(internal::kEpdEnd);
  return out_;
}

void EpdMeter::begin(std::uint32_t game, const Position& start) {
  line_ =
      kId.size() + digits_of(game) + 1 + 1 + internal::kEpdMove.size() + internal::kEpdEnd.size();
  length_ = start.epd_fields_length();
}

std::size_t EpdMeter::end(Result result, std::string_view remark) const {
  const std::size_t last = line_ - internal::kEpdMove.size() + kResult.size() +
                           result_token(result).size() + sizeof kQuote;
  return length_ + last + (remark.empty() ? 0 : kRemark.size() + remark.size() + sizeof kQuote);
}

}  // namespace scidfs::codec
