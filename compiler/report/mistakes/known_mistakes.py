"""Known mistakes of syntax: what stands where in the text, and what the author meant.

A row has patterns of the unexpected token and of the word before, the keywords of the paragraphs in which it may stand,
and the tokens that could follow there; its texts are the message, the label of the place, and the advice. The first row
that fits is told (syntax_errors.py).
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
ROW = "`row D, E from A se`: D lies southeast of A, and E southeast of D"
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
        ("`if` stands in parentheses here", "behind `if`", "write `(if CONDITION then VALUE else VALUE)`"),
        previous="if",
        unexpected=VALUE | {TokenPhrase.NUMBER, TokenPhrase.NAME, TokenPhrase.QUOTED_NAME},
    ),
    MistakeRow(
        ("`{previous}{found}` is no label: labels are written with hyphens", "a label has no `_`", "write `{hyphens}`"),
        found="_.*",
        previous=LABEL,
    ),
    MistakeRow(
        (
            "`{name}{previous}` is no label: labels are written with hyphens",
            "a label has no `_`",
            "write `{name}{dashed}`",
        ),
        found=r'[\["].*',
        previous="_.*",
        paragraph=f"{RULES}|case|dispute",
    ),
    MistakeRow(
        ("a label is missing before the sources", "no label", "write `{previous} LABEL {found}`"),
        found=r"\[.*",
        expected=frozenset({TokenPhrase.LABEL}),
    ),
    MistakeRow(
        ("{found} is no label: a label has no quotes", "in quotes", "write `{label}`"),
        found=r"""["'].*""",
        expected=frozenset({TokenPhrase.LABEL}),
    ),
    MistakeRow(
        ("`{found}` is no label", "a capital", "labels are written in small letters, as in `open-ground`"),
        found="[A-Z].*",
        expected=frozenset({TokenPhrase.LABEL}),
    ),
    MistakeRow(
        ("a label begins with a letter, not with `{found}`", "a number", "write a word first: `open-ground`"),
        found="[0-9].*",
        expected=frozenset({TokenPhrase.LABEL}),
    ),
    MistakeRow(
        ("`{name} {previous}` is no label: a label is one word", "behind two words", "write `{name}-{previous}`"),
        found=r"\[.*",
        previous=NAME,
        paragraph=RULES,
        expected=CONCLUSION,
    ),
    MistakeRow(
        ("a label does not end with `-`, as `{previous}-` does", "nothing follows it", "write `{previous}` or go on"),
        found="-",
        previous=NAME,
        paragraph=RULES,
        expected=SOURCES,
    ),
    MistakeRow(
        ("`{previous}-..` is no name: names are written with `_`", "only labels have hyphens", "write `{previous}_..`"),
        found="-",
        previous=NAME,
        unexpected=frozenset({TokenPhrase.OPERATOR}),
    ),
    # ------------------------------------------------------------ rules
    MistakeRow(
        ("the sources stand before the prose", "behind it", "write `{kind} {name} {found} ..`"),
        found=r"\[.*",
        previous='".*',
        paragraph=RULES,
    ),
    MistakeRow(
        ("sources stand in brackets", "a parenthesis", "write `[T.1]`"), found=r"\(", paragraph=RULES, expected=SOURCES
    ),
    MistakeRow(
        ("prose stands in double quotes", "single quotes are for names", 'write `"What it says."`'),
        found="'.*",
        paragraph=RULES,
        unexpected=frozenset({TokenPhrase.QUOTED_NAME}),
    ),
    MistakeRow(
        ("a {kind} has no braces", "not here", "leave them out: it ends where the next paragraph begins"),
        found=r"\{",
        paragraph=RULES,
        expected=frozenset({TokenPhrase.PARAGRAPH}),
    ),
    MistakeRow(
        ("no colon follows the label of a {kind}", "not here", "delete it"),
        found=":",
        paragraph=RULES,
        expected=SOURCES,
    ),
    MistakeRow(
        ("no comma stands between the parts of a {kind}", "not here", "delete it"),
        found=",",
        previous='".*',
        paragraph=RULES,
        expected=CONCLUSION | {TokenPhrase.PARAGRAPH},
    ),
    MistakeRow(
        ("a rule says `forbidden` or `allowed`, not `not`", "no conclusion", "write `{previous} forbidden`"),
        found="not",
        expected=CONCLUSION,
    ),
    MistakeRow(
        ("a rule says with `is` what something is", "no `=` here", "write `{previous} is ..`"),
        found="=",
        expected=CONCLUSION,
    ),
    MistakeRow(
        ("prose stands in double quotes", "no quotes before it", 'write `"{previous} {found} .."`'),
        found=NAME,
        previous="[A-Z].*",
        expected=CONCLUSION,
    ),
    *(
        MistakeRow(
            ("`{previous}` is no relation", "not known", f"write `{relation}`"), previous=words, expected=CONCLUSION
        )
        for words, relation in _MEANT_RELATION.items()
    ),
    *(
        MistakeRow(
            ("`{found}` is no relation of a rule", "not known", f"write `{relation}`"),
            found=words,
            expected=_AFTER_RULE,
        )
        for words, relation in _MEANT_RELATION.items()
    ),
    MistakeRow(
        ("a comment begins with `#`", "no comment", "write `# ..`"),
        found="/",
        expected=frozenset({TokenPhrase.PARAGRAPH}),
    ),
    MistakeRow(
        ("`{found}` comes after the texts of `{kind} {name}`", "too early", "put it behind them"),
        found=CLAUSE,
        paragraph=RULES,
        expected=SOURCES | {TokenPhrase.TEXT, "`asks`", "`answers`"},
    ),
    MistakeRow(
        (
            "`{found}` stands in a rule or ruling, and here is none",
            "outside a rule",
            'write `rule LABEL [SOURCE] "What it says." {found} ..`',
        ),
        found="|".join(word for word in CLAUSES if word != "with"),
        expected=frozenset({TokenPhrase.PARAGRAPH}),
        unexpected=frozenset(f"`{word}`" for word in CLAUSES),
    ),
    # ------------------------------------------------------------ conditions and values
    MistakeRow(
        ("`|` joins words behind `is` alone", "not here", "repeat the test, with `and` or `or` between the two"),
        found=r"\|",
        expected=frozenset({"`and`"}),
    ),
    MistakeRow(
        ("brackets hold sources, and no list of values", "not here", "write a set in braces, `{{{listed}}}`"),
        found=r"\[.*",
        expected=VALUE,
    ),
    MistakeRow(
        ("`is` is missing before `not {found}`", "no condition", "write `is not {found}`"), previous="not", only="`in`"
    ),
    MistakeRow(
        ("the language has no articles", "behind `{previous}`", "write `is {found}`"),
        found=NAME,
        previous="an?|the",
        expected=frozenset({"`|`"}),
    ),
    MistakeRow(
        ("`between` asks what lies between two hexes", "not here", "write `A in 1..3`, the ends included"),
        found="between",
        paragraph=RULES,
    ),
    MistakeRow(
        ("only prose stands in double quotes", "no value", "write a number or a name without quotes"),
        found='".*',
        expected=VALUE,
    ),
    MistakeRow(("`{found}'t` is no word of the language", "not here", "write `is not`"), found="isn|aren"),
    MistakeRow(("`<>` is no sign of the language", "not here", "write `!=`"), found=">", previous="<"),
    MistakeRow(
        (
            "only fields of records may be left out, `record r {{by: side, home: hex?}}`",
            "not here",
            "a question answers always: say `otherwise`, or give a set that may be empty",
        ),
        found=r"\?",
        unexpected=frozenset({"`and`", "`or`", "`+`", "`reads`"}),
    ),
    MistakeRow(("`?` is no sign of the language", "not here", "write `if CONDITION then A else B`"), found=r"\?"),
    MistakeRow(
        ("`{previous}` is no word of the language", "after it", "write `else if`"), previous="elif|elsif|elseif"
    ),
    MistakeRow(
        ("a parameter is a name, a colon and its type", "no colon before it", "write `{found}: {previous}`"),
        found=NAME,
        paragraph="value|verdict|define|resolution",
        only="`:`",
    ),
    MistakeRow(
        ("`then` stands between values only; steps follow in braces", "not here", "delete it"), found="then", only="`{`"
    ),
    MistakeRow(
        (
            "a comparison that is asked stands in parentheses, and its answer behind them",
            "compared outside of parentheses",
            "write `ask (A {found} B) = yes`",
        ),
        found="[<>]=?|!=",
        paragraph="example",
    ),
    MistakeRow(
        ("an answer that is denied stands in parentheses", "behind `not`", "write `= (not {found})`"),
        previous="not",
        paragraph="example",
        expected=frozenset({"`because`"}),
    ),
    MistakeRow(
        ("an example has no loops", "not here", "write a line for each; or a table, with a case for each row"),
        found="for",
        paragraph="example",
        expected=_LINE_OF_EXAMPLE,
    ),
    MistakeRow(
        ("an example has no branches", "not here", "say in one line what is so: an example knows its position"),
        found="if",
        paragraph="example",
        expected=_LINE_OF_EXAMPLE,
    ),
    MistakeRow(
        (
            "an example has no choices of its own",
            "not here",
            "do what asks: `act NAME(choice: A)`, `do NAME() choosing choice: A`",
        ),
        found="choose|offer",
        paragraph="example",
        expected=_LINE_OF_EXAMPLE,
    ),
    MistakeRow(
        (
            "`{found}` does not fit after `{previous}`",
            "what a piece is noted to be stands in parentheses",
            "a piece is written `piece R: runner of north at A (spent 2 MP)`",
        ),
        found=NAME,
        paragraph="example",
        expected=frozenset({"`in`", "`at`"}),
    ),
    MistakeRow(
        ("`{found}` stands behind the hex from which a row goes: `from A {found}`", "not here", f"write {ROW}"),
        found="e|se|sw|w|nw|ne|east|west|(north|south)(east|west)?",
        paragraph="example",
        expected=frozenset({"`on`", "`from`"}),
    ),
    MistakeRow(
        ("`from {previous}` does not say in which direction the row goes", "no direction", f"write {ROW}"),
        found=r"\}|row|piece|ask",
        paragraph="example",
        only=TokenPhrase.NAME,
    ),
    MistakeRow(
        (
            "a range has two ends and says its measure behind the second",
            "too early",
            "write `LOW..HIGH {found}`; bounds behind `capped` are in the measure of the sum",
        ),
        found=rf"(?!to$|until$|through$|and$){NAME}",
        only="`..`",
    ),
    *(
        MistakeRow(
            ("`extend {found}` is no declaration", "not extended so", advice.replace("{", "{{").replace("}", "}}")),
            found=word,
            previous="extend",
        )
        for word, advice in EXTENDED.items()
    ),
    MistakeRow(
        (
            "a kind has no first values: its own charts say what its counters show",
            "not here",
            "leave it away, and give each counter a value in its chart; `extend kind NAME has FACTOR: 0..9 = 5` is for "
            "a kind of a layer below",
        ),
        found="=",
        paragraph="kind",
    ),
    MistakeRow(
        (
            "`insert` puts a phase into the sequence of play",
            "no `phase`",
            "write `offer ACTION beside ACTION` for an action, or a rule that `inserts {{ .. }} after step ..`",
        ),
        found="(?!before$|after$).*",
        previous="insert",
        only="`phase`",
    ),
    MistakeRow(
        (
            "a scale gives each name, in single quotes, its place on a line",
            "no place",
            "write `'low' = 0, 'high' = 1`; names without a place on a line are an `enum NAME: A, B`",
        ),
        paragraph="scale",
        expected=frozenset({"`=`", TokenPhrase.QUOTED_NAME}),
    ),
    MistakeRow(
        (
            "what stands in the place of `{previous} {found}` says so itself",
            "not in a rule",
            'write `{previous} {found}{call} [SOURCE] ".." replaces {previous} {found} {{ .. }}`; a rule amends it by '
            "`wraps`, `replaces step` ..",
        ),
        previous="action|reaction|resolution",
        expected=frozenset({"`expecting`"}),
    ),
    MistakeRow(
        ("`offer {found}` is a step", "not here", "write `replaces step offer {found} of phase PHASE by {{ .. }}`"),
        previous="offer",
        expected=frozenset({"`expecting`"}),
    ),
    MistakeRow(
        ("a step says with `to` what something is set to", "no `=` here", "write `set .. to ..`"),
        found="=",
        expected=frozenset({"`to`"}),
    ),
    MistakeRow(
        ("a choice is made `from` a set", "not here", "write `choose {previous} from ..`"),
        found="in",
        expected=frozenset({"`from`"}),
    ),
    MistakeRow(
        ("`{found}` is no step", "not known", "write `for each u in {{u in all unit}} {{ .. }}`"),
        found="foreach|forall",
        expected=STEP,
    ),
    MistakeRow(
        ("`{found}` begins no step", "no step", "write `if CONDITION {{ .. }}`"), found="when|where", expected=STEP
    ),
    MistakeRow(
        (
            "`{found}` begins no step",
            "no step",
            "a step begins with what is done: `set {found}.. to 3`, `mark u as {found}`, `do {found}(..)`",
        ),
        found=NAME,
        previous=r"[{}]",
        expected=STEP,
    ),
)
