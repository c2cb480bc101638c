#include "fs/pages/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "fs/pages/game_moves.h"

namespace scidfs::fs {
namespace {

std::string text_of(std::string_view text) {
  Html html;
  html.add("p", text, {{"title", text}});
  return std::move(html).finish();
}

TEST(HtmlTest, EscapesTextAndAttributes) {
  EXPECT_EQ(text_of("a<b>&\"'"),
            "<p title=\"a&lt;b&gt;&amp;&quot;&#39;\">a&lt;b&gt;&amp;&quot;&#39;</p>");
  EXPECT_EQ(text_of("é\n\t♔"), "<p title=\"é\n\t♔\">é\n\t♔</p>");
}

TEST(HtmlTest, ReplacesCharactersThatHtmlForbids) {
  struct Case {
    std::string_view text, shown;
  };
  const Case cases[] = {
      {"\x01", " "},
      {"\x1b[2J", " [2J"},
      {"\x7f", " "},
      {"\xC2\x85", "\uFFFD"},
      {"\xEF\xB7\x90", "\uFFFD"},      // U+FDD0
      {"\xEF\xBF\xBF", "\uFFFD"},      // U+FFFF
      {"\xF0\x9F\xBF\xBE", "\uFFFD"},  // U+1FFFE
      {"\xEE\x80\x80", "\uE000"},      // for private use: allowed
  };
  for (const auto& [text, shown] : cases) {
    Html html;
    html.add_text(text);
    EXPECT_EQ(std::move(html).finish(), shown) << text;
  }
}

TEST(HtmlTest, ElementsEndInReverseOrder) {
  Html html;
  {
    const Html::Scope list = html.in("ul");
    const Html::Scope item = html.in("li", {{"class", "x"}});
    html.add_empty("img", {Attribute::src(Link().name("a b.svg")), {"alt", "x"}});
  }
  EXPECT_EQ(std::move(html).finish(),
            "<ul><li class=\"x\"><img src=\"a%20b.svg\" alt=\"x\"></li>\n</ul>\n");
}

TEST(LinkTest, EncodesNamesOfPaths) {
  struct Case {
    Link link;
    std::string_view text;
  };
  const Case cases[] = {
      {Link().name("index.html"), "index.html"},
      {Link().up(2).page(), "../../index.html"},
      {Link().up(1).path("players/ca/Carlsen,M").page(), "../players/ca/Carlsen,M/index.html"},
      {Link().name("100%25.pgn"), "100%2525.pgn"},
      {Link().name("a:b?c#d\"e"), "a%3Ab%3Fc%23d%22e"},
      {Link().name("Ős"), "%C5%90s"},
      {Link().name("x/y"), "x%2Fy"},
      {Link::to_element("m12"), "#m12"},
      {Link::to_site("https://a.org/b?c=1&d=2#e"), "https://a.org/b?c=1&d=2#e"},
      {Link::to_site("https://a.org/\"><script>"), "https://a.org/%22%3E%3Cscript%3E"},
      {Link::to_site("javascript:alert(1)"), ""},
      {Link::to_site("ftp://a.org"), ""},
  };
  for (const auto& [link, text] : cases) EXPECT_EQ(link.text(), text);
}

TEST(LinkTest, AmpersandsAreEscapedInAttributes) {
  Html html;
  html.add_link(Link::to_site("https://a.org/?b&c"), "x");
  EXPECT_EQ(std::move(html).finish(), "<a href=\"https://a.org/?b&amp;c\">x</a>");
}

TEST(NagTest, FrequentNagsHaveSigns) {
  EXPECT_EQ(nag_sign(1), "!");
  EXPECT_EQ(nag_sign(18), "+−");
  EXPECT_EQ(nag_sign(250), "$250");
}

}  // namespace
}  // namespace scidfs::fs
