import fc from "fast-check";
import { expect, inject, it, vi } from "vitest";
import { matcherOf, routesOf } from "../../../../src/lib/contract/match.ts";
import { operationsOf } from "../../../../src/lib/contract/operation.ts";
import { v1 } from "../../../../src/lib/contract/v1.ts";
import { app, createTeam, isolated, START, type Team } from "../bench.ts";
import { arrange } from "../examples.ts";
import { cases } from "./cases.ts";
import { type Shot, shots } from "./requests.ts";

isolated();

/** Requests per team: enough for later requests to meet data of earlier ones. */
const LENGTH = 20;
const { runs, seed, path } = inject("fuzz");

const prepare = async () => {
  const team = await createTeam({ samples: true, createProperties: true });
  await arrange(team);
  await team.run(
    "INSERT INTO mailing_lists (id, name, description, visibility, created_at) VALUES ('lst_news', 'News', '', 'public', 1)",
  );
  await team.run(
    "INSERT INTO mailing_lists (id, name, description, visibility, created_at, archived_at) VALUES ('lst_old', 'Old', '', 'private', 1, 2)",
  );
  await team.post("/contacts/create", { email: "bo@example.com", userId: "u1", plan: "pro", seats: 3, vip: true });
  await team.post("/contacts/create", { email: "suppressed@example.com", userId: "__proto__" });
  await team.post("/contacts/properties", { name: "renewsAt", type: "date" });
  await team.run("INSERT INTO suppressions (email_key, reason, at) VALUES ('suppressed@example.com', 'bounce', 1)");
  await team.run("UPDATE templates SET published = NULL WHERE id = 'tpl_magic_link'");
  const kept = await team.everything();
  const tables = [...kept.matchAll(/^CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)"?/gm)].map(([, name]) => name ?? "");
  const rows = kept.split(/;\n/).filter((statement) => statement.startsWith("INSERT"));
  const restore = async () => {
    vi.setSystemTime(START + 60_000);
    await team.inside((sql) => {
      for (const table of tables) sql.exec(`DELETE FROM ${table}`);
      for (const row of rows) sql.exec(row);
    });
    return kept;
  };
  expect(await restore()).toBe(await team.everything());
  return { team, restore };
};

const requestOf = ({ method, path: at, headers, body }: Shot, key: string): Request => {
  const bytes = typeof body === "object" ? Uint8Array.from(atob(body.base64), (char) => char.charCodeAt(0)) : body;
  return new Request(`http://mailspan.test/v1${at}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...headers },
    ...(bytes === undefined ? {} : { body: bytes }),
  });
};

/** Waits until mail is delivered and nothing changes, so that late results are not attributed to the next request. */
const settled = async (team: Team): Promise<string> => {
  let before = "";
  for (const end = performance.now() + 10_000; performance.now() < end; ) {
    const [row] = await team.rows("SELECT count(*) AS n FROM sends WHERE state IN ('queued', 'sending')");
    const now = await team.everything();
    if (row?.n === 0 && now === before) return now;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  throw new Error("A mail was not handed over.");
};

const changesOf = (before: string, after: string): string[] => {
  if (before === after) return [];
  const [old, now] = [before.split(/;\n/), after.split(/;\n/)];
  return [
    ...old.filter((one) => !now.includes(one)).map((one) => `- ${one}`),
    ...now.filter((one) => !old.includes(one)).map((one) => `+ ${one}`),
  ];
};

const operationAt = matcherOf(routesOf(v1, "/v1"));

/** Counts of statuses and operations: a run without accepted requests would prove nothing. */
const seen = new Map<string, number>();

const play = async (team: Team, start: string, list: readonly Shot[]): Promise<void> => {
  let before = start;
  for (const shot of list) {
    vi.setSystemTime(Date.now() + shot.wait);
    const request = requestOf(shot, team.key);
    const response = await app.request(request.clone());
    const { status, headers } = response;
    const text = await response.text();
    seen.set(`${status}`, (seen.get(`${status}`) ?? 0) + 1);

    expect(status, text).toBeLessThan(500);
    expect(headers.get("x-request-id")).toMatch(/^req_\w{20}$/);
    const known = operationAt(shot.method, new URL(request.url).pathname);
    if (status < 300) {
      if (known) {
        seen.set(known.name, (seen.get(known.name) ?? 0) + 1);
        const body = text === "" ? undefined : JSON.parse(text);
        expect(known.operation.response.safeParse(body).error).toBeUndefined();
      }
      before = await settled(team);
      continue;
    }
    if (shot.method !== "HEAD") {
      expect(JSON.parse(text)).toMatchObject({
        success: false,
        code: expect.any(String),
        message: expect.any(String),
      });
    }
    expect(changesOf(before, await team.everything()), `${status} ${text}`).toEqual([]);
  }
};

const fewest = async (team: Team, restore: () => Promise<string>, list: readonly Shot[]): Promise<readonly Shot[]> => {
  let rest = list;
  for (const shot of list.toReversed()) {
    const without = rest.filter((other) => other !== shot);
    const passes = await play(team, await restore(), without).then(
      () => true,
      () => false,
    );
    if (!passes) rest = without;
  }
  return rest;
};

it("bugs found before stay fixed", async () => {
  const { team, restore } = await prepare();
  for (const list of cases) await play(team, await restore(), list);
});

it(`${runs} generated requests: no 5xx, answers match the contract, and a refused one leaves nothing behind`, async () => {
  const { team, restore } = await prepare();
  const property = fc.asyncProperty(shots(LENGTH), async (list) => play(team, await restore(), list));
  const numRuns = Math.ceil(runs / LENGTH);
  const details = await fc.check(property, {
    numRuns,
    ...(seed === null ? {} : { seed }),
    ...(path === null ? {} : { path }),
    endOnFailure: true,
  });
  console.log(`seed ${details.seed}: ${[...seen].map(([what, count]) => `${what} ${count}`).join(", ")}`);
  if (details.failed) {
    const again = `npm run fuzz -- --runs ${runs} --seed ${details.seed} --path ${details.counterexamplePath}`;
    const kept = JSON.stringify(await fewest(team, restore, details.counterexample?.[0] ?? []));
    throw new Error(`${again}\nas a case for cases.ts: ${kept}\n${details.errorInstance}`);
  }
  if (path !== null) return;
  expect(seen.get("200")).toBeGreaterThan(runs / 10);
  expect(seen.get("400")).toBeGreaterThan(runs / 10);
  if (runs < 20_000) return;
  for (const { name } of operationsOf(v1)) expect(seen.get(name), name).toBeGreaterThan(0);
  for (const status of ["401", "404", "405", "409", "415", "429"]) {
    expect(seen.get(status), status).toBeGreaterThan(0);
  }
}, 3_600_000);
