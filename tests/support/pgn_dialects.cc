#include "tests/support/pgn_dialects.h"

namespace scidfs::tests {
namespace {

constexpr PgnDialect kDialects[] = {
    {"games in the standard form",
     "[Event \"a\"]\n[Site \"b\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[Event \"c\"]\n\n1. d4 *\n",
     "1: [Event \"a\"] [Site \"b\"] e4 e5 Nf3 1-0\n6: [Event \"c\"] d4 *\n", ""},
    {"no empty line anywhere",
     "[Event \"a\"]\n1. e4 1-0\n[Event \"b\"]\n1. d4 0-1\n[Site \"c\"]\n1. c4 1/2-1/2",
     "1: [Event \"a\"] e4 1-0\n3: [Event \"b\"] d4 0-1\n5: [Site \"c\"] c4 1/2-1/2\n", ""},
    {"three empty lines",
     "\n\n\n[Event \"a\"]\n\n\n\n[Site \"b\"]\n\n\n\n1. e4\n\n\n\ne5 *\n\n\n\n"
     "[Event \"b\"]\n\n\n\n*\n\n\n",
     "4: [Event \"a\"] [Site \"b\"] e4 e5 *\n20: [Event \"b\"] *\n", ""},
    {"CRLF", "[Event \"a\"]\r\n\r\n1. e4 {x\r\ny} ; z\r\n e5 *\r\n\r\n[Event \"b\"]\r\n\r\n*\r\n",
     "1: [Event \"a\"] e4 {x y} {z} e5 *\n7: [Event \"b\"] *\n", ""},
    {"a byte order mark", "\357\273\277[Event \"a\"]\n\n1. e4 *\n", "1: [Event \"a\"] e4 *\n",
     " *\n e4 *\n"},
    {"the end of file of DOS", "[Event \"a\"]\n\n1. e4 *\n\032", "1: [Event \"a\"] e4 *\n",
     " e4 *\n *\n"},
    {"a game of tags", "[Event \"a\"]\n[Result \"1-0\"]\n\n[Event \"b\"]\n\n*\n",
     "1: [Event \"a\"] [Result \"1-0\"] <2: the game ends without a result> 1-0\n"
     "4: [Event \"b\"] *\n",
     " *\n"},
    {"repeated tags", "[Event \"a\"]\n[Event \"b\"]\n[Result \"1-0\"]\n[Result \"0-1\"]\n\n1. e4\n",
     "1: [Event \"a\"] [Event \"b\"] [Result \"1-0\"] [Result \"0-1\"] e4 <6: the game ends"
     " without a result> 0-1\n",
     ""},
    {"tags on the line of a result",
     "[Event \"a\"]\n\n1. e4 1-0 [White \"b\"] [Event \"c\"]\n\n1. d4 *[Event \"d\"]\n\n1. c4 "
     "0-1\n",
     "1: [Event \"a\"] e4 1-0\n3: [White \"b\"] [Event \"c\"] d4 *\n5: [Event \"d\"] c4 0-1\n", ""},
    {"tags with one line", "[Event \"a\"][Site \"b\"] [ Round  \"1\" ] 1. e4 *\n",
     "1: [Event \"a\"] [Site \"b\"] [Round \"1\"] e4 *\n", ""},
    {"quotes in tags",
     "[Event \"a \"b\" c\"]\n[Site \"d\\\"e\\\\f\"]\n[Round \"g\\\"]\n[White \"h]i\"]\n"
     "[Black \"j\\\"]k\"]\n\n*\n",
     "1: [Event \"a \"b\" c\"] [Site \"d\"e\\f\"] [Round \"g\\\"] [White \"h]i\"] [Black "
     "\"j\"]k\"] *\n",
     ""},
    {"tags without quotes",
     "[Event a b]\n[Site 'c']\n[White \"d]\n[Black \"e\n[Round]\n[Date\"f\"]\n[]\n\n*\n",
     "1: [Event \"a b\"] [Site \"'c'\"] [White \"d\"] [Black \"e\"] [Round \"\"] [Date"
     " \"f\"] <7: a tag has no name> *\n",
     ""},
    {"tags after moves",
     "[Event \"a\"]\n\n1. e4 e5\n[Annotator \"b\"]\n2. Nf3\n[Result \"1-0\"]\n\n"
     "[Event \"c\"]\n\n*\n",
     "1: [Event \"a\"] [Annotator \"b\"] [Result \"1-0\"] e4 e5 Nf3 <6: the game ends"
     " without a result> 1-0\n"
     "8: [Event \"c\"] *\n",
     " e4 e5 *\n Nf3 *\n *\n"},
    {"tags after a missing result", "[Event \"a\"]\n\n1. e4 e5\n\n[Site \"b\"]\n\n1. d4 *\n",
     "1: [Event \"a\"] e4 e5 <3: the game ends without a result> *\n5: [Site \"b\"] d4 *\n", ""},
    {"tags in comments",
     "[Event \"a\"]\n\n1. e4 {\n\n[Event \"b\"]\n\n} e5 ; x\n;[Event \"c\"]\n"
     "% {[Event \"d\"]\n2. Nf3 *\n",
     "1: [Event \"a\"] e4 {[Event \"b\"]} e5 {x} {[Event \"c\"]} Nf3 *\n", ""},
    {"comments between tags",
     "{a} ;b\n% c\n[Event \"d\"]\n{e\n[Site \"f\"]}\n[Round \"g\"] ; h\n{i} 1. e4 *\n",
     "3: [Event \"d\"] [Round \"g\"] {a} {b} {e [Site \"f\"]} {h} {i} e4 *\n", ""},
    {"no tags", "1. e4 e5 1-0\n\n1. d4 d5\n0-1\n{a} 1. c4 * 1. Nf3 1/2\n",
     "1: e4 e5 1-0\n3: d4 d5 0-1\n5: {a} c4 *\n5: Nf3 1/2-1/2\n", ""},
    {"text before games", "Dear reader,\nthese are games {a}.\n\n{b} 1. e4 *\n",
     " <1: passed over: Dear> <1: passed over: reader,> <2: passed over: these> <2: passed"
     " over: are> <2: passed over: games>2: {a} {b} e4 *\n",
     " *\n"},
    {"a comment after the result", "[Event \"a\"]\n\n1. e4 * {b}\n\n[Event \"c\"]\n\n*\n",
     "1: [Event \"a\"] e4 {b} *\n5: [Event \"c\"] *\n", " e4 *\n {b} *\n"},
    {"castling with zeros", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 Nf6 5. d3 0-0+ *",
     "1: e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 d3 O-O *\n", " e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 d3 *\n"},
    {"long castling", "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n\n1. 0-0-0! OO 2. Rd2 *",
     "1: [FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"] start r3k2r/8/8/8/8/8/8/R3K2R w"
     " KQkq - 0 1 O-O-O $1 O-O Rd2 *\n",
     ""},
    {"castling by squares", "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n\n1. e1g1 e8a8 *",
     "1: [FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"] start r3k2r/8/8/8/8/8/8/R3K2R w"
     " KQkq - 0 1 O-O O-O-O *\n",
     ""},
    {"en passant",
     "1. e4 a6 2. e5 d5 3. exd6 e.p. h6 4. d4 h5 5. d5 e5 6. dxe6e.p. f5 7. g4 fxg4 8. h4"
     " gxh3ep+ *",
     "1: e4 a6 e5 d5 exd6 h6 d4 h5 d5 e5 dxe6 f5 g4 fxg4 h4 gxh3 *\n", " e4 a6 e5 d5 exd6 *\n"},
    {"promotions",
     "[FEN \"r1n4k/1P6/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. b8=Q *\n\n"
     "[FEN \"r1n4k/1P6/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. b8Q *\n\n"
     "[FEN \"r1n4k/1P6/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. bxa8(n)! *\n\n"
     "[FEN \"r1n4k/1P6/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. b7xc8/r+ *\n\n"
     "[FEN \"r1n4k/1P6/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. bc8q *\n\n"
     "[FEN \"r1n4k/1P6/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. b8 *\n\n"
     "[FEN \"r1n4k/1P6/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. b8=K *",
     "1: [FEN \"r1n4k/1P6/8/8/8/8/8/4K3 w - - 0 1\"] start r1n4k/1P6/8/8/8/8/8/4K3 w - - 0"
     " 1 b8=Q *\n"
     "5: [FEN \"r1n4k/1P6/8/8/8/8/8/4K3 w - - 0 1\"] start r1n4k/1P6/8/8/8/8/8/4K3 w - - 0"
     " 1 b8=Q *\n"
     "9: [FEN \"r1n4k/1P6/8/8/8/8/8/4K3 w - - 0 1\"] start r1n4k/1P6/8/8/8/8/8/4K3 w - - 0"
     " 1 bxa8=N $1 *\n"
     "13: [FEN \"r1n4k/1P6/8/8/8/8/8/4K3 w - - 0 1\"] start r1n4k/1P6/8/8/8/8/8/4K3 w - - 0"
     " 1 bxc8=R+ *\n"
     "17: [FEN \"r1n4k/1P6/8/8/8/8/8/4K3 w - - 0 1\"] start r1n4k/1P6/8/8/8/8/8/4K3 w - - 0"
     " 1 bxc8=Q+ *\n"
     "21: [FEN \"r1n4k/1P6/8/8/8/8/8/4K3 w - - 0 1\"] start r1n4k/1P6/8/8/8/8/8/4K3 w - - 0"
     " 1 b8=Q <23: a pawn became a queen: the move does not say what> *\n"
     "25: [FEN \"r1n4k/1P6/8/8/8/8/8/4K3 w - - 0 1\"] start r1n4k/1P6/8/8/8/8/8/4K3 w - - 0"
     " 1 <27: illegal move 1.b8=K: the rest of the game is left out> *\n",
     " b8=Q *\n b8=Q *\n *\n *\n bxc8=Q+ *\n *\n *\n"},
    {"long algebraic", "1. e2-e4 e7e5 2. Ng1-f3 Nb8c6 3. Bf1:b5 a7-a6 4. Bb5xc6 d7xc6 *",
     "1: e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 *\n", ""},
    {"more than SAN", "1. Ng1f3 Ng8f6 2. d2d3 Pd6 3. Nfd2 Nfd7 4. Nd2xf3 e5+ *",
     "1: Nf3 Nf6 d3 d6 Nfd2 Nfd7 Nf3 e5 *\n", ""},
    {"an ambiguous move", "1. Nf3 Nf6 2. d3 d6 3. Nd2 Nd7 *",
     "1: Nf3 Nf6 d3 d6 <1: ambiguous move 3.Nd2: the rest of the game is left out> *\n", ""},
    {"a pinned piece makes none ambiguous",
     "[FEN \"4r2k/8/8/8/8/4N3/8/N3K3 w - - 0 1\"]\n\n1. Nc2 *",
     "1: [FEN \"4r2k/8/8/8/8/4N3/8/N3K3 w - - 0 1\"] start 4r2k/8/8/8/8/4N3/8/N3K3 w - - 0"
     " 1 Nc2 *\n",
     ""},
    {"check marks", "1. e4+ f6# 2. d4++ g5 3. Qh5 *", "1: e4 f6 d4 g5 Qh5# *\n", ""},
    {"null moves", "1. e4 -- 2. d4 Z0 3. Nf3 null 4. c4 pass 5. Nc3 0000 6. g3 @@@@ *",
     "1: e4 -- d4 -- Nf3 -- c4 -- Nc3 -- g3 -- *\n", " e4 -- d4 -- Nf3 -- c4 *\n"},
    {"numbers", "1.e4 e5 2 .Nf3 2...Nc6 3...  Bb5 a6 04.Ba4 Nf6 5 O-O 17. ... Be7 *",
     "1: e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 *\n", ""},
    {"glyphs",
     "1. e4! e5? 2. Nf3!! Nc6?? 3. Bb5!? a6?! 4. Ba4 = Nf6 ~ 5. O-O += Be7 =+ 6. Re1 +/- b5"
     " -/+ 7. Bb3 +- d6 -+ 8. c3 N O-O D 9. h3 \342\210\236 Nb8 \302\261 10. d4 $146 $0"
     " $300 $ Nbd7!!! *",
     "1: e4 $1 e5 $2 Nf3 $3 Nc6 $4 Bb5 $5 a6 $6 Ba4 $10 Nf6 $13 O-O $14 Be7 $15 Re1 $16 b5"
     " $17 Bb3 $18 d6 $19 c3 $146 O-O $201 h3 $13 Nb8 $16 d4 $146 <1: a NAG is greater than"
     " 255> Nbd7 $3 *\n",
     " e4 $1 e5 $2 Nf3 $3 Nc6 $4 Bb5 $5 a6 $6 Ba4 $10 Nf6 $13 O-O $14 Be7 $15 Re1 $16 b5"
     " $17 Bb3 $18 d6 $19 c3 $146 O-O $201 h3 *\n"},
    {"glyphs at moves", "1. e4+- e5=+ 2. Nf3N Nc6+= 3. Bb5+!? a6$1$2{x}(3...d6) *",
     "1: e4 $18 e5 $15 Nf3 $146 Nc6 $14 Bb5 $5 a6 $1 $2 {x} ( d6 ) *\n", " *\n"},
    {"words", "1. e4 Diagram e5 unclear 2. Nf3 % Nc6 [x] 3. Bb5 <a6> } *",
     "1: e4 <1: passed over: Diagram> e5 <1: passed over: unclear> Nf3 <1: passed over: %>"
     " Nc6 <1: passed over: [x]> Bb5 a6 <1: passed over: }> *\n",
     " e4 *\n *\n"},
    {"results of other kinds",
     "1. e4 1:0\n\n1. d4 0:1\n\n1. c4 1/2:1/2\n\n1. Nf3 \302\275-\302\275\n\n1. g3 1-0.\n"
     "\n1. b3 1\342\200\2230",
     "1: e4 1-0\n3: d4 0-1\n5: c4 1/2-1/2\n7: Nf3 1/2-1/2\n9: g3 1-0\n11: b3 1-0\n",
     " e4 1-0\n d4 0-1\n c4 1/2-1/2\n Nf3 1-0\n b3 *\n"},
    {"a result that contradicts the tag",
     "[Result \"1-0\"]\n\n1. e4 0-1\n\n[Result \"1-0\"]\n\n1. e4 *\n\n"
     "[Result \"0-1 forfeit\"]\n\n1. e4\n",
     "1: [Result \"1-0\"] e4 <3: the result after the moves is not that of the tag> 0-1\n"
     "5: [Result \"1-0\"] e4 <7: the result after the moves is not that of the tag> *\n"
     "9: [Result \"0-1 forfeit\"] e4 <11: the game ends without a result> 0-1\n",
     ""},
    {"comments",
     "{a} {b} 1. e4 {c\n  d   \n   e\n\nf} {} {g} e5 ; h\n; i\n"
     "2. Nf3 {[%clk 0:01:02] [%eval 0.3]} {[%csl Gd4][%cal Ra1a2]} *",
     "1: {a} {b} e4 {c  d      e f} {g} e5 {h} {i} Nf3 {[%clk 0:01:02] [%eval 0.3]} {[%csl"
     " Gd4][%cal Ra1a2]} *\n",
     ""},
    {"empty comments", "[Event \"a\"]\n\n1. e4 {} *\n\n[Event \"b\"]\n\n{} 1. d4 {c} *",
     "1: [Event \"a\"] e4 *\n5: [Event \"b\"] d4 {c} *\n", ""},
    {"braces do not nest", "1. e4 {a {b} c} e5 *",
     "1: e4 {a {b} <1: illegal move 1...c: the rest of the game is left out> *\n", ""},
    {"an unclosed comment", "[Event \"a\"]\n\n1. e4 {b\nc\n\n[Event \"d\"]\n\n1. d4 * {e",
     "1: [Event \"a\"] e4 <3: a comment is not closed> {b c} <6: the game ends without a"
     " result> *\n"
     "6: [Event \"d\"] d4 <8: a comment is not closed> {e} *\n",
     " e4 {bc[Event\"d\"]1.d4*{e} *\n"},
    {"variations", "1. e4 (1. d4 d5 (1... Nf6 2. c4 (2. Nf3)) 2. c4) (1. c4) e5 (1... c5) 2. Nf3 *",
     "1: e4 ( d4 d5 ( Nf6 c4 ( Nf3 ) ) c4 ) ( c4 ) e5 ( c5 ) Nf3 *\n", ""},
    {"notes around variations", "1. e4 {a} ({b} 1. d4 {c} $1 d5) {d} $2 ({e}) () {f} e5 *",
     "1: e4 {a} ( {b} d4 {c} $1 d5 ) {d} $2 ( {e} ) ( ) {f} e5 *\n", ""},
    {"unclosed variations", "1. e4 (1. d4 d5 (1... Nf6 *\n\n1. c4 *",
     "1: e4 ( d4 d5 ( Nf6 ) ) *\n3: c4 *\n", ""},
    {"brackets too many", "1. e4 ) e5 ) 2. Nf3 *",
     "1: e4 <1: a bracket closes no variation> e5 <1: a bracket closes no variation> Nf3 *\n",
     " e4 *\n"},
    {"a variation of no move", "(1. d4 {a} (1. c4)) 1. e4 ((1. c4) 1. d4) e5 *",
     " <1: a variation has no move before it>1: e4 ( <1: a variation has no move before it>"
     " d4 ) e5 *\n",
     " *\n"},
    {"a result in a variation", "1. e4 (1. d4 1-0) e5 (1... c5 *\n) 2. Nf3 *",
     "1: e4 ( d4 ) e5 ( c5 ) Nf3 *\n", " e4 ( d4) 1-0\n *\n *\n"},
    {"an illegal move",
     "[Event \"a\"]\n\n1. e4 e5\n2. Ke4 {b} (2. d4) Nc6 3. Bb5 1-0\n\n[Event \"c\"]\n\n"
     "1. d4 *",
     "1: [Event \"a\"] e4 e5 <4: illegal move 2.Ke4: the rest of the game is left out> 1-0\n"
     "6: [Event \"c\"] d4 *\n",
     ""},
    {"moves that leave the king in check",
     "[FEN \"4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1\"]\n\n1. Kd1 (1. Nc3) Kg8 2. Nc3 Re1 *",
     "1: [FEN \"4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1\"] start 4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1 Kd1 ( "
     "<3: illegal move 1.Nc3: the rest of the variation is left out> ) Kg8 Nc3 Re1+ *\n",
     " Kd1 () *\n"},
    {"an illegal move in a variation",
     "1. e4 e5 (1... Ke4 2. d4 {a} (2. Nf3 1-0) 2... d5) (1... c5) 2. Nf3 *",
     "1: e4 e5 ( <1: illegal move 1...Ke4: the rest of the variation is left out> ) ( c5 )"
     " Nf3 *\n",
     " e4 e5 () 1-0\n *\n"},
    {"other notations", "1. e4 Sf6 2. e5 *\n\n1. P-K4 *\n\n1. e4 e5 2. exd *",
     "1: e4 <1: illegal move 1...Sf6: the rest of the game is left out> <3: passed over:"
     " P-K4> *\n"
     "5: e4 e5 <5: illegal move 2.exd: the rest of the game is left out> *\n",
     " e4 *\n *\n e4 e5 *\n"},
    {"lines that begin with a percent sign",
     "[Event \"a\"]\n%[Event \"b\"]\n\n% 1. d4 {\n1. e4\n%e5\ne6 %\n *",
     "1: [Event \"a\"] e4 e6 <7: passed over: %> *\n", ""},
    {"a FEN", "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 17\"]\n\n17... Kd7 18. e4 *",
     "1: [SetUp \"1\"] [FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 17\"] start"
     " 4k3/8/8/8/8/8/4P3/4K3 b - - 3 17 Kd7 e4 *\n",
     ""},
    {"a FEN of the standard position",
     "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4 *",
     "1: [FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"] e4 *\n", ""},
    {"a FEN that is none",
     "[Event \"a\"]\n[FEN \"x\"]\n\n1. e4 {b} 1-0\n\n[Event \"c\"]\n\n1. d4 *",
     "1: [Event \"a\"] [FEN \"x\"] <2: bad FEN: the board has an unknown letter: the moves"
     " are left out> 1-0\n"
     "6: [Event \"c\"] d4 *\n",
     " e4 {b} 1-0\n d4 *\n"},
    {"X-FEN",
     "[Variant \"Chess960\"]\n[FEN \"1rk3r1/8/8/6n1/6N1/8/8/1RK3R1 w KQkq - 0 1\"]\n\n"
     "1. O-O O-O-O *",
     "1: [Variant \"Chess960\"] [FEN \"1rk3r1/8/8/6n1/6N1/8/8/1RK3R1 w KQkq - 0 1\"] start"
     " 1rk3r1/8/8/6n1/6N1/8/8/1RK3R1 w KQkq - 0 1 960 O-O O-O-O *\n",
     ""},
    {"Shredder-FEN", "[FEN \"1rk3r1/8/8/6n1/6N1/8/8/1RK3R1 w GBgb - 0 1\"]\n\n1. c1g1 O-O-O *",
     "1: [FEN \"1rk3r1/8/8/6n1/6N1/8/8/1RK3R1 w GBgb - 0 1\"] start"
     " 1rk3r1/8/8/6n1/6N1/8/8/1RK3R1 w KQkq - 0 1 960 O-O O-O-O *\n",
     ""},
    {"Shredder-FEN of one side",
     "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w Aa - 0 1\"]\n\n1. O-O-O O-O-O+ *",
     "1: [FEN \"r3k2r/8/8/8/8/8/8/R3K2R w Aa - 0 1\"] start r3k2r/8/8/8/8/8/8/R3K2R w Qq - 0 1 "
     "O-O-O O-O-O <3: castling is against the rules here> *\n",
     ""},
    {"castling against the rules",
     "[FEN \"4k3/8/8/8/8/8/5r2/R3K2R w - - 0 1\"]\n\n1. O-O (1. Ke2 Ke8) (1. e1c1) Rf8 *",
     "1: [FEN \"4k3/8/8/8/8/8/5r2/R3K2R w - - 0 1\"] start 4k3/8/8/8/8/8/5r2/R3K2R w - - 0 1 O-O "
     "<3: castling is against the rules here> ( <3: illegal move 1.Ke2: the rest of the variation "
     "is left out> ) ( <3: illegal move 1.e1c1: the rest of the variation is left out> ) Rf8 *\n",
     " O-O () *\n"},
    {"Shredder-FEN of chess", "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1\"]\n\n1. O-O O-O-O *",
     "1: [FEN \"r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1\"] start r3k2r/8/8/8/8/8/8/R3K2R w"
     " KQkq - 0 1 O-O O-O-O *\n",
     ""},
    {"other variants",
     "[Variant \"Atomic\"]\n\n1. e4 e5 0-1\n\n[Variant \"From Position\"]\n\n1. e4 *\n\n"
     "[Variant \"Fischerandom\"]\n\n1. d4 *",
     "1: [Variant \"Atomic\"] <1: the variant Atomic is read by the rules of chess> e4 e5 0-1\n"
     "5: [Variant \"From Position\"] e4 *\n9: [Variant \"Fischerandom\"] start  960 d4 *\n",
     ""},
    {"bytes that are no UTF-8",
     "[White \"M\374ller\"]\n[Black \"M\303\274ller\"]\n\n"
     "1. e4 {\223a\224 \200\001\007b} *",
     "1: [White \"M\303\274ller\"] [Black \"M\303\274ller\"] e4 {\342\200\234a\342\200\235"
     " \342\202\254  b} *\n",
     " e4 {\302\223a\302\224\302\200b} *\n"},
    {"a tag over several lines",
     "[Event \"a\"]\n\n1. e4 1-0\n\n[\n Event\n\n \"b\"\n]\n[Site\n\"c\"] [Round "
     "\"d\"\n]\n[White\nyz]\n\n1. d4 0-1\n",
     "1: [Event \"a\"] e4 1-0\n5: [Event \"b\"] [Site \"c\"] [Round \"d\"] [White \"\"] <14: "
     "passed over: yz> <14: passed over: ]> d4 0-1\n",
     ""},
    {"blanks beyond ASCII",
     "[Event\302\240\"a\"]\n\302\240[\342\200\211Site\342\200\257\"b\"\302\240]\n\302\240\n1."
     "\302\240e4\302\240e5 2.\342\200\211Nf3\342\200\213 Nc6\342\200\2573. "
     "\357\273\277Bb5\240a6\302\240*\n",
     "1: [Event \"a\"] [Site \"b\"] e4 e5 Nf3 Nc6 Bb5 a6 *\n", " *\n *\n"},
    {"signs of typography",
     "1. e4\342\200\274 e5\342\201\207 2. \342\231\230f3\342\201\211 \342\231\236c6 3. "
     "\342\231\227b5 a6 4. \342\231\227\303\227c6\342\200\240 d\303\227c6 5. O\342\200\223O f6 6. "
     "d4 e\303\227d4 7. N\303\227d4\342\201\210 c5\342\200\241 8. Nb3 \342\231\225\303\227d1 "
     "\302\275\342\200\223\302\275",
     "1: e4 $3 e5 $4 Nf3 $5 Nc6 Bb5 a6 Bxc6 dxc6 O-O f6 d4 exd4 Nxd4 $6 c5 Nb3 Qxd1 1/2-1/2\n",
     " e4 *\n"},
    {"an ellipsis for dots", "1. e4 e5 2. Nf3 {x} 2\342\200\246Nc6 3\342\200\246 a3 *",
     "1: e4 e5 Nf3 {x} Nc6 a3 *\n", " e4 e5 Nf3 {x} *\n"},
    {"signs of a code page", "1. e4\205 e5 2. Nf3\240Nc6 3. Bb5 d6 4. O\226O \261 *",
     "1: e4 e5 Nf3 Nc6 Bb5 d6 O-O $16 *\n", " e4 *\n"},
    {"quotes of word processors",
     "[Event \342\200\234a\342\200\235]\n[Site \342\200\236b\342\200\234]\n\n1. e4 *",
     "1: [Event \"a\"] [Site \"b\"] e4 *\n", ""},
    {"results with blanks and points",
     "1. e4 1 - 0\n\n1. d4 0 \342\200\223 1\n\n1. c4 1/2 - 1/2\n\n1. Nf3 0.5-0.5\n\n1. g3 \302\275 "
     "- \302\275\n\n1. b3 0,5-0,5\n\n1. a3 0.5 - 0.5",
     "1: e4 1-0\n3: d4 0-1\n5: c4 1/2-1/2\n7: Nf3 1/2-1/2\n9: g3 1/2-1/2\n11: b3 1/2-1/2\n13: a3 "
     "1/2-1/2\n",
     " e4 1/2-1/2\n 1/2-1/2\n Nf3 *\n"},
    {"tags of results of other kinds",
     "[Result \"\302\275-\302\275\"]\n\n1. e4 1/2\n\n[Result \"0.5-0.5\"]\n\n1. d4 1/2\n\n[Result "
     "\"1 - 0\"]\n\n1. c4 1-0\n\n[Result \"0\342\200\2231\"]\n\n1. g4 0-1",
     "1: [Result \"\302\275-\302\275\"] e4 1/2-1/2\n5: [Result \"0.5-0.5\"] d4 1/2-1/2\n9: [Result "
     "\"1 - 0\"] c4 1-0\n13: [Result \"0\342\200\2231\"] g4 0-1\n",
     ""},
    {"results glued to moves",
     "1. e4 e5 2. Nf31-0\n\n1. e41/2-1/2\n\n1. e4 e5 2. Ke4 Nf60-1\n\n1. f3 e5 2. g4 Qh4#0-1",
     "1: e4 e5 Nf3 1-0\n3: e4 1/2-1/2\n5: e4 e5 <5: illegal move 2.Ke4: the rest of the game is "
     "left out> 0-1\n7: f3 e5 g4 Qh4# 0-1\n",
     " e4 e5 *\n"},
    {"NAGs before the first move of a line",
     "[Event \"a\"]\n\n$1 1. e4 e5 ($142 1... c5 2. Nf3) (! {a} 1... e6) ($2) ($3 1... Ke4) 2. Nf3 "
     "*",
     "1: [Event \"a\"] e4 $1 e5 ( c5 $142 Nf3 ) ( {a} e6 $1 ) ( <3: a NAG belongs to no move> ) ( "
     "<3: illegal move 1...Ke4: the rest of the variation is left out> ) Nf3 *\n",
     " e4 e5 ( c5 Nf3) ( {a} e6) () () *\n"},
    {"unknown signs at moves",
     "1. e4\342\204\242 e5& 2. \342\200\242Nf3 Nc6\302\273 3. Bb5 - a6 \342\200\223 4. Ba4\320\270 "
     "*",
     "1: e4 <1: passed over signs that say nothing: e4\342\204\242> e5 <1: passed over signs that "
     "say nothing: e5&> Nf3 <1: passed over signs that say nothing: \342\200\242Nf3> Nc6 <1: "
     "passed over signs that say nothing: Nc6\302\273> Bb5 <1: passed over: -> a6 <1: passed over: "
     "\342\200\223> <1: illegal move 4.Ba4\320\270: the rest of the game is left out> *\n",
     " e4 *\n"},
};

}  // namespace

std::span<const PgnDialect> pgn_dialects() { return kDialects; }

}  // namespace scidfs::tests
