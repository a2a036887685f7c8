"""The completions at a cursor, the likeliest first, and the signature of the call around it.

In: the text before the cursor, the last stack that compiled, and the index. What stands there already may be broken, so
the line is read backwards from the cursor; types come from names of the same file that were typed when it last was
whole. Offers are ranked: what this place asks for, names in scope, questions, the rest.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from compiler.index.occurrences import Occurrence
from compiler.source.files import lines_of
from compiler.source.span import Span
from compiler.typed.environment import PLAIN, Environment, type_text
from compiler.typed.name_uses import LOCAL
from compiler.typed.values.calls import FUNCTIONS
from compiler.typed.values.flags import possible
from compiler.typed.values.names import CARD, CLOCK, CROSSING, HEX_GIVEN, PIECE_GIVEN, fields_of, tracks_of
from rulewright.editor.workspace import EditorWorkspace, Offer
from rulewright.library.stacks import Stack
from runtime.graph import nodes as graph
from runtime.graph.operators import OPERATORS

WORD = re.compile(r"[^\W\d][\w-]*$|'[^']*$")
# What the words before a cursor ask for.
PLACES = (
    (re.compile(r"\b(?:exception to|replaces|withdraws|suppresses|clarifies|because|refused by|forbidden by)\b"
                r"[^.:(){}]*$"), "paragraph"),
    (re.compile(r"\bdo\s+$"), "resolution"),
    (re.compile(r"\b(?:tell|after)\s+$"), "event"),
    (re.compile(r"\b(?:offer|act)\s+(?:[\w() ]+,\s*)*$"), "action"),
    (re.compile(r"[^\W\d]\w*:\s*(?:[\w|]*\|)?$|\bof\s+$|\ball\s+$"), "type"),
)  # fmt: skip
TESTED = re.compile(r"([\w.()', ]*?)\s+is\s+(?:not\s+)?(?:[\w]+\|)*$")
COMPARED = re.compile(r"([\w.()', ]*?)\s*(?:!=|=)\s*$")
LAST_NAME = re.compile(r"([^\W\d]\w*)(?:\([^()]*\))?\s*$")
OPEN_CALL = re.compile(r"([^\W\d]\w*)\s*$")
COMMENT = re.compile(r"^[^\"]*#|^(?:[^\"]*\"[^\"]*\")*[^\"]*#")
FIRST, IN_SCOPE, QUESTIONS, REST = range(4)


@dataclass(frozen=True, slots=True)
class RankedOffer:
    """A word that may stand at the cursor; lower ranks first."""

    rank: int
    offer: Offer


@dataclass(frozen=True, slots=True)
class CallSignature:
    """A call: as it is written, its parameters, which of them the cursor is in, from zero, and how it reads."""

    label: str
    parameters: tuple[str, ...]
    active: int
    reads: str


@dataclass(frozen=True, slots=True)
class _Place:
    """A line of a text, counted from zero, and the names of the file; `typed` when it was typed last, in `then`."""

    lines: list[str]
    line: int
    names: tuple[Occurrence, ...]
    typed: tuple[Occurrence, ...]
    then: list[str]


def offers(workspace: EditorWorkspace, path: Path, text: str, line: int, column: int) -> list[RankedOffer]:
    """List what may stand at a place, counted from zero, the likeliest first."""
    before = _before(text, line, column)
    if COMMENT.match(before):
        return []
    stack = workspace.stack_of(path)
    known = {each.word: each for each in workspace.offers(path)}
    with workspace.index_of(path) as found:
        if found is None or stack is None or stack.graph is None or stack.env is None:
            return [RankedOffer(REST, each) for each in known.values()]
        names = found.index.files.get(found.files.get(path.resolve(), ""), ())
        place = _Place(lines_of(text), line, names, found.typed[0], lines_of(found.typed[1]))
        asked = list(_asked_for(before[: len(before) - len(_word(before))], place, stack, stack.env, known))
        if asked:
            return [RankedOffer(FIRST, each) for each in asked]
        scope = list(_in_scope(place))
    ranked = {word: RankedOffer(QUESTIONS if each.what == "question" else REST, each) for word, each in known.items()}
    ranked |= {each.word: RankedOffer(IN_SCOPE, each) for each in scope}
    return sorted(ranked.values(), key=lambda each: (each.rank, each.offer.word))


def signature(workspace: EditorWorkspace, path: Path, text: str, line: int, column: int) -> CallSignature | None:
    """Return the signature of the call at a place, counted from zero; None: in no call, or of an unknown name."""
    called = _open_call(_before(text, line, column))
    stack = workspace.stack_of(path)
    if called is None or stack is None or stack.graph is None:
        return None
    name, active = called
    rules = stack.graph
    if term := rules.terms.get(name):
        return _signature(name, term.parameters, type_text(term.type), active, term.reads)
    if procedure := next((each for each in rules.procedures.values() if each.name == name), None):
        return _signature(name, procedure.parameters, "", active, procedure.prose or "")
    if event := rules.vocabulary.events.get(name):
        return _signature(name, event.parameters, "", active, "")
    if relation := rules.vocabulary.relations.get(name):
        return _signature(name, (relation.left, relation.right), "yes or no", active, "")
    if record := rules.vocabulary.records.get(name):
        return _signature(name, record.fields, name, active, "")
    if name in FUNCTIONS:
        takes = tuple(map(type_text, FUNCTIONS[name]))
        return CallSignature(f"{name}({', '.join(takes)})", takes, active, OPERATORS[name].documentation)
    return None


def _signature(name: str, parameters: Iterable[graph.Parameter], gives: str, active: int, reads: str) -> CallSignature:
    written = tuple(f"{part.name}: {type_text(part.type)}" for part in parameters)
    ending = f": {gives}" if gives else ""
    return CallSignature(f"{name}({', '.join(written)}){ending}", written, active, reads)


def _open_call(before: str) -> tuple[str, int] | None:
    """Find the innermost call that is open at the end of a text, and how many commas stand in it."""
    depth = commas = 0
    for at in range(len(before) - 1, -1, -1):
        letter = before[at]
        if letter in ")]}":
            depth += 1
        elif letter in "([{":
            if depth:
                depth -= 1
            else:
                called = OPEN_CALL.search(before[:at]) if letter == "(" else None
                return (called[1], commas) if called else None
        elif letter == "," and not depth:
            commas += 1
    return None


def _asked_for(before: str, place: _Place, stack: Stack, env: Environment, known: dict[str, Offer]) -> Iterator[Offer]:
    """List what this place asks for: the fields of what stands before a dot, what something can be, a kind of name."""
    if before.endswith("."):
        yield from _fields(before[:-1], place, env)
    elif tested := TESTED.search(before):
        type_ = _type_of(tested[1], place)
        words = _members(type_, env) or (tuple(possible(type_, env)) if type_ else ())
        yield from (Offer(word, "what it can be", "") for word in dict.fromkeys(words))
    elif (compared := COMPARED.search(before)) and (members := _members(_type_of(compared[1], place), env)):
        yield from (Offer(word, "member", "") for word in members)
    else:
        what = next((what for pattern, what in PLACES if pattern.search(before)), "")
        yield from _called(what, stack, env, known)


def _called(what: str, stack: Stack, env: Environment, known: dict[str, Offer]) -> Iterator[Offer]:
    rules = stack.graph
    assert rules is not None
    match what:
        case "paragraph":
            yield from (known[each] for each in sorted({*rules.rules, *rules.rulings, *rules.cases}) if each in known)
        case "resolution" | "action":
            yield from (each for each in known.values() if each.what == what)
        case "event":
            yield from (Offer(name, "event", "") for name in rules.vocabulary.events if " " not in name)
        case "type":
            kinds = (env.kinds, env.enums, env.scales, env.domains, env.records)
            yield from (Offer(name, "type", "") for each in kinds for name in sorted(each.bindings))
            yield from (Offer(name, "type", "") for name in PLAIN)
        case _:
            pass


def _fields(before: str, place: _Place, env: Environment) -> Iterator[Offer]:
    if re.search(r"\b(?:game|scenario)$", before):
        owner = "game" if before.endswith("game") else "scenario"
        found = {**(CLOCK if owner == "game" else CARD), **tracks_of(owner, env)}
    else:
        match _type_of(before, place):
            case graph.Piece(kinds):
                found = {**fields_of(kinds or tuple(env.kinds.bindings), env), **PIECE_GIVEN}
            case graph.Hex():
                found = {**HEX_GIVEN, **tracks_of("hex", env)}
            case graph.Enum("side"):
                found = tracks_of("side", env)
            case graph.RecordOf(name):
                found = {part.name: part.type for part in env.records.bindings[name].fields}
            case graph.Crossing():
                found = dict(CROSSING)
            case _:
                found = {}
    yield from (Offer(name, type_text(type_), "") for name, type_ in sorted(found.items()))


def _type_of(before: str, place: _Place) -> graph.Type | None:
    """Find the type of the expression that a text ends with: that of the nearest name written so, in this file."""
    named = LAST_NAME.search(before)
    if named is None:
        return None
    alike = [each for each in place.typed if each.type and _text_at(place.then, each.span) == named[1]]
    nearest = min(alike, key=lambda each: abs(each.span.line - 1 - place.line), default=None)
    return nearest.type if nearest else None


def _members(type_: graph.Type | None, env: Environment) -> tuple[str, ...]:
    match type_:
        case graph.Enum(name):
            return env.members(name)
        case graph.Scale(name):
            return tuple(f"'{place}'" for place, _ in env.scales.bindings[name].places)
        case _:
            return ()


def _in_scope(place: _Place) -> Iterator[Offer]:
    """List the names that the paragraph around a line binds before it."""
    lines = place.lines
    first = place.line
    while first > 0 and (not lines[first : first + 1] or lines[first][:1].isspace() or not lines[first]):
        first -= 1
    for each in place.names:
        what = each.symbol.partition(" ")[0]
        if each.declares and what in {LOCAL, "parameter"} and first < each.span.line <= place.line + 1:
            yield Offer(_text_at(place.lines, each.span), type_text(each.type) if each.type else "name", "")


def _text_at(lines: list[str], span: Span) -> str:
    """Return what stands in a stretch of one line."""
    return lines[span.line - 1][span.column - 1 : span.end_column - 1] if span.line <= len(lines) else ""


def _before(text: str, line: int, column: int) -> str:
    lines = lines_of(text)
    return lines[line][:column] if line < len(lines) else ""


def _word(before: str) -> str:
    found = WORD.search(before)
    return found.group() if found else ""
