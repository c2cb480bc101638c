#include "fs/pages/shared_files.h"

namespace scidfs::fs {

const std::string_view kStyleSheet =
    R"css(/* Pages of scidfs: light or dark as the browser prefers, from 360 pixels on. */
:root {
  color-scheme: light dark;
  --text: #222;
  --ground: #fff;
  --soft: #666;
  --line: #ddd;
  --link: #0b57a4;
  --mark: #fff2b3;
  --damage: #b00020;
  --light: #ecebe0;
  --dark: #8fa37e;
  --side: 24rem;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #ddd;
    --ground: #1b1b1b;
    --soft: #999;
    --line: #3a3a3a;
    --link: #8ab8ea;
    --mark: #40360a;
    --damage: #ff8a80;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto;
  max-width: 90rem;
  padding: 0.5rem 1rem 2rem;
  color: var(--text);
  background: var(--ground);
  font: 1rem/1.4 system-ui, sans-serif;
  scrollbar-color: var(--soft) var(--ground);
}
a { color: var(--link); }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; }
nav { color: var(--soft); overflow-wrap: anywhere; }
pre { overflow-x: auto; }
main { min-width: 0; }
.columns, .tables { display: flex; flex-wrap: wrap; gap: 1rem 2rem; align-items: flex-start; }
.columns > *, .tables > * { min-width: 0; max-width: 100%; }
.columns > * { flex: 1 1 20rem; }
.columns > .side { flex: 0 1 var(--side); margin: 0; }
/* The board of a game stays in view while moves are read. */
#m0 { position: sticky; top: 0; background: var(--ground); z-index: 1; }
/* Room for the buttons below it. */
#m0 .board { max-width: calc(100vh - 6rem); }
/* Where the board stands above the moves, and not beside them, what has the focus is below it. */
@media (max-width: 49rem) {
  #m0 .board { max-width: calc(100vh - 12rem); }
  .move, .tags a, summary, #pgn { scroll-margin-block: calc(min(var(--side), 100vh - 12rem) + 6rem) 2rem; }
}
@media (max-width: 45rem) {
  :root { --side: 100vw; }
  body { padding-inline: 0.5rem; }
}
/* There is no room for both, as on a telephone that lies, or in a page that is much enlarged. */
@media (max-width: 49rem) and (max-height: 28rem) {
  #m0 { position: static; }
  #m0 .board { max-width: calc(100vh - 6rem); }
  .move, .tags a, summary, #pgn { scroll-margin-block: 2rem; }
}
.board { display: block; width: 100%; height: auto; }
.board .light { fill: var(--light); }
.board .dark { fill: var(--dark); }
.board text { fill: #2b3425; font: 10px sans-serif; }
.board .from-black, .board.turned .from-white { display: none; }
.board.turned .from-black { display: inline; }
.board .last { fill: #e8c83c; fill-opacity: 0.6; }
.board .G { --mark-color: #15781b; }
.board .R { --mark-color: #a81717; }
.board .B { --mark-color: #003088; }
.board .Y { --mark-color: #d09c00; }
.board .O { --mark-color: #c75000; }
.board .C { --mark-color: #007a7a; }
.board rect.marked { fill: var(--mark-color); fill-opacity: 0.5; }
.board path.arrow { fill: var(--mark-color); fill-opacity: 0.7; }
/* In the copies that <use> makes of the men, nothing is inside a board. */
path.white, path.black { stroke-width: 1.4; stroke-linejoin: round; }
path.white { fill: #fff; stroke: #222; }
path.black { fill: #222; stroke: #eee; }
.fen { font-family: monospace; font-size: 0.8rem; overflow-wrap: anywhere; }
table { display: block; overflow-x: auto; border-collapse: collapse; font-size: 0.9rem; }
caption { display: table-caption; text-align: left; font-weight: bold; padding: 0.3rem 0; }
th, td { padding: 0.15rem 0.5rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
thead th { white-space: normal; vertical-align: bottom; }
.played .bar { width: 6rem; }
td { font-variant-numeric: tabular-nums; }
.bar { display: block; width: 8rem; height: 0.8rem; }
.bar .wins { fill: #e8e8e8; stroke: #888; }
.bar .draws { fill: #9a9a9a; }
.bar .losses { fill: #333; stroke: #888; }
.bar .count { fill: var(--link); }
.curve { margin: 0; }
.curve p { margin: 0; padding: 0.3rem 0; font-size: 0.9rem; }
.curve svg { display: block; width: 100%; max-width: 34rem; height: auto; }
.curve text { fill: var(--soft); font-size: 22px; text-anchor: middle; }
.curve .elo { text-anchor: end; }
.curve path { fill: none; stroke: var(--line); }
.curve .line { stroke: var(--link); stroke-width: 4; stroke-linecap: round; stroke-linejoin: round; }
.tags td { white-space: normal; overflow-wrap: anywhere; }
.moves { line-height: 1.8; margin-top: 0; }
/* A move stays in one piece, also where it has hyphens. */
.move { padding: 0 0.1rem; white-space: nowrap; text-decoration: none; }
.moves > .move { color: var(--text); font-weight: bold; }
.variation .move { text-decoration: underline dotted; text-underline-offset: 0.2em; }
.move.now { background: var(--mark); }
.comment { color: var(--soft); white-space: pre-line; overflow-wrap: anywhere; }
.variation { font-size: 0.95em; color: var(--soft); }
/* A short variation stands in the line, a long one takes lines of its own. */
.moves > .variation { display: inline-block; vertical-align: top; padding-left: 0.6rem; border-left: 2px solid var(--line); }
.moves > .nag, .result { font-weight: bold; }
.damage { color: var(--damage); }
.controls { display: flex; flex-wrap: wrap; gap: 0.3rem; margin: 0; padding: 0.25rem 0; align-items: center; }
.controls button { flex: 1 1 auto; min-width: 2.5rem; min-height: 2rem; padding: 0.3rem; }
.controls > span { flex: 1 1 auto; }
/* It is there for screen readers alone. */
.said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.controls button.done::after { content: " ✓"; }
/* Lines are as high as a finger needs. */
.conditions, .entries, .files { padding-left: 1.2rem; line-height: 1.6; overflow-wrap: anywhere; }
form { margin-bottom: 0.5rem; display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: end; }
form label { display: block; }
form input {
  display: block;
  width: 11rem;
  max-width: 100%;
  padding: 0.3rem;
  color: var(--text);
  background: var(--ground);
  border: 1px solid var(--soft);
  font: inherit;
}
form input::placeholder { color: var(--soft); opacity: 1; }
)css";

}  // namespace scidfs::fs
