"""Laws that grant what their sentence denies, or deny what their sentence grants.

In: a rule of a stack. Out: the words of the sentence, and the polarity of the law. A rule grants (allows, holds,
includes) or denies (forbids, fails, excludes); one without a conclusion has the contrary polarity of the rules that it
defeats. Its sentence denies by "may not" in its first clause, and grants by "may", or by a statement that the
condition's subject does what the question is about: "a tired one moves". To avoid false reports, half sentences,
conditions and relative clauses ("what cannot be seen") are skipped. Sentences are parsed as English.
"""

import re

from compiler.analysis.contrary_texts import WORD_OR_NUMBER
from compiler.analysis.inverted_prohibitions import is_word_of, required_words
from compiler.analysis.section_profiles import COMMON, SHORTEST_STEM, word_root
from runtime.graph import nodes as graph
from runtime.graph.verbs import VERBS, rule_polarity

# The comparisons of order, as they read with their sides exchanged.
CONVERSE_ORDER = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
MAY_NOT = re.compile(r"\b(?:may not|must not|cannot|can not)\b")
DOES_NOT = re.compile(r"\b(?:may not|must not|cannot|can not|do not|does not)\b")
PERMITTED_VERB = re.compile(r"\b(?:may|can) (?:be |also |still |always )?(\w+)")
MODAL = re.compile(r"\b(?:may not|must not|cannot|can not|may|can)\b(?: be| even)?(?: (\w+))?")
ANYBODY = re.compile(r"(?:any|every)(?:body|one)\b")
AND_ANYBODY = re.compile(r"[,;] (?:and )?((?:any|every)(?:body|one))\b")
ALSO = re.compile(r"\balso\b")
# Behind one of these words, a clause is a condition or an aside.
ASIDE = re.compile(
    r"\b(?:who|whom|whose|what|which|that|where|when|while|if|once|as|than|(?<=[a-z] )one"
    r"|those|though|unless|neither|nobody|until"
    r"|even|whether|how|wherever|whoever|whatever)\b"
)
CONDITIONAL = re.compile(r"\bif\b")
CLAUSES = re.compile(r"[,;:.]")
NEGATES = re.compile(
    r"\b(?:not|no|nobody|none|nothing|nor|neither|never|nowhere|cannot|only|unless|until|without|except\w*|but|though"
    r"|n't|hardly|barely)\b"
)
# A sentence with one of these may deny something, or grant it with a condition that the law inverts.
RESTRICTS = re.compile(
    r"\b(?:must|needs?|wants?|requires?"
    r"|has to|have to|had to|stays?|stops?|halts?|waits?|ends?|bars?|barred|clos\w+|blocks?|last|first"
    r"|loses?|lost|full|far|free|alone|single|together|whole|at most|up to|just|same|next|before|after|limits?|fails?"
    r"|gives?|out|silent|other|others|either|instead|impossible|forb\w+|keeps?|within|beside|on an?|all|every|each|own"
    r"|away|if|once|twice|one|two|three|four|five|six|as|rather|refus\w+|exempt|spare[sd]?|hold|holds|rest|rests"
    r"|prevents?|safe|immune|lacks?|too|hidden|counts?|already)\b"
)
# Verbs that deny without a "not".
BARS = re.compile(
    r"\b(?:bars?|barred|clos\w+|blocks?|stops?|ends?|forb\w+|excludes?|prevents?|loses?|halts?|shut\w*|refus\w+)\b"
)
LIMITS = re.compile(
    r"\b(?:must|needs?|wants?|requires?"
    r"|has to|have to|stays?|remains?|rests?|free|alone|within|at most|instead|if|waits?|own|other|each|once|far)\b"
)
DENIES_BY_LABEL = re.compile(r"\b(?:no|not|nobody|nothing|never|neither|cannot)\b")


def is_granting(rule: graph.Rule, stack: graph.Graph) -> bool | None:
    """Return whether a rule grants something, or denies it; None if it does neither, or both."""
    if rule.verb:
        return rule_polarity(rule)
    beaten = {rule_polarity(stack.rules[label]) for label in rule.defeats if label in stack.rules}
    return beaten == {False} if beaten in ({False}, {True}) else None


def contradicted_polarity(rule: graph.Rule, stack: graph.Graph) -> tuple[str, str] | None:
    """Return the words by which a sentence grants or denies, and the contrary form of the law.

    None if no contradiction is found.
    """
    granted = is_granting(rule, stack)
    if granted is None or not rule.prose:
        return None
    sentence = rule.prose.lower()
    if granted:
        found = denial_in_first_clause(sentence, DOES_NOT if rule.verb else MAY_NOT) or _denied_once(
            sentence, rule, stack
        )
    else:
        found = (
            _also(sentence)
            or _all_grants(sentence)
            or _granted(sentence, rule, stack)
            or _affirmed(sentence, rule, stack)
        )
    return (found, _law(rule)) if found else None


def denial_in_first_clause(sentence: str, denials: re.Pattern[str]) -> str | None:
    """Return the denial in the first clause, unless a word before it makes it an aside."""
    first = CLAUSES.split(sentence)[0]
    found = denials.search(first)
    return found[0] if found and not ASIDE.search(first[: found.start()]) else None


def _denied_once(sentence: str, rule: graph.Rule, stack: graph.Graph) -> str | None:
    """Return the only "may not" of a sentence without a "may", if its verb occurs in the question."""
    found = list(MODAL.finditer(sentence))
    denied = len(found) == 1 and MAY_NOT.match(found[0][0]) and word_root(found[0][1]) in question_stems(rule, stack)
    return found[0][0] if denied else None


def _law(rule: graph.Rule) -> str:
    return VERBS[rule.verb].notation if rule.verb else f"exception to {', '.join(rule.defeats)}"


def _also(sentence: str) -> str | None:
    """Return "also" if a clause of the sentence has that word and no denial."""
    clauses = (clause for clause in CLAUSES.split(sentence) if ALSO.search(clause))
    return next(("also" for clause in clauses if not NEGATES.search(clause) and not BARS.search(clause)), None)


def _all_grants(sentence: str) -> str | None:
    """Return the "anyone" that starts a sentence without a denial, or its last clause; else None."""
    if NEGATES.search(sentence) or BARS.search(sentence):
        return None
    if found := ANYBODY.match(sentence):
        return None if RESTRICTS.search(sentence) else found[0]
    last = AND_ANYBODY.search(sentence)
    return last[1] if last and not RESTRICTS.search(sentence, last.start()) else None


def _granted(sentence: str, rule: graph.Rule, stack: graph.Graph) -> str | None:
    """Return the "may" of a whole sentence without a denial, if its verb occurs in the question."""
    words = question_stems(rule, stack)
    if not is_complete_sentence(rule) or NEGATES.search(sentence) or CONDITIONAL.search(sentence):
        return None
    for clause in CLAUSES.split(sentence):
        for found in PERMITTED_VERB.finditer(clause):
            if not ASIDE.search(clause[: found.start()]) and word_root(found[1]) in words:
                return found[0]
    return None


def _affirmed(sentence: str, rule: graph.Rule, stack: graph.Graph) -> str | None:
    """Return what a sentence without a denial affirms: what its label denies, or the question's verb.

    The latter counts where its subject is one that the condition requires.
    """
    if NEGATES.search(sentence) or BARS.search(sentence):
        return None
    tokens, words = WORD_OR_NUMBER.findall(sentence), question_stems(rule, stack)
    if _denied_by_label(sentence, rule) and any(word_root(word) in words for word in tokens):
        return sentence
    if not is_complete_sentence(rule) or RESTRICTS.search(sentence):
        return None
    polarities_by_name = required_words(rule)
    denied = (name for name, polarities in polarities_by_name.items() if polarities == {False})
    if any(is_word_of(word, name) for name in denied for word in tokens):
        return None  # The sentence states where the action is allowed, and the law forbids it elsewhere.
    for name, polarities in polarities_by_name.items():
        places = [index for index, word in enumerate(tokens) if is_word_of(word, name)]
        verb_positions = [index for index, word in enumerate(tokens) if word_root(word) in words]
        if (
            polarities == {True}
            and len(places) == 1
            and verb_positions
            and max(verb_positions) > places[0]
            and word_root(name) not in words
        ):
            return f"{tokens[places[0]]} .. {tokens[max(verb_positions)]}"
    return None


def _denied_by_label(sentence: str, rule: graph.Rule) -> bool:
    """Return whether the label denies something, and the sentence affirms the same."""
    label = rule.label.replace("-", " ")
    denied = DENIES_BY_LABEL.search(label)
    words = {word_root(word) for word in WORD_OR_NUMBER.findall(label[denied.end() :])} if denied else set()
    shared = any(
        len(word) >= SHORTEST_STEM and word in words for word in map(word_root, WORD_OR_NUMBER.findall(sentence))
    )
    return shared and not LIMITS.search(sentence)


def is_complete_sentence(rule: graph.Rule) -> bool:
    """Return whether a sentence is complete, instead of one that the previous or next rule continues."""
    return rule.prose[:1].isupper() and not rule.prose.rstrip().endswith((",", ":", ";"))


def question_stems(rule: graph.Rule, stack: graph.Graph) -> set[str]:
    """Return the stems of the words in a rule's first question: of its name and its sentence."""
    terms = [stack.terms[name] for name in rule.terms[:1] if name in stack.terms]
    text = " ".join(f"{term.name.replace('_', ' ')} {re.sub(r'{[^}]*}', ' ', term.reads)}" for term in terms)
    return {word_root(word) for word in set(WORD_OR_NUMBER.findall(text.lower())) - COMMON}
