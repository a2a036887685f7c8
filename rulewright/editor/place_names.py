"""The kinds of names that syntactic contexts require, and the names of each kind.

In: the text before a cursor, without the word at it. Out: the kind of name allowed by the first pattern that
matches, and all names of this kind in the stack. If no pattern matches, any name is allowed.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from compiler.typed.environment import PREDEFINED_TYPES, Environment
from compiler.typed.procedures.conduct import TURN_UNITS
from compiler.typed.values.flags import possible_possessions
from compiler.typed.values.names import tracks_of
from rulewright.editor.expected_type import LineContext, type_before
from rulewright.editor.workspace import CompletionOffer
from rulewright.library.stacks import Stack
from runtime.graph import nodes as graph
from runtime.graph.hexes import DIRECTIONS

CITING = re.compile(r"(?:^|\s)\[[^\]\"()]*$")
READING = re.compile(r"\bunder\s+[\w+=-]*\+([\w-]+)=$")
HELD = re.compile(r"([\w.()', ]*?)\s+has\s+(?:no\s+)?$")
# The kinds of names by the text before a cursor, specific patterns before general ones.
PLACES = (
    (re.compile(r"^\s*piece\b[^:]*:\s*$|^\s*create\s+$"), "counter"),
    (re.compile(r"^\s*piece\b.*\((?:[^()]*,\s*)?$"), "property"),
    (re.compile(r"^\s*(?:piece|order|phase)\b.*\bof\s+$|^\s*act\b.*\)\s*by\s+$"), "side"),
    (re.compile(r"^\s*piece\b.*\bat\s+$|^\s*act\b[^)]*:\s*$"), "here"),
    (re.compile(r"^\s*row\b.*\bfrom\s+\S+\s+$"), "direction"),
    (re.compile(r"^\s*row\b.*[\w)]\s+$"), "feature hex"),
    (re.compile(r"^\s*sides\b.*\w/\S+\s+(?:\w+\s+)*$"), "feature hexside"),
    (re.compile(r"^\s*path\s+$"), "path path"),
    (re.compile(r"^(?:action|reaction)\b.*\bin\s+(?:\w+,\s*)*$|^\s*(?:order|phase)\b.*\bphase\s+$"), "phase"),
    (re.compile(r"^feature\s+$"), "map"),
    (re.compile(r"^(?:status|track|trait|place)\s+$"), "owner"),
    (re.compile(r"^extend\s+kind\s+$"), "kind"),
    (re.compile(r"(?<![\w-])\d+\s+$|^scale\s+\w+\s+in\s+$"), "measure"),
    (re.compile(r"^(?:action|reaction)\b.*\bby\s+$"), "actor"),
    (re.compile(r"\b(?:exception to|replaces|withdraws|suppresses|clarifies)\b[^.:(){}]*$"), "related"),
    (re.compile(r"\b(?:because|refused by|forbidden by)\b[^.:(){}]*$"), "paragraph"),
    (re.compile(r"\bdo\s+$"), "resolution"),
    (re.compile(r"\b(?:tell|after)\s+$"), "event"),
    (re.compile(r"\b(?:offer|act)\s+(?:[\w() ]+,\s*)*$"), "action"),
    (HELD, "held"),
    (re.compile(r"^\s*(?:piece|move)\b.*\bin\s+$"), "place"),
    (re.compile(r"\bunder\s+(?:[\w+=-]*\+)?$"), "layer"),
    (READING, "reading"),
    (re.compile(r"^\s*(?:un)?relate\s+$"), "relation"),
    (re.compile(r"^\s*write\s+$"), "record"),
    (re.compile(r"^\s*mark\b.*\bas\s+(?:not\s+)?$"), "status"),
    (re.compile(r"\bend\s+of\s+$"), "moment"),
    (re.compile(r"[\w)]:\s*(?:[\w|]*\|)?$|\bof\s+$|\ball\s+$"), "type"),
)


Names = Callable[[graph.Graph, Environment], Iterable[str]]


def _flags(what: str, owner: str | None = None) -> Names:
    """Return the function that lists the flags of a sort, of one owner or of all."""
    return lambda rules, _: dict.fromkeys(
        each.name for each in rules.vocabulary.flags.values() if each.what == what and owner in (None, each.owner)
    )


# The names of a sort that a stack declares, or that every stack has.
DECLARED: Mapping[str, Names] = {
    "event": lambda rules, _: (name for name in rules.vocabulary.events if " " not in name),
    "counter": lambda rules, env: (*sorted(rules.counters), *sorted(env.kinds.bindings)),
    "moment": lambda _, env: (*TURN_UNITS, *env.members("phase")),
    "side": lambda _, env: env.members("side"),
    "phase": lambda _, env: env.members("phase"),
    "property": lambda rules, _: (*sorted(set(_properties(rules))), "area", "arrives"),
    "place": _flags("place"),
    "status": _flags("status"),
    "feature hex": _flags("feature", "hex"),
    "feature hexside": _flags("feature", "hexside"),
    "path path": _flags("path", "path"),
    "relation": lambda rules, _: rules.vocabulary.relations,
    "record": lambda rules, _: rules.vocabulary.records,
    "measure": lambda rules, _: rules.vocabulary.measures,
    "direction": lambda _rules, _env: DIRECTIONS,
    "map": lambda _rules, _env: ("hex", "hexside"),
    "owner": lambda _, env: (*sorted(env.kinds.bindings), "hex", "hexside", "side", "game", "scenario"),
    "kind": lambda _, env: sorted(env.kinds.bindings),
    "actor": lambda _rules, _env: ("player", "enemy"),
    "type": lambda _, env: type_names(env),
}
# What a completion of a sort is called, where it is not called like the sort.
DETAILS = {
    "held": "what it may have", "actor": "who acts", "feature hex": "feature", "feature hexside": "feature",
    "path path": "path",
}  # fmt: skip


def names_of_sort(
    sort: str, before: str, place: LineContext, stack: Stack, known: Mapping[str, CompletionOffer]
) -> Iterator[CompletionOffer]:
    """Yield the names of a kind of PLACES, for a cursor after the text `before`."""
    rules, env = stack.graph, stack.env
    assert rules is not None
    assert env is not None
    match sort:
        case "resolution" | "action":
            yield from (each for each in known.values() if each.kind == sort)
        case "citation":
            yield from _citations(rules)
        case "reading":
            dispute = rules.disputes.get(found[1]) if (found := READING.search(before)) else None
            yield from (
                CompletionOffer(each.label, sort, each.reason) for each in (dispute.readings if dispute else ())
            )
        case "held":
            yield from (CompletionOffer(name, DETAILS[sort], "") for name in _held(before, place, env))
        case "layer":
            disputes = rules.disputes if before.endswith("+") else ()
            yield from (CompletionOffer(name, sort, "") for name in (*sorted(stack.library.layers), *disputes))
        case _ if sort in DECLARED:
            yield from (CompletionOffer(name, DETAILS.get(sort, sort), "") for name in DECLARED[sort](rules, env))
        case _:
            pass


def _properties(rules: graph.Graph) -> Iterator[str]:
    """Yield the properties in brackets of a piece in an example: statuses, tracks and printed values."""
    words = rules.vocabulary
    for owner, _, name in (key.partition(".") for key in words.tracks):
        if owner in words.kinds:
            yield name
    yield from (flag.name for flag in words.flags.values() if flag.what == "status" and flag.owner in words.kinds)
    yield from (part.name for kind in words.kinds.values() for part in kind.printed)


def _held(before: str, place: LineContext, env: Environment) -> Iterable[str]:
    """Return the operands of `has` for the expression before it; of the clock and the card their tracks."""
    subject = HELD.search(before)
    if subject and (type_ := type_before(subject[1], place, env)):
        return dict.fromkeys(possible_possessions(type_, env))
    paths = (flag.name for flag in env.flags.values() if flag.owner == "path")
    return (*sorted(env.ends.bindings), *paths, *tracks_of("game", env), *tracks_of("scenario", env))


def _citations(rules: graph.Graph) -> Iterator[CompletionOffer]:
    """Yield the cited items of the sources, with the headings of their sections."""
    headings = {f"{each.prefix}.{section}": heading for each in rules.documents for section, heading in each.headings}
    cited: set[str] = set()
    for table in (rules.rules, rules.rulings, rules.terms, rules.procedures):
        for each in table.values():
            cited.update(each.cites)
    for item in sorted(cited):
        yield CompletionOffer(item, "citation", headings.get(item.rpartition(".")[0], ""))


def type_names(env: Environment) -> Iterator[str]:
    """Yield the names of the types of a stack."""
    for declared in (env.kinds, env.enums, env.scales, env.domains, env.records):
        yield from sorted(declared.bindings)
    yield from PREDEFINED_TYPES
