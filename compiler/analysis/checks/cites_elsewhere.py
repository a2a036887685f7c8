"""Rules and rulings that cite a section of the sources about another subject: most often an error.

In: a stack. Out: suspects. The words of a rule are compared with those of everything else that cites the section
(section_profiles.py). It is reported where it has no word of the section's heading, no rule of its case or on its
question cites the section as well, and its words are dissimilar to those of the section, but similar to those of
another section of the document. A rule that cites several sections may share few words with each, so its limit is
lower. A section with few other citers is described only by its heading, and only for the layers of the game: layers
below them serve other games as well. An item within the right section is compared with the other texts that cite it
(item_profiles.py). Laws of a game are reported in the stack of the game alone, and in no stack laws below a layer that
withdraws or replaces rules: others that cite the same may be among these.
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

# A section with fewer other citers has no reliable profile.
FEWEST_CITERS = 3
# The similarity to the cited section, as a share of that to the most similar one, below which a citation is reported;
# of one among several, the second number.
ONE_SECTION, ONE_OF_SEVERAL = 0.4, 0.15
# A section with this share of a layer's citations is the subject of the whole layer.
OF_A_LAYER = 0.3
# Of two laws that cite a section, at least one is not the law in question.
TWO = 2
REMOVING_VERBS = frozenset({"withdraws", "replaces"})


def cites_elsewhere(stack: graph.Graph) -> Iterator[Problem]:
    """Find misplaced citations, one a law."""
    subjects = SectionProfiles(stack)
    layers_left_out = _layers_left_out(stack)
    reported_labels: set[str] = set()
    for text, found in _sections(stack, subjects):
        if text.layer not in layers_left_out:
            reported_labels.add(text.label)
            yield found
    profiles = ItemProfiles(stack, subjects)
    for text, item, nearest in profiles.misplaced_citers():
        if text.label not in reported_labels and text.layer not in layers_left_out:
            reported_labels.add(text.label)
            item_labels, nearest_labels = (_labels(profiles, each, text) for each in (item, nearest))
            yield ItemElsewhere(_party(stack, text.label), item, item_labels, nearest, nearest_labels)


def _layers_left_out(stack: graph.Graph) -> set[str]:
    """Return the layers whose laws lack texts that cite the same in this stack, or are examined with their game."""
    below = layers_below(stack)
    removing_layers = {
        rule.origin.layer for rule in stack.rules.values() if any(verb in REMOVING_VERBS for verb, _ in rule.relations)
    }
    left_out = {name for layer in removing_layers for name in below.get(layer, ())}
    playthrough = stack.procedures.get("sequence")
    game = playthrough.origin.layer if playthrough else ""
    if any(game in lower_layers for lower_layers in below.values()):
        left_out |= {game, *below[game]}
    return left_out


def _labels(profiles: ItemProfiles, item: str, text: CitingText) -> tuple[str, ...]:
    """Return the labels of the other laws that cite an item."""
    return tuple(dict.fromkeys(each.label for each in profiles.texts_by_item[item] if each is not text))


def _sections(stack: graph.Graph, subjects: SectionProfiles) -> Iterator[tuple[CitingText, CitesElsewhere]]:
    """Find citations of sections about another subject."""
    context_sections = _cited_beside(stack)
    shared = _shared_layers(stack)
    compared = [section for section, count in subjects.text_count.items() if count >= FEWEST_CITERS]
    for text in subjects.laws:
        least = ONE_OF_SEVERAL if text.has_several_sections else ONE_SECTION
        for section, cite in text.cites.items():
            if not _may_be_elsewhere(subjects, text, section, shared) or section in context_sections[text.label]:
                continue
            nearest = max(
                (each for each in compared if each.partition(".")[0] == section.partition(".")[0]),
                key=lambda each: (subjects.similarity(text, each), each),
                default=section,
            )
            if subjects.similarity(text, section) < least * subjects.similarity(text, nearest):
                headings = _heading(stack, section), _heading(stack, nearest)
                yield text, CitesElsewhere(_party(stack, text.label), cite, *headings)


def _may_be_elsewhere(subjects: SectionProfiles, text: CitingText, section: str, shared: Collection[str]) -> bool:
    """Return whether a section has a profile and a heading, and the text has no word of the latter."""
    share = subjects.of_layer[text.layer, section] / max(1, subjects.layers[text.layer])
    return (
        bool(subjects.headings.get(section))
        and (
            subjects.count_other_citers(text, section) >= FEWEST_CITERS
            or not (text.has_several_sections or text.layer in shared)
        )
        and share < OF_A_LAYER
        and not subjects.has_heading_word(text, section)
    )


def _shared_layers(stack: graph.Graph) -> set[str]:
    """Return the layers below the one with the sequence of play; all layers, where none has one."""
    below = layers_below(stack)
    playthrough = stack.procedures.get("sequence")
    return set(below) if playthrough is None else below[playthrough.origin.layer] - {playthrough.origin.layer}


def _cited_beside(stack: graph.Graph) -> dict[str, set[str]]:
    """Return the sections cited in the context of each rule or ruling: its case, its question, its targets."""
    cited_sections = _CitedSections(stack)
    found: dict[str, set[str]] = defaultdict(set)
    for rule in stack.rules.values():
        found[rule.label] |= cited_sections.cited_sections(rule, rule.label)
    for dispute in stack.disputes.values():
        for reading in dispute.readings:
            for label in reading.rules:
                found[label] |= {section_of(cite) for cite in (*dispute.cites, *reading.cites)}
    for ruling in stack.rulings.values():
        for label in (*ruling.rules, *ruling.clarifies):
            if label in stack.rules:
                found[ruling.label] |= cited_sections.cited_sections(stack.rules[label], ruling.label)
    return found


class _CitedSections:
    """The sections that the rules of a case, and those on a question, cite, with up to two citers each."""

    def __init__(self, stack: graph.Graph) -> None:
        self.stack = stack
        self.citers_by_place: dict[str, dict[str, tuple[set[str], set[str]]]] = defaultdict(
            lambda: defaultdict(lambda: (set(), set()))
        )
        for rule in stack.rules.values():
            for place in _places(rule):
                for cite in rule.cites:
                    labels, laws = self.citers_by_place[place].setdefault(section_of(cite), (set(), set()))
                    if len(labels) < TWO:
                        labels.add(rule.label)
                    if len(laws) < TWO:
                        laws.add(rule.ruling or rule.label)

    def cited_sections(self, rule: graph.Rule, citer_label: str) -> set[str]:
        """Return the sections cited around a rule, by others than the rule or ruling in question."""
        which = 0 if citer_label in self.stack.rules else 1
        found = {
            section
            for place in _places(rule)
            for section, citers in self.citers_by_place[place].items()
            if citers[which] - {citer_label}
        }
        related_rules = [self.stack.rules[label] for label in (*rule.defeats, rule.label) if label in self.stack.rules]
        cites = [cite for each in related_rules if citer_label not in (each.label, each.ruling) for cite in each.cites]
        cites += [cite for term in rule.terms if term in self.stack.terms for cite in self.stack.terms[term].cites]
        return found | {section_of(cite) for cite in cites}


def _places(rule: graph.Rule) -> list[str]:
    """Return the keys of the case and the terms of a rule."""
    return [f"case {rule.case}"] * bool(rule.case) + [f"term {term}" for term in rule.terms]


def _party(stack: graph.Graph, label: str) -> Party:
    law = stack.rulings.get(label) or stack.rules[label]
    return Party(label, "", law.cites, law.origin)


def _heading(stack: graph.Graph, section: str) -> str:
    """Format a section with its heading: "MOVE, Movement"."""
    prefix, _, name = section.partition(".")
    headings = next((dict(each.headings) for each in stack.documents if each.prefix == prefix), {})
    return f"{section}, {headings[name]}" if name in headings else section
