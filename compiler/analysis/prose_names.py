"""Sentences with another name than their law: another member of an enumeration, another trait, a reversed comparison.

In: the rules of a stack. Out: the name in the sentence, that of the law, and where the latter occurs. Compared are "in
winter" with `season = summer`, both being seasons; "the alliance needs the pact" with a law about the alliance and a
loan, all three cards; "carts do not" with a law about riders; "higher than the wall" with `height(h) <= wall`;
"doubled" with a law that only divides; and "before" in a sentence with a label that has after. A name of the law counts
as left out only where most sentences of rules that test it contain it: other names have other expressions in prose.
Sentences are parsed as English.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from compiler.analysis.contrary_texts import CONTRARY, claims_of, contrary_claims
from compiler.analysis.inverted_prohibitions import is_word_of
from compiler.analysis.polarity import CONVERSE_ORDER
from compiler.analysis.prose_claims import subject_excluded
from compiler.analysis.section_profiles import LOWERCASE_WORD, bare_word
from compiler.analysis.touched_names import TouchedNames, node_name
from runtime.graph import nodes as graph
from runtime.graph.members import members_of
from runtime.graph.verbs import rule_answer
from runtime.graph.walk import walk

ARTICLE = re.compile(r"^(?:the|an?) ")
# Enumerations whose members denote a side or a piece, and not the subject of a law.
PARTIES = {"side", "counter"}
# The least number, and the least share, of sentences that contain a name of their law for it to be usual.
SAYING, USUAL_SHARE = 2, 0.6
# The number of sentences that contain a name, all with a law that uses it, from which the name is taken to mean that.
BACKED = 6
# The distances of two listed words: "reds and greens", "reds, and the greens".
SPACED = (-3, -2, 2, 3)
# The length of a common prefix that makes two words forms of one, as wade and wading.
BEGUN = 3
# A law that tests this number of traits has a list in its sentence, in other words.
TRAITS_OF_LIST = 4
# The number of words at the start of a sentence that contain its subject.
SUBJECT = 2
# Words of labels about time, place and party; others depend on the rest of the phrase.
IN_LABELS = frozenset(
    "before after always never inside outside enter leave enters leaves begins ends adds subtracts own enemy".split()
)
ENEMIES = frozenset("enemy enemies foe foes".split())
NO_ENUM = graph.Enumeration("", ())
FRIENDS = frozenset("friend friends friendly".split())
PARTY_WORDS = (ENEMIES, FRIENDS)
UP = {"higher", "more", "greater", "farther", "longer", "larger", "stronger"}
THAN = re.compile(
    r"\b(no |not )?(higher|more|greater|farther|longer|larger|stronger|lower|less|fewer|smaller|shorter|nearer|weaker)"
    r" than (?:the |an? |what |its |his )?(\w+)"
)
ORDERS = {(True, False): ">", (True, True): "<=", (False, False): "<", (False, True): ">="}

NameOccurrence = tuple[str, str, str]


class ProseNames:
    """Counts of the names that the rules of a stack test, and of the sentences that contain them."""

    def __init__(self, stack: graph.Graph) -> None:
        """Count the names in the rules and sentences of a stack."""
        self.stack = stack
        self.rule_count: Counter[str] = Counter()
        self.named_count: Counter[str] = Counter()
        self.flags: dict[tuple[str, str], set[str]] = defaultdict(set)
        for flag in stack.vocabulary.flags.values():
            self.flags[flag.owner, flag.what].add(flag.name)
        # The printed forms of features, traits and statuses, by name.
        self.phrases: dict[str, set[str]] = defaultdict(set)
        for flag in stack.vocabulary.flags.values():
            self.phrases[flag.name].add(ARTICLE.sub("", flag.reads.lower()) or flag.name)
        self.flagged = {flag.name: (flag.owner, flag.what) for flag in stack.vocabulary.flags.values()}
        vocabulary = stack.vocabulary
        listed = [each for enum in vocabulary.enums.values() if enum.name not in PARTIES for each in enum.members]
        listed = [each for each in listed if each not in vocabulary.enums.get("phase", NO_ENUM).members]
        named: list[graph.Flag | graph.Word] = [*vocabulary.flags.values(), *listed]
        # The printed form of each declared name, and its sort.
        self.read = {each.name: each.reads for each in named}
        self.declared = set(self.read)
        statuses = {flag.name for flag in vocabulary.flags.values() if flag.what == "status"}
        self.sorts = {"status": statuses, "printed": self.declared - statuses}
        self.touched = TouchedNames(stack)
        # The number of sentences that contain a name literally, and of those whose law uses it.
        self.plain_count: Counter[str] = Counter()
        self.confirmed_count: Counter[str] = Counter()
        for rule in filter(lambda rule: rule.prose, stack.rules.values()):
            words = sentence_words(rule)
            for name in {node.name for node in _law_nodes(rule) if isinstance(node, graph.Test | graph.Member)}:
                self.rule_count[name] += 1
                self.named_count[name] += _is_mentioned(name, words)
            for name in self._declared_in(words):
                self.plain_count[name] += 1
                self.confirmed_count[name] += name in self.touched.names_used_by(rule)

    def differing_name(self, rule: graph.Rule) -> NameOccurrence | None:
        """Return the name in a sentence, the one in its place, and where that occurs: in its law or its label.

        None if they agree.
        """
        if not rule.prose:
            return None
        words = sentence_words(rule)
        law = (
            self._member(rule, words)
            or self._exchanged_member(rule, words)
            or self._flag(rule, words)
            or self._excluded(rule, words)
        )
        law = law or _comparison_order(rule) or _halved(rule, words) or self._foreign_name(rule, words)
        return (*law, "law") if law else _label(rule, words)

    def _is_usually_mentioned(self, name: str) -> bool:
        """Return whether most sentences of rules that test a name contain it."""
        return self.named_count[name] >= max(SAYING, USUAL_SHARE * (self.rule_count[name] - 1))

    def _member(self, rule: graph.Rule, words: list[str]) -> tuple[str, str] | None:
        """Compare "in winter" with the only member of that enumeration that the law tests."""
        named, equal = defaultdict(set), defaultdict(set)
        for node in _law_nodes(rule):
            if isinstance(node, graph.Member):
                named[node.enum].add(node.name)
            if isinstance(node, graph.Op) and node.op == "=":
                for each in (part for part in node.arguments if isinstance(part, graph.Member)):
                    equal[each.enum].add(each.name)
        for enum, tested_names in equal.items():
            listed = self.stack.vocabulary.enums.get(enum)
            if enum in PARTIES or listed is None or named[enum] != tested_names or len(tested_names) > 1:
                continue
            [name] = tested_names
            if _is_mentioned(name, words):
                continue
            label = rule.label.split("-")
            headed = _is_mentioned(name, self._heading(rule))
            labeled, usual = _is_plain(name, label), headed or self._is_usually_mentioned(name)
            mentioned_names = [each.name for each in listed.members if _in_words(each.name, rule.prose)]
            for other in (each.name for each in listed.members if each.name != name):
                # "In the fog" is about ground; "in the attack" about an action, beside other members of its
                # enumeration.
                spoken_as = "|".join((re.escape(other), *(f"the {re.escape(each)}" for each in self.phrases[other])))
                phrase_match = re.search(rf"\b[io]n (?:{spoken_as})\b", rule.prose.lower())
                if "_" in other and mentioned_names == [other]:
                    phrase_match = re.search(rf"\b{re.escape(other.replace('_', ' '))}s?\b", rule.prose.lower())
                first = usual and _is_plain(other, words[:SUBJECT])
                plain = (labeled or first) and _is_plain(other, words) and not _is_plain(other, label)
                if phrase_match or plain:
                    return phrase_match[0] if phrase_match else other, f"= {name}"
        return None

    def _exchanged_member(self, rule: graph.Rule, words: list[str]) -> tuple[str, str] | None:
        """Compare "the alliance needs the pact" with a law about the alliance and a loan, all of one enumeration."""
        named: dict[str, set[str]] = defaultdict(set)
        for node in _law_nodes(rule):
            if isinstance(node, graph.Member) and node.enum not in PARTIES:
                named[node.enum].add(node.name)
        for enum, tested_names in named.items():
            listed = self.stack.vocabulary.enums.get(enum)
            members = [each.name for each in listed.members] if listed else []
            mentioned_names = [
                name for name in members if _is_plain(name, words) or ("_" in name and _in_words(name, rule.prose))
            ]
            missing = [name for name in tested_names if name not in mentioned_names and not _is_mentioned(name, words)]
            foreign = [name for name in mentioned_names if name not in self.touched.names_used_by(rule)]
            if len(missing) == len(foreign) == 1 and len(tested_names) > 1 and tested_names & set(mentioned_names):
                return foreign[0].replace("_", " "), missing[0]
        return None

    def _excluded(self, rule: graph.Rule, words: list[str]) -> tuple[str, str] | None:
        """Compare "blue ones .." with a law about pieces that are green and not blue."""
        label = rule.label.split("-")
        return subject_excluded(
            rule,
            lambda name: _is_plain(name, words),
            lambda name: (
                not _is_mentioned(name, words) and (_is_mentioned(name, label) or self._is_usually_mentioned(name))
            ),
        )

    def _flag(self, rule: graph.Rule, words: list[str]) -> tuple[str, str] | None:
        """Compare "carts" with the trait, feature or status that the law tests instead."""
        tests = [node for node in _law_nodes(rule) if isinstance(node, graph.Test)]
        tested_names = {test.name for test in tests}
        called = {each.name for term in self._terms(rule) for each in term.parameters}
        # The sentence of an exception may mention the subject of the rule that it defeats, too.
        defeated = (self.stack.rules[label] for label in rule.defeats if label in self.stack.rules)
        below = [node for each in defeated for node in _law_nodes(each)]
        lifted = {node.name for node in below if isinstance(node, graph.Test)}
        for test in tests if len(tested_names) < TRAITS_OF_LIST else ():
            # A name that a single rule tests may occur in the label of that rule.
            labeled = _is_plain(test.name, rule.label.split("-"))
            if _is_mentioned(test.name, words) or not (labeled or self._is_usually_mentioned(test.name)):
                continue
            for other in sorted(self.flags[test.owner, test.what] - tested_names - called):
                # "Non-members" and "the owner's" mention no member and no owner.
                aside = re.search(rf"non-{other}|{other}'s", rule.prose.lower())
                known = self._is_usually_mentioned(other) or (
                    labeled and self.named_count[other] > 0 and other not in lifted
                )
                if _is_plain(other, words) and not aside and known:
                    return other, f"is {test.name}"
        return None

    def _declared_in(self, words: list[str]) -> set[str]:
        """Return the declared names that occur in a sentence literally, or as a plural with an s."""
        return {form for word in words for form in (word, word.removesuffix("s")) if form in self.declared}

    def _foreign_name(self, rule: graph.Rule, words: list[str]) -> tuple[str, str] | None:
        """Compare "who has fired" with a law that uses nothing of that name, but something that the sentence lacks.

        Reported where all other sentences with the name have a law that uses it, or where the label has a name that the
        sentence lacks and that could replace it.
        """
        foreign = self._declared_in(words) - self.touched.names_used_by(rule) - self._remaining_members(rule)
        if not foreign or (rule.guard is None and rule.value is None):
            return None
        used_names = [name for node in _law_nodes(rule) if (name := node_name(node)) not in {"", "hex", *PARTIES}]
        ruling = self.stack.rulings.get(rule.ruling)
        context_words = [*words, *LOWERCASE_WORD.findall(ruling.asks.lower())] if ruling else words
        missing = [name for name in used_names if not _is_mentioned(name, context_words)]
        label = rule.label.split("-")
        labeled = [name for name in missing if name in self.declared and _is_mentioned(name, label)]
        # The label may also have a name that the law uses through a question, of the same sort.
        touched = (name for name in self.touched.names_used_by(rule) & self.flagged.keys() if name not in labeled)
        labeled += sorted(name for name in touched if _is_plain(name, label) and not _is_mentioned(name, context_words))
        if listed := self._listed_name(rule, words, foreign):
            return listed
        for name in sorted(foreign) if missing or labeled else ():
            if _is_mentioned(name, (*label, *self._heading(rule))) or self._is_read(name, rule):
                continue
            if (
                missing
                and self.confirmed_count[name] >= BACKED
                and self.plain_count[name] == self.confirmed_count[name] + 1
            ):
                return name, missing[0]
            instead = [other for other in labeled if self._sort(other) & self._sort(name)]
            instead = [other for other in instead if other in missing or self.flagged.get(name) == self.flagged[other]]
            first = _is_plain(name, words[:SUBJECT])
            usual = [
                other for other in missing if self.named_count[other] >= SAYING and self._is_usually_mentioned(other)
            ]
            if first and usual and not self._is_usual(name, rule):
                return name, usual[0]
            if instead and (first or 2 * self.confirmed_count[name] >= self.plain_count[name] - 1):
                return name, instead[0]
        return None

    def _remaining_members(self, rule: graph.Rule) -> set[str]:
        """Return the members of enumerations that a law excludes a member of: "medium and large" is `!= small`."""
        unequal = (node for node in _law_nodes(rule) if isinstance(node, graph.Op) and node.op == "!=")
        excluded = (each for node in unequal for each in node.arguments if isinstance(each, graph.Member))
        return {name for each in excluded for name in members_of(self.stack.vocabulary, each.enum)}

    def _listed_name(self, rule: graph.Rule, words: list[str], foreign: set[str]) -> tuple[str, str] | None:
        """Compare "reds and greens" with a law that tests for red or blue: one listed name differs."""
        for node in _law_nodes(rule):
            listed: list[str] = []
            candidates: set[str] = set()
            match node:
                case graph.Is(_, tests):
                    listed = [test.name for test in tests]
                    candidates = foreign & self.flags[tests[0].owner, tests[0].what]
                case graph.SetOf(elements) if all(isinstance(each, graph.Member) for each in elements):
                    listed = [node_name(each) for each in elements]
                    enums = {each.enum for each in elements if isinstance(each, graph.Member)}
                    candidates = foreign & {name for enum in enums for name in members_of(self.stack.vocabulary, enum)}
                case _:
                    continue
            missing = [name for name in listed if not _is_mentioned(name, words)]
            if len(missing) != 1 or len(listed) == 1:
                continue
            for name in sorted(candidates):
                places = [index for index, word in enumerate(words) if word in {name, f"{name}s"}]
                adjacent_words = {
                    words[index + distance]
                    for index in places
                    for distance in SPACED
                    if 0 <= index + distance < len(words)
                }
                if any(_is_mentioned(each, adjacent_words) for each in listed):
                    return name, "|".join(listed)
        return None

    def _is_usual(self, name: str, rule: graph.Rule) -> bool:
        """Return whether other sentences on the same question contain a name, regardless of their laws."""
        labels = {label for term in self._terms(rule) for label in term.rules if label != rule.label}
        return any(_is_plain(name, sentence_words(self.stack.rules[label])) for label in labels)

    def _is_read(self, name: str, rule: graph.Rule) -> bool:
        """Return whether the printed forms of what a law uses contain a name, as that of `sore`, "in pain", may."""
        read = " ".join(f"{term.reads} {term.denied}" for term in self._terms(rule))
        read += " ".join(self.read.get(each, "") for each in self.touched.names_used_by(rule))
        form_words = {
            *LOWERCASE_WORD.findall(read.lower()),
            *(word for each in self.touched.names_used_by(rule) for word in each.split("_")),
        }
        return _is_mentioned(name, form_words) or any(word[:BEGUN] == name[:BEGUN] for word in form_words)

    def _sort(self, name: str) -> set[str]:
        """Return the sorts of a name, within which one name may replace another: status, or printed."""
        return {sort for sort in ("status", "printed") if name in self.sorts[sort]}

    def _heading(self, rule: graph.Rule) -> list[str]:
        """Return the words of the heading of a rule's case."""
        case = self.stack.cases.get(rule.case)
        return LOWERCASE_WORD.findall(case.title.lower()) if case else []

    def _terms(self, rule: graph.Rule) -> Iterator[graph.Term]:
        return (self.stack.terms[name] for name in rule.terms if name in self.stack.terms)


def sentence_words(rule: graph.Rule) -> list[str]:
    """Return the words of a rule's sentence."""
    return LOWERCASE_WORD.findall(rule.prose.lower())


def _law_nodes(rule: graph.Rule) -> Iterable[object]:
    return walk((rule.guard, rule.value, rule.names))


def _in_words(name: str, prose: str) -> bool:
    """Return whether a name with underscores occurs in a sentence as several words."""
    return name.replace("_", " ") in prose.lower()


def _is_mentioned(name: str, words: Iterable[str]) -> bool:
    return any(is_word_of(word, name) for word in words)


def _is_plain(name: str, words: Iterable[str]) -> bool:
    return any(word in {name, f"{name}s"} for word in words)


def _comparison_order(rule: graph.Rule) -> tuple[str, str] | None:
    """Compare "no higher than the wall" with the only comparison of a law that grants something."""
    guard = rule.guard
    found = THAN.search(rule.prose.lower())
    if found is None or not rule_answer(rule) or not isinstance(guard, graph.Op) or guard.op not in CONVERSE_ORDER:
        return None
    # The word behind "than" determines the side of the comparison.
    left, right = ({bare_word(word) for word in _names(side)} for side in guard.arguments)
    compared_stem = bare_word(found[3])
    if (compared_stem in left) == (compared_stem in right):
        return None
    op = guard.op if compared_stem in right else CONVERSE_ORDER[guard.op]
    return None if op == ORDERS[found[2] in UP, bool(found[1])] else (found[0], guard.op)


def _halved(rule: graph.Rule, words: list[str]) -> tuple[str, str] | None:
    """Compare "halved" with a law that only multiplies, "doubled" with one that only divides, both with a sum."""
    nodes = list(walk((rule.guard, rule.value, rule.names)))
    divides = any(isinstance(node, graph.Op) and node.op == "/" for node in nodes)
    divides = divides or any(isinstance(node, graph.Num) and 0 < node.value < 1 for node in nodes)
    times = any(isinstance(node, graph.Op) and node.op == "*" for node in nodes)
    shifts = next((node.op for node in nodes if isinstance(node, graph.Op) and node.op in {"+", "-"}), "")
    scalings = {word: "halved" in words for word in words if word in {"halved", "doubled"}}
    if len(scalings) != 1 or any(isinstance(node, graph.Ask) for node in nodes):
        return None
    [(word, halved)] = scalings.items()
    if divides == times:
        return (word, shifts) if shifts and not times else None
    return (word, "/" if divides else "*") if halved == times else None


def _names(value: object) -> Iterator[str]:
    """List the words of the names in one side of a comparison."""
    for node in walk(value):
        name = getattr(node, "name", "")
        if isinstance(name, str):
            yield from LOWERCASE_WORD.findall(name.lower())


def _label(rule: graph.Rule, words: list[str]) -> NameOccurrence | None:
    """Compare "before" in a sentence with "after" in its label."""
    label = rule.label.split("-")
    if contrary_claims(claims_of(rule.prose), claims_of(" ".join(label))):
        return None  # This is reported with other texts that contradict each other.
    for label_words, sentence_words in (PARTY_WORDS, PARTY_WORDS[::-1]):
        named, headed = sentence_words.intersection(words), label_words.intersection(label)
        if headed and named and not sentence_words.intersection(label) and not label_words.intersection(words):
            return min(named), min(headed), "label"
    for word in IN_LABELS.intersection(label).difference(words):
        for other in CONTRARY[word].intersection(words).difference(label):
            return other, word, "label"
    return None
