"""Calls every method of pyloops for which the service has the operation. Arguments: base address, API key, mailing list."""

import asyncio
import inspect
import sys

import pyloops

base_url, api_key, mailing_list = sys.argv[1:]
client = pyloops.LoopsClient(api_key=api_key, base_url=base_url)
EMAIL = "ada@example.com"
called = set()


async def call(name, /, *args, **kwargs):
    await asyncio.sleep(0.11)
    called.add(name)
    return await getattr(client, name)(*args, **kwargs)


async def refused(name, *args, **kwargs):
    try:
        answer = await call(name, *args, **kwargs)
    except pyloops.LoopsError as error:
        return error
    raise AssertionError(f"{name} answered {answer}")


async def groups(kind):
    group = await call(f"create_{kind}_group", "News", description="Monthly")
    assert (await call(f"get_{kind}_group", group.id)).description == "Monthly"
    assert (await call(f"update_{kind}_group", group.id, name="Letters")).name == "Letters"
    assert group.id in [found.id for found in (await call(f"list_{kind}_groups", per_page=10)).data]
    return group.id


async def content():
    await groups("campaign")
    campaign = await call("create_campaign", "Spring sale")
    assert campaign.email_message_id.startswith("msg_"), campaign
    assert (await call("update_campaign", campaign.id, name="Summer sale")).name == "Summer sale"
    assert (await call("get_campaign", campaign.id)).name == "Summer sale"
    assert (await call("get_campaign_metrics", campaign.id)).sends == 0
    assert campaign.id in [found.id for found in (await call("list_campaigns", per_page=10)).data]
    group = await groups("transactional")
    theme = await call("create_theme", "Loud", styles={"bodyColor": "#ffffff"})
    assert (await call("update_theme", theme.id, name="Quiet")).name == "Quiet"
    assert (await call("get_theme", theme.id)).name == "Quiet"
    assert theme.id in [found.id for found in (await call("list_themes", per_page=10)).data]
    component = await call("create_component", "Footer", "<Paragraph>Bye</Paragraph>")
    assert (await call("update_component", component.id, name="End")).name == "End"
    assert (await call("get_component", component.id)).name == "End"
    assert (await call("list_components", per_page=10)).pagination.total_results == 1

    span = {"from": "2026-01-01T00:00:00+00:00", "to": "2026-12-31T00:00:00+00:00"}
    conditions = [
        {"type": "property", "key": "createdAt", "operator": "between", "value": span},
        {"type": "property", "key": "subscribed", "operator": "isTrue"},
        {"type": "optIn", "status": "accepted"},
    ]
    segment = await call("create_audience_segment", "This year", {"match": "all", "conditions": conditions})
    assert [found.to_dict()["type"] for found in segment.filter_.conditions] == ["property", "property", "optIn"], segment
    assert (await call("get_audience_segment", segment.id)).name == "This year"
    assert segment.id in [found.id for found in (await call("list_audience_segments", per_page=10)).data]
    await refused("create_audience_segment", "THIS YEAR", {"match": "all", "conditions": conditions})

    template = await call("create_transactional_template", "Own", transactional_group_id=group)
    message = template.draft_email_message_id
    lmx = "<Paragraph>Hello {data.name}</Paragraph>"
    fields = {"subject": "Hi", "from_name": "Acme", "from_email": "hello", "lmx": lmx}
    assert (await call("update_email_message", message, **fields)).subject == "Hi"
    assert (await call("get_email_message", message)).lmx == lmx
    assert (await call("get_email_message_guardian", message)).errors == []
    assert (await call("preview_email_message", message, ["eve@example.com"], data_variables={"name": "Eve"})).id == message
    assert (await call("publish_transactional_template", template.id)).published_email_message_id == message
    assert (await call("draft_transactional_template", template.id)).draft_email_message_id != message
    assert (await call("update_transactional_template", template.id, name="Mine")).name == "Mine"
    metrics = await call("get_transactional_template_metrics", template.id)
    assert (metrics.sends, metrics.deliveries, metrics.hard_bounces) == (0, 0, 0), metrics

    upload = await call("create_upload", "image/png", 100)
    assert upload.presigned_url.startswith(base_url)
    await refused("complete_upload", upload.email_asset_id)


async def main():
    assert await call("health") is True
    await call("create_contact_property", "planName", "string")
    assert "planName" in [found.key for found in await call("list_contact_properties")]
    assert [found.id for found in await call("list_mailing_lists")] == [mailing_list]

    lists = {mailing_list: True}
    created = await call("create_contact", EMAIL, user_id="u1", first_name="Ada", mailing_lists=lists, planName="pro")
    assert isinstance(await refused("create_contact", EMAIL), pyloops.LoopsContactExistsError)
    updated = await call("upsert_contact", user_id="u1", last_name="Lovelace", planName="team")
    assert updated.id == created.id
    [found] = await call("find_contact", email=EMAIL)
    assert (found.first_name, found.last_name, found.user_id) == ("Ada", "Lovelace", "u1"), found
    assert (found.additional_properties["planName"], found.mailing_lists.to_dict()) == ("team", lists), found
    await refused("upsert_contact", email="a..b@example.com")

    assert (await call("get_contact_suppression", user_id="u1")).is_suppressed is True
    assert (await call("remove_contact_suppression", email=EMAIL)).removal_quota.remaining == 99

    event = {"event_name": "signedUp", "email": EMAIL, "event_properties": {"plan": "pro"}, "idempotency_key": "k1"}
    await call("send_event", **event)
    await refused("send_event", **event)
    # Published is null or a platform. pyloops knows the text "null" only, and cannot read this answer of any host.
    for name, argument in (("list_event_patterns", 10), ("get_event_pattern", "evp"), ("get_event_pattern_by_name", "signedUp")):
        try:
            await call(name, argument)
        except ValueError as error:
            assert str(error).startswith("None is not a valid EventPattern"), error
        except pyloops.LoopsError as error:
            assert name == "get_event_pattern", error

    await call("send_transactional_email", "tpl_welcome", EMAIL, data_variables={"name": "Ada"}, add_to_audience=True)
    await refused("send_transactional_email", "tpl_receipt", EMAIL)
    page = await call("list_transactional_emails", per_page=10)
    assert (page.pagination.total_results, page.pagination.next_page) == (10, None)
    assert (await call("list_transactional_templates")).pagination.total_results == 10
    assert (await call("get_transactional_template", "tpl_welcome")).data_variables == ["company", "name", "website"]
    assert await call("get_transactional_variables", "tpl_welcome") == ["company", "name", "website"]
    assert await call("list_sending_ips") == ["192.0.2.1"]

    await content()

    assert await call("delete_contact", user_id="u1") is True
    assert await call("delete_contact", user_id="u1") is False
    assert not await call("find_contact", email=EMAIL)


asyncio.run(main())

# The service has no test of workflows with this client yet. Their groups are older.
LATER = ("workflow",)
methods = {
    name
    for name, _ in inspect.getmembers(client, inspect.iscoroutinefunction)
    if not name.startswith("_") and (name in called or not any(word in name for word in LATER))
}
assert methods == called, methods ^ called
print(f"{len(called)} methods")
