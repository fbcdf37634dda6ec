import { describe, expect, it } from "vitest";
import { seqOf } from "../../../../src/outbox/model/calls.ts";
import { timelineOf } from "../../../../src/outbox/operator/timeline.ts";
import type { PlannedCall } from "../../../../src/rules/types.ts";
import { failure } from "../host.ts";
import { createBench, event, mail, update } from "../setup.ts";

const MINUTE = 60_000;
const ADA = "ada@example.com";
const user = { userId: "u1" };
const tie = { userId: "u1", email: ADA };
const waiting = <C extends PlannedCall>(call: C) => ({ ...call, waitsForTie: true as const });
const removing = <C extends PlannedCall>(call: C) => ({ ...call, removes: true as const });
const conflict = () => failure(409, "two contacts", {}, "contact_conflict");

describe("a call by a user id alone", () => {
  it("waits for the address of the user, and is sent with it", async () => {
    const { accept, calls, host, pass, ask } = await createBench();
    const { id } = await accept({ source: "clerk", calls: [waiting(event(user))] });
    await pass(5_000);
    expect(host.received).toHaveLength(0);
    expect((await ask((outbox) => outbox.status())).forIdentity).toBe(1);
    await accept({ source: "clerk", links: [tie] });
    expect(await calls(id)).toMatchObject([{ state: "done" }]);
    expect(host.acted).toMatchObject([{ body: tie }]);
  });

  it("is sent alone after ten minutes, and later calls of the user do not wait again", async () => {
    const { accept, calls, host, pass } = await createBench();
    const { id } = await accept({ source: "clerk", calls: [waiting(event(user))] });
    await pass(10 * MINUTE - 1_000);
    expect(host.received).toHaveLength(0);
    expect(await calls(id, undefined, 5_000)).toMatchObject([{ state: "done" }]);
    expect(host.acted[0]?.body).toMatchObject(user);
    expect(host.acted[0]?.body).not.toHaveProperty("email");
    await calls((await accept({ source: "clerk", calls: [waiting(event(user))] })).id, undefined, 1_000);
  });

  it("does not wait where a value was written for the user, nor where the source tells no addresses", async () => {
    const { accept, calls } = await createBench();
    await calls((await accept({ calls: [update(user, { plan: "pro" })] })).id, undefined, 1_000);
    await calls((await accept({ source: "clerk", calls: [waiting(event(user))] })).id, undefined, 1_000);
    await calls((await accept({ calls: [event({ userId: "u2" })] })).id, undefined, 1_000);
  });

  it("still waits after a restart", async () => {
    const { accept, calls, host, pass, crash } = await createBench();
    const { id } = await accept({ source: "clerk", calls: [waiting(event(user))] });
    await crash();
    await pass(MINUTE);
    expect(host.received).toHaveLength(0);
    await accept({ source: "clerk", links: [tie] });
    expect(await calls(id)).toMatchObject([{ state: "done" }]);
  });
});

describe("a tie reaches the host", () => {
  it("also with an update whose values are all stale", async () => {
    const { accept, calls, host } = await createBench();
    await calls((await accept({ occurredAt: 2_000, calls: [update({ email: ADA }, { firstName: "Ada" })] })).id);
    const late = await accept({ occurredAt: 1_000, links: [tie], calls: [update(tie, { firstName: "A." })] });
    expect(await calls(late.id)).toMatchObject([{ state: "done" }]);
    expect(host.acted.map(({ body }) => body)).toEqual([{ email: ADA, firstName: "Ada" }, tie]);
  });

  it("and a late webhook does not bring a former address back", async () => {
    const { accept, calls, host } = await createBench();
    const moved = { userId: "u1", email: "ada@new.example" };
    await calls((await accept({ occurredAt: 2_000, links: [moved], calls: [update(moved, { city: "Paris" })] })).id);
    const late = await accept({ occurredAt: 1_000, links: [tie], calls: [update(tie, { plan: "pro" }), event(tie)] });
    await calls(late.id);
    await calls((await accept({ occurredAt: 3_000, calls: [event({ email: ADA })] })).id);
    const sent = host.acted.filter(({ method }) => method !== "GET");
    expect(sent.map(({ body: { userId, email } }) => ({ userId, email }))).toEqual([moved, moved, moved, moved]);
  });
});

describe("a former address whose link comes late", () => {
  const moved = { userId: "u1", email: "ada@new.example" };
  const contactOf = (more: object) => Response.json([{ id: "con_1", email: null, userId: null, ...more }]);

  it("leaves no contact of its own: the user gets its newer values, and it is deleted", async () => {
    const { accept, ask, calls, host } = await createBench();
    host.before = ({ method, body }) => {
      if (method !== "GET") return undefined;
      return body.userId
        ? contactOf({ ...moved, firstName: "Augusta", city: "Paris" })
        : contactOf({ email: ADA, firstName: "Ada", plan: "pro", city: "London", subscribed: false });
    };
    await calls(
      (await accept({ occurredAt: 1_000, calls: [update({ email: ADA }, { plan: "pro", city: "London" })] })).id,
    );
    await calls((await accept({ occurredAt: 3_000, links: [moved], calls: [update(moved, { city: "Paris" })] })).id);
    host.received.length = 0;
    const late = await accept({ occurredAt: 2_000, links: [tie] });
    expect(await calls(late.id)).toMatchObject([{ rule: "former address", state: "done" }]);
    expect(host.received.map(({ path, body }) => [path, body])).toEqual([
      ["/v1/contacts/find", { email: ADA }],
      ["/v1/contacts/find", { userId: "u1" }],
      ["/v1/contacts/update", { userId: "u1", subscribed: false, properties: { plan: "pro" }, mailingLists: {} }],
      ["/v1/contacts/find", { email: ADA }],
      ["/v1/contacts/delete", { email: ADA }],
    ]);
    const again = await ask((outbox) => outbox.sendAgain({ seq: seqOf(late.id) ?? 0, index: 0 }, true, "again"));
    expect(again).toMatchObject({ refusal: { code: "not_retryable" } });
  });

  it("is the only contact: the user gets one with the new address before it is deleted", async () => {
    const { accept, calls, host } = await createBench();
    host.before = ({ method, body }) =>
      method !== "GET" ? undefined : body.userId ? Response.json([]) : contactOf({ email: ADA });
    await accept({ occurredAt: 3_000, links: [moved] });
    const late = await accept({ occurredAt: 2_000, links: [tie] });
    expect(await calls(late.id)).toMatchObject([{ rule: "former address", state: "done" }]);
    expect(host.acted.filter(({ method }) => method !== "GET").map(({ path, body }) => [path, body])).toEqual([
      ["/v1/contacts/update", { ...moved, mailingLists: {} }],
      ["/v1/contacts/delete", { email: ADA }],
    ]);
  });

  it("moves its values also right behind updates of the user, which are sent in one request", async () => {
    const { accept, acceptAll, calls, host } = await createBench();
    host.before = ({ method, body }) =>
      method !== "GET" ? undefined : body.userId ? contactOf(moved) : contactOf({ email: ADA, plan: "pro" });
    await calls((await accept({ occurredAt: 3_000, links: [moved], calls: [update(moved, { city: "Paris" })] })).id);
    host.acted.length = 0;
    const [, , late] = await acceptAll([
      { occurredAt: 4_000, calls: [update(user, { city: "Rome" })] },
      { occurredAt: 4_001, calls: [update(user, { seats: 3 })] },
      { occurredAt: 2_000, links: [tie] },
    ]);
    await calls(late?.id ?? "");
    expect(host.acted.map(({ path, body }) => [path, body.properties])).toEqual([
      ["/v1/contacts/update", { city: "Rome", seats: 3 }],
      ["/v1/contacts/update", { plan: "pro" }],
      ["/v1/contacts/delete", undefined],
    ]);
  });

  it("does not subscribe a person again whose account was deleted", async () => {
    const { accept, calls, host } = await createBench();
    host.before = ({ method, body }) =>
      method !== "GET" ? undefined : body.userId ? contactOf(moved) : contactOf({ email: ADA, plan: "pro" });
    await calls((await accept({ occurredAt: 3_000, links: [moved], calls: [update(moved, { city: "Paris" })] })).id);
    await calls((await accept({ occurredAt: 4_000, calls: [removing(update(user, { subscribed: false }))] })).id);
    host.acted.length = 0;
    await calls((await accept({ occurredAt: 2_000, links: [tie] })).id);
    expect(host.acted.map(({ body }) => body)).toEqual([
      { userId: "u1", subscribed: false, properties: { plan: "pro" }, mailingLists: {} },
      { email: ADA },
    ]);
  });

  it.each([
    ["is another contact", [{ id: "con_2", email: ADA, userId: null }]],
    ["belongs to another user", [{ id: "con_1", email: ADA, userId: "u2" }]],
    ["is gone", []],
  ])("deletes nothing where the contact with the address %s by then, even after a timeout", async (_, later) => {
    const { accept, calls, host, pass } = await createBench();
    let deletions = 0;
    host.before = ({ method, path, body }) => {
      if (path === "/v1/contacts/delete") return ++deletions === 1 ? failure(503, "down") : undefined;
      if (method !== "GET") return undefined;
      return body.userId ? contactOf(moved) : deletions > 0 ? Response.json(later) : contactOf({ email: ADA });
    };
    await calls((await accept({ occurredAt: 3_000, links: [moved], calls: [update(moved, { city: "Paris" })] })).id);
    const late = await accept({ occurredAt: 2_000, links: [tie] });
    await pass(60_000);
    expect(await calls(late.id)).toMatchObject([{ state: "done", message: expect.stringContaining("no contact") }]);
    expect(deletions).toBe(1);
  });

  it("leaves an address alone that belongs to another user by now", async () => {
    const { accept, calls, host, pass } = await createBench();
    host.before = ({ method, path, body }) => {
      if (path === "/v1/contacts/update" && body.userId === "u1" && body.email === undefined)
        return failure(503, "down");
      if (method !== "GET") return undefined;
      return body.userId ? contactOf(moved) : contactOf({ email: ADA, city: "London" });
    };
    await calls((await accept({ occurredAt: 3_000, links: [moved], calls: [update(moved, { plan: "pro" })] })).id);
    const late = await accept({ occurredAt: 2_000, links: [tie] });
    await pass(10_000);
    await accept({ occurredAt: 4_000, links: [{ userId: "u2", email: ADA }] });
    expect(await calls(late.id, undefined, 3_600_000)).toMatchObject([
      { state: "skipped", message: expect.stringContaining("another user") },
    ]);
    expect(host.acted.filter(({ path }) => path === "/v1/contacts/delete")).toEqual([]);
    host.received.length = 0;
    const later = await accept({ occurredAt: 2_500, links: [tie] });
    expect(await calls(later.id)).toMatchObject([{ state: "skipped" }]);
    expect(host.received).toEqual([]);
  });

  it("makes one request where the host has no such contact, or one of another user", async () => {
    for (const found of [[], [{ id: "con_1", email: ADA, userId: "u2" }]]) {
      const { accept, calls, host } = await createBench();
      host.before = ({ method }) => (method === "GET" ? Response.json(found) : undefined);
      await calls((await accept({ occurredAt: 2_000, links: [moved], calls: [update(moved, { city: "Paris" })] })).id);
      host.received.length = 0;
      const late = await accept({ occurredAt: 1_000, links: [tie] });
      expect(await calls(late.id)).toMatchObject([{ state: "done", message: expect.stringContaining("no contact") }]);
      expect(host.received.map(({ path }) => path)).toEqual(["/v1/contacts/find"]);
    }
  });
});

describe("a conflict at the host", () => {
  it.each([400, 409])("with status %s: the call is sent once with the user id alone, and says so", async (status) => {
    const { accept, calls, host, webhook } = await createBench();
    host.before = ({ body }) =>
      body.email && body.userId ? failure(status, "two contacts", {}, "contact_conflict") : undefined;
    const { id } = await accept({ calls: [update(tie, { plan: "pro" }), event(tie)] });
    const settled = await calls(id);
    expect(settled.map(({ state, attempts }) => [state, attempts.length])).toEqual([
      ["done", 2],
      ["done", 2],
    ]);
    expect(host.acted.map(({ body }) => [body.userId, body.email])).toEqual([
      ["u1", undefined],
      ["u1", undefined],
    ]);
    const [, , first, second] = host.received;
    expect(first?.key).toBe(settled[1]?.key);
    expect(second?.key).toBe(first?.key);
    const shown = timelineOf(await webhook(id), [], host.now());
    expect(JSON.stringify(shown)).toContain("two contacts. The call is sent with the user id alone now.");
    expect(JSON.stringify(shown)).toContain("The host has two contacts for this person");
  });

  it("of a removal: it is sent with the user id, then with the address", async () => {
    const { accept, calls, host } = await createBench();
    host.before = ({ body }) => (body.email && body.userId ? conflict() : undefined);
    await accept({ links: [tie] });
    const { id } = await accept({ calls: [removing(update(user, { subscribed: false }))] });
    expect(await calls(id)).toMatchObject([{ state: "done" }]);
    expect(host.acted.map(({ body }) => body)).toEqual([
      { userId: "u1", subscribed: false },
      { email: ADA, subscribed: false },
    ]);
  });
});

describe("a removal", () => {
  it("of a person whom no webhook has named and the host does not have is done, and makes no contact", async () => {
    const { accept, calls, host } = await createBench();
    const { id } = await accept({ calls: [removing(update(user, { subscribed: false })), removing(event(user))] });
    expect(await calls(id)).toMatchObject([
      { state: "done", message: expect.stringContaining("The call makes none") },
      { state: "done", message: expect.stringContaining("The call makes none") },
    ]);
    expect(host.received.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["GET", "/v1/contacts/find", user],
      ["GET", "/v1/contacts/find", user],
    ]);
  });

  it("of a person whom only the host has reaches the contact there", async () => {
    const { accept, calls, host } = await createBench();
    host.before = ({ method }) => (method === "GET" ? Response.json([{ id: "con_1" }]) : undefined);
    const { id } = await accept({ calls: [removing(update(user, { subscribed: false }))] });
    expect(await calls(id)).toMatchObject([{ state: "done" }]);
    expect(host.acted.map(({ body }) => body)).toEqual([{ userId: "u1", subscribed: false }]);
  });

  it("by user id reaches the address of the user too", async () => {
    const { accept, calls, host } = await createBench();
    host.before = ({ method }) => (method === "GET" ? Response.json([{ id: "con_2", email: ADA }]) : undefined);
    await accept({ links: [tie] });
    const { id } = await accept({
      calls: [
        removing(update(user, { subscribed: false })),
        removing({ rule: "gone", action: "delete", contact: user, key: "gone" }),
      ],
    });
    await calls(id);
    expect(host.acted.map(({ path, body }) => [path, body])).toEqual([
      ["/v1/contacts/update", { ...tie, subscribed: false }],
      ["/v1/contacts/delete", user],
      ["/v1/contacts/delete", { email: ADA }],
    ]);
  });

  it("that deletes is remembered also where the host has no second contact with the address", async () => {
    const { accept, calls } = await createBench();
    await accept({ links: [tie] });
    const gone = { rule: "gone", action: "delete" as const, contact: user, key: "gone" };
    await calls((await accept({ occurredAt: 2_000, calls: [removing(gone)] })).id);
    const late = await accept({ occurredAt: 1_000, calls: [update({ email: ADA }, { plan: "pro" })] });
    expect(await calls(late.id)).toMatchObject([{ state: "superseded" }]);
  });

  it.each([
    ["has values", { firstName: "Ada" }],
    ["has a value of its own", { properties: { plan: "pro" } }],
    ["has joined a mailing list", { mailingLists: { list_1: true } }],
    ["was imported", { source: "CSV" }],
    ["belongs to a user", { userId: "u2" }],
  ])("of an unverified account leaves a contact alone that %s: the sign-up has not made it", async (_, found) => {
    const { accept, calls, host } = await createBench();
    host.before = ({ method }) =>
      method === "GET" ? Response.json([{ id: "con_1", email: ADA, ...found }]) : undefined;
    await calls((await accept({ links: [{ ...tie, strength: "unverified" }], calls: [event({ email: ADA })] })).id);
    const gone = { rule: "gone", action: "delete" as const, contact: user, key: "gone" };
    const { id } = await accept({ calls: [removing(update(user, { subscribed: false })), removing(gone)] });
    const message = expect.stringContaining("not made by the account");
    expect(await calls(id)).toMatchObject([
      { state: "done", message },
      { state: "done", message },
    ]);
    expect(host.acted.map(({ path }) => path)).toEqual(["/v1/events/send"]);
  });

  it("deletes no contact of another user who has the same address at the host", async () => {
    const { accept, calls, host } = await createBench();
    host.before = ({ method }) =>
      method === "GET" ? Response.json([{ id: "con_2", email: ADA, userId: "u2" }]) : undefined;
    await accept({ links: [tie] });
    const { id } = await accept({ calls: [removing({ rule: "gone", action: "delete", contact: user, key: "gone" })] });
    expect(await calls(id)).toMatchObject([{ state: "done", message: expect.stringContaining("another user") }]);
    expect(host.acted.map(({ path, body }) => [path, body])).toEqual([["/v1/contacts/delete", user]]);
  });

  it("of an unverified account reaches the contact that its sign-up has made", async () => {
    const { accept, calls, host } = await createBench();
    host.before = ({ method }) => (method === "GET" ? Response.json([{ id: "con_1" }]) : undefined);
    const unverified = { ...tie, strength: "unverified" as const };
    await calls((await accept({ links: [unverified], calls: [event({ email: ADA })] })).id);
    await calls((await accept({ calls: [removing(update(user, { subscribed: false }))] })).id);
    expect(host.acted.map(({ body }) => body)).toMatchObject([{ email: ADA }, { email: ADA, subscribed: false }]);
  });

  it.each([
    ["that has values of other webhooks", { calls: [update({ email: ADA }, { plan: "pro" })] }],
    ["that belongs to another user", { links: [{ userId: "u2", email: ADA }] }],
  ])("of an unverified account does not reach a contact %s", async (_, other) => {
    const { accept, calls, host } = await createBench();
    await calls((await accept(other)).id);
    await accept({ links: [{ ...tie, strength: "unverified" }] });
    host.received.length = 0;
    await calls((await accept({ calls: [removing(update(user, { subscribed: false }))] })).id);
    expect(host.received.map(({ method, body }) => [method, body])).toEqual([["GET", user]]);
  });

  it("is remembered: a webhook from before it that comes late does not subscribe the person again", async () => {
    const { accept, calls, host } = await createBench();
    await calls((await accept({ occurredAt: 2_000, calls: [removing(update(user, { subscribed: false }))] })).id);
    const late = await accept({ occurredAt: 1_000, links: [tie], calls: [update(tie, { city: "Paris" }), mail(tie)] });
    expect(await calls(late.id)).toMatchObject([{ state: "done" }, { state: "skipped" }]);
    expect(host.acted.filter(({ method }) => method !== "GET").map(({ body }) => body)).toEqual([
      { ...tie, properties: { city: "Paris" }, subscribed: false },
    ]);
  });

  it("stops calls by a user id that no webhook has tied to an address", async () => {
    const { accept, calls, host } = await createBench();
    await calls((await accept({ occurredAt: 2_000, calls: [removing(update(user, { subscribed: false }))] })).id);
    const late = await accept({ source: "clerk", occurredAt: 1_000, calls: [waiting(event(user))] });
    expect(await calls(late.id, undefined, 11 * MINUTE)).toMatchObject([{ state: "skipped" }]);
    expect(host.acted.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("of test data or in shadow mode stops no mail", async () => {
    const { accept, calls } = await createBench();
    await accept({ links: [tie] });
    await accept({ occurredAt: 2_000, skip: "test data", calls: [removing(update(user, { subscribed: false }))] });
    const late = await accept({ occurredAt: 1_000, calls: [mail(user)] });
    expect(await calls(late.id)).toMatchObject([{ state: "done" }]);
  });

  it("stops mail of a webhook that was accepted at the same moment", async () => {
    const { acceptAll, calls, host } = await createBench();
    const [, late] = await acceptAll([
      { occurredAt: 2_000, calls: [removing(update(user, { subscribed: false }))] },
      { occurredAt: 1_000, links: [tie], calls: [mail(tie)] },
    ]);
    expect(await calls(late?.id ?? "")).toMatchObject([{ state: "skipped" }]);
    expect(host.acted.filter(({ path }) => path === "/v1/transactional")).toEqual([]);
  });

  it("stops mail whose earlier attempt has an unknown outcome, and the ledger says that the mail may have been sent", async () => {
    const { accept, calls, host, waitFor } = await createBench();
    await accept({ links: [tie] });
    host.after = ({ path }) => (path === "/v1/transactional" ? failure(500, "down") : undefined);
    const { id } = await accept({ occurredAt: 1_000, calls: [mail(tie)] });
    await waitFor(() => expect(host.received).toHaveLength(1));
    await accept({ occurredAt: 2_000, calls: [removing(update(user, { subscribed: false }))] });
    const [call] = await calls(id);
    expect(call).toMatchObject({ state: "skipped", attempts: [{ status: 500 }] });
    expect(call?.message).toMatch(/^The person's account was deleted .* it may have been sent\.$/);
    expect(host.acted.filter(({ path }) => path === "/v1/transactional")).toHaveLength(1);
  });

  it("stops mail of earlier webhooks from the moment it is accepted", async () => {
    const { accept, calls, host } = await createBench();
    await accept({ links: [tie] });
    await accept({ occurredAt: 2_000, calls: [removing(update(user, { subscribed: false }))] });
    const late = await accept({ occurredAt: 1_000, calls: [mail({ email: ADA }), mail(user)] });
    expect(await calls(late.id)).toMatchObject([{ state: "skipped" }, { state: "skipped" }]);
    const receipt = await accept({ occurredAt: 3_000, calls: [mail({ email: ADA })] });
    expect(await calls(receipt.id)).toMatchObject([{ state: "done" }]);
    expect(host.acted.filter(({ path }) => path === "/v1/transactional")).toHaveLength(1);
  });
});
