// Names of directories that are parsed as facets: paths may contain any bytes.
#include <string>

#include "codec/text.h"
#include "fs/base/glob.h"
#include "fs/search/condition.h"
#include "fs/search/facet.h"
#include "fs/search/facet_row.h"
#include "tests/fuzz/target.h"
#include "tests/support/files.h"

namespace scidfs::fuzz {
namespace {

class FacetTarget : public Target {
 public:
  std::string_view name() const override { return "facet"; }
  std::size_t most_bytes() const override { return 1000; }

  void check(std::string_view input) const override {
    const std::string any(input);
    const absl::StatusOr<fs::Facet> facet = fs::parse_facet(any);
    if (facet.ok()) {
      check_canonical(any, *facet);
    } else {
      const std::string reason(facet.status().message());
      require(absl::IsInvalidArgument(facet.status()), "a refusal of another kind");
      require(!reason.empty() && reason.find('\n') == std::string::npos, "a reason is no line");
      require(codec::is_utf8(tests::as_bytes(reason)), "a reason is no UTF-8");
    }
    check_glob(any);
  }

  std::vector<Seed> seeds() const override {
    return {{"player", "player=Carlsen,_M*"},
            {"unknown", "white=_unknown"},
            {"accents", "event=Caf%C3%A9_\xC5\x81\xE9?"},
            {"year", "year=2010..2015"},
            {"date", "date=2010.05..2013.12.31"},
            {"eco", "eco=B90a1..C"},
            {"difference", "elo_difference=-200..-100"},
            {"flag", "flag=W+T+?"},
            {"material", "material=KRP+vKRR"},
            {"text", "text=*zug?zwang*_%25"},
            {"line", "line=e2e4,d5,ed5,Nf6,Bb5+,c6,dc6,0-0"},
            {"played", "played=Bxh7+,Kxh7,..,Ng5,xh7,e8Q,--"},
            {"pieces", "pieces=3Pa-h5-7,_c6,Nd-e5,A1,for4"},
            {"pawns", "white_pawns=8-8-8-8-3P4-4P3-PP3PPP-8"},
            {"nag", "nag=blunder,10..21,6"},
            {"eval", "eval=-1.5..0.30,from2.25,100"},
            {"swing", "not-swing=3..,to-0.5"},
            {"clock", "clock=..10,60"},
            {"tag", "tag=Time_Control,40%2F*,_?"},
            {"annotator", "not-annotator=N\xFCnn,_*"},
            {"reached", "reached=KQ+vKRPP"},
            {"balance", "balance=-3..-1,from2"},
            {"bishops", "bishops=same,opposite"},
            {"castled", "white_castled=no,long,short"},
            {"mate", "not-mate=stalemate,Q,K"},
            {"title", "title=gm,WGM"},
            {"country", "not-white_country=nor,SWE"},
            {"born", "black_born=..1970,from2000"},
            {"part", "not-part=017of64"},
            {"first", "first=020,by=elo"},
            {"last", "last=4294967295,by%3Dplies"},
            {"within", "within=my.pgn,white,to=012"},
            {"sample", "sample=1of2,2of65536"},
            {"negated", "not-opponent=Carlsen*"},
            {"numbers", "not-elo_difference=from100,-50..-10,..-200,7"},
            {"codes", "eco=C42,tob12,B90..B99"},
            {"words", "result=draw,1-0,%310"},
            {"flags", "flag=W+T,B,?"},
            {"dates", "date=2013.5,..2010,2013.05.01..2014"},
            {"none", "colour=x"}};
  }

  void mutate(std::string& input, tests::Random& random, PlainMutator plain) const override {
    constexpr std::string_view kPieces[] = {
        "..",  "*",    "?",    "_",    "%2A",  "%20",         "%C3",  "%A9",    "%CC",
        "%81", "=",    "+",    "K",    "v",    "-",           "2013", "B90",    ".",
        "%",   "/",    "%00",  "\x01", "\x02", "\xCD\x85",    ",",    "e4",     "Nf3",
        "0-0", "not-", "from", "to",   ",7",   ",2010..2012", ",C",   ",by=elo"};
    insert_piece(kPieces, input, random, plain);
  }

 private:
  static void check_canonical(const std::string& input, const fs::Facet& facet) {
    constexpr std::size_t kMostGrowth = 20;
    const std::size_t alternatives = facet.alternatives->size();
    require(alternatives >= 1 && alternatives <= fs::kMostAlternatives,
            "a facet of so many values");
    require(facet.is_negated == input.starts_with("not-"), "a facet is negated, or is not");
    require(facet.canonical.find('/') == std::string::npos, "a canonical form is no component");
    require(facet.canonical.size() <= input.size() * kMostGrowth, "a canonical form is too long");
    require(codec::is_utf8(tests::as_bytes(facet.canonical)), "a canonical form is no UTF-8");
    const absl::StatusOr<fs::Facet> again = fs::parse_facet(facet.canonical);
    require(again.ok(), "a canonical form is refused: " + facet.canonical);
    require(again->has_key_of(facet), "a canonical form has another key");
    require(again->alternatives->size() == alternatives, "a canonical form has other values");
    check_negation(facet);
    require(again->canonical == facet.canonical,
            "a canonical form has another: " + facet.canonical + ", " + again->canonical);
  }

  // A facet can be negated, once, or never.
  static void check_negation(const fs::Facet& facet) {
    const absl::StatusOr<fs::Facet> negated = fs::parse_facet("not-" + facet.canonical);
    const bool takes_not = !facet.is_negated && facet.row->takes_not;
    require(negated.ok() == takes_not, "a facet is negated twice or not at all");
    require(!negated.ok() || negated->canonical == "not-" + facet.canonical,
            "a negated facet has another canonical form");
  }

  // A pattern made from a text matches that text.
  static void check_glob(const std::string& text) {
    const fs::Glob glob(text);
    if (glob.is_too_long()) return;
    std::string itself;
    for (const char c : glob.text()) {
      if (c == '\x01') {
        itself += 'x';
      } else if (c != '\x02') {
        itself += c;
      }
    }
    const fs::GlobMatcher matcher(glob);
    require(matcher.matches(itself), "a pattern does not match itself");
    require(matcher.matches_words(itself), "a pattern does not find itself");
    require(itself.empty() || !glob.is_plain() || !matcher.matches(itself + "x"),
            "a pattern matches more than itself");
  }
};

}  // namespace

const Target& facet_target() {
  static const FacetTarget kTarget;
  return kTarget;
}

}  // namespace scidfs::fuzz
