#include "fs/pages/static_page.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "fs/pages/html.h"

namespace scidfs::fs {
namespace {

// A page of the directory "a/b/" on a site with these files.
std::string shown(std::string_view page) {
  static const std::set<std::string, std::less<>> kFiles = {
      "index.html", "a/index.html", "a/b/c d.html", "a/b/%41.html", "a/x/index.html"};
  return static_page(page, "a/b/", [](std::string_view path) { return kFiles.contains(path); });
}

TEST(StaticPageTest, LinksToFilesOfTheSiteStay) {
  const Link here;
  for (const Link& link : {here.up(2).page(), here.up(1).page(), here.name("c d.html"),
                           here.name("%41.html"), here.up(1).path("x/index.html"),
                           Link::to_element("m1"), Link::to_site("https://example.org/?a=b&c=d")}) {
    Html html;
    html.add_link(link, "text & more");
    const std::string page = std::move(html).finish();
    EXPECT_EQ(shown(page), page);
  }
}

TEST(StaticPageTest, OtherLinksBecomePlainText) {
  const Link here;
  for (const Link& link :
       {here.up(3).page(), here.up(9).path("index.html"), here.name("c%20d.html"), here.page(),
        here.up(1).path("x/"), here.path("b/index.html"), here.name("a/b/c d.html"), Link()}) {
    Html html;
    html.add("p", "before");
    html.add_link(link, "text & more");
    html.add("p", "after");
    EXPECT_EQ(shown(std::move(html).finish()), "<p>before</p>text &amp; more<p>after</p>")
        << link.text();
  }
}

TEST(StaticPageTest, MovesStayElementsForTheScript) {
  Html html;
  html.add("a", "1.e4", {{"id", "m1"}, {"class", "move"}, Attribute::href(Link().name("none"))});
  html.add("a", "e5", {Attribute::href(Link().name("none")), {"title", "a"}});
  EXPECT_EQ(shown(std::move(html).finish()),
            "<a id=\"m1\" class=\"move\">1.e4</a><a title=\"a\">e5</a>");
}

TEST(StaticPageTest, FormsAreLeftOutWithTheirHeadings) {
  for (const bool has_heading : {true, false}) {
    Html html;
    html.add("h2", "Games");
    html.add("p", "one");
    if (has_heading) html.add("h2", "Search");
    {
      const Html::Scope form = html.in("form", {{"data-search", "search"}});
      html.add("button", "Search");
    }
    html.add("p", "two");
    EXPECT_EQ(shown(std::move(html).finish()), "<h2>Games</h2><p>one</p><p>two</p>");
  }
}

TEST(StaticPageTest, TextsThatAreNoPagesEnd) {
  for (const char* const text :
       {"", "<", "<a ", "<a href=\"", "<a href=\"x", "<a >x", "<form ", "</h2><form >", "a%4",
        "<a href=\"%4\">", "<a href=\"%zz\">", "<a href=\"../../../%2\">x<a "}) {
    EXPECT_LE(shown(text).size(), std::string_view(text).size()) << text;
  }
}

}  // namespace
}  // namespace scidfs::fs
