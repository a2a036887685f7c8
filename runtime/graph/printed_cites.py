"""The citations of a rule that readers see: without the mark of rules that are ours and in no source."""

HOUSE = "house"


def printed_cites(cites: tuple[str, ...]) -> tuple[str, ...]:
    """Return the citations of sources."""
    return tuple(cite for cite in cites if cite != HOUSE)
