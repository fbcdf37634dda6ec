import { evictDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { countRequest, windowsOf } from "../../../../../src/email/workspace/requests/rate.ts";
import { operationsOf } from "../../../../../src/lib/contract/operation.ts";
import { v1 } from "../../../../../src/lib/contract/v1.ts";
import { advance, createTeam, isolated, request, type Team } from "../../bench.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam();
});

const ask = () => team.send("GET", "/api-key");
const fill = async () => {
  for (let i = 0; i < 10; i++) expect((await ask()).status).toBe(200);
};

it("a request that matches no operation counts in the team's limit, and its answer says how many are left", async () => {
  const send = (method: string, path: string) =>
    request(method, path, { headers: { Authorization: `Bearer ${team.key}` } });
  const left = [];
  for (const [method, path, status] of [
    ["PATCH", "/v1/api-key", 405],
    ["GET", "/v1/nothing", 404],
    ["GET", "/v1/api-key", 200],
  ] as const) {
    const response = await send(method, path);
    expect(response.status).toBe(status);
    left.push(response.headers.get("x-ratelimit-remaining"));
  }
  expect(left).toEqual(["9", "8", "7"]);
  for (let n = 0; n < 7; n++) await send("GET", "/v1/nothing");
  expect((await send("GET", "/v1/nothing")).status).toBe(429);
  expect((await request("GET", "/v1/nothing")).status).toBe(404);
  expect((await request("OPTIONS", "/v1/nothing")).status).toBe(405);
});

describe("the team's limit", () => {
  it("counts down to 0 and refuses the eleventh with the time to wait", async () => {
    for (let i = 9; i >= 0; i--) {
      const { status, headers } = await ask();
      expect([status, headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")]).toEqual([
        200,
        "10",
        `${i}`,
      ]);
      if (i === 9) advance(400);
    }
    const { status, headers, json } = await ask();
    expect([status, json.code]).toEqual([429, "rate_limited"]);
    expect(Object.fromEntries(headers)).toMatchObject({
      "retry-after": "1",
      "x-ratelimit-reset": "600",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-limit": "10",
    });
    advance(599);
    expect((await ask()).status).toBe(429);
    advance(1);
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
  });

  it("survives an eviction", async () => {
    await fill();
    await evictDurableObject(team.stub);
    expect((await ask()).status).toBe(429);
    advance(1_000);
    expect((await ask()).status).toBe(200);
  });

  it("counts refused requests, but neither a 429 nor a bad key", async () => {
    for (let i = 0; i < 5; i++) await team.send("POST", "/contacts/create", { body: {} });
    for (let i = 0; i < 4; i++) await team.send("GET", "/contacts/find?email=nobody@example.com");
    for (let i = 0; i < 20; i++)
      await team.send("GET", "/api-key", { headers: { Authorization: `Bearer ${team.key}0` } });
    expect((await ask()).headers.get("x-ratelimit-remaining")).toBe("0");
    for (let i = 0; i < 20; i++) expect((await ask()).status).toBe(429);
    advance(1_000);
    expect((await ask()).headers.get("x-ratelimit-remaining")).toBe("9");
  });

  it("is checked before the idempotency key and the request", async () => {
    const key = { "Idempotency-Key": "k" };
    await team.send("POST", "/events/send", { body: { userId: "u1", eventName: "e" }, headers: key });
    for (let i = 0; i < 9; i++) await ask();
    expect((await team.send("POST", "/events/send", { body: {}, headers: key })).status).toBe(429);
  });

  it("is separate for each team", async () => {
    const other = await createTeam({ id: "other" });
    await fill();
    expect((await other.send("GET", "/api-key")).status).toBe(200);
  });

  it("does not lock a team out when the clock steps back by a day", async () => {
    await fill();
    vi.setSystemTime(Date.now() - 86_400_000);
    const { headers } = await ask();
    expect(headers.get("x-ratelimit-reset")).toBe("1000");
    advance(500);
    expect((await ask()).headers.get("x-ratelimit-reset")).toBe("500");
    advance(500);
    expect((await ask()).status).toBe(200);
  });
});

it("content operations have a window of their own, 60 in 60 s, beside the team's", async () => {
  for (const { name, operation } of operationsOf(v1)) {
    const published = /^\/(campaigns|transactional-emails|email-messages|workflows)(\/|$)/.test(operation.path);
    if (published) expect(operation.window, name).toBe("content");
  }
  expect(windowsOf(v1.transactionalEmails.get.window).map(({ limit, windowMs }) => [limit, windowMs])).toEqual([
    [10, 1_000],
    [60, 60_000],
  ]);
  expect(windowsOf(undefined)).toHaveLength(1);

  const answers = await team.inside((sql) =>
    Array.from({ length: 62 }, (_, i) => countRequest({ sql, now: 1_000_000 + i * 200 }, windowsOf("content"))),
  );
  expect(answers[0]?.headers).toMatchObject({ "x-ratelimit-limit": "10", "x-ratelimit-remaining": "9" });
  expect(answers[59]).toMatchObject({ headers: { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "0" } });
  expect(answers[60]).toMatchObject({
    refusal: { code: "rate_limited" },
    headers: { "Retry-After": "48", "x-ratelimit-reset": "48000" },
  });
  const { headers } = await team.inside((sql) =>
    countRequest({ sql, now: 1_000_000 + 61 * 200 }, windowsOf(undefined)),
  );
  // Three of the last second, and this one: requests refused by the content window do not count.
  expect(headers["x-ratelimit-remaining"]).toBe("6");
});
