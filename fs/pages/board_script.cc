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
    this.turned = false;
    this.moved = false;
    this.now = this.start;
    for (let next = this.after(this.now); next; next = this.after(next)) this.now = next;
    if (this.now !== this.start) this.now.classList.add("now");
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
    this.now.classList.remove("now");
    this.now = node;
    if (node !== this.start) {
      node.classList.add("now");
      node.scrollIntoView({ block: "nearest" });
    }
    this.draw();
    return true;
  }
  draw() {
    const group = document.getElementById("men");
    group.replaceChildren();
    for (const [man, column, row] of men(this.now.dataset.board)) {
      const use = document.createElementNS(SVG, "use");
      use.setAttribute("href", "#" + man);
      use.setAttribute("x", SQUARE * (this.turned ? 7 - column : column));
      use.setAttribute("y", SQUARE * (this.turned ? 7 - row : row));
      group.append(use);
    }
    const text = this.now === this.start ? "Start" : "After " + this.now.textContent;
    this.board.setAttribute("aria-label", text + ". " + inWords(this.now.dataset.board));
  }
  // Returns whether there was anything to do.
  go(where) {
    if (where === "turn") {
      this.turned = !this.turned;
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

function playGame(board) {
  const game = new Game(board);
  document.addEventListener("keydown", (event) => {
    const way = KEYS[event.key];
    if (!way || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
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

const board = document.getElementById("board");
if (board) playGame(board);
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
