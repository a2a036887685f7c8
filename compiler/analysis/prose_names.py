"""Sentences with another name than their law: another member of an enumeration, another trait, feature or status.

In: a rule, and the declared names of its stack. Out: the name in the sentence and that of the law; None where they
agree or cannot be compared. Names of one family are compared, the members of an enumeration, or the traits, features or
statuses of one kind of thing: the label of the rule has one that its law uses, also through its questions; the sentence
lacks it, also as it is printed, and has another that nothing in the law uses. What a piece is not, or has with it, is
no name of its own.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from compiler.analysis.numerals import NUMBER_OF_WORD
from compiler.analysis.questions_in_play import terms_in
from compiler.analysis.step_reads import expressions_of_rule, expressions_of_term
from runtime.graph import nodes as graph
from runtime.graph.closure import transitive_closure
from runtime.graph.walk import nodes_of, walk

# Enumerations whose members denote a side or a piece, and not the subject of a law.
PARTIES = ("side", "counter")
LOWERCASE_WORD = re.compile(r"[a-z]+")
ARTICLE = re.compile(r"^(?:the|an?) ")
# Shorter names are parts of other phrases.
SHORTEST = 3
# Behind one of these words, a name is none of what the sentence is about.
BESIDE = ("not", "non", "no", "with", "without")


class ProseNames:
    """The families of declared names of a stack, and the names that its laws use."""

    def __init__(self, stack: graph.Graph) -> None:
        """Collect the names that a stack declares."""
        self._stack = stack
        self._names_of_terms: dict[str, frozenset[str]] = {}
        self.families: dict[str, set[str]] = defaultdict(set)
        self.printed_forms: dict[str, str] = {}
        for flag in stack.vocabulary.flags.values():
            if flag.name not in NUMBER_OF_WORD:
                self.families[f"{flag.owner} {flag.what}"].add(flag.name)
            self.printed_forms[flag.name] = ARTICLE.sub("", flag.reads)
        for enumeration in stack.vocabulary.enums.values():
            if enumeration.name not in PARTIES:
                self.families[enumeration.name] |= {member.name for member in enumeration.members}

    def differing_name(self, rule: graph.Rule) -> tuple[str, str] | None:
        """Return the name in a sentence, and the one in its law."""
        sentence, label = _words(rule.prose), _words(rule.label)
        used = self._names_used_by(rule)
        for family in self.families.values():
            labeled = [name for name in sorted(family & used) if len(name) >= SHORTEST and _has(label, name)]
            mentioned = [name for name in sorted(family) if len(name) >= SHORTEST and _has(sentence, name)]
            if len(labeled) != 1 or len(mentioned) != 1:
                continue
            [name], [other] = labeled, mentioned
            is_printed = _has(sentence, self.printed_forms.get(name, name))
            if not is_printed and other not in used and not _has(label, other) and not _is_beside(sentence, other):
                return other.replace("_", " "), name
        return None

    def _names_used_by(self, rule: graph.Rule) -> frozenset[str]:
        """Return the names that a rule or one that it defeats refers to, directly or through terms."""
        laws = [rule, *(self._stack.rules[label] for label in rule.defeats if label in self._stack.rules)]
        expressions = tuple(map(expressions_of_rule, laws))
        names = frozenset((*rule.terms, *_names_in(expressions)))
        return names.union(*map(self._names_of_term, terms_in(expressions)))

    def _names_of_term(self, name: str) -> frozenset[str]:
        """Return the names in the rules of a term, and of all terms that these ask."""
        if name not in self._names_of_terms:
            terms = transitive_closure((name,), lambda term: terms_in(self._expressions(term)))
            names = (_names_in(self._expressions(term)) for term in terms)
            self._names_of_terms[name] = frozenset(terms).union(*names)
        return self._names_of_terms[name]

    def _expressions(self, name: str) -> tuple[graph.Expr, ...]:
        term = self._stack.terms.get(name)
        return () if term is None else expressions_of_term(term, self._stack)


def _names_in(expressions: object) -> frozenset[str]:
    """Return the names in expressions, without variables."""
    names = (getattr(node, "name", "") for node in walk(expressions) if not isinstance(node, graph.Var))
    tables = (node.table for node in nodes_of(graph.Cell, expressions))
    return frozenset(name for name in (*names, *tables) if isinstance(name, str))


def _words(text: str) -> tuple[str, ...]:
    return tuple(LOWERCASE_WORD.findall(text.lower()))


def _has(words: Iterable[str], name: str) -> bool:
    """Return whether words contain a name, or its plural, as successive words."""
    text = f" {' '.join(words)} "
    return any(f" {form} " in text for form in _forms(name.lower().replace("_", " ")))


def _is_beside(words: Iterable[str], name: str) -> bool:
    """Return whether a name stands directly behind one of the words that exclude it from the subject."""
    forms = "|".join(_forms(name.replace("_", " ")))
    return bool(re.search(rf"\b(?:{'|'.join(BESIDE)}) (?:an? |the )?(?:{forms})\b", " ".join(words)))


def _forms(name: str) -> Iterator[str]:
    """Yield the singular and the plurals of a name."""
    yield name
    yield f"{name}s"
    yield f"{name}es"
    if name.endswith("y"):
        yield f"{name[:-1]}ies"
