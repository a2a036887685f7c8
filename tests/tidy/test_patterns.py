"""Regular expressions that mean the same to every Python that may run them.

Before Python 3.11.5 a possessive group that fails in its middle keeps what it has matched of that round (CPython issue
106052): `(?:-[a-z]++)*+` takes the hyphen of `soft-`, so a label may end with it.
"""

import re

from tests.tidy.check import ROOT, modules

POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{[\d,]+\})\+")
# In these each way through the group is one part that matches or does not, so none can fail in its middle.
WHOLE = ("compiler/source/comments.py", "compiler/source/scanner.py")


def test_no_group_is_possessive() -> None:
    found: dict[str, int] = {}
    for folder in ("compiler", "runtime", "rulewright"):
        for path, _ in modules(ROOT, folder):
            if count := len(POSSESSIVE_GROUP.findall((ROOT / path).read_text(encoding="utf-8"))):
                found[path] = count
    assert found == dict.fromkeys(WHOLE, 1), "write the quantifier of a group without its second `+`"
