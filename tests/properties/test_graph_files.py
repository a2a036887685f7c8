"""A graph survives encoding and decoding; any other text is refused with a place and a reason."""

import json
from dataclasses import replace
from hashlib import sha256

import pytest

from runtime.graph import codec, schema
from runtime.graph import nodes as graph
from runtime.graph.canonical import encode_graph
from runtime.graph.digest import graph_digest
from runtime.graph.version import VERSION
from tests.sample import sampled
from tests.toys.bogged import bog


def test_decoding_inverts_encoding() -> None:
    text = encode_graph(bog())
    decoded = codec.decode_graph(text)
    assert decoded == bog()
    assert encode_graph(decoded) == text
    assert graph_digest(decoded) == bog().hash


def test_an_encoded_graph_validates_against_the_schema() -> None:
    assert codec.schema_error(json.loads(encode_graph(bog()))) == ""


def test_the_schema_file_is_up_to_date() -> None:
    assert json.loads(schema.SCHEMA_FILE.read_text(encoding="utf-8")) == schema.make_schema(), (
        "run runtime.graph.schema.write_schema()"
    )


def test_another_schema_has_another_version() -> None:
    """Whoever changes a node class gives the format its next number, and states the digest of the new schema here."""
    text = json.dumps({**schema.make_schema(), "title": ""}, sort_keys=True)
    digest = sha256(text.encode()).hexdigest()[:12]
    assert (VERSION, digest) == (20, "a8e52429feeb"), (
        "the next number in runtime/graph/version.py, and here with this digest"
    )


@sampled(1)
@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("", "{", "this is not JSON"),
        ("", "[]", "this is not a rule graph"),
        ("", "[" * 100_000, "it is nested too deep"),
        (
            f'"version":{VERSION}',
            f'"version":{VERSION + 1}',
            f"the graph has version {VERSION + 1}, and this runtime reads version {VERSION}",
        ),
        ('"form":"sum"', '"form":7', "at terms.push.form: 7 is not one of ['value', 'sum'"),
        ('"form":"sum"', '"form":"sums"', "at terms.push.form: 'sums' is not one of ['value', 'sum'"),
        ('"what":"printed"', '"what":"printed%"', "'printed%' is not one of ['printed', 'track'"),
        ('"is":"Ask"', '"is":"Asq"', "'Asq' is not one of"),
        ('"stack":"bog"', '"stack":"bog","more":1', "Additional properties are not allowed ('more' was unexpected)"),
        ('"is":"Num","measure":"","value":"1"', '"is":"Num","measure":"","value":"1/0"', "'1/0' does not match"),
        ('"is":"Num","measure":"","value":"1"', '"is":"Num","measure":"","value":"1e99999999"', "does not match"),
        ("Half the speed", "Half the weight", "the graph was changed after it was compiled"),
    ],
)
def test_a_text_that_is_no_graph_is_refused(old: str, new: str, message: str) -> None:
    text = encode_graph(bog()).replace(old, new, 1) if old else new
    with pytest.raises(codec.GraphError) as refused:
        codec.decode_graph(text)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (graph.Ask("nothing", ()), "term `nothing` does not exist"),
        (graph.Op("clamp", ()), "`clamp` is given 0 arguments"),
        (graph.Get(graph.Spot("piece", "A"), "given", "piece", "weight"), "field `weight` does not exist"),
        (graph.Is(graph.Var("c"), (), negated=False), "an `is` asks for nothing"),
    ],
)
def test_an_expression_with_an_undefined_reference_is_refused(expression: graph.Expr, message: str) -> None:
    lost = replace(bog().terms["force"], otherwise=expression)
    rules = replace(bog(), terms={**bog().terms, "force": lost})
    with pytest.raises(codec.GraphError, match=message):
        codec.decode_graph(encode_graph(replace(rules, hash=graph_digest(rules))))
