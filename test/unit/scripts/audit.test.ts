import { afterEach, describe, expect, it, vi } from "vitest";
import { audit } from "../../../scripts/audit/audit.ts";
import { AUDIT } from "../../../scripts/audit/usage.ts";
import { parse } from "../../../scripts/lib/command.ts";

afterEach(() => vi.unstubAllGlobals());

const VARS = { ADMIN_TOKEN: "token", EMAIL_ADMIN_TOKEN: "other" };
const BRIDGE = "http://127.0.0.1:8787/admin/audit";
const EMAIL = "http://127.0.0.1:8788/admin/audit";

const entry = (at: number, operation: string, more: object = {}) => ({
  id: String(at),
  at: new Date(at).toISOString(),
  who: "token",
  from: "local",
  operation,
  ids: {},
  status: 200,
  ...more,
});

type Answers = Record<string, (query: URLSearchParams) => object>;
const workers = (answers: Answers) => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string, { headers }: RequestInit) => {
    const { origin, pathname, searchParams } = new URL(url);
    asked.push(`${new Headers(headers).get("Authorization")} ${url}`);
    return Response.json(answers[origin + pathname]?.(searchParams));
  });
  return asked;
};
const run = (line: string[], vars = VARS) => audit(parse(AUDIT, line).values, vars);

describe("npm run audit", () => {
  it("shows the acts of both Workers in one list, newest first, each asked with its token and the filters", async () => {
    const asked = workers({
      [BRIDGE]: () => ({ data: [entry(3, "bridge.dispatch.pause", { who: "ada", from: "192.0.2.1" })], next: null }),
      [EMAIL]: () => ({
        data: [entry(5, "email.keys.create", { ids: { team: "acme" }, status: 201 }), entry(1, "email.teams.create")],
        next: null,
      }),
    });
    const lines = (await run(["--since", "1d", "--who", "ada"])).split("\n").map((line) => line.split(/ {2,}/));
    expect(lines.slice(2)).toEqual([
      ["1970-01-01T00:00:00.005Z", "token", "local", "email.keys.create", "acme", "201"],
      ["1970-01-01T00:00:00.003Z", "ada", "192.0.2.1", "bridge.dispatch.pause", "200"],
      ["1970-01-01T00:00:00.001Z", "token", "local", "email.teams.create", "200"],
    ]);
    expect(asked).toEqual([`Bearer token ${BRIDGE}?since=1d&who=ada`, `Bearer other ${EMAIL}?since=1d&who=ada`]);
  });

  it("reads pages until it has enough, and no more", async () => {
    const page = (query: URLSearchParams) => {
      const from = Number(query.get("cursor") ?? 100);
      return {
        data: [entry(from, "bridge.dispatch.pause"), entry(from - 1, "bridge.dispatch.resume")],
        next: `${from - 2}`,
      };
    };
    const asked = workers({ [BRIDGE]: page, [EMAIL]: () => ({ data: [], next: null }) });
    const entries = JSON.parse(await run(["--limit", "3", "--json"])) as { id: string }[];
    expect(entries.map(({ id }) => id)).toEqual(["100", "99", "98"]);
    expect(asked).toHaveLength(3);
  });

  it("says so when nothing was changed, asks a deployed bridge alone, and refuses a limit that is no number", async () => {
    const asked = workers({ "https://bridge.example.com/admin/audit": () => ({ data: [], next: null }) });
    expect(await run(["--url", "https://bridge.example.com"])).toBe("Nothing was changed in this time.");
    expect(asked).toHaveLength(1);
    await expect(run(["--limit", "many"])).rejects.toThrow("--limit must be a whole number");
  });
});
