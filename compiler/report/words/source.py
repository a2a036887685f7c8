"""Sentences of problems with a text that cannot be parsed."""

import re
import unicodedata

from compiler.report.words.known_mistakes import CLAUSES
from compiler.report.words.syntax_errors import form_of, known_mistake
from compiler.source import problems as source
from compiler.source.expected_tokens import TokenPhrase
from compiler.source.grammar import paragraph_keywords
from compiler.source.heads import DOCUMENT_KINDS
from compiler.source.problems import BadCharacter, OddSign
from compiler.source.scanner import TYPOGRAPHIC
from compiler.source.sentence import Label, Sentence, choice_text, did_you_mean, list_words, truncated_line
from compiler.source.suggestions import nearest_names

MOST_SHOWN_DIGITS = 12  # the number of digits shown of a long number
MOST_KEYS = 24  # of those that a file may have; no file has more
MOST_DIGITS = 6  # of numbers in data files, as in their schemas
MOST_NAMED_FILES = 5  # of those with errors beside the first
CLOSING = {'"': "text", "'": "quoted name", "[": "list of citations", "{": "block"}
ENDS = {'"': '"', "'": "'", "[": "]", "{": "}"}
YAML_ADVICE = {
    "alias": "write the value out where it is used; `*name` hides what a file says",
    "anchor": "write the value out where it is used; `&name` hides what a file says",
    "tag": "leave the `!` tag out: the schema knows what each value is",
    "merge": "write the keys out; `<<` hides what a file says",
}
# The limits of a file, and the advice when they are exceeded.
LIMITED = {
    **dict.fromkeys(("bytes", "characters", "documents", "nodes", "statements"), "split the file"),
    **dict.fromkeys(("files", "folders"), "name a smaller folder"),
    "layers": "put layers together that are always loaded together",
}

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


def source_sentence(problem: source.Problem) -> Sentence:
    """Format a problem of the source stage as a sentence."""
    if isinstance(problem, source.SyntaxProblem):
        return _syntax(problem)
    if isinstance(problem, source.FileProblem):
        return _file(problem)
    return _yaml(problem)


def _syntax(problem: source.SyntaxProblem) -> Sentence:
    """Return the sentence for a syntax error in a `.rules` text."""
    match problem:
        case source.UnexpectedToken():
            return _unexpected(problem)
        case source.UnterminatedText(span, opening):
            kind = CLOSING.get(opening, "text")
            message = f"this {kind} is not closed in its line"
            advice = f"end it with `{ENDS.get(opening, opening)}`"
            return Sentence(message, (Label(span, f"opened with `{opening}`"),), advice)
        case source.BadCharacter():
            return bad_character(problem)
        case source.Unprintable(span, code):
            message = f"an invisible character (U+{code:04X}) stands here"
            return Sentence(message, (Label(span, "a reader would see another text than is compiled"),), "delete it")
        case source.OddSign():
            return character_sentence(problem)
        case source.BadNumber(span, text) if text.isdecimal():
            message = f"{_large(text)} is larger than any number here"
            return Sentence(message, (Label(span, "too large"),), "numbers have nine digits at most")
        case source.BadNumber(span, text):
            advice = "write whole numbers or fractions, `7/2`, with a blank before the measure: `7/2 MP`"
            return Sentence(f"`{text}` is no number", (Label(span, "numbers are exact"),), advice)
        case source.BadCite(span, text, is_repetition=True):
            return Sentence(f"`{text}` is cited twice", (Label(span, "again here"),), "keep one of the two")
        case source.BadCite(span, text):
            advice = "write `[DOC.SECTION.04]`, `[DOC.SECTION.04 .05]` or `[DOC.SECTION.04-.06]`"
            return Sentence(f"`{text}` is no citation", (Label(span, "cited here"),), advice)
        case source.TooDeep(span, limit):
            advice = (
                "give a part of it a name with `define` or `with`"
                if span.file.endswith(".rules")
                else "lists and keys are seldom more than four deep: something is not closed"
            )
            return Sentence(f"this is nested more than {limit} deep", (Label(span, "too deep to follow"),), advice)


def _unexpected(problem: source.UnexpectedToken) -> Sentence:
    """Return the sentence with the found token, the expected ones, and the paragraph."""
    statement = " ".join(word.text for word in problem.statement)
    after = f" after `{problem.previous_word}`" if problem.previous_word else ""
    if problem.lacks_comma:
        message = f"a comma is missing between `{problem.previous_word}` and `{problem.found}`"
        advice = f"write `{problem.previous_word}, {problem.found}`"
        return Sentence(message, (Label(problem.span, "stands behind another one"),), advice)
    if problem.misplacement:
        return _misplaced_conclusion(problem)
    if problem.previous_word == "=" and problem.found in MEANT_SIGNS:
        fault = f"`={problem.found}` is no sign of the language"
        return Sentence(fault, (Label(problem.span, "not here"),), f"write `{MEANT_SIGNS[problem.found]}`")
    if cause := known_mistake(problem):
        return cause
    if problem.found in COMPARED and {"`and`", "`or`"} <= set(problem.expected):
        fault = f"`{problem.found}` does not fit{after}: one comparison has two sides"
        return Sentence(fault, (Label(problem.span, "a third side"),), "compare twice: `a < b and b < c`")
    if problem.found:
        message = f"`{problem.found}` does not fit{after}" + (f" in `{statement}`" if statement else "")
    else:
        message = f"the text ends in the middle of `{statement}`" if statement else f"the text ends{after} too early"
    alternatives = _series(problem.expected if problem.found else _closing(problem.expected))
    spans = [Label(problem.span, f"expected {alternatives}" if alternatives else "cannot stand here")]
    unclosed = problem.open_brace if not problem.found or problem.found in paragraph_keywords() else None
    if unclosed:
        spans.append(Label(unclosed, "this `{` is still open"))
    if problem.found == "}" and TokenPhrase.PARAGRAPH in problem.expected:
        advice = "delete it, or look for a `}` further up that closed too much"
        return Sentence("this `}` closes nothing", (Label(problem.span, "no block is open here"),), advice)
    remedy = "close it with `}`" if unclosed else f"put {alternatives} there" if alternatives else ""
    unclear = len(problem.expected) > 3 or TokenPhrase.PARAGRAPH in problem.expected
    # Inside parentheses the form of the whole paragraph does not help.
    if not unclosed and unclear and not problem.enclosing_word and (form := form_of(problem)):
        remedy = form
    if problem.found == "expecting":
        remedy = 'it states the hash of the name before it: `reorders phase combat expecting ".." before movement`'
    named = re.findall(r"`(\w+)", " ".join(problem.expected))
    if not problem.candidates and (correction := _loop_advice(problem)):
        # `let sum = 3` reads as the beginning of a fold.
        return Sentence(message, tuple(spans), f"write `{correction}`{_not_a_name(problem.previous_word, statement)}")
    # Where a paragraph or rule could end, the word may be a misspelling of a keyword that would continue it.
    ending = () if PARAGRAPH_ENDS.isdisjoint(problem.expected) else CLAUSES
    near_names = problem.candidates or nearest_names(problem.found, (*named, *ending))
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


def _loop_advice(problem: source.UnexpectedToken) -> str:
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


def _misplaced_conclusion(problem: source.UnexpectedToken) -> Sentence:
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


def _file(problem: source.FileProblem) -> Sentence:
    """Return the sentence for a problem of a whole file."""
    match problem:
        case source.TooLarge(span, category, limit):
            return Sentence(
                f"more than {limit:,} {category}",
                (
                    Label(
                        span,
                        ("read up to here" if span.line > 1 else "this file") if category in LIMITED else "too many",
                    ),
                ),
                LIMITED.get(category, f"leave it at {limit:,} or fewer"),
            )
        case source.NotUtf8(span, byte):
            message = f"the byte 0x{byte:02X} is not UTF-8"
            return Sentence(message, (Label(span, "cannot be read from here on"),), "save the file as UTF-8")
        case source.MissingFile(request_span, path, reason):
            return Sentence(
                f"`{path}` cannot be read: {reason}", (Label(request_span, "asked for here"),), root=f"file {path}"
            )
        case source.ForeignFile(span, key, others):
            more = f", and {len(others)} more {'are' if len(others) > 1 else 'is'} not either" if others else ""
            return Sentence(
                f"`{span.file}` is not read, as it begins with `{key}` and lies in no layer{more}",
                (Label(span, "none of our documents begins so"), *(Label(each, "nor this one") for each in others[:5])),
                "name with `--path` only the folder that has the packages; ours begin with `layer`, `board`, `scenario`"
                " and the like",
            )
        case source.BrokenElsewhere(span, reason, others):
            what = f"{len(others) + 1} files with errors are" if others else f"`{span.file}` has errors and is"
            return Sentence(
                f"{what} left out: this stack uses nothing of {'these folders' if others else 'its folder'}",
                (Label(span, reason), *(Label(place, why) for place, why in others[:MOST_NAMED_FILES])),
                "correct the first error of each file here, or name with `--path` only the folders that you use",
            )
        case source.OutsidePackage(span, target):
            advice = "copy the file into the package, or name its folder with `--path`"
            return Sentence(f"`{target}` lies outside the package", (Label(span, "this link is not followed"),), advice)
        case source.DuplicateItem(span, category, name, first):
            message = f"there are two {category}s named `{name}`"
            advice = "rename one of them"
            return Sentence(message, (Label(span, "this one is not read"), Label(first, "this one is")), advice)


def _yaml(problem: source.YamlProblem) -> Sentence:
    """Return the sentence for a problem of a YAML file."""
    match problem:
        case source.BadYaml():
            return _bad_yaml(problem)
        case source.RefusedYaml(span, construct):
            article = "an" if construct[0] in "ae" else "a"
            message = f"{article} {construct} cannot be used here"
            advice = YAML_ADVICE.get(construct, "write the value out")
            return Sentence(message, (Label(span, f"{article} {construct}"),), advice, root=f"refused {span.file}")
        case source.OutOfOrder(span, name, number, above, last):
            message = f"`{name}` has the number {number}, and stands behind {last}"
            advice = "give it back its printed number: `rulewright number` changes none and writes them in order"
            return Sentence(message, (Label(span, "changed by hand?"), Label(above, f"this has {last}")), advice)
        case source.DuplicateKey(span, key, first):
            message = f"the key `{key}` stands here twice"
            return Sentence(message, (Label(span, "again here"), Label(first, "first here")), "keep one of the two")
        case source.UnknownKey(span, "titles" as key, "patch"):
            advice = "write the title in the counter itself, `{id: m4_snow, title: M4 in snow, ..}`"
            return Sentence("a patch has no key `titles`", (Label(span, "not known"),), advice, root=f"patch {key}")
        case source.UnknownKey(span, key, kind, candidates, known):
            message = f"{_article(kind)} {kind} has no key `{key}`"
            advice = choice_text(candidates, known, f"{_article(kind)} {kind} may have", MOST_KEYS)
            return Sentence(message, (Label(span, "not known"),), advice, root=f"{kind} {key}")
        case source.MissingKey(span, key, kind, is_misspelled=True):
            return Sentence(f"this {kind} lacks `{key}`", (Label(span, "is this meant?"),), f"write `{key}: ...`")
        case source.MissingKey(span, key, kind):
            return Sentence(f"this {kind} lacks `{key}`", (Label(span, "here"),), f"add `{key}: ...`")
        case source.BadShape():
            return _bad_shape(problem)
        case source.UnknownDocument():
            return _unknown_document(problem)


def _unknown_document(problem: source.UnknownDocument) -> Sentence:
    """Return the sentence for a file that begins with an unknown key."""
    advice = did_you_mean(problem.candidates, f"begin with {list_words(DOCUMENT_KINDS, 'or', len(DOCUMENT_KINDS))}")
    if problem.key == "reported":
        advice = "nothing compares reported results any more: keep the file outside of the package"
    label = Label(problem.span, "its first key says what a file is")
    return Sentence(f"a file cannot begin with `{problem.key}`", (label,), advice)


def _bad_yaml(problem: source.BadYaml) -> Sentence:
    """Return the sentence for malformed YAML."""
    others = (Label(problem.context, "it began here"),) if problem.context else ()
    advice = "look at the brackets, quotes and indentation right before this place"
    if "expected ':'" in problem.message:
        advice = "write a colon and a blank behind each key, `title: Mill`, and indent what belongs to it"
    if "cannot start" in problem.message:
        advice = "indent by blanks, never by tabs, and put a text that begins with `@`, `%` or a backquote in quotes"
    return Sentence(f"this is not YAML: {problem.message}", (Label(problem.span, "noticed here"), *others), advice)


def _bad_shape(problem: source.BadShape) -> Sentence:
    """Return the sentence for a value of a wrong shape."""
    expected, found, keys = problem.expected, problem.found, problem.keys
    if problem.is_number and (large := re.search(rf"(?<![-\d])(?<!\d\.)\d{{{MOST_DIGITS + 1},}}", found)):
        message = f"{_large(large.group())} is larger than any number here"
        return Sentence(
            message, (Label(problem.span, "too large"),), f"numbers of data files have {MOST_DIGITS} digits at most"
        )
    message = f"this needs {expected} but holds {found}"
    if expected == "a list of names" and re.fullmatch(r"`[\w, -]+`", found):
        expected = f"`[{found[1:-1]}]`"
    by_keys = f" by its keys: `{{{', '.join(f'{key}: ..' for key in keys)}, ..}}`" if keys else ""
    advice = did_you_mean(problem.candidates, f"write {expected}{by_keys}")
    return Sentence(message, (Label(problem.span, f"holds {found}"),), advice)


def _large(digits: str) -> str:
    return f"`{digits}`" if len(digits) <= MOST_SHOWN_DIGITS else f"`{digits[:MOST_SHOWN_DIGITS]}..`"


def _article(noun: str) -> str:
    return "an" if noun[:1] in "aeiou" else "a"


# Signs that are not part of the language, with advice.
FOREIGN = {
    **{sign: f"write `{word}`" for sign, word in {"&&": "and", "||": "or", "!": "not"}.items()},
    "&": "write `and`; the members that two sets share are `{x in A where x in B}`",
    ";": "delete it: a line needs no end",
    "%": "write a fraction: half of it is `1/2 * ..`",
    "->": "write `:`",
    "?": "write `if CONDITION then A else B`",
}


def bad_character(problem: BadCharacter) -> Sentence:
    """Return the sentence for a sign without a meaning, with a replacement."""
    match problem:
        case BadCharacter(span, text) if advice := FOREIGN.get(text):
            return Sentence(f"`{text}` is no sign of the language", (Label(span, "not here"),), advice)
        case BadCharacter(span, text) if straight := TYPOGRAPHIC.get(text):
            advice = f"write `{straight}`; word processors put the others in its place"
            return Sentence(f"`{text}` is a typographic quote", (Label(span, "only straight quotes are read"),), advice)
        case BadCharacter(span, text):
            advice = "names are written in the letters a to z, digits and `_`; prose stands in double quotes"
            return Sentence(f"`{text}` means nothing here", (Label(span, "not part of the language"),), advice)


def character_sentence(problem: OddSign) -> Sentence:
    """Return the sentence for a character that would deceive a reader."""
    span, sign = problem.span, problem.sign
    called = f"U+{ord(sign):04X}, {unicodedata.name(sign, 'a sign').lower()}" if len(sign) == 1 else ""
    match problem.category:
        case "like":
            message = f"`{sign}` ({called}) looks like `{problem.letter}`, and is another letter"
            advice = f"write the Latin letter `{problem.letter}`"
            return Sentence(message, (Label(span, "a reader would take this for another name"),), advice)
        case "markup":
            message = f"`{truncated_line(sign)}` is markup, which no name, title or text may hold"
            advice = "write it in words"
            return Sentence(message, (Label(span, "some page or screen would take this for a command"),), advice)
        case "accent":
            message = f"an accent ({called}) stands apart from its letter"
            advice = "write the letter with its accent as one sign, or without it"
            return Sentence(message, (Label(span, "two names that look the same would differ"),), advice)
        case _:
            message = f"`{sign}` ({called}) is no letter of a name"
            advice = "write the name in Latin letters; titles and texts may be in any language"
            return Sentence(message, (Label(span, "names are written in Latin letters"),), advice)
