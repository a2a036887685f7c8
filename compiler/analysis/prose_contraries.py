"""Sentences with the contrary of an action that the texts around them mention: loads for unloads, enters for leaves.

In: the rules of a stack. Out: the word of the sentence, and the contrary word in its law, its label or its question.
Only pairs of words are compared that are easily confused; the sentence has one of them alone, and the texts around it
the other alone. Where a second sentence of the stack has the same pair, both words belong together in this game, and
neither is reported. Sentences are parsed as English.
"""

import re
from collections import Counter
from collections.abc import Iterator

from compiler.analysis.contrary_texts import contraries_of
from compiler.analysis.section_profiles import LOWERCASE_WORD, bare_word
from runtime.graph import nodes as graph
from runtime.graph.walk import walk

PLACEHOLDER = re.compile(r"{[^}]*}")
# Actions that are easily confused, in their dictionary forms.
CONFUSED_ACTIONS = (
    "load unload, enter leave, enter exit, attack defend, attack retreat, advance retreat, start stop, give get, "
    "gain lose, win lose, add remove, place remove, lay clear, build destroy, mount dismount, board land, rise fall, "
    "climb descend, arrive depart, move fire, fire enter, fire cross, move see, spot move, hide show, "
    "conceal reveal, see hear, push pull, send get, buy sell, draw discard, keep discard, keep lose, keep give, "
    "join leave, carry follow, carry leave, carry tow, lead follow, throw catch, pick drop, raise lower, "
    "double halve, spend gain, live die, survive die, damage repair, destroy damage, cross follow, attack enter, "
    "attack move, swim fly, ride walk, drive walk, return leave, build clear, sink land, stack leave, march retreat, "
    "march fight, friendly enemy, friend enemy, own enemy, attacker defender, inside outside, higher lower, "
    "full empty, load empty"
)
# "Left" is missing: it means what remains as often as a place that a piece leaves.
IRREGULAR = {
    "seen": "see", "saw": "see", "lost": "lose", "led": "lead", "held": "hold", "thrown": "throw", "fell": "fall",
    "fallen": "fall", "taken": "take", "took": "take", "given": "give", "gave": "give", "sunk": "sink",
    "swum": "swim", "paid": "pay", "built": "build", "kept": "keep", "sent": "send", "heard": "hear", "got": "get",
    "won": "win", "began": "begin", "begun": "begin", "enemies": "enemy", "foes": "enemy", "foe": "enemy",
    "shown": "show", "dying": "die", "halved": "halve", "carries": "carry", "carried": "carry",
}  # fmt: skip
# Behind one of these words, a noun is expected instead of a verb: "its load".
THING = re.compile(r"\b(?:an?|the|its|their|his|no|any|each|every) [a-z]+")
SIDE_WORDS = frozenset("own friend friendly enemy attacker defender full empty".split())
# "Left behind" is about no place that a piece leaves.
PHRASES = re.compile(r"\b(?:leaves?|leaving|left)\b[^.;,]{0,80} behind\b")
INVERTING_WORDS = re.compile(r"\b(?:unless|except|but|without|instead)\b")
DOUBLED = re.compile(r"([bdgklmnprt])\1$")
# Shorter stems are part of too many words.
LONGEST_EXACT_STEM = 4


def act_stem(word: str) -> str:
    """Return the stem of a word, which "load", "loads" and "loaded" share."""
    form = IRREGULAR.get(word, word)
    if form.endswith(("er", "ers")):
        return form.removesuffix("s")  # A defender does not always defend: the noun is no form of the verb.
    return form if len(form) <= LONGEST_EXACT_STEM else DOUBLED.sub(r"\1", bare_word(form).removesuffix("e"))


CONTRARIES = contraries_of(CONFUSED_ACTIONS, act_stem)

Pair = tuple[str, str]


class ContraryWords:
    """The words in the texts around the sentences of a stack, and the contrary pairs among them."""

    def __init__(self, stack: graph.Graph) -> None:
        """Compare every sentence with its surroundings once."""
        self.stack = stack
        self.read = {each.name: each.reads for each in stack.vocabulary.flags.values()}
        for enum in stack.vocabulary.enums.values():
            self.read |= {each.name: each.reads for each in enum.members}
        self.pairs = {rule.label: dict(self._contrary(rule)) for rule in stack.rules.values() if rule.prose}
        self.count = Counter(pair for pairs in self.pairs.values() for pair in pairs)

    def contrary_word(self, rule: graph.Rule) -> tuple[str, str, str] | None:
        """Return a word of a sentence, the contrary word around it, and where that occurs: label or law.

        None if there is none.
        """
        found = self.pairs.get(rule.label, {})
        word_pair = next((word_pair for pair, word_pair in found.items() if self.count[pair] == 1), None)
        return (*word_pair, "label" if word_pair[1] in rule.label.split("-") else "law") if word_pair else None

    def _contrary(self, rule: graph.Rule) -> Iterator[tuple[Pair, tuple[str, str]]]:
        # What follows an "unless" is negated in the law.
        sentence = PHRASES.sub(" ", INVERTING_WORDS.split(rule.prose.lower())[0])
        acts, words = _words(THING.sub(" ", sentence)), _words(sentence)
        words = {word: form for word, form in words.items() if word in acts or word in SIDE_WORDS}
        if CONTRARIES.keys().isdisjoint(words):
            return
        rule_words = _words(rule.prose).keys()
        context_words, neighbor_words = (
            _words(" ".join(text)) for text in (self._context_texts(rule), self._neighbor_texts(rule))
        )
        for own_word in sorted(words.keys() & CONTRARIES.keys() - context_words.keys() - neighbor_words.keys()):
            for other in sorted(CONTRARIES[own_word] & context_words.keys() - rule_words):
                yield (own_word, other), (words[own_word], context_words[other])

    def _context_texts(self, rule: graph.Rule) -> Iterator[str]:
        """List the texts around a sentence: its label, the names in its law, and their printed forms."""
        yield rule.label
        yield from self._name_texts(rule.terms[:1])
        for node in walk((rule.guard, rule.value, rule.names)):
            match node:
                case graph.Ask(term):
                    yield from self._name_texts((term,))
                case graph.Var():
                    pass
                case _:
                    name = getattr(node, "name", "")
                    if isinstance(name, str) and name:
                        yield name
                        yield self.read.get(name, "")

    def _neighbor_texts(self, rule: graph.Rule) -> Iterator[str]:
        """List texts that may share the sentence's word, or have the contrary one for a reason."""
        law = walk((rule.guard, rule.value, rule.names))
        if any(isinstance(node, graph.Var) and node.name == "from" for node in law):
            yield "leave"  # A move into a place is one out of another.
        yield from (f"{label} {self.stack.rules[label].prose}" for label in rule.defeats if label in self.stack.rules)
        if (case := self.stack.cases.get(rule.case)) is not None:
            yield case.title
        if (ruling := self.stack.rulings.get(rule.ruling)) is not None:
            yield ruling.asks
            yield "" if ruling.answers == rule.prose else ruling.answers

    def _name_texts(self, names: tuple[str, ...]) -> Iterator[str]:
        for name in names:
            yield name
            if (term := self.stack.terms.get(name)) is not None:
                yield PLACEHOLDER.sub(" ", f"{term.reads} {term.denied}")


def _words(text: str) -> dict[str, str]:
    """Return the stems of a text, each with its first word."""
    found: dict[str, str] = {}
    for word in LOWERCASE_WORD.findall(text.lower()):
        found.setdefault(act_stem(word), word)
    return found
