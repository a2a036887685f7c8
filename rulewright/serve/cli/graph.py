"""`rulewright graph STACK --term TERM`: the rules that answer, defeat and query each other, as DOT."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.serve.cli.arguments import StackName
from rulewright.serve.cli.console import Reply
from runtime.graph.document_lines import drawn_lines, reply_block
from runtime.graph.records.asking import DiagramRecord
from runtime.graph.words import counted_noun


def graph(
    stack: StackName,
    packages: list[Path],
    term: Annotated[
        str | None, typer.Option(metavar="TERM", help="Draw only this question and what is around it.")
    ] = None,
    rule: Annotated[
        str | None, typer.Option(metavar="LABEL", help="Draw only this rule and what is around it.")
    ] = None,
    depth: Annotated[int, typer.Option(min=0, max=9, help="With --term or --rule: how many steps around it.")] = 1,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write FILE.dot, for Graphviz.")
    ] = None,
) -> Reply[DiagramRecord]:
    """Write the rules of STACK as a graph in DOT, which Graphviz draws.

    It has all questions, or what is around one. Without --out it is printed.

    Example: rulewright graph low_tide --term cost
    """
    from compiler.format.dependency_diagrams import diagram_around, graphviz_text, stack_diagram
    from rulewright.library.stacks import load_stack
    from rulewright.system.atomic_files import save_text
    from rulewright.system.errors import UsageError, suggestion_text

    if out is not None and out.suffix != ".dot":
        raise UsageError(f"`{out}` is not a .dot file; `dot -Tsvg FILE.dot` of Graphviz draws one as a picture")
    if term is not None and rule is not None:
        raise UsageError("one of --term and --rule is enough")
    loaded = load_stack(stack, packages)
    rules = loaded.rules
    diagram = None
    for kind, name, known in (("term", term, rules.terms), ("rule", rule, rules.rules)):
        if name is not None and name not in known:
            raise UsageError(f"`{rules.stack}` has no {kind} `{name}`; {suggestion_text(name, sorted(known))}")
        if name is not None:
            diagram = diagram_around(rules, kind, name, depth)
    diagram = diagram or stack_diagram(rules)
    record: DiagramRecord = {
        "nodes": [
            {"id": node.id, "kind": node.kind, "name": node.title, "says": list(node.lines), "layer": node.layer}
            for node in diagram.nodes.values()
        ],
        "edges": [{"from": edge.start, "to": edge.end, "kind": edge.kind} for edge in diagram.edges],
    }
    text = graphviz_text(diagram)
    if out is None:
        return Reply(record, lambda _: reply_block(*drawn_lines(text)))
    save_text(out, f"{text}\n")
    record["file"] = out.as_posix()
    counts = f"{counted_noun(len(record['nodes']), 'node')} and {counted_noun(len(record['edges']), 'edge')}"
    return Reply(record, lambda _: reply_block(f"{counts} in {out}"))
