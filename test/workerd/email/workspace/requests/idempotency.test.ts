import { runDurableObjectAlarm } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { advance, createTeam, isolated, START, type Team } from "../../bench.ts";

isolated();

const DAY = 86_400_000;
const mail = { transactionalId: "tpl_welcome", email: "ada@example.com", dataVariables: { name: "Ada" } };
const event = { userId: "u1", eventName: "paid" };

let team: Team;
beforeEach(async () => {
  team = await createTeam({ samples: true });
});

const send = (key: string, body: unknown = event) => team.post("/events/send", body, { "Idempotency-Key": key });
const sendMail = (key: string, body: unknown = mail) => team.post("/transactional", body, { "Idempotency-Key": key });

describe("an Idempotency-Key", () => {
  it("is refused for 24 h to the millisecond, then free again", async () => {
    await send("k");
    const taken = Date.now();
    for (const [after, status] of [
      [1, 409],
      [DAY - 60_000, 409],
      [DAY - 1, 409],
      [DAY, 200],
    ] as const) {
      vi.setSystemTime(taken + after - 100);
      expect((await send("k")).status, `${after} ms after`).toBe(status);
    }
    expect(await team.rows("SELECT count(*) AS n FROM events")).toEqual([{ n: 2 }]);
  });

  it("stays taken when the clock steps back over midnight", async () => {
    vi.setSystemTime(START + DAY / 2 + 5);
    await send("k");
    vi.setSystemTime(START + DAY / 2 - 500);
    expect((await send("k")).status).toBe(409);
  });

  it("is refused with the published message", async () => {
    await send("k");
    const { json } = await send("k", { ...event, eventProperties: { other: 1 } });
    expect(json).toEqual({
      success: false,
      code: "idempotency_key_used",
      message: "Idempotency key has been used within the last 24 hours.",
    });
  });

  it("is checked before the request is validated", async () => {
    await send("k");
    for (const body of [{}, { eventName: 4 }, "{"]) expect((await send("k", body)).status).toBe(409);
    const { status } = await team.send("POST", "/events/send", {
      headers: { "Idempotency-Key": "k", "Content-Type": "text/plain" },
      body: "x",
    });
    expect(status).toBe(409);
  });

  it("belongs to one operation of one team", async () => {
    const other = await createTeam({ id: "other", samples: true });
    expect([(await send("k")).status, (await sendMail("k")).status]).toEqual([200, 200]);
    expect((await other.post("/events/send", event, { "Idempotency-Key": "k" })).status).toBe(200);
    expect([(await send("k")).status, (await sendMail("k")).status]).toEqual([409, 409]);
  });

  it("is not taken by a refused request", async () => {
    expect((await sendMail("k", { ...mail, transactionalId: "tpl_magic_link", dataVariables: {} })).status).toBe(400);
    expect((await sendMail("k", { ...mail, transactionalId: "tpl_x" })).status).toBe(404);
    expect((await sendMail("k")).status).toBe(200);
  });

  it("has 1 to 100 characters", async () => {
    for (const key of ["", "x".repeat(101)]) {
      expect((await send(key)).json).toMatchObject({ code: "invalid_idempotency_key", path: "Idempotency-Key" });
    }
    expect((await send("x".repeat(100))).status).toBe(200);
  });

  it("accepts one of 100 requests sent as fast as the limit allows", async () => {
    const statuses = new Map<number, number>();
    const started = Date.now();
    for (let sent = 0; sent < 100; ) {
      const { status, headers } = await team.send("POST", "/events/send", {
        body: { ...event, eventProperties: { attempt: sent } },
        headers: { "Idempotency-Key": "once" },
      });
      if (status === 429) advance(Number(headers.get("x-ratelimit-reset")));
      else {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        sent++;
      }
    }
    expect(Object.fromEntries(statuses)).toEqual({ 200: 1, 409: 99 });
    // Ten in each second: nine seconds between the first ten and the last ten.
    expect(Date.now() - started).toBe(9_000);
    expect(await team.rows("SELECT json(properties) AS first FROM events")).toEqual([{ first: '{"attempt":0}' }]);
  });

  it("works for creates too, with separate keys per operation", async () => {
    const key = { "Idempotency-Key": "k" };
    const contact = (email: string) => team.post("/contacts/create", { email }, key);
    expect((await contact("not an address")).status).toBe(400);
    expect((await contact("ada@example.com")).status).toBe(200);
    expect((await contact("bo@example.com")).json.code).toBe("idempotency_key_used");
    expect((await contact("not an address")).status).toBe(409);
    expect((await team.post("/contacts/properties", { name: "plan", type: "string" }, key)).status).toBe(200);
    expect(await team.rows("SELECT email FROM contacts")).toEqual([{ email: "ada@example.com" }]);
    expect((await team.post("/contacts/create", { email: "c@example.com" }, { "Idempotency-Key": "" })).status).toBe(
      400,
    );
  });

  it("is ignored by operations without idempotency", async () => {
    for (const status of [200, 200]) {
      const put = await team.send("PUT", "/contacts/update", {
        headers: { "Idempotency-Key": "k" },
        body: { userId: "u1" },
      });
      expect(put.status).toBe(status);
    }
    expect(await team.rows("SELECT * FROM idempotency")).toEqual([]);
  });

  it("is deleted after its 24 hours", async () => {
    await send("k");
    vi.setSystemTime(START + DAY);
    await send("l");
    vi.setSystemTime(START + 2 * DAY);
    await runDurableObjectAlarm(team.stub);
    expect(await team.rows("SELECT key FROM idempotency")).toEqual([{ key: "l" }]);
    advance(DAY);
    expect(await runDurableObjectAlarm(team.stub)).toBe(true);
    expect(await team.rows("SELECT key FROM idempotency")).toEqual([]);
  });
});
