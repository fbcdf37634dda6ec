"""Calls operations through a client of openapi-python-client. Arguments: base address, API key, mailing list, rounds."""

import datetime
import sys
import time

from mailspan import AuthenticatedClient
from mailspan import models
from mailspan.api.audience_segments import audience_segments_create
from mailspan.api.campaigns import campaigns_create
from mailspan.api.contacts import contacts_create, contacts_find
from mailspan.api.events import events_send
from mailspan.api.themes import themes_create
from mailspan.api.workflows import (
    workflows_create,
    workflows_create_node,
    workflows_get,
    workflows_get_node,
    workflows_update_node,
)

base_url, api_key, mailing_list, rounds = sys.argv[1:]
client = AuthenticatedClient(base_url=base_url, token=api_key)
calls = 0
NEXT_MONTH = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=30)).strftime("%Y-%m-%dT%H:%M:%SZ")


def call(operation, *args, **kwargs):
    global calls
    calls += 1
    time.sleep(0.11)
    answer = operation.sync(*args, client=client, **kwargs)
    assert answer is not None and not isinstance(answer, models.Error), answer
    return answer


def people(number):
    email = f"person{number}@example.com"
    lists = models.ContactsCreateBodyMailingListsType0.from_dict({mailing_list: True})
    stored = call(contacts_create, body=models.ContactsCreateBody(email=email, first_name="Ada", mailing_lists=lists))
    (found,) = call(contacts_find, email=email)
    assert found.id == stored.id and found.first_name == "Ada" and found.last_name is None, found
    assert call(events_send, body=models.EventsSendBody(email=email, event_name="signedUp")).success


def marketing(number):
    operator = models.PropertyConditionOperator("equals")
    conditions = [
        models.PropertyCondition(type_="property", key="userGroup", operator=operator, value="europe"),
        models.OptInCondition(type_="optIn", status=None),
    ]
    audience = models.AudienceFilter(match=models.AudienceFilterMatch("all"), conditions=conditions)
    body = models.AudienceSegmentsCreateBody(name=f"Europe {number}", filter_=audience)
    segment = call(audience_segments_create, body=body)
    first, second = segment.filter_.conditions
    assert first.value == "europe" and second.status is None, segment
    styles = models.ThemeStyleChanges(body_x_padding=32, text_link_color="#4f46e5")
    theme = call(themes_create, body=models.ThemesCreateBody(name="Brand", styles=styles))
    assert theme.styles.body_x_padding == 32 and theme.styles.heading_1_font_size == 28, theme
    method = models.CampaignSchedulingRequestMethod("schedule")
    when = models.CampaignSchedulingRequest(method=method, timestamp=NEXT_MONTH)
    body = models.CampaignsCreateBody(name="Sale", audience_segment_id=segment.id, scheduling=when)
    campaign = call(campaigns_create, body=body)
    assert campaign.scheduling.timestamp == NEXT_MONTH.replace("Z", ".000Z"), campaign


def workflows():
    created = call(workflows_create, body=models.WorkflowsCreateBody(name="Trial"))
    workflow = call(workflows_get, created.id)
    kinds = sorted(type(node).__name__ for node in workflow.nodes.additional_properties.values())
    assert kinds == ["WorkflowBlankTrigger", "WorkflowExitAction"], kinds
    body = models.WorkflowsCreateNodeBody(
        expected_revision_id=workflow.workflow_revision_id,
        insert_mode=models.WorkflowsCreateNodeBodyInsertMode("after"),
        node_type_name=models.WorkflowsCreateNodeBodyNodeTypeName("TimerAction"),
        from_node_id=workflow.root_node_id,
    )
    timer = call(workflows_create_node, workflow.id, body=body).node
    assert isinstance(timer, models.WorkflowAddedTimerAction), timer
    payload = models.WorkflowNodePayload(amount=3, unit=models.WorkflowNodePayloadUnit("d"))
    body = models.WorkflowsUpdateNodeBody(expected_revision_id=timer.workflow_revision_id, payload=payload)
    changed = call(workflows_update_node, workflow.id, timer.id, body=body)
    assert changed.workflow.workflow_revision_id == changed.workflow_revision_id, changed
    read = call(workflows_get_node, workflow.id, timer.id)
    assert isinstance(read, models.WorkflowFullTimerAction) and read.amount == 3 and read.unit == "d", read


for number in range(int(rounds)):
    people(number)
    marketing(number)
    workflows()
unknown = workflows_get.sync("wfl_none", client=client)
assert isinstance(unknown, models.Error) and unknown.code == "workflow_not_found", unknown
print(f"{calls + 1} calls")
