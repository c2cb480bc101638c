#include "fs/search/facet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/scid/spelling_file.h"
#include "fs/search/condition.h"
#include "fs/search/search.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

using testing::HasSubstr;

std::string canonical_form(std::string_view name) {
  const absl::StatusOr<Facet> facet = parse_facet(name);
  if (!facet.ok()) return "refused: " + std::string(facet.status().message());
  EXPECT_FALSE(facet->alternatives->empty());
  EXPECT_EQ(facet->is_negated, name.starts_with("not-")) << name;
  return facet->canonical;
}

std::string refusal(std::string_view name) {
  const absl::StatusOr<Facet> facet = parse_facet(name);
  EXPECT_TRUE(absl::IsInvalidArgument(facet.status())) << name;
  return std::string(facet.status().message());
}

TEST(FacetTest, EquivalentFacetsHaveOneCanonicalForm) {
  const std::vector<std::pair<std::string_view, std::string_view>> examples = {
      {"player=CARLSEN*", "player=carlsen*"},
      {"player=Carlsen,_M", "player=carlsen,_m"},
      {"player=carlsen,%20m", "player=carlsen,_m"},
      {"player=Caf%C3%A9", "player=cafe"},
      {"player=Caf%E9", "player=cafe"},
      {"player=STRASSE", "player=strasse"},
      {"player=stra%C3%9Fe", "player=strasse"},
      {"player=a*?*?b", "player=a??*b"},
      {"player=_unknown", "player=_unknown"},
      {"player=%20unknown", "player=%20unknown"},
      {"player=_Unknown", "player=%20unknown"},
      {"player=%5funknown", "player=%20unknown"},
      {"player=%2A%2a%3F", "player=%2A%2A%3F"},
      {"player=a%2fb", "player=a%2Fb"},
      {"player=a%07b", "player=a_b"},
      {"player=CARLSEN~2", "player=carlsen~2"},
      {"player=_unknown~3", "player=_unknown~3"},
      {"player=a%7E2", "player=a%7E2"},
      {"player=a~b", "player=a%7Eb"},
      {"event=a%7E2", "event=a%7E2"},
      {"event=M=N", "event=m=n"},
      {"year=2013", "year=2013"},
      {"year=02013", "year=2013"},
      {"year=2013..2013", "year=2013"},
      {"year=1..2013", "year=..2013"},
      {"year=2010..", "year=2010.."},
      {"year=..", "year=.."},
      {"year=1..", "year=.."},
      {"month=04..6", "month=4..6"},
      {"elo_difference=-200..-100", "elo_difference=-200..-100"},
      {"elo_difference=-0", "elo_difference=0"},
      {"elo_difference=..", "elo_difference=.."},
      {"plies=0..40", "plies=..40"},
      {"plies=0", "plies=0"},
      {"number=4294967295", "number=4294967295"},
      {"date=2013", "date=2013"},
      {"date=2013.5.7", "date=2013.05.07"},
      {"date=2010.05..2013", "date=2010.05..2013"},
      {"date=2013..2013", "date=2013"},
      {"date=..2013.05", "date=..2013.05"},
      {"date=2013.05..2013", "date=2013.05..2013"},
      {"eco=b90", "eco=B90"},
      {"eco=B%39%30", "eco=B90"},
      {"eco=B90..B99", "eco=B9"},
      {"eco=A..C", "eco=A..C"},
      {"eco=A00..C99", "eco=A..C"},
      {"eco=..", "eco=.."},
      {"eco=A..E", "eco=.."},
      {"eco=B90A1", "eco=B90a1"},
      {"eco=b90a..b90z", "eco=B90a..B90"},
      {"flag=T+W+t", "flag=W+T"},
      {"flag=?+!", "flag=!+?"},
      {"material=krpVkr", "material=KRPvKR"},
      {"material=KRvKRP", "material=KRPvKR"},
      {"material=KPRvKR", "material=KRPvKR"},
      {"material=KR+RvK", "material=KRR+vK"},
      {"material=KRRR+vK", "material=KRRRvK"},
      {"material=KPPP+vKP", "material=KPPP+vKP"},
      {"text=__Zug__zwang_", "text=zug_zwang"},
      {"text=**", "text=*"},
      {"text=a%7D", "text=a)"},
      {"line=e4,c5,Nf3", "line=e4,c5,Nf3"},
      {"line=e2e4,c7-c5!?,Ng1f3", "line=e4,c5,Nf3"},
      {"line=e4%2Cc5", "line=e4,c5"},
      {"line=f4,e5,g3,exf4,gf4,Qh4#", "line=f4,e5,g3,exf4,gxf4,Qh4"},
      {"line=e4,e5,Nf3,Nc6,Bc4,Bc5,0-0", "line=e4,e5,Nf3,Nc6,Bc4,Bc5,O-O"},
      {"line=a4,b5,ab5,a6,ba6,Nc6,a7,Rb8,a8N", "line=a4,b5,axb5,a6,bxa6,Nc6,a7,Rb8,a8=N"},
      {"line=e4,--", "line=e4,--"},
      {"played=Bxh7+,Kxh7,Ng5+", "played=Bxh7,Kxh7,Ng5"},
      {"played=0-0,..,0-0-0", "played=O-O,..,O-O-O"},
      {"played=e8Q#,xh7,--,Nb1d2", "played=e8=Q,xh7,--,Nb1d2"},
      {"pieces=pe6,_c6,Nd5,Nd5", "pieces=Nd5,_c6,pe6"},
      {"pieces=1Nd-d5-5", "pieces=Nd5"},
      {"pieces=3Pa-h5-7,aa1,for1", "pieces=3Pa-h5-7,aa1"},
      {"pieces=Kg1,for04", "pieces=Kg1,for4"},
      {"pawns=8/pp3ppp/8/8/8/8/PP3PPP/8", "pawns=8-pp3ppp-8-8-8-8-PP3PPP-8"},
      {"pawns=8-pp12ppp-44-8-8-8-8-8", "pawns=8-pp3ppp-8-8-8-8-8-8"},
      {"white_pawns=8-8-8-8-8-8-PP6-8", "white_pawns=8-8-8-8-8-8-PP6-8"},
      {"not-pieces=Nd5", "not-pieces=Nd5"},
      {"nag=blunder", "nag=4"},
      {"nag=04", "nag=4"},
      {"nag=1..255", "nag=.."},
      {"nag=255", "nag=255.."},
      {"nag=good", "nag=1"},
      {"nag=mistake", "nag=2"},
      {"nag=brilliant", "nag=3"},
      {"nag=interesting", "nag=5"},
      {"nag=dubious", "nag=6"},
      {"eval=-1.50..00.3", "eval=-1.5..0.3"},
      {"eval=-0.0", "eval=0"},
      {"eval=-0.05", "eval=-0.05"},
      {"eval=0.05..", "eval=0.05.."},
      {"eval=2.0..", "eval=2.."},
      {"eval=from1.5", "eval=1.5.."},
      {"eval=to-2", "eval=..-2"},
      {"eval=-100..100.00", "eval=.."},
      {"eval=100", "eval=100.."},
      {"eval=10", "eval=10"},
      {"swing=3..200", "swing=3.."},
      {"swing=-200..-0.25", "swing=..-0.25"},
      {"not-swing=150.25", "not-swing=150.25"},
      {"clock=0..10", "clock=..10"},
      {"clock=9999999", "clock=9999999.."},
      {"tag=Annotator,NUNN*", "tag=Annotator,nunn*"},
      {"tag=Time_Control,40%2F7200,_x", "tag=Time_Control,40%2F7200,_x"},
      {"tag=annotator,_unknown", "tag=annotator,_unknown"},
      {"tag=X,a%7E2", "tag=X,a%7E2"},
      {"tag=X,,", "tag=X,,"},
      {"annotator=N%C3%BCnn", "tag=Annotator,nunn"},
      {"not-annotator=_unknown", "not-tag=Annotator,_unknown"},
      {"time_control=40%2f*", "tag=TimeControl,40%2F*"},
      {"reached=krpVkr", "reached=KRPvKR"},
      {"reached=KvKQ+", "reached=KQ+vK"},
      {"balance=03", "balance=3"},
      {"balance=-135..-3", "balance=..-3"},
      {"balance=from3", "balance=3.."},
      {"balance=to-2", "balance=..-2"},
      {"not-player=CARLSEN*", "not-player=carlsen*"},
      {"not-white_elo=02700..", "not-white_elo=2700.."},
      {"not-line=e2e4", "not-line=e4"},
      {"year=from2010", "year=2010.."},
      {"year=to2015", "year=..2015"},
      {"year=from1", "year=.."},
      {"elo_difference=from-200", "elo_difference=-200.."},
      {"elo_difference=to-100", "elo_difference=..-100"},
      {"date=from2013.5", "date=2013.05.."},
      {"date=to2013.05.17", "date=..2013.05.17"},
      {"eco=fromb90", "eco=B9..E"},
      {"eco=tob99", "eco=A..B"},
      {"number=%66rom7", "number=7.."},
      {"part=017of64", "part=17of64"},
      {"not-part=1of65536", "not-part=1of65536"},
      {"sample=3of20", "sample=3of20"},
      {"sample_exact=03of020", "sample_exact=3of20"},
      {"title=wgm", "title=WGM"},
      {"not-white_country=nOr", "not-white_country=NOR"},
      {"born=1..2000", "born=..2000"},
      {"black_fide=01503014", "black_fide=1503014"},
      {"first=020,by=elo", "first=20,by=elo"},
      {"last=4294967295", "last=4294967295"},
      {"within=my_own.pgn,white", "within=my_own.pgn,white,to=4"},
      {"within=a%2Fmy.pgn,to=012", "within=a%2Fmy.pgn,to=12"},
      {"within=a,b,black,to=0", "within=a,b,black,to=0"},
  };
  for (const auto& [name, expected] : examples) {
    EXPECT_EQ(canonical_form(name), expected) << name;
    EXPECT_EQ(canonical_form(expected), expected) << name;
  }
  for (const std::string& same : tests::words(
           "result=1-0 result=0-1 result=draw result=unknown annotated=comments "
           "annotated=variations annotated=nags annotated=any annotated=no start=standard "
           "start=fen start=chess960 balance=-1..1 bishops=opposite bishops=same "
           "white_castled=short white_castled=long white_castled=no black_castled=short "
           "castled=opposite castled=same mate=Q mate=stalemate not-mate=P white_elo=2700.. "
           "black_elo=..2400 elo=2500..2599 white=a black=a opponent=a site=a round=1")) {
    EXPECT_EQ(canonical_form(same), same);
  }
}

TEST(FacetTest, ListsHaveOneCanonicalForm) {
  const std::vector<std::pair<std::string_view, std::string_view>> examples = {
      {"year=2001,1990..1995", "year=1990..1995,2001"},
      {"year=1990,1992,1991", "year=1990..1992"},
      {"year=1990..1999,1995", "year=1990..1999"},
      {"year=1995..2001,1990..1999", "year=1990..2001"},
      {"year=2001,2001", "year=2001"},
      {"year=2001%2C1999", "year=1999,2001"},
      {"year=1990..,2001", "year=1990.."},
      {"year=2000,..1990,from1980", "year=.."},
      {"year=1990..,1980", "year=1980,1990.."},
      {"month=12,1..12", "month=..12"},
      {"elo=2700..2799,2500", "elo=2500,2700..2799"},
      {"elo_difference=1..,-5..-1", "elo_difference=-5..-1,1.."},
      {"elo_difference=1..,-5..0", "elo_difference=-5.."},
      {"plies=41..,0", "plies=0,41.."},
      {"number=4294967295,4294967294,1", "number=1,4294967294..4294967295"},
      {"nag=dubious,4,mistake", "nag=2,4,6"},
      {"nag=good,2", "nag=..2"},
      {"eval=1..2,-0.5", "eval=-0.5,1..2"},
      {"eval=1..2,2.01..3", "eval=1..3"},
      {"eval=1..2,2.02..3", "eval=1..2,2.02..3"},
      {"eval=100,..-100", "eval=-100,100.."},
      {"clock=to5,60", "clock=..5,60"},
      {"eco=C42,b90", "eco=B90,C42"},
      {"eco=B91,B90", "eco=B9..B91"},
      {"eco=B92,B91", "eco=B91..B92"},
      {"eco=B5..B9,B0..B4", "eco=B"},
      {"eco=E,B,A,C,D", "eco=.."},
      {"eco=B90b,B90", "eco=B90"},
      {"date=2013.5,2012", "date=2012,2013.05"},
      {"date=2013.05,2013.5", "date=2013.05"},
      {"result=draw,1-0,draw", "result=1-0,draw"},
      {"flag=T+W,b", "flag=B,W+T"},
      {"annotated=variations,comments", "annotated=comments,variations"},
      {"start=standard,fen", "start=fen,standard"},
      {"material=KRvKQ,KPvK", "material=KPvK,KRvKQ"},
      {"reached=KvKP,KPvK", "reached=KPvK"},
      {"balance=3,-2..-1,to-1,4,3", "balance=-2..-1,..-1,3,4"},
      {"bishops=same,opposite,same", "bishops=opposite,same"},
      {"white_castled=short,no,long", "white_castled=long,no,short"},
      {"castled=same,same", "castled=same"},
      {"mate=stalemate,R,Q,R", "mate=Q,R,stalemate"},
      {"not-eco=c42,B90", "not-eco=B90,C42"},
      {"title=WGM,gm,wgm", "title=GM,WGM"},
      {"white_country=swe,NOR,Swe", "white_country=NOR,SWE"},
      {"black_born=2000..,1990..1999", "black_born=1990.."},
      {"fide=1503014,7,8", "fide=7..8,1503014"},
      // Commas of names, words and lines.
      {"player=b,a", "player=b,a"},
      {"not-player=b,a", "not-player=b,a"},
      {"event=,", "event=,"},
      {"text=b,a", "text=b,a"},
      {"opening=b,a", "opening=b,a"},
      {"line=d4,d5", "line=d4,d5"},
      {"sample=2of3,1of3,2of3", "sample=1of3,2of3"},
  };
  for (const auto& [name, expected] : examples) {
    EXPECT_EQ(canonical_form(name), expected) << name;
    EXPECT_EQ(canonical_form(expected), expected) << name;
  }
  EXPECT_EQ(parse_facet("year=2001,1990..1995")->alternatives->size(), 2U);
  EXPECT_EQ(parse_facet("year=1990,1992,1991")->alternatives->size(), 1U);
  EXPECT_EQ(parse_facet("player=b,a")->alternatives->size(), 1U);
}

TEST(FacetTest, RefusesInvalidNamesWithReason) {
  EXPECT_THAT(refusal("colour=white"),
              HasSubstr("unknown key `colour`; valid keys: player, white, black, opponent"));
  EXPECT_THAT(refusal("=x"), HasSubstr("unknown key ``"));
  EXPECT_THAT(refusal("Player=x"), HasSubstr("unknown key `Player`"));
  EXPECT_THAT(refusal("x\n\xFF=1"), HasSubstr("unknown key `x ÿ`"));
  EXPECT_THAT(refusal("not-colour=x"),
              HasSubstr("unknown key `colour` after `not-`; valid keys: "));
  EXPECT_THAT(refusal("not-not-year=1"), HasSubstr("unknown key `not-year` after `not-`"));
  EXPECT_THAT(refusal("Not-year=1"), HasSubstr("unknown key `Not-year`; valid keys: "));
  EXPECT_THAT(refusal("player"), HasSubstr("a key, `=` and a value"));
  EXPECT_EQ(refusal("month=13"), "month requires a number from 1 to 12 or a range such as 4..6");
  EXPECT_EQ(refusal("year=2015..2010"), "the range of year ends before it begins");
  EXPECT_EQ(refusal("date=2013.05..2013.04"), "the range of date ends before it begins");
  EXPECT_EQ(refusal("eco=C..B"), "the range of eco ends before it begins");
  EXPECT_EQ(refusal("not-first=20"), "first takes no `not-`");
  EXPECT_EQ(refusal("not-month=13"),
            "month requires a number from 1 to 12 or a range such as 4..6");
  EXPECT_EQ(refusal("year=2010,20x"),
            "year requires a number from 1 to 9999 or a range such as 2010..2015: 20x is none");
  EXPECT_EQ(refusal("result=1-0,\xFF\ny"),
            "result requires 1-0, 0-1, draw or unknown: \xC3\xBF y is none");
  EXPECT_EQ(refusal("year=2016,2015..2010"), "the range of year ends before it begins");
  for (const std::string_view name : {"eco=B90,", "eco=,B90", "eco=B90,,C42", "eco=,"}) {
    EXPECT_EQ(refusal(name), "an alternative of eco is missing before or after a comma") << name;
  }
  EXPECT_THAT(refusal("player=50%"), HasSubstr("% must be followed by two hexadecimal digits"));
  EXPECT_THAT(refusal("year=%2"), HasSubstr("% must be followed by two hexadecimal digits"));
  EXPECT_EQ(
      refusal("line=e4,c5,Nf9,d6"),
      "line requires moves with commas between them such as e4,c5,Nf3: the 3rd move of the line, "
      "Nf9, is none");
  EXPECT_THAT(refusal("line="), HasSubstr(": the 1st move of the line is missing"));
  EXPECT_THAT(refusal("line=e4,"), HasSubstr(": the 2nd move of the line is missing"));
  EXPECT_THAT(refusal("line=e4,e4"), HasSubstr(": the 2nd move of the line, e4, is none"));
  EXPECT_THAT(refusal("line=a3,a6,b3,b6,c3,c6,d3,d6,e3,e6,f9"),
              HasSubstr(": the 11th move of the line, f9, is none"));
  EXPECT_THAT(refusal("line=x\n\xFFy"), HasSubstr(": the 1st move of the line, x ÿy, is none"));
  EXPECT_THAT(refusal("played=e4,xx"), HasSubstr("such as Bxh7,Kxh7,Ng5: `xx` is no move"));
  EXPECT_THAT(refusal("played=e4,.."), HasSubstr(": `..` stands between two moves"));
  EXPECT_THAT(refusal("played=..,e4"), HasSubstr(": `..` stands between two moves"));
  EXPECT_THAT(refusal("played=e4,..,..,e5"), HasSubstr(": `..` stands between two moves"));
  EXPECT_THAT(refusal("pieces=Nd5,Xe4"), HasSubstr(": `Xe4` has no letter of a man"));
  EXPECT_THAT(refusal("pieces=d5"), HasSubstr(": `d5` has no letter of a man"));
  EXPECT_THAT(refusal("pieces=Nd"), HasSubstr(": `Nd` has no rank, 1 to 8"));
  EXPECT_THAT(refusal("pieces=Ne-d5"), HasSubstr(": `Ne-d5` has no file, a to h"));
  EXPECT_THAT(refusal("pieces=Nd55"), HasSubstr(": `Nd55` goes on after its squares"));
  EXPECT_THAT(refusal("pieces=0Nd5"), HasSubstr(": `0Nd5` begins with a bad number"));
  EXPECT_THAT(refusal("pieces=3Nd4-5"), HasSubstr(": `3Nd4-5` has fewer squares"));
  EXPECT_THAT(refusal("pieces=for4"), HasSubstr(": `for4` has no letter of a man"));
  EXPECT_THAT(refusal("pieces=Nd5,for0"), HasSubstr(": `for0` has no letter of a man"));
  EXPECT_THAT(refusal("pawns=8-8"), HasSubstr(": a board has eight ranks"));
  EXPECT_THAT(refusal("pawns=8-8-8-8-8-8-8-8-8"), HasSubstr(": a board has eight ranks"));
  EXPECT_THAT(refusal("pawns=8-9-8-8-8-8-8-8"), HasSubstr(": rank 7 is not eight squares"));
  EXPECT_THAT(refusal("pawns=8-N7-8-8-8-8-8-8"), HasSubstr(": rank 7 is not eight squares"));
  EXPECT_THAT(refusal("black_pawns=8-p7-8-8-8-8-P7-8"), HasSubstr(": the board has pawns of the"));
  EXPECT_EQ(refusal("part=17"),
            "part requires a number, `of` and a number of parts such as 17of64: a part is a "
            "number, `of` and the number of parts");
  EXPECT_THAT(refusal("part=17of65537"), HasSubstr(": a set has 1 to 65536 parts"));
  EXPECT_THAT(refusal("part=5of4"), HasSubstr(": parts have the numbers 1 to 4"));
  EXPECT_THAT(refusal("part=1of4,2of4"), HasSubstr(": a set has 1 to 65536 parts"));
  EXPECT_THAT(refusal("sample=0of4"), HasSubstr("sample requires a number, `of` and"));
  EXPECT_EQ(refusal("black_title=GM,XM"),
            "black_title requires GM, WGM, IM, WIM, FM, WFM, CM, WCM, HGM, CGM, CLG, CIM, CLM or "
            "CSM: XM is none");
  for (unsigned title = 0; title < codec::scid::kTitles; ++title) {
    EXPECT_THAT(refusal("title="), HasSubstr(codec::scid::titles_to_string(1U << title)));
  }
  EXPECT_EQ(refusal("country=UK"), "country requires three letters of a country such as NOR");
  EXPECT_EQ(refusal("born=2000..1990"), "the range of born ends before it begins");
  EXPECT_EQ(refusal("fide=0"),
            "fide requires a number from 1 to 4294967295 or a range such as 1500000..1599999");
  EXPECT_EQ(refusal("nag=0"),
            "nag requires a number from 1 to 255, a range such as 10..21, or good, mistake, "
            "brilliant, blunder, interesting or dubious");
  EXPECT_EQ(refusal("eval=1.234"),
            "eval requires pawns from -100 to 100 or a range such as -0.3..0.3");
  EXPECT_EQ(refusal("eval=1.5..-1.5"), "the range of eval ends before it begins");
  EXPECT_EQ(refusal("swing=201"), "swing requires pawns from -200 to 200 or a range such as 3..");
  EXPECT_EQ(refusal("clock=1:30"),
            "clock requires seconds from 0 to 9999999 or a range such as ..10");
  EXPECT_EQ(refusal("tag=Annotator"),
            "tag requires the name of a tag, a comma, and a pattern as for names such as "
            "Annotator,Nunn*: a comma follows the name of the tag");
  EXPECT_THAT(refusal("tag=a\n%20,x"), HasSubstr(": `a %20` is no name of a tag"));
  EXPECT_THAT(refusal("tag=_x,y"), HasSubstr(": `_x` is no name of a tag"));
  EXPECT_THAT(refusal("tag=X,"), HasSubstr(": `` is no pattern of a value"));
  EXPECT_THAT(refusal("tag=X,a~2"), HasSubstr(": `a~2` is no pattern of a value"));
  EXPECT_THAT(refusal("tag=X,50%"), HasSubstr("% must be followed by two hexadecimal digits"));
  EXPECT_THAT(refusal("annotator="), HasSubstr("annotator requires a name, in which * and ?"));
  for (const std::string_view key :
       {"event", "site", "date", "round", "white", "black", "result"}) {
    std::string tag(key);
    tag[0] = static_cast<char>(tag[0] - 'a' + 'A');
    EXPECT_THAT(refusal("tag=" + tag + ",x"),
                HasSubstr(": " + tag + " is in the index; use " + std::string(key) + "="));
    EXPECT_TRUE(parse_facet("tag=" + std::string(key) + ",x").ok());
  }
  EXPECT_THAT(refusal("tag=ECO,x"), HasSubstr("; use eco="));
  EXPECT_THAT(refusal("tag=WhiteElo,x"), HasSubstr("; use white_elo="));
  EXPECT_THAT(refusal("tag=BlackElo,x"), HasSubstr("; use black_elo="));
  EXPECT_THAT(refusal("tag=FEN,x"), HasSubstr("; use position="));
  EXPECT_THAT(refusal("tag=SetUp,1"), HasSubstr("; use start=fen"));
  EXPECT_THAT(refusal("tag=EventDate,x"), HasSubstr("; use index.tsv"));
  EXPECT_THAT(refusal("tag=BlackUSCF,x"), HasSubstr("; use index.tsv"));
  EXPECT_THAT(refusal("reached=KR"), HasSubstr("reached requires a king and pieces of both sides"));
  EXPECT_EQ(refusal("balance=3..1"), "the range of balance ends before it begins");
  EXPECT_EQ(refusal("balance=136"),
            "balance requires a number from -135 to 135 or a range such as 3.. or -1..1");
  EXPECT_EQ(refusal("bishops=both"), "bishops requires opposite or same");
  EXPECT_EQ(refusal("white_castled=short,never"),
            "white_castled requires short, long or no: never is none");
  EXPECT_EQ(refusal("castled=no"), "castled requires opposite or same");
  EXPECT_EQ(refusal("mate=q"), "mate requires Q, R, B, N, P, K or stalemate");
  EXPECT_EQ(refusal("mate=Q,"), "an alternative of mate is missing before or after a comma");
  EXPECT_THAT(refusal("text=%+1"), HasSubstr("% must be followed by two hexadecimal digits"));
  for (const std::string key : {"text", "player", "event", "opening"}) {
    EXPECT_EQ(refusal(key + '=' + std::string(256, 'x')), key + " takes 255 bytes at most");
    EXPECT_TRUE(parse_facet(key + '=' + std::string(255, 'x')).ok());
  }
}

TEST(FacetTest, RefusesInvalidValues) {
  for (const std::string& name : tests::words(
           "player= opponent= event= text= text=_ text=%20_ year= year=0 year=10000 "
           "year=99999999999999999999 year=-1 year=+1 year=2013? year=* year=20_13 year=1...2 "
           "year=1..2..3 year=1-2 month=0 month=1..13 elo=0 elo=2700+ elo_difference=--1 "
           "elo_difference=-10000 plies=-1 number=0 nag= nag=256 nag=Blunder nag=good..dubious "
           "eval= eval=.5 eval=-.5 eval=- eval=1. eval=+1 eval=1.-5 eval=1...2 eval=100.01 "
           "eval=-100.01 eval=99999999999999999999 eval=#3 swing=-200.01 clock=-1 clock=0.5 "
           "clock=10000000 number=4294967296 date= date=2013. date=2013.13 date=2013.00 "
           "date=2013.1.32 date=2013.01.01.01 date=? date=2013.05.17..2013.05.16 result=1/2 "
           "result= result=Draw result=1-0..0-1 eco= eco=F eco=B9x eco=B900 eco=B90a0 "
           "eco=B90a11 eco=B* flag= flag=W+ flag=WT flag=+W flag=Z flag=W++T annotated= "
           "annotated=yes start= start=shuffle material= material=KRK material=RvK "
           "material=KvR material=KRvKv material=KKvK material=K+vK material=KRRRRvK "
           "material=KPPPPPPPPPvK material=KxvK material=KR++vK line=e4_c5 line=e4,c5,Nf3,, "
           "line=,e4 line=1.e4 line=Nd2 line=e4..c5 reached= reached=KRRRRvK reached=KR not-=1 "
           "not-year not-year= year=from year=to year=From2010 year=from_2010 year=from2010.. "
           "year=from2010..2015 year=..to2015 year=fromto2015 year=from0 eco=fromF "
           "date=to2013.13 result=from1-0 flag=W, start=fen;standard material=KRvK,KR "
           "reached=,KRvK")) {
    refusal(name);
  }
}

TEST(FacetTest, ListsHaveLimit) {
  std::string longest = "number=1";
  for (std::size_t i = 1; i < kMostAlternatives; ++i) longest += "," + std::to_string(2 * i + 1);
  EXPECT_EQ(parse_facet(longest)->alternatives->size(), kMostAlternatives);
  EXPECT_EQ(refusal(longest + ",1"), "number takes 32 alternatives at most");
}

// Any two of these select different games.
TEST(FacetTest, DifferentFacetsHaveDifferentCanonicalForms) {
  std::vector<std::string> forms;
  for (const std::string& name : tests::words(
           "player=a white=a player=a* player=a? player=a%2A player=a%3F player=a_ player=_a "
           "player=_unknown player=%20unknown player=? player=%3F player=a%25 player=a%2525 "
           "year=2013 year=2013.. year=..2013 year=.. year=2013,2015 not-year=2013 "
           "not-year=2013,2015 not-player=a not-opponent=a opponent=a result=1-0 "
           "result=0-1,1-0 flag=W+T flag=T,W month=.. month=1..12 date=2013 date=2013.05 "
           "date=2013..2013.12 eco=B90 eco=B90a eco=B9 text=a text=a* text=*a line=e4 "
           "line=e4,e5 line=e4,e5,Nf3,Nc6 line=Nf3,Nc6,e4,e5 material=KRvK reached=KRvK "
           "reached=KR+vK balance=1 balance=1.. balance=-1 white_castled=long "
           "black_castled=long castled=same bishops=same mate=Q mate=Q,R")) {
    forms.push_back(canonical_form(name));
    EXPECT_EQ(forms.back().find('/'), std::string::npos);
  }
  std::ranges::sort(forms);
  EXPECT_EQ(std::ranges::adjacent_find(forms), forms.end());
}

FacetGroup group_of(const std::vector<std::string_view>& names) {
  FacetGroup facets;
  for (const std::string_view name : names) facets.push_back(parse_facet(name).value());
  return facets;
}

std::string text(const std::vector<FacetGroup>& groups) { return canonical_text(groups); }

TEST(CanonicalTextTest, IsTheSameForEquivalentGroups) {
  const std::string both = text({group_of({"year=2013", "eco=B90"})});
  EXPECT_EQ(text({group_of({"eco=b90", "year=2013..2013"})}), both);
  EXPECT_EQ(text({group_of({"eco=B90"}), group_of({"year=2013"})}), both);
  EXPECT_EQ(text({group_of({"year=2013"}), {}, group_of({"year=2013", "eco=B90"})}), both);
  EXPECT_NE(text({group_of({"eco=B90"})}), both);
  EXPECT_EQ(text({}), "");
  EXPECT_EQ(text({group_of({"player=a"}), group_of({"opponent=b"})}),
            text({group_of({"opponent=b", "player=A"})}));
  EXPECT_EQ(text({group_of({"player=a"}), group_of({"player=a", "year=2013"})}),
            text({group_of({"player=a", "year=2013"})}));
}

TEST(CanonicalTextTest, NegatedPlayerIsNoSubject) {
  for (const std::string key : {"not-player=a", "not-person=a"}) {
    EXPECT_EQ(text({group_of({key, "opponent=b"})}),
              text({group_of({"opponent=b"}), group_of({key})}));
    EXPECT_EQ(text({group_of({key}), group_of({"player=c", "year=2013"})}),
              text({group_of({"year=2013", "player=c", key})}));
  }
}

TEST(CanonicalTextTest, HasOpponentsInOneOrder) {
  const std::string both = text({group_of({"player=a", "opponent=b*", "not-opponent=bob"})});
  EXPECT_EQ(text({group_of({"not-opponent=bob", "opponent=b*", "player=a"})}), both);
  EXPECT_NE(text({group_of({"player=a", "opponent=b*"})}), both);
  EXPECT_NE(text({group_of({"player=a", "not-opponent=bob"})}), both);
  EXPECT_NE(text({group_of({"player=a"}), group_of({"not-opponent=b"})}),
            text({group_of({"not-opponent=b"}), group_of({"player=a"})}));
}

TEST(CanonicalTextTest, KeepsSubjectOfOpponent) {
  const std::string of_set = text({group_of({"opponent=b"}), group_of({"player=a"})});
  const std::string of_player = text({group_of({"player=a"}), group_of({"opponent=b"})});
  EXPECT_NE(of_set, of_player);
  EXPECT_NE(text({group_of({"player=a"}), group_of({"player=b"})}),
            text({group_of({"player=b"}), group_of({"player=a"})}));
}

}  // namespace
}  // namespace scidfs::fs
