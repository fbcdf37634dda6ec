import { beforeEach, describe, expect, it } from "vitest";
import type { WrongTokens } from "../../../../src/lib/admin-token/wrong-tokens.ts";
import { admin } from "../../../../src/routes/admin.ts";
import { healthOf } from "../../../../src/routes/health.ts";
import { adminOf } from "../admin.ts";
import { countRows } from "../journal/count-rows.ts";
import { failure } from "../service.ts";
import { type Bench, createBench, mail, update } from "../setup.ts";

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

type Entry = Record<string, unknown> & { kind: string; message: string; weight: number; cure: string };
type Attention = { data: Entry[]; backlog: Record<string, unknown>; next: string | null };

let bench: Bench;
let ask: ReturnType<typeof adminOf>;
beforeEach(async () => {
  bench = await createBench();
  ask = adminOf(bench);
});

const refused = async (code: string, count = 1, source = "stripe", ago = 0): Promise<void> => {
  const at = bench.clock.now() - ago;
  await bench.ask((outbox) => outbox.refused([{ minute: Math.floor(at / MINUTE), source, code, count, at }]));
};
const entries = async () => (await ask<Attention>("GET", "/attention")).json.data;
const refusing = async () => (await entries()).filter(({ kind }) => kind === "refusing");
const reasons = async () => healthOf(await bench.ask((outbox) => outbox.health())).reasons;

describe("a source that refuses", () => {
  it("is an open problem with count, since, cause and cure, for days and over a restart", async () => {
    const since = bench.clock.now();
    await refused("invalid_signature");
    await bench.pass(MINUTE);
    await refused("invalid_signature", 2);
    const last = bench.clock.now();
    await bench.pass(5 * DAY);
    await bench.crash();
    expect(await refusing()).toMatchObject([
      {
        source: "stripe",
        cause: "invalid_signature",
        count: 3,
        since: new Date(since).toISOString(),
        last: new Date(last).toISOString(),
        message: expect.stringMatching(
          /^refusing: stripe has refused 3 webhooks since .* UTC and accepted none: the sig/,
        ),
        cure: expect.stringContaining("STRIPE_WEBHOOK_SECRET"),
      },
    ]);
    expect(await reasons()).toEqual([expect.stringMatching(/^refusing: stripe/)]);
  });

  it("ends when it accepts a webhook, also one without deliveries, and no earlier", async () => {
    await refused("invalid_signature");
    await bench.accept({ source: "clerk", deliveries: [] });
    await bench.accept({ lane: "backfill", deliveries: [] });
    expect(await refusing()).toHaveLength(1);
    await bench.accept({ deliveries: [] });
    expect(await refusing()).toEqual([]);
    expect(await reasons()).toEqual([]);
    await bench.crash();
    expect(await refusing()).toEqual([]);
  });

  it("is not opened again by a refusal that is reported late", async () => {
    await bench.accept({ deliveries: [] });
    await refused("invalid_signature", 1, "stripe", 2_000);
    expect(await refusing()).toEqual([]);
  });

  it.each([
    ["missing_signature", /Give the endpoint a signing secret/],
    ["source_not_configured", /STRIPE_WEBHOOK_SECRET/],
  ])("is not opened by one or two requests that anyone can send: %s", async (code, cure) => {
    await refused(code, 2);
    expect(await refusing()).toEqual([]);
    await refused(code);
    expect(await refusing()).toMatchObject([{ cause: code, count: 3, cure: expect.stringMatching(cure) }]);
  });

  it("has a cure of its own where no rule sends the mail that was asked for", async () => {
    await refused("no_mail");
    const [{ cure } = { cure: "" }] = await refusing();
    expect(cure).toMatch(/^Add a rule with `transactional` for the type of this webhook/);
    expect(cure).not.toContain("not of this provider");
  });

  it.each(["unknown_source", "method_not_allowed", "overloaded", "journal_unavailable"])(
    "is not opened by %s",
    async (code) => {
      await refused(code, 50);
      await refused("invalid_signature", 50, "(unknown)");
      expect(await refusing()).toEqual([]);
    },
  );

  it("raises one alert after ten minutes, which ends with it", async () => {
    const alerts = async () => (await ask<{ data: Entry[] }>("GET", "/alerts")).json.data;
    await refused("invalid_signature", 2);
    expect(await alerts()).toEqual([]);
    await bench.pass(10 * MINUTE);
    await refused("invalid_signature");
    expect(await alerts()).toMatchObject([{ kind: "source.refusing", subject: "stripe", since: expect.any(String) }]);
    await bench.accept({ deliveries: [] });
    expect(await alerts()).toMatchObject([{ kind: "source.refusing", since: null }]);
  });

  it("costs a webhook no row, but the first one after it", async () => {
    const rows = (n: number) =>
      countRows(bench, async () => {
        await bench.accept({ eventId: `evt_${n}`, deliveries: [] });
      }).then(({ sql }) => sql);
    await rows(1);
    const usual = await rows(2);
    await bench.pass(10);
    await refused("invalid_signature");
    expect([(await rows(3)) - usual, (await rows(4)) - usual]).toEqual([1, 0]);
  });

  it("is forgotten with its counts", async () => {
    await refused("invalid_signature");
    await bench.pass(33 * DAY);
    expect(await refusing()).toEqual([]);
  });
});

describe("health, status and attention", () => {
  it("tell the same problems, heaviest first, each with a cure", async () => {
    bench.service.before = () => failure(404, 'There is no transactional email with the id "tpl_1".');
    const { id } = await bench.accept({ deliveries: [mail({ email: "ada@example.com" })] });
    await bench.deliveries(id);
    await refused("invalid_signature", 1, "clerk");
    await ask("POST", "/pause", { source: "paddle" });
    const found = await entries();
    expect(found.map(({ kind }) => kind)).toEqual(["refusing", "delivery", "paused"]);
    expect(found.map(({ weight }) => weight)).toEqual(found.map(({ weight }) => weight).toSorted((a, b) => b - a));
    expect(found.filter(({ cure }) => cure === "")).toEqual([]);
    const said = await reasons();
    expect(said.filter((reason) => !reason.startsWith("deliveries: "))).toEqual(
      found.filter(({ kind }) => kind !== "delivery").map(({ message }) => message),
    );
    expect(said).toContain("deliveries: 1 needs a person");
    const { json } = await ask<{ health: { reasons: string[]; problems: Entry[] } }>("GET", "/status");
    expect(json.health.reasons).toEqual(said);
    expect(json.health.problems.map(({ message }) => message)).toEqual(said);
  });

  it("are well where nothing needs a person", async () => {
    const { id } = await bench.accept({ deliveries: [update({ email: "ada@example.com" }, { plan: "pro" })] });
    await bench.deliveries(id);
    expect(await entries()).toEqual([]);
    expect(healthOf(await bench.ask((outbox) => outbox.health()))).toMatchObject({ status: "ok", reasons: [] });
  });

  it("name the line of TEMPLATES and the nearest template that the email service has", async () => {
    const asking = adminOf(bench, { EMAIL_API_KEY: "key", TEMPLATES: { receipt: "tpl_recept" } });
    bench.service.before = ({ path, method }) =>
      path === "/v1/transactional" && method === "GET"
        ? Response.json({
            pagination: {},
            data: [{ id: "tpl_receipt", name: "Receipt", lastUpdated: "", dataVariables: [] }],
          })
        : failure(404, 'There is no transactional email with the id "tpl_recept".');
    const { id } = await bench.accept({ deliveries: [mail({ email: "ada@example.com" })] });
    await bench.deliveries(id);
    const asked = asking<Attention>("GET", "/attention");
    await bench.pass(3_000);
    expect((await asked).json.data).toMatchObject([
      {
        kind: "delivery",
        cure: expect.stringMatching(/receipt = "tpl_recept".*receipt = "tpl_receipt" \("Receipt"\)/),
      },
    ]);
  });
});

it("wrong tokens of one address raise an alert in the list and the metrics, and the right one goes on", async () => {
  const stub = {
    getByName: () => ({ wrongTokens: (reports: WrongTokens[]) => bench.ask((outbox) => outbox.wrongTokens(reports)) }),
  };
  const vars = { ADMIN_TOKEN: "an-admin-token-of-the-tests", OUTBOX: stub };
  const headers = { Authorization: "Bearer wrong", "CF-Connecting-IP": "192.0.2.9" };
  for (let n = 0; n < 25; n++) expect((await admin.request("/status", { headers }, vars)).status).toBe(401);
  const { data } = (await ask<{ data: Entry[] }>("GET", "/alerts")).json;
  expect(data).toMatchObject([{ kind: "admin.refused", subject: "192.0.2.9" }]);
  const counted = /mailspan_admin_refusals_total (\d+)/.exec(await bench.ask((outbox) => outbox.metrics()))?.[1];
  expect(Number(counted)).toBeGreaterThanOrEqual(20);
});
