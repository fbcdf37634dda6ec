"""Calls every method of pyloops for which the service has the operation. Arguments: base address, API key, mailing list."""

import asyncio
import inspect
import sys

import pyloops

base_url, api_key, mailing_list = sys.argv[1:]
client = pyloops.LoopsClient(api_key=api_key, base_url=base_url)
EMAIL = "ada@example.com"
called = set()


async def call(name, *args, **kwargs):
    await asyncio.sleep(0.11)
    called.add(name)
    return await getattr(client, name)(*args, **kwargs)


async def refused(name, *args, **kwargs):
    try:
        answer = await call(name, *args, **kwargs)
    except pyloops.LoopsError as error:
        return error
    raise AssertionError(f"{name} answered {answer}")


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
    assert (page.pagination.total_results, page.pagination.next_page) == (8, None)
    assert (await call("list_transactional_templates")).pagination.total_results == 8
    assert (await call("get_transactional_template", "tpl_welcome")).data_variables == ["company", "name", "website"]
    assert await call("get_transactional_variables", "tpl_welcome") == ["company", "name", "website"]
    assert await call("list_sending_ips") == ["192.0.2.1"]

    assert await call("delete_contact", user_id="u1") is True
    assert await call("delete_contact", user_id="u1") is False
    assert not await call("find_contact", email=EMAIL)


asyncio.run(main())

LATER = ("campaign", "component", "theme", "email_message", "upload", "workflow", "audience_segment", "group", "metrics")
LATER_TEMPLATES = {f"{verb}_transactional_template" for verb in ("create", "update", "draft", "publish")}
methods = {
    name
    for name, _ in inspect.getmembers(client, inspect.iscoroutinefunction)
    if not name.startswith("_") and not any(word in name for word in LATER)
}
assert methods - LATER_TEMPLATES == called, (methods - LATER_TEMPLATES) ^ called
print(f"{len(called)} methods")
