"""Whether plain data fits a schema, without saying what does not.

Nearly every document fits, and to learn no more than that takes a tenth of the time: a validator keeps account of where
it is. In: plain data, all of it text, lists and mappings, and a JSON Schema with nothing left to look up. Out: True
where jsonschema finds nothing. Every key that our schemas use is known here; a new one has to be entered.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

Schema = Mapping[str, Any]

TYPES = {"string": str, "array": list, "object": dict}
# What says nothing of text, lists and mappings.
ASIDE = {"$schema", "$id", "$comment", "title", "description", "default", "examples", "minimum"}


def fits(value: Any, schema: Any) -> bool:
    """Tell whether data fits."""
    if isinstance(schema, bool):
        return schema
    return all(CHECKS[key](value, wanted, schema) for key, wanted in schema.items() if key not in ASIDE)


def _type(value: Any, wanted: Any, _: Schema) -> bool:
    return any(type(value) is TYPES.get(each) for each in ([wanted] if isinstance(wanted, str) else wanted))


def _properties(value: Any, known: Schema, _: Schema) -> bool:
    return type(value) is not dict or all(fits(each, known[key]) for key, each in value.items() if key in known)


def _others(value: Any, form: Any, schema: Schema) -> bool:
    known = schema.get("properties", ())
    return type(value) is not dict or all(fits(each, form) for key, each in value.items() if key not in known)


def _one_of(value: Any, options: list[Schema], _: Schema) -> bool:
    return sum(fits(value, option) for option in options) == 1


# For each key of a schema, whether a value fits what it wants; the whole schema comes along.
CHECKS: dict[str, Callable[[Any, Any, Schema], bool]] = {
    "type": _type,
    "properties": _properties,
    "additionalProperties": _others,
    "required": lambda value, names, _: type(value) is not dict or all(name in value for name in names),
    "propertyNames": lambda value, form, _: type(value) is not dict or all(fits(name, form) for name in value),
    "minProperties": lambda value, least, _: type(value) is not dict or len(value) >= least,
    "items": lambda value, form, _: type(value) is not list or all(fits(each, form) for each in value),
    "minItems": lambda value, least, _: type(value) is not list or len(value) >= least,
    "maxItems": lambda value, most, _: type(value) is not list or len(value) <= most,
    "minLength": lambda value, least, _: type(value) is not str or len(value) >= least,
    "maxLength": lambda value, most, _: type(value) is not str or len(value) <= most,
    "pattern": lambda value, pattern, _: type(value) is not str or re.search(pattern, value) is not None,
    "enum": lambda value, options, _: value in options,
    "oneOf": _one_of,
    "anyOf": lambda value, options, _: any(fits(value, option) for option in options),
}
