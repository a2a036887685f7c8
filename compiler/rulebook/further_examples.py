"""Examples that stand at no rule, under the sections whose rules decide what they play.

In: the contents of a book. Out: sections in the order of the book, each with its examples in theirs; last, without a
section, those in which no section has a part.
"""

from collections import Counter

from compiler.rulebook.contents import NOWHERE, Contents
from compiler.rulebook.examples import PrintableExample
from compiler.rulebook.headings import Heading
from compiler.rulebook.homes import chain_of
from runtime.graph import nodes as graph
from runtime.graph.walk import walk


def group_further_examples(contents: Contents) -> tuple[tuple[Heading | None, tuple[PrintableExample, ...]], ...]:
    """Group the examples by section."""
    own = contents.homes.examples.get(NOWHERE, ())
    shown = contents.examples.get(NOWHERE, ())
    sections = _sections(contents)
    found: dict[str, list[PrintableExample]] = {section.label: [] for section in contents.outline}
    for example, printable in zip(own, shown, strict=True):
        found.setdefault(_section_of(contents, example, sections), []).append(printable)
    headings = {section.label: section for section in contents.outline}
    return tuple((headings.get(label), tuple(mine)) for label, mine in found.items() if mine)


def _sections(contents: Contents) -> dict[str, str]:
    """Assign actions, by key, and questions to the section that they belong to."""
    found = {key: section for section, keys in contents.procedures.items() for key in keys}
    tops = {case: section.label for section in contents.outline for case in _cases(section)}
    for name, term in contents.book.terms.items():
        votes = Counter(tops[case] for label in term.rules if (case := contents.homes.cases.get(label, "")) in tops)
        if votes:
            found[f"term:{name}"] = min(votes, key=lambda section: (-votes[section], section))
    return found


def _cases(section: Heading) -> tuple[str, ...]:
    """List the cases of a section, and itself."""
    return (section.label, *(case for part in section.parts for case in _cases(part)))


def _section_of(contents: Contents, example: graph.Example, sections: dict[str, str]) -> str:
    """Return the section of what an example does, else of what it asks; "" if it has none."""
    nodes = [*walk(example.lines)]
    done = Counter(sections.get(key, "") for node in nodes if (key := _done(node)))
    asked = Counter(
        sections.get(f"term:{chain_of(contents.book, node.term)}", sections.get(f"term:{node.term}", ""))
        for node in nodes
        if isinstance(node, graph.Ask)
    )
    for votes in (done, asked):
        del votes[""]
        if votes:
            return min(votes, key=lambda section: (-votes[section], section))
    return ""


def _done(node: object) -> str:
    """Return the key of the action or the resolution that a line carries out."""
    match node:
        case graph.Perform():
            return f"action:{node.action}"
        case graph.Do():
            return f"resolution:{node.resolution}"
        case _:
            return ""
