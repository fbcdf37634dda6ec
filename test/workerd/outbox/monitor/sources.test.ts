import { describe, expect, it } from "vitest";
import { sources } from "../../../../src/sources.ts";
import { adminOf } from "../admin.ts";
import { createBench, mail } from "../setup.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

type Shown = {
  name: string;
  secret: { state: string; values: number; why?: string };
  lastReceived: string | null;
  lastRefused: { at: string; code: string } | null;
};
type Answer = { data: Shown[] };

const shown = async (vars: Record<string, string>, name = "clerk") => {
  const { json } = await adminOf(await createBench(), vars)<Answer>("GET", `/sources?source=${name}`);
  const text = JSON.stringify(json);
  for (const value of Object.values(vars)) for (const part of value.split(" ")) expect(text).not.toContain(part);
  return json.data[0];
};

describe("GET /admin/sources", () => {
  it("lists all sources with their address, proof, rules and events", async () => {
    const bench = await createBench();
    const { json } = await adminOf(bench, { PUBLIC_URL: "https://bridge.example.com/" })<Answer>("GET", "/sources");
    expect(json.data.map(({ name }) => name)).toEqual(Object.keys(sources));
    expect(json.data.find(({ name }) => name === "stripe")).toMatchObject({
      provider: "stripe",
      title: "Stripe",
      path: "/hooks/stripe",
      address: "https://bridge.example.com/hooks/stripe",
      proof: expect.stringContaining("HMAC-SHA256"),
      whereToSet: expect.stringContaining("Signing secret"),
      secret: { variable: "STRIPE_WEBHOOK_SECRET", state: "missing", values: 0 },
      events: expect.arrayContaining(["invoice.paid"]),
      planOnly: false,
      testData: "skip",
      tolerance: null,
      silentAfter: null,
      fetchBack: { variable: "STRIPE_API_KEY", set: false },
      pausedSince: null,
      lastReceived: null,
      lastRefused: null,
      received24h: 0,
      refused24h: 0,
    });
  });

  it("has no address while PUBLIC_URL is not set, or is none", async () => {
    expect(await shown({})).toMatchObject({ address: null, path: "/hooks/clerk" });
    expect(await shown({ PUBLIC_URL: "bridge" })).toMatchObject({ address: null });
  });

  it("says the state of a secret, and never the secret", async () => {
    const CLERK = (value: string) => ({ CLERK_WEBHOOK_SECRET: value });
    expect((await shown({}))?.secret).toEqual({ variable: "CLERK_WEBHOOK_SECRET", state: "missing", values: 0 });
    expect((await shown(CLERK(SECRET)))?.secret).toMatchObject({ state: "set", values: 1 });
    expect((await shown(CLERK(`${OTHER} ${SECRET}`)))?.secret).toMatchObject({ state: "set", values: 2 });
    expect((await shown(CLERK("whsec_?!")))?.secret).toMatchObject({
      state: "unusable",
      values: 1,
      why: expect.any(String),
    });
    expect((await shown(CLERK(`whsec_?! ${SECRET}`)))?.secret).toMatchObject({
      state: "set",
      values: 2,
      why: expect.any(String),
    });
  });

  it("says that the key of a provider's API is set", async () => {
    const stripe = await shown({ STRIPE_API_KEY: "rk_live_1" }, "stripe");
    expect(stripe).toMatchObject({ fetchBack: { variable: "STRIPE_API_KEY", set: true } });
  });

  it("says what arrived last, what was refused and why, and since when a source is paused", async () => {
    const bench = await createBench();
    const ask = adminOf(bench);
    const before = bench.clock.now();
    await bench.deliveries((await bench.accept({ deliveries: [mail({ email: "ada@example.com" })] })).id);
    const minute = Math.floor(before / 60_000);
    await bench.ask((outbox) =>
      outbox.refused([
        { minute: minute - 1, source: "stripe", code: "missing_signature", count: 2 },
        { minute, source: "stripe", code: "invalid_signature", count: 1 },
        { minute: minute - 2_000, source: "stripe", code: "invalid_json", count: 5 },
      ]),
    );
    await ask("POST", "/pause", { source: "stripe" });
    const stripe = async () => (await ask<Answer>("GET", "/sources?source=stripe")).json.data[0];
    const first = await stripe();
    expect(first).toMatchObject({
      received24h: 1,
      refused24h: 3,
      pausedSince: expect.any(String),
      lastRefused: { at: new Date(minute * 60_000).toISOString(), code: "invalid_signature" },
    });
    expect(Date.parse(first?.lastReceived ?? "")).toBeGreaterThanOrEqual(before);
    await bench.crash();
    expect((await stripe())?.lastReceived).toBe(first?.lastReceived);
    bench.service.offset += 2 * 86_400_000;
    await bench.inside((outbox) => outbox.alarm());
    await bench.crash();
    expect(await stripe()).toMatchObject({ lastReceived: first?.lastReceived, received24h: 0, refused24h: 0 });
    expect((await ask<Answer>("GET", "/sources?source=clerk")).json.data[0]).toMatchObject({ lastReceived: null });
  });

  it("refuses a source that does not exist, and names those that do", async () => {
    const { status, json } = await adminOf(await createBench())("GET", "/sources?source=strype");
    expect([status, json]).toMatchObject([
      400,
      { code: "invalid_request", message: expect.stringContaining("Did you mean stripe?") },
    ]);
  });
});
