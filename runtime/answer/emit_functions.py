"""Code generation for terms: Python functions.

In: the emitter of a term. Out: the text of `NAME(s, ...)`, which returns the answer, and of `NAME_why(s, ...)`, which
returns the answer and the decision id. Both read like code written by hand: exceptions first, a paragraph for each
rule, a return as soon as no further rule can change the answer.
"""

from collections.abc import Callable, Collection, Iterator

from runtime.answer.bounds import domain_test
from runtime.answer.brackets import without_brackets
from runtime.answer.emit_guard import STEP
from runtime.answer.emit_names import python_name
from runtime.answer.emit_term import TermEmitter
from runtime.answer.emit_value import emit_collected, is_definition
from runtime.answer.emit_verdict import emit_all_reasons, emit_first_reason
from runtime.answer.state_reads import YES_OR_NO, MemoKey, StateDependence
from runtime.answer.static_parts import StaticPart, find_static_parts
from runtime.graph import nodes as graph
from runtime.state.ranges import is_ranged

EmitFunction = Callable[[TermEmitter, str], str]

# Up to so many key parts, each has a dictionary level of its own; with more a tuple key is cheaper.
NESTED = 2

# Suffixes of the functions of a term: the answer alone, and the answer with the decision id.
FUNCTION_SUFFIXES = ("", "_why")


def write_functions(
    term: graph.Term, dependence: StateDependence, suffixes: Collection[str] = FUNCTION_SUFFIXES
) -> list[str]:
    """Return the functions of a term: those with these suffixes, and the functions that only they call."""
    writer = TermEmitter(dependence.emitter, term, dependence.cost_of, find_static_parts(term, dependence))
    static_parts = writer.emitter.static_parts
    names = tuple(parameter.name for parameter in writer.term.parameters)
    static_parts.update({id(part.expr): (writer.part_name(part), names) for part in writer.parts})
    try:
        functions = [WRITERS[suffix](writer, dependence) for suffix in suffixes]
        functions = [*_write_guard_functions(writer, "\n".join(functions)), *functions]
        text = "\n".join(functions)
        used = [part for part in writer.parts if f"{writer.part_name(part)}(" in text]
    finally:
        static_parts.clear()
    return [*(_memoized_part(writer, part) for part in used), *functions]


def _memoized_part(writer: TermEmitter, part: StaticPart) -> str:
    """Emit the memoized function of a subexpression that depends on the map alone."""
    name = writer.part_name(part)

    def write_uncached(_: TermEmitter, suffix: str) -> str:
        value = without_brackets(writer.emitter.write(part.expr, writer.scope))
        return writer.write_function(f"{name}{suffix}", [f"return {value}"], title)

    title = f"What the map decides of {part.rule}"
    return memoized_function(writer, name, writer.part_table(name), part.key, write_uncached, title)


def _answer_function(writer: TermEmitter, dependence: StateDependence) -> str:
    """Emit the function that returns the answer."""
    name = python_name(writer.term.name)
    memo_key = dependence.memo_key(writer.term.name)
    if memo_key is None:
        return _write_answer_function(writer)
    return memoized_function(writer, name, writer.memo_table(), memo_key, _write_answer_function)


def _write_answer_function(writer: TermEmitter, suffix: str = "") -> str:
    """Emit the function that computes the answer."""
    body = (
        emit_first_reason(writer) if writer.term.form in YES_OR_NO else emit_collected(writer, with_decision_id=False)
    )
    return writer.write_function(f"{python_name(writer.term.name)}{suffix}", [*_emit_range_checks(writer), *body])


def _emit_range_checks(writer: TermEmitter) -> Iterator[str]:
    """Emit the checks that arguments lie in the ranges of their parameters, which the body relies on."""
    term = writer.term_constant() if any(is_ranged(part.type) for part in writer.term.parameters) else ""
    for index, (part, name) in enumerate(zip(writer.term.parameters, writer.parameters, strict=True)):
        match part.type:
            case graph.Number() as declared if is_ranged(declared):
                yield f"if not ({domain_test(declared, name)}):"
                yield f"{STEP}hold({term}.parameters[{index}], {term}.name, {name})"
            case type_ if is_ranged(type_):
                yield f"hold({term}.parameters[{index}], {term}.name, {name})"
            case _:
                pass


def memoized_function(
    writer: TermEmitter, name: str, table: str, memo_key: MemoKey, write_uncached: EmitFunction, title: str = ""
) -> str:
    """Emit the function that consults the memo table, and the one that computes the answer."""
    arguments = ", ".join(["s", *writer.parameters])
    lookup = _board_lookup if memo_key.with_board else _position_lookup
    lines = lookup(table, memo_key.key_expressions(writer.parameters), f"{name}_uncached({arguments})")
    return f"{write_uncached(writer, '_uncached')}\n\n\n{writer.write_function(name, lines, title)}"


def _board_lookup(table: str, key: list[str], uncached: str) -> list[str]:
    """Emit a lookup in a memo table of the map, which is never invalidated: nested dictionaries by key part."""
    first = [] if len(key) <= NESTED else [f"key = ({', '.join(key)})"]
    parts = ["key"] if first else [without_brackets(part) for part in key]
    return [
        *first,
        "try:",
        f"{STEP}return s.board.memo[{table}]{''.join(f'[{part}]' for part in parts)}",
        "except KeyError:",
        f"{STEP}return s.board.keep({uncached}, {table}, {', '.join(parts)})",
    ]


def _position_lookup(table: str, key: list[str], uncached: str) -> list[str]:
    """Emit a lookup in a memo table of a position."""
    parts = key[0] if len(key) == 1 else f"({', '.join(key)})"
    named = [] if parts.isidentifier() else [f"key = {parts}"]
    known = "key" if named else parts
    return [
        f"memory = s.answers[{table}]",
        *named,
        f"value = memory.get({known})",
        "if value is None:",
        f"{STEP}value = memory[{known}] = {uncached}",
        "return value",
    ]


def _decision_function(writer: TermEmitter, dependence: StateDependence) -> str:
    """Emit the function that returns the answer and the decision id; memoized where the map alone decides."""
    if is_definition(writer) and not writer.emitter.is_traced:
        name, arguments = python_name(writer.term.name), ", ".join(["s", *writer.parameters])
        return writer.write_function(f"{name}_why", [f"return {name}({arguments}), 1"])
    memo_key = dependence.memo_key(writer.term.name)
    if memo_key is None or not memo_key.with_board:
        return _write_decision_function(writer)
    return memoized_function(
        writer, f"{python_name(writer.term.name)}_why", writer.memo_table("_WHY"), memo_key, _write_decision_function
    )


def _write_decision_function(writer: TermEmitter, suffix: str = "") -> str:
    """Emit the function that computes the answer and the decision id."""
    body = emit_all_reasons(writer) if writer.term.form in YES_OR_NO else emit_collected(writer, with_decision_id=True)
    return writer.write_function(f"{python_name(writer.term.name)}_why{suffix}", [*_emit_range_checks(writer), *body])


def _write_guard_functions(writer: TermEmitter, text: str) -> list[str]:
    """Emit the functions of guards that are not a single expression, where the emitted code calls them."""
    return [
        writer.write_function(writer.guard_name(c.rule), writer.emit_guarded(c.rule, ["return True"], ["return False"]))
        for c in writer.clauses
        if c.rule.names and f"{writer.guard_name(c.rule)}(" in text
    ]


WRITERS: dict[str, Callable[[TermEmitter, StateDependence], str]] = {"": _answer_function, "_why": _decision_function}
