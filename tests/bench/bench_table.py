"""Samples of measurements, and how scripts/bench shows them: Markdown tables and a drawing."""

import math
import statistics
from xml.sax.saxutils import escape


def number(value):
    if value >= 1000:
        return f"{value:,.0f}"
    if value <= 0:
        return f"{value:.0f}"
    return f"{value:.{max(0, 2 - math.floor(math.log10(value)))}f}"


def spread(samples):
    return f"{number(min(samples))} - {number(max(samples))}"


class Row:
    """Samples of ours, and of another that took turns with it; a goal for the ratio."""

    def __init__(self, name, unit, other="", goal=None, faster="less"):
        self.name, self.unit, self.other, self.goal, self.faster = name, unit, other, goal, faster
        self.ours, self.others = [], []

    def add(self, ours, other=None):
        self.ours.append(ours)
        if other is not None:
            self.others.append(other)

    def ratios(self):
        """How many times as fast as the other, round by round."""
        pairs = zip(self.ours, self.others)
        return [other / ours if self.faster == "less" else ours / other for ours, other in pairs]

    def line(self):
        cells = [self.name, f"{number(statistics.median(self.ours))} {self.unit}", spread(self.ours)]
        if self.others:
            ratios = self.ratios()
            cells += [self.other, f"{number(statistics.median(self.others))} {self.unit}",
                      number(statistics.median(ratios)), spread(ratios)]
        else:
            cells += [self.other and f"{self.other} (not installed)", "", "", ""]
        return cells + [number(self.goal) if self.goal else ""]


class SizedRow:
    """Samples by number of games; limits for some of these numbers."""

    def __init__(self, name, unit, limits=None, faster="less"):
        self.name, self.unit, self.limits, self.faster = name, unit, limits or {}, faster
        self.samples = {}

    def add(self, games, value):
        self.samples.setdefault(games, []).append(value)

    def growth(self):
        """How many times the value is that of ten times fewer games, from the least to the most."""
        least, most = min(self.samples), max(self.samples)
        first, last = (statistics.median(self.samples[games]) for games in (least, most))
        if least == most or first <= 0 or last <= 0:
            return ""
        return f"x {number((last / first) ** (1 / math.log10(most / least)))}"

    def line(self, sizes):
        cells = [f"{self.name}, {self.unit}"]
        for games in sizes:
            samples = self.samples.get(games)
            cells.append(f"{number(statistics.median(samples))} ({spread(samples)})" if samples else "")
        sign = "at most" if self.faster == "less" else "at least"
        goals = [f"{sign} {number(limit)} at {games:,}" for games, limit in self.limits.items()]
        return cells + [self.growth(), ", ".join(goals)]

    def against_limits(self):
        """The limits that were put to the test, as rows."""
        for games, limit in self.limits.items():
            if games in self.samples:
                row = Row(f"{self.name}, {games:,} games", self.unit,
                          f"the goal of {number(limit)} {self.unit}", 1, self.faster)
                for value in self.samples[games]:
                    row.add(value, limit)
                yield row


class Table:
    def __init__(self):
        self.rows, self.sized, self.stages, self.notes = {}, {}, [], []

    def row(self, name, unit, other="", **named):
        return self.rows.setdefault((name, other), Row(name, unit, other, **named))

    def sized_row(self, name, *arguments, **named):
        return self.sized.setdefault(name, SizedRow(name, *arguments, **named))

    def show(self):
        rows = [row for row in self.rows.values() if row.ours]
        show_lines(["what", "median", "min - max", "against", "its median", "ratio", "min - max", "goal"],
                   [row.line() for row in rows], left=(0, 3))
        sizes = sorted({games for row in self.sized.values() for games in row.samples})
        show_lines(["by number of games", *(f"{games:,}" for games in sizes), "for 10 x the games", "goal"],
                   [row.line(sizes) for row in self.sized.values()], left=(0, len(sizes) + 2))
        show_lines(["decoding, one core", "games/s", "ns/ply", "MB/s"],
                   [[f"{name}: {stage}", number(entry["games/s"]), number(entry["ns/ply"]),
                     number(entry["MB/s"]) if "MB/s" in entry else ""]
                    for name, stage, entry in self.stages], left=(0,))

    def draw(self, path):
        rows = [row for row in self.rows.values() if row.others]
        for row in self.sized.values():
            rows += row.against_limits()
        draw(rows, path)


def show_lines(head, lines, left):
    if lines:
        print("\n| " + " | ".join(head) + " |")
        print("| " + " | ".join("---" if i in left else "---:" for i in range(len(head))) + " |")
        for cells in lines:
            print("| " + " | ".join(cells) + " |")


def draw(rows, path):
    """Bars of the ratios on a logarithmic scale; a stroke marks the goal, a line 1."""
    values = [statistics.median(row.ratios()) for row in rows]
    everything = values + [row.goal for row in rows if row.goal] + [1]
    low = 10 ** math.floor(math.log10(min(everything)) - 0.01)
    high = 10 ** math.ceil(math.log10(max(everything)) + 0.01)
    left, width, step = 540, 420, 34
    height = step * len(rows) + 50

    def x(value):
        return left + width * math.log(value / low) / math.log(high / low)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 70}" height="{height}" '
             'font-family="sans-serif" font-size="12">',
             '<rect width="100%" height="100%" fill="white"/>']
    tick = low
    while tick <= high * 1.001:
        parts.append(f'<line x1="{x(tick):.1f}" y1="10" x2="{x(tick):.1f}" y2="{height - 30}" '
                     f'stroke="{"#444" if abs(tick - 1) < 1e-9 else "#ddd"}"/>')
        parts.append(f'<text x="{x(tick):.1f}" y="{height - 12}" text-anchor="middle">{tick:g}</text>')
        tick *= 10
    for place, (row, value) in enumerate(zip(rows, values)):
        top = 14 + step * place
        fill = "#4a7" if not row.goal or value >= row.goal else "#c64"
        name = row.name.replace("`", "")
        begin, end = sorted((x(1), x(value)))
        parts.append(f'<text x="{left - 8}" y="{top + 11}" text-anchor="end">{escape(name)}</text>')
        against = escape("against " + row.other.replace("`", ""))
        parts.append(f'<text x="{left - 8}" y="{top + 24}" text-anchor="end" fill="#777" '
                     f'font-size="10">{against}</text>')
        parts.append(f'<rect x="{begin:.1f}" y="{top + 2}" width="{max(1, end - begin):.1f}" height="18" '
                     f'fill="{fill}"/>')
        parts.append(f'<text x="{end + 5:.1f}" y="{top + 15}">{number(value)}</text>')
        if row.goal:
            parts.append(f'<line x1="{x(row.goal):.1f}" y1="{top - 1}" x2="{x(row.goal):.1f}" '
                         f'y2="{top + 23}" stroke="black" stroke-width="2"/>')
    parts.append("</svg>")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(parts) + "\n")
