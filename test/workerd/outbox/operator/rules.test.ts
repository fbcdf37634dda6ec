import { describe, expect, it } from "vitest";
import { adminOf } from "../admin.ts";
import { failure } from "../service.ts";
import { createBench, event, mail, update } from "../setup.ts";

type Tried = {
  id: string;
  outcomes: { rule: string; outcome: string; why: string; clause?: string }[];
  deliveries: {
    rule: string;
    action: string;
    request: { method: string; path: string; body: object };
    problems: string[];
  }[];
  planned: unknown[] | null;
};
type Rules = { data: { source: string; name: string; on: string[]; when: string | null }[] };

const TEMPLATES = { receipt: "tpl_receipt" };

const invoice = (more: object = {}) => ({
  id: "evt_1",
  object: "event",
  type: "invoice.paid",
  created: 1_760_000_000,
  livemode: true,
  data: {
    object: {
      id: "in_1",
      object: "invoice",
      customer: "cus_1",
      customer_email: "ada@example.com",
      customer_name: "Ada",
      billing_reason: "subscription_cycle",
      amount_paid: 4900,
      currency: "usd",
      lines: { data: [] },
      ...more,
    },
  },
});

const rowsOf = (bench: Awaited<ReturnType<typeof createBench>>) =>
  bench.inside((_, { storage }) =>
    ["webhooks", "contacts", "kv", "refusals"].map(
      (table) => storage.sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n,
    ),
  );

describe("GET /admin/rules", () => {
  it("lists every rule of every source with conditions and leaves as text", async () => {
    const ask = adminOf(await createBench());
    const { json } = await ask<Rules>("GET", "/rules");
    expect(new Set(json.data.map(({ source }) => source)).size).toBeGreaterThan(10);
    const receipt = json.data.find(({ source, name }) => source === "stripe" && name === "renewal receipt");
    expect(receipt).toMatchObject({ on: ["invoice.paid"], transactional: { templates: ["receipt"], chosenBy: null } });
    expect(json.data.filter(({ when }) => when !== null).every(({ when }) => when?.includes("=>"))).toBe(true);
    expect(JSON.stringify(json).length / json.data.length).toBeLessThan(1_500);
  });

  it("lists the rules of one source, and refuses a source that is not there", async () => {
    const ask = adminOf(await createBench());
    const { json } = await ask<Rules>("GET", "/rules?source=clerk");
    expect(new Set(json.data.map(({ source }) => source))).toEqual(new Set(["clerk"]));
    expect(await ask("GET", "/rules?source=strip")).toMatchObject({
      status: 400,
      json: { code: "invalid_request", message: expect.stringContaining("stripe") },
    });
  });
});

describe("POST /admin/rules/try", () => {
  it("shows the deliveries of a body as the email service would get them, and writes nothing", async () => {
    const bench = await createBench();
    const before = await rowsOf(bench);
    const ask = adminOf(bench, { TEMPLATES });
    const { status, json } = await ask<Tried>("POST", "/rules/try", { source: "stripe", body: invoice() });
    expect({ status, id: json.id, planned: json.planned }).toEqual({ status: 200, id: "evt_1", planned: null });
    const receipt = json.deliveries.find(({ action }) => action === "transactional");
    expect(receipt).toMatchObject({
      request: {
        method: "POST",
        path: "/v1/transactional",
        body: { transactionalId: "tpl_receipt", email: "ada@example.com", dataVariables: { name: "Ada" } },
      },
      problems: [],
    });
    expect(await rowsOf(bench)).toEqual(before);
    expect(bench.service.received).toEqual([]);
  });

  it("names the condition that is false, and the template and the identity link that are missing", async () => {
    const ask = adminOf(await createBench());
    const given = { source: "stripe", body: invoice({ amount_paid: 0, customer_email: null }) };
    const { json } = await ask<Tried>("POST", "/rules/try", given);
    const failed = json.outcomes.filter(({ outcome }) => outcome !== "matched");
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.every(({ why }) => why.length > 10)).toBe(true);
    const paid = await ask<Tried>("POST", "/rules/try", { source: "stripe", body: invoice() });
    expect(paid.json.deliveries.flatMap(({ problems }) => problems)).toContainEqual(
      expect.stringContaining('TEMPLATES has no transactionalId for the template "receipt"'),
    );
  });

  it("says which deliveries the lists of recipients would skip", async () => {
    const bench = await createBench();
    const problemsWith = async (lists: Record<string, string>) => {
      const given = { source: "stripe", body: invoice() };
      const { json } = await adminOf(bench, { TEMPLATES, ...lists })<Tried>("POST", "/rules/try", given);
      return new Set(json.deliveries.flatMap(({ problems }) => problems));
    };
    const skipped = "The delivery would be skipped.";
    expect(await problemsWith({ IGNORED_RECIPIENTS: "@example.com" })).toEqual(
      new Set([`IGNORED_RECIPIENTS contains this person's address. ${skipped}`]),
    );
    expect(await problemsWith({ ALLOWED_RECIPIENTS: "@other.example" })).toEqual(
      new Set([`ALLOWED_RECIPIENTS does not contain this person's address. ${skipped}`]),
    );
    expect(await problemsWith({ ALLOWED_RECIPIENTS: "ADA@example.com" })).toEqual(new Set());
  });

  it("runs the rules of a type on a body that the provider would not send like this", async () => {
    const ask = adminOf(await createBench());
    const body = { data: invoice().data };
    const refused = await ask("POST", "/rules/try", { source: "stripe", body });
    expect(refused).toMatchObject({
      status: 400,
      json: { code: "invalid_request", message: expect.stringContaining("Send type") },
    });
    const { json } = await ask<Tried>("POST", "/rules/try", { source: "stripe", type: "invoice.paid", body });
    expect(json.deliveries.length).toBeGreaterThan(0);
  });

  it("compares today's deliveries with the stored plan of a webhook", async () => {
    const bench = await createBench();
    const ask = adminOf(bench);
    const person = { email: "ada@example.com" };
    const { id } = await bench.accept({
      type: "invoice.paid",
      raw: JSON.stringify(invoice()),
      deliveries: [update(person, { plan: "pro" }), event(person), mail(person)],
    });
    await bench.deliveries(id);
    const { status, json } = await ask<Tried>("POST", "/rules/try", { webhook: id });
    expect({ status, id: json.id }).toEqual({ status: 200, id });
    expect(json.planned).toMatchObject([
      { action: "contact", request: { body: { email: "ada@example.com", properties: { plan: "pro" } } } },
      { action: "event" },
      { action: "transactional" },
    ]);
    expect(json.deliveries.length).toBeGreaterThan(0);
  });

  it("shows no one-time secret of a stored webhook whose delivery is open", async () => {
    const bench = await createBench();
    const raw = JSON.stringify({
      metadata: { uuid: "u_1", time: "2026-01-01T00:00:00Z", name: "send-email" },
      user: { id: "usr_1", email: "ada@example.com", new_email: "", user_metadata: {}, app_metadata: {} },
      email_data: {
        token: "493712",
        token_hash: "pkce_0123456789abcdef",
        token_new: "",
        token_hash_new: "",
        redirect_to: "https://app.example.com",
        email_action_type: "magiclink",
        site_url: "https://x.example",
      },
    });
    bench.service.before = () => failure(500, "later");
    const { id } = await bench.accept({
      source: "supabase",
      type: "send-email",
      raw,
      deliveries: [mail({ email: "ada@example.com" })],
      secretPaths: ["email_data.token", "email_data.token_hash"],
    });
    expect((await bench.webhook(id)).body).toContain("493712");
    const { status, json } = await adminOf(bench)<Tried>("POST", "/rules/try", { webhook: id });
    expect(status).toBe(200);
    expect(json.deliveries.map(({ action }) => action)).toContain("transactional");
    expect(JSON.stringify(json)).not.toMatch(/493712|pkce_0123456789abcdef/);
    expect(JSON.stringify(json.deliveries)).toContain("[erased]");
  });

  it.each<[string, object, number, RegExp]>([
    ["nothing", {}, 400, /Either webhook, or source and body/],
    ["a source without a body", { source: "stripe" }, 400, /Either webhook, or source and body/],
    ["an unknown source", { source: "strip", body: {} }, 400, /^source: /],
    ["a body that is a list", { source: "stripe", body: [1] }, 400, /^body must be a JSON object/],
    ["a webhook and a body", { webhook: "wh_1", body: {} }, 400, /webhook goes without/],
    ["a webhook that is not there", { webhook: "wh_1" }, 404, /no webhook with this id/],
    ["an id that is none", { webhook: "evt_1" }, 404, /no webhook with this id/],
    ["an unknown field", { source: "stripe", bodi: {} }, 400, /^bodi: is not a field/],
  ])("refuses %s", async (_, given, status, message) => {
    const answer = await adminOf(await createBench())("POST", "/rules/try", given);
    expect(answer).toMatchObject({ status, json: { message: expect.stringMatching(message) } });
  });
});

describe("X-Mailspan-Actor", () => {
  it("stands in the acts and the timeline of a delivery", async () => {
    const bench = await createBench();
    const ask = adminOf(bench);
    bench.service.before = () => failure(400, "no");
    const { id } = await bench.accept({ deliveries: [mail({ email: "ada@example.com" })] });
    await bench.deliveries(id);
    const by = (name: string) => ({ "X-Mailspan-Actor": name });
    const retried = await ask("POST", `/deliveries/${id}.0/retry`, {}, by(" grace@example.com"));
    expect(retried.json).toMatchObject({ acts: [{ act: "retry", by: "grace@example.com" }] });
    await bench.deliveries(id);
    await ask("POST", `/deliveries/${id}.0/discard`, {}, by("x".repeat(400)));
    const { json } = await ask<{
      timeline: { what: string; text: string }[];
      deliveries: { acts: { by: string }[] }[];
    }>("GET", `/webhooks/${id}`);
    const acts = json.timeline.filter(({ what }) => what === "act").map(({ text }) => text);
    expect(acts[0]).toMatch(/^the delivery was retried by grace@example\.com; before that it was failed/);
    expect(json.deliveries[0]?.acts[1]?.by).toHaveLength(320);
  });

  it("is not needed", async () => {
    const bench = await createBench();
    const ask = adminOf(bench);
    bench.service.before = () => failure(400, "no");
    const { id } = await bench.accept({ deliveries: [mail({ email: "ada@example.com" })] });
    await bench.deliveries(id);
    const { json } = await ask<{ acts: object[] }>("POST", "/deliveries/retry", { dryRun: false });
    expect(json).toMatchObject({ retried: 1 });
    expect((await bench.webhook(id)).deliveries[0]?.acts?.[0]).not.toHaveProperty("by");
  });
});
