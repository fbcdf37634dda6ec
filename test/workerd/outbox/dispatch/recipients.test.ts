import { describe, expect, it } from "vitest";
import { reasons } from "../../../../src/outbox/model/reasons.ts";
import { type Bench, createBench, event, mail, update } from "../setup.ts";

const JO = { email: "Jo@MyCompany.example" };
const ada = { email: "ada@example.com" };
const IGNORED = "@mycompany.example, bot@example.com";

const withLists = (lists: { IGNORED_RECIPIENTS?: string; ALLOWED_RECIPIENTS?: string }) =>
  createBench(({ env }) => ({ env: { ...env, ...lists } }));
const deleted = (contact: object) => ({
  rule: "gone",
  action: "delete" as const,
  contact,
  removes: true as const,
  key: `delete ${JSON.stringify(contact)}`,
});
const endsOf = async (bench: Bench, id: string) =>
  (await bench.deliveries(id, undefined, 60_000)).map(({ state, message }) => [state, message]);
const SKIPPED = ["skipped", reasons.ignored];
const DONE = ["done", undefined];

describe("IGNORED_RECIPIENTS", () => {
  it("skips each delivery for an address or domain in it, asks the email service nothing, and says the reason", async () => {
    const bench = await withLists({ IGNORED_RECIPIENTS: IGNORED });
    const bot = { email: "bot@example.com" };
    const { id } = await bench.accept({
      deliveries: [update(JO, { plan: "Pro" }), event(JO), mail(JO), update(bot, { plan: "Pro" })],
    });
    expect(await endsOf(bench, id)).toEqual([SKIPPED, SKIPPED, SKIPPED, SKIPPED]);
    expect(bench.service.received).toEqual([]);
    const others = ["ada@example.com", "jo@sub.mycompany.example", "jo@notmycompany.example", "robot@example.com"];
    const next = await bench.accept({ deliveries: others.map((email) => event({ email })) });
    expect(await endsOf(bench, next.id)).toEqual([DONE, DONE, DONE, DONE]);
  });

  it("decides about a person known by reference or user id when a webhook tells the address, in either order", async () => {
    for (const isLinkFirst of [true, false]) {
      const bench = await withLists({ IGNORED_RECIPIENTS: IGNORED });
      const link = () =>
        bench.accept({
          links: [
            { ref: "stripe:cus_1", email: JO.email },
            { ref: "stripe:cus_2", email: ada.email },
            { userId: "u1", email: JO.email },
          ],
        });
      if (isLinkFirst) await link();
      const [first, second] = [{ ref: "stripe:cus_1" }, { ref: "stripe:cus_2" }];
      const { id } = await bench.accept({
        deliveries: [
          update(first, { plan: "Pro" }),
          event(first),
          mail(first),
          update(second, { plan: "Pro" }),
          mail({ userId: "u1" }),
        ],
      });
      if (!isLinkFirst) {
        await bench.pass(5_000);
        expect(bench.service.received).toEqual([]);
        await link();
      }
      expect(await endsOf(bench, id)).toEqual([SKIPPED, SKIPPED, SKIPPED, DONE, SKIPPED]);
      expect(bench.service.received.map(({ body }) => body.email)).toEqual([ada.email]);
    }
  });

  it("makes a removal and sends urgent mail all the same, which then adds nobody to the audience", async () => {
    const bench = await withLists({ IGNORED_RECIPIENTS: IGNORED });
    const urgent = { ...mail(JO, { urgent: true }), addToAudience: true };
    const { id } = await bench.accept({
      deliveries: [update(JO, { plan: "Pro" }), urgent, deleted({ email: "bot@example.com" })],
    });
    expect(await endsOf(bench, id)).toEqual([SKIPPED, DONE, DONE]);
    expect(bench.service.received.map(({ path, body }) => [path, body.addToAudience])).toEqual([
      ["/v1/transactional", undefined],
      ["/v1/contacts/delete", undefined],
    ]);
  });

  it("keeps the state of a customer, which goes to the contact of another address", async () => {
    const bench = await withLists({ IGNORED_RECIPIENTS: IGNORED });
    const now = bench.clock.now();
    const link = (email: string, occurredAt: number) => ({
      occurredAt,
      source: "stripe",
      links: [{ ref: "stripe:cus_1", email }],
      deliveries: [
        {
          ...update({ ref: "stripe:cus_1" }, { stripeCustomerId: "cus_1" }),
          customer: { ref: "stripe:cus_1", as: "stripeCustomerId" },
        },
      ],
    });
    const state = (plan: string, occurredAt: number) => ({
      occurredAt,
      deliveries: [
        {
          ...update({ ref: "stripe:cus_1" }, { plan }),
          subscription: { id: "stripe:sub_1", customer: "stripe:cus_1", standing: 50, properties: ["plan"] },
        },
      ],
    });
    await bench.accept(link(JO.email, now - 9_000));
    const { id } = await bench.accept(state("Pro", now - 8_000));
    expect(await endsOf(bench, id)).toEqual([SKIPPED]);
    await bench.accept(state("Old", now - 8_500));
    await bench.pass(5_000);
    expect(bench.service.received).toEqual([]);
    await bench.accept(link(ada.email, now - 7_000));
    await bench.pass(5_000);
    const shown = Object.assign({}, ...bench.service.acted.map(({ body }) => body.properties ?? body)) as object;
    expect(shown).toMatchObject({ plan: "Pro", stripeCustomerId: "cus_1" });
    expect(JSON.stringify(bench.service.received)).not.toMatch(/mycompany/i);
  });

  it("skips the mail that waits beside what it skipped, though the person has another address by then", async () => {
    const bench = await withLists({ IGNORED_RECIPIENTS: IGNORED });
    const ref = "stripe:cus_1";
    const link = (email: string, occurredAt: number) => bench.accept({ occurredAt, links: [{ ref, email }] });
    await link(JO.email, 1_000);
    const ended = { ...mail({ ref }), onlyWithoutOther: "stripe:sub_1" };
    const { id } = await bench.accept({ deliveries: [update({ ref }, { plan: "Pro" }), event({ ref }), ended] });
    await bench.pass(500);
    await link(ada.email, 2_000);
    expect(await endsOf(bench, id)).toEqual([SKIPPED, SKIPPED, SKIPPED]);
    expect(bench.service.received.filter(({ path }) => path === "/v1/transactional")).toEqual([]);
    const next = await bench.accept({ deliveries: [update({ ref }, { plan: "Max" }), event({ ref }), ended] });
    expect(await endsOf(bench, next.id)).toEqual([DONE, DONE, DONE]);
  });

  it("writes no contact where a user gets an ignored address", async () => {
    const bench = await withLists({ IGNORED_RECIPIENTS: IGNORED });
    const userId = "u1";
    await bench.accept({ occurredAt: 1_000, links: [{ userId, ...ada }], deliveries: [update(ada, { plan: "Pro" })] });
    await bench.pass(1_000);
    const { id } = await bench.accept({
      occurredAt: 2_000,
      links: [{ userId, email: JO.email }],
      deliveries: [update({ userId, email: JO.email }, { firstName: "Jo" }), event({ userId })],
    });
    const ends = await endsOf(bench, id);
    expect(ends.every(([state]) => state === "skipped")).toBe(true);
    expect(JSON.stringify(bench.service.received)).not.toMatch(/mycompany/i);
  });
});

describe("ALLOWED_RECIPIENTS", () => {
  it("with IGNORED_RECIPIENTS too: an address in both is ignored", async () => {
    const bench = await withLists({
      IGNORED_RECIPIENTS: "jo@mycompany.example",
      ALLOWED_RECIPIENTS: "mycompany.example",
    });
    const { id } = await bench.accept({
      deliveries: [event(JO), event({ email: "kim@mycompany.example" }), event(ada)],
    });
    expect(await endsOf(bench, id)).toEqual([SKIPPED, DONE, ["skipped", reasons.notAllowed]]);
  });

  it("looks at the newest address of a user, which the request has, and not at the former one of the webhook", async () => {
    const bench = await withLists({ ALLOWED_RECIPIENTS: "ada@example.com" });
    await bench.accept({ occurredAt: 1_000, links: [{ userId: "u1", ...ada }] });
    await bench.accept({ occurredAt: 2_000, links: [{ userId: "u1", email: "ada@other.example" }] });
    const { id } = await bench.accept({ occurredAt: 3_000, deliveries: [update(ada, { plan: "Pro" })] });
    expect(await endsOf(bench, id)).toEqual([["skipped", reasons.notAllowed]]);
    expect(bench.service.received.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("decides about a mail when its address is known", async () => {
    const bench = await withLists({ ALLOWED_RECIPIENTS: "ada@example.com" });
    const { id } = await bench.accept({ deliveries: [mail({ userId: "u1" })] });
    await bench.pass(1_000);
    expect((await bench.webhook(id)).deliveries[0]?.state).toBe("waiting");
    await bench.accept({ links: [{ userId: "u1", ...ada }] });
    expect(await endsOf(bench, id)).toEqual([DONE]);
  });
});
