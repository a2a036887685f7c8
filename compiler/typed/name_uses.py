"""Uses of names with their symbols, as elaboration resolves them, recorded as facts of the database.

In: a node as written, and what elaboration made of it. Out: a `NameUse` for each name in it.

A language server needs the symbol of a name at a place: which of the fields called `movement` it is, and its type.
Elaboration resolves each name of an expression or step, and records it; the semantic index (compiler/index) collects
the facts. They are recorded only on request (compiler/query/database.py, `accumulating`).
"""

from collections.abc import Iterable, Iterator

from compiler.source import nodes as source
from compiler.source.span import Span
from compiler.typed.context import Context, TypedExpression
from compiler.typed.environment import Environment
from runtime.graph import nodes as graph
from runtime.graph.expressions import symbols_of
from runtime.graph.frozen_dataclass import frozen_dataclass

LOCAL = "local"
# Symbols that are no names of the text, or that a position declares.
WITHOUT_DECLARATION = frozenset({"hex", "piece", "region", "step", "pieces", "occupants", "reserve", "records"})


@frozen_dataclass
class NameUse:
    """A use of a name: the key of its symbol, as "track unit.spent" or "local u", and its type if it has one."""

    span: Span
    key: str
    type: graph.Type | None = None


def note_name_uses(node: source.Expression, found: TypedExpression, context: Context) -> None:
    """Record the symbols of the names in one expression, without those in its operands."""
    facts = context.env.database.facts
    if facts is not None and found[1] is not None:
        facts += [NameUse(span, key, found[1]) for span, key in _uses(node, found[0])]


def note_step(node: source.Step, step: graph.Step, context: Context) -> None:
    """Record the symbols of the names in one step, without those in its expressions."""
    facts = context.env.database.facts
    if facts is None:
        return
    # By the written step: its words have places, which effects have not.
    match node, step:
        case source.Mark(status=word), graph.Mark(_, owner, name):
            flag = context.env.flags.bindings[f"{owner}.{name}"]
            facts.append(NameUse(word.span, f"{flag.what} {owner}.{name}"))
        case (source.Assign(target=source.Field(name=word)), graph.Assign(target)) | (
            source.Add(target=source.Field(name=word)), graph.Add(_, target)
        ):  # fmt: skip
            facts += [NameUse(word.span, key) for key in _keys_of(target)]
        case _:
            pass


def note_choice(env: Environment, word: source.Word, asking: Iterable[str]) -> None:
    """Record the procedure that a choice in an act belongs to, where it is unique."""
    match [*asking]:
        case [procedure] if env.database.facts is not None:
            env.database.facts.append(NameUse(word.span, f"parameter {procedure}.{word.text}"))


def note_refusal(env: Environment, word: source.Word, action: str) -> None:
    """Record the symbol of a name expected as the reason of a refusal, where it is no rule and is unique."""
    facts = env.database.facts
    if facts is None or word.text in env.labels:
        return
    name = word.text
    symbols = [f"parameter {action}.{name}"] if any(part.name == name for part in env.choices.get(action) or ()) else [
        *(f"{flag.what} {flag.owner}.{name}" for flag in env.flags_named.get(name) or ()),
        *(f"track {track.owner}.{name}" for track in env.tracks.values() if track.name == name),
        *(f"printed {kind.name}.{name}" for kind in env.kinds.values() if any(p.name == name for p in kind.printed)),
        *(f"record {each.name}.{name}" for each in env.records.values() if any(p.name == name for p in each.fields)),
        *(f"{category} {name}" for category, known in (
            ("action", env.actions), ("term", env.terms), ("chart", env.charts), ("kind", env.kinds),
            ("record", env.records), ("relation", env.relations),
        ) if name in known),
    ]  # fmt: skip
    if len(symbols) == 1:
        facts.append(NameUse(word.span, symbols[0]))


def note_piece(
    env: Environment, kind: str, type_: source.Word, place: source.Word | None, words: Iterable[source.Word]
) -> None:
    """Record the symbols of the names in a piece's setup: its type, its place, and its properties."""
    facts = env.database.facts
    if facts is None:
        return
    facts.append(NameUse(type_.span, f"kind {kind}" if type_.text == kind else f"member counter.{type_.text}"))
    printed = {part.name for part in env.kinds.bindings[kind].printed}
    for word in words:
        flag = env.flags.bindings.get(f"{kind}.{word.text}")
        category = flag.what if flag else "printed" if word.text in printed else "track"
        facts.append(NameUse(word.span, f"{category} {kind}.{word.text}"))
    for flag in env.flags_named.bindings.get(place.text) or () if place else ():
        if place and flag.what == "place":
            facts.append(NameUse(place.span, f"place {flag.owner}.{flag.name}"))


def note_drawn(env: Environment, drawn: source.Counter, counter: graph.Counter) -> None:
    """Record the symbols of the members in a row that an example draws from a unit chart."""
    facts = env.database.facts
    if facts is None:
        return
    values = dict(counter.printed)
    for column, cell in drawn.values:
        value = graph.Member("side", counter.owner) if column.text == "side" else values.get(column.text)
        if isinstance(value, graph.Member) and value.name == cell.text:
            facts += [NameUse(cell.span, key) for key in _keys_of(value)]


def _uses(node: source.Expression, expression: graph.Expr) -> Iterator[tuple[Span, str]]:
    match node:
        case source.Name(span=span):
            yield span, next(_keys_of(expression), "")
        case source.Quoted(span=span):
            yield from ((span, key) for key in _keys_of(expression))
        case source.Field(name=word) | source.Call(name=word):
            yield word.span, next(_keys_of(expression), "")
            match node, expression:
                case source.Call(arguments=(source.Name(span=span),)), graph.Op("reserve", (graph.Member(_, kind),)):
                    yield span, f"kind {kind}"  # A kind is no value: it is not elaborated by itself.
                case _:
                    pass
        case source.HasTest(name=word):
            yield from ((word.span, key) for key in _keys_of(expression))
        case source.IsTest(words=words) if isinstance(expression, graph.Is):
            for word, test in zip(words, expression.tests, strict=True):
                yield word.span, f"kind {test.name}" if test.what == "kind" else f"{test.what} {test.owner}.{test.name}"


def _keys_of(expression: graph.Expr) -> Iterator[str]:
    """Yield the key of the symbol that the outermost node of an expression refers to."""
    if isinstance(expression, graph.Op) and expression.op == "not":
        yield from _keys_of(expression.arguments[0])
        return
    for symbol in symbols_of(expression):
        match symbol:
            case ("member", "kind", name):
                yield f"kind {name}"
            case ("end", relation, _):
                yield f"relation {relation}"
            case (namespace, _, _) if namespace not in WITHOUT_DECLARATION:
                yield symbol.key
            case _:
                pass
