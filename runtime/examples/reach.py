"""What an example could come by: the procedures that steps call, and the questions that anything asks."""

from collections.abc import Iterable

from runtime.answer.reads import may_hold_records, reads_of
from runtime.graph import nodes as graph
from runtime.graph.walk import walk


def reached(rules: graph.Graph, procedures: Iterable[str]) -> set[str]:
    """List the procedures that these may call, themselves included."""
    found: set[str] = set()
    todo = list(procedures)
    while todo:
        key = todo.pop()
        if key in rules.procedures and key not in found:
            found.add(key)
            todo += called(rules, rules.procedures[key].body)
    return found


def called(rules: graph.Graph, steps: Iterable[object]) -> list[str]:
    """List the procedures that steps call: resolutions, offered actions, hooks of what is told or ends."""
    keys: list[str] = []
    for node in walk(tuple(steps)):
        match node:
            case graph.Do(resolution):
                keys.append(f"resolution:{resolution}")
            case graph.Offer(actions):
                keys += [f"action:{action}" for action, _ in actions]
            case graph.Tell(event, _):
                keys += hooks_on(rules, event)
            case graph.End(moment) | graph.Phase(moment):
                keys += hooks_on(rules, f"end of {moment}")
            case _:
                pass
    return keys


def hooks_on(rules: graph.Graph, event: str) -> list[str]:
    """List the hooks that hear an event."""
    return [key for key, procedure in rules.procedures.items() if procedure.event == event]


def terms_asked_within(rules: graph.Graph, parts: Iterable[object]) -> set[str]:
    """List the terms that these parts ask, and those that the rules of these ask."""
    found: set[str] = set()
    todo = [*parts, *(relation.ends for relation in rules.vocabulary.relations.values())]
    while todo:
        for node in walk(todo.pop()):
            name = node.term if isinstance(node, graph.Ask) else _flag(node)
            if name in rules.terms and name not in found:
                found.add(name)
                todo.append(rules.terms[name].otherwise)
                todo += [rules.rules[label] for label in rules.terms[name].rules]
    return found


def terms_asked_by(rules: graph.Graph, lines: Iterable[object], begun: Iterable[str]) -> frozenset[str]:
    """List the terms that lines of an example ask, and those that procedures ask which they begin."""
    bodies = (rules.procedures[key].body for key in reached(rules, begun))
    return frozenset(terms_asked_within(rules, (tuple(lines), *bodies)))


def of_new_record(rules: graph.Graph, line: graph.Given) -> bool:
    """Say whether an answer is pinned about a record that the line makes: no other is equal to it, so nobody asks."""
    reads = reads_of(rules)
    for parameter, argument in zip(rules.terms[line.term].parameters, line.arguments, strict=False):
        nodes = tuple(walk(argument))
        asked = (name for node in nodes for name in reads.asked(node))
        if may_hold_records(parameter.type) and reads.makes(reads.reached(asked), nodes):
            return True
    return False


def _flag(node: object) -> str:
    return f"{node.owner}.{node.name}" if isinstance(node, graph.Test) else ""
