import { afterAll, beforeAll, expect, it } from "vitest";
import type { Mailspan } from "../system/mailspan.ts";
import { createTeam, pause, startService } from "./team.ts";

// The campaign requests of the Go client: keys sorted, empty fields omitted on creation, null for a nil pointer in a
// change.

let mailspan: Mailspan;
beforeAll(async () => {
  mailspan = await startService();
});
afterAll(() => mailspan.stop());

type Shown = { id: string; scheduling: { timestamp: string } };

it("the Go client's requests write a campaign", async () => {
  const { key, list } = await createTeam(mailspan, "requests-go-campaigns", true);
  const send = async (method: string, path: string, body?: string) => {
    await pause();
    const response = await fetch(`${mailspan.emailUrl}/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, "User-Agent": "loops-go/0.6.0", "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body }),
    });
    return [response.status, (await response.json()) as Shown] as const;
  };
  // The client takes no other status for a creation.
  const [status, created] = await send("POST", "/campaigns", `{"name":"Spring sale","mailingListId":"${list}"}`);
  expect([status, created]).toMatchObject([201, { status: "Draft", mailingListId: list, audienceFilter: null }]);
  const at = `/campaigns/${created.id}`;
  const timestamp = new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+Z$/, "Z");
  const changes = `{"audienceFilter":null,"audienceSegmentId":null,"mailingListId":null,"name":"Summer sale","scheduling":{"method":"schedule","timestamp":"${timestamp}"}}`;
  const changed = await send("POST", at, changes);
  expect(changed).toMatchObject([
    200,
    { name: "Summer sale", mailingListId: null, scheduling: { method: "schedule" } },
  ]);
  expect(Date.parse(changed[1].scheduling.timestamp)).toBe(Date.parse(timestamp));
  expect(await send("GET", at)).toEqual(changed);
  expect(await send("GET", "/campaigns?perPage=10")).toMatchObject([200, { data: [changed[1]] }]);
  expect(await send("POST", at, '{"audienceSegmentId":"seg_none"}')).toMatchObject([
    404,
    { code: "segment_not_found" },
  ]);
});
