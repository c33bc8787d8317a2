"""The official SDK as a client of a gateway: everything a caller does, by both bindings."""

import asyncio
import os
import sys
import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import a2a_pb2 as a2a

URL = os.environ["SELVEDGE_URL"]
TEN = "One two three four five six seven eight nine ten."


def message(text, **more):
    return a2a.Message(message_id=str(uuid.uuid4()), role=a2a.ROLE_USER, parts=[a2a.Part(text=text)], **more)


async def said(client, text, **more):
    """Every response to a message."""
    request = a2a.SendMessageRequest(message=message(text, **more))
    return [response async for response in client.send_message(request)]


def state(response):
    which = response.WhichOneof("payload")
    if which == "task":
        return response.task.status.state
    return response.status_update.status.state if which == "status_update" else None


async def converse(client):
    """A stream, its task, a conversation that goes on, and a list."""
    responses = await said(client, "[stream]")
    task = responses[0].task
    assert task.id and task.context_id, responses
    states = [state(response) for response in responses if state(response) is not None]
    assert states[-1] == a2a.TASK_STATE_COMPLETED, states
    chunks = [response.artifact_update for response in responses if response.HasField("artifact_update")]
    text = ""
    for chunk in chunks:
        text = (text if chunk.append else "") + chunk.artifact.parts[0].text
    assert text == TEN, chunks
    shown = await client.get_task(a2a.GetTaskRequest(id=task.id))
    assert shown.artifacts[0].parts[0].text == TEN, shown
    await said(client, "[stream]", context_id=task.context_id)
    listed = await client.list_tasks(a2a.ListTasksRequest(context_id=task.context_id))
    assert listed.total_size == 2 and len(listed.tasks) == 2, listed


async def answer(client):
    """A question, and its answer."""
    responses = await said(client, "[approve]")
    assert state(responses[-1]) == a2a.TASK_STATE_INPUT_REQUIRED, responses
    task = responses[0].task
    responses = await said(client, "yes", task_id=task.id, context_id=task.context_id)
    assert state(responses[-1]) == a2a.TASK_STATE_COMPLETED, responses


async def cancel(client):
    """A task that is cancelled, twice; and one that nobody knows."""
    request = a2a.SendMessageRequest(
        message=message("[slow]"), configuration=a2a.SendMessageConfiguration(return_immediately=True)
    )
    async for response in client.send_message(request):
        task = response.task
        break
    cancelled = await client.cancel_task(a2a.CancelTaskRequest(id=task.id))
    assert cancelled.status.state == a2a.TASK_STATE_CANCELED, cancelled
    for ask, error in [
        (client.cancel_task(a2a.CancelTaskRequest(id=task.id)), "TaskNotCancelableError"),
        (client.get_task(a2a.GetTaskRequest(id=str(uuid.uuid4()))), "TaskNotFoundError"),
    ]:
        try:
            await ask
            raise AssertionError(f"{error} was expected")
        except AssertionError:
            raise
        except Exception as raised:
            assert type(raised).__name__ == error, (type(raised), raised)


async def notify(client):
    """Whom to tell is kept, listed and removed."""
    responses = await said(client, "[approve]")
    task = responses[0].task.id
    config = a2a.TaskPushNotificationConfig(task_id=task, id="mine", url="https://example.org/hear")
    made = await client.create_task_push_notification_config(config)
    assert made.id == "mine", made
    listed = await client.list_task_push_notification_configs(a2a.ListTaskPushNotificationConfigsRequest(task_id=task))
    assert [it.id for it in listed.configs] == ["mine"], listed
    await client.delete_task_push_notification_config(
        a2a.DeleteTaskPushNotificationConfigRequest(task_id=task, id="mine")
    )
    await client.cancel_task(a2a.CancelTaskRequest(id=task))


async def main():
    headers = {"Authorization": f"Bearer {os.environ['SELVEDGE_TOKEN']}"}
    async with httpx.AsyncClient(headers=headers, timeout=60, trust_env=False) as http:
        card = await A2ACardResolver(http, URL).get_agent_card()
        assert card.name == "Helper", card
        for binding in ["JSONRPC", "HTTP+JSON"]:
            config = ClientConfig(httpx_client=http, supported_protocol_bindings=[binding])
            client = ClientFactory(config).create(card)
            for case in [converse, answer, cancel, notify]:
                await case(client)
                print(f"{binding}: {case.__name__} ok")
            extended = await client.get_extended_agent_card(a2a.GetExtendedAgentCardRequest())
            assert extended.name == "Helper", extended


asyncio.run(main())
sys.exit(0)
