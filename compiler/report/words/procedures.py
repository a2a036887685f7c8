"""Sentences of findings about procedures, and about the state that they record."""

from compiler.analysis import problems as analysis
from compiler.analysis.idle_code import (
    NeverReached,
    PairOutlives,
    RestsOnNothing,
    TooMuchToProve,
    UndoesNothing,
    UnusedName,
)
from compiler.report.diagnostic import Severity
from compiler.report.sentence import MOST_NAMES, Sentence, backquoted, list_words
from compiler.report.words.parties import LONGEST_CONCLUSION, declaration_labels, party_label, truncated_line

UnusedNameProblem = (
    analysis.NeverSet
    | analysis.NeverRead
    | analysis.NeverUsed
    | analysis.NeverCleared
    | RestsOnNothing
    | PairOutlives
    | NeverReached
)
ProcedureFinding = analysis.NeverRuns | analysis.OfferedElsewhere | analysis.HooksClash
StepFinding = (
    analysis.DeadStep | analysis.NeverEnds | analysis.AsksTheGone | analysis.GivesAway
    | UnusedName | TooMuchToProve | UndoesNothing
)  # fmt: skip


def unused_thing(problem: UnusedNameProblem) -> Sentence:
    """Return the sentence for a status, track or pair that play sets, reads or clears too rarely."""
    match problem:
        case analysis.NeverSet("trait" | "feature" as kind, name, declarations, _):
            message = f"{'no counter' if kind == 'trait' else 'no map'} has the {kind} `{name}`"
            advice = f"give it to what should be `{name}`, or stop asking for it"
            return Sentence(message, declaration_labels(declarations), advice, root=f"{kind} {name}")
        case analysis.NeverSet(kind, name, declarations, readers):
            message, advice = f"nothing in play sets the {kind} `{name}`", "set it in an action or a hook"
            if name.startswith("scenario."):
                message = f"no card, position or example gives the fact `{name}`, and no procedure sets it"
                advice = f"give it under `facts:` of a card, test it in an example with `set {name} to ..`"
            labels = (party_label(party, f"asks for `{name}`") for party in readers[:4])
            return Sentence(
                message,
                (*declaration_labels(declarations), *labels),
                f"{advice}, or stop asking for `{name}`",
                root=f"{kind} {name}",
            )
        case analysis.NeverRead(kind, name, declarations, setters):
            return Sentence(
                f"nothing asks for the {kind} `{name}`",
                (*declaration_labels(declarations), *(party_label(party, f"sets `{name}`") for party in setters[:4])),
                f"write the rule that `{name}` is for, or stop setting it",
                root=f"{kind} {name}",
            )
        case NeverReached(rule, condition, name, reached, outcome, setters):
            return Sentence(
                f"`{condition}` {outcome} holds in play: steps set `{name}` to {reached}",
                (
                    party_label(rule, f"`{rule.label}` asks for it"),
                    *(party_label(party, f"sets `{name}`") for party in setters[:4]),
                ),
                f"correct the number here, or the one to which `{name}` is set",
                root=f"track {name}",
            )
        case PairOutlives(name, role, declarations, removers):
            return Sentence(
                f"a pair of `{name}` stays when its {role} is removed",
                (
                    *declaration_labels(declarations),
                    *(party_label(party, "removes such a piece") for party in removers[:4]),
                ),
                f"write `ends when {role} is gone` behind it; or part the pair where the piece is removed",
                root=f"relation {name}",
            )
        case RestsOnNothing(fact, declarations, rule, card):
            name = fact.removeprefix("scenario.")
            reader = () if rule is None else (party_label(rule, f"`{rule.label}` reads it"),)
            if card is not None:
                message = f"who wins rests on `{name}`, and nothing stands in it on the card `{card.label}`"
                parties = (party_label(card, f"does not give `{name}`"), *reader, *declaration_labels(declarations))
                advice = f"give `{name}` under `facts`; whoever declares it can say `required` there"
                return Sentence(message, parties, advice, root=f"{card.label} {fact}")
            message = f"who wins rests on `{name}`, which no card has to give"
            advice = (
                'write `required ".."` behind its type, and what it is for; or a first value, if one may leave it out'
            )
            return Sentence(message, (*declaration_labels(declarations), *reader), advice, root=fact)
        case analysis.NeverUsed(kind, name, declarations):
            message = f"the {kind} `{name}` is declared but never used"
            advice = "use it, or delete the declaration"
            return Sentence(message, declaration_labels(declarations), advice, root=f"{kind} {name}")
        case analysis.NeverCleared("track", name, declarations, setters):
            return Sentence(
                f"nothing resets the track `{name}`, which counts toward a prohibition",
                (*declaration_labels(declarations), *(party_label(party, f"counts `{name}`") for party in setters[:4])),
                "write when it ends, as in `until end of turn`, or set it back; if it is for good, `until end of game`",
                root=f"track {name}",
            )
        case analysis.NeverCleared(kind, name, declarations, setters):
            return Sentence(
                f"nothing clears the {kind} `{name}` once it is set",
                (*declaration_labels(declarations), *(party_label(party, f"sets `{name}`") for party in setters[:4])),
                "write when it ends, as in `until end of turn`, or `unmark` it; if it is for good, `until end of game`",
                root=f"{kind} {name}",
            )


def procedure_sentence(problem: ProcedureFinding) -> Sentence:
    """Return the sentence for a procedure that play never reaches, or not where it is declared."""
    match problem:
        case analysis.NeverRuns(kind, party, able):
            starts = {"action": "offered", "resolution": "done", "hook": "called: nothing tells its event"}
            known = (
                f" ({list_words(able)} {'has' if len(able) == 1 else 'have'} what it tells of)"
                if 0 < len(able) <= MOST_NAMES
                else ""
            )
            remedy = {"action": "`offer` it", "resolution": "`do` it", "hook": "`tell` its event"}
            message = f"`{party.label}` is never {starts.get(kind, 'started')}"
            labels = (party_label(party, "never runs"),)
            advice = f"{remedy.get(kind, 'start it')} in a procedure{known}, or delete the {kind}"
            return Sentence(message, labels, advice, root=party.label if kind == "hook" else "")
        case analysis.OfferedElsewhere(action, phases, offered, remaining_phases, offering_procedure, _):
            place_phrase = f"in {list_words(offered, 'and')}" if offered[0] else "outside of all phases"
            return Sentence(
                f"`{action.label}` is offered {place_phrase}, but says `in {', '.join(phases)}`",
                (
                    party_label(action, f"may be taken in {list_words(phases)}"),
                    party_label(offering_procedure, "offers it"),
                ),
                f"write `in {', '.join((*remaining_phases, *offered))}`, or move the offer"
                if offered[0]
                else "move the offer into a phase",
                root=action.label,
            )
        case analysis.HooksClash(event, hook, other, slots, upper):
            named = "name one of them, `after .. as this-first`, and let the other run `, after this-first`"
            lower = next((each.origin.layer for each in (hook, other) if each.origin.layer != upper), "")
            return Sentence(
                f"two hooks on `{event}` both concern {list_words(slots, 'and')}, and nothing says which runs first",
                (party_label(hook, "one of them"), party_label(other, "the other")),
                f"write `above: [{lower}]` in the manifest of {upper}, whose hook then runs second, or {named}"
                if upper
                else named,
                root=" ".join((event, *slots)),
            )


# A single condition may take two lines: its end may be what is wrong with it.
ALONE = 2 * LONGEST_CONCLUSION


def exclusion_text(conditions: tuple[str, ...]) -> str:
    """Return which conditions are jointly unsatisfiable, or which one is unsatisfiable."""
    longest = ALONE if len(conditions) == 1 else LONGEST_CONCLUSION
    phrase = list_words(tuple(truncated_line(each, longest) for each in conditions), "and", MOST_NAMES)
    return f"{phrase} never hold{'s' if len(conditions) == 1 else ' together'}"


def earlier_condition_text(conditions: tuple[str, ...]) -> str:
    """Return the condition that was tested and false before, if that is all that is wrong; "" elsewhere."""
    if len(conditions) != 2 or conditions[0] == conditions[1]:
        return ""
    refused, earlier_condition = conditions
    return (
        earlier_condition
        if refused
        in {f"not {earlier_condition}", f"not ({earlier_condition})", earlier_condition.replace(" in ", " not in ", 1)}
        else ""
    )


def operand_of_negation(condition: str) -> str:
    """Return the operand of a condition that is a negation as a whole, "" for others."""
    if not condition.startswith("not ("):
        return ""
    depth = 0
    for index, sign in enumerate(condition):
        depth += (sign == "(") - (sign == ")")
        if sign == ")" and depth == 0:
            return condition[5:-1] if index == len(condition) - 1 else ""
    return ""


# The code for a step that makes the following ones unreachable, by the class of the step.
BEHIND = {
    "Branch": "what stands behind this is never done",
    "Legal": "so this is never legal",
    "Choose": "so there is never anything to choose",
    "Draw": "so there is never anything to draw",
    "Loop": "so there is never anything to go through",
    "Offer": "so nobody may ever stop, and who can do nothing more is stuck",
}


# For a step without an effect: its sentence, its label, and the advice.
IDLE_STEP_SENTENCES = {
    "again": ("does one thing twice", "the step before did so", "write what was meant instead, or delete this step"),
    "undone": (
        "does something that its next step takes back",
        "nobody will notice this",
        "keep the one of the two that is meant, or ask between them",
    ),
    "gone": ("changes what it has removed", "nothing is left of it", "put this before the `remove`, or delete it"),
}


def _revealed_sentence(problem: analysis.GivesAway) -> Sentence:
    """Return the sentence for a procedure that reveals a secret record."""
    action, record, note = problem.action, problem.record, problem.note
    gives_away = f"`{action.label}` gives the secret `{record}` away"
    if note:
        return Sentence(
            f"{gives_away}: it sets `{note}`, which all sides see, by `{problem.choice}`",
            (
                party_label(
                    action,
                    f"the `{record}` is kept as a secret"
                    if problem.is_kept
                    else f"writes `{problem.choice}` into `{record}`",
                ),
            ),
            f"set `{note}` when the `{record}` comes out{', and `strike` it then' if problem.is_kept else ''}",
            root=f"{action.label} {record} {note}",
        )
    if problem.choice:
        message = f"{gives_away}: all sides see the die `{problem.choice}`, which decides what it writes"
        labels = (party_label(action, f"rolls `{problem.choice}`, and writes `{record}` by it"),)
        advice = f"draw it instead, which is shown to nobody: `draw {problem.choice} from all ..`"
        return Sentence(message, labels, advice, root=f"{action.label} {record} {problem.choice}")
    is_reader = problem.reader.origin == action.origin
    reader_label = party_label(problem.reader, f"asks for the `{record}` of every side")
    action_label = party_label(action, "open or closed by it" if is_reader else "open by it")
    message = f"{gives_away}: what others keep decides whether it is open"
    parties = (action_label,) if is_reader else (reader_label, action_label)
    advice = "ask for one's own only, with `where r.by = player`, or let it come out when it is done"
    return Sentence(message, parties, advice, root=f"{action.label} {record}")


def step_sentence(problem: StepFinding) -> Sentence:
    """Return the sentence for a step of a procedure."""
    match problem:
        case analysis.DeadStep():
            return _dead_step_sentence(problem)
        case analysis.NeverEnds(party, _, others):
            names = list_words((*(each.label for each in others), party.label), "and")
            return Sentence(
                f"`{party.label}` begins itself again and again, whatever happens"
                if not others
                else f"{names} begin one another again and again, whatever happens",
                (
                    party_label(party, "begun again from here"),
                    *(party_label(each, "on the way") for each in others[:MOST_NAMES]),
                ),
                "begin it behind an `if` that comes to an end, or delete this step",
                root=" ".join(sorted((party.label, *(each.label for each in others)))),
            )
        case TooMuchToProve():
            return _too_much(problem)
        case UndoesNothing(party, _, fact, name):
            message = f"`{party.label}` undoes {backquoted(fact)}, and nothing on the way says that it is so"
            labels = (party_label(party, f"`{name}` may be anybody who was open to choice"),)
            advice = f"choose `{name}` from those of whom it is so, or ask for it in a `legal` line or an `if` before"
            return Sentence(message, labels, advice, root=f"{party.label} {fact}")
        case UnusedName():
            return _unused_name_sentence(problem)
        case analysis.AsksTheGone():
            return _moved_piece_sentence(problem)
        case analysis.GivesAway():
            return _revealed_sentence(problem)


def _dead_step_sentence(problem: analysis.DeadStep) -> Sentence:
    """Return the sentence for a step that no play passes, or for what stands behind it."""
    party, clashing, step_class = problem.procedure, problem.clashing, problem.step.step_class
    note, advice = BEHIND.get(step_class, ""), "correct the condition, or delete what can never be done"
    message = exclusion_text(clashing)
    if step_class == "Branch" and (condition := earlier_condition_text(clashing)):
        message = f"{backquoted(truncated_line(condition, ALONE))} was asked above, and did not hold"
        advice = "ask what was meant instead, or delete this"
    elif step_class == "Branch" and len(clashing) == 1 and (condition := operand_of_negation(clashing[0])):
        message = f"{backquoted(truncated_line(condition, ALONE))} always holds"
    elif step_class == "Offer":
        advice = "say when one may stop; `until yes` leaves it open at any time"
    return Sentence(f"in `{party.label}`, {message}", (party_label(party, note),), advice)


def _too_much(problem: TooMuchToProve) -> Sentence:
    """Return the sentence for a proof that exhausted its budget, with its subject and advice."""
    if problem.subject == "stack":
        return Sentence(
            f"too much to prove in this stack: from `{problem.procedure.label}` on it is not proved",
            (party_label(problem.procedure, f"the first of {problem.size} places that nobody has looked at"),),
            f"the places before it took {problem.steps:,} steps: give parts of them names of their own, with `define`, "
            "or let proofs take more steps with `check --steps`",
        )
    subject = {
        "rules": f"{problem.size} rules on one question",
        "conditions": f"{problem.size} conditions in one place",
        "step": f"a step behind {problem.size} conditions",
    }[problem.subject]
    labels = (party_label(problem.procedure, f"{subject} need more than {problem.steps:,} steps"),)
    advice = "give parts of it names of their own, with `define`, or let proofs take more steps with `check --steps`"
    return Sentence(f"too much to prove here: `{problem.procedure.label}` is proved only in part", labels, advice)


def _moved_piece_sentence(problem: analysis.AsksTheGone) -> Sentence:
    """Return the sentence for a piece that has moved when a step reads its place."""
    party, name, to = problem.procedure, problem.name, problem.to
    if to:
        message = f"`{party.label}` asks of the way from `{name}.hex` to `{to}` behind `move {name} to {to}`"
        labels = (party_label(party, "by then both are one hex"),)
        advice = f"let this step stand before the move, or name the hex before: `let where = {name}.hex`"
        return Sentence(message, labels, advice, root=f"{party.label} {name}", severity=Severity.WARNING)
    message = f"`{party.label}` asks where `{name}` is, which it has removed"
    advice = f"name the hex before, `let where = {name}.hex`, and ask for that"
    return Sentence(message, (party_label(party, "by then it is nowhere"),), advice, root=f"{party.label} {name}")


def _unused_name_sentence(problem: UnusedName) -> Sentence:
    """Return the sentence for an unused name; a step with other effects has these without the name."""
    place, name = problem.step, problem.name
    idle, instead = "serves nothing", "delete this"
    if place and place.step_class == "Loop":
        idle = "every round does the same"
    elif place and place.step_class in {"Create", "Write"}:
        idle = "its name serves nothing"
        instead = f"leave out `named {name}`" if place.step_class == "Create" else f"leave out `{name} =`"
    message = f"nothing in `{problem.procedure.label}` asks for `{name}`"
    advice = f"name `{name}` where it is meant, or {instead}"
    return Sentence(message, (party_label(problem.procedure, idle),), advice, root=f"{problem.procedure.label} {name}")
