"""Limits of a game, beyond which the machine stops it."""

# The limit of actions taken in one offer. No phase of a printed game comes near it; an action that changes
# nothing and stays open would otherwise be repeated without end.
OFFER_CAP = 10_000
# The limits of steps between two decisions and of the call depth: no printed game needs a hundredth of them.
STEP_CAP = 200_000
# The limit of choices of one game, each of which has a checkpoint. Shipped games have 4,700 at most.
CHOICE_CAP = 30_000
CALL_CAP = 200
