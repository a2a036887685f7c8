"""`rulewright audit STACK|SCENARIO`: play games, and compare each step with preconditions and `always` facts."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulewright.serve.cli.arguments import Rules, SeedOption
from rulewright.serve.cli.console import Reply, print_note, show_progress
from rulewright.system.shell_words import shell_word
from runtime.graph.document import DocumentBlock
from runtime.graph.document_lines import LineText, listing, reply_block
from runtime.graph.records.playing import AuditRecord, BrokenFactRecord, ContradictionRecord
from runtime.graph.words import counted_noun, times_text

if TYPE_CHECKING:
    from rulewright.checks.audit_run import AuditReport


def audit(
    named: Annotated[
        str, typer.Argument(metavar="STACK|SITUATION", help="A stack, or a situation by name or its file.")
    ],
    packages: list[Path],
    rules: Rules = None,
    games: Annotated[
        int | None,
        typer.Option(
            "-n",
            "--games",
            min=1,
            max=100_000,
            help="Number of games of SITUATION, or of each situation of STACK, in which the --players take turns; at "
            "least one with each.  [default: 4 of SITUATION, none of a STACK]",
        ),
    ] = None,
    players: Annotated[
        list[str] | None,
        typer.Option(metavar="X,Y", help="Who plays, as in `play`; may be repeated.  [default: random, greedy]"),
    ] = None,
    seed: SeedOption = "1",
    positions: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the positions of contradictions to this folder.")
    ] = None,
) -> Reply[AuditRecord]:
    """Play examples or games, and check that each step is allowed.

    Of a STACK it plays the examples, and with -n whole games of each of its situations, too; of a SITUATION it plays
    whole games. A step that is carried out although its precondition does not hold is a contradiction: what is asked
    and what is played do not agree. It also reports each step that breaks an `always` fact, which proofs assume, and
    the actions, resolutions, hooks and phases that none of the games carried out.

    Example: rulewright audit ridge_farm -n 20
    """
    from dataclasses import replace

    from rulewright.checks.audit_run import AuditReport, audit_games, audit_report, audited_examples
    from rulewright.checks.card_library import cards_of_stack
    from rulewright.games.scenarios import load_scenario, players_of
    from rulewright.library.stack_names import named_stack
    from rulewright.library.stacks import open_packages
    from runtime.graph.nodes import Graph

    name, folders = named_stack(named)
    package_set = open_packages((*packages, *folders, *(named_stack(rules)[1] if rules else ())))
    is_card = named in package_set.library.scenarios.places or Path(named).suffix in {".yaml", ".yml"}
    if not is_card:
        package_set.require_layers(name)
    player_names = players or ["random", "greedy"]
    if games is not None and games < len(player_names):
        print_note(f"-n {games}: {len(player_names)} games are played, one with each of the --players")
        games = len(player_names)

    def report_of_games(graph: Graph, card: str, count: int) -> AuditReport:
        chosen = [players_of(graph, each) for each in player_names]
        with show_progress(f"{card}, {count} games", count) as moved:
            found, stopped, unplayed = audit_games(graph, chosen, count, seed, moved)
        return replace(audit_report(graph, found, positions), games=count, stop_reasons=stopped, unplayed=unplayed)

    if is_card:
        report = report_of_games(load_scenario(named, rules, packages).rules, named, games or GAMES_OF_A_CARD)
    else:
        stack = package_set.compiled(name)
        report = audited_examples(stack.rules, positions)
        cards = [(on, card) for on, card in cards_of_stack(stack) if not package_set.missing_boards(card)]
        report.cards = [card.name.text for _, card in cards]
        for on, card in cards if games else ():
            of_card = report_of_games(package_set.compiled(on, card).rules, card.name.text, games or 0)
            report.add_games(of_card, card.name.text)
    findings = bool(report.violations or report.broken_facts or report.stop_reasons)
    return Reply(_audit_record(report), _audit_block, findings=findings)


GAMES_OF_A_CARD = 4


def _audit_record(report: "AuditReport") -> AuditRecord:
    """Return an audit as its record."""
    return {
        "stack": report.stack,
        "games": report.games,
        "cards": report.cards,
        "examples": report.examples,
        "preconditions": report.preconditions,
        "evaluated": sum(count.evaluated for count in report.precondition_counts),
        "contradictions": [
            {
                "precondition": violation.contradiction.precondition,
                "procedure": violation.contradiction.procedure,
                "step": violation.contradiction.step,
                "times": violation.times,
                "where": violation.first_occurrence,
                "sentence": violation.contradiction.sentence,
                "because": list(violation.contradiction.because),
                "question": violation.contradiction.question,
                "position": violation.path,
                "left_out": list(violation.contradiction.left_out),
            }
            for violation in report.violations
        ],
        "facts": report.facts,
        "broken_facts": [
            {
                "fact": fact.contradiction.precondition,
                "procedure": fact.contradiction.procedure,
                "step": fact.contradiction.step,
                "times": fact.times,
                "where": fact.first_occurrence,
                "culprits": list(fact.contradiction.because),
                "position": fact.path,
                "left_out": list(fact.contradiction.left_out),
                "sentence": fact.contradiction.sentence,
            }
            for fact in report.broken_facts
        ],
        "executed": [
            {
                "precondition": count.precondition,
                "procedure": count.procedure,
                "steps": count.reached,
                "evaluated": count.evaluated,
                "contradicted": count.broken,
            }
            for count in report.precondition_counts
            if count.reached
        ],
        "never_executed": _never(report),
        "unchecked": [
            {"procedure": procedure, "precondition": label, "question": term}
            for procedure, label, term in report.unchecked
        ],
        "unplayed": report.unplayed,
        "stopped": report.stop_reasons,
        "printed_facts": report.printed_facts,
    }


def _never(report: "AuditReport") -> list[str]:
    """Return the procedures of which no governed step was run."""
    seen = {count.procedure for count in report.precondition_counts if count.reached}
    return list(dict.fromkeys(count.procedure for count in report.precondition_counts if count.procedure not in seen))


def _audit_block(record: AuditRecord) -> DocumentBlock:
    """Show the verdict, then each contradiction and broken fact, and what was looked at."""
    played = (
        counted_noun(record["games"], "game")
        if record["games"] and not record["cards"]
        else f"the acts of {counted_noun(record['examples'], 'example')}"
    )
    blocks = [_contradiction_block(each, record["stack"]) for each in record["contradictions"]]
    blocks += map(_broken_fact_block, record["broken_facts"])
    blocks.append(
        reply_block(
            _verdict_text(record),
            *_precondition_lines(record, played),
            *_fact_lines(record, played),
            *_whole_game_lines(record, played),
        )
    )
    return reply_block(blocks=blocks)


def _verdict_text(record: AuditRecord) -> str:
    """Return in a sentence whether play and preconditions agree."""
    if not record["preconditions"]:
        return (
            f"{record['stack']} declares no precondition, so no step could be checked: write `precondition ..` for "
            "each step that the rules have to allow (docs/language.md, 10)"
        )
    if not record["evaluated"]:
        return "no precondition was asked, so nothing is known of contradictions"
    if contradictions := record["contradictions"]:
        times = sum(each["times"] for each in contradictions)
        return f"{counted_noun(len(contradictions), 'contradiction')}, met {times_text(times)}"
    return "no contradiction: no step was carried out that its precondition forbids"


def _precondition_lines(record: AuditRecord, played: str) -> Iterator[LineText]:
    """Yield how often each precondition was asked, and where none was."""
    if not record["preconditions"]:
        return
    counts_of: dict[str, list[str]] = {}
    for step in record["executed"]:
        contradicted = f" ({step['contradicted']} CONTRADICTED)" if step["contradicted"] else ""
        counts = counts_of.setdefault(step["precondition"], [])
        counts += [f"{step['evaluated']} in {step['procedure']}{contradicted}"] if step["evaluated"] else []
    yield listing(
        f"{played} of {record['stack']}: {counted_noun(record['preconditions'], 'precondition')}, asked "
        f"{times_text(record['evaluated'])} before a step",
        [f"{label}: {', '.join(counts) or 'never asked'}" for label, counts in counts_of.items()],
    )
    if never := record["never_executed"]:
        yield f"never carried out, so not looked at: {', '.join(never)}"
    for unchecked in record["unchecked"]:
        procedure, question, label = unchecked["procedure"], unchecked["question"], unchecked["precondition"]
        yield (
            f"not asked: {procedure} never asks `{question}` on the way, which {label} "
            "needs, and it is not proved allowed"
        )


def _fact_lines(record: AuditRecord, played: str) -> Iterator[str]:
    """Yield how many facts were checked."""
    if record["facts"] or record["printed_facts"]:
        printed = f"; {record['printed_facts']} about printed values alone, which `check` compares with the counters"
        facts = counted_noun(record["facts"], "`always` fact")
        yield (
            f"{played}: {facts} checked after each step that could break them, "
            f"{len(record['broken_facts']) or 'none'} broken{printed if record['printed_facts'] else ''}"
        )


def _whole_game_lines(record: AuditRecord, played: str) -> Iterator[str]:
    """Yield what whole games show besides preconditions: what was never executed, and stops."""
    if record["cards"]:
        situations = counted_noun(len(record["cards"]), "situation")
        played = f"{counted_noun(record['games'], 'game')} of {situations}"
        if not record["games"]:
            yield f"no game of {situations} was played: `-n 2` plays two of each to its end"
    if record["games"] and record["unplayed"]:
        yield f"never carried out in {played}, which another game may do: {', '.join(record['unplayed'])}"
    yield from record["stopped"]


def _contradiction_block(each: ContradictionRecord, stack: str) -> DocumentBlock:
    """Show one contradiction, and the question to ask about its position."""
    question = shell_word(each["question"]) if each["question"] else "QUESTION"
    return reply_block(
        listing(
            f"contradiction: {each['procedure']} carries out `{each['step']}`, against {each['precondition']}",
            [
                listing(each["sentence"], each["because"]),
                f"{times_text(each['times'])}; first in {each['where']}",
                each["position"] and f"rulewright ask {stack} -p {shell_word(each['position'])} {question}",
                _left_out_text(each["left_out"]),
            ],
        )
    )


def _broken_fact_block(fact: BrokenFactRecord) -> DocumentBlock:
    """Show one broken fact."""
    return reply_block(
        listing(
            f"broken fact: {fact['procedure']} carries out `{fact['step']}`, against {fact['fact']}",
            [
                fact["sentence"],
                f"{times_text(fact['times'])}; first in {fact['where']}",
                fact["position"] and f"rulewright show {shell_word(fact['position'])}",
                _left_out_text(fact["left_out"]),
            ],
        )
    )


def _left_out_text(left_out: Sequence[str]) -> str:
    return f"the position leaves out {'; '.join(left_out)}" if left_out else ""
