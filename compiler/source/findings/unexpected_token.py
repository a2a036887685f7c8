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
PARAGRAPH_ENDS = frozenset({TokenPhrase.PARAGRAPH, TokenPhrase.RULE, TokenPhrase.RULE_OR_EXAMPLE})

# The language's form of `==`, `=>` and `=<`.
COMPARED = {"=", "!=", "<", "<=", ">", ">="}
MEANT_SIGNS = {"=": "=", ">": ">=", "<": "<="}
# The forms of folds over sets, and their names in other languages.
THROUGH = {
    **{each: f"{each}(x in SET where CONDITION)" for each in ("count", "some", "none", "every")},
    **{each: f"{each}(VALUE for x in SET where CONDITION)" for each in ("sum", "min", "max")},
    **{each: f"{each}(x in SET where CONDITION by VALUE)" for each in ("least", "greatest")},
    **{each: f"{each}(x in LIST where CONDITION)" for each in ("trailing", "leading")},
}
ELSEWHERE_THROUGH = {
    "any": "some",
    "exists": "some",
    "all": "every",
    "forall": "every",
    "len": "count",
    "size": "count",
}
CLOSING_SIGNS = {"`)`", "`}`"}
BY_VALUE = {"sum", "min", "max", "least", "greatest"}
OTHER_WAYS = {"where", "for", "by", "in", "of", "if", "(", ")", ".", ":", "when"}


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
            return Sentence(message, (Label(self.span, "stands behind another one"),), advice)
        if self.misplacement:
            return _misplaced_conclusion(self)
        if self.previous_word == "=" and self.found in MEANT_SIGNS:
            fault = f"`={self.found}` is no sign of the language"
            return Sentence(fault, (Label(self.span, "not here"),), f"write `{MEANT_SIGNS[self.found]}`")
        return None

    def sentence(self, form: str = "") -> Sentence:
        """Return the sentence with the found token and the expected ones; `form` is that of the paragraph, if known.

        A report knows the forms of all paragraphs, and more mistakes (compiler/report/mistakes).
        """
        if certain := self.certain_mistake():
            return certain
        statement = " ".join(word.text for word in self.statement)
        after = f" after `{self.previous_word}`" if self.previous_word else ""
        if self.found in COMPARED and {"`and`", "`or`"} <= set(self.expected):
            fault = f"`{self.found}` does not fit{after}: one comparison has two sides"
            return Sentence(fault, (Label(self.span, "a third side"),), "compare twice: `a < b and b < c`")
        if self.found:
            message = f"`{self.found}` does not fit{after}" + (f" in `{statement}`" if statement else "")
        else:
            message = (
                f"the text ends in the middle of `{statement}`" if statement else f"the text ends{after} too early"
            )
        alternatives = _series(self.expected if self.found else _closing(self.expected))
        spans = [Label(self.span, f"expected {alternatives}" if alternatives else "cannot stand here")]
        unclosed = self.open_brace if not self.found or self.found in paragraph_keywords() else None
        if unclosed:
            spans.append(Label(unclosed, "this `{` is still open"))
        if self.found == "}" and TokenPhrase.PARAGRAPH in self.expected:
            advice = "delete it, or look for a `}` further up that closed too much"
            return Sentence("this `}` closes nothing", (Label(self.span, "no block is open here"),), advice)
        remedy = "close it with `}`" if unclosed else f"put {alternatives} there" if alternatives else ""
        unclear = len(self.expected) > 3 or TokenPhrase.PARAGRAPH in self.expected
        # Inside parentheses the form of the whole paragraph does not help.
        if not unclosed and unclear and not self.enclosing_word and form:
            remedy = form
        if self.found == "expecting":
            remedy = 'it states the hash of the name before it: `reorders phase combat expecting ".." before movement`'
        named = re.findall(r"`(\w+)", " ".join(self.expected))
        if not self.candidates and (correction := _loop_advice(self)):
            # `let sum = 3` reads as the beginning of a fold.
            return Sentence(message, tuple(spans), f"write `{correction}`{_not_a_name(self.previous_word, statement)}")
        # Where a paragraph or rule could end, the word may be a misspelling of a keyword that would continue it.
        ending = () if PARAGRAPH_ENDS.isdisjoint(self.expected) else CLAUSES
        near_names = self.candidates or nearest_names(self.found, (*named, *ending))
        return Sentence(message, tuple(spans), did_you_mean(near_names, remedy))


def _not_a_name(word: str, statement: str) -> str:
    """State that the word that begins an iteration is no name, or what an action with `preferring none` means."""
    if word == "none" and statement.startswith("action"):
        return '; an action that no player prefers says `preferring none "why"` before its `{`'
    return f"; `{word}` is no name" if word in THROUGH else ""


def _closing(expected: tuple[str, ...]) -> tuple[str, ...]:
    """Return the expected tokens without a further `for` where a closing sign is expected."""
    closes = not CLOSING_SIGNS.isdisjoint(expected)
    return tuple(each for each in expected if each != "`for`") if closes else expected


def _loop_advice(problem: UnexpectedToken) -> str:
    """Return the form of iteration over a set, where that is probably meant; "" elsewhere."""
    by_value = problem.found == ":" and problem.enclosing_word in BY_VALUE
    if problem.found in {"if", "when", ":"} and "`where`" in problem.expected and not by_value:
        return "where"
    if problem.previous_word in THROUGH and problem.expected == ("`(`",):
        return THROUGH[problem.previous_word]
    if problem.found not in OTHER_WAYS:
        return ""
    word = (
        problem.previous_word
        if problem.found == "(" and problem.previous_word in ELSEWHERE_THROUGH
        else problem.enclosing_word
    )
    return THROUGH.get(ELSEWHERE_THROUGH.get(word, word), "")


def _misplaced_conclusion(problem: UnexpectedToken) -> Sentence:
    """Return the sentence for a misplaced conclusion."""
    if problem.misplacement == "another":
        message = "a rule has one conclusion"
        advice = "write a rule of its own for the second, or join them in one `if`"
    else:
        message = "what a rule concludes stands before its relations"
        advice = "put it right behind the prose, before `exception to`, `with` and `when`"
    place_phrase = (
        f"comes after `{problem.previous_word}`" if problem.misplacement == "another" else "stands behind them"
    )
    return Sentence(message, (Label(problem.span, f"`{problem.found} ..` {place_phrase}"),), advice)


def _series(expected: tuple[str, ...]) -> str:
    """Join the first five phrases."""
    phrases = expected[:5]
    if len(phrases) < 2:
        return "".join(phrases)
    return f"{', '.join(phrases[:-1])} or {phrases[-1]}"
