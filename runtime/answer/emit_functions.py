"""Write a term of the graph as Python functions.

In: the writer of a term. Out: the text of `NAME(s, ...)`, its answer alone, and of `NAME_why(s, ...)`,
the answer and the decision id. Both are what one would write by hand: exceptions first, a rule a
paragraph, leaving as soon as nothing can change the answer any more.
"""

from collections.abc import Callable, Collection

from runtime.answer.depends import Dependence
from runtime.answer.emit_any import SUFFIX as ANY
from runtime.answer.emit_any import anybody
from runtime.answer.emit_memory import Kept
from runtime.answer.emit_names import python_name
from runtime.answer.emit_stages import staged, stages
from runtime.answer.emit_term import STEP, TermEmitter
from runtime.answer.emit_value import collected, is_definition
from runtime.answer.emit_verdict import ruled, weighed
from runtime.answer.special import MARK

Work = Callable[[TermEmitter, str], str]

# What may change is noted under whom it rests on, where such changes have cost answers before.
KEEP = ("if memory.leads:", f"{STEP}memory.keep(s, key, value)")

# The memory of a position; that of a map needs no notes.
ANSWERS = "answers"

YES_OR_NO = ("verdict", "condition")

# The functions of a term are called as it is, with one of these: its answer, that with the decision id, is there any.
SUFFIXES = ("", "_why", ANY)


def functions(writer: TermEmitter, dependence: Dependence, wanted: Collection[str] = SUFFIXES) -> list[str]:
    """Write functions of a term; a special one is asked for its answer alone, and only of a set who belongs to it."""
    made = [WRITERS[suffix](writer, dependence) for suffix in wanted if has(writer, suffix)]
    return [*guards(writer, "\n".join(made)), *made]


def has(writer: TermEmitter, suffix: str) -> bool:
    """Say whether a term has such a function."""
    match suffix:
        case "_why":
            return MARK not in writer.term.name
        case "_any":
            return writer.emitter.inhabited(writer.term.name)
        case _:
            return True


def having(writer: TermEmitter, dependence: Dependence) -> str:
    """Write the function that says whether a set has any member; it remembers what the set would."""
    kept = dependence.kept(writer.term.name)
    if kept is None or kept.memory != ANSWERS:
        return inhabited(writer)
    name = f"{python_name(writer.term.name)}{ANY}"
    return remembering(writer, name, f"s.{ANSWERS}[{writer.question(ANY.upper())}]", kept, inhabited)


def inhabited(writer: TermEmitter, suffix: str = "") -> str:
    """Write the function that works out whether a set has any member."""
    return writer.function(f"{python_name(writer.term.name)}{ANY}{suffix}", anybody(writer))


def answering(writer: TermEmitter, dependence: Dependence) -> str:
    """Write the function that gives an answer alone."""
    name = python_name(writer.term.name)
    kept = dependence.kept(writer.term.name)
    if kept is None:
        return answer(writer)
    return remembering(writer, name, f"s.{kept.memory}[{writer.question()}]", kept, answer)


def answer(writer: TermEmitter, suffix: str = "") -> str:
    """Write the function that works an answer out."""
    if writer.term.form in YES_OR_NO:
        body = ruled(writer)
    elif found := stages(writer):
        body = staged(found)
    else:
        body = collected(writer, why=False)
    return writer.function(f"{python_name(writer.term.name)}{suffix}", body)


def remembering(writer: TermEmitter, name: str, memory: str, kept: Kept, work: Work) -> str:
    """Write the function that looks into a memory first, and the one that works the answer out."""
    key = kept.key(writer.parameters)
    parts, asked = ", ".join(key), ", ".join(["s", *writer.parameters])
    body = [
        f"memory = {memory}",
        f"key = {parts}" if len(key) == 1 else f"key = ({parts})",
        "value = memory.get(key)",
        "if value is None:",
        f"{STEP}value = memory[key] = {name}_afresh({asked})",
        *(f"{STEP}{line}" for line in KEEP if kept.memory == ANSWERS),
        "return value",
    ]
    return f"{work(writer, '_afresh')}\n\n\n{writer.function(name, body)}"


def deciding(writer: TermEmitter, dependence: Dependence) -> str:
    """Write the function that gives the answer and the decision id; it remembers what the map decides."""
    if is_definition(writer) and not writer.emitter.overheard:
        name, asked = python_name(writer.term.name), ", ".join(["s", *writer.parameters])
        return writer.function(f"{name}_why", [f"return {name}({asked}), 1"])
    kept = dependence.kept(writer.term.name)
    if kept is None or kept.memory == ANSWERS:
        return decision(writer)
    name = f"{python_name(writer.term.name)}_why"
    return remembering(writer, name, f"s.{kept.memory}[{writer.question('_WHY')}]", kept, decision)


def decision(writer: TermEmitter, suffix: str = "") -> str:
    """Write the function that works out the answer and the decision id."""
    body = weighed(writer) if writer.term.form in YES_OR_NO else collected(writer, why=True)
    return writer.function(f"{python_name(writer.term.name)}_why{suffix}", body)


def guards(writer: TermEmitter, made: str) -> list[str]:
    """Write the functions of those guards that cannot be one expression, where what was made asks for them."""
    return [
        writer.function(writer.guard_name(c.rule), writer.guarded(c.rule, ["return True"], ["return False"]))
        for c in writer.clauses
        if c.rule.names and f"{writer.guard_name(c.rule)}(" in made
    ]


WRITERS: dict[str, Callable[[TermEmitter, Dependence], str]] = {"": answering, "_why": deciding, ANY: having}
