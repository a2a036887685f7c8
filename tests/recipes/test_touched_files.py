"""How many files a product of each recipe touches: whoever adds one like it opens as many.

A product is found by its own names, in the files of compiler, runtime, rulewright and editors. The numbers may only
fall; where one has fallen, the smaller number is written here.
"""

import re
from typing import NamedTuple

import pytest

from tests.tidy.check import ROOT, texts

FOLDERS = ("compiler", "runtime", "rulewright", "editors")
SUFFIXES = ".py .lark .json .scm .j2 .typ .js .wat"
# What is written by a program from the grammar.
GENERATED = ("editors/tree-sitter-rulewright/src/", "compiler/source/grammar.py")


class Product(NamedTuple):
    """A product of a recipe, the pattern of its names, and the number of files that have one."""

    recipe: str
    names: str
    files: int


PRODUCTS = (
    Product("an operator", r'"touching\b|\btouching\(', 4),
    Product("an expression", r"\b(graph|source|ir)\.Search\b|^class Search\b", 21),
    Product("an expression that most analyses know", r"\b(graph|source|ir)\.Fold\b|^class Fold\b", 91),
    Product("a step", r'\b(graph|source)\.Strike\b|^class Strike\b|\bStrikeRecord\b|"strike"', 15),
    Product("a declaration", r'\bsource\.Scale\b|^class Scale\(Node\)|"SCALE"|^scale = |^scale: ', 3),
    Product("a type of values", r"\bgraph\.Scale\b", 53),
    Product("a check", r"\bMaskedRow\b|\bmasked_row\b", 1),
    Product("a command", r"\bcli\.errata\b|^def errata\($", 2),
    Product("a line of the book", r"Carries out the ruling", 1),
)


@pytest.mark.parametrize("product", PRODUCTS, ids=lambda product: product.recipe)
def test_a_product_touches_no_more_files(product: Product) -> None:
    names = re.compile(product.names, re.MULTILINE)
    files = [
        path
        for path, text in texts(ROOT, *FOLDERS, suffixes=SUFFIXES)
        if names.search(text) and not path.startswith(GENERATED)
    ]
    assert len(files) == product.files, "\n".join([f"{product.recipe} touches {len(files)} files:", *files])
