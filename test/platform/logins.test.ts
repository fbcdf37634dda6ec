import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { secrets } from "../system/mailspan.ts";
import type { Rules } from "./inside/rules.ts";
import { startSimulated } from "./simulated.ts";

let platform: Awaited<ReturnType<typeof startSimulated>>;
let origin = "";
beforeAll(async () => {
  const { ADMIN_TOKEN } = secrets;
  const email = { ADMIN_TOKEN, API_KEY_SECRET: "platform-key-secret", INBOX: "1" };
  platform = await startSimulated({ dashboard: { ADMIN_TOKEN }, email });
  origin = platform.url("dashboard");
});
afterAll(() => platform.stop());

const ask = async (method: string, path: string, session?: string, body?: object) => {
  const headers = { Origin: origin, "X-Mailspan": "1", "Content-Type": "application/json" };
  const response = await fetch(`${origin}/api${path}`, {
    method,
    headers: session === undefined ? headers : { ...headers, Cookie: `ms=${session}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const cookie = /^ms=([^;]+);/.exec(response.headers.get("Set-Cookie") ?? "")?.[1] ?? "";
  return { status: response.status, cookie, body: (await response.json()) as Record<string, unknown> };
};

/** A person repeats what had no answer. */
const insist = async (request: () => ReturnType<typeof ask>) => {
  for (let tries = 1; tries < 20; tries++) {
    const answer = await request();
    if (answer.status < 500) return { ...answer, tries };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("The dashboard gives no answer.");
};

let teams = 0;
/** A login, an act at the email service, and a read. */
const play = async (rules: Rules) => {
  await platform.rules("dashboard", rules);
  const started = performance.now();
  const login = await insist(() => ask("POST", "/session", undefined, { token: secrets.ADMIN_TOKEN }));
  const id = `team-${++teams}`;
  const act = await insist(() => ask("POST", "/email/teams", login.cookie, { id, name: id }));
  const seen = await insist(() => ask("GET", "/session", login.cookie));
  const ms = performance.now() - started;
  const { aborted, refused, most } = await platform.counts("dashboard");
  await platform.rules("dashboard", {});
  const { body } = await ask("GET", "/audit", login.cookie);
  const acts = (body.data as { operation: string }[]).filter(({ operation }) => operation === "email.teams.create");
  const noted = acts.length - notedBefore;
  notedBefore = acts.length;
  return { statuses: [login.status, act.status, seen.status], acts: act.tries, noted, aborted, refused, most, ms };
};
let notedBefore = 0;

describe("the object of logins is reset", () => {
  it("not at all: a login, an act and its entry in the audit", async () => {
    expect(await play({ subrequests: 50, depth: 4 })).toMatchObject({
      statuses: [201, 201, 200],
      acts: 1,
      noted: 1,
      refused: {},
    });
  });

  it.each(
    ["attempt", "dropAttempt", "open", "find", "note"].flatMap((method) => [
      ["before", method] as const,
      ["after", method] as const,
    ]),
  )("%s %s: the person goes on at once, each act is done once and noted once", async (when, method) => {
    // The second note is that of the act.
    const aborts = [{ when, point: `Logins run ${method}`, nth: method === "note" ? 2 : 1 }];
    const outcome = await play({ aborts });
    console.log(
      `logins, ${when} ${method} | statuses ${outcome.statuses} | ${outcome.noted} noted | ${Math.round(outcome.ms)} ms`,
    );
    expect(outcome.aborted).toEqual([`${when} Logins run ${method}`]);
    expect(outcome.statuses).toEqual([201, 201, 200]);
    expect(outcome.noted).toBe(1);
    expect(outcome.ms).toBeLessThan(5_000);
  });
});
