"""The register of codes: the numbers of all findings, and those that are not assigned again.

R01xx source, R02xx names, R03xx layers and relations, R04xx types, R05xx warnings about what compiles (proofs,
sentences, examples, play, changes since a revision), R06xx data files; a few older ones are elsewhere: R0312, two
answers of one question, was assigned in the original design. A code is assigned once and never reused (`RETIRED`).
R05xx is assigned up to R0599: use the unassigned ones between, and then R07xx. The page is
`docs/codes/<code>-<slug>.md`, generated from the fixture of the same name in `tests/codes/`.
"""

from functools import cache

from compiler.source.finding import Finding, load_findings

# The folders with the findings of each room.
ROOMS = tuple(f"compiler.{room}.findings" for room in ("source", "layered", "typed", "analysis", "report"))

# Numbers that were assigned, and whose findings do not exist.
RETIRED = frozenset(
    {
        "R0208", "R0326", "R0415", "R0509", "R0513", "R0522", "R0527", "R0532", "R0535", "R0536", "R0537", "R0540",
        "R0542", "R0543", "R0544", "R0545", "R0547", "R0548", "R0568", "R0574", "R0577", "R0580",
        "R0581", "R0582", "R0585", "R0588", "R0589", "R0590", "R0591", "R0592", "R0593", "R0594", "R0596", "R0597",
        "R0701", "R0702", "R0703", "R0705", "R0707",
    }
)  # fmt: skip


@cache
def known_findings() -> tuple[type[Finding], ...]:
    """Return the classes of all findings, in the order of their numbers; the first call imports them."""
    return tuple(
        sorted({facts for room in ROOMS for facts in load_findings(room)}, key=lambda facts: facts.code.number)
    )
