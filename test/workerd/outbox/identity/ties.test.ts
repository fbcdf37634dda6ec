import { describe, expect, it } from "vitest";
import { seqOf } from "../../../../src/outbox/model/delivery-state.ts";
import { timelineOf } from "../../../../src/outbox/operator/timeline.ts";
import type { PlannedDelivery } from "../../../../src/rules/types.ts";
import { failure } from "../service.ts";
import { createBench, event, mail, update } from "../setup.ts";

const MINUTE = 60_000;
const ADA = "ada@example.com";
const user = { userId: "u1" };
const tie = { userId: "u1", email: ADA };
const waiting = <C extends PlannedDelivery>(delivery: C) => ({ ...delivery, waitsForTie: true as const });
const removing = <C extends PlannedDelivery>(delivery: C) => ({ ...delivery, removes: true as const });
const conflict = () => failure(409, "two contacts", {}, "contact_conflict");

describe("a delivery by a user id alone", () => {
  it("waits for the address of the user, and is sent with it", async () => {
    const { accept, deliveries, service, pass, ask } = await createBench();
    const { id } = await accept({ source: "clerk", deliveries: [waiting(event(user))] });
    await pass(5_000);
    expect(service.received).toHaveLength(0);
    expect((await ask((outbox) => outbox.status())).forIdentity).toBe(1);
    await accept({ source: "clerk", links: [tie] });
    expect(await deliveries(id)).toMatchObject([{ state: "done" }]);
    expect(service.acted).toMatchObject([{ body: tie }]);
  });

  it("is sent alone after ten minutes, and later deliveries of the user do not wait again", async () => {
    const { accept, deliveries, service, pass } = await createBench();
    const { id } = await accept({ source: "clerk", deliveries: [waiting(event(user))] });
    await pass(10 * MINUTE - 1_000);
    expect(service.received).toHaveLength(0);
    expect(await deliveries(id, undefined, 5_000)).toMatchObject([{ state: "done" }]);
    expect(service.acted[0]?.body).toMatchObject(user);
    expect(service.acted[0]?.body).not.toHaveProperty("email");
    await deliveries((await accept({ source: "clerk", deliveries: [waiting(event(user))] })).id, undefined, 1_000);
  });

  it("does not wait where a value was written for the user, nor where the source tells no addresses", async () => {
    const { accept, deliveries } = await createBench();
    await deliveries((await accept({ deliveries: [update(user, { plan: "pro" })] })).id, undefined, 1_000);
    await deliveries((await accept({ source: "clerk", deliveries: [waiting(event(user))] })).id, undefined, 1_000);
    await deliveries((await accept({ deliveries: [event({ userId: "u2" })] })).id, undefined, 1_000);
  });

  it("still waits after a restart", async () => {
    const { accept, deliveries, service, pass, crash } = await createBench();
    const { id } = await accept({ source: "clerk", deliveries: [waiting(event(user))] });
    await crash();
    await pass(MINUTE);
    expect(service.received).toHaveLength(0);
    await accept({ source: "clerk", links: [tie] });
    expect(await deliveries(id)).toMatchObject([{ state: "done" }]);
  });
});

describe("a tie reaches the email service", () => {
  it("also with an update whose values are all stale", async () => {
    const { accept, deliveries, service } = await createBench();
    await deliveries(
      (await accept({ occurredAt: 2_000, deliveries: [update({ email: ADA }, { firstName: "Ada" })] })).id,
    );
    const late = await accept({ occurredAt: 1_000, links: [tie], deliveries: [update(tie, { firstName: "A." })] });
    expect(await deliveries(late.id)).toMatchObject([{ state: "done" }]);
    expect(service.acted.map(({ body }) => body)).toEqual([{ email: ADA, firstName: "Ada" }, tie]);
  });

  it("and a late webhook does not bring a former address back", async () => {
    const { accept, deliveries, service } = await createBench();
    const moved = { userId: "u1", email: "ada@new.example" };
    await deliveries(
      (await accept({ occurredAt: 2_000, links: [moved], deliveries: [update(moved, { city: "Paris" })] })).id,
    );
    const late = await accept({
      occurredAt: 1_000,
      links: [tie],
      deliveries: [update(tie, { plan: "pro" }), event(tie)],
    });
    await deliveries(late.id);
    await deliveries((await accept({ occurredAt: 3_000, deliveries: [event({ email: ADA })] })).id);
    const sent = service.acted.filter(({ method }) => method !== "GET");
    expect(sent.map(({ body: { userId, email } }) => ({ userId, email }))).toEqual([moved, moved, moved, moved]);
  });
});

describe("an older update that tells the newest address", () => {
  it("outlives no deletion that happened after it, and before the address was learned", async () => {
    const { accept, deliveries, service } = await createBench();
    await accept({ occurredAt: 3_000, links: [tie] });
    await deliveries((await accept({ occurredAt: 1_000, deliveries: [update(tie, { city: "Paris" })] })).id);
    const gone = { rule: "gone", action: "delete" as const, contact: user, key: "gone" };
    expect(await deliveries((await accept({ occurredAt: 2_000, deliveries: [gone] })).id)).toMatchObject([
      { state: "done" },
    ]);
    expect(service.acted.at(-1)).toMatchObject({ path: "/v1/contacts/delete", body: user });
  });

  it("keeps an update between the two from telling the address before it", async () => {
    const { accept, deliveries, service } = await createBench();
    await accept({ occurredAt: 3_000, links: [tie] });
    await deliveries((await accept({ occurredAt: 1_000, deliveries: [update(tie, { city: "Paris" })] })).id);
    const former = { userId: "u1", email: "ada@former.example" };
    await deliveries((await accept({ occurredAt: 2_000, deliveries: [update(former, { city: "Rome" })] })).id);
    expect(service.acted.map(({ body: { userId, email } }) => ({ userId, email }))).toEqual([tie, tie]);
  });
});

describe("a former address whose link comes late", () => {
  const moved = { userId: "u1", email: "ada@new.example" };
  const contactOf = (more: object) => Response.json([{ id: "con_1", email: null, userId: null, ...more }]);

  it("leaves no contact of its own: the user gets its newer values, and it is deleted", async () => {
    const { accept, ask, deliveries, service } = await createBench();
    service.before = ({ method, body }) => {
      if (method !== "GET") return undefined;
      return body.userId
        ? contactOf({ ...moved, firstName: "Augusta", city: "Paris" })
        : contactOf({ email: ADA, firstName: "Ada", plan: "pro", city: "London", subscribed: false });
    };
    await deliveries(
      (await accept({ occurredAt: 1_000, deliveries: [update({ email: ADA }, { plan: "pro", city: "London" })] })).id,
    );
    await deliveries(
      (await accept({ occurredAt: 3_000, links: [moved], deliveries: [update(moved, { city: "Paris" })] })).id,
    );
    service.received.length = 0;
    const late = await accept({ occurredAt: 2_000, links: [tie] });
    expect(await deliveries(late.id)).toMatchObject([{ rule: "former address", state: "done" }]);
    expect(service.received.map(({ path, body }) => [path, body])).toEqual([
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
    const { accept, deliveries, service } = await createBench();
    service.before = ({ method, body }) =>
      method !== "GET" ? undefined : body.userId ? Response.json([]) : contactOf({ email: ADA });
    await accept({ occurredAt: 3_000, links: [moved] });
    const late = await accept({ occurredAt: 2_000, links: [tie] });
    expect(await deliveries(late.id)).toMatchObject([{ rule: "former address", state: "done" }]);
    expect(service.acted.filter(({ method }) => method !== "GET").map(({ path, body }) => [path, body])).toEqual([
      ["/v1/contacts/update", { ...moved, mailingLists: {} }],
      ["/v1/contacts/delete", { email: ADA }],
    ]);
  });

  it("moves its values also right behind updates of the user, which are sent in one request", async () => {
    const { accept, acceptAll, deliveries, service } = await createBench();
    service.before = ({ method, body }) =>
      method !== "GET" ? undefined : body.userId ? contactOf(moved) : contactOf({ email: ADA, plan: "pro" });
    await deliveries(
      (await accept({ occurredAt: 3_000, links: [moved], deliveries: [update(moved, { city: "Paris" })] })).id,
    );
    service.acted.length = 0;
    const [, , late] = await acceptAll([
      { occurredAt: 4_000, deliveries: [update(user, { city: "Rome" })] },
      { occurredAt: 4_001, deliveries: [update(user, { seats: 3 })] },
      { occurredAt: 2_000, links: [tie] },
    ]);
    await deliveries(late?.id ?? "");
    expect(service.acted.map(({ path, body }) => [path, body.properties])).toEqual([
      ["/v1/contacts/update", { city: "Rome", seats: 3 }],
      ["/v1/contacts/update", { plan: "pro" }],
      ["/v1/contacts/delete", undefined],
    ]);
  });

  it("does not subscribe a person again whose account was deleted", async () => {
    const { accept, deliveries, service } = await createBench();
    service.before = ({ method, body }) =>
      method !== "GET" ? undefined : body.userId ? contactOf(moved) : contactOf({ email: ADA, plan: "pro" });
    await deliveries(
      (await accept({ occurredAt: 3_000, links: [moved], deliveries: [update(moved, { city: "Paris" })] })).id,
    );
    await deliveries(
      (await accept({ occurredAt: 4_000, deliveries: [removing(update(user, { subscribed: false }))] })).id,
    );
    service.acted.length = 0;
    await deliveries((await accept({ occurredAt: 2_000, links: [tie] })).id);
    expect(service.acted.map(({ body }) => body)).toEqual([
      { userId: "u1", subscribed: false, properties: { plan: "pro" }, mailingLists: {} },
      { email: ADA },
    ]);
  });

  it.each([
    ["is another contact", [{ id: "con_2", email: ADA, userId: null }]],
    ["belongs to another user", [{ id: "con_1", email: ADA, userId: "u2" }]],
    ["is gone", []],
  ])("deletes nothing where the contact with the address %s by then, even after a timeout", async (_, later) => {
    const { accept, deliveries, service, pass } = await createBench();
    let deletions = 0;
    service.before = ({ method, path, body }) => {
      if (path === "/v1/contacts/delete") return ++deletions === 1 ? failure(503, "down") : undefined;
      if (method !== "GET") return undefined;
      return body.userId ? contactOf(moved) : deletions > 0 ? Response.json(later) : contactOf({ email: ADA });
    };
    await deliveries(
      (await accept({ occurredAt: 3_000, links: [moved], deliveries: [update(moved, { city: "Paris" })] })).id,
    );
    const late = await accept({ occurredAt: 2_000, links: [tie] });
    await pass(60_000);
    expect(await deliveries(late.id)).toMatchObject([
      { state: "done", message: expect.stringContaining("no contact") },
    ]);
    expect(deletions).toBe(1);
  });

  it("leaves an address alone that belongs to another user by now", async () => {
    const { accept, deliveries, service, pass } = await createBench();
    service.before = ({ method, path, body }) => {
      if (path === "/v1/contacts/update" && body.userId === "u1" && body.email === undefined)
        return failure(503, "down");
      if (method !== "GET") return undefined;
      return body.userId ? contactOf(moved) : contactOf({ email: ADA, city: "London" });
    };
    await deliveries(
      (await accept({ occurredAt: 3_000, links: [moved], deliveries: [update(moved, { plan: "pro" })] })).id,
    );
    const late = await accept({ occurredAt: 2_000, links: [tie] });
    await pass(10_000);
    await accept({ occurredAt: 4_000, links: [{ userId: "u2", email: ADA }] });
    expect(await deliveries(late.id, undefined, 3_600_000)).toMatchObject([
      { state: "skipped", message: expect.stringContaining("another user") },
    ]);
    expect(service.acted.filter(({ path }) => path === "/v1/contacts/delete")).toEqual([]);
    service.received.length = 0;
    const later = await accept({ occurredAt: 2_500, links: [tie] });
    expect(await deliveries(later.id)).toMatchObject([{ state: "skipped" }]);
    expect(service.received).toEqual([]);
  });

  it("makes one request where the email service has no such contact, or one of another user", async () => {
    for (const found of [[], [{ id: "con_1", email: ADA, userId: "u2" }]]) {
      const { accept, deliveries, service } = await createBench();
      service.before = ({ method }) => (method === "GET" ? Response.json(found) : undefined);
      await deliveries(
        (await accept({ occurredAt: 2_000, links: [moved], deliveries: [update(moved, { city: "Paris" })] })).id,
      );
      service.received.length = 0;
      const late = await accept({ occurredAt: 1_000, links: [tie] });
      expect(await deliveries(late.id)).toMatchObject([
        { state: "done", message: expect.stringContaining("no contact") },
      ]);
      expect(service.received.map(({ path }) => path)).toEqual(["/v1/contacts/find"]);
    }
  });
});

describe("a conflict at the email service", () => {
  it.each([400, 409])(
    "with status %s: the delivery is sent once with the user id alone, and says so",
    async (status) => {
      const { accept, deliveries, service, webhook } = await createBench();
      service.before = ({ body }) =>
        body.email && body.userId ? failure(status, "two contacts", {}, "contact_conflict") : undefined;
      const { id } = await accept({ deliveries: [update(tie, { plan: "pro" }), event(tie)] });
      const settled = await deliveries(id);
      expect(settled.map(({ state, attempts }) => [state, attempts.length])).toEqual([
        ["done", 2],
        ["done", 2],
      ]);
      expect(service.acted.map(({ body }) => [body.userId, body.email])).toEqual([
        ["u1", undefined],
        ["u1", undefined],
      ]);
      const [, , first, second] = service.received;
      expect(first?.key).toBe(settled[1]?.key);
      expect(second?.key).toBe(first?.key);
      const shown = timelineOf(await webhook(id), [], service.now());
      expect(JSON.stringify(shown)).toContain("two contacts. The delivery is sent with the user id alone now.");
      expect(JSON.stringify(shown)).toContain("The email service has two contacts for this person");
    },
  );

  it("of a removal: it is sent with the user id, then with the address", async () => {
    const { accept, deliveries, service } = await createBench();
    service.before = ({ body }) => (body.email && body.userId ? conflict() : undefined);
    await accept({ links: [tie] });
    const { id } = await accept({ deliveries: [removing(update(user, { subscribed: false }))] });
    expect(await deliveries(id)).toMatchObject([{ state: "done" }]);
    expect(service.acted.map(({ body }) => body)).toEqual([
      { userId: "u1", subscribed: false },
      { email: ADA, subscribed: false },
    ]);
  });
});

describe("a removal", () => {
  it("of a person whom no webhook has named and the email service does not have is done, and makes no contact", async () => {
    const { accept, deliveries, service } = await createBench();
    const { id } = await accept({ deliveries: [removing(update(user, { subscribed: false })), removing(event(user))] });
    expect(await deliveries(id)).toMatchObject([
      { state: "done", message: expect.stringContaining("The delivery makes none") },
      { state: "done", message: expect.stringContaining("The delivery makes none") },
    ]);
    expect(service.received.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["GET", "/v1/contacts/find", user],
      ["GET", "/v1/contacts/find", user],
    ]);
  });

  it("of a person whom only the email service has reaches the contact there", async () => {
    const { accept, deliveries, service } = await createBench();
    service.before = ({ method }) => (method === "GET" ? Response.json([{ id: "con_1" }]) : undefined);
    const { id } = await accept({ deliveries: [removing(update(user, { subscribed: false }))] });
    expect(await deliveries(id)).toMatchObject([{ state: "done" }]);
    expect(service.acted.map(({ body }) => body)).toEqual([{ userId: "u1", subscribed: false }]);
  });

  it("by user id reaches the address of the user too", async () => {
    const { accept, deliveries, service } = await createBench();
    service.before = ({ method }) => (method === "GET" ? Response.json([{ id: "con_2", email: ADA }]) : undefined);
    await accept({ links: [tie] });
    const { id } = await accept({
      deliveries: [
        removing(update(user, { subscribed: false })),
        removing({ rule: "gone", action: "delete", contact: user, key: "gone" }),
      ],
    });
    await deliveries(id);
    expect(service.acted.map(({ path, body }) => [path, body])).toEqual([
      ["/v1/contacts/update", { ...tie, subscribed: false }],
      ["/v1/contacts/delete", user],
      ["/v1/contacts/delete", { email: ADA }],
    ]);
  });

  it("that deletes is remembered also where the email service has no second contact with the address", async () => {
    const { accept, deliveries } = await createBench();
    await accept({ links: [tie] });
    const gone = { rule: "gone", action: "delete" as const, contact: user, key: "gone" };
    await deliveries((await accept({ occurredAt: 2_000, deliveries: [removing(gone)] })).id);
    const late = await accept({ occurredAt: 1_000, deliveries: [update({ email: ADA }, { plan: "pro" })] });
    expect(await deliveries(late.id)).toMatchObject([{ state: "replaced" }]);
  });

  it.each([
    ["has values", { firstName: "Ada" }],
    ["has a value of its own", { properties: { plan: "pro" } }],
    ["has joined a mailing list", { mailingLists: { list_1: true } }],
    ["was imported", { source: "CSV" }],
    ["belongs to a user", { userId: "u2" }],
  ])("of an unverified account leaves a contact alone that %s: the sign-up has not made it", async (_, found) => {
    const { accept, deliveries, service } = await createBench();
    service.before = ({ method }) =>
      method === "GET" ? Response.json([{ id: "con_1", email: ADA, ...found }]) : undefined;
    await deliveries(
      (await accept({ links: [{ ...tie, strength: "unverified" }], deliveries: [event({ email: ADA })] })).id,
    );
    const gone = { rule: "gone", action: "delete" as const, contact: user, key: "gone" };
    const { id } = await accept({ deliveries: [removing(update(user, { subscribed: false })), removing(gone)] });
    const message = expect.stringContaining("not made by the account");
    expect(await deliveries(id)).toMatchObject([
      { state: "done", message },
      { state: "done", message },
    ]);
    expect(service.acted.map(({ path }) => path)).toEqual(["/v1/events/send"]);
  });

  it("deletes no contact of another user who has the same address at the email service", async () => {
    const { accept, deliveries, service } = await createBench();
    service.before = ({ method }) =>
      method === "GET" ? Response.json([{ id: "con_2", email: ADA, userId: "u2" }]) : undefined;
    await accept({ links: [tie] });
    const { id } = await accept({
      deliveries: [removing({ rule: "gone", action: "delete", contact: user, key: "gone" })],
    });
    expect(await deliveries(id)).toMatchObject([{ state: "done", message: expect.stringContaining("another user") }]);
    expect(service.acted.map(({ path, body }) => [path, body])).toEqual([["/v1/contacts/delete", user]]);
  });

  it("of an unverified account reaches the contact that its sign-up has made", async () => {
    const { accept, deliveries, service } = await createBench();
    service.before = ({ method }) => (method === "GET" ? Response.json([{ id: "con_1" }]) : undefined);
    const unverified = { ...tie, strength: "unverified" as const };
    await deliveries((await accept({ links: [unverified], deliveries: [event({ email: ADA })] })).id);
    await deliveries((await accept({ deliveries: [removing(update(user, { subscribed: false }))] })).id);
    expect(service.acted.map(({ body }) => body)).toMatchObject([{ email: ADA }, { email: ADA, subscribed: false }]);
  });

  it.each([
    ["that has values of other webhooks", { deliveries: [update({ email: ADA }, { plan: "pro" })] }],
    ["that belongs to another user", { links: [{ userId: "u2", email: ADA }] }],
  ])("of an unverified account does not reach a contact %s", async (_, other) => {
    const { accept, deliveries, service } = await createBench();
    await deliveries((await accept(other)).id);
    await accept({ links: [{ ...tie, strength: "unverified" }] });
    service.received.length = 0;
    await deliveries((await accept({ deliveries: [removing(update(user, { subscribed: false }))] })).id);
    expect(service.received.map(({ method, body }) => [method, body])).toEqual([["GET", user]]);
  });

  it("is remembered: a webhook from before it that comes late does not subscribe the person again", async () => {
    const { accept, deliveries, service } = await createBench();
    await deliveries(
      (await accept({ occurredAt: 2_000, deliveries: [removing(update(user, { subscribed: false }))] })).id,
    );
    const late = await accept({
      occurredAt: 1_000,
      links: [tie],
      deliveries: [update(tie, { city: "Paris" }), mail(tie)],
    });
    expect(await deliveries(late.id)).toMatchObject([{ state: "done" }, { state: "skipped" }]);
    expect(service.acted.filter(({ method }) => method !== "GET").map(({ body }) => body)).toEqual([
      { ...tie, properties: { city: "Paris" }, subscribed: false },
    ]);
  });

  it("stops deliveries by a user id that no webhook has tied to an address", async () => {
    const { accept, deliveries, service } = await createBench();
    await deliveries(
      (await accept({ occurredAt: 2_000, deliveries: [removing(update(user, { subscribed: false }))] })).id,
    );
    const late = await accept({ source: "clerk", occurredAt: 1_000, deliveries: [waiting(event(user))] });
    expect(await deliveries(late.id, undefined, 11 * MINUTE)).toMatchObject([{ state: "skipped" }]);
    expect(service.acted.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("of test data or in plan-only mode stops no mail", async () => {
    const { accept, deliveries } = await createBench();
    await accept({ links: [tie] });
    await accept({ occurredAt: 2_000, skip: "test data", deliveries: [removing(update(user, { subscribed: false }))] });
    const late = await accept({ occurredAt: 1_000, deliveries: [mail(user)] });
    expect(await deliveries(late.id)).toMatchObject([{ state: "done" }]);
  });

  it("stops mail of a webhook that was accepted at the same moment", async () => {
    const { acceptAll, deliveries, service } = await createBench();
    const [, late] = await acceptAll([
      { occurredAt: 2_000, deliveries: [removing(update(user, { subscribed: false }))] },
      { occurredAt: 1_000, links: [tie], deliveries: [mail(tie)] },
    ]);
    expect(await deliveries(late?.id ?? "")).toMatchObject([{ state: "skipped" }]);
    expect(service.acted.filter(({ path }) => path === "/v1/transactional")).toEqual([]);
  });

  it("stops mail whose earlier attempt has an unknown outcome, and the ledger says that the mail may have been sent", async () => {
    const { accept, deliveries, service, waitFor } = await createBench();
    await accept({ links: [tie] });
    service.after = ({ path }) => (path === "/v1/transactional" ? failure(500, "down") : undefined);
    const { id } = await accept({ occurredAt: 1_000, deliveries: [mail(tie)] });
    await waitFor(() => expect(service.received).toHaveLength(1));
    await accept({ occurredAt: 2_000, deliveries: [removing(update(user, { subscribed: false }))] });
    const [delivery] = await deliveries(id);
    expect(delivery).toMatchObject({ state: "skipped", attempts: [{ status: 500 }] });
    expect(delivery?.message).toMatch(/^The person's account was deleted .* it may have been sent\.$/);
    expect(service.acted.filter(({ path }) => path === "/v1/transactional")).toHaveLength(1);
  });

  it("stops mail of earlier webhooks from the moment it is accepted", async () => {
    const { accept, deliveries, service } = await createBench();
    await accept({ links: [tie] });
    await accept({ occurredAt: 2_000, deliveries: [removing(update(user, { subscribed: false }))] });
    const late = await accept({ occurredAt: 1_000, deliveries: [mail({ email: ADA }), mail(user)] });
    expect(await deliveries(late.id)).toMatchObject([{ state: "skipped" }, { state: "skipped" }]);
    const receipt = await accept({ occurredAt: 3_000, deliveries: [mail({ email: ADA })] });
    expect(await deliveries(receipt.id)).toMatchObject([{ state: "done" }]);
    expect(service.acted.filter(({ path }) => path === "/v1/transactional")).toHaveLength(1);
  });
});
