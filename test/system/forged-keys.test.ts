import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seedTeam } from "../../scripts/start/seed.ts";
import { startWorkers, type Workers } from "../../scripts/workers.ts";
import { loadOnce } from "./mailspan.ts";

const vars = { ADMIN_TOKEN: "test-admin-token-of-the-test", API_KEY_SECRET: "test-key-secret" };
let state: string;
let workers: Workers;
let key: string;
let otherKey: string;

const admin = async (path: string, body: object) => {
  const response = await fetch(workers.emailUrl + path, {
    method: "POST",
    headers: { Authorization: `Bearer ${vars.ADMIN_TOKEN}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(201);
  return (await response.json()) as { key: string };
};

beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), "mailspan-forged-"));
  workers = await startWorkers({ port: 0, emailPort: 0, state, load: loadOnce, bridgeVars: {}, emailVars: vars });
  key = await seedTeam(workers.emailUrl, vars.ADMIN_TOKEN, "");
  await admin("/admin/teams", { id: "other", name: "Other" });
  otherKey = (await admin("/admin/teams/other/keys", { name: "test" })).key;
});
afterAll(async () => {
  await workers.stop();
  await rm(state, { recursive: true, force: true });
});

/** Every file of the state except write-ahead logs, which change with reads. */
const files = async () =>
  (await readdir(state, { recursive: true })).filter((name) => !/-(wal|shm)$/.test(name)).toSorted();

const random = (length: number) =>
  Array.from(randomBytes(length), (byte) => "0123456789abcdefghijklmnopqrstuvwxyz"[byte % 36]).join("");
const hex = (length: number) => randomBytes(length).toString("hex").slice(0, length);

const forgeries: Record<string, () => string> = {
  "a known key with another tag": () => key.replace(/_\w{24}$/, `_${hex(24)}`),
  "a known tag on another key": () => `ms_demo_${random(32)}_${key.slice(-24)}`,
  "a key of a team that exists": () => `ms_demo_${random(32)}_${hex(24)}`,
  "a real key with the name of another team": () => otherKey.replace("ms_other_", "ms_demo_"),
  "a key of a team that does not exist": () => `ms_${random(8)}_${random(32)}_${hex(24)}`,
  "a real key with the name of a team that does not exist": () => otherKey.replace("ms_other_", `ms_${random(9)}_`),
  "a team name that is too long": () => `ms_${random(300)}_${random(32)}_${hex(24)}`,
  "a team name that is a path": () => `ms_../../${random(4)}_${random(32)}_${hex(24)}`,
  "a key cut short": () => key.slice(0, -1),
  garbage: () => randomBytes(40).toString("base64url"),
};

const ask = (header: string | undefined, path = "/v1/api-key") =>
  fetch(workers.emailUrl + path, header === undefined ? {} : { headers: { Authorization: header } });

const timings = async (while_: () => boolean): Promise<number[]> => {
  const times: number[] = [];
  while (while_()) {
    const start = performance.now();
    const response = await ask(`Bearer ${key}`);
    await response.text();
    times.push(performance.now() - start);
    expect(response.status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, 110 - (performance.now() - start))));
  }
  return times;
};
const median = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;

/** Sends `count` requests, 200 a second: twenty times a team's limit. Returns how long a valid key takes meanwhile. */
const delayedBy = async (count: number, one: (index: number) => Promise<void>): Promise<number> => {
  let isFlooding = true;
  const flood = async () => {
    const answers: Promise<void>[] = [];
    const start = performance.now();
    for (let sent = 0; sent < count; sent++) {
      answers.push(one(sent));
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, start + sent * 5 - performance.now())));
    }
    await Promise.all(answers);
  };
  const [times] = await Promise.all([timings(() => isFlooding), flood().finally(() => (isFlooding = false))]);
  return median(times);
};

it("1 000 forged keys create no object and no file, and delay a valid key no more than requests without a key", async () => {
  const there = await files();
  const kinds = Object.entries(forgeries);
  let refused = 0;
  const without = await delayedBy(500, async () => {
    const response = await ask(undefined);
    expect(response.status).toBe(401);
    await response.text();
  });
  const forged = await delayedBy(1_000, async (index) => {
    const [kind, forge] = kinds[index % kinds.length] ?? ["", () => ""];
    const response = await ask(`Bearer ${forge()}`);
    expect([kind, response.status, await response.json()]).toEqual([
      kind,
      401,
      expect.objectContaining({ success: false, code: "invalid_api_key" }),
    ]);
    expect(response.headers.get("x-ratelimit-remaining")).toBeNull();
    refused += 1;
  });

  expect(refused).toBe(1_000);
  expect(await files()).toEqual(there);
  console.log(
    `valid key: ${without.toFixed(2)} ms beside requests without a key, ${forged.toFixed(2)} beside forged keys`,
  );
  // A flood in the object would delay by its whole queue.
  expect(forged).toBeLessThan(Math.max(4 * without, without + 50));
});

it("a key in the query string, in another scheme, twice, or missing is refused, and creates no object and no file", async () => {
  const there = await files();
  const unknown = `ms_${random(8)}_${random(32)}_${hex(24)}`;
  for (const header of [
    undefined,
    "",
    "Bearer",
    `Basic ${key}`,
    key,
    `Bearer ${key} ${key}`,
    `Bearer ${key},`,
    `Bearer ${unknown}`,
  ]) {
    expect([header, (await ask(header)).status]).toEqual([header, 401]);
  }
  for (const name of ["key", "api_key", "apiKey", "authorization", "Authorization", "token"]) {
    expect((await ask(undefined, `/v1/api-key?${name}=${encodeURIComponent(`Bearer ${key}`)}`)).status).toBe(401);
  }
  expect(await files()).toEqual(there);
});

it("a new team creates a file, so the tests above would notice a new object", async () => {
  const there = await files();
  await admin("/admin/teams", { id: "third", name: "Third" });
  expect((await files()).length).toBeGreaterThan(there.length);
});
