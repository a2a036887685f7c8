"""The paragraphs of a report that precede all numbers."""

from runtime.experiment.report import experiment_report
from runtime.experiment.summary import Summary


def verdict_paragraphs(summary: Summary) -> list[tuple[str, ...]]:
    """Return the sentences of each verdict with those that explain it, and as the last paragraph what was looked at."""
    report = experiment_report(summary)
    says = [(*verdict["says"], *verdict["details"]) for verdict in report["verdicts"]]
    says += [tuple(duel["says"]) for duel in report["duels"]]
    return [*says, (report["looked_at"],)] if report["looked_at"] else says
