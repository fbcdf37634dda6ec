import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Mailspan, secrets, startMailspan } from "./mailspan.ts";
import { most, startService } from "./service.ts";

const KEY = "ms_team_gateway-test-key";

let mailspan: Mailspan;
let service: Awaited<ReturnType<typeof startService>>;

beforeAll(async () => {
  service = await startService(() => "none");
  mailspan = await startMailspan({ EMAIL_API_URL: service.url, EMAIL_API_KEY: KEY });
});
afterAll(async () => {
  await mailspan.stop();
  service.stop();
});

const delivery = (path: string, init: RequestInit = {}, bearer: string | undefined = KEY) =>
  fetch(`${mailspan.url}${path}`, {
    ...init,
    headers: { ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }), ...init.headers },
  });

describe("the gateway", () => {
  it("refuses a request without the API key, in the API's error form, and does not contact the email service", async () => {
    const before = service.arrivals.length;
    for (const bearer of ["wrong", `${KEY}x`, KEY.slice(0, -1), secrets.ADMIN_TOKEN]) {
      const response = await delivery("/v1/events/send", { method: "POST", body: "{}" }, bearer);
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ success: false, code: "invalid_api_key" });
    }
    const none = await fetch(`${mailspan.url}/v1/lists`);
    expect([none.status, await none.json()]).toMatchObject([401, { success: false, code: "missing_api_key" }]);
    expect(service.arrivals).toHaveLength(before);
  });

  it("refuses a wait that is too long and a body that is too large, and names the problem", async () => {
    for (const prefer of ["wait=abc", "wait=-1", "wait=26", "wait=1000", "wait="]) {
      const response = await delivery("/v1/lists", { headers: { Prefer: prefer } });
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { code: "invalid_request", path: "Prefer" },
      ]);
    }
    const large = await delivery("/v1/transactional", { method: "POST", body: "x".repeat(4_000_001) });
    expect([large.status, await large.json()]).toMatchObject([413, { code: "body_too_large" }]);
  });

  it("forwards paths under /v1 only", async () => {
    const before = service.arrivals.length;
    // Without fetch, which would resolve `..` itself.
    const raw = (path: string) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect({ port: Number(new URL(mailspan.url).port), host: "127.0.0.1" }, () =>
          socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nConnection: close\r\n\r\n`),
        );
        let text = "";
        socket.on("data", (data) => {
          text += data.toString();
        });
        socket.on("close", () => resolve(text));
        socket.on("error", reject);
      });
    const tricks = ["/v1/../admin/teams", "/v1/%2e%2e/inbox.json", "/v1/x/../../inbox", "/v1//campaigns", "/v1/"];
    tricks.push(
      "/v1/contacts%2ffind",
      "/v1/events%2Fsend",
      "/v1/%2e%2e%2fadmin/teams",
      "/v1/x%5c..%5cinbox",
      "/v1%2fx",
    );
    for (const path of tricks) expect(await raw(path), path).toMatch(/^HTTP\/1\.1 404 /);
    expect(service.arrivals).toHaveLength(before);
  });

  it("50 clients at once with 2 requests each: all succeed, and the email service never sees 11 requests in a second", async () => {
    const before = service.arrivals.length;
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async (_, caller) => {
        const own: number[] = [];
        for (let n = 0; n < 2; n++) {
          const response = await delivery("/v1/events/send", {
            method: "POST",
            headers: { Prefer: "wait=25", "Idempotency-Key": `c${caller}-${n}`, "Content-Type": "application/json" },
            body: JSON.stringify({ email: "ada@example.com", eventName: "x" }),
          });
          await response.arrayBuffer();
          own.push(response.status);
        }
        return own;
      }),
    );
    expect(statuses.flat()).toEqual(Array(100).fill(200));
    const arrivals = service.arrivals.slice(before);
    expect(arrivals).toHaveLength(100);
    expect(new Set(arrivals.map(({ key }) => key)).size).toBe(100);
    expect(most(arrivals.map(({ at }) => at))).toBeLessThanOrEqual(10);
    // All first requests come before any second one: a client's next request goes to the end of the queue.
    const rounds = arrivals.map(({ key = "" }) => Number(key.slice(key.indexOf("-") + 1)));
    expect(rounds).toEqual([...rounds].sort((a, b) => a - b));
  }, 90_000);
});
