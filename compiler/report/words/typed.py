"""Sentences of problems with names and types.

In: a problem of compiler/typed. Out: its `Sentence`.
"""

from compiler.report.words.declared_twice import DeclaredTwiceProblem, declared_twice
from compiler.source.sentence import MOST_NAMES, Label, Sentence, backquoted, did_you_mean, list_words, suggestion_text
from compiler.source.span import Span
from compiler.typed import problems as typed
from runtime.graph.operators import OPERATORS
from runtime.graph.words import counted_noun

# Where one name is missing under two descriptions: what ends with a phase, what a card shows of a table.
KIN = {
    "moment": "phase", "chart, case or term": "table", "rule or term": "rule", "rule, case, chart or term": "rule",
}  # fmt: skip
# Kinds of procedures, of which there are few enough to list, and the limit.
RUN_KINDS, MOST_LISTED_NAMES = frozenset({"action", "offered action", "phase", "resolution", "event"}), 40
# The names of the number of members in other languages.
FOREIGN_SIZE_NAMES = {"len", "size", "length", "number_of"}


UnclearName = typed.UnknownName | typed.UnknownMember | typed.UnknownFlag | typed.AmbiguousName
MismatchProblem = (
    typed.TypeMismatch | typed.MeasureMismatch | typed.WrongArity | typed.WrongVerb | typed.BadCell | typed.MissingField
)
FailureProblem = typed.MayBeAbsent | typed.MayBeZero | typed.MayBeEmpty | typed.KeyOutside | typed.NeverFits


def typed_sentence(problem: typed.Problem) -> Sentence:
    """Format a problem of the typed stage as a sentence."""
    if isinstance(problem, UnclearName):
        return _name(problem)
    if isinstance(problem, DeclaredTwiceProblem):
        return declared_twice(problem)
    if isinstance(problem, MismatchProblem):
        return _fit(problem)
    if isinstance(problem, FailureProblem):
        return _may_fail(problem)
    match problem:
        case typed.ReadsAlike() | typed.SaidOfAnother():
            return _reading(problem)
        case typed.SuspectedMisprint(span, message, name, container, other_span, mark):
            others = (Label(other_span, mark),) if other_span is not None else ()
            advice = f"correct it; or, if it is printed so, add `printed_so: [{name}]` to the {container}"
            return Sentence(message, (Label(span, "here"), *others), advice)
        case typed.OneAtMost(span, declared, relation, end, other):
            return Sentence(
                f"`{end}` is one at most, and stands here for several",
                (Label(span, "a set or a list is wanted"), Label(declared, f"`{relation}` has one `{end}`")),
                f"if there may be several, write `one {other}` there, or no `one`;"
                f" if not, ask `has {end}` first, and then of that one",
                root=f"{relation} {end}",
            )
        case typed.MissingFact(span, category, name, fact, declared, purpose, values, empty):
            key = "facts" if category == "card" else "game"
            omission = "gives it empty" if empty else "does not give it"
            return Sentence(
                f"`{fact}` is required, and the {category} `{name}` {omission}: {purpose}",
                (
                    Label(span, "nothing stands in it" if empty else f"`{fact}` is not among what the {category} says"),
                    Label(declared, "required here"),
                ),
                f"write `{fact}: ..` under `{key}`: {values}",
                root=f"{name} {fact}",
            )
        case typed.TermCycle(spans, names):
            return Sentence(
                f"{list_words(names, 'and')} {'asks itself' if len(names) == 1 else 'ask each other in a circle'}",
                tuple(
                    Label(span, f"{backquoted(name)} asks {backquoted(next_name)} here")
                    for span, name, next_name in zip(spans, names, (*names[1:], names[0]), strict=False)
                ),
                "every question must come to an end: let one of them answer without asking the next",
                root=" ".join(sorted(names)),
            )
        case typed.InvalidConstruct(span, message, advice, root):
            return Sentence(message, (Label(span, "here"),), advice, root=root)


def _reading(problem: typed.ReadsAlike | typed.SaidOfAnother) -> Sentence:
    """Return the sentence for a problem of a wording."""
    match problem:
        case typed.SaidOfAnother(span, twice, unsaid):
            return Sentence(
                f"`{{{twice}}}` is said twice here, and "
                f"{list_words(tuple(f'{{{name}}}' for name in unsaid), 'and')} never",
                (Label(span, "this sentence"),),
                "see whether one of the two stands for another; or say it once",
            )
        case typed.ReadsAlike(span, first, category, (name, other), reads):
            marked = (
                "have one marker"
                if category == "marker"
                else "have one title"
                if category in ("counter", "chart")
                else "read alike"
            )
            return Sentence(
                f"`{name}` and `{other}` {marked}, `{reads}`",
                (Label(span, f"`{other}`"), Label(first, f"`{name}`")),
                "give each a marker of its own, or nobody can tell them apart on the map"
                if category == "marker"
                else f"let one of them {'be called' if category in ('counter', 'chart') else 'read'} otherwise:"
                " the book and all answers call both the same",
            )


def _name(problem: UnclearName) -> Sentence:
    """State that a name is not declared, or means several things."""
    match problem:
        case typed.UnknownName(span, "name", "previous"):
            message = "there is no stage before this one"
            advice = "only rules of a value that is declared `in stages a, b` have it, as in `t.b is previous / 2`"
            return Sentence(message, (Label(span, "the answer of the stage before"),), advice, root="name previous")
        case typed.UnknownName(span, _, name, (), (), owner=owner) if owner:
            message = f"`{owner}` keeps nothing, so it has no `{name}`"
            labels = (Label(span, "not declared"),)
            advice = f"let it keep something where it is declared, as in `relation {owner}(..) keeps {name}: 0..9`"
            return Sentence(message, labels, advice, root=f"field of {owner} {name}", names=(name,))
        case typed.UnknownName(span, "term", name) if name in FOREIGN_SIZE_NAMES:
            message = f"there is no term `{name}`"
            advice = "write `count(x in SET where CONDITION)`"
            return Sentence(message, (Label(span, "not declared"),), advice, root=f"term {name}", names=(name,))
        case typed.UnknownName(span, "direction", name, candidates):
            message = f"there is no direction `{name}`"
            advice = f"write {list_words(candidates, 'or')}"
            return Sentence(message, (Label(span, "no direction"),), advice, root=f"direction {name}")
        case typed.UnknownName(span, category, name, candidates, applicable_names, names_otherwise):
            taking = (
                f"{list_words(applicable_names, 'and')} "
                f"{'is' if len(applicable_names) == 1 else 'are'} asked with the same"
                if applicable_names
                else ""
            )
            message = f"there is no {category} `{name}`"
            labels = (Label(span, "not declared"),)
            advice = did_you_mean(names_otherwise) or suggestion_text(
                name,
                candidates,
                "declare it, or use" if len(candidates) == 1 else "declare it, or use one of",
                taking or _elsewhere(span, category, candidates),
            )
            return Sentence(message, labels, advice, root=f"{KIN.get(category, category)} {name}", names=(name,))
        case typed.UnknownMember(span, owner, name, members, candidates, is_open):
            labels = (Label(span, f"expected one of {list_words(members, 'and')}" if members else f"not a `{owner}`"),)
            known = f"the members of `{owner}` are {list_words(members, 'and', 12)}" if members else ""
            if known and is_open and name.isidentifier():
                known += f"; a layer adds one by `extend enum {owner}: {name}`"
            advice = did_you_mean(candidates, known)
            return Sentence(f"`{name}` is no `{owner}`", labels, advice, root=f"{owner} {name}", names=(owner, name))
        case typed.UnknownFlag(span, subject, name, candidates, elsewhere, verb, written):
            is_cut = len(candidates) > MOST_NAMES and subject.isidentifier()
            able = f"{subject} can {verb} {list_words(candidates, 'or', MOST_NAMES)}"
            able += f": `explain STACK {subject}` lists those that the rules declare" if is_cut else ""
            can = able if candidates else f"no word says what {subject} can {verb}: compare it, with `=`"
            advice_by_word = {
                "path": f"`{name}` is a path: write `has {name}`",
                "hexside": f"`{name}` lies on hexsides: write `between(.., ..) is {name}`",
            }
            message = f"{subject} cannot {verb} `{name}`"
            labels = (Label(span, "not declared for it"),)
            advice = (
                f"write `{written}`"
                if written
                else "a comma stands between the hexes of a row"
                if subject == "hex" and name[:1].isupper()
                else advice_by_word[elsewhere[0]]
                if verb == "be" and elsewhere in {("path",), ("hexside",)} and subject in {"hex", "hexside"}
                else f"only {list_words(elsewhere)} can be that; {can}"
                if elsewhere
                else suggestion_text(name, candidates, f"it can {verb}", can)
            )
            return Sentence(message, labels, advice, root=f"{subject} {name}", names=(name,))
        case typed.AmbiguousName(span, name, owners):
            message = f"`{name}` may mean several things: {list_words(owners)}"
            advice = "compare it with something whose type is known, or rename one of them"
            return Sentence(message, (Label(span, "which one is meant cannot be told here"),), advice, root=name)


def _elsewhere(span: Span, category: str, candidates: tuple[str, ...]) -> str:
    """Return the advice for a name without a similar one; the hexes of a card are those of its map."""
    if category == "hex" and candidates and not span.file.endswith(".rules"):
        return f"the hexes of this map go from `{min(candidates)}` to `{max(candidates)}`"
    named = f": {list_words(candidates, 'and', MOST_LISTED_NAMES)}" if category in RUN_KINDS and candidates else ""
    return f"declare the {category}, or name another{named}"


def _fit(problem: MismatchProblem) -> Sentence:
    """Return the sentence for what is required and what was found instead."""
    match problem:
        case typed.TypeMismatch(span, expected, found, members):
            one_of = (
                f"the members of `{expected}` are {list_words(members, 'and', 12)}"
                if members
                else _advice(expected, found)
            )
            return Sentence(f"this needs {expected} but is {found}", (Label(span, f"is {found}"),), one_of)
        case typed.MeasureMismatch(span, expected, found, literal):
            found_measure = found or "a bare number"
            advice = "give it in the one measure; amounts of different measures never mix"
            if not found:
                advice = f"multiply it by one of them, `1 {expected} * ..`; a value behind `for` is `4 {expected}`"
            elif not expected:
                advice = f"divide it by one of them, `.. / 1 {found}`, or take `number(..)` of it"
            return Sentence(
                f"this needs {expected or 'a bare number'} but is {found_measure}",
                (Label(span, f"is {found_measure}"),),
                f"write `{literal}`" if literal else advice,
            )
        case typed.WrongArity(span, name, expected, found, written):
            message = f"`{name}` takes {counted_noun(expected, 'argument')} but is given {found}"
            advice = f"write `{written}`" if written else f"give it {counted_noun(expected, 'argument')}"
            return Sentence(message, (Label(span, f"{counted_noun(found, 'argument')} here"),), advice)
        case typed.WrongVerb(span, term, form, verb, valid_verbs):
            message = f"a {form} such as `{term}` cannot be concluded with `{verb}`"
            advice = f"rules on a {form} say {list_words(valid_verbs)}" if valid_verbs else ""
            return Sentence(message, (Label(span, f"`{term}` is a {form}"),), advice)
        case typed.BadCell(span, subject, expected, found):
            content = f"`{found}`" if found else "nothing"
            text = f"{backquoted(subject)} needs {expected} but holds {content}"
            return Sentence(text, (Label(span, f"not {expected}"),), f"write {_a(expected)} here")
        case typed.MissingField(span, subject, missing, in_chart):
            missing_fields = list_words(missing, "and")
            fields = ", ".join(f"{name}: ..." for name in missing)
            # A column that a chart forgot is missing from all its counters.
            root = f"{span.file} {missing_fields}" if in_chart else f"{subject} {missing_fields} {span}"
            message = f"{subject} lacks {missing_fields}"
            return Sentence(message, (Label(span, "complete but for that"),), f"add `{fields}`", root=root)


def _advice(expected: str, found: str) -> str:
    """Return the advice for a value of another type."""
    match expected:
        case _ if expected.removeprefix("a ").removeprefix("set of ").removeprefix("list of ") == found != expected:
            return "put it in braces, `{..}`: a set or a list of one"
        case _ if found in {f"set of {expected}", f"list of {expected}"}:
            pieces = "; pieces there are `{u in all unit where u.hex in SET}`" if expected == "hex" else ""
            return f"name one member, or ask about all, `some(x in SET where ..)`{pieces}"
        case "yes or no":
            return "a condition compares, tests with `is` or `has`, or asks a question that is answered yes or no"
        case "something with fields":
            return "only pieces, hexes, sides and records have fields"
        case _:
            return f"put {_a(expected)} here, or declare what stands here as one"


def _a(expected: str) -> str:
    """Return a phrase for a member of a type; for a range, a number in it."""
    if expected.startswith(("set of ", "list of ")):
        return f"a {expected}"
    return f"a number in {expected}" if ".." in expected and not expected.startswith("a ") else expected


def _read_when(condition: str, value_text: str) -> str:
    """Return what may be read where `condition` holds: `b.owner` for `b has owner`, `t[k].cost` for `t[k] is cost`."""
    cell, _, kind = condition.rpartition(" is ")
    return f"{cell}.{kind}" if cell else f"{condition.partition(' has ')[0]}.{value_text.rpartition('.')[2]}"


def _may_fail(problem: FailureProblem) -> Sentence:
    """Return the sentence for an evaluation that may fail, with the guard that excludes it."""
    match problem:
        case typed.MayBeAbsent(span, value_text, condition, in_example):
            return Sentence(
                f"`{value_text}` may be absent here",
                (Label(span, "used without knowing that it is there"),),
                f"ask both in parentheses: `({condition} and {_read_when(condition, value_text)} = ..)`"
                if in_example
                else f"ask `{condition}` first: to its left, joined by `and`, or in `when`",
            )
        case typed.MayBeZero(span, divisor):
            advice = (
                "divide by another number"
                if divisor.partition(" ")[0] == "0"
                else f"rule it out to the left or in `when`: `{divisor} > 0`"
            )
            return Sentence(f"`{divisor}` may be zero here", (Label(span, "divides"),), advice)
        case typed.MayBeEmpty(span, op):
            message = f"`{op}` has no answer when nothing is there to choose from"
            return Sentence(message, (Label(span, "may be empty"),), f"say what then: `{op}(... otherwise ...)`")
        case typed.KeyOutside(span, table, key, domain, ends):
            labels = (Label(span, f"the table goes from {domain}" if ".." in domain else f"the table knows {domain}"),)
            advice = f"bring it inside with `clamp({key}, {ends[0]}, {ends[1]})`, or compare it first"
            return Sentence(f"`{key}` may lie outside the keys of `{table}`", labels, advice)
        case typed.NeverFits(span, value_text, domain, written, values):
            return Sentence(
                f"`{written}` never fits `{value_text}`, which is {domain}",
                (Label(span, f"this is {values}" if values else f"not in {domain}"),),
                "correct the number"
                + ("" if value_text in OPERATORS else f", or declare a wider range for `{value_text}`"),
            )
