"""Compilation of a stack does not depend on the stacks compiled before it.

`python3 -m tests.shipped.test_compile_order` compares all shipped stacks, which takes a minute.
"""

import hashlib
import json
import subprocess
import sys

import pytest

from compiler.compile import compile_stack
from compiler.source.package import discover_layers
from docs.reference.vocabulary import vocabulary
from rulewright.library.example_targets import all_targets
from rulewright.library.shipped_folders import rules_folder
from rulewright.library.stacks import open_packages
from runtime.graph.canonical import node_text
from tests.parsed import unused_database
from tests.sample import LONG, sampled

# A shared layer, a whole game, two options together; MORE has the largest games, an option and a variant.
SOME = (
    "core",
    "low_tide",
    "panzer_grenadier+pg_mire+pg_smoke",
)
MORE = ("panzerblitz", "panzer_leader", "smoke_shells", "pl1940")
ALONE = "import sys; from tests.shipped.test_compile_order import stack_hashes; print(stack_hashes(sys.argv[1:]))"


def stack_hashes(stacks: list[str]) -> str:
    """Compile stacks in sequence in one library; return the hashes of graph, vocabulary and orders by name, as JSON."""
    library, _ = discover_layers([rules_folder()], unused_database())
    found: dict[str, list[str]] = {}
    for stack in stacks:
        compiled_stack = compile_stack(library, stack)
        assert compiled_stack.graph is not None, compiled_stack.problems
        assert compiled_stack.typed is not None
        words = vocabulary(
            compiled_stack.typed.layered, compiled_stack.graph, {layer.name for layer in compiled_stack.graph.layers}
        )
        orders = repr(
            [
                list(part)
                for part in (compiled_stack.graph.terms, compiled_stack.graph.rules, compiled_stack.graph.counters)
            ]
        )
        found[stack] = [
            hashlib.sha256(text.encode()).hexdigest() for text in (node_text(compiled_stack.graph), words, orders)
        ]
    return json.dumps(dict(sorted(found.items())))


@sampled(0)
@pytest.mark.parametrize("stacks", [SOME, pytest.param((*SOME, *MORE), marks=LONG)], ids=["some", "more"])
def test_the_order_of_compilation_changes_no_stack(stacks: tuple[str, ...]) -> None:
    # Another process with another hash seed compiles in the reverse order.
    other = [sys.executable, "-c", ALONE, *reversed(stacks)]
    after = subprocess.run(other, check=True, capture_output=True, text=True).stdout
    assert json.loads(after) == json.loads(stack_hashes(list(stacks)))


def main() -> None:
    """Compare each stack compiled alone with the same stack compiled after others."""
    stacks = [wanted.stack for wanted in all_targets(open_packages()) if not wanted.scenario]
    alone = {name: trace for stack in stacks for name, trace in json.loads(stack_hashes([stack])).items()}
    different = [name for name, trace in json.loads(stack_hashes(stacks[::-1])).items() if alone[name] != trace]
    print(f"{len(stacks)} stacks, {len(different)} of them different behind others: {different}")  # noqa: T201


if __name__ == "__main__":
    main()
