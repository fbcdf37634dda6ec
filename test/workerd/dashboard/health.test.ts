import { expect, it, vi } from "vitest";
import { dashboard, isolated, TOKEN } from "./bench.ts";

isolated();

const health = async (
  changes: Parameters<typeof dashboard>[0] = {},
  query = "",
  headers: Record<string, string> = {},
) => {
  const answer = await dashboard(changes).ask("GET", `/health${query}`, { headers, without: ["Origin"] });
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  return { status: answer.status, headers: answer.headers, json: (await answer.json()) as any };
};
const operator = { Authorization: `Bearer ${TOKEN}` };

it("GET /health is ok, and a browser is led to the page", async () => {
  const { status, json, headers } = await health();
  expect([status, json, headers.get("Cache-Control")]).toEqual([200, { status: "ok", reasons: [] }, "no-store"]);
  const page = await dashboard().ask("GET", "/health", { headers: { Accept: "text/html,application/xhtml+xml" } });
  expect([page.status, page.headers.get("Location")]).toEqual([308, "/deliveries/throughput"]);
});

it("says which setting is missing, and that the logins do not answer", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const LOGINS = { getByName: () => ({ pulse: () => Promise.reject(new Error("down")) }) };
  const { json } = await health({ LOGINS, ADMIN_TOKEN: "short", BRIDGE: undefined, EMAIL: undefined });
  expect(json.status).toBe("degraded");
  expect(json.reasons).toEqual([
    expect.stringContaining("ADMIN_TOKEN has fewer than 24 characters"),
    "neither the bridge nor the email Worker is bound",
    "the logins do not answer",
  ]);
});

it.each([{}, { Authorization: "Bearer wrong" }])("?deep=1 needs the admin token (%j)", async (headers) => {
  expect((await health({}, "?deep=1", headers)).status).toBe(401);
  expect((await health({ ADMIN_TOKEN: undefined }, "?deep=1", headers)).status).toBe(503);
});

it("?deep=1 tries a write, and sets the alarm of the logins", async () => {
  const { json } = await health({}, "?deep=1", operator);
  expect(json).toMatchObject({
    status: "ok",
    deep: { schema: expect.any(Number), bytes: expect.any(Number), alarm: expect.any(Number) },
  });
  vi.spyOn(console, "log").mockImplementation(() => {});
  const LOGINS = { getByName: () => ({ pulse: () => Promise.reject(new Error("SQLITE_FULL")) }) };
  const full = (await health({ LOGINS }, "?deep=1", operator)).json;
  expect([full.status, full.reasons]).toEqual(["degraded", ["the logins do not answer, or cannot be written"]]);
});
