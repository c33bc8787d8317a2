#!/usr/bin/env python3
"""An agent with a tool of your own: the gateway runs the agent, this program runs the tool.

    SELVEDGE_TOKEN=… python3 tool.py "Is article A in stock?"

Python 3.8 or newer; nothing to install. The gateway is at http://127.0.0.1:7433, unless SELVEDGE_URL says another.
"""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

GATEWAY = os.environ.get("SELVEDGE_URL", "http://127.0.0.1:7433")
TOKEN = os.environ.get("SELVEDGE_TOKEN", "")
STOCK = {"A": 3, "B": 0}


def lookup(id):
    return f"There are {STOCK[id]} of article {id}."


TOOLS = {"lookup": lookup}
DESCRIPTIONS = [
    {
        "name": "lookup",
        "description": "Looks up how many of an article are in stock.",
        "input_schema": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
        "timeout_seconds": 60,
    }
]


def main():
    question = sys.argv[1] if len(sys.argv) > 1 else "Is article A in stock?"
    session = post("/v1/sessions", {"cwd": os.getcwd(), "tools": DESCRIPTIONS})["id"]
    post(f"/v1/sessions/{session}/messages", {"text": question})
    for event in events(session):
        if event["type"] == "tool.requested":
            answer(event["data"])
        elif event["type"] == "message.finished":
            print(event["data"]["text"])
            return event["data"]["status"] != "completed"


def answer(call):
    """Runs a tool, and tells the agent what came of it: an error too is something to go on with."""
    try:
        success, text = True, TOOLS[call["tool"]](**call["arguments"])
    except Exception as error:
        success, text = False, repr(error)
    try:
        post(f"/v1/tool-calls/{call['tool_call_id']}", {"success": success, "content": [{"type": "text", "text": text}]})
    except urllib.error.HTTPError as refused:
        if refused.code != 409:  # too late: its time was over, or its turn has ended
            raise


def events(session):
    """What happens in a session: each event once and in order, however often the connection breaks."""
    last = 0
    while True:
        try:
            headers = {"Accept": "text/event-stream", "Last-Event-ID": str(last)}
            with ask(f"/v1/sessions/{session}/events", None, headers) as stream:
                for line in stream:
                    if line.startswith(b"data: "):
                        event = json.loads(line[len(b"data: ") :])
                        last = event["seq"]
                        yield event
        except urllib.error.HTTPError:
            raise
        except (OSError, http.client.HTTPException) as broken:
            wait(broken)


def post(path, body):
    """Has something done. It may be said again when a connection broke: the key makes sure that it is done once."""
    headers = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
    while True:
        try:
            with ask(path, json.dumps(body).encode(), headers) as response:
                return json.load(response)
        except urllib.error.HTTPError:
            raise
        except (OSError, http.client.HTTPException) as broken:
            wait(broken)


def ask(path, body, headers):
    request = urllib.request.Request(GATEWAY + path, body, {"Authorization": f"Bearer {TOKEN}", **headers})
    # A stream says something every 15 seconds: a longer silence is a connection that is gone.
    return urllib.request.urlopen(request, timeout=45)


def wait(broken):
    print(f"no connection to {GATEWAY} ({broken}); trying again", file=sys.stderr)
    time.sleep(1)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except urllib.error.HTTPError as refused:
        problem = json.load(refused)
        sys.exit(f"{problem['detail']}\nhint: {problem.get('hint', 'docs/errors.md')}")
