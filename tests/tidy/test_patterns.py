"""Regular expressions match the same in every supported version of Python.

Before Python 3.11.5 a possessive group that fails inside an iteration keeps what it matched of that iteration (CPython
issue 106052): `(?:-[a-z]++)*+` takes the hyphen of `soft-`, so a label could end with it.
"""

import re

from tests.tidy.check import ROOT, modules

POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{[\d,]+\})\+")
# In these files each alternative of the group is a single part, so no iteration can fail in its middle.
WHOLE = ("compiler/source/comments.py", "compiler/source/scanner.py")


def test_no_group_is_possessive() -> None:
    found: dict[str, int] = {}
    for folder in ("compiler", "runtime", "rulewright"):
        for path, _ in modules(ROOT, folder):
            if count := len(POSSESSIVE_GROUP.findall((ROOT / path).read_text(encoding="utf-8"))):
                found[path] = count
    assert found == dict.fromkeys(WHOLE, 1), "write the quantifier of a group without its second `+`"
