"""The completions at a cursor, the likeliest first, and the signature of the call around it.

In: the text before the cursor, the last stack that compiled, and the index. What stands there already may be broken, so
the line is read backwards from the cursor; types come from names of the same file that were typed when it last was
whole. Offers are ranked: what this place asks for, names in scope, questions, the rest.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
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
# What the words before a cursor ask for, the particular before the general.
PLACES = (
    (re.compile(r"^\s*piece\b[^:]*:\s*$"), "counter"),
    (re.compile(r"^\s*piece\b.*\((?:[^()]*,\s*)?$"), "property"),
    (re.compile(r"^\s*(?:piece|order|phase)\b.*\bof\s+$|^\s*act\b.*\)\s*by\s+$"), "side"),
    (re.compile(r"^\s*piece\b.*\bat\s+$|^\s*act\b[^)]*:\s*$"), "here"),
    (re.compile(r"^\s*row\b.*[\w)]\s+$"), "feature hex"),
    (re.compile(r"^\s*sides\b.*\w/\S+\s+(?:\w+\s+)*$"), "feature hexside"),
    (re.compile(r"^\s*path\s+$"), "path path"),
    (re.compile(r"^(?:action|reaction)\b.*\bin\s+(?:\w+,\s*)*$|^\s*(?:order|phase)\b.*\bphase\s+$"), "phase"),
    (re.compile(r"^feature\s+$"), "map"),
    (re.compile(r"^(?:status|track|trait|place)\s+$"), "owner"),
    (re.compile(r"(?<![\w-])\d+\s+$"), "measure"),
    (re.compile(r"^(?:action|reaction)\b.*\bby\s+$"), "actor"),
    (re.compile(r"\b(?:exception to|replaces|withdraws|suppresses|clarifies)\b[^.:(){}]*$"), "related"),
    (re.compile(r"\b(?:because|refused by|forbidden by)\b[^.:(){}]*$"), "paragraph"),
    (re.compile(r"\bdo\s+$"), "resolution"),
    (re.compile(r"\b(?:tell|after)\s+$"), "event"),
    (re.compile(r"\b(?:offer|act)\s+(?:[\w() ]+,\s*)*$"), "action"),
    (re.compile(r"[\w)]:\s*(?:[\w|]*\|)?$|\bof\s+$|\ball\s+$"), "type"),
)
# Where a paragraph begins; an account belongs to the one above it.
HEAD = re.compile(
    r"\s*(?:rule|ruling|define|example|action|resolution|reaction|sequence|precondition)\b|(?!\s|\}|account\b)\S"
)
ACTS = re.compile(r"(?:action|reaction|sequence)\b")
CHOICE = re.compile(r"\bact\s+(?P<action>\w+)\(.*?(?P<name>\w+):\s*$")
OWN_LABEL = re.compile(r"\s*(?:rule|ruling)\s+([\w-]+)")
SET = re.compile(r"^\s*set\s+[\w.]*\.$")
TESTED = re.compile(r"([\w.()', ]*?)\s+is\s+(?:not\s+)?(?:[\w]+\|)*$")
COMPARED = re.compile(r"([\w.()', ]*?)\s*(?:!=|=)\s*$")
LAST_NAME = re.compile(r"([^\W\d]\w*)(?:\([^()]*\))?\s*$")
OPEN_CALL = re.compile(r"([^\W\d]\w*)\s*$")
COMMENT = re.compile(r"^[^\"]*#|^(?:[^\"]*\"[^\"]*\")*[^\"]*#")
FIRST, IN_SCOPE, QUESTIONS, REST = range(4)
# What every game has.
ALWAYS = {"game": "the clock", "scenario": "the card", "player": "who acts", "reserve": "function"} | dict.fromkeys(
    FUNCTIONS, "function"
)


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
    first: int = 0  # where the paragraph around begins


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
        place = replace(place, first=_first_line(place.lines, line))
        scope = list(_in_scope(place, stack.graph))
        asked = list(_asked_for(before[: len(before) - len(_word(before))], place, stack, scope, known))
        if asked:
            return asked
    known |= {word: Offer(word, what, "") for word, what in ALWAYS.items() if word not in known}
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


def _asked_for(
    before: str, place: _Place, stack: Stack, scope: list[Offer], known: dict[str, Offer]
) -> Iterator[RankedOffer]:
    """List what this place asks for: the fields of what stands before a dot, what something can be, a kind of name."""
    env = stack.env
    assert env is not None
    if before.endswith("."):
        yield from _ranked(_fields(before[:-1], place, env, settable=bool(SET.search(before))))
    elif tested := TESTED.search(before):
        type_ = _type_of(tested[1], place, env)
        words = _members(type_, env) or (tuple(possible(type_, env)) if type_ else ())
        yield from _ranked(Offer(word, "what it can be", "") for word in dict.fromkeys(words))
    elif (compared := COMPARED.search(before)) and _members(type_ := _type_of(compared[1], place, env), env):
        alike = {each for each in scope if type_ and each.what == type_text(type_)}
        yield from _ranked(each for each in scope if each in alike)
        yield from _ranked(Offer(word, "member", "") for word in _members(type_, env))
        if type_ == graph.Enum("side") and ACTS.match(place.lines[place.first]):
            yield RankedOffer(FIRST, Offer("player", ALWAYS["player"], ""))
        yield from (RankedOffer(IN_SCOPE, each) for each in scope if each not in alike)
    else:
        what = next((what for pattern, what in PLACES if pattern.search(before)), "")
        if what in ("related", "paragraph"):
            yield from _paragraphs(what, place, stack, known)
        elif what == "here":
            wanted = _chosen(before, env)
            for each in scope:
                fits = wanted in ("", each.what) or each.what == "name"
                yield RankedOffer(FIRST if fits else IN_SCOPE, each)
        else:
            yield from _ranked(_called(what, stack, env, known))


def _chosen(before: str, env: Environment) -> str:
    """Say of what type a piece's place is, or what is chosen by a name in an act; "" if that is not known."""
    act = CHOICE.search(before)
    if act is None:
        return type_text(graph.Hex())
    parts = env.choices.bindings.get(act["action"], ())
    return next((type_text(part.type) for part in parts if part.name == act["name"]), "")


def _ranked(found: Iterable[Offer]) -> Iterator[RankedOffer]:
    yield from (RankedOffer(FIRST, each) for each in found)


def _paragraphs(what: str, place: _Place, stack: Stack, known: dict[str, Offer]) -> Iterator[RankedOffer]:
    """List labels; of those that a rule may be related to first those that speak on the same questions."""
    rules = stack.graph
    assert rules is not None
    spoken = set(_spoken_on(place, rules))
    own = OWN_LABEL.match(place.lines[place.first])
    labels = {*rules.rules, *rules.rulings, *(rules.cases if what == "related" else ())}
    for label in sorted((labels & known.keys()) - {own[1] if own else ""}):
        rule = rules.rules.get(label)
        beside = what == "related" and rule is not None and not spoken.isdisjoint(rule.terms)
        yield RankedOffer(FIRST if beside or what == "paragraph" or not spoken else IN_SCOPE, known[label])


def _called(what: str, stack: Stack, env: Environment, known: dict[str, Offer]) -> Iterator[Offer]:
    rules = stack.graph
    assert rules is not None
    match what:
        case "resolution" | "action":
            yield from (each for each in known.values() if each.what == what)
        case "event":
            yield from (Offer(name, "event", "") for name in rules.vocabulary.events if " " not in name)
        case "counter":
            yield from (Offer(name, "counter", "") for name in (*sorted(rules.counters), *sorted(env.kinds.bindings)))
        case "side" | "phase":
            yield from (Offer(name, what, "") for name in env.members(what))
        case "property":
            yield from (Offer(name, what, "") for name in (*sorted(set(_properties(rules))), "area", "arrives"))
        case "measure":
            yield from (Offer(name, what, "") for name in rules.vocabulary.measures)
        case "map":
            yield from (Offer(name, what, "") for name in ("hex", "hexside"))
        case "owner":
            owners = (*sorted(env.kinds.bindings), "hex", "hexside", "side", "game", "scenario")
            yield from (Offer(name, what, "") for name in owners)
        case "actor":
            yield from (Offer(name, "who acts", "") for name in ("player", "enemy"))
        case "feature hex" | "feature hexside" | "path path":
            kind, _, owner = what.partition(" ")
            flags = (each for each in rules.vocabulary.flags.values() if (each.what, each.owner) == (kind, owner))
            yield from (Offer(each.name, kind, "") for each in flags)
        case "type":
            kinds = (env.kinds, env.enums, env.scales, env.domains, env.records)
            yield from (Offer(name, "type", "") for each in kinds for name in sorted(each.bindings))
            yield from (Offer(name, "type", "") for name in PLAIN)
        case _:
            pass


def _properties(rules: graph.Graph) -> Iterator[str]:
    """Name what a piece of an example may have in brackets: statuses, tracks, and what is printed on it."""
    words = rules.vocabulary
    for owner, _, name in (key.partition(".") for key in words.tracks):
        if owner in words.kinds:
            yield name
    yield from (flag.name for flag in words.flags.values() if flag.what == "status" and flag.owner in words.kinds)
    yield from (part.name for kind in words.kinds.values() for part in kind.printed)


def _fields(before: str, place: _Place, env: Environment, *, settable: bool) -> Iterator[Offer]:
    """List the fields of what stands before a dot; behind `set` those that steps may set."""
    found = _field_types(before, place, env, settable=settable)
    yield from (Offer(name, type_text(type_), "") for name, type_ in sorted(found.items()))


def _field_types(before: str, place: _Place, env: Environment, *, settable: bool = False) -> dict[str, graph.Type]:
    if re.search(r"\b(?:game|scenario)$", before):
        owner = "game" if before.endswith("game") else "scenario"
        return {**(CLOCK if owner == "game" else CARD), **tracks_of(owner, env)}
    match _type_of(before, place, env):
        case graph.Piece(kinds):
            owners = kinds or tuple(env.kinds.bindings)
            if settable:
                return {name: type_ for owner in owners for name, type_ in tracks_of(owner, env).items()}
            return {**fields_of(owners, env), **PIECE_GIVEN}
        case graph.Hex():
            return {**({} if settable else HEX_GIVEN), **tracks_of("hex", env)}
        case graph.Enum("side"):
            return tracks_of("side", env)
        case graph.RecordOf(name):
            return {part.name: part.type for part in env.records.bindings[name].fields}
        case graph.Crossing():
            return dict(CROSSING)
        case _:
            return {}


def _type_of(before: str, place: _Place, env: Environment) -> graph.Type | None:
    """Find the type of the expression that a text ends with: of a field, or of the nearest name written so."""
    named = LAST_NAME.search(before)
    if named is None:
        return None
    owner, dot, _ = before[: named.start() + 1].rpartition(".")
    if dot and before[: named.start()].endswith(".") and (found := _field_types(owner, place, env).get(named[1])):
        return found
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


def _first_line(lines: list[str], line: int) -> int:
    """Return the line in which the paragraph around a line begins, counted from zero."""
    return next((at for at in range(min(line, len(lines) - 1), -1, -1) if HEAD.match(lines[at])), 0)


def _spoken_on(place: _Place, rules: graph.Graph) -> Iterator[str]:
    """List the questions on which the paragraph around a line concludes anything."""
    for text in place.lines[place.first : place.line + 1]:
        head = text.strip().partition(" ")[0].partition(".")[0]
        if head in rules.terms:
            yield head


def _in_scope(place: _Place, rules: graph.Graph) -> Iterator[Offer]:
    """List the names that the paragraph around a line binds before it, and parameters of what its rule speaks on."""
    for each in place.names:
        what = each.symbol.partition(" ")[0]
        if each.declares and what in {LOCAL, "parameter"} and place.first < each.span.line <= place.line + 1:
            yield Offer(_text_at(place.lines, each.span), type_text(each.type) if each.type else "name", "")
    for term in _spoken_on(place, rules):
        yield from (Offer(part.name, type_text(part.type), "") for part in rules.terms[term].parameters)


def _text_at(lines: list[str], span: Span) -> str:
    """Return what stands in a stretch of one line."""
    return lines[span.line - 1][span.column - 1 : span.end_column - 1] if span.line <= len(lines) else ""


def _before(text: str, line: int, column: int) -> str:
    lines = lines_of(text)
    return lines[line][:column] if line < len(lines) else ""


def _word(before: str) -> str:
    found = WORD.search(before)
    return found.group() if found else ""
