"""Known mistakes of syntax: what stands where in the text, and what the author meant.

A row has patterns of the unexpected token and of the word before, the keywords of the paragraphs in which it may stand,
and the tokens that could follow there; its texts are message, label and advice. The first fitting row is told.
"""

from typing import NamedTuple

from compiler.report.mistakes.declaration_errors import EXTENDED
from compiler.source.expected_tokens import TokenPhrase
from compiler.source.findings.unexpected_token import CLAUSES

ANYTHING, NAME, LABEL = r"(?s:.*)", r"[^\W\d]\w*", r"[a-z][a-z0-9-]*"
RULES = "rule|ruling"
CLAUSE = "|".join(CLAUSES)
# Tokens that may follow where a rule could end.
_AFTER_RULE = frozenset({TokenPhrase.PARAGRAPH, TokenPhrase.RELATION} | {TokenPhrase.RULE, TokenPhrase.RULE_OR_EXAMPLE})
CONCLUSION, SOURCES = frozenset({TokenPhrase.CONCLUSION}), frozenset({TokenPhrase.SOURCES})
VALUE, STEP = frozenset({TokenPhrase.VALUE}), frozenset({TokenPhrase.STEP})
# Relations under other names.
_MEANT_RELATION = {
    "overrides|beats|defeats|supersedes|trumps|overrules": "exception to LABEL",
    "if|where|provided|whenever": "when CONDITION",
    "unless": "when not (CONDITION)",
    "cancels|removes|deletes|withdraw": "withdraws LABEL",
    "replace": "replaces LABEL",
}
ROW = "`row D, E from A se`, where D is southeast of A, and E southeast of D"
_LINE_OF_EXAMPLE = frozenset({"`ask`", TokenPhrase.SETTING, TokenPhrase.SEVERAL})


class MistakeRow(NamedTuple):
    """A known mistake: its texts, and where it is recognized; sets of tokens need one in common."""

    texts: tuple[str, str, str]
    found: str = ANYTHING
    previous: str = ANYTHING
    paragraph: str = ""
    expected: frozenset[str] = frozenset()
    unexpected: frozenset[str] = frozenset()
    only: str = ""


MISTAKES: tuple[MistakeRow, ...] = (
    # ------------------------------------------------------------ names and labels
    MistakeRow(
        ("`if` needs parentheses here", "after `if`", "write `(if CONDITION then VALUE else VALUE)`"),
        previous="if",
        unexpected=VALUE | {TokenPhrase.NUMBER, TokenPhrase.NAME, TokenPhrase.QUOTED_NAME},
    ),
    MistakeRow(
        ("`{previous}{found}` is not a label, as it contains `_`", "here", "write `{hyphens}`"),
        found="_.*",
        previous=LABEL,
    ),
    MistakeRow(
        ("`{name}{previous}` is not a label, as it contains `_`", "after it", "write `{name}{dashed}`"),
        found=r'[\["].*',
        previous="_.*",
        paragraph=f"{RULES}|case|dispute",
    ),
    MistakeRow(
        ("the label before the sources is missing", "here", "write `{previous} LABEL {found}`"),
        found=r"\[.*",
        expected=frozenset({TokenPhrase.LABEL}),
    ),
    MistakeRow(
        ("{found} is not a label, as it has quotes", "here", "write `{label}`"),
        found=r"""["'].*""",
        expected=frozenset({TokenPhrase.LABEL}),
    ),
    MistakeRow(
        ("`{found}` is not a label, as it contains capital letters", "here", "write it in small letters"),
        found="[A-Z].*",
        expected=frozenset({TokenPhrase.LABEL}),
    ),
    MistakeRow(
        ("a label cannot begin with `{found}`", "here", "begin it with a letter, as in `open-ground`"),
        found="[0-9].*",
        expected=frozenset({TokenPhrase.LABEL}),
    ),
    MistakeRow(
        ("`{name} {previous}` is not a label, as it contains a blank", "after it", "write `{name}-{previous}`"),
        found=r"\[.*",
        previous=NAME,
        paragraph=RULES,
        expected=CONCLUSION,
    ),
    MistakeRow(
        ("the label `{previous}-` cannot end with `-`", "here", "write `{previous}`"),
        found="-",
        previous=NAME,
        paragraph=RULES,
        expected=SOURCES,
    ),
    MistakeRow(
        ("`{previous}-..` is not a name, as it contains `-`", "here", "write `{previous}_..`"),
        found="-",
        previous=NAME,
        unexpected=frozenset({TokenPhrase.OPERATOR}),
    ),
    MistakeRow(
        ("a `(` before this is not closed", "here", "write `)` where it ends, before `{found}`"),
        found=rf"{RULES}|case|example|define|value|verdict|condition|action|resolution|phase|{CLAUSE}|\}}",
        expected=frozenset({"`)`"}),
    ),
    # ------------------------------------------------------------ rules
    MistakeRow(
        ("the sources come before the text", "too late", "write `{kind} {name} {found} ..`"),
        found=r"\[.*",
        previous='".*',
        paragraph=RULES,
    ),
    MistakeRow(
        ("sources are written in brackets", "a parenthesis", "write `[T.1]`"),
        found=r"\(",
        paragraph=RULES,
        expected=SOURCES,
    ),
    MistakeRow(
        ("the text is not in double quotes", "single quotes are for names", 'write `"What it says."`'),
        found="'.*",
        paragraph=RULES,
        unexpected=frozenset({TokenPhrase.QUOTED_NAME}),
    ),
    MistakeRow(
        ("a {kind} has no braces", "here", "delete both braces"),
        found=r"\{",
        paragraph=RULES,
        expected=frozenset({TokenPhrase.PARAGRAPH}),
    ),
    MistakeRow(
        ("a {kind} has no colon after its label", "here", "delete it"),
        found=":",
        paragraph=RULES,
        expected=SOURCES,
    ),
    MistakeRow(
        ("the parts of a {kind} are not separated by commas", "here", "delete it"),
        found=",",
        previous='".*',
        paragraph=RULES,
        expected=CONCLUSION | {TokenPhrase.PARAGRAPH},
    ),
    MistakeRow(
        ("`not` is not a conclusion", "here", "write `{previous} forbidden`"),
        found="not",
        expected=CONCLUSION,
    ),
    MistakeRow(
        ("a conclusion is written with `is`, not with `=`", "here", "write `{previous} is ..`"),
        found="=",
        expected=CONCLUSION,
    ),
    MistakeRow(
        ("the text is not in double quotes", "after its first word", 'write `"{previous} {found} .."`'),
        found=NAME,
        previous="[A-Z].*",
        expected=CONCLUSION,
    ),
    *(
        MistakeRow(
            ("`{previous}` is not a relation", "after it", f"write `{relation}`"), previous=words, expected=CONCLUSION
        )
        for words, relation in _MEANT_RELATION.items()
    ),
    *(
        MistakeRow(
            ("`{found}` is not a relation", "here", f"write `{relation}`"),
            found=words,
            expected=_AFTER_RULE,
        )
        for words, relation in _MEANT_RELATION.items()
    ),
    MistakeRow(
        ("`/` does not begin a comment", "here", "write `# ..`"),
        found="/",
        expected=frozenset({TokenPhrase.PARAGRAPH}),
    ),
    MistakeRow(
        ("`{found}` comes before the texts of `{kind} {name}`", "too early", "move it after them"),
        found=CLAUSE,
        paragraph=RULES,
        expected=SOURCES | {TokenPhrase.TEXT, "`asks`", "`answers`"},
    ),
    MistakeRow(
        (
            "`{found}` is only possible in a rule or ruling",
            "outside a rule",
            'write `rule LABEL [SOURCE] "What it says." {found} ..`',
        ),
        found="|".join(word for word in CLAUSES if word != "with"),
        expected=frozenset({TokenPhrase.PARAGRAPH}),
        unexpected=frozenset(f"`{word}`" for word in CLAUSES),
    ),
    # ------------------------------------------------------------ conditions and values
    MistakeRow(
        ("`|` is only possible between words after `is`", "here", "repeat the test, with `or` in between"),
        found=r"\|",
        expected=frozenset({"`and`"}),
    ),
    MistakeRow(
        ("brackets are for sources, not for sets", "here", "write `{{{listed}}}`"),
        found=r"\[.*",
        expected=VALUE,
    ),
    MistakeRow(("`is` is missing before `not {found}`", "here", "write `is not {found}`"), previous="not", only="`in`"),
    MistakeRow(
        ("`{previous}` is not a word of the language", "after it", "write `is {found}`"),
        found=NAME,
        previous="an?|the",
        expected=frozenset({"`|`"}),
    ),
    MistakeRow(
        ("`between` is only for what is between two hexes", "here", "write `A in 1..3`"),
        found="between",
        paragraph=RULES,
    ),
    MistakeRow(
        ("a text cannot be a value", "here", "write a number, or a name without quotes"),
        found='".*',
        expected=VALUE,
    ),
    MistakeRow(("`{found}'t` is not a word of the language", "here", "write `is not`"), found="isn|aren"),
    MistakeRow(("`<>` is not a sign of the language", "here", "write `!=`"), found=">", previous="<"),
    MistakeRow(
        ("`?` is only possible for fields of records", "here", "write `otherwise ..`, or make it a set"),
        found=r"\?",
        unexpected=frozenset({"`and`", "`or`", "`+`", "`reads`"}),
    ),
    MistakeRow(("`?` is not a sign of the language", "here", "write `if CONDITION then A else B`"), found=r"\?"),
    MistakeRow(
        ("`{previous}` is not a word of the language", "after it", "write `else if`"), previous="elif|elsif|elseif"
    ),
    MistakeRow(
        ("a parameter lacks its colon", "here", "write `{found}: {previous}`"),
        found=NAME,
        paragraph="value|verdict|define|resolution",
        only="`:`",
    ),
    MistakeRow(
        ("`then` is only possible between values, not before steps", "here", "delete it"), found="then", only="`{`"
    ),
    MistakeRow(
        (
            "a question with `{found}` needs parentheses",
            "here",
            "write `ask (A {found} B) = yes`",
        ),
        found="[<>]=?|!=",
        paragraph="example",
    ),
    MistakeRow(
        ("an answer with `not` needs parentheses", "after `not`", "write `= (not {found})`"),
        previous="not",
        paragraph="example",
        expected=frozenset({"`because`"}),
    ),
    MistakeRow(
        ("an example cannot have a loop", "here", "write a line for each, or a table with a row for each case"),
        found="for",
        paragraph="example",
        expected=_LINE_OF_EXAMPLE,
    ),
    MistakeRow(
        ("an example cannot have a branch", "here", "write the line that applies in its position"),
        found="if",
        paragraph="example",
        expected=_LINE_OF_EXAMPLE,
    ),
    MistakeRow(
        (
            "an example cannot have a choice of its own",
            "here",
            "write `act NAME(choice: A)` or `do NAME() choosing choice: A`",
        ),
        found="choose|offer",
        paragraph="example",
        expected=_LINE_OF_EXAMPLE,
    ),
    MistakeRow(
        (
            "the properties of a piece are written in parentheses",
            "here",
            "write it as in `piece R: runner of north at A (spent 2 MP)`",
        ),
        found=NAME,
        paragraph="example",
        expected=frozenset({"`in`", "`at`"}),
    ),
    MistakeRow(
        ("`{found}` comes after the hex from which a row goes", "too early", f"write {ROW}"),
        found="e|se|sw|w|nw|ne|east|west|(north|south)(east|west)?",
        paragraph="example",
        expected=frozenset({"`on`", "`from`"}),
    ),
    MistakeRow(
        ("`from {previous}` lacks the direction of the row", "here", f"write {ROW}"),
        found=r"\}|row|piece|ask",
        paragraph="example",
        only=TokenPhrase.NAME,
    ),
    MistakeRow(
        (
            "the measure of a range comes after its second end",
            "too early",
            "write `LOW..HIGH {found}`",
        ),
        found=rf"(?!to$|until$|through$|and$){NAME}",
        only="`..`",
    ),
    *(
        MistakeRow(
            ("`extend {found}` is not a declaration", "here", advice.replace("{", "{{").replace("}", "}}")),
            found=word,
            previous="extend",
        )
        for word, advice in EXTENDED.items()
    ),
    MistakeRow(
        (
            "a kind cannot give values to its counters",
            "here",
            "delete it, and give each counter a value in its chart",
        ),
        found="=",
        paragraph="kind",
    ),
    MistakeRow(
        (
            "`insert` is only for phases",
            "here",
            "write `offer ACTION beside ACTION` for an action, or a rule that `inserts {{ .. }} after step ..`",
        ),
        found="(?!before$|after$).*",
        previous="insert",
        only="`phase`",
    ),
    MistakeRow(
        (
            "each name of a scale needs single quotes and a place",
            "here",
            "write `'low' = 0, 'high' = 1`, or declare an `enum NAME: A, B`",
        ),
        paragraph="scale",
        expected=frozenset({"`=`", TokenPhrase.QUOTED_NAME}),
    ),
    MistakeRow(
        (
            "a rule cannot replace `{previous} {found}`, only another {previous} can",
            "here",
            'write `{previous} {found}{call} [SOURCE] ".." replaces {previous} {found} {{ .. }}`, or in a '
            "rule `wraps` or `replaces step`",
        ),
        previous="action|reaction|resolution",
        expected=frozenset({"`expecting`"}),
    ),
    MistakeRow(
        (
            "`offer {found}` is a step, not a procedure",
            "here",
            "write `replaces step offer {found} of phase PHASE by {{ .. }}`",
        ),
        previous="offer",
        expected=frozenset({"`expecting`"}),
    ),
    MistakeRow(
        ("a value is set with `to`, not with `=`", "here", "write `set .. to ..`"),
        found="=",
        expected=frozenset({"`to`"}),
    ),
    MistakeRow(
        ("a choice is written with `from`, not with `in`", "here", "write `choose {previous} from ..`"),
        found="in",
        expected=frozenset({"`from`"}),
    ),
    MistakeRow(
        ("`{found}` is not a step", "here", "write `for each u in {{u in all unit}} {{ .. }}`"),
        found="foreach|forall",
        expected=STEP,
    ),
    MistakeRow(
        ("a step cannot begin with `{found}`", "here", "write `if CONDITION {{ .. }}`"),
        found="when|where",
        expected=STEP,
    ),
    MistakeRow(
        (
            "a step cannot begin with `{found}`",
            "here",
            "begin it with what is done, as in `set {found}.. to 3`, `mark u as {found}` or `do {found}(..)`",
        ),
        found=NAME,
        previous=r"[{}]",
        expected=STEP,
    ),
)
