"""The parts of a card that a layer may change: their access, their titles, and their text in one line.

The key of a part is a tuple: `("turns",)`, `("facts", "goal")`, `("enters", 2)` of the third force, `("victory", "red",
"won")`, `("special", "no-loading")`. An absent part is None.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import fields, replace
from typing import Any

from compiler.layered.procedure_table import procedure_hash
from compiler.source import nodes as source
from compiler.source.expression_text import expression_text
from compiler.source.span import Span

Key = tuple[Hashable, ...]
NAME_OF_PART = {
    "set_up": "set-up", "facts": "fact", "regions": "region", "victory": "victory of", "special": "special rule",
    "hexes": "notes of hexes", "sides": "notes of sides",
    "sets_up": "set-up of", "enters": "entry of", "placed": "placed pieces of", "relations": "relations of",
}  # fmt: skip


def title_of(card: source.Scenario, key: Key) -> str:
    """Return the title of a part in messages: `turns`, `fact goal`, `set-up of red, First`."""
    match key:
        case (kind, int(force_index)):
            force = card.forces[force_index]
            group = f", {force.group}" if force.group else ""
            return f"{NAME_OF_PART[str(kind)]} {force.side.text}{group}"
        case (kind, *names):
            return " ".join((NAME_OF_PART.get(str(kind), str(kind)), ", ".join(map(str, names)))).strip()
        case _:
            return ""


def part_of(card: source.Scenario, key: Key) -> Any:
    """Return a part of a card; None if it is absent."""
    match key:
        case (str(kind),):
            return getattr(card, kind) or None
        case ("special", name):
            return tuple(each for each in card.special if _rule_name(each) == name) or None
        case ("facts", name):
            return next((value for word, value in card.facts if word.text == name), None)
        case ("regions", name):
            return next((region for region in card.regions if region.name.text == name), None)
        case (str(kind), int(force_index)):
            return getattr(card.forces[force_index], kind) or None
        case _:
            return next((line for line in card.victory if _has_key(line, key)), None)


def with_part(card: source.Scenario, key: Key, name: source.Word, part: Any) -> source.Scenario:
    """Replace a part of a card, or append it if it is absent; None removes it."""
    fresh = () if part is None else (part,)
    match key:
        case ("order",):
            # Without its own `set_up`, sides set up in the order of moves: both are the same words then.
            return replace(card, order=part, set_up=part if card.set_up == card.order else card.set_up)
        case (str(kind),):
            fresh_part: Any = {kind: part or ()}
            return replace(card, **fresh_part)
        case ("special", rule):
            return replace(
                card, special=_replace_parts(card.special, lambda each: _rule_name(each) == rule, part or ())
            )
        case ("facts", fact):
            fact_entries = tuple((name, value) for value in fresh)
            return replace(card, facts=_replace_parts(card.facts, lambda each: each[0].text == fact, fact_entries))
        case ("regions", region):
            return replace(card, regions=_replace_parts(card.regions, lambda each: each.name.text == region, fresh))
        case ("enters", int(force_index)):
            return _with_force(card, force_index, replace(card.forces[force_index], enters=part))
        case (str(kind), int(force_index)):
            fresh_of_force: Any = {kind: part or ()}
            return _with_force(card, force_index, replace(card.forces[force_index], **fresh_of_force))
        case _:
            return replace(card, victory=_replace_parts(card.victory, lambda each: _has_key(each, key), fresh))


def span_of_part(card: source.Scenario, key: Key) -> Span:
    """Return the span of a part of a card, or else of what should contain it."""
    part = part_of(card, key)
    match key, part:
        case (_, int(force_index)), None:
            return card.forces[force_index].span
        case _, ((first, *_)) if isinstance(span := getattr(first, "span", None), Span):
            return span
        case _:
            return getattr(part, "span", card.name.span)


def part_text(part: Any) -> str:  # noqa: C901 - one arm for each part
    """Return a part in one line, close to its text on a card."""
    match part:
        case None:
            return "nothing"
        case source.VictoryLine(condition=condition):
            return expression_text(condition)
        case source.CardRegion(areas=areas):
            return part_text(areas)
        case (first, *_) if _rule_name(first):
            return procedure_hash(part)
        case (source.BoardPlacement(), *_):
            return _rows(part)
        case (
            source.NamedEntry(name=name, fields=values)
            | source.HexEntry(hex=name, properties=values)
            | (source.SideEntry(side=name, properties=values))
        ):
            return f"{name.text}: {part_text(source.ValueMap(part.span, values))}"
        case source.Connection(a=a, b=b, one_way=one_way):
            return f"{a.text} to {b.text}" if one_way else f"{a.text}-{b.text}"
        case source.Scalar(text=text) | source.Word(text=text):
            return text
        case source.ValueList(items=items):
            return f"[{', '.join(map(part_text, items))}]"
        case source.ValueMap(entries=entries):
            return "{" + ", ".join(f"{word.text}: {part_text(value)}" for word, value in entries) + "}"
        case (source.Area() as only,):
            return part_text(only)
        case tuple():
            return f"[{', '.join(map(part_text, part))}]"
        case source.Area() | source.Entry() | source.StartingPiece():
            return "{" + ", ".join(_pairs(part)) + "}"
        case _:
            return str(part)


def _rows(placements: tuple[source.BoardPlacement, ...]) -> str:
    """Format a map row by row."""
    rows: dict[int, list[str]] = {}
    for each in placements:
        if each.sheet > 0 and not any(other.sheet == each.sheet for other in placements if other.row < each.row):
            rows.setdefault(each.row - 1, ["apart"])
        rows.setdefault(each.row, []).append(f"{each.board.text} turned" if each.turned else each.board.text)
    return "[" + ", ".join(f"[{', '.join(row)}]" for row in rows.values()) + "]"


def _pairs(part: source.Area | source.Entry | source.StartingPiece) -> Iterator[str]:
    """Format the fields of an area, an entry or a placed piece."""
    for each in fields(part):
        match getattr(part, each.name):
            case None | () | Span():
                continue
            case source.MatchRange(low=low, high=high):
                yield f"{each.name}: {low}..{high}"
            case source.WithinDistance(most=most, more_than=minimum, of=origins):
                yield from [f"within: {most}"] * (most is not None)
                yield from [f"beyond: {minimum}"] * (minimum is not None)
                yield f"of: {part_text(origins)}"
            case source.ConnectedArea(around=center, up_to=up_to):
                yield f"around: {center.text}, up_to: {part_text(up_to)}"
            case value if each.name == "notes":
                yield from (f"{word.text}: {part_text(noted)}" for word, noted in value)
            case value:
                yield f"{each.name}: {part_text(value)}"


def _rule_name(part: Any) -> str:
    """Return the label or the name of a rule of a card; "" if it has neither."""
    if not isinstance(part, source.Statement):
        return ""
    called = getattr(part, "label", None) or getattr(part, "name", None)
    return called.text if isinstance(called, source.Word) else ""


def _with_force(card: source.Scenario, index: int, force: source.Force) -> source.Scenario:
    return replace(card, forces=(*card.forces[:index], force, *card.forces[index + 1 :]))


def _has_key(line: source.VictoryLine, key: Key) -> bool:
    return ("victory", line.side.text, line.level.text) == key


def _replace_parts(parts: tuple[Any, ...], matches: Callable[[Any], bool], fresh: tuple[Any, ...]) -> tuple[Any, ...]:
    if not any(map(matches, parts)):
        return (*parts, *fresh)
    return tuple(new for each in parts for new in (fresh if matches(each) else (each,)))
