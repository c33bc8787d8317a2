"""For the public conformance kit of A2A: what an agent is to do stands in a message's id, and a model sees only words.

Use it with `-p ids_as_words`: the id is put beside the words of each message, as a part of its own, for the kit looks for
its words in what an agent remembers.
"""

from tck.transport.http_json_client import HttpJsonClient
from tck.transport.jsonrpc_client import JsonRpcClient


def with_id(message):
    said = {"text": f"[{message.get('messageId', '')}]"}
    return {**message, "parts": [*message["parts"], said]}


def wrapped(send):
    def sending(self, message=None, **more):
        if isinstance(message, dict) and message.get("parts") and message["parts"][0].get("text"):
            message = with_id(message)
        return send(self, message=message, **more)

    return sending


for client in (JsonRpcClient, HttpJsonClient):
    for name in ("send_message", "send_streaming_message"):
        setattr(client, name, wrapped(getattr(client, name)))
