"""The plots of an experiment: effects of stacks, wins, losses, and the sequence of estimates."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from runtime.experiment.share_intervals import ConfidenceInterval
from runtime.experiment.summary import Arm, ArmDifference, Summary

INK, PALE, PAPER = "#1f2933", "#d5dbe1", "#ffffff"
# The colors of M. Okabe and K. Ito, which are distinct to the color-blind; games without a winner are gray.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
NOBODYS = "#b4bcc4"

FONT = "font-family='system-ui, sans-serif'"
# The average width of a character at this size, which is sufficient for the layout of labels.
SIZE, WIDTH_OF_A_CHARACTER = 13, 7.2


def series_color(number: int) -> str:
    """Return the color of a series."""
    return COLORS[number % len(COLORS)]


def text_width(text: str) -> float:
    """Return the estimated width of a text."""
    return len(text) * WIDTH_OF_A_CHARACTER


class PlotDrawing:
    """A drawing of a given size, as a list of shapes."""

    def __init__(self, width: float, height: float, title: str) -> None:
        """Start with an empty drawing."""
        self.width, self.height, self.title = width, height, title
        self.strokes: list[str] = []

    def line(self, start: tuple[float, float], end: tuple[float, float], stroke: str = INK, width: float = 1) -> None:
        """Draw a straight line."""
        places = f"x1='{start[0]:.1f}' y1='{start[1]:.1f}' x2='{end[0]:.1f}' y2='{end[1]:.1f}'"
        self.strokes.append(f"<line {places} stroke='{stroke}' stroke-width='{width:g}'/>")

    def box(self, corner: tuple[float, float], width: float, height: float, fill: str) -> None:
        """Draw a filled rectangle."""
        place = f"x='{corner[0]:.1f}' y='{corner[1]:.1f}' width='{max(width, 0):.1f}' height='{height:.1f}'"
        self.strokes.append(f"<rect {place} fill='{fill}'/>")

    def dot(self, center: tuple[float, float], fill: str) -> None:
        """Draw a dot."""
        self.strokes.append(f"<circle cx='{center[0]:.1f}' cy='{center[1]:.1f}' r='5' fill='{fill}'/>")

    def track(self, points: list[tuple[float, float]], stroke: str) -> None:
        """Draw a polyline."""
        self.strokes.append(f"<polyline points='{_points(points)}' fill='none' stroke='{stroke}' stroke-width='2'/>")

    def area(self, points: list[tuple[float, float]], fill: str) -> None:
        """Draw a polygon with a translucent fill."""
        self.strokes.append(f"<polygon points='{_points(points)}' fill='{fill}' fill-opacity='0.18'/>")

    def add_label(self, place: tuple[float, float], text: str, anchor: str = "start") -> None:
        """Draw a text."""
        attributes = f"x='{place[0]:.1f}' y='{place[1]:.1f}' text-anchor='{anchor}' fill='{INK}'"
        self.strokes.append(f"<text {attributes} font-size='{SIZE}' {FONT}>{escape(text)}</text>")

    def __str__(self) -> str:
        """Return the SVG of the drawing."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        size = f"width='{self.width:.0f}' height='{self.height:.0f}' viewBox='0 0 {self.width:.0f} {self.height:.0f}'"
        yield f"<svg xmlns='http://www.w3.org/2000/svg' {size} role='img'>"
        yield f"<title>{escape(self.title)}</title>"
        yield f"<rect width='100%' height='100%' fill='{PAPER}'/>"
        yield from self.strokes
        yield "</svg>"


def _points(points: list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


class AxisScale:
    """A linear scale from numbers to coordinates, with round marks."""

    def __init__(self, numbers: tuple[float, float], places: tuple[float, float], marks: int = 6) -> None:
        """Extend the interval of numbers to the next marks."""
        low, high = numbers if numbers[0] < numbers[1] else (numbers[0] - 0.5, numbers[0] + 0.5)
        step = round_step((high - low) / marks)
        first, last = int(low // step), -int(-high // step)
        self.low, self.high, self.places = first * step, last * step, places
        self.marks = [round(number * step, 10) for number in range(first, last + 1)]

    def __call__(self, number: float) -> float:
        """Return the coordinate of a number."""
        start, end = self.places
        return start + (number - self.low) / (self.high - self.low) * (end - start)


def round_step(least: float) -> float:
    """Return the least of 1, 2, 5, 10, .. times a power of ten that is not less than a number."""
    power = 10.0 ** (len(f"{int(least)}") - 1) if least >= 1 else 1.0
    while power > least:
        power /= 10
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least * 0.999)


PLOT_WIDTH, ROW_HEIGHT, TOP, BOTTOM, ROW_GAP = 960, 30, 34, 44, 14
# The longest label that leaves room for the plot.
LONGEST_PLOT_LABEL = 60
RULES_DRAWN = 12
THICK = 15
# The width of a label of the key without its text.
SWATCH = 40


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot with the name of its file and its caption."""

    name: str
    caption: str
    svg: str


def draw_plots(summary: Summary) -> Iterator[Plot]:
    """Yield all plots that have data."""
    if summary.differences:
        caption = f"What each stack changes in the wins of {summary.side}, with 95 percent intervals."
        yield Plot("effects", caption, draw_effects(summary))
    if any(arm.n for arm in summary.arms):
        yield Plot("wins", "Who wins; gray: nobody.", draw_balance(summary))
    if any(len(gap.running_estimates) > 1 for gap in summary.differences):
        yield Plot(
            "course", "How the estimates came to be, game by game, with their intervals.", sequential_estimates(summary)
        )
    if any(arm.losses for arm in summary.arms):
        yield Plot("losses", "What is out of play at the end of a game, on average.", losses_plot(summary))
    if any(len(arm.lengths) > 1 for arm in summary.arms):
        yield Plot("lengths", "In which turn games end, as a share of all.", draw_lengths(summary))
    if len(summary.stacks) > 1 and any(min(counts) != max(counts) for _, counts in summary.fired):
        yield Plot("rules", "Rules that are live more or less often: answers a game.", draw_rules(summary))


def truncate_label(label: str) -> str:
    """Truncate a label in the middle."""
    half = LONGEST_PLOT_LABEL // 2 - 1
    return label if len(label) <= LONGEST_PLOT_LABEL else f"{label[:half]} .. {label[-half:]}"


def row_name(summary: Summary, rules_: str, players: str) -> str:
    """Return the label of a row."""
    return truncate_label(f"{rules_}, {players}" if (len({arm.players for arm in summary.arms}) > 1) else rules_)


def draw_effects(summary: Summary) -> str:
    """Draw every difference with its interval, and the zero line."""
    rows: list[tuple[str, float, ConfidenceInterval]] = [
        (row_name(summary, gap.rules, gap.players), gap.estimate, gap.interval) for gap in summary.differences
    ]
    rows += [
        (truncate_label(f"{name}, all players"), found.mean, found.interval) for name, _, found in summary.together
    ]
    left = max(text_width(label) for label, _, _ in rows) + ROW_GAP
    drawing = PlotDrawing(PLOT_WIDTH, TOP + ROW_HEIGHT * len(rows) + BOTTOM, "Differences of wins")
    ends = [0.0, *(end for _, _, interval in rows for end in interval)]
    scale = AxisScale((min(ends), max(ends)), (left, PLOT_WIDTH - 30))
    foot = TOP + ROW_HEIGHT * len(rows)
    draw_scale_marks(drawing, scale, foot, lambda mark: f"{mark:+.0%}" if mark else "0")
    drawing.line((scale(0), TOP - 10), (scale(0), foot), INK, 1.5)
    for number, (label, estimate, interval) in enumerate(rows):
        y = TOP + ROW_HEIGHT * (number + 0.5)
        drawing.add_label((left - ROW_GAP, y + 4), label, "end")
        clear = not interval.low <= 0 <= interval.high
        shade = COLORS[0] if clear else INK
        drawing.line((scale(interval.low), y), (scale(interval.high), y), shade, 3)
        drawing.dot((scale(estimate), y), shade)
    return str(drawing)


def draw_scale_marks(
    drawing: PlotDrawing, scale: AxisScale, foot: float, label_of: Callable[[float], str], top: float = TOP
) -> None:
    """Draw the marks of a horizontal scale."""
    for mark in scale.marks:
        drawing.line((scale(mark), top - 10), (scale(mark), foot), PALE)
        drawing.add_label((scale(mark), foot + 20), label_of(mark), "middle")


def key_lines(labels: Sequence[str], left: float) -> list[list[str]]:
    """Wrap the labels of a key to the width of the plot."""
    lines: list[list[str]] = [[]]
    for label in labels:
        if lines[-1] and left + sum(text_width(text) + SWATCH for text in [*lines[-1], label]) > PLOT_WIDTH:
            lines.append([])
        lines[-1].append(label)
    return lines


def plot_top(labels: Sequence[str], left: float) -> float:
    """Return the top of a plot below its key."""
    return TOP + 18 * (len(key_lines(labels, left)) - 1)


def draw_key(drawing: PlotDrawing, series: Mapping[str, str], left: float) -> None:
    """Draw the key of colors."""
    for number, labels in enumerate(key_lines(list(series), left)):
        x, y = left, 6 + 18 * number
        for label in labels:
            drawing.box((x, y), 12, 12, series[label])
            drawing.add_label((x + 17, y + 10), label)
            x += text_width(label) + SWATCH


def draw_balance(summary: Summary) -> str:
    """Draw the shares of wins of every stack and seating."""
    labels = [row_name(summary, arm.rules, arm.players) for arm in summary.arms]
    left = max(map(text_width, labels)) + ROW_GAP
    foot = TOP + ROW_HEIGHT * len(labels)
    drawing = PlotDrawing(PLOT_WIDTH, foot + BOTTOM, "Who wins")
    scale = AxisScale((0, 1), (left, PLOT_WIDTH - 30), 5)
    draw_scale_marks(drawing, scale, foot, lambda mark: f"{mark:.0%}")
    shades = [(side, series_color(number)) for number, side in enumerate(summary.sides)]
    draw_key(drawing, {**dict(shades), "nobody": NOBODYS}, left)
    for number, (label, arm) in enumerate(zip(labels, summary.arms, strict=True)):
        y = TOP + ROW_HEIGHT * number
        drawing.add_label((left - ROW_GAP, y + ROW_HEIGHT / 2 + 4), label, "end")
        start = 0.0
        won = {**dict(arm.won_by), "": arm.n - sum(count for _, count in arm.won_by)}
        for side, shade in (*shades, ("", NOBODYS)):
            share = won.get(side, 0) / arm.n if arm.n else 0
            drawing.box((scale(start), y + 5), scale(start + share) - scale(start), ROW_HEIGHT - 10, shade)
            start += share
    return str(drawing)


def sequential_estimates(summary: Summary) -> str:
    """Draw the sequence of estimates over the number of games."""
    gaps = [gap for gap in summary.differences if len(gap.running_estimates) > 1]
    left, height = 70.0, 240.0
    labels = [row_name(summary, gap.rules, gap.players) for gap in gaps]
    foot = plot_top(labels, left) + height
    drawing = PlotDrawing(PLOT_WIDTH, foot + BOTTOM, "The estimates as games were played")
    x_scale = AxisScale((0, max(gap.running_estimates[-1].games for gap in gaps)), (left, PLOT_WIDTH - 30))
    # The estimates of the first few games vary widely, and would compress the rest.
    late_points = [point for gap in gaps for point in gap.running_estimates[len(gap.running_estimates) // 8 :]]
    ends = [0.0, *(end for point in late_points for end in point.interval)]
    y_scale = AxisScale((max(-1.0, min(ends)), min(1.0, max(ends))), (foot, foot - height), 5)
    for mark in y_scale.marks:
        drawing.line((left, y_scale(mark)), (PLOT_WIDTH - 30, y_scale(mark)), PALE)
        drawing.add_label((left - 8, y_scale(mark) + 4), f"{mark:+.0%}" if mark else "0", "end")
    drawing.line((left, y_scale(0)), (PLOT_WIDTH - 30, y_scale(0)), INK, 1.5)
    for mark in x_scale.marks:
        drawing.add_label((x_scale(mark), foot + 20), f"{mark:.0f}", "middle")
    drawing.add_label((PLOT_WIDTH - 30, foot + 38), "games", "end")
    for number, gap in enumerate(gaps):
        _draw_estimate(drawing, gap, (x_scale, y_scale), series_color(number))
    draw_key(drawing, {label: series_color(number) for number, label in enumerate(labels)}, left)
    return str(drawing)


def _draw_estimate(drawing: PlotDrawing, gap: ArmDifference, scales: tuple[AxisScale, AxisScale], shade: str) -> None:
    """Draw one estimate with the band of its interval."""
    x_scale, y_scale = scales

    def place(games: int, share: float) -> tuple[float, float]:
        return x_scale(games), y_scale(min(y_scale.high, max(y_scale.low, share)))

    above = [place(point.games, point.interval.high) for point in gap.running_estimates]
    below = [place(point.games, point.interval.low) for point in gap.running_estimates]
    drawing.area([*above, *reversed(below)], shade)
    drawing.track([place(point.games, point.estimate) for point in gap.running_estimates], shade)


@dataclass(frozen=True, slots=True)
class BarChart:
    """A bar chart: groups with a label, and a number for each series."""

    title: str
    series: tuple[str, ...]
    groups: tuple[tuple[str, tuple[float, ...]], ...]
    form: str


def draw_bars(chart: BarChart) -> str:
    """Draw a horizontal bar chart, each bar with its number."""
    tall = THICK * len(chart.series) + 12
    left = max(text_width(truncate_label(label)) for label, _ in chart.groups) + ROW_GAP
    labels = [truncate_label(name) for name in chart.series]
    top = plot_top(labels, left)
    foot = top + tall * len(chart.groups)
    drawing = PlotDrawing(PLOT_WIDTH, foot + BOTTOM, chart.title)
    scale = AxisScale((0, max(max(numbers) for _, numbers in chart.groups)), (left, PLOT_WIDTH - 70))
    draw_scale_marks(drawing, scale, foot, lambda mark: f"{mark:g}", top)
    draw_key(drawing, {label: series_color(number) for number, label in enumerate(labels)}, left)
    for row, (label, numbers) in enumerate(chart.groups):
        y = top + tall * row + 6
        drawing.add_label((left - ROW_GAP, y + (tall - 12) / 2 + 4), truncate_label(label), "end")
        for number, value in enumerate(numbers):
            drawing.box((left, y + THICK * number), scale(value) - left, THICK - 2, series_color(number))
            drawing.add_label((scale(value) + 5, y + THICK * number + 11), format(value, chart.form))
    return str(drawing)


def first_seating(summary: Summary) -> list[Arm]:
    """Return the arms of the first seating."""
    return [arm for arm in summary.arms if arm.players == summary.arms[0].players]


def losses_plot(summary: Summary) -> str:
    """Draw the losses of each counter by side, for the first seating."""
    arms = first_seating(summary)
    known = [{(side, counter): lost for side, counter, lost in arm.losses} for arm in arms]
    counters = sorted(set().union(*known), key=lambda what: (summary.sides.index(what[0]), what[1]))
    groups = tuple(
        (f"{side} {counter}", tuple(lost.get((side, counter), 0.0) for lost in known)) for side, counter in counters
    )
    return draw_bars(BarChart("Losses", tuple(arm.rules for arm in arms), groups, ".2f"))


def draw_lengths(summary: Summary) -> str:
    """Draw the distribution of the last turn of games, for the first seating."""
    arms = first_seating(summary)
    known = [dict(arm.lengths) for arm in arms]
    turns = sorted(set().union(*known))
    groups = tuple(
        (
            f"turn {turn}",
            tuple(100 * ended.get(turn, 0) / max(1, arm.n) for ended, arm in zip(known, arms, strict=True)),
        )
        for turn in turns
    )
    return draw_bars(BarChart("Length of games, percent", tuple(arm.rules for arm in arms), groups, ".0f"))


def draw_rules(summary: Summary) -> str:
    """Draw how often rules are live, for rules that differ between stacks."""
    rules = [(label, counts) for label, counts in summary.fired if min(counts) != max(counts)]
    return draw_bars(BarChart("Rules that speak", summary.stacks, tuple(rules[:RULES_DRAWN]), ".1f"))
