"""Sentences of problems with a question that has no answer, or a game that cannot continue."""

from collections.abc import Iterator

from compiler.report import answers
from compiler.report.words.revisions import revision_sentence
from compiler.source.sentence import MOST_NAMES, Label, Sentence, Witness, backquoted, list_words, origin_label
from runtime.graph import nodes as graph
from runtime.graph.words import counted_noun


def answer_sentence(problem: answers.Problem) -> Sentence:
    """Format a problem of the runtime as a sentence."""
    match problem:
        case answers.NoAnswer(question, place):
            advice = "add a rule for this case, or say `otherwise ...` where the question is declared"
            return Sentence(f"no rule answers `{question}` here", (origin_label(place, "asked here"),), advice)
        case answers.TwoAnswers(question, place, rules):
            return Sentence(
                f"rules give different answers to `{question}` here",
                (
                    *(origin_label(origin, backquoted(name)) for name, origin in rules),
                    origin_label(place, "asked here"),
                ),
                "decide which of them wins, and write `exception to` in it",
            )
        case answers.TooMuchToAnswer() | answers.AnswerOutside():
            return _excess_sentence(problem)
        case answers.ReadAbsent():
            return _absent_sentence(problem)
        case answers.OfferStuck() | answers.OfferUnsettled() | answers.PlayStuck() | answers.NoGeometry():
            return _no_geometry(problem) if isinstance(problem, answers.NoGeometry) else _stuck_sentence(problem)
        case answers.ExampleFailed():
            return _failure_sentence(problem)
        case answers.RuleUnshown(rule, origin):
            advice = "add an `example` behind it: the rulebook prints no rule that nobody has seen at work"
            return Sentence(f"no example shows `{rule}` at work", (origin_label(origin, backquoted(rule)),), advice)
        case answers.NotAlways(facts, beginning, violators, example):
            text = f"{list_words(names_without_places(facts), 'and')} {'are' if len(facts) > 1 else 'is'} not so"
            subject_phrase = f" of {list_words(names_without_places(violators), 'and')}" if violators else ""
            start_phrase = f" as {'the example ' if example else ''}`{beginning}` begins" if beginning else ""
            places = violators if example is None else ((beginning, example),)
            wrong_part = "example" if example else "card" if beginning else "chart"
            return Sentence(
                text + subject_phrase + start_phrase,
                (
                    *(origin_label(origin, backquoted(name)) for name, origin in places),
                    *(origin_label(origin, "said to be always so") for _, origin in facts),
                ),
                f"correct the {wrong_part}, or what is said to be always so: proofs rest on it",
            )
        case answers.ReadingUnplayed() | answers.StaleEquivalent() | answers.ChangedAlone() | answers.ChangeUnnoticed():
            return _unmaintained(problem)


def _absent_sentence(problem: answers.ReadAbsent) -> Sentence:
    """Return the sentence for a read of an absent value."""
    text, piece, place = problem.name, problem.piece, problem.declared_at
    spans = (origin_label(place, "asked here"),) if place else ()
    if piece and text == "hex":
        message = f"`{piece}` has no `hex`: it is off the map or out of the game"
        return Sentence(message, spans, "test with `is off` and `is gone` first")
    if piece:
        advice = f"its counter has none printed on it: write its `{text}` where the piece is put"
        return Sentence(f"`{piece}` has no `{text}`", spans, advice)
    owner, _, fact = text.partition(".")
    if owner == "scenario":
        message = f"`{text}` is not given, and the answer depends on it"
        return Sentence(message, spans, f"write `{fact}` under `game` of the position, or ask about a card")
    return Sentence(f"`{text}` is not there", spans, "test it with `has` first")


def _unmaintained(
    problem: answers.ReadingUnplayed | answers.StaleEquivalent | answers.ChangedAlone | answers.ChangeUnnoticed,
) -> Sentence:
    """Return the sentence for what lacks an example, is obsolete, or changed without its counterpart."""
    match problem:
        case answers.ChangedAlone() | answers.ChangeUnnoticed():
            return revision_sentence(problem)
        case answers.StaleEquivalent(subject, original, replacement, noticed, span):
            reason = "an example notices it" if noticed else "there is no such alteration"
            advice = "" if noticed else ", or write it as `test --mutate` does"
            if "#" in subject:  # Another option of the same game has hooks of its own.
                advice = f", or leave out `#{subject.partition('#')[2]}`: the number of a hook depends on the stack"
            return Sentence(
                f"`{subject}` with `{original}` made `{replacement}` is listed as equivalent, and {reason}",
                (Label(span, "listed here"),),
                f"take the entry out{advice}",
            )
        case answers.ReadingUnplayed(dispute, reading, stack, origin):
            message = f"no example plays the reading `{reading}` of `{dispute}`"
            advice = f"write one under `{stack}+{dispute}={reading}`: nothing else can show what it says"
            return Sentence(message, (origin_label(origin, backquoted(dispute)),), advice)


def _excess_sentence(problem: answers.TooMuchToAnswer | answers.AnswerOutside) -> Sentence:
    """Return the sentence for what exceeds a declared range or a budget."""
    match problem:
        case answers.TooMuchToAnswer(question, members, place):
            message = f"too much to work out: `{question}` passes over sets with more than {members:,} members in all"
            advice = "pass over fewer, as those within reach, or let it take more with `ask --steps`"
            return Sentence(message, (origin_label(place, "asked here"),) if place else (), advice)
        case answers.AnswerOutside(question, place, rules, given):
            declared = (origin_label(place, "declared here"),) if place else ()
            advice = f"correct the {'number' if given else 'rule'}"
            return Sentence(
                given or f"the answer to `{question}` lies outside what is declared for it",
                (*(origin_label(origin, backquoted(name)) for name, origin in rules), *declared),
                f"{advice}, or widen the declared range" if place else advice,
            )


def _failure_sentence(problem: answers.ExampleFailed) -> Sentence:
    """Return the sentence for an example, with the result and the expected one."""
    which = f"the example `{problem.example}`" + (f", {problem.case}" if problem.case else "")
    causes = (origin_label(each.party.origin, _cause(each)) for each in problem.causes)
    spans = (origin_label(problem.origin, f"but it is {problem.actual}"), *causes, *_other_lines(problem))
    advice = _other_cases(problem) or _moment_phrase(problem)
    return Sentence(f"{which} expects {problem.expected}", spans, advice, explanation=problem.explanation)


def _cause(cause: answers.LikelyCause) -> str:
    """Explain why a place is a likely cause."""
    match cause.kind:
        case "printed":
            return f"`{cause.party.label}` is printed with {cause.change} here"
        case "changed":
            return f"{cause.change} it comes out as expected"
        case _:
            return f"`{cause.party.label}` {cause.change} since checksums were taken"


def _moment_phrase(problem: answers.ExampleFailed) -> str:
    """Return what the end of a moment does in an example that ended one before."""
    if not problem.moment:
        return ""
    does = f"what lasts until then falls back, and `after end of {problem.moment}` is done"
    whose = "; nobody is on move in this example, `set game.player to ..` says who is" if problem.without_player else ""
    return f"`end of {problem.moment}` plays no phase and no step: {does}{whose}"


def _other_lines(problem: answers.ExampleFailed) -> Iterator[Label]:
    """Return labels of the other lines that fail, each once."""
    origins = {problem.origin}
    for each in problem.other_failures:
        if each.origin not in origins and len(origins) < MOST_NAMES:
            origins.add(each.origin)
            case_phrase = f"in {each.case} " if each.case != problem.case else ""
            yield origin_label(each.origin, f"{case_phrase}it expects {each.expected}, but it is {each.actual}")


def _other_cases(problem: answers.ExampleFailed) -> str:
    """Return the part of a sentence with the values of the other cases that fail in a line that is shown already."""
    shown_origins, cases = {problem.origin}, list[str]()
    for failure in problem.other_failures:
        if failure.origin in shown_origins:
            case_phrase = f"{failure.case} " if failure.case else ""
            cases.append(f"{case_phrase}expects {failure.expected}, but it is {failure.actual}")
        shown_origins.add(failure.origin)
    left = len(cases) - MOST_NAMES
    return "; ".join([*cases[:MOST_NAMES], *([f"{left} more cases fail"] if left > 0 else [])])


def names_without_places(placed: tuple[tuple[str, graph.Origin], ...]) -> tuple[str, ...]:
    """Return the names without their places."""
    return tuple(name for name, _ in placed)


def _stuck_sentence(problem: answers.PlayStuck | answers.OfferStuck | answers.OfferUnsettled) -> Sentence:
    """Return the sentence for play that cannot continue, or an offer that can come to that."""
    match problem:
        case answers.OfferUnsettled():
            return _unsettled_sentence(problem)
        case answers.PlayStuck(message, procedure, when, origin):
            spans = (origin_label(origin, procedure),) if origin else ()
            place_phrase = f" in `{procedure}`" if procedure else ""
            return Sentence(f"the game cannot go on{place_phrase}: {message}, {when}", spans)
        case answers.OfferStuck((name,), description, when, file, origin, is_offer=False):
            return Sentence(
                f"there can be nothing to choose or draw `{name}` from, and then play stops",
                (origin_label(origin, "in what is done here"),),
                f"do it behind `if some(x in ..) {{ .. }}`, or let it be so many as there are: `choose any {name} ..`",
                Witness(f"{description}, {when}", file=file),
            )
        case answers.OfferStuck(offered, description, when, file, origin):
            return Sentence(
                f"the offer of {list_words(offered, 'and')} can be stuck: no action is open, and it may not end",
                (origin_label(origin, "offered here"),),
                "write `must` in place of `until`, so that only what leads there is offered, and `otherwise { .. }`",
                Witness(f"{description}, {when}", file=file),
            )


def _unsettled_sentence(problem: answers.OfferUnsettled) -> Sentence:
    """Return the sentence for an offer with more continuations than were tried."""
    were = "was" if problem.options == 1 else "were"
    message = (
        f"more can follow in the offer of {list_words(problem.offered_names, 'and')} than the budget allows to try: at "
        f"{counted_noun(problem.decisions, 'decision')} it was not told whether its `must` can still be met after "
        f"{counted_noun(problem.options, 'option')}, which {were} offered all the same"
    )
    advice = "say behind `keeping` what every action has to leave so, which is told by trying one action"
    return Sentence(message, (origin_label(problem.origin, "offered here"),), advice, Witness(problem.description))


def _no_geometry(problem: answers.NoGeometry) -> Sentence:
    """Return the sentence for a line or a direction where there are none."""
    function, card = problem.function, problem.card
    requirement = f"`{function}` asks for hexes of one map"
    askers = tuple(
        origin_label(origin, f"{backquoted(name)} asks for it") for name, origin in problem.users[:MOST_NAMES]
    )
    advice = "ask for neighbors, distances or connections, which every map has"
    if card:
        return Sentence(f"{requirement}, and the map of `{card}` has no hexes", askers, advice)
    spaces = list_words(problem.spaces, "and")
    return Sentence(
        f"{requirement}, not for {spaces}", askers, f"{advice}, or for `{function}` only of hexes of one map"
    )
