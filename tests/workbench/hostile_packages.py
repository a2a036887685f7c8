"""Ten foreign packages that compile or nearly do, whose names and texts are markup, reversed, long, or no text.

Each is the game that `rulewright new game` writes, under a name of its own, with other texts or files.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from string import Template

from rulewright.write.new_packages import SCAFFOLD

# Sets a variable of the window where it is run.
RUN = "window.harmed=1"
MARKUP = f"<img src=x onerror={RUN}><script>{RUN}</script>"
TURNED = "\u202eevil\u2066 \u200f\u061c"
LONG = "Donaudampfschifffahrt" * 60
STACKED = "Z" + "\u0301\u0323" * 200  # Combining marks, above and below the line.
SCALABLE = "&lt;svg onload=" + RUN + "&gt;&#x3c;b&#x3e;"

Files = dict[str, str]
Laid = Callable[[Files], Mapping[str, str | bytes]]


def _swap(name: str, old: str, new: str) -> Laid:
    def changed_files(files: Files) -> Mapping[str, str]:
        assert old in files[name], (name, old)
        return {name: files[name].replace(old, new)}

    return changed_files


def _titled(text: str) -> Laid:
    """Return a function that replaces every title in the game's files by a text."""

    def changed_files(files: Files) -> Mapping[str, str]:
        given = text.replace('"', "'")
        quoted = "'" + text.replace("'", "''") + "'"
        return {
            "layer.yaml": f"{files['layer.yaml'].split('title:')[0]}title: {quoted}\nkind: base\nplayable: yes\n",
            "field.yaml": files["field.yaml"].replace("title: The Field", f"title: {quoted}")
            .replace("title: The First Game of ", f"title: {quoted} #"),
            "world.rules": files["world.rules"].replace('"North"', f'"{given}"').replace('"tired"', f'"{given}"')
            .replace('"on foot"', f'"{given}"').replace('"movement points"', f'"{given}"'),
            "charts.yaml": files["charts.yaml"].replace('"the price of', f'"{given} price of')
            + f"titles: {{runner: {quoted}, cart: {quoted}}}\n",
            "playing.rules": files["playing.rules"].replace('"Movement"', f'"{given}"')
            .replace('"Move one unit one hex."', f'"{given}."').replace('"Setting up"', f'"{given}"'),
            "moving.rules": files["moving.rules"].replace('"A hex costs what the chart says."', f'"{given}."')
            .replace('case moving "Moving"', f'case moving "{given}"')
            .replace("No. A unit on foot", f"{given} No. A unit on foot")
            .replace('example "tired"', f'example "{given}"'),
            "sources.yaml": files["sources.yaml"].replace("title: The", f"title: {quoted} # The"),
        }  # fmt: skip

    return changed_files


def _counters(text: str) -> Laid:
    """Return a function that replaces the id of a counter by a text."""
    given = "'" + text.replace("'", "''") + "'"

    def changed_files(files: Files) -> Mapping[str, str]:
        swapped = {name: each.replace("runner", given) for name, each in files.items() if name.endswith(".yaml")}
        return swapped | {name: each.replace(": runner", f": {given}") for name, each in files.items()
                          if name.endswith(".rules")}  # fmt: skip

    return changed_files


PACKAGES: Mapping[str, Laid] = {
    "markup_titles": _titled(MARKUP),
    "turned_titles": _titled(TURNED),
    "long_titles": _titled(LONG),
    "stacked_titles": _titled(STACKED),
    "escaped_titles": _titled(SCALABLE),
    "markup_ids": _counters("<b onmouseover=alert(1)>runner"),
    "script_places": _swap(
        "field.yaml", "facts: {goal: B4}", "facts: {goal: '</text><script>window.harmed=1</script>'}"
    ),
    "no_text": lambda _: {"field.yaml": b"\xff\xfe\x00board: field\x00"},
    "never_ends": lambda _: {"more.rules": 'define again(h: hex): 0..9 [house] = again(h) reads "x"\n'},
}


def never_done(files: Files) -> Mapping[str, str]:
    """Return rules that compile with a warning: an event of a march emits itself, so no march ends."""
    hook = "\nafter stirred(u) [house] {\n  if u is tired or u is not tired { tell stirred(u) }\n}\n"
    march = files["playing.rules"].replace("  move mover to to\n", "  move mover to to\n  tell stirred(mover)\n")
    return {"world.rules": f"{files['world.rules']}\nevent stirred(u: unit)\n", "playing.rules": march + hook}


def plant(place: Path, packages: Mapping[str, Laid] = PACKAGES) -> tuple[Path, ...]:
    """Write the packages and return their folders, one of which has markup as its name."""
    planted = []
    for name, package_files in packages.items():
        files = {
            file.name: Template(file.read_text(encoding="utf-8"))
            .substitute(name=name, dash=name.replace("_", "-"), title="Toy", prefix=name[:3].upper() + name[-1].upper())
            for file in sorted((SCAFFOLD / "game").iterdir())
        }  # fmt: skip
        folder = place / (name if name != "never_ends" else "<img src=x onerror=alert(1)>")
        folder.mkdir()
        for file, content in {**files, **package_files(files)}.items():
            (folder / file).write_bytes(content if isinstance(content, bytes) else content.encode())
        planted.append(folder)
    return tuple(planted)
