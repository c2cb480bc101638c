// Targets of HTTP requests as paths of the tree.
#include "fs/serve/request_target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "tests/support/random_game.h"

namespace scidfs::fs {
namespace {

using namespace std::string_literals;
using testing::ElementsAreArray;
using testing::Pair;

TEST(RequestTargetTest, HasTheNamesOfThePathDecodedOnce) {
  const struct {
    std::string raw;
    std::vector<std::string> names;
    bool is_directory;
    std::string query;
  } cases[] = {
      {"/", {}, true, ""},
      {"/a/b%20c/?x=1", {"a", "b c"}, true, "x=1"},
      {"/a/b", {"a", "b"}, false, ""},
      {"//a///b//", {"a", "b"}, true, ""},
      {"/?", {}, true, ""},
      {"/a?b/../?%00#c", {"a"}, false, "b/../?%00"},
      {"/a#b?c", {"a"}, false, ""},
      {"/%2541", {"%41"}, false, ""},
      {"/%3F%23%3f", {"?#?"}, false, ""},
      {"/a+b;c=d&e", {"a+b;c=d&e"}, false, ""},
      {"/a\\..\\b%5C", {"a\\..\\b\\"}, false, ""},
      {"/.../.a/..a/a..", {"...", ".a", "..a", "a.."}, false, ""},
      // Not UTF-8, and a slash and a dot in more bytes than they have.
      {"/\xFF%fe\xC0\xAF%C0%AE", {"\xFF\xFE\xC0\xAF\xC0\xAE"}, false, ""},
      {"/%0A%7F", {"\n\x7F"}, false, ""},
      {"http://host/a/?b", {"a"}, true, "b"},
      {"HTTPS://[::1]:8080//a", {"a"}, false, ""},
      {"/http://host/", {"http:", "host"}, true, ""},
      {"/" + std::string(255, 'a'), {std::string(255, 'a')}, false, ""},
  };
  for (const auto& one : cases) {
    const absl::StatusOr<RequestTarget> target = parse_target(one.raw);
    ASSERT_TRUE(target.ok()) << one.raw << ": " << target.status();
    EXPECT_THAT(target->names, ElementsAreArray(one.names)) << one.raw;
    EXPECT_EQ(target->is_directory, one.is_directory) << one.raw;
    EXPECT_EQ(target->query, one.query) << one.raw;
  }
}

TEST(RequestTargetTest, RefusesWhatCouldLeadElsewhere) {
  const struct {
    std::string raw;
    std::string reason;
  } cases[] = {
      {"", "begin with a slash"},
      {"*", "begin with a slash"},
      {"a/b", "begin with a slash"},
      {"%2Fa", "begin with a slash"},
      {"\\a", "begin with a slash"},
      {"?/a", "begin with a slash"},
      {"http://host?/a", "begin with a slash"},
      {"ftp://host/a", "begin with a slash"},
      {"/%", "hexadecimal"},
      {"/%4", "hexadecimal"},
      {"/%4/a", "hexadecimal"},
      {"/%4g", "hexadecimal"},
      {"/%-1", "hexadecimal"},
      {"/% 1", "hexadecimal"},
      {"/%u002F", "hexadecimal"},
      {"/a%00", "NUL"},
      {"/a\0b"s, "NUL"},
      {"/a%2Fb", "slash"},
      {"/..%2f", "slash"},
      {"/.", ". and .."},
      {"/a/./b", ". and .."},
      {"/..", ". and .."},
      {"/a/../b", ". and .."},
      {"/%2e", ". and .."},
      {"/.%2E/a", ". and .."},
      {"/%2e%2e/%2e%2e/", ". and .."},
      {"http://host/..", ". and .."},
  };
  for (const auto& [raw, reason] : cases) {
    const absl::Status status = parse_target(raw).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << raw << ": " << status;
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr(reason)) << raw;
  }
}

TEST(RequestTargetTest, RefusesWhatIsTooLong) {
  const std::string longest = "/a?" + std::string(kMostTargetBytes - 3, 'b');
  EXPECT_TRUE(parse_target(longest).ok());
  for (const std::string& raw :
       {longest + 'b', "/" + std::string(256, 'a'), "/" + std::string(1 << 20, '/')}) {
    EXPECT_TRUE(absl::IsOutOfRange(parse_target(raw).status())) << raw.size();
  }
}

TEST(RequestTargetTest, IsParsedAgainFromItsEncodedPath) {
  tests::Random random(51);
  for (int round = 0; round < 20'000; ++round) {
    std::vector<std::string> names(random.below(5));
    for (std::string& name : names) {
      do {
        name.resize(1 + random.below(6));
        for (char& c : name) c = static_cast<char>(random.one_in(4) ? '.' : random.next());
      } while (name == "." || name == ".." || name.find_first_of("/\0"s) != std::string::npos);
    }
    const bool is_directory = names.empty() || random.one_in(2);
    const std::string path = encode_path(names, is_directory);
    const absl::StatusOr<RequestTarget> target = parse_target(path);
    ASSERT_TRUE(target.ok()) << path << ": " << target.status();
    ASSERT_EQ(target->names, names) << path;
    ASSERT_EQ(target->is_directory, is_directory) << path;
    ASSERT_EQ(target->query, "") << path;
  }
}

TEST(RequestTargetTest, ItsEncodedPathHasWhatPathsMayHave) {
  const std::vector<std::string> names = {"Carlsen,M (x)", "50%25", "a?b#c", "\xC3\xA9\\\"<>&'~"};
  EXPECT_EQ(encode_path(names, false), "/Carlsen,M%20(x)/50%2525/a%3Fb%23c/%C3%A9%5C%22%3C%3E&'~");
  EXPECT_EQ(encode_path({}, false), "/");
}

TEST(RequestTargetTest, ParametersAreThoseOfForms) {
  const std::vector<Parameter> parameters =
      parse_parameters("fen=a%2Fb+w&play=e2e4,c7c5&&b%3D=1=2&%zz=%&only&=value&a=%00&a=%e9%");
  EXPECT_THAT(parameters,
              testing::ElementsAre(Pair("fen", "a/b w"), Pair("play", "e2e4,c7c5"),
                                   Pair("b=", "1=2"), Pair("%zz", "%"), Pair("only", ""),
                                   Pair("", "value"), Pair("a", "\0"s), Pair("a", "\xE9%")));
  EXPECT_THAT(parse_parameters(""), testing::IsEmpty());
}

TEST(RequestTargetTest, ParametersAreBounded) {
  std::string query;
  for (std::size_t i = 0; i < 2 * kMostParameters; ++i) query += "&a=" + std::to_string(i);
  const std::vector<Parameter> parameters = parse_parameters(query);
  ASSERT_EQ(parameters.size(), kMostParameters);
  EXPECT_EQ(parameters.back().second, std::to_string(kMostParameters - 1));
}

}  // namespace
}  // namespace scidfs::fs
