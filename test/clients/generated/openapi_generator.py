"""Calls operations through a client of openapi-generator. Arguments: base address, API key, mailing list, rounds."""

import datetime
import sys
import time

import openapi_client as api

base_url, api_key, mailing_list, rounds = sys.argv[1:]
client = api.ApiClient(api.Configuration(host=base_url, access_token=api_key))
calls = 0
NEXT_MONTH = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=30)).strftime("%Y-%m-%dT%H:%M:%SZ")


def call(method, *args, **kwargs):
    global calls
    calls += 1
    time.sleep(0.11)
    return method(*args, **kwargs)


def people(number):
    email = f"person{number}@example.com"
    contacts = api.ContactsApi(client)
    create = api.ContactsCreateRequest(email=email, firstName="Ada", mailingLists={mailing_list: True})
    stored = call(contacts.contacts_create, create)
    (found,) = call(contacts.contacts_find, email=email)
    assert found.id == stored.id and found.first_name == "Ada" and found.last_name is None, found
    event = api.EventsSendRequest(email=email, eventName="signedUp")
    assert call(api.EventsApi(client).events_send, event).success


def marketing(number):
    condition = api.PropertyCondition(
        type="property", key="userGroup", operator="equals", value=api.PropertyConditionValue("europe")
    )
    opted = api.OptInCondition(type="optIn", status=None)
    audience = api.AudienceFilter(
        match="all", conditions=[api.AudienceCondition(condition), api.AudienceCondition(opted)]
    )
    request = api.AudienceSegmentsCreateRequest(name=f"Europe {number}", filter=audience)
    segment = call(api.AudienceSegmentsApi(client).audience_segments_create, request)
    first, second = (one.actual_instance for one in segment.filter.conditions)
    assert first.value.actual_instance == "europe" and second.status is None, segment
    styles = api.ThemeStyleChanges(bodyXPadding=32, textLinkColor="#4f46e5")
    theme = call(api.ThemesApi(client).themes_create, api.ThemesCreateRequest(name="Brand", styles=styles))
    assert theme.styles.body_x_padding == 32 and theme.styles.heading1_font_size == 28, theme
    when = api.CampaignSchedulingRequest(
        method="schedule", timestamp=api.CampaignSchedulingRequestTimestamp(NEXT_MONTH)
    )
    request = api.CampaignsCreateRequest(name="Sale", audienceSegmentId=segment.id, scheduling=when)
    campaign = call(api.CampaignsApi(client).campaigns_create, request)
    assert campaign.scheduling.timestamp == NEXT_MONTH.replace("Z", ".000Z"), campaign


def workflows():
    service = api.WorkflowsApi(client)
    created = call(service.workflows_create, api.WorkflowsCreateRequest(name="Trial"))
    workflow = call(service.workflows_get, created.id)
    kinds = sorted(type(node.actual_instance).__name__ for node in workflow.nodes.values())
    assert kinds == ["WorkflowBlankTrigger", "WorkflowExitAction"], kinds
    request = api.WorkflowsCreateNodeRequest(
        expectedRevisionId=workflow.workflow_revision_id,
        insertMode="after",
        nodeTypeName="TimerAction",
        fromNodeId=workflow.root_node_id,
    )
    added = call(service.workflows_create_node, workflow.id, request)
    timer = added.node.actual_instance
    assert isinstance(timer, api.WorkflowAddedTimerAction), timer
    change = api.WorkflowsUpdateNodeRequest(
        expectedRevisionId=timer.workflow_revision_id, payload=api.WorkflowNodePayload(amount=3, unit="d")
    )
    changed = call(service.workflows_update_node, workflow.id, timer.id, change).actual_instance
    assert changed.workflow.workflow_revision_id == changed.workflow_revision_id, changed
    read = call(service.workflows_get_node, workflow.id, timer.id).actual_instance
    assert isinstance(read, api.WorkflowFullTimerAction) and read.amount == 3 and read.unit == "d", read


for number in range(int(rounds)):
    people(number)
    marketing(number)
    workflows()
try:
    call(api.WorkflowsApi(client).workflows_get, "wfl_none")
    raise AssertionError("an unknown workflow was found")
except api.exceptions.NotFoundException as error:
    assert error.data.code == "workflow_not_found", error
print(f"{calls} calls")
