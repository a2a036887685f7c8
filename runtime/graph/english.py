"""English morphology and syntax for generated sentences: possessives, agreement, negation, coordination.

In: words and phrases. Out: English. Independent of graphs; a phrase that the words alone do not determine is
returned unchanged.
"""

import re
from collections.abc import Iterable, Sequence

from runtime.graph.words import PluralPhrase, as_its_noun, has_article, list_text

# The number of words up to which a phrase takes 's: "the old cart's hex".
SHORT = 3

LINKS = set(
    "of against in at on that to from where whose it with for among between beside next and or over under into onto "
    "by is are has have not may can the as than per whether until while before after inside outside out off".split()
)
MODAL = ("may", "can", "must", "is", "are", "was", "were", "will", "would", "could")
# Adverbs between a verb and its participle: "has just begun".
ADVERBS = ("just", "already", "ever", "still")
PARTICIPLES = set("been gone left lost spent come done made had taken begun sunk held set put shut".split())

# Endings of participles, unlike needs, speed and breed.
DONE = re.compile(r"[a-z]{3,}[^e]ed$")

SEVERAL = {"is": "are", "has": "have", "was": "were", "does": "do"}


# A clause, or a predicate: the cart turns over, nothing happens, both stop; stays in the ditch.
CLAUSE = re.compile(
    r"(?:(?:the|an?|each|every|no) [a-z]+|nothing|nobody|it) [a-z]+s\b|(?:both|all|they) [a-z]+\b"
    r"|[a-z]{3,}s (?:in|out|on|off|back|to|and|away|up|down|through|the|an?|its)\b"
)


def are_clauses(phrases: Iterable[str]) -> bool:
    """Return whether each phrase is a clause; within a sentence such phrases are quoted."""
    found = [*phrases]
    return bool(found) and all(CLAUSE.match(each) for each in found)


def possessive(owner: str, name: str) -> str:
    """Return the possessive: "the cart's speed", but "the speed of the cart in the ditch"; for it, "its speed"."""
    if owner == "it":
        return as_its_noun(name, f"its {name}")
    parts = owner.split()
    if len(parts) <= SHORT and not (set(parts[1:]) & LINKS) and "'" not in owner and not owner.endswith(("s", ")")):
        return as_its_noun(name, f"{owner}'s {name}")
    return as_its_noun(name, f"the {name} of {owner}")


def agreeing_verb(phrase: str, singular: str) -> str:
    """Return a verb that agrees with its subject."""
    return with_plural_verb(singular) if isinstance(phrase, PluralPhrase) else singular


def with_plural_verb(text: str) -> str:
    """Return a text with its initial verb in the plural."""
    first, _, rest = text.partition(" ")
    if first in SEVERAL:
        first = SEVERAL[first]
    elif first not in MODAL:
        first = verb_stem(first)
    return f"{first} {rest}".strip()


def verb_stem(word: str) -> str:
    """Return the stem of a verb: rides, ride; tries, try; lies, lie."""
    if word.endswith("ies") and len(word) > len("lies"):
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes", "goes", "does")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def is_participle(name: str) -> bool:
    """Return whether the name of a track is a participle: spent, carried, hauled."""
    return " " not in name and (name in PARTICIPLES or bool(DONE.search(name)))


def predicate_text(subject: str, predicate: str, *, holds: bool = True) -> str:
    """Return the clause of a predicate: "is old", "has not fired"."""
    first, rest = ("has", predicate.removeprefix("has ")) if predicate.startswith("has ") else ("is", predicate)
    return f"{subject} {agreeing_verb(subject, first)} {'' if holds else 'not '}{rest}"


def holding_phrase(fact: str, *, holds: bool) -> str:
    """Return the clause that a fact holds: a clause itself, or its opposite; a name with "holds"."""
    for opening in ("whether ", "that "):
        if fact.startswith(opening):
            clause = fact.removeprefix(opening)
            return clause if holds else opposite_clause(clause)
    return f"{quoted_name(fact)} {'holds' if holds else 'does not hold'}"


def quoted_name(name: str) -> str:
    """Return the name of a boolean in quotation marks, without its article."""
    return f"“{name.removeprefix('the ')}”" if name.startswith("the ") else name


def negated_template(template: str) -> str:
    """Return the negation of a question's template by its first verb; "" where there is none."""
    if pair := re.fullmatch(r"(\{\w+\} and \{\w+\}) (?!are |have |may |can |must )([a-z].*)", template):
        return f"{pair[1]} do not {pair[2]}"
    found = re.fullmatch(r"(\{\w+\}|the [\w-]+|[\w-]+) ([a-z]+)( .*)?", template)
    if found is None:
        return ""
    subject, first, rest = found[1], found[2], (found[3] or "").strip()
    if first in MODAL:
        return f"{subject} {first}{'not' if first == 'can' else ' not'} {rest}".strip()
    if first == "has":
        after = next((word for word in rest.split() if word not in ADVERBS), "")
        if after in PARTICIPLES or after.endswith("ed"):
            return f"{subject} has not {rest}"
        return f"{subject} does not have {rest}" if has_article(rest) else f"{subject} has no {rest}"
    if first.endswith("s") and len(first) > 3 and not first.endswith("ss"):
        return f"{subject} does not {verb_stem(first)} {rest}".strip()
    return ""


def opposite_clause(clause: str) -> str:
    """Return the negation of a clause by its verb, or "it is not so that ..": that of a relative clause stays."""
    for found in ("may", "can", "must", "would", "is", "are", "have been", "has", "does"):
        if verb := re.search(rf"(?<! that)(?<! which)(?<! who) {found} ", clause):
            head, tail = clause[: verb.start()], clause[verb.end() :]
            if found == "have been":
                return f"{head} have not been {tail}"
            if found != "has":
                return f"{head} {found}{'not' if found == 'can' else ' not'} {tail}"
            return f"{head} does not have {tail}" if has_article(tail) else f"{head} has no {tail}"
    return f"it is not so that {clause}"


def joined_clauses(clauses: Sequence[tuple[str, str]], link: str) -> str:
    """Return coordinated clauses, each given with its subject; successive clauses with one subject share it."""
    runs: list[list[str]] = []
    about = ""
    for subject, clause in clauses:
        predicate = clause.removeprefix(f"{subject} ") if subject else clause
        known = predicate != clause and _begins_with_verb(predicate)
        if known and subject == about:
            runs[-1].append(predicate)
        else:
            runs.append([clause])
        about = subject if known else ""
    phrases = [_enough(run, link) for run in runs]
    if link == "or":
        return list_text(phrases, link)
    return (", and " if len(phrases) > 1 and any(len(run) > 2 for run in runs) else " and ").join(phrases)


def _enough(run: list[str], link: str) -> str:
    """Coordinate the predicates of one subject; a predicate with an inner list keeps its conjunctions."""
    parts = [part for each in run for part in re.split(r", | or ", each)]
    if link == "or" and all(_begins_with_verb(part) for part in parts[1:]):
        return list_text(parts, link)
    is_compound = any(", " in each or " and " in each or " or " in each for each in run)
    return f" {link} ".join(run) if is_compound else list_text(run, link)


def _begins_with_verb(predicate: str) -> bool:
    """Return whether a predicate begins with its verb."""
    first = predicate.split(" ", maxsplit=1)[0]
    return first in (*MODAL, *SEVERAL.values(), "cannot") or (first.endswith("s") and len(first) > 2)
