"""Stacks compiled before leave no trace: a stack comes out the same alone and behind all others.

`python3 -m tests.shipped.test_compile_order` compares all stacks in reach, which takes a minute.
"""

import hashlib
import json
import subprocess
import sys

import pytest

from compiler.compile import compile_stack
from compiler.source.package import discover
from docs.reference.vocabulary import vocabulary
from rulewright.library.example_targets import all_targets
from rulewright.library.shipped_folders import rules_folder
from rulewright.library.stacks import open_packages
from runtime.graph.codec import encode
from tests.parsed import unused_database
from tests.sample import LONG

# One of each sort: what others share, a whole game, two options together; then the largest games, an option, a variant.
SOME = (
    "core",
    "low_tide",
    "panzer_grenadier+pg_mire+pg_smoke",
)
MORE = ("panzerblitz", "panzer_leader", "smoke_shells", "pl1940")
ALONE = "import sys; from tests.shipped.test_compile_order import traces; print(traces(sys.argv[1:]))"


def traces(stacks: list[str]) -> str:
    """Compile stacks one after the other in one library; give what each became, in the order of their names."""
    library, _ = discover([rules_folder()], unused_database())
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
            hashlib.sha256(text.encode()).hexdigest() for text in (encode(compiled_stack.graph), words, orders)
        ]
    return json.dumps(dict(sorted(found.items())))


@pytest.mark.parametrize("stacks", [SOME, pytest.param((*SOME, *MORE), marks=LONG)], ids=["some", "more"])
def test_the_order_of_compiling_changes_nothing(stacks: tuple[str, ...]) -> None:
    # Another process, another hash seed, another order.
    other = [sys.executable, "-c", ALONE, *reversed(stacks)]
    after = subprocess.run(other, check=True, capture_output=True, text=True).stdout
    assert json.loads(after) == json.loads(traces(list(stacks)))


def main() -> None:
    """Compare all stacks: each alone in a library of its own, and all behind each other in one."""
    stacks = [wanted.stack for wanted in all_targets(open_packages()) if not wanted.scenario]
    alone = {name: trace for stack in stacks for name, trace in json.loads(traces([stack])).items()}
    different = [name for name, trace in json.loads(traces(stacks[::-1])).items() if alone[name] != trace]
    print(f"{len(stacks)} stacks, {len(different)} of them different behind others: {different}")  # noqa: T201


if __name__ == "__main__":
    main()
