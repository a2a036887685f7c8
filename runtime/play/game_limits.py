"""How far a game goes before the machine stops it: rules may ask for more than any player would live to see."""

# Actions taken in one offer. No phase of a printed game comes near it; an action that changes
# nothing and stays open would otherwise be taken for ever.
OFFER_CAP = 10_000
# Steps between two decisions, and procedures inside procedures: no printed game needs a hundredth of it.
STEP_CAP = 200_000
# Choices of one game: in a loop each takes a little, and all of them are remembered. Shipped games have 4,700 at most.
CHOICE_CAP = 30_000
CALL_CAP = 200
