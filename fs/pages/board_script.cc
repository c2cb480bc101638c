#include "fs/pages/shared_files.h"

namespace scidfs::fs {

const std::string_view kBoardScript =
    R"js(// Goes through the game of a page, and leads from the form to what it asks for.
"use strict";

const SQUARE = 45;
const SVG = "http://www.w3.org/2000/svg";

function men(placement) {
  const found = [];
  placement.split("/").forEach((line, row) => {
    let column = 0;
    for (const letter of line) {
      if (letter >= "1" && letter <= "8") {
        column += Number(letter);
        continue;
      }
      const piece = letter.toUpperCase();
      found.push([(letter === piece ? "w" : "b") + piece, column, row]);
      column += 1;
    }
  });
  return found;
}

// Where the men are, as the pages say it themselves: "White: Ke1 Pa2; Black: Ke8".
function inWords(placement) {
  const all = men(placement);
  const words = (color) =>
    [..."KQRBNP"].flatMap((piece) =>
      all
        .filter(([man]) => man === color + piece)
        .map(([, column, row]) => ` ${piece}${"abcdefgh"[column]}${8 - row}`)
    );
  return "White:" + words("w").join("") + "; Black:" + words("b").join("");
}

// The side that boards are seen from is kept for the next page, where the browser keeps anything.
const TURNED = "scidfs-turned";

function isTurned() {
  try {
    return localStorage.getItem(TURNED) === "yes";
  } catch {
    return false;
  }
}

function keepTurned(turned) {
  try {
    localStorage.setItem(TURNED, turned ? "yes" : "no");
  } catch {
    // The next page begins with White below.
  }
}

function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// An arrow from the middle of one square to that of another, as the outline of a shape.
function arrow([x, y], [toX, toY], color) {
  const length = Math.hypot(toX - x, toY - y);
  const angle = (Math.atan2(toY - y, toX - x) * 180) / Math.PI;
  const neck = length - 16;
  return element("path", {
    class: "arrow " + color,
    d: `M0 -3H${neck}V-9L${length - 2} 0L${neck} 9V3H0z`,
    transform: `translate(${x} ${y}) rotate(${angle})`,
  });
}

class Game {
  constructor(board) {
    this.board = board;
    this.start = document.getElementById("m0");
    this.moves = [...document.querySelectorAll("a.move")];
    this.next = new Map();
    for (const move of this.moves) {
      const before = move.dataset.before;
      if (!this.next.has(before)) this.next.set(before, []);
      this.next.get(before).push(move);
    }
    this.marks = new Map();
    for (const comment of document.querySelectorAll("[data-marks]")) {
      const of = comment.dataset.of;
      this.marks.set(of, (this.marks.get(of) || []).concat(comment.dataset.marks.split(" ")));
    }
    this.turned = isTurned();
    this.moved = false;
    this.now = this.start;
    for (let next = this.after(this.now); next; next = this.after(next)) this.now = next;
    this.markNow(true);
    // What screen readers say of a step; they say then who is to move.
    this.said = document.createElement("span");
    this.said.className = "said";
    this.said.setAttribute("aria-live", "polite");
    document.getElementById("to-move").before(this.said);
  }
  markNow(isNow) {
    if (this.now === this.start) return;
    this.now.classList.toggle("now", isNow);
    if (isNow) this.now.setAttribute("aria-current", "true");
    else this.now.removeAttribute("aria-current");
  }
  inWords() {
    return this.now === this.start ? "Start" : "After " + this.now.textContent;
  }
  after(node) {
    return (this.next.get(node.id) || [])[0];
  }
  before(node) {
    return node === this.start ? undefined : document.getElementById(node.dataset.before);
  }
  // The same ply in the variation after this one, or before it.
  beside(node, step) {
    if (node === this.start) return undefined;
    const all = this.next.get(node.dataset.before);
    return all[all.indexOf(node) + step];
  }
  end(node, follow) {
    for (let next = follow(node); next; next = follow(next)) node = next;
    return node;
  }
  show(node) {
    if (!node) return false;
    this.moved = true;
    this.markNow(false);
    this.now = node;
    this.markNow(true);
    if (node !== this.start) node.scrollIntoView({ block: "nearest" });
    this.said.textContent = this.inWords();
    this.draw();
    return true;
  }
  draw() {
    const [placement, side] = this.now.dataset.fen.split(" ");
    this.board.classList.toggle("turned", this.turned);
    document.getElementById("men").replaceChildren(
      ...men(placement).map(([man, column, row]) => {
        const [x, y] = this.corner(column, row);
        return element("use", { href: "#" + man, x, y });
      })
    );
    this.drawMarks();
    const next = side === "w" ? "White to move" : "Black to move";
    this.board.setAttribute("aria-label", `${this.inWords()}. ${inWords(placement)}; ${next}`);
    document.getElementById("to-move").textContent = next;
  }
  // The squares of the last move, and what the comments on it mark.
  drawMarks() {
    const squares = [];
    const arrows = [];
    const mark = (name, kind) => {
      const [x, y] = this.cornerOf(name);
      squares.push(element("rect", { class: kind, x, y, width: SQUARE, height: SQUARE }));
    };
    const middle = (name) => this.cornerOf(name).map((at) => at + SQUARE / 2);
    for (const name of (this.now.dataset.squares || "").match(/../g) || []) mark(name, "last");
    for (const text of this.marks.get(this.now.id) || []) {
      const [color, from, to] = [text[0], text.slice(1, 3), text.slice(3)];
      if (!to) mark(from, "marked " + color);
      else if (from !== to) arrows.push(arrow(middle(from), middle(to), color));
    }
    document.getElementById("squares").replaceChildren(...squares);
    document.getElementById("arrows").replaceChildren(...arrows);
  }
  corner(column, row) {
    return [column, row].map((at) => SQUARE * (this.turned ? 7 - at : at));
  }
  cornerOf(name) {
    return this.corner("abcdefgh".indexOf(name[0]), 8 - Number(name[1]));
  }
  // Returns whether there was anything to do.
  go(where) {
    if (where === "turn") {
      this.turned = !this.turned;
      keepTurned(this.turned);
      this.draw();
      return true;
    }
    const ways = {
      first: () => this.start,
      back: () => this.before(this.now),
      forward: () => this.after(this.now),
      last: () => this.end(this.now, (node) => this.after(node)),
      up: () => this.beside(this.now, -1),
      down: () => this.beside(this.now, 1),
    };
    return this.show(ways[where]());
  }
}

const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "forward",
  ArrowUp: "up",
  ArrowDown: "down",
  Home: "first",
  End: "last",
};

// Copies a text; where pages may not use the clipboard, the browser copies what is selected.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

function playGame(board) {
  const game = new Game(board);
  document.addEventListener("keydown", (event) => {
    const way = KEYS[event.key];
    if (!way || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("pre")) return; // they scroll it
    if (game.go(way)) event.preventDefault();
  });
  for (const button of document.querySelectorAll("[data-go]")) {
    button.addEventListener("click", () => game.go(button.dataset.go));
  }
  for (const move of game.moves) {
    // A second click on a move follows its link.
    move.addEventListener("click", (event) => {
      const again = game.moved && game.now === move;
      if (again || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      game.show(move);
    });
  }
  game.draw();
  return game;
}

// A text as names of directories have it; * and ? keep their meaning.
function escapeName(text) {
  const escape = (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0");
  return text.replaceAll(/[/"<>|:\\'[\]{};$~%`]/g, escape).replaceAll(" ", "_");
}

function search(form) {
  const names = [];
  for (const input of form.querySelectorAll("input")) {
    const value = input.value.trim().replace(/^1\/2-1\/2$/, "draw");
    if (value) names.push(encodeURIComponent(input.name + "=" + escapeName(value)));
  }
  if (names.length) location.href = [form.dataset.search, ...names, "index.html"].join("/");
}

function showPosition(form) {
  const fen = form.querySelector("input").value.trim();
  const name = fen.replaceAll("/", "-").replaceAll(/\s+/g, "_");
  if (name) location.href = encodeURIComponent(name) + form.dataset.position;
}

// The picture of a position, from the side that the last board was seen from.
function turnPicture(picture) {
  const link = document.querySelector('a[href="board-black.svg"]');
  const draw = () => {
    picture.src = isTurned() ? "board-black.svg" : "board.svg";
    link.textContent = isTurned() ? "seen from White" : "seen from Black";
  };
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    keepTurned(!isTurned());
    draw();
  });
  draw();
}

// What is wider than its place takes the focus, so that keys scroll it, unless there are links in it.
function letKeysScroll() {
  for (const wide of document.querySelectorAll("table, pre:not(#pgn)")) {
    if (wide.scrollWidth > wide.clientWidth && !wide.querySelector("a")) wide.tabIndex = 0;
    else wide.removeAttribute("tabindex");
  }
}

letKeysScroll();
addEventListener("resize", letKeysScroll);
const board = document.getElementById("board");
const game = board && playGame(board);
const picture = document.getElementById("picture");
if (picture) turnPicture(picture);
for (const button of document.querySelectorAll("[data-copy]")) {
  const source = button.dataset.copy === "PGN" ? "pgn" : "fen";
  button.addEventListener("click", async () => {
    const shown = source === "fen" && game ? game.now.dataset.fen : document.getElementById(source).textContent;
    await copyText(shown);
    button.classList.add("done");
  });
}
for (const form of document.querySelectorAll("form[data-search]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    search(form);
  });
}
for (const form of document.querySelectorAll("form[data-position]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    showPosition(form);
  });
}
)js";

}  // namespace scidfs::fs
