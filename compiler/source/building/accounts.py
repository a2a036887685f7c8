"""Build accounts: the fields that a procedure reports, and the texts that are formatted with them."""

from compiler.source.building.parts import Parts, cites, cover, every, word
from compiler.source.nodes import Account, AccountField, AccountText, Expression, Word

# The moment of a field is known only to the line that contains it.
Named = tuple[Word, Expression | None]


def account(parts: Parts) -> Account | None:
    """Build `account [X.1] { .. }`."""
    if parts[0] is None:
        return None
    items = [item for part in parts for item in (part if type(part) is tuple else (part,))]
    return Account(cover(parts), cites(parts[1]), every(AccountField, items), every(AccountText, items))


def account_fields(parts: Parts) -> tuple[AccountField, ...]:
    """Build `before a, b = e`."""
    moment = parts[0].text
    return tuple(AccountField(each.span, moment, each.name, each.value) for each in every(AccountField, parts))


def account_field(parts: Parts) -> AccountField:
    """Build one field; its moment is set by `account_fields`."""
    name, _, value = parts
    return AccountField(cover(parts), "", word(name), value)


def account_text(parts: Parts) -> AccountText:
    """Build `tells ".." when e`."""
    keyword, text, _, condition = parts
    return AccountText(cover(parts), keyword.text, Word(text.span, str(text.value)), condition)
