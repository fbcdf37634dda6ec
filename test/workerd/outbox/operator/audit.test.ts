import { describe, expect, it } from "vitest";
import { bridgeContract } from "../../../../src/lib/contract/admin/bridge.ts";
import { bridgeRoutes } from "../../../../src/lib/contract/admin/routes/bridge.ts";
import { finderOf } from "../../../../src/lib/contract/match.ts";
import { operationsOf } from "../../../../src/lib/contract/operation.ts";
import { v1 } from "../../../../src/lib/contract/v1.ts";
import { admin } from "../../../../src/routes/admin.ts";
import { toHttp } from "../../email/examples.ts";
import { adminOf } from "../admin.ts";
import { type Bench, createBench, mail } from "../setup.ts";

const VARS = { EMAIL_API_KEY: "ms_acme_key" };
const DAY = 86_400_000;

type Entry = { id: string; at: string; who: string; from: string; operation: string; ids: object; status: number };
type Page = { data: Entry[]; next: string | null };

const read = async (bench: Bench, query = ""): Promise<Entry[]> =>
  (await adminOf(bench)<Page>("GET", `/audit${query}`)).json.data;
const names = async (bench: Bench, query = "") => (await read(bench, query)).map(({ operation }) => operation);
const rows = (bench: Bench) =>
  bench.inside((_, { storage: { sql } }) => sql.exec<{ n: number }>("SELECT count(*) AS n FROM audit").one().n);

/** Asks while virtual time passes, so that the gateway gets its answer. */
const asking = (bench: Bench, ...given: Parameters<ReturnType<typeof adminOf>>) =>
  bench.during((outbox) => {
    const ask: Bench["ask"] = async (work) => work(outbox);
    return adminOf({ ...bench, ask }, VARS)(...given);
  });
const SOON = { Prefer: "wait=1" };

const all = [
  ...operationsOf(bridgeContract).map((one) => ({ ...one, prefix: "", title: `bridge.${one.name}` })),
  ...operationsOf(v1).map((one) => ({ ...one, prefix: "/v1", title: `bridge.v1.${one.name}` })),
];
const acts = all.filter(({ operation }) => operation.effect === "act");
const others = all.filter(({ operation }) => operation.effect !== "act");

describe("the audit of the bridge", () => {
  it("has a name for every route under /admin that changes something", () => {
    const find = finderOf(bridgeRoutes);
    const routes = admin.routes.filter(({ method }) => !["ALL", "GET", "OPTIONS"].includes(method));
    expect(routes.length).toBeGreaterThan(10);
    for (const { method, path } of routes)
      expect([method, path, find(method, path.replaceAll(/:\w+/g, "one"))?.operation.method]).toEqual([
        method,
        path,
        method,
      ]);
  });

  it.each(acts)("has $title, with its status", async ({ title, operation, prefix }) => {
    const bench = await createBench();
    const { method, path, body } = toHttp(prefix, operation, operation.example);
    const given = body && "dryRun" in body ? { ...body, dryRun: false } : body;
    const { status } = await asking(bench, method, path, given, SOON);
    const { summary } = operation;
    expect(await read(bench)).toMatchObject([{ operation: title, summary, who: "token", from: "local", status }]);
  });

  it("has none of what only reads, asks or tries", async () => {
    const bench = await createBench();
    for (const { operation, prefix } of others) {
      const { method, path, body } = toHttp(prefix, operation, operation.example);
      await asking(bench, method, path, body, SOON).catch(() => {});
    }
    const ask = adminOf(bench);
    for (const dryRun of [true, "1"]) {
      await ask("POST", "/replay", { dryRun });
      await ask("POST", "/erase", { email: "ada@example.com", dryRun });
    }
    await ask("POST", "/deliveries/retry", {});
    expect(await read(bench)).toEqual([]);
  });

  it("has a large backfill that is a dry run as little as a small one", async () => {
    const bench = await createBench();
    const objects = [{ id: "x".repeat(1_500_000) }];
    await adminOf(bench)("POST", "/backfill/stripe", { objects, dryRun: true });
    expect(await read(bench)).toEqual([]);
    await adminOf(bench)("POST", "/backfill/stripe", { objects });
    expect(await names(bench)).toEqual(["bridge.backfill.add"]);
  });

  it("has the person whom the dashboard names, and the address that it saw", async () => {
    const bench = await createBench();
    const named = { "X-Mailspan-Actor": "łukasz@example.com", "X-Mailspan-Actor-Address": "198.51.100.4" };
    await adminOf(bench)("POST", "/pause", {}, named);
    await adminOf(bench)("POST", "/resume", {}, { "CF-Connecting-IP": "2001:db8:1:2:3::4" });
    expect(await read(bench)).toMatchObject([
      { operation: "bridge.dispatch.resume", who: "token", from: "2001:db8:1:2::/64", status: 200 },
      { operation: "bridge.dispatch.pause", who: "łukasz@example.com", from: "198.51.100.4", status: 200 },
    ]);
    expect(await names(bench, "?from=198.51.100.4&since=1h")).toEqual(["bridge.dispatch.pause"]);
    expect(await names(bench, "?who=token&operation=bridge.dispatch")).toEqual(["bridge.dispatch.resume"]);
    expect(await names(bench, "?until=1h")).toEqual([]);
  });

  it("has an operation of the email service that the contract does not know, and no path that is none", async () => {
    const bench = await createBench();
    const ask = (path: string) => asking(bench, "POST", path, {}, SOON);
    await ask("/v1/contact%73/delete");
    expect(await names(bench)).toEqual(["bridge.v1.contacts.delete"]);
    bench.service.before = () => Response.json({ success: true });
    await ask("/v1/audience/empty");
    expect(await names(bench)).toEqual(["bridge.unknown", "bridge.v1.contacts.delete"]);
    await ask("/nothing");
    expect(await read(bench)).toHaveLength(2);
  });

  it("has nothing without the token, whatever the headers name", async () => {
    const bench = await createBench();
    const wrong = { Authorization: "Bearer a-wrong-token-of-some-length", "X-Mailspan-Actor": "eve" };
    expect((await adminOf(bench)("POST", "/pause", {}, wrong)).status).toBe(401);
    expect(await read(bench)).toEqual([]);
  });

  it("has no body, no query and no address of a person, so that an erased person is not in it", async () => {
    const bench = await createBench();
    const ask = adminOf(bench, VARS);
    await bench.accept({ deliveries: [mail({ email: "ada@example.com" })] });
    await ask("POST", "/deliveries/ada%40example.com/retry", {});
    await ask("POST", "/deliveries/retry", { email: "ada@example.com", dryRun: false });
    await ask("POST", "/erase", { email: "ada@example.com" });
    await asking(bench, "POST", "/v1/contacts/delete", { email: "ada@example.com" }, SOON);
    const kept = await bench.inside((_, { storage: { sql } }) =>
      JSON.stringify(sql.exec("SELECT * FROM audit").toArray()),
    );
    expect(kept).not.toMatch(/ada(@|%40)/);
    expect((await read(bench)).map(({ ids }) => ids)).toEqual([{}, {}, {}, { deliveryId: "(address)" }]);
  });

  it("ends after 90 days by the alarm of an Outbox that has nothing else, within bounded slices", async () => {
    const bench = await createBench();
    await adminOf(bench)("POST", "/pause", {});
    await bench.inside((_, { storage: { sql } }) => {
      const copy =
        "INSERT INTO audit (at, who, operation, ids, status) SELECT at, who, operation, ids, status FROM audit";
      for (let n = 0; n < 11; n++) sql.exec(copy);
    });
    await bench.pass(89 * DAY);
    expect(await rows(bench)).toBe(2_048);
    await bench.pass(1.5 * DAY);
    expect([await rows(bench), await read(bench)]).toEqual([0, []]);
  });

  it("costs one row", async () => {
    const bench = await createBench();
    await adminOf(bench)("POST", "/pause", {});
    const written = await bench.inside((outbox, { storage: { sql } }) => {
      const count = () => sql.exec<{ n: number }>("SELECT total_changes() AS n").one().n;
      const before = count();
      const entry = { at: 1, who: "token", from: "local", operation: "bridge.dispatch.pause", ids: {}, status: 200 };
      outbox.noteAct(entry, "a");
      outbox.noteAct(entry, "a");
      return count() - before;
    });
    expect(written).toBe(1);
  });
});
