"""Sentences of findings about rules without an effect on any answer, or at the moments at which they are asked."""

from compiler.analysis.idle_code import SetTooLate
from compiler.analysis.parties import Party
from compiler.analysis.problems import (
    BeginsAgain,
    DeadRule,
    DuplicateRule,
    IdleOverride,
    MaskedRule,
    RuleAlwaysDefeated,
)
from compiler.report.sentence import MOST_NAMES, Sentence, list_words
from compiler.report.words import procedures
from compiler.report.words.parties import party_label

IdleRule = DeadRule | RuleAlwaysDefeated | DuplicateRule | BeginsAgain | MaskedRule | IdleOverride | SetTooLate


def idle_rule(problem: IdleRule) -> Sentence:
    """Return the sentence for a rule without an effect."""
    match problem:
        case DeadRule(rule, clashing):
            reason = (
                procedures.exclusion_text(clashing) if 0 < len(clashing) <= MOST_NAMES else "its condition cannot hold"
            )
            return Sentence(
                f"`{rule.label}` never applies: {reason}",
                (party_label(rule),),
                "correct the condition, or delete the rule",
                # A condition that never holds by itself is most often wrong where it is defined.
                root=f"never {clashing[0]}" if len(clashing) == 1 else "",
            )
        case SetTooLate(status, until, readers, set_by):
            verb = "requires" if len(readers) == 1 else "require"
            labels = list_words(tuple(each.label for each in readers), "and")
            return Sentence(
                f"{labels} {verb} `{status}`, which is never set by then: it lasts until end of {until}",
                (*map(party_label, readers), *(party_label(each, f"sets `{status}`") for each in set_by)),
                "let the phase that sets it come before, or let it last longer",
                root=f"status {status} late",
            )
        case BeginsAgain(rule, first, factor):
            message = f"`{rule.label}` begins again with `{factor}`: what the stages before came to is lost"
            advice = "write `previous` for what the stage before came to"
            return Sentence(message, (party_label(rule), party_label(first)), advice)
        case RuleAlwaysDefeated(rule, by, more):
            return Sentence(
                f"`{rule.label}` never applies: whenever it would, {list_words(tuple(p.label for p in by))} defeats it",
                (
                    party_label(rule),
                    *(party_label(party) for party in by),
                    *(
                        party_label(party, f"and `{party.label}` never applies")
                        for party in more[:MOST_NAMES]
                        if party not in by
                    ),
                ),
                _advice(rule, by[0]) if by else "",
            )
        case DuplicateRule(rule, first):
            message = f"`{rule.label}` says the same as `{first.label}`"
            return Sentence(message, (party_label(rule), party_label(first)), "keep one of them, citing both sources")
        case MaskedRule(rule, by, (_, *_) as more):
            masked = (rule, *more)
            labels = list_words(tuple(party.label for party in masked), "and", MOST_NAMES)
            return Sentence(
                f"`{by.label}` speaks wherever {labels} do, which say the same",
                (party_label(by, "most likely this asks for too little"), *map(party_label, masked[:MOST_NAMES])),
                "narrow its condition, or delete the others and cite their sources here",
            )
        case MaskedRule(rule, by):
            message = f"`{rule.label}` changes nothing: whenever it speaks, `{by.label}` says the same"
            advice = f"widen its condition, or cite its source at `{by.label}` and delete it"
            return Sentence(message, (party_label(rule), party_label(by)), advice)
        case IdleOverride(rule, targets):
            names = list_words(tuple(party.label for party in targets), "and")
            message = f"`{rule.label}` never changes an answer of {names}"
            advice = "if that is meant, write `clarifies` instead of an exception"
            return Sentence(message, (party_label(rule), *(party_label(party) for party in targets[:3])), advice)


def _advice(rule: Party, defeater: Party) -> str:
    """Return the advice for a rule that another one defeats whenever it would be live."""
    above = rule.origin.layer != defeater.origin.layer
    given_up = f"write `withdraws {rule.label}`, if it is to go for good" if above else f"delete `{rule.label}`"
    return f"narrow the condition of `{defeater.label}`, or {given_up}"
