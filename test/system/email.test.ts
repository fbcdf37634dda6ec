import { decode } from "fast-png";
import type { APIError, LoopsClient } from "loops";
import { beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../src/lib/client.ts";
import { ApiError } from "../../src/lib/contract/client.ts";
import { type Mailspan, sharedMailspan } from "./mailspan.ts";

let mailspan: Mailspan;
let client: LoopsClient;
beforeAll(async () => {
  mailspan = await sharedMailspan();
  client = mailspan.client;
});

const failure = (request: Promise<unknown>): Promise<unknown> =>
  request.then(
    () => {
      throw new Error("The request was not refused.");
    },
    (error: unknown) => error,
  );

it("contacts, used idempotency keys and the API key survive a restart", async () => {
  const event = { email: "stays@example.com", eventName: "signedUp", headers: { "Idempotency-Key": "before-restart" } };
  await client.sendEvent(event);
  await mailspan.restart();
  expect(await client.findContact({ email: "stays@example.com" })).toHaveLength(1);
  expect(((await failure(client.sendEvent(event))) as APIError).statusCode).toBe(409);
});

it("the inbox page is one self-contained document, and its content policy forbids scripts", async () => {
  const response = await fetch(`${mailspan.emailUrl}/inbox`);
  expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  const page = await response.text();
  expect(page).toMatch(/^<!doctype html>/);
  expect(page.match(/<link[^>]*>/g)).toEqual(['<link rel="icon" href="/inbox/favicon.svg" type="image/svg+xml">']);
  const withoutLinks = page.replace(/<a [^>]*>/g, "");
  expect(withoutLinks).not.toMatch(/<script|https?:\/\//);
});

it("an icon in a mail is a picture that the Worker serves, and the list of paths is not", async () => {
  const get = (path: string, init: RequestInit = {}) => fetch(mailspan.emailUrl + path, init);
  const response = await get("/icons/github-808080.png");
  expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "image/png"]);
  const png = decode(await response.arrayBuffer(), { checkCrc: true });
  expect([png.width, png.height, png.palette?.length]).toEqual([96, 96, 16]);
  expect(png.data.some((byte) => byte !== 0)).toBe(true);
  expect(response.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
  const head = await get("/icons/github-808080.png", { method: "HEAD" });
  expect([head.status, head.headers.get("Content-Type"), await head.text()]).toEqual([200, "image/png", ""]);
  for (const path of ["/icons.txt", "/icons", "/icons/", "/icons/..%2ficons.txt", "/icons/nothing-808080.png"]) {
    const refused = await get(path);
    expect([path, refused.status, await refused.json()]).toMatchObject([path, 404, { code: "not_found" }]);
  }
});

describe("the client of the contract", () => {
  const api = (apiKey = mailspan.key) => createClient({ baseUrl: mailspan.emailUrl, apiKey });

  it("lists published transactional emails", async () => {
    const { data, pagination } = await api().transactional.list({ perPage: "10" });
    expect(pagination).toMatchObject({ perPage: 10, returnedResults: data.length, nextCursor: null });
    expect(data.find(({ id }) => id === "tpl_welcome")).toMatchObject({
      name: "Welcome",
      dataVariables: ["company", "name", "website"],
    });
  });

  it("reads code, request id and Retry-After of a refusal", async () => {
    const error = (await failure(api("ms_forged").apiKey.test())) as ApiError;
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 401, code: "invalid_api_key", requestId: expect.stringMatching(/^req_/) });
    const key = await mailspan.newTeam("limited");
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => api(key).apiKey.test()));
    const limited = results.find((result) => result.status === "rejected");
    expect(limited?.reason).toMatchObject({ status: 429, code: "rate_limited", retryAfter: 1_000 });
  });
});
