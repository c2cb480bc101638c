// Asks the explorer at an address for positions, by a client that lichess' description of its API has typed.
//
// usage: explorer_client.mjs ADDRESS PLAYER < FENS
//
// Prints the answers to three questions about each FEN, a line each, and at the end those about moves and about a game.
import createClient from "openapi-fetch";
import type { paths } from "@lichess-org/types";
import { readFileSync } from "node:fs";

const [address = "", player = ""] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: address });

function print({ data, error }: { data?: unknown; error?: unknown }) {
  console.log(JSON.stringify(data ?? { error }));
}

for (const fen of readFileSync(0, "utf8").trimEnd().split("\n")) {
  print(await client.GET("/masters", { params: { query: { fen, since: 1950, until: 2005 } } }));
  print(await client.GET("/lichess", { params: { query: { fen, ratings: [2200, 2500], since: "1990-01" } } }));
  print(await client.GET("/player", { params: { query: { fen, player, color: "white" } } }));
}
print(await client.GET("/masters", { params: { query: { play: "d2d4,g8f6" } } }));
print(await client.GET("/lichess", { params: { query: { play: "d2d4,g8f6", moves: 3, topGames: 2, recentGames: 1 } } }));
const game = await client.GET("/masters/pgn/{gameId}", { params: { path: { gameId: "11" } }, parseAs: "text" });
console.log(game.data);
