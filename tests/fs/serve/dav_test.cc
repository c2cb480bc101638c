// What WebDAV's PROPFIND says.
#include "fs/serve/dav.h"

#include <gmock/gmock.h>

namespace scidfs::fs {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Attributes file() {
  return {.inode = 0x12,
          .generation = 3,
          .is_directory = false,
          .size = 77,
          .mtime = {.seconds = 784'111'777}};
}
Attributes directory() {
  Attributes attributes = file();
  attributes.is_directory = true;
  return attributes;
}

std::string answer(std::string_view body, const Attributes& attributes) {
  const absl::StatusOr<DavQuestion> question = parse_propfind(body);
  EXPECT_TRUE(question.ok()) << question.status();
  if (!question.ok()) return {};
  Multistatus found(*question);
  found.add("/a%26b/x%3C.pgn", "x<.pgn", attributes);
  return found.take_text();
}

TEST(DavTest, TellsAllOfAFile) {
  const std::string expected =
      "<?xml version=\"1.0\"?><D:multistatus xmlns:D=\"DAV:\"><D:response>"
      "<D:href>/a%26b/x%3C.pgn</D:href><D:propstat><D:prop><D:resourcetype/>"
      "<D:displayname>x&lt;.pgn</D:displayname>"
      "<D:getlastmodified>Sun, 06 Nov 1994 08:49:37 GMT</D:getlastmodified>"
      "<D:creationdate>1994-11-06T08:49:37Z</D:creationdate><D:getetag>\"12-3\"</D:getetag>"
      "<D:getcontentlength>77</D:getcontentlength>"
      "<D:getcontenttype>application/vnd.chess-pgn; charset=utf-8</D:getcontenttype></D:prop>"
      "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>";
  std::string found = answer("", file());
  for (std::size_t at; (at = found.find(" />")) != std::string::npos;) found.erase(at, 1);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(answer("<propfind xmlns='DAV:'><allprop/></propfind>", file()), answer("", file()));
}

TEST(DavTest, TellsThatADirectoryIsOne) {
  EXPECT_THAT(answer("", directory()),
              AllOf(HasSubstr("<D:resourcetype><D:collection"), Not(HasSubstr("getetag")),
                    Not(HasSubstr("getcontentlength"))));
}

TEST(DavTest, TellsWhatIsAskedForAndWhatThereIsNot) {
  const std::string found = answer(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?><a:propfind xmlns:a=\"DAV:\" xmlns:b=\"urn:b\">"
      "<a:prop><a:getcontentlength/><b:color/><a:quota-used-bytes/></a:prop></a:propfind>",
      file());
  EXPECT_THAT(found, HasSubstr("<D:prop><D:getcontentlength>77</D:getcontentlength></D:prop>"
                               "<D:status>HTTP/1.1 200 OK</D:status>"));
  EXPECT_THAT(found, HasSubstr("<x:color xmlns:x=\"urn:b\""));
  EXPECT_THAT(found, HasSubstr("<x:quota-used-bytes xmlns:x=\"DAV:\""));
  EXPECT_THAT(found, HasSubstr("<D:status>HTTP/1.1 404 Not Found</D:status>"));
}

TEST(DavTest, TellsNames) {
  const std::string found = answer("<propfind xmlns='DAV:'><propname/></propfind>", file());
  EXPECT_THAT(found, AllOf(HasSubstr("<D:getcontentlength"), Not(HasSubstr("77"))));
}

TEST(DavTest, WritesNamesThatOthersCanRead) {
  EXPECT_THAT(answer("<propfind xmlns='DAV:'><prop><y xmlns=''/></prop></propfind>", file()),
              HasSubstr("<y xmlns=\"\""));
}

// Each property stands in the answer for each entry.
TEST(DavTest, AnswersAreBounded) {
  std::string body = "<propfind xmlns='DAV:' xmlns:n='" + std::string(200, '"') + "'><prop>";
  for (int i = 0; i < 50; ++i) body += "<n:a/>";
  body += "</prop></propfind>";
  const absl::StatusOr<DavQuestion> question = parse_propfind(body);
  ASSERT_TRUE(question.ok()) << question.status();
  Multistatus found(*question);
  int entries = 0;
  while (found.add("/x", "x", file())) ++entries;
  EXPECT_GT(entries, 500);
  EXPECT_LT(found.take_text().size(), Multistatus::kMostBytes + 200'000);
}

TEST(DavTest, RefusesWhatIsNoQuestion) {
  std::string many = "<propfind xmlns='DAV:'><prop>";
  for (int i = 0; i < 101; ++i) many += "<p/>";
  many += "</prop></propfind>";
  const std::string long_space =
      "<propfind xmlns='DAV:'><prop><a xmlns='" + std::string(201, 'x') + "'/></prop></propfind>";
  for (const std::string body :
       {"x", "<propfind/>", long_space.c_str(),
        "<propfind xmlns='DAV:'><prop><a xmlns='x&#1;'/></prop></propfind>",
        "<propfind xmlns='DAV:'><prop><\xff\xfe/></prop></propfind>", "<propfind xmlns='DAV:'>",
        "<prop xmlns='DAV:'/>", many.c_str()}) {
    EXPECT_TRUE(absl::IsInvalidArgument(parse_propfind(body).status())) << body;
  }
}

}  // namespace
}  // namespace scidfs::fs
