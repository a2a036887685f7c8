"""The seeds of games, as users and programs give them."""

from rulewright.system.errors import UsageError

LONGEST_SEED = 200
# The most games of one seed.
GAME_LIMIT = 1_000_000


def seed_text(seed: int | str) -> str:
    """Return a seed as text; `UsageError` if it is too long, or cannot be printed in a line."""
    # Python refuses to write a number of more than 4,300 digits.
    if isinstance(seed, int) and abs(seed) >= 10**LONGEST_SEED:
        raise UsageError(f"a seed has {LONGEST_SEED} digits at most")
    text = str(seed)
    if len(text) > LONGEST_SEED:
        raise UsageError(f"`--seed` is given {len(text):,} letters, and a seed has {LONGEST_SEED} at most")
    if not text.isprintable():
        raise UsageError("`--seed` is given characters that cannot be printed, such as a line break")
    return text
