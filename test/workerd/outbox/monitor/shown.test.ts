import { expect, it } from "vitest";
import { adminOf } from "../admin.ts";
import { failure } from "../service.ts";
import { createBench, mail } from "../setup.ts";

type Status = {
  health: { status: string; reasons: string[] };
  pace: { limit: number; last60: number[]; serviceRemaining: number | null };
  database: { bytes: number };
};

it("GET /admin/alerts lists an alert with its rule, time and count, and keeps no address of a single occurrence", async () => {
  const bench = await createBench();
  const ask = adminOf(bench);
  expect((await ask("GET", "/alerts")).json).toEqual({ data: [], pending: 0 });
  bench.service.before = () => failure(400, "no such address: ada@example.com");
  const { id } = await bench.accept({ deliveries: [mail({ email: "ada@example.com" })] });
  await bench.deliveries(id);
  // The notice leaves after the delivery has failed.
  const { json } = await bench.waitFor(async () => {
    const answer = await ask<{ pending: number }>("GET", "/alerts");
    expect(answer.json.pending).toBe(0);
    return answer;
  }, 10_000);
  expect(json).toEqual({
    data: [
      {
        kind: "delivery.failed",
        subject: "stripe/mail",
        since: null,
        notifiedAt: expect.any(String),
        count: 1,
        message: "no such address: (address)",
      },
    ],
    pending: 0,
  });
});

it("GET /admin/alerts has the message and the start of an alert that lasts, and how many notices wait", async () => {
  const env = { ALERT_WEBHOOK_URL: "https://alerts.test/hook", ALERT_WEBHOOK_SECRET: "whsec_aHVudGVyMg==" };
  const refuse = async () => new Response(null, { status: 500 });
  const bench = await createBench((own) => ({ env: { ...own.env, ...env }, fetchExternal: refuse }));
  bench.service.before = () => failure(401, "Invalid API key");
  await bench.accept({ deliveries: [mail({ email: "ada@example.com" })] });
  await bench.pass(5_000);
  const { json } = await adminOf(bench)("GET", "/alerts");
  expect(json).toMatchObject({
    data: [
      {
        kind: "dispatch.blocked",
        subject: "",
        since: expect.any(String),
        message: expect.stringContaining("Invalid API key"),
      },
    ],
    pending: 1,
  });
});

it("GET /admin/status says how many requests started in each second, and the health in words", async () => {
  const bench = await createBench();
  const ask = adminOf(bench);
  for (let n = 0; n < 25; n++) await bench.accept({ deliveries: [mail({ email: `u${n}@example.com` })] });
  await bench.pass(10_000);
  const { json } = await ask<Status>("GET", "/status");
  expect(json.pace.limit).toBe(10);
  expect(json.pace.last60).toHaveLength(60);
  expect(json.pace.last60.reduce((sum, one) => sum + one, 0)).toBe(25);
  expect(Math.max(...json.pace.last60)).toBeLessThanOrEqual(10);
  expect(json.health).toEqual({ status: "ok", reasons: [], problems: [] });
  expect(json.database.bytes).toBeGreaterThan(0);
  await bench.pass(70_000);
  expect((await ask<Status>("GET", "/status")).json.pace.last60).toEqual(Array(60).fill(0));

  await ask("POST", "/pause", { source: "stripe" });
  const paused = await ask<Status>("GET", "/status");
  expect(paused.json.health).toMatchObject({ status: "degraded", reasons: ["paused by a person: stripe"] });
});

it("GET /admin/status has what the email service's newest answer said is left of its limit", async () => {
  const left = ["7", "6", "many"];
  const bench = await createBench((own) => ({
    fetch: async (url: string, init: RequestInit) => {
      const answer = await own.fetch(url, init);
      const headers = new Headers(answer.headers);
      headers.set("x-ratelimit-remaining", left.shift() ?? "many");
      return new Response(answer.body, { status: answer.status, headers });
    },
  }));
  const ask = adminOf(bench);
  const remaining = async () => (await ask<Status>("GET", "/status")).json.pace.serviceRemaining;
  expect(await remaining()).toBeNull();
  for (const expected of [7, 6, 6]) {
    const { id } = await bench.accept({ deliveries: [mail({ email: "ada@example.com" })] });
    await bench.deliveries(id);
    await bench.pass(2_000);
    expect(await remaining()).toBe(expected);
  }
});
