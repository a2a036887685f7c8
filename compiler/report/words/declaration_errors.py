"""The root cause of a malformed declaration: `extend`, `insert`, ranges and scales in a wrong form.

The input is the facts of an unexpected token; the output is as in syntax_errors.py, which tries these with its own.
"""

from compiler.report.sentence import did_you_mean
from compiler.report.words.unexpected_token import Cause, keyword_of
from compiler.source.error_recovery import PARAGRAPHS
from compiler.source.expected_tokens import TokenPhrase
from compiler.source.problems import UnexpectedToken
from compiler.source.suggestions import nearest_names

BETWEEN_ENDS = {"to", "until", "through", "and"}
# How to extend the declarations of a layer below.
PATCHED = "a chart has more rows and columns by a patch in a YAML file: `patch: NAME` with `add rows` or `add columns`"
ANOTHER = "declare another beside those there are: `{0}`, without `extend`"
DECLARED = (
    "status unit: NAME", "trait unit: NAME", "feature hex: NAME", "place NAME of unit", "track unit.NAME: TYPE",
    'path NAME "Name"', 'side NAME "Name"', 'measure NAME "name"', "domain NAME = 1..6", "record NAME {FIELD: TYPE}",
    "relation NAME(one: unit, other: unit)",
)  # fmt: skip
RULED = "a question of a layer below is changed by rules: `exception to LABEL`, `replaces LABEL`, or a stage more"
EXTENDED = {
    **dict.fromkeys(
        ("phase", "action", "offer", "sequence"),
        "write `offer ACTION beside ACTION` to offer more, `insert phase NAME { .. } after PHASE` for a phase, or a "
        "rule that `inserts { .. } after step ..`",
    ),
    **dict.fromkeys(
        ("resolution", "reaction", "after", "event"), "write a rule that `inserts { .. } after step .. of ..`"
    ),
    **dict.fromkeys(("table", "chart"), PATCHED),
    **{text.split()[0]: ANOTHER.format(text) for text in DECLARED},
    **dict.fromkeys(("value", "verdict", "condition", "sum", "set", "min", "max", "define"), RULED),
    "rule": "a rule is changed by another one, with `exception to LABEL` or `replaces LABEL`",
}

# What else begins paragraphs in other languages, and how it is written here.
_MEANT = {
    "`track scenario.NAME: TYPE = VALUE` is a value that a card gives or play changes, `define NAME() [SOURCE] = ..` "
    "one that is computed": (
        "fact", "field", "variable", "var", "let", "constant", "const", "property", "attribute", "parameter", "global",
    ),
    "write `define NAME(u: unit): TYPE [SOURCE] = ..`, or a `value` and rules that give it": ("function", "def", "fn"),
    "write `resolution NAME(u: unit) [SOURCE] \"What it does.\" { .. }`": ("procedure", "routine"),
    "a chart is a YAML document of the layer, which begins with `table: NAME`": ("table", "chart"),
    "write `feature hex: NAME \"a name\"`, and its prices in a chart": ("terrain", "hex"),
    "counters are rows of the chart of their kind; a layer adds some in a document that begins with `patch: NAME`, "
    "under `add counters`": ("counter", "counters", "unit", "units"),
    "a layer names in its layer.yaml with `on: [..]` those that it stands on": ("import", "include", "use", "layer"),
    "write `side NAME \"Name\"`": ("nation", "player", "faction", "army"),
    "write `status unit: NAME \"is ..\" marker \"N\"`": ("marker", "token", "state"),
    "what is done then is written `after end of turn [SOURCE] \"..\" { .. }`": ("at", "on", "whenever", "every"),
    "write `rule LABEL [SOURCE] \"What it says.\" CONCLUSION when CONDITION`": ("if", "when", "unless", "except"),
    "write `example \"title\" { .. }`": ("test", "assert"),
    "it stands in an example: `example \"title\" { .. }`": ("ask", "row", "piece", "pieces", "dice", "act"),
}  # fmt: skip
MEANT_PARAGRAPH = {word: form for form, words in _MEANT.items() for word in words}
USUAL_PARAGRAPHS = (
    "a paragraph begins with a word such as `rule`, `define`, `value`, `track`, `status`, `action` or `example`"
)


def unknown_paragraph(problem: UnexpectedToken) -> Cause | None:
    """Recognize a line that begins with a word that begins no paragraph, such as `fact`."""
    found = problem.found
    if problem.expected != (TokenPhrase.PARAGRAPH,) or problem.span.column > 1 or not found.isidentifier():
        return None
    advice = MEANT_PARAGRAPH.get(found) or did_you_mean(
        problem.candidates or nearest_names(found, PARAGRAPHS), USUAL_PARAGRAPHS
    )
    return f"`{found}` begins no paragraph", "not known", advice


def range_measured_twice(problem: UnexpectedToken) -> Cause | None:
    """Recognize `2 MP..6 MP`, and `capped -2 MP..2 MP`."""
    if problem.expected != ("`..`",) or not problem.found.isidentifier() or problem.found in BETWEEN_ENDS:
        return None
    advice = f"write `LOW..HIGH {problem.found}`; bounds behind `capped` are in the measure of the sum"
    return "a range has two ends and says its measure behind the second", "too early", advice


def extended_otherwise(problem: UnexpectedToken) -> Cause | None:
    """Recognize `extend phase movement`, `extend table tec`: what is extended in another way."""
    if problem.previous_word != "extend" or problem.found not in EXTENDED:
        return None
    return f"`extend {problem.found}` is no declaration", "not extended so", EXTENDED[problem.found]


def first_value_of_own_kind(problem: UnexpectedToken) -> Cause | None:
    """Find `kind unit has morale: 0..9 = 5`: only what a layer adds to a kind below it has a first value."""
    if keyword_of(problem) != "kind" or problem.found != "=":
        return None
    advice = (
        "leave it away, and give each counter a value in its chart; `extend kind NAME has FACTOR: 0..9 = 5` is for a "
        "kind of a layer below"
    )
    return "a kind has no first values: its own charts say what its counters show", "not here", advice


def inserted_otherwise(problem: UnexpectedToken) -> Cause | None:
    """Recognize `insert action ..`, `insert do ..`: only a phase is inserted as a paragraph."""
    if problem.previous_word != "insert" or problem.expected != ("`phase`",) or problem.found in {"before", "after"}:
        return None
    advice = (
        "write `offer ACTION beside ACTION` for an action, or a rule that `inserts { .. } after step ..` for a step"
    )
    return "`insert` puts a phase into the sequence of play", "no `phase`", advice


def scale_without_numbers(problem: UnexpectedToken) -> Cause | None:
    """Recognize `scale heat: cold, hot` and `scale heat: 'cold', 'hot'`: a list of names without values."""
    if keyword_of(problem) != "scale" or not ({"`=`", TokenPhrase.QUOTED_NAME} & {*problem.expected}):
        return None
    advice = "write `'low' = 0, 'high' = 1`; names without a place on a line are an `enum NAME: A, B`"
    return "a scale gives each name, in single quotes, its place on a line", "no place", advice
