"""Labels of the rules, procedures and declarations that findings are about."""

from compiler.analysis.parties import Party
from compiler.report.diagnostic import Label
from compiler.report.sentence import MOST_NAMES, backquoted, origin_label
from runtime.graph import nodes as graph

# The conclusion of a rule may be a formula of several lines; the label beside it must stay readable.
LONGEST_CONCLUSION = 80


def declaration_labels(origin: graph.Origin | None) -> tuple[Label, ...]:
    """Return the label of a declaration; empty for a declaration of the language itself."""
    return (origin_label(origin, "declared here"),) if origin else ()


def party_label(party: Party, note: str = "") -> Label:
    """Build the label of a party: its conclusion, its printed source, its layer."""
    known = ", ".join((*party.cites, *filter(None, [party.origin.layer])))
    says = truncated_line(party.says)
    text = note or (f"{backquoted(party.label)} says `{says}`" if says else backquoted(party.label))
    return origin_label(party.origin, f"{text} [{known}]" if known and not note else text)


def truncated_line(text: str, longest: int = LONGEST_CONCLUSION) -> str:
    """Truncate a text to one line."""
    return text if len(text) <= longest else f"{text[:longest]}…"


def condition_text(when: tuple[str, ...]) -> str:
    """Format the condition under which a finding occurs."""
    return ", ".join(map(_fewer, when)) or "always"


def _fewer(fact: str) -> str:
    """Truncate a list of values, with the number of the rest."""
    values = fact.split("|")
    if len(values) <= 2 * MOST_NAMES:
        return fact
    return f"{'|'.join(values[: 2 * MOST_NAMES])} and {len(values) - 2 * MOST_NAMES} more"
