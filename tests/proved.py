"""All problems of a stack, with suspects confirmed by a function of the test."""

from compiler.analysis.confirmation import ConfirmFunction, ProofResult, proof_result
from compiler.analysis.proof_context import ProofStrategy
from compiler.analysis.prove import prove_graph
from compiler.query.database import Database
from runtime.graph import nodes as graph


def prove(
    stack: graph.Graph,
    confirm: ConfirmFunction = lambda _: None,
    bound: str = "",
    arithmetic: ProofStrategy | None = None,
    database: Database | None = None,
) -> ProofResult:
    """Prove a stack; `bound` is the text for the extent of the search by `confirm`."""
    return proof_result(stack, prove_graph(stack, arithmetic, database), confirm, bound)
