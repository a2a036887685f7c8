"""Convert drawings for paper: the same pictures with computed colors, as paper has no style sheet.

The input is a drawing for pages, whose classes a style sheet colors; the output is a picture without a style sheet.
"""

import colorsys
import re

LINE_STYLE = 'fill="none" stroke="#000" stroke-opacity="0.2" stroke-width="1.1"'
DOT = 'r="1.1" fill="#000" fill-opacity="0.2"'
HATCHES = {
    "dots": (9, 9, f'<circle cx="2" cy="2" {DOT}/><circle cx="6.5" cy="6.5" {DOT}/>'),
    "rise": (7, 7, f'<path d="M-1,8L8,-1" {LINE_STYLE}/>'),
    "fall": (7, 7, f'<path d="M-1,-1L8,8" {LINE_STYLE}/>'),
    "waves": (14, 8, f'<path d="M0,4q3.5,-4 7,0t7,0" {LINE_STYLE}/>'),
    "cross": (9, 9, f'<path d="M4.5,2v5M2,4.5h5" {LINE_STYLE}/>'),
}
DEFS = "".join(
    f'<pattern id="{name}" width="{wide}" height="{high}" patternUnits="userSpaceOnUse">{drawn}</pattern>'
    for name, (wide, high, drawn) in HATCHES.items()
)
FONT = 'font-family="Libertinus Serif" font-weight="bold"'
# Classes whose style does not depend on the tint of what they mark.
FIXED = {
    "map": ' xmlns="http://www.w3.org/2000/svg"',
    "lone": ' xmlns="http://www.w3.org/2000/svg"',
    "hex bare": ' fill="#f4efe2" stroke="#5f574b" stroke-width="1.2"',
    "path edge": ' fill="none" stroke="#211d18" stroke-opacity="0.55" stroke-width="9.5" stroke-linejoin="bevel"',
    "link": ' stroke="#5f574b" stroke-width="3.5"',
    "link oneway": ' stroke="#5f574b" stroke-width="3.5" stroke-dasharray="9 4 2 4"',
    "wall": ' stroke="#211d18" stroke-width="6"',
    "piece": f' {FONT} fill="#1b1813"',
    "factor": f' {FONT} fill="#1b1813"',
    "facing": ' fill="#1b1813" stroke="#f4efe2" stroke-width="1"',
    "hatch": ' stroke="none"',
}
TAG = re.compile(r'<(\w+)([^<>]*?) class="([^"]*)"([^<>]*?)(/?)>')
TINT = re.compile(r'\s*style="--h:(\d+);--s:(\d+)%;--d:(\d+)"')


def with_print_colors(svg: str) -> str:
    """Replace the classes of a drawing by colors."""
    body = TAG.sub(_mixed, svg)
    body = re.sub(r"<title>.*?</title>", "", body)
    return body.replace(">", f"><defs>{DEFS}</defs>", 1) if 'fill="url(#' in body else body


def _mixed(tag: re.Match[str]) -> str:
    name, before, kind, after, closing = tag.groups()
    rest = before + after
    tint = TINT.search(rest)
    hue, strength, depth = (int(part) for part in tint.groups()) if tint else (0, 0, 0)
    rest = TINT.sub("", rest)
    return f"<{name}{_paint(kind, hue, strength, depth)}{rest}{closing}>"


def _paint(kind: str, hue: int, strength: int, depth: int) -> str:
    """Return, as attributes, the style that the style sheet defines for a class by day."""
    match kind:
        case "hex":
            return f' fill="{_color(hue, strength, 86 - 6 * depth)}" stroke="#5f574b" stroke-width="1.2"'
        case "ring":
            return f' fill="none" stroke="{_color(hue, strength, 42)}" stroke-width="4"'
        case "path":
            pale = _color(hue, round(strength * 0.3), 66)
            return f' fill="none" stroke="{pale}" stroke-width="7" stroke-linejoin="bevel"'
        case "side":
            return f' stroke="{_color(hue, max(strength, 45), 42)}" stroke-width="6.5" stroke-linecap="square"'
        case "counter":
            return f' fill="{_color(hue, max(strength, 30), 80)}" stroke="{_color(hue, 30, 30)}" stroke-width="1.4"'
        case "where" | "what":
            slant = ' font-style="italic"' if kind == "what" else ""
            return f' {FONT}{slant} font-size="12" text-anchor="middle" fill="#211d18"'
        case _:
            return FIXED[kind]


def _color(hue: int, strength: int, depth: int) -> str:
    red, green, blue = colorsys.hls_to_rgb(hue / 360, depth / 100, strength / 100)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"
