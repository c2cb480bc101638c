// Reads Parquet files of a mount with DuckDB and hyparquet.
//
// usage: node data_check.mjs NPM ask FILE       prints the answer to the SQL of a file
//        node data_check.mjs NPM compare SET    every row of a set, and sums, against its tables of text
//        node data_check.mjs NPM read SET       reads all values with hyparquet
import fs from 'node:fs';
import {pathToFileURL} from 'node:url';

const [npm, what, where] = process.argv.slice(2);
const load = (module) => import(pathToFileURL(`${npm}/node_modules/${module}`).href);

const {DuckDBInstance} = (await load('@duckdb/node-api/lib/index.js'));
const duckdb = await (await DuckDBInstance.create()).connect();
const rowsOf = async (sql) => (await duckdb.runAndReadAll(sql)).getRows();

function fail(text) {
  console.error(`${where}: ${text}`);
  process.exit(1);
}

// A table of text, all of whose fields are text; none is null.
const tsv = (name) => `read_csv('${where}${name}', delim='\\t', header=true, all_varchar=true, quote='', escape='',
  nullstr='never', max_line_size=10000000, auto_detect=false, hive_partitioning=false, columns=${columnsOf(name)})`;

function columnsOf(name) {
  const file = fs.openSync(where + name, 'r');
  const head = Buffer.alloc(4096);
  const length = fs.readSync(file, head, 0, head.length, 0);
  fs.closeSync(file);
  const names = head.toString('utf8', 0, length).split('\n')[0].split('\t');
  return '{' + names.map((column) => `'${column}': 'VARCHAR'`).join(', ') + '}';
}

// Says what differs between two queries, in either direction.
async function same(one, other) {
  for (const [a, b] of [[one, other], [other, one]]) {
    const rows = await rowsOf(`SELECT * FROM (${a} EXCEPT ALL ${b}) LIMIT 1`);
    if (rows.length > 0) fail(`only ${a === one ? 'the first' : 'the second'} has ${rows[0].join('|')}:\n${one}\n${other}`);
  }
}

// Conditions in the path are no columns.
const parquet = (name) => `read_parquet('${where}${name}.parquet', hive_partitioning=false)`;

const text = (column) => `coalesce(${column}::VARCHAR, '') AS ${column}`;

async function compare() {
  const games = parquet('games');
  const shared = ['number', 'white', 'white_elo', 'black', 'black_elo', 'result', 'date', 'round', 'event', 'site',
    'eco', 'plies', 'path', 'event_date', 'variations', 'comments', 'nags', 'stored_line', 'home_pawns', 'offset',
    'length', 'opening', 'white_rating', 'black_rating'].map((column) => `"${column}"`);
  await same(`SELECT ${shared.map(text)} FROM ${games}`, `SELECT ${shared} FROM ${tsv('index.tsv')}`);
  await same(`SELECT number::VARCHAR AS number, ${text('iso_date')} FROM ${games}`,
    `SELECT number, CASE length(iso_date) WHEN 10 THEN iso_date ELSE '' END AS iso_date FROM ${tsv('index.tsv')}`);
  await same(`SELECT number, ply, ${text('san')}, ${text('uci')}, round(eval * 100)::INT AS eval, clock,
      array_to_string(nag, ' ') AS nag FROM ${parquet('plies')} WHERE NOT damaged OR uci IS NOT NULL OR ply > 0`,
    `SELECT number::INT AS number, ply::INT AS ply, san, uci, round(nullif(eval, '')::DOUBLE * 100)::INT AS eval,
      nullif(clock, '')::BIGINT AS clock, nag FROM ${tsv('plies.tsv')}`);
  const side = (color, points) => `SELECT ${color} AS name, CASE result WHEN '${points}' THEN 1 ELSE 0 END AS win,
      CASE result WHEN '1/2-1/2' THEN 1 ELSE 0 END AS draw, ${color}_elo AS elo FROM ${games}`;
  await same(`SELECT coalesce(name, '_unknown') AS name, count(*)::VARCHAR AS games, sum(win)::VARCHAR AS wins,
      sum(draw)::VARCHAR AS draws, coalesce(max(elo)::VARCHAR, '') AS highest_elo
      FROM (${side('white', '1-0')} UNION ALL ${side('black', '0-1')}) GROUP BY name`,
    `SELECT name, games, wins, draws, highest_elo FROM ${tsv('players.tsv')}`);
  await same(`SELECT CASE substr(date, 1, 4) WHEN '????' THEN '_unknown' ELSE ltrim(substr(date, 1, 4), '0') END AS year,
      count(*)::VARCHAR AS games FROM ${games} GROUP BY 1`,
    `SELECT year, games FROM ${tsv('years.tsv')}`);
  await same(`SELECT coalesce(substr(eco, 1, 3), '_unknown') AS eco, count(*)::VARCHAR AS games FROM ${games} GROUP BY 1`,
    `SELECT eco, games FROM ${tsv('openings.tsv')}`);
}

async function read() {
  const {asyncBufferFromFile, parquetReadObjects} = await load('hyparquet/src/node.js');
  for (const [name, table] of [['games', 'index'], ['plies', 'plies'], ['positions', 'plies']]) {
    const file = await asyncBufferFromFile(`${where}${name}.parquet`);
    const rows = await parquetReadObjects({file, rowEnd: 200000});
    const [[games, numbers]] = await rowsOf(
      `SELECT count(*), sum(number::HUGEINT) FROM (SELECT number FROM ${parquet(name)} LIMIT 200000)`);
    if (rows.length !== Number(games)) fail(`${name}.parquet: ${rows.length} rows, not ${games}`);
    const sum = rows.reduce((all, row) => all + row.number, 0);
    if (sum !== Number(numbers ?? 0)) fail(`${name}.parquet: numbers add up to ${sum}, not ${numbers}`);
  }
}

if (what === 'ask') {
  for (const row of await rowsOf(fs.readFileSync(where, 'utf8'))) console.log(row.join('\t'));
} else {
  await (what === 'compare' ? compare() : read());
}
