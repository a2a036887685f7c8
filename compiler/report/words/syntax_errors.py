"""The root cause of a syntax error that is a known mistake: one function per mistake, tried in order.

The input is the facts of an unexpected token; the output is the message, the label of the place, and the advice. Any
other error is described by the expected tokens (source.py).
"""

import re
from collections.abc import Callable

from compiler.report.diagnostic import Label
from compiler.report.sentence import Sentence
from compiler.report.words import declaration_errors, example_errors
from compiler.report.words.unexpected_token import Cause, is_expected, keyword_of, paragraph_name
from compiler.source.expected_tokens import TokenPhrase
from compiler.source.problems import UnexpectedToken
from compiler.source.suggestions import nearest_names
from runtime.graph.verbs import VERBS

# The form of each paragraph, by its keyword.
FORMS = {
    "rule": 'rule LABEL [SOURCE] "What it says." CONCLUSION exception to LABEL when CONDITION',
    "ruling": 'ruling LABEL [SOURCE] correction, minor asks ".." answers ".." CONCLUSION when CONDITION',
    "case": 'case LABEL "Title" numbered "1" { .. }',
    "dispute": 'dispute LABEL [SOURCE] "What is disputed." { reading LABEL [SOURCE] { .. } }',
    "example": 'example "what it shows" { .. }',
    "value": 'value NAME(h: hex): 0..9 MP otherwise 0 MP reads ".."',
    "verdict": 'verdict NAME(h: hex) default allowed reads ".." denied ".."',
    "define": 'define NAME(h: hex) [SOURCE] = VALUE reads ".."',
    "measure": 'measure MP "movement points", steps "steps"',
    "enum": 'enum ground: meadow, marsh "a marsh"',
    "domain": "domain NAME = 1..6",
    "scale": "scale NAME: 'low' = 0, 'high' = 1",
    "extend": "extend enum NAME: WORD",
    "extend scale": "extend scale NAME: 'higher' = 2",
    "extend kind": "extend kind unit has morale: 0..9 = 5",
    "extend stages": "extend stages QUESTION: STAGE after STAGE",
    "side": 'side north "North", south "South"',
    "kind": "kind unit has movement: 0..12 MP, gait: gait",
    "status": 'status unit: tired "is tired" marker "T" until end of turn',
    "track": "track unit.spent: 0..12 MP = 0 MP until end of movement",
    "action": 'action NAME by player in PHASE [SOURCE] "What it does." reads ".." { .. }',
    "resolution": 'resolution NAME(u: unit) [SOURCE] "What it does." { .. }',
    "sequence": 'sequence NAME { each turn in 1..scenario.turns { phase NAME "Title" { .. } } }',
    "insert": 'insert phase NAME "Title" [SOURCE] { .. } before PHASE',
}
RULE_KEYWORDS = ("rule", "ruling")
TERMS = ("value", "verdict", "define", "resolution")
# Tokens that may follow where a rule could end.
AFTER_RULE = (
    TokenPhrase.PARAGRAPH,
    TokenPhrase.CONCLUSION_OR_RELATION,
    TokenPhrase.RELATION,
    TokenPhrase.RULE,
    TokenPhrase.RULE_OR_EXAMPLE,
)
# Relations under other names.
MEANT_RELATION = {
    **dict.fromkeys(("overrides", "beats", "defeats", "supersedes", "trumps", "overrules"), "exception to LABEL"),
    **dict.fromkeys(("if", "where", "provided", "whenever"), "when CONDITION"),
    **dict.fromkeys(("unless",), "when not (CONDITION)"),
    **dict.fromkeys(("skips", "drops", "omits"), "withdraws phase NAME"),
    **dict.fromkeys(("moves", "swaps", "puts"), "reorders phase NAME before NAME"),
    **dict.fromkeys(("cancels", "removes", "deletes"), "withdraws LABEL"),
}
# The clauses of a rule behind its prose, in their order.
CLAUSES = (
    "exception", "replaces", "withdraws", "suppresses", "clarifies", "carried", "joins", "reorders", "inserts", "wraps",
    "with", "when",
)  # fmt: skip
RELATIONS = {*CLAUSES}
CONCLUSIONS = {each.notation for each in VERBS.values() if each.answer is not None}
# Keywords of the language that belong elsewhere.
MISPLACED_KEYWORDS = RELATIONS | {"reads", "denied", "otherwise", "default", "capped", "until", "marker"}
ARTICLES = {"a", "an", "the"}


def known_mistake(problem: UnexpectedToken) -> Sentence | None:
    """Return the sentence of a known mistake; None if it is unknown."""
    for slip in SLIPS:
        if cause := slip(problem):
            message, note, advice = cause
            return Sentence(message, (Label(problem.span, note),), advice)
    return None


def form_of(problem: UnexpectedToken) -> str:
    """Return the form of the paragraph with the error; "" if it is unknown."""
    words = [each.text for each in problem.statement[:2]]
    form = FORMS.get(" ".join(words)) or FORMS.get("".join(words[:1]))
    return f"it is written `{form}`" if form else ""


# ---------------------------------------------------------------- expressions


def bare_choice(problem: UnexpectedToken) -> Cause | None:
    """Recognize `ask x = if ..` as a choice between two values without its parentheses, not as a name `if`."""
    if problem.previous_word != "if" or is_expected(
        problem, TokenPhrase.NUMBER, TokenPhrase.VALUE, TokenPhrase.NAME, TokenPhrase.QUOTED_NAME
    ):
        return None
    return "`if` stands in parentheses here", "behind `if`", "write `(if CONDITION then VALUE else VALUE)`"


# ---------------------------------------------------------------- names and labels


def snake_label(problem: UnexpectedToken) -> Cause | None:
    """Recognize `soft_ground` as a label with a wrong separator."""
    found, after = problem.found, problem.previous_word
    if found.startswith("_") and re.fullmatch(r"[a-z][a-z0-9-]*", after):
        name = after + found
    elif (
        after.startswith("_") and keyword_of(problem) in {*RULE_KEYWORDS, "case", "dispute"} and found[:1] in {"[", '"'}
    ):
        name = paragraph_name(problem) + after
    else:
        return None
    hyphens = name.replace("_", "-")
    return f"`{name}` is no label: labels are written with hyphens", "a label has no `_`", f"write `{hyphens}`"


def other_label(problem: UnexpectedToken) -> Cause | None:
    """Recognize what is not a label: capitals, quotes, a number, or none at all."""
    found = problem.found
    if not found or not is_expected(problem, TokenPhrase.LABEL):
        return None
    if found.startswith("["):
        return "a label is missing before the sources", "no label", f"write `{problem.previous_word} LABEL {found}`"
    plain = re.sub(r"[^a-z0-9]+", "-", found.lower()).strip("-")
    if found[0] in "\"'":
        return f"{found} is no label: a label has no quotes", "in quotes", f"write `{plain}`"
    if found[0].isupper():
        return f"`{found}` is no label", "a capital", "labels are written in small letters, as in `open-ground`"
    if found[0].isdigit():
        return f"a label begins with a letter, not with `{found}`", "a number", "write a word first: `open-ground`"
    return None


def two_words(problem: UnexpectedToken) -> Cause | None:
    """Recognize `rule soft ground [T.1]` as a label of two words."""
    first, second = paragraph_name(problem), problem.previous_word
    if keyword_of(problem) not in RULE_KEYWORDS or not problem.found.startswith("[") or second in {"", first}:
        return None
    if not is_expected(problem, TokenPhrase.CONCLUSION) or not second.isidentifier():
        return None
    label = f"{first}-{second}"
    return f"`{first} {second}` is no label: a label is one word", "behind two words", f"write `{label}`"


def kebab_name(problem: UnexpectedToken) -> Cause | None:
    """Recognize `very-tired` as a name with a hyphen."""
    after = problem.previous_word
    if (
        problem.found != "-"
        or not after.isidentifier()
        or (problem.open_brace and is_expected(problem, TokenPhrase.OPERATOR))
    ):
        return None
    if (
        keyword_of(problem) in RULE_KEYWORDS
        and paragraph_name(problem) == after
        and is_expected(problem, TokenPhrase.SOURCES)
    ):
        return f"a label does not end with `-`, as `{after}-` does", "nothing follows it", f"write `{after}` or go on"
    message = f"`{after}-..` is no name: names are written with `_`"
    return message, "only labels of rules, rulings and cases have hyphens", f"write `{after}_..`"


# ---------------------------------------------------------------- rules


def sources_last(problem: UnexpectedToken) -> Cause | None:
    """Recognize citations behind the prose."""
    if (
        not problem.found.startswith("[")
        or not problem.previous_word.startswith('"')
        or keyword_of(problem) not in RULE_KEYWORDS
    ):
        return None
    heading = f"{keyword_of(problem)} {paragraph_name(problem)} {problem.found} .."
    return "the sources stand before the prose", "behind it", f"write `{heading}`"


def not_sources(problem: UnexpectedToken) -> Cause | None:
    """Recognize citations in parentheses, prose in single quotes, a rule in braces or with a colon."""
    found, kind = problem.found, keyword_of(problem)
    if kind not in RULE_KEYWORDS:
        return None
    if found == "(" and is_expected(problem, TokenPhrase.SOURCES):
        return "sources stand in brackets", "a parenthesis", "write `[T.1]`"
    if found.startswith("'") and not is_expected(problem, TokenPhrase.QUOTED_NAME):
        return "prose stands in double quotes", "single quotes are for names", 'write `"What it says."`'
    if found == "{" and is_expected(problem, TokenPhrase.PARAGRAPH):
        return f"a {kind} has no braces", "not here", "leave them out: it ends where the next paragraph begins"
    if found == ":" and is_expected(problem, TokenPhrase.SOURCES):
        return f"no colon follows the label of a {kind}", "not here", "delete it"
    if (
        found == ","
        and problem.previous_word.startswith('"')
        and is_expected(problem, TokenPhrase.PARAGRAPH, TokenPhrase.CONCLUSION)
    ):
        return f"no comma stands between the parts of a {kind}", "not here", "delete it"
    return None


def concluded_otherwise(problem: UnexpectedToken) -> Cause | None:
    """Recognize `may_enter not allowed` and `cost = 3`."""
    if not is_expected(problem, TokenPhrase.CONCLUSION):
        return None
    if problem.found == "not":
        return (
            "a rule says `forbidden` or `allowed`, not `not`",
            "no conclusion",
            f"write `{problem.previous_word} forbidden`",
        )
    if problem.found == "=":
        return "a rule says with `is` what something is", "no `=` here", f"write `{problem.previous_word} is ..`"
    if problem.previous_word in MEANT_RELATION:
        return (
            f"`{problem.previous_word}` is no relation",
            "not known",
            f"write `{MEANT_RELATION[problem.previous_word]}`",
        )
    if near_names := nearest_names(problem.previous_word, RELATIONS):
        return (
            f"`{problem.previous_word}` is no relation",
            "after a word that is none",
            f"did you mean `{near_names[0]}`?",
        )
    if problem.previous_word[:1].isupper() and problem.found.isidentifier():
        begins = f"{problem.previous_word} {problem.found}"
        return "prose stands in double quotes", "no quotes before it", f'write `"{begins} .."`'
    return None


def relation_by_another_name(problem: UnexpectedToken) -> Cause | None:
    """Recognize `overrides` and `unless` behind a rule."""
    relation = MEANT_RELATION.get(problem.found)
    if relation is None or not is_expected(problem, *AFTER_RULE):
        return None
    return f"`{problem.found}` is no relation of a rule", "not known", f"write `{relation}`"


def condition_alone(problem: UnexpectedToken) -> Cause | None:
    """Recognize a condition without its `when`, and a comment in the syntax of other languages."""
    found = problem.found
    if not is_expected(problem, TokenPhrase.PARAGRAPH):
        return None
    if found == "/":
        return "a comment begins with `#`", "no comment", "write `# ..`"
    # A line that is not indented begins a paragraph.
    is_indented = problem.span.column > 1
    concluded = problem.previous_word in CONCLUSIONS and found.isidentifier() and is_indented and not problem.candidates
    if concluded and found not in MISPLACED_KEYWORDS and not nearest_names(found, {*RELATIONS, *FORMS}):
        return "a condition stands behind `when`", "no `when` before it", f"write `when {found} ..`"
    return None


def relation_elsewhere(problem: UnexpectedToken) -> Cause | None:
    """Recognize a relation outside a rule, or before a part that precedes it."""
    found, kind = problem.found, keyword_of(problem)
    if found not in RELATIONS or f"`{found}`" in problem.expected:
        return None
    if kind in RULE_KEYWORDS and is_expected(problem, TokenPhrase.SOURCES, TokenPhrase.TEXT, "`asks`", "`answers`"):
        place = "comes after the prose" if kind == "rule" else "comes after `asks` and `answers`"
        return f"`{found}` {place} of `{kind} {paragraph_name(problem)}`", "too early", form_of(problem)
    if is_expected(problem, TokenPhrase.PARAGRAPH) and found != "with":
        form = FORMS["rule"].replace(
            " CONCLUSION exception to LABEL when CONDITION", f" {found}{' to' if found == 'exception' else ''} .."
        )
        return f"`{found}` stands in a rule or ruling, and here is none", "outside a rule", f"write `{form}`"
    return None


# ---------------------------------------------------------------- conditions and values


def misplaced_list(problem: UnexpectedToken) -> Cause | None:
    """Recognize `[A, B]` where a value is expected, and `has a|b`."""
    if problem.found == "|" and is_expected(problem, "`and`"):
        return "`|` joins words behind `is` alone", "not here", "repeat the test, with `and` or `or` between the two"
    if not problem.found.startswith("[") or not is_expected(problem, TokenPhrase.VALUE):
        return None
    written = problem.found.strip("[]")
    return "brackets hold sources, and no list of values", "not here", f"write a set in braces, `{{{written}}}`"


def denied_otherwise(problem: UnexpectedToken) -> Cause | None:
    """Recognize `u not tired`, `<>`, `? :` and `elif`."""
    if problem.previous_word == "not" and problem.expected == ("`in`",):
        return f"`is` is missing before `not {problem.found}`", "no condition", f"write `is not {problem.found}`"
    if problem.found in {"isn", "aren"}:
        return f"`{problem.found}'t` is no word of the language", "not here", "write `is not`"
    if problem.previous_word in ARTICLES and problem.found.isidentifier() and is_expected(problem, "`|`"):
        return "the language has no articles", f"behind `{problem.previous_word}`", f"write `is {problem.found}`"
    if problem.found == "between" and keyword_of(problem) in RULE_KEYWORDS:
        return "`between` asks what lies between two hexes", "not here", "write `A in 1..3`, the ends included"
    if problem.found.startswith('"') and is_expected(problem, TokenPhrase.VALUE):
        return "only prose stands in double quotes", "no value", "write a number or a name without quotes"
    if problem.found == ">" and problem.previous_word == "<":
        return "`<>` is no sign of the language", "not here", "write `!=`"
    if problem.found == "?" and not is_expected(problem, "`and`", "`or`", "`+`", "`reads`"):
        advice = "a question answers always: say `otherwise`, or give a set that may be empty"
        return "only fields of records may be left out, `record r {by: side, home: hex?}`", "not here", advice
    if problem.found == "?":
        return "`?` is no sign of the language", "not here", "write `if CONDITION then A else B`"
    if problem.previous_word in {"elif", "elsif", "elseif"}:
        return f"`{problem.previous_word}` is no word of the language", "after it", "write `else if`"
    if problem.expected == ("`:`",) and keyword_of(problem) in TERMS and problem.found.isidentifier():
        pair = f"{problem.found}: {problem.previous_word}"
        return "a parameter is a name, a colon and its type", "no colon before it", f"write `{pair}`"
    if problem.found == "then" and problem.expected == ("`{`",):
        return "`then` stands between values only; steps follow in braces", "not here", "delete it"
    return None


# ---------------------------------------------------------------- steps


def step_pointed_at(problem: UnexpectedToken) -> Cause | None:
    """Recognize `after step the second do pay of ..`."""
    if problem.found != "the" or problem.previous_word != "step":
        return None
    return "`the second` stands in the place of `step`", "not both", "write `the second do pay of ..`"


def procedure_replaced_by_a_rule(problem: UnexpectedToken) -> Cause | None:
    """Recognize a rule that replaces a procedure, which only a procedure can do."""
    kind, name = problem.previous_word, problem.found
    if not is_expected(problem, "`expecting`"):
        return None
    if kind == "offer":
        advice = f"write `replaces step offer {name} of phase PHASE by {{ offer {name} until .. }}`"
        return f"`offer {name}` is a step of a phase", "not here", advice
    if kind not in {"action", "reaction", "resolution"}:
        return None
    written = f"{kind} {name}" if kind != "resolution" else f"{kind} {name}(..)"
    amends = "a rule amends it by `wraps`, `replaces step` .."
    advice = f'write `{written} [SOURCE] ".." replaces {kind} {name} {{ .. }}`; {amends}'
    return f"what stands in the place of `{kind} {name}` says so itself", "not in a rule", advice


def steps_written(problem: UnexpectedToken) -> Cause | None:
    """Recognize steps in the syntax of other languages."""
    found = problem.found
    if found == "=" and is_expected(problem, "`to`") and is_expected(problem, "`.`") and keyword_of(problem) != "rule":
        return "a step says with `to` what something is set to", "no `=` here", "write `set .. to ..`"
    if found == "in" and is_expected(problem, "`from`"):
        return "a choice is made `from` a set", "not here", f"write `choose {problem.previous_word} from ..`"
    if found == ".." and is_expected(problem, TokenPhrase.STEP):
        advice = "declare `domain NAME = 0..4` and write `choose n from all NAME`; `for each n in 0..4` has a range"
        return "a choice is made from a set, and a range is none", "a range", advice
    if found in {"foreach", "forall"} and is_expected(problem, TokenPhrase.STEP):
        return f"`{found}` is no step", "not known", "write `for each u in {u in all unit} { .. }`"
    if is_expected(problem, TokenPhrase.STEP) and found in {"when", "where"}:
        return f"`{found}` begins no step", "no step", "write `if CONDITION { .. }`"
    is_step = is_expected(problem, TokenPhrase.STEP) and not problem.candidates
    if is_step and found.isidentifier() and problem.previous_word in {"{", "}"}:
        advice = f"a step begins with what is done: `set {found}.. to 3`, `mark u as {found}`, `do {found}(..)`"
        return f"`{found}` begins no step", "no step", advice
    return None


SLIPS: tuple[Callable[[UnexpectedToken], Cause | None], ...] = (
    bare_choice,
    snake_label,
    other_label,
    two_words,
    kebab_name,
    sources_last,
    not_sources,
    concluded_otherwise,
    relation_by_another_name,
    condition_alone,
    relation_elsewhere,
    misplaced_list,
    denied_otherwise,
    example_errors.compared_question,
    example_errors.denied_answer,
    declaration_errors.range_measured_twice,
    declaration_errors.extended_otherwise,
    declaration_errors.first_value_of_own_kind,
    declaration_errors.inserted_otherwise,
    declaration_errors.scale_without_numbers,
    example_errors.loop_in_example,
    step_pointed_at,
    procedure_replaced_by_a_rule,
    example_errors.row_goes,
    example_errors.misordered_piece,
    steps_written,
    declaration_errors.unknown_paragraph,
)
