"""A rule or ruling that cites a section of the sources which speaks of something else: most often by a slip.

In: a stack. Out: suspicions. The words of a rule are compared with those of everything else that cites the section
(section_profiles.py). Where it has none of its heading, no rule of its case or on its question cites the section as
well, and its words are hardly those of it, but those of another section of the document, it is told. A rule that cites
several sections may take little from each, so more is asked there. A section with hardly any other citers is described
only by its heading, and only to the layers of the game: what stands below them is written for other games as well. An
item within the right section is compared with the other texts that cite it (item_profiles.py).
"""

from collections import defaultdict
from collections.abc import Collection, Iterator

from compiler.analysis.item_profiles import ItemProfiles
from compiler.analysis.laws import layers_below
from compiler.analysis.omissions import CitesElsewhere, ItemElsewhere
from compiler.analysis.parties import Party
from compiler.analysis.problems import Problem
from compiler.analysis.section_profiles import CitingText, SectionProfiles, section_of
from runtime.graph import nodes as graph

# What fewer others cite says too little of its subject.
FEWEST = 3
# The likeness to the cited section, as a share of that to the likest, below which it is told; of one of several less.
ONLY, ONE_OF_SEVERAL = 0.4, 0.15
# Where so much of what a layer cites is of one section, the section is about all that the layer is.
OF_A_LAYER = 0.3
# Of so many laws that cite a section, one is another than the law in question.
TWO = 2


def cites_elsewhere(stack: graph.Graph) -> Iterator[Problem]:
    """Find them, one a law."""
    subjects = SectionProfiles(stack)
    told: set[str] = set()
    for text, found in _sections(stack, subjects):
        told.add(text.label)
        yield found
    profiles = ItemProfiles(stack, subjects)
    for text, item, likest in profiles.misplaced_citers():
        if text.label not in told:
            told.add(text.label)
            others, like = (_labels(profiles, each, text) for each in (item, likest))
            yield ItemElsewhere(_party(stack, text.label), item, others, likest, like)


def _labels(profiles: ItemProfiles, item: str, text: CitingText) -> tuple[str, ...]:
    """List the other laws that cite an item."""
    return tuple(dict.fromkeys(each.label for each in profiles.citing[item] if each is not text))


def _sections(stack: graph.Graph, subjects: SectionProfiles) -> Iterator[tuple[CitingText, CitesElsewhere]]:
    """Find citations of sections that speak of something else."""
    beside = _cited_beside(stack)
    shared = _shared_layers(stack)
    compared = [section for section, count in subjects.text_count.items() if count >= FEWEST]
    for text in subjects.laws:
        least = ONE_OF_SEVERAL if text.several else ONLY
        for section, cite in text.cites.items():
            if not _may_be_elsewhere(subjects, text, section, shared) or section in beside[text.label]:
                continue
            likest = max(
                (each for each in compared if each.partition(".")[0] == section.partition(".")[0]),
                key=lambda each: (subjects.similarity(text, each), each),
                default=section,
            )
            if subjects.similarity(text, section) < least * subjects.similarity(text, likest):
                headings = _heading(stack, section), _heading(stack, likest)
                yield text, CitesElsewhere(_party(stack, text.label), cite, *headings)


def _may_be_elsewhere(subjects: SectionProfiles, text: CitingText, section: str, shared: Collection[str]) -> bool:
    """Return whether enough is known of a section that has a heading, and the text has no word of that."""
    own = subjects.of_layer[text.layer, section] / max(1, subjects.layers[text.layer])
    return (
        bool(subjects.headings.get(section))
        and (subjects.count_other_citers(text, section) >= FEWEST or not (text.several or text.layer in shared))
        and own < OF_A_LAYER
        and not subjects.has_heading_word(text, section)
    )


def _shared_layers(stack: graph.Graph) -> set[str]:
    """List the layers below the one that says how a game is played; all, where nothing does."""
    below = layers_below(stack)
    playthrough = stack.procedures.get("sequence")
    return set(below) if playthrough is None else below[playthrough.origin.layer] - {playthrough.origin.layer}


def _cited_beside(stack: graph.Graph) -> dict[str, set[str]]:
    """List the sections cited by what a rule or ruling stands beside: in its case, on its question, what it amends."""
    around = _CitedSections(stack)
    found: dict[str, set[str]] = defaultdict(set)
    for rule in stack.rules.values():
        found[rule.label] |= around.cited(rule, rule.label)
    for dispute in stack.disputes.values():
        for reading in dispute.readings:
            for label in reading.rules:
                found[label] |= {section_of(cite) for cite in (*dispute.cites, *reading.cites)}
    for ruling in stack.rulings.values():
        for label in (*ruling.rules, *ruling.clarifies):
            if label in stack.rules:
                found[ruling.label] |= around.cited(stack.rules[label], ruling.label)
    return found


class _CitedSections:
    """The sections that the rules of a case, and those on a question, cite, each with its citers: two suffice."""

    def __init__(self, stack: graph.Graph) -> None:
        self.stack = stack
        self.by: dict[str, dict[str, tuple[set[str], set[str]]]] = defaultdict(
            lambda: defaultdict(lambda: (set(), set()))
        )
        for rule in stack.rules.values():
            for place in _places(rule):
                for cite in rule.cites:
                    labels, laws = self.by[place].setdefault(section_of(cite), (set(), set()))
                    if len(labels) < TWO:
                        labels.add(rule.label)
                    if len(laws) < TWO:
                        laws.add(rule.ruling or rule.label)

    def cited(self, rule: graph.Rule, of: str) -> set[str]:
        """List the sections cited around a rule, by others than the rule or the ruling that is looked at."""
        which = 0 if of in self.stack.rules else 1
        found = {section for place in _places(rule) for section, by in self.by[place].items() if by[which] - {of}}
        near = [self.stack.rules[label] for label in (*rule.defeats, rule.label) if label in self.stack.rules]
        cites = [cite for each in near if of not in (each.label, each.ruling) for cite in each.cites]
        cites += [cite for term in rule.terms if term in self.stack.terms for cite in self.stack.terms[term].cites]
        return found | {section_of(cite) for cite in cites}


def _places(rule: graph.Rule) -> list[str]:
    """Name the places where a rule stands beside others."""
    return [f"case {rule.case}"] * bool(rule.case) + [f"term {term}" for term in rule.terms]


def _party(stack: graph.Graph, label: str) -> Party:
    law = stack.rulings.get(label) or stack.rules[label]
    return Party(label, "", law.cites, law.origin)


def _heading(stack: graph.Graph, section: str) -> str:
    """Name a section as readers know it: "MOVE, Movement"."""
    prefix, _, name = section.partition(".")
    headings = next((dict(each.headings) for each in stack.documents if each.prefix == prefix), {})
    return f"{section}, {headings[name]}" if name in headings else section
