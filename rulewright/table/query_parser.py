"""Parse plain words about a position: the pieces and places that they name, and the words that are left.

In: a state, and words of a player: `why may T not enter B`. Out: a `PlainQuery`.
"""

import re
from collections.abc import Collection, Sequence

from compiler.rulebook.index.stems import STOP_WORDS, split_tokens, stem, stems
from rulewright.table.lexicon import DETERMINERS, PREPOSITIONS, WORDS, has_role
from rulewright.table.names_in_words import NamesInWords, NotHereError
from rulewright.table.plain_query import HEX_NOUNS, Mention, PlainQuery, asks_reach, meanwhile_index
from runtime.state.position import State

# The most pieces that words may describe.
MOST_ALIKE = 4
_FUTURE = re.compile(rf"\b(?:{'|'.join(sorted(WORDS['future'], key=len, reverse=True))})\b", re.IGNORECASE)


def parse_query(state: State, text: str) -> PlainQuery:
    """Find the pieces and places that a query names.

    Case counts in stop words and single letters: *a* is an article, *A* may be a hex, and *I* one but in *can I*.
    """
    known, mentions = NamesInWords(state), list[Mention]()
    rest, between, described = list[str](), list[str](), list[str]()
    unclear: list[tuple[str, tuple[str, ...]]] = []
    future = _FUTURE.search(text)
    text = known.with_places(_FUTURE.sub("", text))
    left = [each.strip("?!.;:\"'`“”()").removesuffix("'s").removesuffix("’s") for each in text.split()]
    agents, begin, end = _agents_asked_for(known, left)
    del left[begin : end if agents else begin]
    while left:
        if left[0].rstrip(",") == "I" and known.is_pronoun(rest[-1:]):
            left[0] = left[0].lower()
        try:
            found, size = known.at_beginning(left, between, [name for each in mentions for name in each.names])
        except NotHereError as missing:
            unclear.append((str(missing), ()))
            found, size = (), 1
        if len(found) > MOST_ALIKE:
            unclear.append((" ".join(left[:size]), found))
            found = ()
        if not found:
            rest.append(left[0].rstrip(","))
            between += [rest[-1].lower(), *([","] if left[0].endswith(",") else [])]
            del left[0]
            continue
        is_joined = mentions and between and (WORDS["joining"] | DETERMINERS | {","}).issuperset(between)
        if is_joined and known.side(mentions[-1].names[0]) == known.side(found[0]):
            mentions[-1] = mentions[-1]._replace(names=mentions[-1].names + found)
        elif mentions and between[-1:] == ["with"] and _acts_jointly(known, mentions, found[0], between):
            mentions[0] = mentions[0]._replace(names=mentions[0].names + found)
        else:
            before = [word for word in between if word not in DETERMINERS]
            preposition = before[-1] if before and before[-1] in PREPOSITIONS else ""
            if preposition == "to" and WORDS["neighbor"].intersection(before[-2:]):
                preposition = "next to"
            lower = {word.lower() for word in rest}
            has_verb = lower - STOP_WORDS - WORDS["question"] - WORDS["indefinite"] or WORDS["pronoun"] & lower
            is_subject = preposition == "of" or not (preposition or has_verb)
            mentions.append(Mention(found, preposition, is_subject, "".join(before[-1:])))
        between = [","] if left[size - 1].endswith(",") else []
        described += left[:size]
        del left[:size]
    lower = {each.lower() for each in rest}
    if not (mentions or agents or unclear) and lower & (WORDS["indefinite"] | {"who"}) and lower & WORDS["state"]:
        # *Is anybody dispersed* is about all.
        agents = tuple(each for each, place in enumerate(state.hex) if place >= 0)
    mentions, passed_places = _split_ways(mentions)
    query = _query(state, mentions, split_tokens(" ".join(rest)), split_tokens(" ".join(described)))
    return query._replace(
        unclear=tuple(unclear), future=future[0] if future else "", agents=agents, passed_places=passed_places
    )


def _split_ways(mentions: Sequence[Mention]) -> tuple[list[Mention], tuple[str, ...]]:
    """Return mentions without places on the way to another that is named as well, and the names of these places."""
    goes = any(each.preposition in WORDS["goal"] for each in mentions)
    passed = [each for each in mentions if goes and each.preposition in WORDS["way"]]
    return [each for each in mentions if each not in passed], tuple(name for each in passed for name in each.names)


def _acts_jointly(known: NamesInWords, mentions: Sequence[Mention], name: str, between: Collection[str]) -> bool:
    """Return whether *with* a name of the side that acts means who acts as well: *attack P together with T*."""
    side, acts = known.side(name), mentions[0].is_subject
    is_foe_between = known.side(mentions[-1].names[0]) not in ("", side)
    is_joint = is_foe_between or not WORDS["jointly"].isdisjoint(between)
    return bool(side) and acts and known.side(mentions[0].names[0]) == side and is_joint


def _agents_asked_for(known: NamesInWords, words: Sequence[str]) -> tuple[tuple[int, ...], int, int]:
    """Return the pieces that words after a question word describe (*which tanks*), and where these words are.

    How many are next to something is a question of the rules, if they have one; how many more are, is about none.
    """
    lower = [each.lower().rstrip(",") for each in words]
    if not (WORDS["neighbor"] | WORDS["further"]).isdisjoint(lower):
        return (), 0, 0
    begin = 1 if lower[:1] in (["which"], ["what"]) else 2 if lower[:2] == ["how", "many"] else len(lower)
    while lower[begin : begin + 1] and lower[begin] in DETERMINERS | {"of"}:
        begin += 1
    end = next((index for index in range(begin, len(lower)) if lower[index] in STOP_WORDS), len(lower))
    return known.pieces_with(words[begin:end]), begin, end


def _query(state: State, mentions: list[Mention], tokens: Sequence[str], described: Sequence[str]) -> PlainQuery:
    """Return a query of mentions in these words, and of the words that are left."""
    pieces = {sheet.name: piece for piece, sheet in enumerate(state.sheets)}
    last = next((each.preposition for each in reversed(mentions) if each.names[0] in pieces), "")
    # *Can I fire at P with T*; *can P be hit by T*; *the defense of P against T*.
    agent_words = {"by"} if "be" in tokens else set[str]()
    agent_words |= {"using", "with"} if not any(each.is_subject for each in mentions) else set()
    agent_words |= WORDS["target"] if has_role("defense", tokens) else set()
    agent_words |= {"of"} if asks_reach(tokens) else set()
    mentions.sort(key=lambda each: not (each.preposition in agent_words and each.names[0] in pieces))
    text = f" {' '.join(tokens)} "
    phrases = {word for each in WORDS["obligation phrase"] if f" {each} " in text for word in each.split()}
    words = tuple(dict.fromkeys(token for token in tokens if token not in STOP_WORDS | WORDS["no topic"] | phrases))
    # What others do in the meantime is no topic, but may be a word of a reaction: *as it moves*. A single word for the
    # meantime is no act, but how the piece is: *while limbered*.
    meanwhile = meanwhile_index(tokens)
    clause = tokens[meanwhile + 1 :] if meanwhile is not None else ()
    kinds = {*stems(" ".join((*state.graph.vocabulary.kinds, *HEX_NOUNS, *WORDS["place"])))}
    stemmed = [*map(stem, words)]
    topics = {each for each in stemmed if each in map(stem, tokens[:meanwhile])} - kinds
    names = dict.fromkeys(name for each in mentions for name in each.names)
    topics = topics or {*stemmed}
    # To go to a place is any way to get there.
    is_reached = (has_role("reach", tokens) and "of" not in tokens) or has_role("passage", tokens)
    goal = WORDS["goal"] | ({""} if is_reached else set())
    goes = any(each.preposition in goal and each.names[0] not in pieces for each in mentions)
    if goes and all(has_role("motion", [each]) for each in topics):
        topics = set()
    known, named_pieces = NamesInWords(state), tuple(pieces[name] for name in names if name in pieces)
    named_words = " ".join((*names, *described, *map(known.words_of, named_pieces)))
    return PlainQuery(
        tuple(mentions), named_pieces, tuple(state.board.index[each] for each in names if each not in pieces),
        tuple(tokens), words, frozenset(topics), frozenset(map(stem, split_tokens(named_words))), last,
        tuple(clause) if len(clause) == 1 else (), len(clause) > 1,
        state.sheets[named_pieces[0]].kind if named_pieces else "",
    )  # fmt: skip
