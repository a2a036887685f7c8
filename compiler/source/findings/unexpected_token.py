"""Tokens that cannot follow, with what could stand there.

Most mistakes of syntax have this one finding, so that its words look at the tokens around: which was found, what is
expected, the word before, the paragraph.
"""

import re

from compiler.source.expected_tokens import TokenPhrase
from compiler.source.finding import LocatedFinding, finding
from compiler.source.grammar import paragraph_keywords
from compiler.source.nodes import Word
from compiler.source.sentence import Label, Sentence, did_you_mean
from compiler.source.span import Span
from compiler.source.suggestions import nearest_names

# The clauses of a rule behind its prose, in their order.
CLAUSES = (
    "exception", "replaces", "withdraws", "suppresses", "clarifies", "carried", "joins", "reorders", "inserts", "wraps",
    "with", "when",
)  # fmt: skip
# What is expected where a rule may end.
_PARAGRAPH_ENDS = frozenset({TokenPhrase.PARAGRAPH, TokenPhrase.RULE, TokenPhrase.RULE_OR_EXAMPLE})

# The language's form of `==`, `=>` and `=<`.
_COMPARED = {"=", "!=", "<", "<=", ">", ">="}
_MEANT_SIGNS = {"=": "=", ">": ">=", "<": "<="}
# The forms of folds over sets, and their names in other languages.
_THROUGH = {
    **{each: f"{each}(x in SET where CONDITION)" for each in ("count", "some", "none", "every")},
    **{each: f"{each}(VALUE for x in SET where CONDITION)" for each in ("sum", "min", "max")},
    **{each: f"{each}(x in SET where CONDITION by VALUE)" for each in ("least", "greatest")},
    **{each: f"{each}(x in LIST where CONDITION)" for each in ("trailing", "leading")},
}
_ELSEWHERE_THROUGH = {
    "any": "some",
    "exists": "some",
    "all": "every",
    "forall": "every",
    "len": "count",
    "size": "count",
}
_MOST_CLEAR = 3  # the most expected tokens that need no form of the paragraph beside them
_CLOSING_SIGNS = {"`)`", "`}`"}
_BY_VALUE = {"sum", "min", "max", "least", "greatest"}
_OTHER_WAYS = {"where", "for", "by", "in", "of", "if", "(", ")", ".", ":", "when"}


@finding("R0101", "unexpected-token")
class UnexpectedToken(LocatedFinding):
    """A token that cannot follow.

    `found` is the unexpected token, or "" at the end of the text. `expected` contains phrases for the tokens that could
    follow, most likely first. `previous_word` is the word before. `statement` is the paragraph: its keyword and, if it
    was read, its name. `candidates` are keywords that `found` may be a misspelling of. `open_brace` is the innermost
    `{` still open where the text ends or another paragraph starts. `skipped` is the text that was discarded; its
    declarations are missing. `misplacement` classifies a misplaced conclusion: `late`, it follows the relations of its
    rule, or `another`, it is the second. `enclosing_word` is the word before the innermost open parenthesis.
    `lacks_comma` states that only a comma before `found` is missing, and that parsing continued as if it were there.
    """

    found: str
    expected: tuple[str, ...]
    previous_word: str
    statement: tuple[Word, ...]
    candidates: tuple[str, ...]
    open_brace: Span | None
    skipped: Span
    misplacement: str = ""
    enclosing_word: str = ""
    lacks_comma: bool = False

    def certain_mistake(self) -> Sentence | None:
        """Return the sentence of a mistake that the token itself shows; None for others."""
        if self.lacks_comma:
            message = f"a comma is missing between `{self.previous_word}` and `{self.found}`"
            advice = f"write `{self.previous_word}, {self.found}`"
            return self.sentence_here(message, "here", advice)
        if self.misplacement:
            return _misplaced_conclusion(self)
        if self.previous_word == "=" and self.found in _MEANT_SIGNS:
            fault = f"`={self.found}` is not a sign of the language"
            return self.sentence_here(fault, "unknown", f"write `{_MEANT_SIGNS[self.found]}`")
        return None

    def closes_nothing(self) -> bool:
        """Return whether the token is a closing sign where nothing is open."""
        if self.found == "}":
            return TokenPhrase.PARAGRAPH in self.expected
        return self.found == ")" and not self.enclosing_word and "`(`" not in self.expected

    def sentence(self, form: str = "") -> Sentence:
        """Return the sentence with the found token and the expected ones; `form` is that of the paragraph, if known.

        A report knows the forms of all paragraphs, and more mistakes (compiler/report/mistakes).
        """
        if certain := self.certain_mistake():
            return certain
        if self.found in _COMPARED and {"`and`", "`or`"} <= set(self.expected):
            fault = "one comparison cannot have three sides"
            return self.sentence_here(fault, "the second sign", "compare twice, as in `a < b and b < c`")
        if self.closes_nothing():
            advice = f"delete it, or add the missing `{'{' if self.found == '}' else '('}` before it"
            return self.sentence_here(f"this `{self.found}` closes nothing", "here", advice)
        correction = "" if self.candidates else _loop_advice(self)
        if correction:  # `let sum = 3` reads as the beginning of a fold.
            advice = f"write `{correction}`{_not_a_name(self.previous_word, self._paragraph())}"
        else:
            advice = did_you_mean(self._near_names(), self._remedy(form))
        return Sentence(self._message(), self._labels(), advice)

    def _paragraph(self) -> str:
        """Return the keyword and the name of the paragraph, as far as they were read."""
        return " ".join(word.text for word in self.statement)

    def _behind(self) -> str:
        return f" after `{self.previous_word}`" if self.previous_word else ""

    def _message(self) -> str:
        paragraph = self._paragraph()
        if self.found:
            return f"`{self.found}` cannot stand{self._behind() or ' here'}" + (
                f" in `{paragraph}`" if paragraph else ""
            )
        return (
            f"the file ends in the middle of `{paragraph}`" if paragraph else f"the file ends{self._behind()} too early"
        )

    def _alternatives(self) -> str:
        return _series(self.expected if self.found else _closing(self.expected))

    def _unclosed(self) -> Span | None:
        """Return the `{` that is still open where the text ends or another paragraph begins."""
        return self.open_brace if not self.found or self.found in paragraph_keywords() else None

    def _labels(self) -> tuple[Label, ...]:
        alternatives, unclosed = self._alternatives(), self._unclosed()
        place = Label(self.span, f"expected {alternatives}" if alternatives else "here")
        return (place, Label(unclosed, "this `{` is not closed")) if unclosed else (place,)

    def _remedy(self, form: str) -> str:
        """Return the advice where no near name is known."""
        if self.found == "expecting":
            return 'put it right after the name whose hash it states, as in `phase combat expecting ".."`'
        if self._unclosed():
            return "close it with `}`"
        unclear = len(self.expected) > _MOST_CLEAR or TokenPhrase.PARAGRAPH in self.expected
        # Inside parentheses the form of the whole paragraph does not help.
        if unclear and not self.enclosing_word and form:
            return form
        alternatives = self._alternatives()
        return f"write {alternatives} here" if alternatives else ""

    def _near_names(self) -> tuple[str, ...]:
        """Return the keywords that may have been meant.

        Where a paragraph or rule could end, the word may be a misspelling of a keyword that would continue it.
        """
        named = re.findall(r"`(\w+)", " ".join(self.expected))
        ending = () if _PARAGRAPH_ENDS.isdisjoint(self.expected) else CLAUSES
        return self.candidates or nearest_names(self.found, (*named, *ending))


def _not_a_name(word: str, statement: str) -> str:
    """State that the word that begins an iteration is no name, or what an action with `preferring none` means."""
    if word == "none" and statement.startswith("action"):
        return ', or for an action that no player prefers `preferring none "REASON"`'
    return f", as `{word}` cannot be a name" if word in _THROUGH else ""


def _closing(expected: tuple[str, ...]) -> tuple[str, ...]:
    """Return the expected tokens without a further `for` where a closing sign is expected."""
    closes = not _CLOSING_SIGNS.isdisjoint(expected)
    return tuple(each for each in expected if each != "`for`") if closes else expected


def _loop_advice(problem: UnexpectedToken) -> str:
    """Return the form of iteration over a set, where that is probably meant; "" elsewhere."""
    by_value = problem.found == ":" and problem.enclosing_word in _BY_VALUE
    if problem.found in {"if", "when", ":"} and "`where`" in problem.expected and not by_value:
        return "where"
    if problem.previous_word in _THROUGH and problem.expected == ("`(`",):
        return _THROUGH[problem.previous_word]
    if problem.found not in _OTHER_WAYS:
        return ""
    word = (
        problem.previous_word
        if problem.found == "(" and problem.previous_word in _ELSEWHERE_THROUGH
        else problem.enclosing_word
    )
    return _THROUGH.get(_ELSEWHERE_THROUGH.get(word, word), "")


def _misplaced_conclusion(problem: UnexpectedToken) -> Sentence:
    """Return the sentence for a misplaced conclusion."""
    if problem.misplacement == "another":
        message = "this rule has two conclusions"
        advice = "write a rule of its own for the second, or combine them with `if`"
    else:
        message = "the conclusion of a rule comes before its relations and conditions"
        advice = "put it right after the text, before `exception to`, `with` and `when`"
    return problem.sentence_here(message, "the second" if problem.misplacement == "another" else "too late", advice)


def _series(expected: tuple[str, ...]) -> str:
    """Join the first five phrases."""
    phrases = expected[:5]
    if len(phrases) < 2:
        return "".join(phrases)
    return f"{', '.join(phrases[:-1])} or {phrases[-1]}"
