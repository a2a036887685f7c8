"""Sentences of the findings of proofs.

In: a problem of compiler/analysis. Out: its `Sentence`. A party is introduced by its conclusion and its printed source.
A finding that a position proves is an error; one that could be neither shown nor excluded is a warning that states how
far was searched.
"""

import re
from typing import assert_never

from compiler.analysis import idle_code
from compiler.analysis import problems as analysis
from compiler.analysis.omissions import OmissionProblem
from compiler.analysis.parties import Party
from compiler.analysis.problems import RulesOverlap
from compiler.report.diagnostic import Severity, Witness
from compiler.report.sentence import Sentence, backquoted, list_words
from compiler.report.words import charts, procedures
from compiler.report.words.idle_rules import IdleRule, idle_rule
from compiler.report.words.omissions import omission_sentence
from compiler.report.words.parties import condition_text, party_label, truncated_line
from runtime.graph.operators import OPERATORS
from runtime.graph.witness_position import WitnessPosition as Proof

WayOutProblem = idle_code.ExceptionForgotten | analysis.GrantsNothing | analysis.GrantWithheld
Answer = analysis.RulesOverlap | analysis.TermGap | analysis.RuleOutside
Condition = idle_code.NeverHolds | idle_code.IdleAim


def analysis_sentence(problem: analysis.Problem) -> Sentence:
    """Format a finding of the analysis as a sentence."""
    if isinstance(problem, Answer):
        return _answer(problem)
    if isinstance(problem, analysis.OutOfRangeWrite):
        return _out_of_range(problem)
    if isinstance(problem, WayOutProblem):
        return _permission_sentence(problem)
    if isinstance(problem, Condition):
        return _condition(problem)
    if isinstance(problem, IdleRule):
        return idle_rule(problem)
    if isinstance(problem, charts.ChartFinding):
        return charts.chart_sentence(problem)
    if isinstance(problem, procedures.StepFinding):
        return procedures.step_sentence(problem)
    if isinstance(problem, procedures.UnusedNameProblem):
        return procedures.unused_thing(problem)
    if isinstance(problem, procedures.ProcedureFinding):
        return procedures.procedure_sentence(problem)
    if isinstance(problem, OmissionProblem):
        return omission_sentence(problem)
    assert_never(problem)


def _permission_sentence(problem: WayOutProblem) -> Sentence:
    """State that a permission or an exception has no effect, or too much of one."""
    match problem:
        case idle_code.ExceptionForgotten(rule, closer, base, silenced):
            return Sentence(
                f"`{rule.label}` is an exception to `{base.label}` where `{closer.label}` allows none:"
                f" it silences {list_words(silenced, 'and')}",
                (party_label(rule), party_label(closer), party_label(base)),
                f"write a layer `on: [{closer.origin.layer}, {rule.origin.layer}]`"
                " in which a rule is an exception to one of the two",
                root=f"{rule.label} {closer.label}",
            )
        case analysis.GrantsNothing(rule, term, denies=True):
            message = f"`{rule.label}` denies nothing: no rule grants `{term}`, and its default is no"
            advice = f"write a rule that grants `{term}`, or give it the default `allowed` or `yes`"
            return Sentence(message, (party_label(rule),), advice)
        case analysis.GrantsNothing(rule, term):
            message = f"`{rule.label}` grants nothing: `{term}` says so wherever nothing is against it"
            return Sentence(message, (party_label(rule),), "name what it lifts, `exception to ..`, or delete it")
        case analysis.GrantWithheld(rule, refusals):
            return Sentence(
                f"`{rule.label}` grants nothing: whenever it speaks, "
                f"{list_words(tuple(p.label for p in refusals))} refuses it",
                (party_label(rule), *(party_label(party) for party in refusals)),
                f"write `exception to {refusals[0].label}` in `{rule.label}`, or delete it",
            )


def _answer(problem: Answer) -> Sentence:
    """Return the sentence for a term with two answers, none, or one outside its declaration."""
    bound = "" if isinstance(problem, analysis.RuleOutside) else problem.bound
    witness, severity = _proof(problem.when, problem.witness, bound)
    match problem:
        case analysis.RulesOverlap(term, left, right, others=()):
            return Sentence(
                f"two rules give different answers for `{term}`{_unexamined_pairs_text(problem.unexamined_count)}",
                (party_label(left), party_label(right)),
                resolution_advice(problem),
                witness,
                root=" ".join((term, *sorted((left.label, right.label)))),
                severity=severity,
            )
        case analysis.RulesOverlap(term, left, right, others=others):
            rivals = (right, *others)
            message = (
                f"`{left.label}` and {len(rivals)} other rules give different answers for `{term}`"
                + _unexamined_pairs_text(problem.unexamined_count)
            )
            labels = (party_label(left), *(party_label(party) for party in rivals))
            advice = resolution_advice(problem)
            return Sentence(message, labels, advice, witness, root=" ".join((term, left.label)), severity=severity)
        case analysis.TermGap(term, rules, witness=proof):
            nearest_rules = [rule for rule in rules[:1] if proof is not None and rule.label == proof.nearest]
            nearest = [party_label(rule, "this rule comes nearest") for rule in nearest_rules]
            message = f"no rule answers `{term.label}` here"
            labels = (*nearest, party_label(term, "this question"), *map(party_label, rules[len(nearest_rules) : 3]))
            advice = "add a rule for this case, or say `otherwise ...` where the term is declared"
            return Sentence(message, labels, advice, witness, root=term.label, severity=severity)
        case analysis.RuleOutside(term, rule, domain, cells=cells):
            message = f"`{rule.label}` answers `{term.label}` with what is not in {domain}"
            labels = (party_label(rule), *map(party_label, cells[:3]), party_label(term, f"answers are {domain}"))
            advice = f"correct the {'cell' if cells else 'rule'}, cap the answer, or declare a wider domain"
            return Sentence(message, labels, advice, witness, severity=severity)


def _unexamined_pairs_text(pairs: int) -> str:
    """Return the part of a sentence that states how many pairs of rules were not examined."""
    return f", and {pairs:,} more pairs of its rules were not looked at" if pairs else ""


def _out_of_range(problem: analysis.OutOfRangeWrite) -> Sentence:
    """Return the sentence for a step that sets something to a number outside its range."""
    verb, to = ("give", "") if problem.is_argument else ("set", "to ")
    verb_phrase = f"always {verb}s" if problem.always else f"{verb}s" if problem.witness else f"may {verb}"
    ask = "a condition" if problem.step is None else "a `legal` line or an `if`"
    before = " to its left" if problem.step is None else ""
    widen = "" if problem.target in OPERATORS else ", or declare a wider range"
    return Sentence(
        f"`{problem.procedure.label}` {verb_phrase} `{problem.target}` {to}what is not in {problem.domain}",
        (party_label(problem.procedure, f"{verb}s it {to}{backquoted(truncated_line(problem.value))}"),),
        f"add {ask}{before}, {'or ' if not widen else ''}keep it within by `min`, `max` or `clamp`{widen}",
        None if problem.always else _proof(problem.when, problem.witness, "")[0],
        root=f"{problem.procedure.label} {problem.target}",
        severity=Severity.ERROR if problem.always or problem.witness else Severity.WARNING,
    )


def _aim(problem: idle_code.IdleAim) -> Sentence:
    """State that a victory line decides nothing."""
    side, level = problem.side, problem.level
    if problem.higher_level is not None:
        return Sentence(
            f"{side} never ends at `{level}`: whoever reaches it has reached {list_words(problem.clashing)}",
            (
                party_label(problem.rule, "nobody ends here"),
                party_label(problem.higher_level, "met as well, and higher"),
            ),
            "ask more for the higher level, or less for this one",
            root=f"{problem.rule.origin.file} {side} {' '.join(problem.clashing)}",
        )
    message = f"{side} can never reach `{level}`: {procedures.exclusion_text(problem.clashing)} on this card"
    advice = "ask for what its forces, areas and turns allow"
    return Sentence(message, (party_label(problem.rule, "nobody ends here"),), advice)


# A case in which an amount equals a fraction.
PARTED = re.compile(r" = -?\d+/\d+$")
# The consequence where a condition inside an expression never holds.
IN_VAIN = {
    "where": "so it finds nobody and nothing",
    "if": "so the `else` always answers",
    "or": "this side of the `or` adds nothing",
    "and": "so this is always no",
}


def _condition(problem: Condition) -> Sentence:
    """Return the sentence for a condition that is redundant."""
    match problem:
        case idle_code.IdleAim():
            return _aim(problem)
        case idle_code.NeverHolds(party, _, "either", (condition, *_), _):
            message = f"in `{party.label}`, {backquoted(truncated_line(condition))} always holds"
            labels = (party_label(party, "one side of this `or` holds wherever the others do not"),)
            advice = "was `and` meant? else leave out what always holds"
            return Sentence(message, labels, advice, root=f"{party.label} {condition}")
        case idle_code.NeverHolds(party, _, "part", (condition, *_), _):
            message = f"in `{party.label}`, {backquoted(truncated_line(condition))} always holds"
            labels = (party_label(party, "so it asks nothing"),)
            return Sentence(message, labels, "ask what was meant, or leave it out", root=f"{party.label} {condition}")
        case idle_code.NeverHolds(party, _, _, (condition,), always=True):
            message = f"in `{party.label}`, {backquoted(truncated_line(condition))} always holds"
            advice = "correct the condition, or leave out the `if`"
            return Sentence(message, (party_label(party, "so the `else` never answers"),), advice)
        case idle_code.NeverHolds(party, _, "if", clashing, always=False) if (
            condition := procedures.earlier_condition_text(clashing)
        ):
            quoted_condition = backquoted(truncated_line(condition, procedures.ALONE))
            message = f"in `{party.label}`, {quoted_condition} was asked above, and did not hold"
            return Sentence(message, (party_label(party, IN_VAIN["if"]),), "ask what was meant instead, or delete this")
        case idle_code.NeverHolds(party, _, form, clashing, always):
            message = f"in `{party.label}`, {procedures.exclusion_text(clashing)}"
            labels = (party_label(party, "so the `else` never answers" if always else IN_VAIN[form]),)
            return Sentence(message, labels, "correct the condition, or delete what it decides")


def _proof(when: tuple[str, ...], proof: Proof | None, bound: str) -> tuple[Witness, Severity]:
    """Return the witness and the severity of a proof: an error, or a warning where nothing is proved."""
    if proof:
        # A fraction is a boundary of cases; the position that was found has an amount of its own, so it is omitted.
        when = tuple(each for each in when if not PARTED.search(each))
        return Witness(
            condition_text(when), question=proof.question, answer=proof.answer, file=proof.file
        ), Severity.ERROR
    return Witness(
        condition_text(when), f"no position found; {bound}" if bound else "no position found"
    ), Severity.WARNING


# A condition longer than this is not quoted for an author to copy.
LONGEST_QUOTED_CONDITION = 100
MOST_RESOLUTIONS = 3  # the most resolutions that are reported


def resolution_advice(clash: RulesOverlap) -> str:
    """Return where a conflict can be resolved, and how: in rules that may refer to the others, or in a top layer."""
    rivals = (clash.right, *clash.others)
    if len(rivals) > 1:
        return _many(clash.left, rivals, clash.upper)
    pair = (clash.left, clash.right)
    if not clash.independent_labels and clash.left.origin.layer == clash.right.origin.layer:
        return "they speak in the same cases: correct the condition of one of them, or keep only one"
    resolutions = [
        resolution
        for rule, rival in (pair, pair[::-1])
        if rule.label in clash.upper
        for resolution in _resolutions(clash, rule, rival)
    ]
    resolutions.sort(key=lambda resolution: not resolution.startswith("write"))
    return "; or ".join(resolutions[:MOST_RESOLUTIONS]) if resolutions else _advice_for_layer_above(pair)


def _resolutions(clash: RulesOverlap, rule: Party, rival: Party) -> list[str]:
    """Return what can be written in one rule of a pair such that the other, or the rule itself, stays live."""
    guards = dict(clash.guards)
    found = []
    if rival.label in clash.independent_labels:
        silenced = ", ".join((rival.label, *(low for high, low in clash.exposed_rules if high == rival.label)))
        found.append(f"write `exception to {silenced}` in `{rule.label}`")
    elif rule.origin.layer != rival.origin.layer:
        found.append(f"write `replaces {rival.label}` in `{rule.label}`, as an exception would leave it no case")
    case = guards.get(rival.label, "")
    if case and rule.label in clash.independent_labels and len(case) <= LONGEST_QUOTED_CONDITION:
        joint = "and" if rule.label in guards else "when"
        found.append(f"leave its case out of `{rule.label}`: `{joint} not ({case})`")
    return found


def _many(rule: Party, rivals: tuple[Party, ...], upper: tuple[str, ...]) -> str:
    """Return the advice for one rule in conflict with several, where it may refer to all of them."""
    if rule.label in upper:
        named = ", ".join(party.label for party in rivals)
        return f"write `exception to {named}` in `{rule.label}`, or leave their cases out of it with `and not (..)`"
    return _advice_for_layer_above((rule, *rivals))


def _advice_for_layer_above(parties: tuple[Party, ...]) -> str:
    layers = ", ".join(sorted({party.origin.layer for party in parties}))
    return f"settle it in a layer above, `on: [{layers}]`, with a rule that is an exception to them"
