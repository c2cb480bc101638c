// Writes the first columns of plies.tsv for the games of a PGN file: number, ply, san, uci, fen.
//
// A game that chess.js does not read, for some of its variations, has no rows.
//
// usage: node rows_by_chess_js.js FILE      (NODE_PATH names the folder that has chess.js)
const {Chess, DEFAULT_POSITION} = require("chess.js");
const fs = require("node:fs");

// chess.js names the square behind a pawn only where a pawn may take it.
const passed = (move) => (move.isBigPawn() ? move.to[0] + (move.color === "w" ? 3 : 6) : "-");
const game = new Chess();
fs.readFileSync(process.argv[2], "utf8").split(/\n\n(?=\[Event )/).forEach((text, index) => {
  try {
    game.loadPgn(text);
  } catch {
    return;
  }
  const start = game.getHeaders().FEN ?? DEFAULT_POSITION;
  const rows = [["", "", start.split(" ", 4).join(" ")]];
  for (const move of game.history({verbose: true})) {
    rows.push([move.san, move.lan, `${move.after.split(" ", 3).join(" ")} ${passed(move)}`]);
  }
  fs.writeSync(1, rows.map((row, ply) => `${[index + 1, ply, ...row].join("\t")}\n`).join(""));
});
