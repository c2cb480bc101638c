// Opens pages of a mount in a real browser, and holds them against the files of the mount, chess.js and axe-core.
//
// usage: node browse_pages.mjs MODULES chrome|firefox PROGRAM MOUNT SITE PICTURES
//
// MODULES is a folder with puppeteer-core, chess.js and axe-core in its node_modules, SITE the URL where MOUNT is served. MOUNT has
// the sample as mega.si4, and a damaged database as below/damaged.si4. Pictures go to the folder PICTURES. The last line
// is "N passed, N failed, 0 skipped". tests/install/try-browsers calls it.
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, kind, program, mount, site, pictures] = process.argv.slice(2);
const require = createRequire(join(modules, "package.json"));
const puppeteer = require("puppeteer-core");
const { Chess } = require("chess.js");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const WIDTHS = [360, 1440];
// A telephone that stands and one that lies, a page at 400 %, and windows as wide as high.
const LOW_WINDOWS = [[360, 640], [640, 360], [320, 256], [700, 750], [760, 700]];
const CONTRAST = 4.5; // WCAG 2, 1.4.3
const PATIENCE = 300000; // milliseconds: the machine may be busy
const DATABASE = "mega.si4";

let passed = 0;
let failed = 0;

// A test case: `found` must be `wanted`.
function check(what, found, wanted) {
  const [left, right] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (left === right) {
    passed += 1;
  } else {
    failed += 1;
    console.error(`${kind}: ${what}: ${left.slice(0, 600)} instead of ${right.slice(0, 600)}`);
  }
}

const textOf = (path) => readFileSync(join(mount, path), "utf8");

// One page of each kind, by the name of its picture.
function kindsOfPages() {
  const numbers = readdirSync(join(mount, DATABASE, "deleted/00000")).map((name) => Number(name.split("-")[0]));
  const pages = {
    database: "index.html",
    "all-players": "players/index.html",
    players: "players/ka/index.html",
    player: "players/ka/Kasparov,_Gary/index.html",
    "all-events": "events/index.html",
    events: "events/1951/index.html",
    event: "events/1951/World_Championship_19th--Moscow/index.html",
    years: "years/index.html",
    year: "years/1998/index.html",
    code: "eco/B/B90/index.html",
    form: "search/index.html",
    search: "search/eco=B90..B99/year=1990../index.html",
    line: "tree/e4/c5/index.html",
    positions: "positions/index.html",
    position: "positions/r1bqkbnr-pppp1ppp-2n5-1B2p3-4P3-5N2-PPPP1PPP-RNBQK2R_b/index.html",
    moves: "positions/rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR_w/e2e4,c7c5/index.html",
    game: "games/1.html",
    "game-in-its-folder": "games/00000/1.html",
    games: "games/index.html",
    "games-of-a-folder": "games/00000/index.html",
    deleted: "deleted/index.html",
    "deleted-game": `deleted/00000/${numbers[0]}.html`,
    flags: "flags/index.html",
    doubles: "doubles/index.html",
    fens: "fens/index.html",
  };
  // These need Scid's data files.
  const people = { "all-people": "people/index.html", person: "people/ka/Kasparov,_Garry/index.html", opening: "openings/Sicilian/Najdorf/index.html" };
  const names = new Set(readdirSync(join(mount, DATABASE)));
  if (names.has("people")) Object.assign(pages, people);
  const [, damaged] = textOf("below/damaged.si4/errors.tsv").split("\n");
  const all = {
    root: "index.html",
    folder: "below/index.html",
    "damaged-game": `below/damaged.si4/games/${damaged.split("\t")[0]}.html`,
  };
  for (const [name, path] of Object.entries(pages)) all[name] = `${DATABASE}/${path}`;
  return all;
}

// A browser of its own with one page. `troubles` collects what its console and its requests complain of.
async function openBrowser({ isDark = false, hasScripts = true } = {}) {
  const isFirefox = kind === "firefox";
  const browser = await puppeteer.launch({
    browser: kind,
    executablePath: program,
    headless: true,
    timeout: PATIENCE,
    protocolTimeout: PATIENCE,
    args: isFirefox ? [] : ["--no-sandbox", "--force-device-scale-factor=1"],
    extraPrefsFirefox: {
      "javascript.enabled": hasScripts,
      "layout.css.prefers-color-scheme.content-override": isDark ? 0 : 1,
    },
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  const troubles = [];
  page.on("console", (message) => troubles.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => troubles.push(`script: ${error.message}`));
  page.on("requestfailed", (request) => troubles.push(`failed: ${request.url()}`));
  page.on("response", (response) => {
    if (response.status() >= 400) troubles.push(`${response.status()}: ${response.url()}`);
  });
  // Firefox tells of violations nowhere else.
  await page.evaluateOnNewDocument(() => {
    addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.blockedURI}`));
  });
  if (!isFirefox) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: isDark ? "dark" : "light" }]);
    await page.setJavaScriptEnabled(hasScripts);
  }
  return { browser, page, troubles };
}

// Functions that run in the page.

// Texts whose color is too near to that of their ground.
function faintTexts(least) {
  const channels = (color) => color.match(/[\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => {
    const linear = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const groundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = channels(getComputedStyle(at).backgroundColor);
      if (color[3] !== 0) return color;
    }
    return [255, 255, 255];
  };
  const faint = [];
  const compare = (element, color, ground = groundOf(element)) => {
    const [low, high] = [luminance(channels(color)), luminance(ground)].sort((a, b) => a - b);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < least) faint.push(`${element.tagName}.${element.getAttribute("class") ?? ""} ${color} ${ratio.toFixed(2)}`);
  };
  for (const element of document.body.querySelectorAll("*")) {
    if (element.matches(".board text")) {
      const squares = element.closest("svg").querySelectorAll(".light, .dark");
      for (const square of squares) compare(element, getComputedStyle(element).fill, channels(getComputedStyle(square).fill));
    }
    if (element.closest("svg") || !element.checkVisibility()) continue;
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (hasText) compare(element, getComputedStyle(element).color);
    if (element.placeholder) compare(element, getComputedStyle(element, "::placeholder").color);
  }
  return [...new Set(faint)];
}

// The placement of a FEN, from the men that the board shows.
function shownPlacement() {
  const rows = Array.from({ length: 8 }, () => Array(8).fill(""));
  for (const man of document.querySelectorAll("#men > use")) {
    const [color, letter] = man.getAttribute("href").slice(1);
    rows[man.getAttribute("y") / 45][man.getAttribute("x") / 45] = color === "w" ? letter : letter.toLowerCase();
  }
  const line = (row) => row.map((letter) => letter || "1").join("");
  return rows.map((row) => line(row).replace(/1+/g, (run) => run.length)).join("/");
}

// Moves of a game as a tree, from the text alone: each with its own move and the number of the move before it.
function movesOfText() {
  const moves = [];
  const visit = (parent, before) => {
    let last = before;
    let first = before;
    for (const node of parent.children) {
      if (node.matches("a.move")) {
        first = last;
        moves.push({ id: node.id, san: node.textContent.replace(/^\d+[.…]/, ""), before: last });
        last = moves.length - 1;
      } else if (node.matches(".variation")) {
        visit(node, first);
      }
    }
  };
  visit(document.querySelector(".moves"), -1);
  return moves;
}

const placementOf = (fen) => fen.split(" ")[0];

// A game with the moves of its main line, played by chess.js.
function playMainLine(pgn) {
  const game = new Chess(/\[FEN "([^"]*)"\]/.exec(pgn)?.[1]);
  let text = pgn.replace(/^\[.*\]$/gm, "").replace(/\{[^}]*\}/g, " ");
  while (text.includes("(")) text = text.replace(/\([^()]*\)/g, " ");
  for (const word of text.split(/\s+/)) {
    const move = word.replace(/^\d+\.+/, "");
    if (/^[a-hKQRBNO]/.test(move)) game.move(move);
  }
  return game;
}

async function checkLooks(window, base, isDark) {
  const { page, troubles } = window;
  for (const [name, path] of Object.entries(kindsOfPages())) {
    for (const width of WIDTHS) {
      await page.setViewport({ width, height: 900 });
      await page.goto(base + path);
      const what = `${path} at ${width} ${isDark ? "dark" : "light"}`;
      const [wide, inner] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      check(`${what}: wider than the window`, Math.max(wide, inner), inner);
      check(`${what}: faint`, await page.evaluate(faintTexts, CONTRAST), []);
      if (kind === "chrome") await checkAccess(page, `${path} at ${width}`);
      if (width === 360 || !isDark) {
        await page.screenshot({ path: join(pictures, `${kind}-${name}-${width}-${isDark ? "dark" : "light"}.png`) });
      }
    }
    check(`${path}: pictures without a text`, await page.evaluate(() =>
      [...document.querySelectorAll("img, svg")].filter((picture) =>
        !(picture.getAttribute("alt") ?? picture.getAttribute("aria-label") ??
          document.getElementById(picture.getAttribute("aria-labelledby"))?.textContent)).length), 0);
    check(`${path}: troubles`, troubles.splice(0), []);
    if (!isDark && kind === "chrome") await checkTables(page, path);
  }
}

// axe-core finds nothing. It runs beside the page, whose policy forbids other scripts.
async function checkAccess(page, what) {
  const session = await page.createCDPSession();
  const { frameTree } = await session.send("Page.getFrameTree");
  const world = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
  const evaluate = async (expression) => {
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
      expression, contextId: world.executionContextId, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  await evaluate(`${axe}; 0`);
  const found = await evaluate(`axe.run({ rules: { "target-size": { enabled: true } } }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map((node) => node.html).join(" ").slice(0, 300)))`);
  check(`${what}: axe-core`, found, []);
  await session.detach();
}

// Screen readers meet tables, with heads of rows and columns.
async function checkTables(page, path) {
  const session = await page.createCDPSession();
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  const count = (role) => nodes.filter((node) => node.role?.value === role && !node.ignored).length;
  const elements = await page.evaluate(() =>
    ["table", "th[scope=col]", "th[scope=row]"].map((name) => document.querySelectorAll(name).length));
  check(`${path}: tables`, ["table", "columnheader", "rowheader"].map(count), elements);
  await session.detach();
}

// The board follows keys and clicks: what it shows is what chess.js makes of the moves.
async function checkGame({ page, troubles }, base, path) {
  const url = `${base}${DATABASE}/games/${path}.html`;
  await page.setViewport({ width: 1440, height: 900 });
  await page.goto(url);
  const pgn = textOf(`${DATABASE}/games/${path}.pgn`);
  const game = playMainLine(pgn);
  const start = game.history({ verbose: true })[0].before;
  const moves = await page.evaluate(movesOfText);
  for (const move of moves) {
    const chess = new Chess(move.before < 0 ? start : moves[move.before].fen);
    chess.move(move.san);
    move.fen = chess.fen();
  }
  const follow = (number) => moves.findIndex((move) => move.before === number);
  const main = [];
  for (let at = follow(-1); at >= 0; at = follow(at)) main.push(moves[at]);
  check(`${path}: main line`, main.map((move) => move.san), game.history());

  const shows = async (what, fen) =>
    check(`${url}: ${what}`, await page.evaluate(shownPlacement), placementOf(fen));
  await shows("the last position", game.fen());
  await page.keyboard.press("Home");
  await shows("Home", start);
  for (const move of main) {
    await page.keyboard.press("ArrowRight");
    await shows(`right to ${move.id}`, move.fen);
  }
  await page.keyboard.press("ArrowLeft");
  await shows("left", main.at(-2)?.fen ?? start);
  await page.keyboard.press("End");
  await shows("End", game.fen());
  for (const move of moves.filter((_, number) => number % 5 === 0)) {
    await page.click(`#${move.id}`);
    await shows(`click on ${move.id}`, move.fen);
    const label = await page.$eval("#board", (board) => board.getAttribute("aria-label"));
    check(`${url}: the board's text after ${move.id}`, label.includes(move.san), true);
    const [said, ...current] = await page.evaluate(() =>
      [document.querySelector("[aria-live].said").textContent, ...[...document.querySelectorAll("[aria-current]")].map((one) => one.id)]);
    check(`${url}: what is said after ${move.id}`, [said.includes(move.san), current], [true, [move.id]]);
  }
  const branch = moves.find((move, number) => moves.some((other, at) => at > number && other.before === move.before));
  if (branch) {
    const other = moves.find((move) => move !== branch && move.before === branch.before);
    await page.click(`#${branch.id}`);
    await page.keyboard.press("ArrowDown");
    await shows("down into a variation", other.fen);
    await page.keyboard.press("ArrowUp");
    await shows("up to the main line", branch.fen);
  }
  await page.click("[data-go=first]");
  await shows("the first button", start);
  await page.click("[data-go=forward]");
  await shows("the button forward", main[0].fen);
  await page.click("[data-go=turn]");
  const turned = placementOf(main[0].fen).split("").reverse().join("");
  check(`${url}: turned`, await page.evaluate(shownPlacement), turned);
  await page.reload();
  const mirrored = placementOf(game.fen()).split("").reverse().join("");
  check(`${url}: still turned after a reload`, await page.evaluate(shownPlacement), mirrored);
  await page.click("[data-go=turn]");
  await shows("turned back", game.fen());
  const last = game.history({ verbose: true }).at(-1);
  const marked = await page.$$eval("#squares .last", (all) => all.map((square) =>
    "abcdefgh"[square.getAttribute("x") / 45] + (8 - square.getAttribute("y") / 45)));
  check(`${url}: the squares of the last move`, marked, [last.from, last.to]);
  const toMove = await page.$eval("#to-move", (element) => element.textContent);
  check(`${url}: the side to move`, toMove, game.turn() === "w" ? "White to move" : "Black to move");
  check(`${url}: text of the game`, await page.$eval("#pgn", (element) => element.textContent), pgn);
  await checkCopies(page, url, { FEN: game.fen(), PGN: pgn });
  await page.click(`#${main[0].id}`);
  await Promise.all([page.waitForNavigation(), page.click(`#${main[0].id}`)]);
  const fen = decodeURIComponent(page.url()).split("/").at(-2);
  check(`${url}: a second click leads to`, fen.split("_")[0], placementOf(main[0].fen).replaceAll("/", "-"));
  check(`${url}: troubles`, troubles.splice(0), []);
}

// Buttons copy: what is on the clipboard is what they say.
async function checkCopies(page, url, texts) {
  await page.evaluate(() => {
    const keep = async (text) => { document.body.dataset.copied = text; };
    Object.defineProperty(navigator, "clipboard", { value: { writeText: keep }, configurable: true });
  });
  for (const [name, text] of Object.entries(texts)) {
    await page.click(`[data-copy=${name}]`);
    await page.waitForFunction(() => document.body.dataset.copied);
    const copied = await page.evaluate(() => { const text = document.body.dataset.copied; delete document.body.dataset.copied; return text; });
    const known = (fen) => (name === "FEN" ? fen.split(" ").slice(0, 3).join(" ") : fen);
    check(`${url}: copies the ${name}`, known(copied), known(text));
  }
}

// On a telephone the board and the move are in view together.
async function checkTelephone({ page }, path) {
  await page.setViewport({ width: 360, height: 700 });
  await page.goto(site + path);
  await page.keyboard.press("Home");
  const hidden = [];
  for (let moves = await page.$$eval("#m0 ~ * .moves > a.move", (all) => all.length); moves > 0; --moves) {
    await page.keyboard.press("ArrowRight");
    const [move, top, bottom, above, below] = await page.evaluate(() => {
      const side = document.getElementById("m0").getBoundingClientRect();
      const move = document.querySelector(".move.now");
      const at = move.getBoundingClientRect();
      return [move.id, side.top, side.bottom, at.top, innerHeight - at.bottom];
    });
    if (top < 0 || above < bottom - 1 || below < -1) hidden.push(move);
  }
  check(`${path}: moves without the board on a telephone`, hidden, []);
  const [share, tags, text] = await page.evaluate(() => {
    const board = document.getElementById("board").getBoundingClientRect();
    const top = (name) => document.querySelector(name).getBoundingClientRect().top;
    return [board.width / innerWidth, top(".tags"), top(".moves")];
  });
  check(`${path}: the board is as wide as a telephone`, share > 0.9, true);
  check(`${path}: tags come after the moves`, tags > text, true);
}

// However low the window is, what keys come to is in view: nothing of the board covers it.
async function checkCovered({ page }, path, [width, height]) {
  const what = `${path} at ${width} times ${height}`;
  await page.setViewport({ width, height });
  await page.goto(site + path);
  const isCovered = () => page.evaluate(() => {
    const at = document.activeElement === document.body ? document.querySelector(".move.now") : document.activeElement;
    const { x, y, width, height } = at.getClientRects()[0];
    const top = document.elementFromPoint(x + width / 2, Math.min(y + height / 2, innerHeight - 1));
    return at.contains(top) ? [] : [at.id || at.textContent.slice(0, 40)];
  });
  const covered = [];
  await page.keyboard.press("Home");
  for (let moves = await page.$$eval(".moves > a.move", (all) => all.length); moves > 0; --moves) {
    await page.keyboard.press("ArrowRight");
    covered.push(...await isCovered());
  }
  check(`${what}: moves that are not seen`, covered.splice(0), []);
  await page.focus("summary");
  for (let more = true; more; more = await page.evaluate(() => document.activeElement.id !== "m1")) {
    covered.push(...await isCovered());
    await page.keyboard.down("Shift");
    await page.keyboard.press("Tab");
    await page.keyboard.up("Shift");
  }
  check(`${what}: the focus is covered`, covered, []);
}

// A text of the game that is wider than its place scrolls by keys, which do not go through the game then.
async function checkScrolling({ page }, path) {
  await page.setViewport({ width: 360, height: 700 });
  await page.goto(site + path);
  await page.keyboard.press("Home");
  await page.click("summary");
  await page.focus("#pgn");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.getElementById("pgn").scrollLeft > 0, { timeout: 10000 });
  check(`${path}: keys that scroll go through the game`, await page.$$eval(".move.now", (all) => all.length), 0);
  const [wide, inner] = await page.evaluate(() => {
    document.querySelector(".moves").append(Object.assign(document.createElement("span"), { className: "comment", textContent: "x".repeat(400) }));
    return [document.documentElement.scrollWidth, innerWidth];
  });
  check(`${path}: a long word makes it wider than the window`, Math.max(wide, inner), inner);
}

// Men look as their colors say: a picture of the board has white where White's men are, and black where Black's.
async function checkColors({ browser, page }, path) {
  await page.setViewport({ width: 1440, height: 900 });
  await page.goto(site + path);
  const picture = await (await page.$("#board")).screenshot({ encoding: "base64" });
  const studio = await browser.newPage();
  const found = await studio.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const side = Math.floor(image.width / 8);
    const inner = Math.floor(side / 10); // without the edges, where squares meet
    const square = (row, column) => {
      const pixels = context.getImageData(column * side + inner, row * side + inner, side - 2 * inner, side - 2 * inner).data;
      const count = (isOne) => {
        let ones = 0;
        for (let at = 0; at < pixels.length; at += 4) ones += isOne(pixels.slice(at, at + 3)) ? 1 : 0;
        return ones / (pixels.length / 4);
      };
      if (count((pixel) => Math.min(...pixel) >= 250) > 0.05) return "w";
      return count((pixel) => Math.max(...pixel) <= 50) > 0.1 ? "b" : ".";
    };
    return [...Array(64).keys()].map((at) => square(at >> 3, at & 7)).join("");
  }, picture);
  await studio.close();
  const placement = await page.evaluate(shownPlacement);
  const wanted = placement.replaceAll("/", "").replace(/\d/g, (digit) => ".".repeat(digit))
    .replace(/[a-zA-Z]/g, (letter) => (letter < "a" ? "w" : "b"));
  check(`${path}: colors of the men`, found, wanted);
}

// What the form leads to is what search/ has.
async function checkForm({ page, troubles }, base, directory, fields, names, above = directory.replace(/search\/$/, "")) {
  const what = `${base}${directory} ${JSON.stringify(fields)}`;
  await page.goto(`${base}${directory}index.html`);
  for (const [name, value] of Object.entries(fields)) await page.type(`form[data-search] input[name=${name}]`, value);
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  const folder = `${above}search/${names}`;
  const games = textOf(`${folder}/index.tsv`).split("\n").length - 2;
  const shown = await page.$eval("main", (element) => /^([\d,]+) games?$/m.exec(element.innerText)?.[1] ?? "none");
  check(`${what}: games`, shown.replaceAll(",", ""), String(games));
  check(`${what}: some are found`, games > 0, true);
  check(`${what}: troubles`, troubles.splice(0), []);
}

async function checkForms(window, base) {
  await checkForm(window, base, `${DATABASE}/`, { player: "Kasparov*", result: "1/2-1/2" }, "player=Kasparov*/result=draw");
  await checkForm(window, base, `${DATABASE}/search/`, { player: "Kasparov, Gary", year: "1990..1999" },
    "player=Kasparov,_Gary/year=1990..1999");
  await checkForm(window, base, `${DATABASE}/search/eco=B/`, { event: "*'*" }, "event=*%27*");
  await checkForm(window, base, `${DATABASE}/players/`, { player: "Kasparov*" }, "player=Kasparov*", `${DATABASE}/`);
  await checkForm(window, base, `${DATABASE}/events/`, { event: "World*" }, "event=World*", `${DATABASE}/`);
  const { page, troubles } = window;
  const fen = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
  await page.goto(`${base}${DATABASE}/positions/index.html`);
  await page.type("form[data-position] input", fen);
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  const shown = await page.$eval(".fen", (element) => element.textContent);
  check(`${base}: the position asked for`, placementOf(shown), placementOf(fen));
  check(`${base}: troubles of a position`, troubles.splice(0), []);
}

// The tabulator reaches each link, move, button and field in the order of the page, and shows where it is.
async function checkFocus({ page, troubles }, base, path) {
  await page.setViewport({ width: 1440, height: 900 });
  await page.goto(base + path);
  const count = await page.evaluate(() => {
    const all = [...document.querySelectorAll("a[href], button, input, summary")];
    all.forEach((element, number) => { element.dataset.number = number; });
    return all.length;
  });
  const reached = [];
  const hidden = [];
  for (let presses = 0; reached.length < count && presses < 2 * count + 20; ++presses) {
    await page.keyboard.press("Tab");
    const [number, isShown] = await page.evaluate(() => {
      const element = document.activeElement;
      const style = getComputedStyle(element);
      return [element.dataset.number, style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1];
    });
    if (number === undefined) continue; // a table that scrolls
    reached.push(Number(number));
    if (!isShown) hidden.push(number);
  }
  check(`${path}: order of the tabulator`, reached, [...Array(count).keys()]);
  check(`${path}: the focus is not seen`, hidden, []);
  check(`${path}: troubles of the tabulator`, troubles.splice(0), []);
}

// Without scripts all text, the last position and a word about forms are there.
async function checkWithoutScripts(withScripts) {
  const window = await openBrowser({ hasScripts: false });
  for (const path of [`${DATABASE}/games/1.html`, `${DATABASE}/games/15.html`]) {
    await withScripts.page.goto(site + path);
    await window.page.goto(site + path);
    const texts = () => document.querySelector("main").textContent;
    check(`${path}: text without scripts`, await window.page.evaluate(texts), await withScripts.page.evaluate(texts));
    const game = playMainLine(textOf(path.replace(/html$/, "pgn")));
    check(`${path}: board without scripts`, await window.page.evaluate(shownPlacement), placementOf(game.fen()));
  }
  for (const path of ["search/index.html", "positions/index.html", "index.html"]) {
    await window.page.goto(`${site}${DATABASE}/${path}`);
    const text = await window.page.$eval("main", (element) => element.innerText);
    check(`${path}: says that the form needs scripts`, text.includes("needs JavaScript"), true);
  }
  check("troubles without scripts", window.troubles.splice(0), []);
  await window.browser.close();
}

// From the file manager: everything that moves does so there, too.
async function checkFiles(window) {
  const base = `${pathToFileURL(mount)}/`;
  for (const path of Object.values(kindsOfPages())) {
    await window.page.goto(base + path);
    const ground = await window.page.evaluate(() => getComputedStyle(document.body).maxWidth);
    check(`${base}${path}: the style sheet is used`, ground !== "none", true);
    check(`${base}${path}: troubles`, window.troubles.splice(0), []);
  }
  await checkGame(window, base, "1");
  await checkForms(window, base);
}

// A check that cannot go on has failed; the others still run.
async function attempt(check, ...words) {
  try {
    await check(...words);
  } catch (error) {
    failed += 1;
    console.error(`${kind}: ${check.name} ${words.slice(1).join(" ")}: ${error.message}`);
  }
}

async function main() {
  mkdirSync(pictures, { recursive: true });
  const light = await openBrowser();
  console.log(`${kind}: ${await light.browser.version()}`);
  await attempt(checkLooks, light, site, false);
  for (const game of ["1", "2", "15", "1000"]) await attempt(checkGame, light, site, game);
  await attempt(checkTelephone, light, `${DATABASE}/games/1.html`);
  for (const size of LOW_WINDOWS) await attempt(checkCovered, light, `${DATABASE}/games/1.html`, size);
  await attempt(checkScrolling, light, `${DATABASE}/games/1.html`);
  await attempt(checkColors, light, `${DATABASE}/games/1.html`);
  await attempt(checkForms, light, site);
  for (const path of ["games/1.html", "tree/e4/c5/index.html", "search/index.html"]) {
    await attempt(checkFocus, light, site, `${DATABASE}/${path}`);
  }
  await attempt(checkWithoutScripts, light);
  await attempt(checkFiles, light);
  await light.browser.close();
  const dark = await openBrowser({ isDark: true });
  await attempt(checkLooks, dark, site, true);
  await attempt(checkColors, dark, `${DATABASE}/games/2.html`);
  await dark.browser.close();
  console.log(`${passed} passed, ${failed} failed, 0 skipped`);
  process.exit(failed ? 1 : 0);
}

await main();
