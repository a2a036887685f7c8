"""Code generation for the tests `x is a|b` and `x has c`: Python expressions.

In: a test, and the text of its subject. Out: Python text of a boolean. A flag that rules override is a function; a flag
that is only printed or marked is read from the state.
"""

from typing import TYPE_CHECKING

from runtime.answer.brackets import negated_test, without_brackets, without_brackets_unless_joined
from runtime.answer.emit_names import NameScope, python_name
from runtime.graph import nodes as graph
from runtime.graph.type_of import type_of

if TYPE_CHECKING:
    from runtime.answer.emit_expression import Emitter


def write_is(emitter: "Emitter", expr: graph.Is, scope: NameScope) -> str:
    """Emit `x is a|b`."""
    subject = emitter.write(expr.subject, scope)
    type_ = type_of(expr.subject, scope.types, emitter.rules)
    kinds = {test.what for test in expr.tests}
    if len(expr.tests) > 1 and len(kinds) == 1 and (template := ONE_OF_MANY.get(*kinds)):
        text = f"({template.format(subject)} in {tuple([test.name for test in expr.tests])!r})"
        return negated_test(text) if expr.negated else text
    texts = [write_test(emitter, test, subject, type_) for test in expr.tests]
    if len(texts) > 1:
        text = f"({' or '.join(map(without_brackets_unless_joined, texts))})"
        return negated_test(text) if expr.negated else text
    return negated_test(texts[0]) if expr.negated else texts[0]


# Tests of a single-valued attribute, which membership in a tuple decides; a multi-valued one is tested for each.
ONE_OF_MANY = {"kind": "s.kind[{0}]", "place": "s.place[{0}]", "cell": "{0}.kind"}


def write_test(emitter: "Emitter", test: graph.Test, subject: str, type_: graph.Type, *, printed: bool = False) -> str:
    """Emit one test; with `printed` the rules on a flag are ignored."""
    key = f"{test.owner}.{test.name}"
    match test.what:
        case "kind":
            return f"(s.kind[{subject}] == {test.name!r})"
        case "place":
            return f"(s.place[{subject}] == {test.name!r})"
        case "gone":
            return f"(s.hex[{subject}] == GONE)"
        case "off":
            return f"(s.hex[{subject}] in OUTSIDE)"
        case "cell":
            return f"({subject}.kind == {test.name!r})"
        case "trait" | "feature" | "path" | "status":
            is_ruled = key in emitter.rules.terms and not printed
            text = flag_text(emitter, test, subject) if is_ruled else printed_text(test, subject)
            kinds = emitter.vocabulary.kinds
            if test.owner not in kinds or type_ == graph.Piece((test.owner,)) or len(kinds) == 1:
                return text
            return f"(s.kind[{subject}] == {test.owner!r} and {text})"


def flag_text(emitter: "Emitter", test: graph.Test, subject: str) -> str:
    """Emit a test of a flag that rules override; no call where the printed value equals all their conclusions."""
    term = emitter.rules.terms[f"{test.owner}.{test.name}"]
    call = f"{python_name(term.name)}(s, {subject})"
    conclusions = {emitter.rules.rules[label].value for label in term.rules}
    if emitter.is_traced or len(conclusions) != 1 or not isinstance(only := conclusions.pop(), graph.Truth):
        return call
    return f"({without_brackets(printed_text(test, subject))} {'or' if only.value else 'and'} {call})"


def printed_text(flag: "graph.Test | graph.Flag", subject: str) -> str:
    """Emit the printed or marked value of a flag."""
    match flag.what:
        case "trait":
            return f"({flag.name!r} in s.traits[{subject}])"
        case "status":
            return f"({subject} in s.marks[{f'{flag.owner}.{flag.name}'!r}])"
        case _ if flag.owner == "hexside":
            return f"({flag.name!r} in b.sides.get({subject}, NOTHING))"
        case _:
            return f"({flag.name!r} in b.features[{subject}])"


def write_has(emitter: "Emitter", expr: graph.Has, scope: NameScope) -> str:
    """Emit `x has y`."""
    text = _write_presence(emitter, expr, scope)
    return negated_test(text) if expr.negated else text


def _write_presence(emitter: "Emitter", expr: graph.Has, scope: NameScope) -> str:
    """Emit whether a value is present."""
    if isinstance(expr.subject, graph.GameTrack):
        return f"(s.fact({f'{expr.subject.owner}.{expr.subject.name}'!r}) is not None)"
    subject = emitter.write(expr.subject, scope)
    if expr.what == "path":
        return _write_on_path(expr, subject, type_of(expr.subject, scope.types, emitter.rules))
    return has_text(emitter, expr, subject)


def has_text(emitter: "Emitter", expr: graph.Has, subject: str) -> str:
    """Emit whether a track, partner or field of a subject is present."""
    match expr.what:
        case "track":
            return f"({emitter.write_track(f'{expr.owner}.{expr.name}', subject)} is not None)"
        case "partner":
            return f"({subject} in s.pairs[{expr.owner!r}].{expr.name}s)"
        case "printed":
            return f"(s.face({subject}, {expr.name!r}) != '')"
        case "record" | "path":
            return f"(s.field({subject}, {expr.name!r}) is not None)"


def _write_on_path(expr: graph.Has, subject: str, type_: graph.Type) -> str:
    """Emit whether a path runs through a hex or hexside."""
    match type_:
        case graph.Hexside():
            return f"({subject} in b.paths.get({expr.name!r}, NOTHING))"
        case graph.Hex():
            return f"({subject} in b.path_hexes.get({expr.name!r}, NOTHING))"
        case _:
            return f"on_path(s, {expr.name!r}, {subject})"
