"""Sentences and laws about different parties: all or some members, one hex or the other, another rule.

In: a rule, and the rule written before it. Out: the phrase of the sentence, and the law's form. Compared are "all of" a
set with a law that tests for some member; a sentence with the verb of its question ("enters", `{mover} may enter {to}`)
with a law that reads another hex than the verb's; "the giver must" with a law that reads only the taker; a half
sentence that starts with "unless" or "except" and is an exception to another rule than the one whose sentence it
continues; and "once a turn" with a status that lasts for the whole game, as nothing removes it. The patterns report no
sentence of the rules in this repository. Sentences are parsed as English.
"""

import re
from collections.abc import Iterator

from compiler.analysis.section_profiles import LOWERCASE_WORD, bare_word
from runtime.graph import nodes as graph
from runtime.graph.verbs import is_affirmative
from runtime.graph.walk import walk

ALL_OF = re.compile(r"\b(?:all|each|every one) of\b")
ANY_OF = re.compile(r"\b(?:any|at least one|one or more) of\b")
GOES_ON = re.compile(r"(?:unless|except)\b[^,;.]*")
IN_A_TURN = re.compile(
    r"\b(?:once|twice) (?:in )?(?:an?|each|every|per) (?:own )?turn\b|\b(?:this|that|the same|the rest of the) turn\b"
)
SPOKEN = re.compile(r"(\w{4,}) \{(\w+)\}")
# The number of words at the start of a sentence that contain its subject.
SUBJECT = 3
QUANTIFIERS = {"some", "every", "none"}


def other_parties(rule: graph.Rule, before: graph.Rule | None, stack: graph.Graph) -> tuple[str, str] | None:
    """Return the phrase of the sentence, and the differing form of the law; None if no difference is found."""
    found = (
        _quantified(rule) or _other_hex(rule, stack) or _continued_rule(rule, before) or _permanent_status(rule, stack)
    )
    return found or _subject_of_property(rule, stack)


def _quantified(rule: graph.Rule) -> tuple[str, str] | None:
    """Compare "all of" with `some(..)`, and "any of" with `every(..)`."""
    sentence = rule.prose.lower()
    # Under a prohibition the words may mean the contrary.
    if not is_affirmative(rule) or not (ALL_OF.search(sentence) or ANY_OF.search(sentence)):
        return None
    ops = {node.op for node in walk((rule.guard, rule.value, rule.names)) if isinstance(node, graph.Fold)} & QUANTIFIERS
    if len(ops) != 1:
        return None
    for pattern, wrong in ((ALL_OF, "some"), (ANY_OF, "every")):
        if (found := pattern.search(sentence)) and wrong in ops:
            return found[0], f"{wrong}(..)"
    return None


def _other_hex(rule: graph.Rule, stack: graph.Graph) -> tuple[str, str] | None:
    """Compare the verb that a question applies to one hex with a law that reads only another one."""
    term = stack.terms.get(rule.terms[0]) if rule.terms else None
    if term is None:
        return None
    hexes = {each.name for each in term.parameters if isinstance(each.type, graph.Hex)}
    verb_matches = [found for found in SPOKEN.finditer(term.reads.lower()) if found[2] in hexes]
    if not verb_matches:
        return None
    read_hexes = hexes & {
        node.name for node in walk((rule.guard, rule.value, rule.names)) if isinstance(node, graph.Var)
    }
    words_by_stem = {bare_word(word): word for word in LOWERCASE_WORD.findall(rule.prose.lower())}
    for found in verb_matches:
        word, name = bare_word(found[1]), found[2]
        if read_hexes and name not in read_hexes and word in words_by_stem:
            return words_by_stem[word], f"{', '.join(sorted(read_hexes))} instead of {name}"
    return None


def _subject_of_property(rule: graph.Rule, stack: graph.Graph) -> tuple[str, str] | None:
    """Compare "the giver must have .." with a law that tests only the taker."""
    term = stack.terms.get(rule.terms[0]) if rule.terms else None
    first = LOWERCASE_WORD.findall(rule.prose.lower())[:SUBJECT]
    parameters = {each.name for each in term.parameters} if term is not None else set()
    subjects = [name for name in parameters if name in first]
    if len(subjects) != 1 or not re.search(rf"\b{subjects[0]} (?:must|needs?|has to)\b", rule.prose.lower()):
        return None
    tested_names = set(_tested_names((rule.guard, rule.value, rule.names))) & parameters
    others = sorted(tested_names - set(subjects))
    if not others or subjects[0] in tested_names or any(bare_word(name) in map(bare_word, first) for name in others):
        return None
    return subjects[0], f"asked of {', '.join(others)}"


def _tested_names(law: object) -> Iterator[str]:
    """List the names of which a law reads a property, or that are the only argument of a question."""
    for node in walk(law):
        match node:
            case graph.Get(graph.Var(name)) | graph.Is(graph.Var(name)) | graph.Has(graph.Var(name)):
                yield name
            case graph.Ask(_, (graph.Var(name),)):
                yield name
            case _:
                pass


def _continued_rule(rule: graph.Rule, before: graph.Rule | None) -> tuple[str, str] | None:
    """Compare "unless .." with the rules that it is an exception to."""
    found = GOES_ON.match(rule.prose)
    if found is None or before is None or rule.verb or before.origin.file != rule.origin.file:
        return None
    if before.label in rule.defeats or not rule.defeats or not set(before.terms) & set(rule.terms):
        return None
    return found[0], f"exception to {', '.join(rule.defeats)}, and not to {before.label}"


def _permanent_status(rule: graph.Rule, stack: graph.Graph) -> tuple[str, str] | None:
    """Compare "once a turn" with a status that lasts until the game ends."""
    found = IN_A_TURN.search(rule.prose.lower())
    tests = (node for node in walk((rule.guard, rule.value, rule.names)) if isinstance(node, graph.Test))
    for test in tests if found else ():
        flag = stack.vocabulary.flags.get(f"{test.owner}.{test.name}") if test.what == "status" else None
        if found and flag is not None and flag.until == "game" and not _is_taken_off(flag, stack):
            return found[0], f"status {flag.name} until end of game"
    return None


def _is_taken_off(flag: graph.Flag, stack: graph.Graph) -> bool:
    steps = walk(tuple(each.body for each in stack.procedures.values()))
    unmarking_steps = (step for step in steps if isinstance(step, graph.Mark) and not step.on)
    return any((step.owner, step.status) == (flag.owner, flag.name) for step in unmarking_steps)
