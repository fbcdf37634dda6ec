import { expect, it, vi } from "vitest";
import { advance, createTeam, isolated, runAlarm } from "../../bench.ts";
import { addWebhook, delivered, look, receive } from "./receiver.ts";

isolated();

const ADA = /ada@example|user_ada_1/i;

it("erasing a person erases their events, delivers none of them, and keeps those of others", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const { received, state } = receive(({ text }) => new Response(`got ${text}`, { status: 500 }));
  const team = await createTeam();
  const webhook = await addWebhook(team);
  await team.post("/contacts/create", { email: "Ada@Example.com", userId: "user_ada_1" });
  await team.post("/contacts/create", { email: "bob@example.com" });
  await delivered(team);
  const before = await team.everything();
  expect(before).toMatch(ADA);
  const erase = (dryRun: boolean) => team.admin("POST", "/erase", { emails: ["ada@example.com"], userIds: [], dryRun });
  expect((await erase(true)).json).toMatchObject({ dryRun: true, erased: { contacts: 1, outgoingWebhooks: 1 } });
  expect(await team.everything()).toBe(before);
  expect((await erase(false)).json).toMatchObject({ finished: true, erased: { contacts: 1, outgoingWebhooks: 1 } });
  expect(await team.everything()).not.toMatch(ADA);
  expect((await erase(false)).json.erased).not.toHaveProperty("outgoingWebhooks");

  const { data } = await look(team, webhook);
  expect(data).toMatchObject([
    { type: "contact.deleted", state: "waiting" },
    { type: "contact.created", state: "waiting" },
    { type: "contact.created", state: "discarded", nextAttemptAt: null, lastAttempts: [] },
  ]);
  state.answer = () => new Response("ok");
  received.splice(0);
  advance(86_400_000);
  await runAlarm(team.stub);
  await delivered(team);
  const since = new Date(Date.now() - 10 * 86_400_000).toISOString();
  expect((await team.admin("POST", `/webhooks/${webhook.id}/replay`, { since })).json.events).toBe(2);
  await delivered(team);
  expect(received).toHaveLength(4);
  for (const { text } of received) expect(text).not.toMatch(ADA);
});

it("a short user id is found too, and a delivered event keeps its state", async () => {
  const { received } = receive();
  const team = await createTeam();
  const webhook = await addWebhook(team);
  await team.put("/contacts/update", { userId: "u1" });
  await team.put("/contacts/update", { userId: "u2" });
  await delivered(team);
  expect(received).toHaveLength(2);
  await team.admin("POST", "/erase", { emails: [], userIds: ["u1"] });
  expect(await team.rows("SELECT payload IS NULL AS erased FROM webhook_events ORDER BY n")).toEqual([
    { erased: 1 },
    { erased: 0 },
    { erased: 0 },
  ]);
  await delivered(team);
  const { data } = await look(team, webhook);
  expect(data.map(({ state }: { state: string }) => state)).toEqual(["delivered", "delivered", "delivered"]);
});
