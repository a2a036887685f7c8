"""A sentence that says of an act the contrary of what stands around it: loads for unloads, enters for leaves.

In: the rules of a stack. Out: the word of the sentence, and the contrary word by which its law, its label or its
question call the act. Only pairs of words are compared that are exchanged by a slip; the
sentence has one of them alone, and what stands around it the other alone. Where a second sentence of the stack does the
same, the two words go together in this game, and neither is told. Sentences are read as English.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from compiler.analysis.contrary_texts import contraries_of
from compiler.analysis.section_profiles import stem
from runtime.graph import nodes as graph
from runtime.graph.walk import walk

WORD = re.compile(r"[a-z]+")
PLACEHOLDER = re.compile(r"{[^}]*}")
# Acts that are taken for each other, by the form that dictionaries have.
PAIRS = (
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
# "Left" is what is still there as often as a place that a piece went away from.
IRREGULAR = {
    "seen": "see", "saw": "see", "lost": "lose", "led": "lead", "held": "hold", "thrown": "throw", "fell": "fall",
    "fallen": "fall", "taken": "take", "took": "take", "given": "give", "gave": "give", "sunk": "sink",
    "swum": "swim", "paid": "pay", "built": "build", "kept": "keep", "sent": "send", "heard": "hear", "got": "get",
    "won": "win", "began": "begin", "begun": "begin", "enemies": "enemy", "foes": "enemy", "foe": "enemy",
    "shown": "show", "dying": "die", "halved": "halve", "carries": "carry", "carried": "carry",
}  # fmt: skip
# Behind one of these stands a thing and no act: "its load".
THING = re.compile(r"\b(?:an?|the|its|their|his|no|any|each|every) [a-z]+")
SIDES = frozenset("own friend friendly enemy attacker defender full empty".split())
# "Left behind" names no place that a piece goes away from.
PHRASES = re.compile(r"\b(?:leaves?|leaving|left)\b[^.;,]{0,80} behind\b")
TURNS = re.compile(r"\b(?:unless|except|but|without|instead)\b")
DOUBLED = re.compile(r"([bdgklmnprt])\1$")
# Stems of these are part of too many words.
SHORT = 4


@lru_cache(maxsize=20_000)
def act_of(word: str) -> str:
    """Return the stem of a word, which "load", "loads" and "loaded" share."""
    form = IRREGULAR.get(word, word)
    if form.endswith(("er", "ers")):
        return form.removesuffix("s")  # A defender does not always defend: the word is no form of the verb.
    return form if len(form) <= SHORT else DOUBLED.sub(r"\1", stem(form).removesuffix("e"))


CONTRARIES = contraries_of(PAIRS, act_of)

Pair = tuple[str, str]


class ContraryWords:
    """The words around the sentences of a stack, and which of them stand for each other there."""

    def __init__(self, stack: graph.Graph) -> None:
        """Compare every sentence once."""
        self.stack = stack
        self.read = {each.name: each.reads for each in stack.vocabulary.flags.values()}
        for enum in stack.vocabulary.enums.values():
            self.read |= {each.name: each.reads for each in enum.members}
        self.pairs = {rule.label: dict(self._contrary(rule)) for rule in stack.rules.values() if rule.prose}
        self.count = Counter(pair for pairs in self.pairs.values() for pair in pairs)

    def contrary_word(self, rule: graph.Rule) -> tuple[str, str, str] | None:
        """Return the word of a sentence that has the contrary of one around it, that one, and where that stands."""
        found = self.pairs.get(rule.label, {})
        said = next((said for pair, said in found.items() if self.count[pair] == 1), None)
        return (*said, "label" if said[1] in rule.label.split("-") else "law") if said else None

    def _contrary(self, rule: graph.Rule) -> Iterator[tuple[Pair, tuple[str, str]]]:
        # Behind an "unless" stands what the law has the other way round.
        said = PHRASES.sub(" ", TURNS.split(rule.prose.lower())[0])
        acts, words = _words(THING.sub(" ", said)), _words(said)
        words = {word: form for word, form in words.items() if word in acts or word in SIDES}
        if CONTRARIES.keys().isdisjoint(words):
            return
        whole = _words(rule.prose).keys()
        around, beside = (_words(" ".join(text)) for text in (self._around(rule), self._beside(rule)))
        for own in sorted(words.keys() & CONTRARIES.keys() - around.keys() - beside.keys()):
            for other in sorted(CONTRARIES[own] & around.keys() - whole):
                yield (own, other), (words[own], around[other])

    def _around(self, rule: graph.Rule) -> Iterator[str]:
        """List what stands around a sentence: its label, the names of its law, and how these are read."""
        yield rule.label
        yield from self._asked(rule.terms[:1])
        for node in walk((rule.guard, rule.value, rule.names)):
            match node:
                case graph.Ask(term):
                    yield from self._asked((term,))
                case graph.Var():
                    pass
                case _:
                    name = getattr(node, "name", "")
                    if isinstance(name, str) and name:
                        yield name
                        yield self.read.get(name, "")

    def _beside(self, rule: graph.Rule) -> Iterator[str]:
        """List what may say the same as a sentence, and may say the contrary for a reason."""
        law = walk((rule.guard, rule.value, rule.names))
        if any(isinstance(node, graph.Var) and node.name == "from" for node in law):
            yield "leave"  # To enter a place is to leave another.
        yield from (f"{label} {self.stack.rules[label].prose}" for label in rule.defeats if label in self.stack.rules)
        if (case := self.stack.cases.get(rule.case)) is not None:
            yield case.title
        if (ruling := self.stack.rulings.get(rule.ruling)) is not None:
            yield ruling.asks
            yield "" if ruling.answers == rule.prose else ruling.answers

    def _asked(self, names: tuple[str, ...]) -> Iterator[str]:
        for name in names:
            yield name
            if (term := self.stack.terms.get(name)) is not None:
                yield PLACEHOLDER.sub(" ", f"{term.reads} {term.denied}")


def _words(text: str) -> dict[str, str]:
    """List the stems of a text, each with its first word."""
    found: dict[str, str] = {}
    for word in WORD.findall(text.lower()):
        found.setdefault(act_of(word), word)
    return found
