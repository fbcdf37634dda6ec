import { describe, expect, it } from "vitest";
import type { Operation } from "../../../src/lib/contract/operation.ts";
import { advance, dashboard, isolated, TOKEN } from "./bench.ts";
import { HARMLESS } from "./harmless.ts";
import { exampleOf, FORWARDED, OWN } from "./operations.ts";

isolated();

const namesOf = (isOne: (danger: Operation["danger"]) => boolean) =>
  [...FORWARDED, ...OWN].flatMap(({ name, operation }) => (isOne(operation.danger) ? [name] : []));
const DANGEROUS = namesOf((danger) => danger === true);
const DANGEROUS_WHEN = namesOf((danger) => typeof danger === "function");

const PROOF_MS = 15 * 60_000;

const person = async (age = PROOF_MS) => {
  const { ask, logIn, bridge, email } = dashboard();
  const cookie = await logIn();
  advance(age);
  const reached = () => bridge.requests.length + email.requests.length;
  const send = (method: string, path: string, options: Parameters<typeof ask>[2]) =>
    ask(method, path, { cookie, ...options });
  return { send, reached, bridge, email };
};

const codeOf = async (answer: Response) => ((await answer.json()) as { code?: string }).code;

describe("an operation that changes something", () => {
  it("is dangerous, dangerous by its request, or harmless for a reason, and only one of them", () => {
    const judged = [...DANGEROUS, ...DANGEROUS_WHEN, ...Object.values(HARMLESS).flat()];
    expect(judged.toSorted()).toEqual([...FORWARDED, ...OWN].map(({ name }) => name).toSorted());
  });

  it("is not harmless where it deletes, but for what can be set again", () => {
    const harmless = new Set(Object.values(HARMLESS).flat());
    const deletes = [...FORWARDED, ...OWN].filter(
      ({ name, operation }) =>
        harmless.has(name) && (operation.method === "DELETE" || /delet|for good/i.test(operation.summary)),
    );
    expect(deletes.map(({ name }) => name)).toEqual([
      "bridge.v1.suppression.remove",
      "email.suppressions.remove",
      "email.v1.suppression.remove",
      "dashboard.session.delete",
      "dashboard.sessions.delete",
      "dashboard.views.delete",
    ]);
  });

  const named = (names: Iterable<string>) => {
    const all = new Set(names);
    return FORWARDED.filter(({ name }) => all.has(name));
  };

  it("and is dangerous reaches no half with a proof of 15 minutes ago, and its half with a younger one", async () => {
    const old = await person();
    const fresh = await person(PROOF_MS - 1);
    for (const { name, operation, path } of named(DANGEROUS)) {
      const refused = await old.send(operation.method, path, exampleOf(operation));
      expect([name, refused.status, await codeOf(refused)]).toEqual([name, 403, "proof_required"]);
      const before = fresh.reached();
      expect([name, (await fresh.send(operation.method, path, exampleOf(operation))).status]).toEqual([name, 200]);
      expect([name, fresh.reached()]).toEqual([name, before + 1]);
    }
    expect(old.reached()).toBe(0);
  });

  it("and is harmless reaches its half without a new proof", async () => {
    const { send, reached } = await person();
    const all = named(Object.values(HARMLESS).flat());
    for (const { name, operation, path } of all)
      expect([name, (await send(operation.method, path, exampleOf(operation))).status]).toEqual([name, 200]);
    expect(reached()).toBe(all.length);
  });
});

const REQUESTS: Readonly<Record<string, { dangerous: unknown[]; free: unknown[] }>> = {
  "email.campaigns.send": {
    dangerous: [{ expected: 1_001 }, { expected: 1_001, dryRun: false }, { expected: "1001" }, { expected: null }, {}],
    free: [{ expected: 1_000 }, { dryRun: true }, { dryRun: true, expected: 5_000 }],
  },
  "email.campaigns.resume": {
    dangerous: [{ expected: 1_001 }, { expected: "many" }, { expected: [1_001] }],
    free: [{}, { expected: null }, { expected: 1_000 }],
  },
  ...Object.fromEntries(
    ["bridge.webhooks.replay", "bridge.webhooks.replayAll"].map((name) => [
      name,
      {
        dangerous: [
          { dryRun: false, actions: ["contact", "transactional"] },
          { dryRun: false, actions: "event" },
          { dryRun: "0", actions: ["delete"] },
          { dryRun: null, actions: "contact, delete" },
        ],
        free: [
          {},
          { dryRun: false },
          { dryRun: false, actions: ["contact"] },
          { actions: ["transactional"] },
          { dryRun: "1", actions: "delete" },
        ],
      },
    ]),
  ),
  "bridge.backfill.add": {
    dangerous: [{ objects: [{}] }, { objects: [{}], dryRun: "false" }, { objects: [{}], events: true, dryRun: false }],
    free: [
      { objects: [{}], dryRun: true },
      { objects: [{}], dryRun: "1" },
    ],
  },
  "email.imports.start": {
    dangerous: [{ mapping: { Email: "email" } }, { mapping: {}, dryRun: false }, {}],
    free: [{ mapping: { Email: "email" }, dryRun: true }],
  },
  "email.suppressions.lift": {
    dangerous: [{ cause: "rate" }, { q: "a", dryRun: "0" }, { dryRun: "false" }, {}],
    free: [
      { cause: "rate", dryRun: true },
      { q: "a", dryRun: "1" },
    ],
  },
  "email.waves.decide": {
    dangerous: [{ decision: "resend" }, { decision: "suppress" }, { decision: ["keep"] }, {}],
    free: [{ decision: "keep" }],
  },
  "email.webhooks.update": {
    dangerous: [{ rotateSecret: true }, { url: "https://evil.example.com" }, { enabled: true, rotateSecret: "true" }],
    free: [{ enabled: false }, { description: "CRM", events: [] }, { rotateSecret: false, enabled: true }],
  },
  ...Object.fromEntries(
    ["bridge", "email"].map((half) => [
      `${half}.v1.workflows.changeMailingList`,
      {
        dangerous: [
          { mailingListId: null, queuedContactPolicy: "discard" },
          { queuedContactPolicy: "discard", dryRun: false },
        ],
        free: [
          { mailingListId: "lst_1" },
          { mailingListId: null, queuedContactPolicy: "fail" },
          { queuedContactPolicy: "discard", dryRun: true },
        ],
      },
    ]),
  ),
};

describe("an operation that is dangerous by its request", () => {
  it("has examples of both kinds here", () => {
    expect(Object.keys(REQUESTS).toSorted()).toEqual(DANGEROUS_WHEN.toSorted());
  });

  const one = (name: string) => {
    const found = FORWARDED.find((other) => other.name === name);
    if (!found) throw new Error(`There is no operation ${name}.`);
    return found;
  };

  it.each(Object.keys(REQUESTS))("needs a new proof for that request alone: %s", async (name) => {
    const { operation, path } = one(name);
    const { send, bridge, email } = await person();
    const { dangerous = [], free = [] } = REQUESTS[name] ?? {};
    for (const body of dangerous)
      expect([body, await codeOf(await send(operation.method, path, { body }))]).toEqual([body, "proof_required"]);
    expect([...bridge.requests, ...email.requests]).toEqual([]);
    for (const body of free) expect([body, (await send(operation.method, path, { body })).status]).toEqual([body, 200]);
    expect([...bridge.requests, ...email.requests].map(({ body }) => JSON.parse(body))).toEqual(free);
    await send("POST", "/api/session/prove", { body: { token: TOKEN } });
    for (const body of dangerous) expect((await send(operation.method, path, { body })).status).toBe(200);
  });

  const harmless = '{"dryRun":true}';
  const hidden: Record<string, { raw: BodyInit; headers?: Record<string, string>; query?: string }> = {
    "an encoding that does not reach the half": { raw: '{"expected":5000}', headers: { "Content-Encoding": "gzip" } },
    "a charset that the half might ignore": {
      raw: '{"expected":5000}',
      headers: { "Content-Type": "application/json; charset=iso-8859-1" },
    },
    "half of a surrogate pair": { raw: '{"expected":5000,"x":"\\ud800"}' },
    "bytes that are no UTF-8": {
      raw: new Uint8Array([...new TextEncoder().encode('{"expected":5000,"x":"'), 0xff, 0x22, 0x7d]),
    },
    "a dry run in the query alone": { raw: '{"expected":5000}', query: "?dryRun=true" },
    "a dry run that is taken back": { raw: '{"dryRun":true,"dryRun":false,"expected":5000}' },
    "a list": { raw: `[${harmless}]` },
    "no JSON": { raw: `${harmless},` },
    "more than a megabyte": { raw: `{"dryRun":true,"x":"${"x".repeat(1_000_001)}"}` },
  };
  it.each(Object.keys(hidden))("needs a new proof for a request that hides what it says: %s", async (name) => {
    const { raw, headers = {}, query = "" } = hidden[name] ?? { raw: "" };
    const { send, reached } = await person();
    const path = `/api/email/teams/acme/campaigns/cmp_1/send${query}`;
    expect(await codeOf(await send("POST", path, { raw, headers }))).toBe("proof_required");
    expect(reached()).toBe(0);
    expect((await send("POST", path, { raw: harmless })).status).toBe(200);
  });
});
