"""Short constructors for the nodes of the graph, for readable toys that are built by hand."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from runtime.graph import nodes as graph

ORIGIN = graph.Origin("toy", "toy.rules", 1, 1, 1, 1)

HEX, PIECE, YES_NO = graph.Hex(), graph.Piece(("cart",)), graph.YesNo()


def num(value: float | str | Fraction, measure: str = "") -> graph.Num:
    return graph.Num(Fraction(value), measure)


def amount(low: int, high: int, measure: str = "") -> graph.Number:
    return graph.Number(low, high, measure)


def lift(value: Any) -> graph.Expr:
    """Convert a Python value to an expression: a number, a truth value, or a name as a variable."""
    match value:
        case bool():
            return graph.Truth(value)
        case int() | Fraction():
            return num(value)
        case str():
            return graph.Var(value)
        case _:
            return value  # type: ignore[no-any-return]


def op(name: str, *arguments: Any) -> graph.Op:
    return graph.Op(name, tuple(map(lift, arguments)))


def ask(term: str, *arguments: Any) -> graph.Ask:
    return graph.Ask(term, tuple(map(lift, arguments)))


def member(enum: str, name: str) -> graph.Member:
    return graph.Member(enum, name)


def get(base: Any, what: graph.GetKind, name: str, owner: str = "cart") -> graph.Get:
    return graph.Get(lift(base), what, owner, name)


def given(base: Any, name: str) -> graph.Get:
    return graph.Get(lift(base), "given", "", name)


def is_(subject: Any, *tests: tuple[Any, str, str]) -> graph.Is:
    return graph.Is(lift(subject), tuple(graph.Test(*test) for test in tests), negated=False)


def is_not(subject: Any, *tests: tuple[Any, str, str]) -> graph.Is:
    return graph.Is(lift(subject), tuple(graph.Test(*test) for test in tests), negated=True)


def has(subject: Any, what: graph.HasKind, owner: str, name: str) -> graph.Has:
    return graph.Has(lift(subject), what, owner, name, negated=False)


def cell(table: str, *keys: Any, kind: str = "") -> graph.Cell:
    return graph.Cell(table, tuple(map(lift, keys)), kind)


def fold(
    name: graph.FoldKind, var: str, source: Any, where: Any = None, body: Any = None, otherwise: Any = None
) -> graph.Fold:
    parts = [None if part is None else lift(part) for part in (where, body, otherwise)]
    return graph.Fold(name, var, lift(source), *parts)


def pieces(at: Any = None, *kinds: str) -> graph.Pieces:
    return graph.Pieces(kinds or ("cart",), None if at is None else lift(at))


def params(**types: graph.Type) -> tuple[graph.Parameter, ...]:
    return tuple(graph.Parameter(name, type_) for name, type_ in types.items())


def term(
    form: graph.Form, name: str, type_: graph.Type, parameters: tuple[graph.Parameter, ...], **more: Any
) -> graph.Term:
    defaults: dict[str, Any] = {
        "rules": (), "default": None, "otherwise": None, "capped": None, "reads": "", "denied": "", "cites": (),
        "origin": ORIGIN,
    }  # fmt: skip
    return graph.Term(name=name, form=form, parameters=parameters, type=type_, **{**defaults, **more})


def rule(label: str, terms: str, verb: graph.Verb = "", value: Any = None, **more: Any) -> graph.Rule:
    defaults: dict[str, Any] = {
        "names": (), "guard": None, "defeats": (), "relations": (), "case": "", "ruling": "", "reading": "",
        "cites": (f"T.{label.upper()}",), "prose": "", "origin": ORIGIN,
    }  # fmt: skip
    more = {**defaults, **more}
    more["relations"] = more["relations"] or tuple(("exception", target) for target in more["defeats"])
    return graph.Rule(
        label=label, terms=tuple(terms.split()), verb=verb, value=None if value is None else lift(value), **more
    )


def row(*keys: Any, kind: str = "", value: Any = None) -> graph.TableRow:
    """Build a row of a table: a key None accepts any value, a tuple is a range, a list is any of its members."""

    def match(key: Any) -> tuple[graph.Match, ...] | None:
        if key is None:
            return None
        many = key if isinstance(key, list) else [key]
        return tuple(graph.Match(*one) if isinstance(one, tuple) else graph.Match(one, one) for one in many)

    content = None if value is None else lift(value)
    assert isinstance(content, graph.LiteralExpr | None)
    return graph.TableRow(tuple(map(match, keys)), kind, content, (), ORIGIN)


def table(
    name: str, keys: tuple[graph.Parameter, ...], cells: Any, rows: Iterable[graph.TableRow], **more: Any
) -> graph.Table:
    defaults: dict[str, Any] = {
        "hit": "unique",
        "operator": "",
        "title": "",
        "edition": "",
        "reads": "",
        "cites": (f"T.{name.upper()}",),
        "origin": ORIGIN,
    }
    return graph.Table(name=name, keys=keys, cells=cells, rows=tuple(rows), **{**defaults, **more})


def enum(name: str, *members: str) -> graph.Enumeration:
    return graph.Enumeration(name, tuple(graph.Word(member, member.replace("_", " ")) for member in members))


def flag(what: graph.FlagKind, owner: str, name: str, until: str = "") -> graph.Flag:
    return graph.Flag(what, owner, name, name.replace("_", " "), "", until)


def terms_with_rules(terms: Iterable[graph.Term], rules: Iterable[graph.Rule]) -> dict[str, graph.Term]:
    """Return the terms with their rules, defeaters first."""
    rules = list(rules)
    order: list[str] = []

    def place(one: graph.Rule) -> None:
        for other in rules:
            if one.label in other.defeats:
                place(other)
        if one.label not in order:
            order.append(one.label)

    for one in rules:
        place(one)
    speaks = {one.label: one.terms for one in rules}
    out = {}
    for t in terms:
        own_labels = tuple(label for label in order if t.name in speaks[label])
        values = {field: getattr(t, field) for field in t.__dataclass_fields__}
        out[t.name] = graph.Term(**{**values, "rules": own_labels})
    return out
