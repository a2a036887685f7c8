"""A public class name is defined once; only nodes share names, as one construct at several stages has."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.tidy.check import check, modules, plant
from tests.tidy.test_glossary import CONSTRUCTS, FOLDERS

# The environment of a learner has the name that learners' libraries give it.
NAMED_ELSEWHERE = {"rulewright/adapters/learners/environment.py"}


def shared_class_names(root: Path) -> Iterator[str]:
    """Find classes outside modules of nodes whose name another such module defines, too."""
    places: dict[str, list[str]] = defaultdict(list)
    for path, tree in modules(root, *FOLDERS):
        if not CONSTRUCTS.search(f"/{path}") and path not in NAMED_ELSEWHERE:
            for node in tree.body:
                if isinstance(node, ast.ClassDef):
                    places[node.name].append(f"{path}:{node.lineno}")
    for name, found in sorted(places.items()):
        if len(found) > 1:
            yield f"{found[0]}: `{name}` is defined in {', '.join(found[1:])}, too"


def test_a_class_name_is_defined_once() -> None:
    check(shared_class_names)


def test_a_shared_class_name_is_found(tmp_path: Path) -> None:
    texts = {
        "compiler/a.py": "class Fold: ...\n\nclass Once: ...\n",
        "runtime/b.py": "class Fold: ...\n",
        "runtime/graph/nodes/c.py": "class Once: ...\n",
        "rulewright/d.py": "def f():\n    class Once: ...\n",
    }
    found = [*shared_class_names(plant(tmp_path, texts))]
    assert found == ["compiler/a.py:1: `Fold` is defined in runtime/b.py:1, too"]
