// Writes the tables of a repertoire's side for a set of games, as files of a folder: left.tsv,
// gaps.tsv, choices.tsv and unused.tsv; and prepare.tsv for an opponent. A second way to find them,
// from scidfs-tables(5) alone; chess.js knows the rules.
//
// usage: node repertoire_tables.js GAMES INDEX REPERTOIRE white|black FOLDER [THEIRS MINE]
//
// GAMES is games.pgn of the set, INDEX its index.tsv; THEIRS are the games of the opponent with the other
// side, MINE those of the user with this one. NODE_PATH names the folder that has chess.js.
const {Chess, DEFAULT_POSITION} = require("chess.js");
const fs = require("node:fs");

const [gamesFile, indexFile, repertoireFile, sideName, folder, theirsFile, mineFile] = process.argv.slice(2);
const side = sideName[0];

// A game: its tags, and the tokens of its movetext.
const parse = (file) => fs.readFileSync(file, "utf8").split(/\n\n(?=\[Event )/).map((text) => {
  const tags = Object.fromEntries([...text.matchAll(/^\[(\w+) "(.*)"\]$/gm)].map(([, name, value]) => [name, value]));
  const moves = text.replace(/^\[\w+ ".*"\]$/gm, "");
  return {tags, tokens: moves.match(/\{[^}]*\}|[()]|\$\d+|[^\s(){}]+/g) ?? []};
});
const isMove = (token) => !/^(\{|\$|\d+\.*$|\*$|1-0$|0-1$|1\/2-1\/2$)/.test(token);
const keyOf = (fen) => fen.split(" ", 2).join(" ");
const pathOf = (key) => `positions/${key.replace(/\//g, "-").replace(" ", "_")}`;
const plain = (san) => san.replace(/[+#]$/, "");
// Plays a move from a FEN; null if chess.js does not.
const play = (fen, token) => {
  try {
    const board = new Chess(fen);
    const move = board.move(token);
    return {lan: move.lan, san: plain(move.san), fen: board.fen()};
  } catch {
    return null;
  }
};

// All positions, in the order of the text, with their moves.
const positions = new Map(), starts = new Set();
const reach = (fen) => {
  const key = keyOf(fen);
  if (!positions.has(key)) positions.set(key, {key, mine: key.endsWith(` ${side}`), moves: new Map()});
  return positions.get(key);
};
for (const {tags, tokens} of parse(repertoireFile)) {
  const begin = tags.FEN ?? DEFAULT_POSITION;
  starts.add(reach(begin));
  let line = {fen: begin, before: null, move: null};
  const lines = [];
  for (const token of tokens) {
    if (token === "(") {
      lines.push(line);
      line = {fen: line.before, before: null, move: null};
    } else if (token === ")") {
      line = lines.pop();
    } else if (["$2", "$4", "$6"].includes(token)) {
      if (line.move) line.move.doubtful = true;
    } else if (isMove(token)) {
      const played = line.fen && token !== "--" ? play(line.fen, token) : null;
      if (played) {
        const {moves} = reach(line.fen), to = reach(played.fen);
        if (!moves.has(played.lan)) moves.set(played.lan, {lan: played.lan, san: played.san, to, doubtful: false});
        line = {fen: played.fen, before: line.fen, move: moves.get(played.lan)};
      } else {
        line = {fen: null, before: line.fen, move: null};
      }
    }
  }
}

// Those of the side, with the shortest line to each.
const lineTo = new Map([...starts].map((start) => [start, []]));
for (const [position, line] of lineTo) {
  position.here = [...position.moves.values()].filter((move) => !(position.mine && move.doubtful));
  for (const move of position.here) {
    if (!lineTo.has(move.to)) lineTo.set(move.to, [...line, move.san]);
  }
}
const ours = [...positions.values()].filter((position) => lineTo.has(position));
const find = (key) => { const found = positions.get(key); return lineTo.has(found) ? found : undefined; };

// The games.
const [header, ...rows] = fs.readFileSync(indexFile, "utf8").trimEnd().split("\n").map((row) => row.split("\t"));
const facts = rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i]])));
const points = {"1-0": {w: 2, b: 0}, "0-1": {w: 0, b: 2}, "1/2-1/2": {w: 1, b: 1}};
const tally = () => ({games: 0, points: 0, decided: 0, elo: 0, rated: 0, year: 0});
const count = (row, {tags}, fact, toMove) => {
  const result = points[tags.Result];
  const elo = Number(fact[toMove === "w" ? "white_elo" : "black_elo"]);
  row.games += 1;
  if (result) row.points += result[side], row.decided += 2;
  if (elo) row.elo += elo, row.rated += 1;
  row.year = Math.max(row.year, Number(tags.Date.slice(0, 4)) || 0);
};
// Calls visit(position, played, ply, isFirst) for each position of a game that is in the lines.
const replay = (game, visit) => {
  let fen = game.tags.FEN ?? DEFAULT_POSITION, ply = 0, depth = 0;
  const seen = new Set();
  const look = (played) => {
    const position = find(keyOf(fen));
    if (position) visit(position, played, ply, !seen.has(position));
    seen.add(position);
  };
  for (const token of game.tokens) {
    if (token === "(") depth += 1;
    if (token === ")") depth -= 1;
    if (depth !== 0 || "()".includes(token) || !isMove(token)) continue;
    const played = play(fen, token);
    if (!played) throw new Error(`${game.tags.White} - ${game.tags.Black}: ${token} is no move in ${fen}`);
    look(played);
    fen = played.fen;
    ply += 1;
  }
  look(null);
};
const left = [];
const games = parse(gamesFile);
if (games.length !== facts.length) throw new Error(`${games.length} games, and ${facts.length} rows of them`);
games.forEach((game, index) => {
  let last = null;
  replay(game, (position, played, ply, isFirst) => {
    last = {position, ply, played};
    if (!isFirst) return;
    position.games = (position.games ?? 0) + 1;
    if (!played) return;
    position.played ??= new Map();
    if (!position.played.has(played.lan)) {
      position.played.set(played.lan, {...tally(), san: played.san, to: keyOf(played.fen)});
    }
    count(position.played.get(played.lan), game, facts[index], position.key.at(-1));
  });
  const {number} = facts[index];
  if (!last) return left.push([number, "", "", "", "", "", game.tags.Result]);
  const {here, mine, key} = last.position;
  const by = !last.played || here.length === 0 ? "end" : mine ? "me" : "opponent";
  left.push([number, last.ply, by, last.played?.san ?? "", here.map(({san}) => san).join(","), pathOf(key),
    game.tags.Result]);
});

const percent = ({points: won, decided}) => {
  if (!decided) return "";
  const tenths = Math.floor((2000 * won + decided) / (2 * decided));
  return `${Math.floor(tenths / 10)}.${tenths % 10}`;
};
const place = (position) => [lineTo.get(position).join(" "), pathOf(position.key)];
const bytes = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

const gaps = ours.filter(({mine, here, played}) => !mine && here.length > 0 && played).flatMap((position) =>
  [...position.played.values()].sort((a, b) => b.games - a.games || bytes(a.san, b.san))
    .filter(({to}) => !find(to)?.here.length)
    .map((move) => ({games: move.games, row: [move.san, move.games, percent(move),
      move.rated ? Math.floor((2 * move.elo + move.rated) / (2 * move.rated)) : "", move.year || "",
      ...place(position)]})));
gaps.sort((a, b) => b.games - a.games);

const choices = ours.filter(({mine, here}) => mine && here.length > 1).sort((a, b) => (b.games ?? 0) - (a.games ?? 0))
  .flatMap((position) => position.here.map(({lan, san}) => ({san, ...tally(), ...position.played?.get(lan)}))
    .sort((a, b) => b.games - a.games)
    .map((move) => [move.san, move.games, percent(move), ...place(position)]));

const isUsed = (position) => position.games !== undefined;
const afterMet = new Set(ours.filter(isUsed).flatMap(({here}) => here.map(({to}) => to)));
const roots = ours.filter((position) => !isUsed(position) && (afterMet.has(position) || starts.has(position)));
const counted = new Set(roots);
const unused = roots.map((root) => {
  let below = 0;
  for (const open = [root]; open.length > 0;) {
    for (const {to} of open.pop().here) {
      if (counted.has(to) || isUsed(to)) continue;
      counted.add(to);
      open.push(to);
      below += 1;
    }
  }
  return {below, row: [below, ...place(root)]};
}).sort((a, b) => b.below - a.below);

const write = (name, columns, table) => fs.writeFileSync(`${folder}/${name}.tsv`,
  [columns.split(" "), ...table].map((row) => `${row.join("\t")}\n`).join(""));
write("left", "number ply left move moves path result", left);
write("gaps", "move games score average_elo last_year line path", gaps.map(({row}) => row));
write("choices", "move games score line path", choices);
write("unused", "positions line path", unused.map(({row}) => row));

if (theirsFile) {
  // By position: the games that come to it, and their points for this side.
  const scores = (all) => {
    const found = new Map();
    for (const game of all) {
      const result = points[game.tags.Result];
      replay(game, (position, _played, _ply, isFirst) => {
        if (!isFirst) return;
        const row = found.get(position) ?? {games: 0, points: 0, decided: 0};
        found.set(position, row);
        row.games += 1;
        if (result) row.points += result[side], row.decided += 2;
      });
    }
    return found;
  };
  const [theirs, mine, all] = [parse(theirsFile), parse(mineFile), games].map(scores);
  const cells = (found, position) => {
    const row = found.get(position) ?? {games: 0, points: 0, decided: 0};
    return [row.games, percent(row)];
  };
  const shared = ours.filter((position) => theirs.has(position))
    .sort((a, b) => theirs.get(b).games - theirs.get(a).games);
  write("prepare", "games score my_games my_score all_games all_score line path", shared.map((position) =>
    [...cells(theirs, position), ...cells(mine, position), ...cells(all, position), ...place(position)]));
}
