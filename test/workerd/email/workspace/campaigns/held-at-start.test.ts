import { beforeEach, describe, expect, it, vi } from "vitest";
import { advance, createTeam, isolated, runAlarm, type Team } from "../../bench.ts";
import { act, addContacts, addReady } from "./ready-campaign.ts";

isolated();

const HOUR = 3_600_000;

let team: Team;
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  team = await createTeam();
  await team.post("/contacts/properties", { name: "seats", type: "number" });
  await addContacts(team, 20);
});

const seatsAbove = (value: number) => ({ type: "property", key: "seats", operator: "greaterThan", value });
const notSentBy = (id: string) => ({ type: "activity", action: "sent", negate: true, target: "workflow", id });
const all = (...conditions: object[]) => ({ match: "all", conditions });

const addWorkflow = async () => (await team.post("/workflows", { name: "W" })).json;
const deleteWorkflow = async ({ id, workflowRevisionId }: { id: string; workflowRevisionId: string }) => {
  const body = { expectedRevisionId: workflowRevisionId };
  expect((await team.send("DELETE", `/workflows/${id}`, { body })).status).toBe(204);
};
const addSegment = async (filter: object) => (await team.post("/audience-segments", { name: "S", filter })).json.id;
const editSegment = async (id: string, filter: object) => {
  const { status, json } = await team.admin("POST", `/audience-segments/${id}`, { name: "S", filter });
  expect(status, JSON.stringify(json)).toBe(200);
};

const schedule = async (fields: object): Promise<string> => {
  const scheduling = { method: "schedule", timestamp: Date.now() + HOUR };
  const { id } = await addReady(team, { scheduling, ...fields });
  const { json } = await act(team, id, "send", { expected: 20 });
  expect(json, JSON.stringify(json)).toMatchObject({ status: "Scheduled" });
  return id;
};
const run = async () => {
  for (let n = 0; n < 8; n++) {
    await runAlarm(team.stub);
    advance(1_500);
  }
};
const progressOf = async (id: string) => (await team.get(`/campaigns/${id}`)).json.delivery;
const waiting = async (id: string) =>
  (await team.admin("GET", `/campaigns/${id}/status`)).json.waiting.map(({ code }: { code: string }) => code);

describe("a segment that is edited after sending", () => {
  it("changes nothing, also where its new filter cannot be evaluated", async () => {
    const workflow = await addWorkflow();
    const segment = await addSegment(all(seatsAbove(-1)));
    const id = await schedule({ audienceSegmentId: segment });
    await editSegment(segment, all(seatsAbove(8), notSentBy(workflow.id)));
    await deleteWorkflow(workflow);
    advance(HOUR);
    await run();
    expect(await progressOf(id)).toMatchObject({ state: "done", recipients: 20, sent: 20 });
  });

  it("does not hide that the filter of sending names something that is gone", async () => {
    const workflow = await addWorkflow();
    const segment = await addSegment(all(notSentBy(workflow.id)));
    const id = await schedule({ audienceSegmentId: segment });
    await editSegment(segment, all(seatsAbove(8)));
    await deleteWorkflow(workflow);
    const estimate = await act(team, id, "estimate");
    expect([estimate.status, estimate.json.code, estimate.json.path]).toEqual([
      400,
      "campaign_not_ready",
      "audienceSegmentId",
    ]);
    expect(estimate.json.message).toMatch(
      /^The audience of the campaign cannot be evaluated\. The filter that the segment ".+" had when it was scheduled.+Unschedule the campaign and schedule it again: it takes the segment as it is then\.$/,
    );
    advance(HOUR);
    await run();
    expect(await progressOf(id)).toMatchObject({ state: "held", reason: "not_ready", recipients: 0, startedAt: null });
    expect(await waiting(id)).toEqual(["not_ready"]);
    expect((await act(team, id, "resume")).status).toBe(200);
    await run();
    expect(await progressOf(id)).toMatchObject({ state: "done", recipients: 2, sent: 2 });
  });
});

describe("a campaign that is held at its start", () => {
  it("goes on once its segment was fixed", async () => {
    const workflow = await addWorkflow();
    const segment = await addSegment(all(notSentBy(workflow.id)));
    const id = await schedule({ audienceSegmentId: segment });
    await deleteWorkflow(workflow);
    advance(HOUR);
    await run();
    expect(await waiting(id)).toEqual(["not_ready", "workflow_not_found"]);
    const refused = await act(team, id, "resume");
    expect([refused.status, refused.json.code]).toEqual([400, "campaign_not_ready"]);
    expect(refused.json.message).toMatch(/Fix that and resume it, or unschedule it to change it\.$/);
    await editSegment(segment, all(seatsAbove(8)));
    expect((await act(team, id, "resume")).status).toBe(200);
    await run();
    expect(await progressOf(id)).toMatchObject({ state: "done", recipients: 2, sent: 2 });
  });

  it("can be unscheduled, changed and sent again when its own filter names something that is gone", async () => {
    const workflow = await addWorkflow();
    const id = await schedule({ audienceFilter: all(notSentBy(workflow.id)) });
    await deleteWorkflow(workflow);
    advance(HOUR);
    await run();
    const locked = await team.post(`/campaigns/${id}`, { audienceFilter: null });
    expect([locked.status, locked.json.code]).toEqual([409, "campaign_not_draft"]);
    expect(locked.json.message).toContain("unschedule it first");
    const draft = await act(team, id, "unschedule");
    expect([draft.status, draft.json.status, draft.json.progress]).toEqual([200, "Draft", null]);
    expect((await act(team, id, "unschedule")).status).toBe(200);
    const changes = { audienceFilter: all(seatsAbove(8)), scheduling: { method: "now" } };
    expect((await team.post(`/campaigns/${id}`, changes)).status).toBe(200);
    expect((await act(team, id, "send", { expected: 2 })).json.status).toBe("Sending");
    await run();
    expect(await progressOf(id)).toMatchObject({ state: "done", recipients: 2, sent: 2 });
  });

  it("can be unscheduled when it is late, and takes the segment of the next request", async () => {
    const segment = await addSegment(all(seatsAbove(-1)));
    const id = await schedule({ audienceSegmentId: segment });
    advance(3 * HOUR);
    await run();
    expect(await progressOf(id)).toMatchObject({ state: "held", reason: "late" });
    await editSegment(segment, all(seatsAbove(8)));
    expect((await act(team, id, "unschedule")).json.status).toBe("Draft");
    await team.post(`/campaigns/${id}`, { scheduling: { method: "now" } });
    expect((await act(team, id, "send", { expected: 2 })).json.status).toBe("Sending");
    await run();
    expect(await progressOf(id)).toMatchObject({ state: "done", recipients: 2, sent: 2 });
  });

  it("keeps the filter of sending when it is late and is resumed", async () => {
    const segment = await addSegment(all(seatsAbove(-1)));
    const id = await schedule({ audienceSegmentId: segment });
    advance(3 * HOUR);
    await run();
    await editSegment(segment, all(seatsAbove(8)));
    expect((await act(team, id, "resume")).status).toBe(200);
    await run();
    expect(await progressOf(id)).toMatchObject({ state: "done", recipients: 20, sent: 20 });
  });

  it("takes the number of its resume for that of sending, and is held again with more recipients than that", async () => {
    const id = await schedule({});
    await addContacts(team, 100, 100);
    advance(3 * HOUR);
    await run();
    expect((await act(team, id, "resume", { expected: 30 })).status).toBe(200);
    await run();
    expect(await progressOf(id)).toMatchObject({ state: "held", reason: "more_recipients", recipients: 120, sent: 0 });
    const { status, json } = await act(team, id, "resume");
    expect([status, json]).toMatchObject([409, { code: "audience_changed", recipients: 120, confirmed: 30 }]);
  });

  it("goes to all of them where the resume has confirmed their number", async () => {
    const id = await schedule({});
    await addContacts(team, 100, 100);
    advance(3 * HOUR);
    await run();
    expect((await act(team, id, "resume", { expected: 120 })).status).toBe(200);
    await run();
    expect(await progressOf(id)).toMatchObject({ state: "done", sent: 120 });
  });

  it("is resumed with no number once its recipients are fixed: they are asked for no more", async () => {
    const id = await schedule({});
    await team.run("UPDATE campaigns SET status = 'Sending', state = 'held', reason = 'bounce_rate', max_contact = 20");
    const { status, json } = await act(team, id, "resume", { expected: 20 });
    expect([status, json.code, json.path]).toEqual([400, "invalid_request", "expected"]);
    expect(json.message).toMatch(/recipients of the campaign are fixed.* Resume it without expected\.$/);
    expect((await act(team, id, "resume")).status).toBe(200);
    expect((await act(team, id, "resume", { expected: 20 })).status).toBe(200);
  });

  it("cannot be unscheduled once it has begun", async () => {
    const id = await schedule({});
    await team.run("UPDATE campaigns SET status = 'Sending', state = 'held', reason = 'bounce_rate', max_contact = 20");
    const { status, json } = await act(team, id, "unschedule");
    expect([status, json.code]).toEqual([409, "campaign_not_scheduled"]);
  });
});

it("a campaign that is sending goes on when its list is archived", async () => {
  const list = (await team.admin("POST", "/lists", { name: "News" })).json.id;
  await team.run(
    "UPDATE contacts SET data = jsonb_set(data, '$.mailingLists', jsonb(?))",
    JSON.stringify({ [list]: true }),
  );
  const { id } = await addReady(team, { mailingListId: list });
  expect((await act(team, id, "send", { expected: 20 })).json.status).toBe("Sending");
  expect((await team.admin("POST", `/lists/${list}`, { isArchived: true })).status).toBe(200);
  await run();
  expect(await progressOf(id)).toMatchObject({ state: "done", recipients: 20, sent: 20 });
});
