"""What the fuzzer of `cargo xtask fuzz-api` has to know about the gateway beside its description."""

import itertools
import os

import schemathesis

ROOT = os.environ["SELVEDGE_FUZZ_ROOT"]
# What says that a request is not as the description wants it. Other refusals are about what there is.
MALFORMED = {"body_invalid", "query_invalid"}
# By their first letters the scenario asks, calls a tool, or answers.
WORDS = itertools.cycle(["ask a person", "use the tool", "... answer"])


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Sessions that can work: in the one directory there is, on the stand-in, and on a new thread, for there is no other."""
    settings = raw_schema["components"]["schemas"]["CreateSession"]["properties"]
    settings["cwd"] = {"type": "string", "enum": [ROOT]}
    settings["backend"] = {"enum": ["rehearsal", None]}
    del settings["thread_id"]
    for parameter in raw_schema["paths"]["/v1/sessions/{id}/events"]["get"]["parameters"]:
        # What is settled is for streams, and here are pages.
        if parameter["name"] == "settled":
            parameter["schema"]["enum"] = [False]
    take_unsigned(raw_schema)


def take_unsigned(schema):
    """Numbers from 0 on are taken up to 2^64 - 1; `int64` is the nearest word that the description has for them."""
    if isinstance(schema, dict):
        if schema.get("minimum") == 0 and schema.get("format") in (None, "int64"):
            schema.pop("format", None)
            schema.setdefault("maximum", 2**64 - 1)
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            take_unsigned(part)


@schemathesis.hook
def before_call(context, case, kwargs):
    """In every phase: what only a person could know, and what would keep everybody waiting."""
    if case.query:
        mend_query(case.operation.path, case.query)
    if isinstance(case.body, dict) and is_positive(case):
        case.body = whole(case.body)
        mend_body(case.operation.path, case.body)


def is_positive(case):
    """Whether it is made to fit the description; what is made not to must stay so."""
    return case.meta is not None and case.meta.generation.mode.is_positive


def mend_query(path, query):
    # Ten tokens that are none close the door for a minute.
    query.pop("token", None)
    # Whatever it is made as, this is how it is asked.
    wait = query.get("wait")
    wait = str(wait[0] if isinstance(wait, list) and len(wait) == 1 else wait)
    if wait.isdecimal() and 1 < int(wait) <= 600:
        query["wait"] = 1
    # A place in the feed is opaque: this is the one that can be made up.
    if path == "/v1/events" and "after" in query:
        query["after"] = "now"


def mend_body(path, body):
    # Two fields that say the same.
    if body.get("approval_policy") is not None:
        body.pop("permission_mode", None)
    # Who is not bare says where it works.
    if path == "/v1/sessions" and not body.get("bare"):
        body.setdefault("cwd", ROOT)
    # Words, so that there is something to answer.
    if path == "/v1/sessions/{id}/messages" and not body.get("text") and not body.get("input"):
        body["text"] = next(WORDS)
    if isinstance(body.get("text"), str):
        body.pop("input", None)
        body["text"] = body["text"].strip() or next(WORDS)


def whole(value):
    """JSON Schema calls 1.0 an integer; who means one writes 1."""
    if isinstance(value, dict):
        return {name: whole(part) for name, part in value.items()}
    if isinstance(value, list):
        return [whole(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**64 else value


@schemathesis.check
def described_data_is_read(context, response, case):
    """What fits the description is never called malformed, though it may be refused for what there is."""
    if is_positive(case) and response.status_code == 400:
        assert response.json()["code"] not in MALFORMED, f"the description allows it: {response.text}"
