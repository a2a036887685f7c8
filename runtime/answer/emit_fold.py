"""Write a pass over a collection as a Python comprehension.

In: a `Fold` and the names around it. Out: Python text. Pieces are sifted out on the way rather than
gathered first, and a pass over an empty hex is not begun.
"""

from typing import TYPE_CHECKING

from runtime.answer.emit_names import Scope
from runtime.answer.tidy_text import bare
from runtime.graph import nodes as graph
from runtime.graph.type_of import member_of, type_of

if TYPE_CHECKING:
    from runtime.answer.emit_expression import Emitter


def fold(emitter: "Emitter", expr: graph.Fold, scope: Scope) -> str:
    """Write a pass as a comprehension."""
    source, sifted, inner, var = loop(emitter, expr, scope)
    where = "" if expr.where is None else bare(emitter.write(expr.where, inner))
    run = f"for {var} in {source}{sifted and f' if {sifted}'}"
    each = f"{run}{where and f' if {where}'}"
    body = var if expr.body is None else bare(emitter.write(expr.body, inner))
    match expr.op:
        case "count":
            return unless_empty(emitter, expr, scope, f"len([1 {each}])" if sifted or where else f"len({source})")
        case "some":
            return unless_empty(emitter, expr, scope, f"any({where or 'True'} {run})")
        case "none":
            return f"(not {unless_empty(emitter, expr, scope, f'any({where or True} {run})')})"
        case "every":
            return f"all({body} {each})"
        case "sum":
            return f"sum([{body} {each}])"
        case "min" | "max":
            if expr.otherwise is None:
                return f"{'smallest' if expr.op == 'min' else 'largest'}([{body} {each}])"
            return f"{expr.op}([{body} {each}], default={emitter.write(expr.otherwise, scope)})"
        case "gather":
            whole = expr.body is None and is_set(type_of(expr.source, scope.types, emitter.rules))
            return f"tuple([{body} {each}])" if whole else f"s.frame.ordered([{body} {each}])"
        case "least" | "greatest":
            return f"{expr.op}([{var} {each}], lambda {var}: {body})"
        case _:
            return f"{expr.op}({source}, lambda {var}: {where or 'True'})"


def stream(emitter: "Emitter", expr: graph.Expr, scope: Scope) -> str:
    """Write a collection as something to pass over; what is filtered is filtered on the way."""
    match expr:
        case graph.Fold("gather", _, source, where, None) if is_set(type_of(source, scope.types, emitter.rules)):
            members, sifted, inner, var = loop(emitter, expr, scope)
            picks = [text for text in (sifted, bare(emitter.write(where, inner)) if where is not None else "") if text]
            return f"({var} for {var} in {members}{''.join(f' if {text}' for text in picks)})"
        case _:
            return f"iter({emitter.write(expr, scope)})"


def unless_empty(emitter: "Emitter", expr: graph.Fold, scope: Scope, text: str) -> str:
    """Write a pass over a hex: most hexes are empty, and an empty one needs no pass."""
    if not isinstance(expr.source, graph.Pieces) or expr.source.at is None:
        return text
    at = emitter.write(expr.source.at, scope)
    return f"({text} if {at} in s.at else 0)" if expr.op == "count" else f"({at} in s.at and {text})"


def loop(emitter: "Emitter", expr: graph.Fold, scope: Scope) -> tuple[str, str, Scope, str]:
    """Write what a pass runs over and what it picks there; bind its member to a name no outer pass has."""
    var = emitter.local(expr.var) if expr.var else "one"
    while var in scope.texts.values():
        var += "_"
    emitter.members.add(var)
    member = member_of(type_of(expr.source, scope.types, emitter.rules))
    on_map = isinstance(expr.source, graph.Pieces)
    emitter.iterating += 1
    source, sifted = collection(emitter, expr.source, scope, var)
    emitter.iterating -= 1
    return source, sifted, scope.binding(expr.var, var, member, in_play=on_map), var


def collection(emitter: "Emitter", source: graph.Expr, scope: Scope, var: str) -> tuple[str, str]:
    """Write a collection that is only passed over, and which of its members count."""
    match source:
        case graph.Pieces(kinds, at) if at is not None:
            few = f"s.kind[{var}] == {kinds[0]!r}" if len(kinds) == 1 else f"s.kind[{var}] in {kinds!r}"
            return f"s.at.get({emitter.write(at, scope)}, NOBODY)", few if kinds else ""
        case graph.Pieces((kind,), None):
            return f"s.of_kind.get({kind!r}, NOBODY)", f"s.hex[{var}] >= 0"
        case graph.All(graph.Hex()):
            return "range(b.size)", ""
        case _:
            return emitter.write(source, scope), ""


def is_set(type_: graph.Type) -> bool:
    """Say whether a collection is a set, and so has its order already."""
    return isinstance(type_, graph.Many) and type_.shape == "set"
