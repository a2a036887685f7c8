"""Sentences of findings about omissions in laws."""

from compiler.analysis import omissions
from compiler.report.diagnostic import Label
from compiler.report.sentence import MOST_NAMES, Sentence, backquoted, list_words, origin_label
from compiler.report.words.parties import party_label

# Questions longer than this are identified by their term, not written out.
LONGEST_WRITTEN_QUESTION = 60


def omission_sentence(problem: omissions.OmissionProblem) -> Sentence:  # noqa: C901, PLR0915 -- one arm a problem
    """Return the sentence for an omission in a law."""
    match problem:
        case omissions.UncitedRule(rule):
            labels: tuple[Label, ...] = (origin_label(rule.origin, backquoted(rule.label)),)
            advice = (
                "write `cites: DOC.CHART` below its name, or `cites: house` for plumbing of your own"
                if rule.origin.file.endswith(".yaml")
                else "write `[DOC.SECTION.04]` behind its label, or `[house]` for plumbing of your own"
            )
            return Sentence(f"`{rule.label}` cites no source", labels, advice, root=f"uncited {rule.origin.file}")
        case omissions.RuleWithoutProse(rule):
            message = f"`{rule.label}` does not say in a sentence what it means"
            labels = (origin_label(rule.origin, backquoted(rule.label)),)
            advice = "write the sentence in quotes behind its citation: the rulebook prints it"
            return Sentence(message, labels, advice, root=f"no prose {rule.origin.file}")
        case omissions.ProseDiffers(rule, claim, written, place):
            message = (
                f"`{rule.label}` says {backquoted(claim)} in its sentence, and {backquoted(written)} in its {place}"
            )
            advice = "make them agree, or say it in other words: readers of the book see only the sentence"
            return Sentence(message, (party_label(rule),), advice)
        case omissions.HardToRead(place, fault):
            return Sentence(
                f"a sentence of `{place.label}` {fault}",
                (party_label(place, "each stands under a number of its own"),),
                "write whole sentences of at most forty words: the book prints each alone, and answers cite each alone",
                root=f"hard to read {place.origin.file}",
            )
        case omissions.NumberTaken(number, case, first):
            message = f"two cases are numbered `{number}`"
            labels = (party_label(case, backquoted(case.label)), party_label(first, backquoted(first.label)))
            return Sentence(message, labels, "give one of them the next free number: readers look things up by it")
        case omissions.UnshownClarification(ruling):
            advice = (
                f"write an `example` below it in its file, or one with `because {ruling.label}`: nothing else can show"
                " that a clarification is true"
            )
            return Sentence(f"the clarification `{ruling.label}` has no example", (party_label(ruling),), advice)
        case omissions.NoPreference(action, never) if never:
            return Sentence(
                f"`{action.label}` is never worth more than 0, so no greedy player ever takes it",
                (party_label(action, f"it is `preferring {never}`"),),
                "reverse its sign if it is worth doing; for an action that no player should begin write"
                ' `preferring none "why"` before its `{`',
            )
        case omissions.NoPreference(action):
            message = f"`{action.label}` does not say what it is worth, so no greedy player ever takes it"
            advice = 'write `preferring` behind the choice that decides, or `preferring none "why"` before its `{`'
            return Sentence(message, (party_label(action, "no choice in it is `preferring`"),), advice)
        case omissions.AskedOfTheLeft(rule, deed):
            return Sentence(
                f"`{rule.label}` asks for `{deed}` the pieces on the map alone, and forgets those that are lost",
                (party_label(rule, "also about what happened before"),),
                f"note it in a track of the side or the game, with the same end as `{deed}`, and ask for that",
            )
        case omissions.DoneTooEarly(hook, event, mover):
            labels = party_label(hook, "stays done even so"), party_label(mover, "may not move it after all")
            advice = "do it on an event that is told once the piece has moved, or is certain to"
            return Sentence(
                f"what is done after `{event}` comes before it is certain that the piece moves", labels, advice
            )
        case omissions.KeptInOneOrder(rule, status, act, others):
            labels = (
                party_label(act, "is forbidden after the other"),
                *(party_label(other, "is not forbidden after it") for other in others),
            )
            names = list_words(tuple(other.label for other in others), "and")
            message = f"`{rule.label}` is kept in one order only: {names} stays open after `{act.label}`"
            advice = f"note `{act.label}` by a status as `{status}`, too, and forbid the other act by it"
            return Sentence(message, (party_label(rule), *labels), advice)
        case omissions.TurnNeverComes(card, fact, absent, turns):
            return Sentence(
                f"`{fact}` on `{card.label}` lists turn {list_words(absent, 'and')}, and the last turn is {turns}",
                (party_label(card, "no such turn comes"),),
                f"correct `{fact}`, or `turns`",
            )
        case omissions.ContraryAim(rule, aim, other):
            return Sentence(
                f"{_aim_text(aim)}, and {_aim_text(other)}: one of the two works against its own side",
                (party_label(rule, "this line"),)
                if other.rule == rule
                else (party_label(rule, "this line"), party_label(other.rule, "contradicts this one")),
                "correct the side or the comparison in one of them",
            )
        case omissions.NobodyWins(card, sequence):
            message = f"nothing says who has won `{card.label}`, so every game of it is a draw"
            labels = (party_label(sequence, "the order of play has an end"), party_label(card, "is played by it"))
            advice = "write `outcome T` in the rules, T being a question of a side: the greater answer wins"
            return Sentence(message, labels, advice, root="outcome")
        case omissions.NeverComesOn(card, side, unit, count):
            return Sentence(
                f"{count} {unit} of {side} on `{card.label}` never {'comes' if count == 1 else 'come'} on the map",
                (party_label(card, "placed nowhere and without an area, and nothing in the rules reads the reserve"),),
                "write where they begin (`placed`, or `sets_up` with an area) or enter, or leave them off the card",
            )
        case omissions.NoFigures(procedure, _, kind, figures, counters):
            message = f"a {kind} is created without a counter, and rules read its {list_words(figures, 'and')}"
            advice = f"say which counter it shows: `create {counters[0]} at ..`"
            return Sentence(message, (party_label(procedure, "nothing is printed on it"),), advice)
        case omissions.UnaskedVerdict(verdict, rules):
            counted = "its rule forbids or allows" if rules == 1 else f"its {rules} rules forbid or allow"
            return Sentence(
                f"nothing in play asks `{verdict.label}`",
                (party_label(verdict, f"what {counted} is done without asking them"),),
                f"ask it where that is done, `legal {verdict.label}(..)`; of what players do by themselves write"
                f" `precondition .. at the table needs {verdict.label}(..)`",
            )
        case omissions.UnaskedCase():
            return _unasked_case(problem)
        case omissions.UnguardedStep():
            return _unguarded(problem)
        case omissions.BetweenRows():
            return _row_gap_sentence(problem)
        case omissions.ArgumentsExchanged(caller, written, corrected, (first, second)):
            message = f"`{caller.label}` writes `{written}`, with `{first}` and `{second}` in each other's place"
            labels = (party_label(caller, f"the parameters are `{first}` and then `{second}`, of one type"),)
            advice = f"write `{corrected}`; if it is meant so, call what stands there by another name"
            return Sentence(message, labels, advice)
        case omissions.RepeatedArgument(caller, written, argument, (first, second)):
            message = f"`{caller.label}` writes `{written}`, with `{argument}` for both `{first}` and `{second}`"
            advice = "correct one of the two; if it is meant so, name it first, by `let same = ..` or `with same = ..`"
            return Sentence(message, (party_label(caller, "all other calls give two different ones"),), advice)
        case omissions.ColumnsExchanged() | omissions.CounterAlone():
            return _chart_sentence(problem)


def _aim_text(aim: omissions.VictoryAim) -> str:
    if aim.is_yes_no:
        request_text = f"asks {'that' if aim.is_more else 'that not'} `{aim.quantity}`"
    else:
        request_text = f"asks for {'more' if aim.is_more else 'less'} of `{aim.quantity}`"
    return f"`{aim.level}` of {aim.side} {request_text}"


def _chart_sentence(problem: omissions.ColumnsExchanged | omissions.CounterAlone) -> Sentence:
    """Return the sentence for an entry of a chart that is unlike the rest of it."""
    match problem:
        case omissions.CounterAlone(counter, had, usual, count):
            message = f"the counter `{counter.label}` says `{had}`; {count} others that are like it say `{usual}`"
            advice = "correct its row; or, if it is printed so, give the row `cites:` of its own that say where"
            return Sentence(message, (party_label(counter, "this counter"),), advice, root=f"counter {counter.label}")
        case omissions.ColumnsExchanged(table, key, first, second, cells, line) if line:
            return Sentence(
                f"what stands for `{line}` in `{first}` and `{second}` of `{table.label}` looks exchanged",
                (
                    *(origin_label(cell, backquoted(name)) for name, cell in zip((first, second), cells, strict=False)),
                    party_label(table, "its other lines all run in order, and so would this one"),
                ),
                f"exchange the two cells along `{key}`; a chart that is printed so stays",
                root=f"chart {table.label}",
            )
        case omissions.ColumnsExchanged(table, key, first, second, cells):
            return Sentence(
                f"`{first}` and `{second}` look exchanged in `{table.label}`",
                (
                    party_label(table, "its lines would all run in order if the two changed places"),
                    *(origin_label(cell, backquoted(name)) for name, cell in zip((first, second), cells, strict=False)),
                ),
                f"exchange the two values of `{key}`, or what stands below them; a chart that is printed so stays",
                root=f"chart {table.label}",
            )


def _unguarded(problem: omissions.UnguardedStep) -> Sentence:
    """Return the sentence for a step without a guard on the rules, or with an unrelated one."""
    party, governing, term, others = problem.procedure, problem.precondition, problem.term, problem.others
    asking = list_words(tuple(each.label for each in others), "and", MOST_NAMES)
    procedure_name = party.label.replace("hook ", "after ", 1)
    question = (
        problem.required_question if len(problem.required_question) <= LONGEST_WRITTEN_QUESTION else f"{term}(..)"
    )
    instead = tuple(each if len(each) <= LONGEST_WRITTEN_QUESTION else f"{term}(..)" for each in problem.other_guards)
    if instead:
        message = f"`{party.label}` does this and asks {list_words(instead, 'and', MOST_NAMES)} instead of `{question}`"
    else:
        message = f"`{party.label}` does this without asking `{term}`, and nor does anybody who leads here"
    asks = f"{asking} ask{'s' if len(others) == 1 else ''} it before" if others else "the rules may forbid it"
    return Sentence(
        message,
        (party_label(party, asks), party_label(governing, "needs it")),
        f"write `legal {question}`, or an `if`, before it; if it is allowed otherwise, write behind the"
        f" precondition `but not in {procedure_name}`, and why",
        root=f"{party.label} {governing.label} {term}",
    )


def _unasked_case(problem: omissions.UnaskedCase) -> Sentence:
    """Return the sentence for a term that play queries in other cases only."""
    cases = list_words(problem.cases, "and")
    return Sentence(
        f"in play `{problem.rule.label}` never speaks: `{problem.term}` is asked with {cases} alone",
        (party_label(problem.rule),),
        f"ask `{problem.term}` with what is so, where play asks it; for what players do by themselves write a"
        " precondition `at the table` that asks it in this case",
    )


def _row_gap_sentence(problem: omissions.BetweenRows) -> Sentence:
    message = f"`{problem.table}` may be read between two places of its key `{problem.called}`"
    labels = (party_label(problem.reader, f"`{problem.key}` may be a fraction that no row answers"),)
    return Sentence(message, labels, "round the quotient that it comes from, by `round_down(..)` or `round_up(..)`")
