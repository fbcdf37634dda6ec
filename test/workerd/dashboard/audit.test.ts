import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Door } from "../../../src/dashboard/worker/door.ts";
import { advance, dashboard, isolated, recorder } from "./bench.ts";
import { withPeople } from "./people-bench.ts";

isolated();

const door = () => (env as unknown as { DOOR: DurableObjectNamespace<Door> }).DOOR.getByName("main");
const json = async (answer: Response) => [answer.status, await answer.json()];

describe("the audit", () => {
  it("has who changed what, without bodies, for 90 days", async () => {
    const { ask, logIn } = dashboard();
    const cookie = await logIn();
    await ask("GET", "/api/bridge/status", { cookie });
    await ask("POST", "/api/bridge/calls/wh_1.0/retry", { cookie, body: {} });
    await ask("DELETE", "/api/email/teams/acme/keys/key_1", { cookie });
    const read = async (query = "") => {
      const answer = await ask("GET", `/api/audit${query}`, { cookie });
      return (await answer.json()) as { data: unknown[]; next: string | null };
    };
    const at = new Date(Date.now()).toISOString();
    expect(await read()).toEqual({
      data: [
        {
          id: "2",
          at,
          who: "owner",
          operation: "email.keys.revoke",
          ids: { team: "acme", keyId: "key_1" },
          status: 200,
        },
        { id: "1", at, who: "owner", operation: "bridge.calls.retry", ids: { callId: "wh_1.0" }, status: 200 },
      ],
      next: null,
    });
    expect((await read("?operation=bridge.calls.retry")).data).toHaveLength(1);
    expect((await read("?who=ada")).data).toEqual([]);
    expect((await read("?operation=email.")).data).toHaveLength(1);
    expect((await read("?operation=mail")).data).toEqual([]);
    const hour = (hours: number) => encodeURIComponent(new Date(Date.parse(at) + hours * 3_600_000).toISOString());
    expect((await read("?since=1h")).data).toHaveLength(2);
    expect((await read(`?since=${hour(-1)}&until=${hour(1)}`)).data).toHaveLength(2);
    expect((await read("?until=1h")).data).toEqual([]);
    expect((await read(`?since=${hour(1)}`)).data).toEqual([]);
    for (const wrong of ["since=soon", "until=2026-13-45"])
      expect(await json(await ask("GET", `/api/audit?${wrong}`, { cookie }))).toEqual([
        400,
        expect.objectContaining({ message: expect.stringMatching(/^(since|until)/) }),
      ]);
    advance(90 * 86_400_000);
    const again = await logIn();
    expect(await json(await ask("GET", "/api/audit", { cookie: again }))).toEqual([200, { data: [], next: null }]);
  });

  it("finds who changed something without regard to the case of ASCII letters, as addresses are compared", async () => {
    const { ask, logIn } = dashboard();
    const cookie = await logIn();
    const at = Date.now();
    for (const who of ["Ada@Example.com", "ada@example.com", "ÄDA@example.com", "eve@example.com"])
      await door().note({ at, who, operation: "bridge.calls.retry", ids: {}, status: 200 });
    const found = async (who: string) => {
      const answer = await ask("GET", `/api/audit?who=${encodeURIComponent(who)}`, { cookie });
      return ((await answer.json()) as { data: { who: string }[] }).data.map((entry) => entry.who);
    };
    expect(await found("ADA@example.COM")).toEqual(["ada@example.com", "Ada@Example.com"]);
    expect(await found("äda@example.com")).toEqual([]);
    expect(await found("Äda@Example.com")).toEqual(["ÄDA@example.com"]);
    expect(await found("da@example.com")).toEqual([]);
    expect(await found("%")).toEqual([]);
  });

  it("has who read the body of a webhook", async () => {
    const { ask, logIn } = dashboard();
    const cookie = await logIn();
    for (const query of ["?body=0", "?body=false", "?body=1", ""])
      await ask("GET", `/api/bridge/webhooks/wh_1${query}`, { cookie });
    const { data } = (await (await ask("GET", "/api/audit", { cookie })).json()) as { data: object[] };
    expect(data).toEqual(
      [1, 2].map(() => expect.objectContaining({ operation: "bridge.webhooks.get", ids: { webhookId: "wh_1" } })),
    );
  });

  it("has who read a mail as it was sent and files of people, and whom the role refused that", async () => {
    const { person, ask, send, owner } = await withPeople();
    const { cookie: support } = await person("sue", "support");
    const reads = {
      "email.sends.content": "sends/snd_1/content",
      "email.suppressions.file": "suppressions.csv",
      "email.imports.outcomeFile": "imports/imp_1/outcome.csv",
      "email.campaigns.recipientsFile": "campaigns/cmp_1/recipients.csv",
    };
    for (const [operation, path] of Object.entries(reads)) {
      for (const cookie of [owner, support]) await ask("GET", `/api/email/teams/acme/${path}`, { cookie });
      const [, { data }] = await send(owner, "GET", `/audit?operation=${operation}`);
      const status = operation === "email.sends.content" ? 200 : 403;
      expect(data).toMatchObject([
        { who: "sue", status },
        { who: "owner", status: 200 },
      ]);
    }
    await ask("GET", "/api/email/teams/acme/sends/snd_1", { cookie: owner });
    expect((await send(owner, "GET", "/audit?operation=email.sends.get"))[1]).toMatchObject({ data: [] });
  });

  it("has the status of what was refused by the half, by the dashboard, and of an act without an answer", async () => {
    const statuses = async (changes: object) => {
      const { ask, logIn } = dashboard(changes);
      const cookie = await logIn();
      const at = Date.now();
      await ask("POST", "/api/bridge/calls/wh_1.0/retry", { cookie, body: {} });
      advance(15 * 60_000);
      await ask("POST", "/api/bridge/forget", { cookie, body: { email: "ada@example.com" } });
      const since = encodeURIComponent(new Date(at).toISOString());
      const answer = await ask("GET", `/api/audit?since=${since}`, { cookie });
      const { data } = (await answer.json()) as { data: { operation: string; status: number }[] };
      advance(60_000);
      return data.map(({ operation, status }) => [operation, status]).toReversed();
    };
    const refusing = recorder(() => Response.json({ code: "not_found", message: "no" }, { status: 404 }));
    const forget = ["bridge.people.forget", 403];
    expect(await statuses({ BRIDGE: refusing })).toEqual([["bridge.calls.retry", 404], forget]);
    expect(await statuses({ BRIDGE: undefined })).toEqual([["bridge.calls.retry", 404], forget]);
    const silent = { fetch: () => Promise.reject(new Error("gone")) };
    expect(await statuses({ BRIDGE: silent })).toEqual([["bridge.calls.retry", 502], forget]);
  });

  it("has who ended all sessions", async () => {
    const { ask, logIn } = dashboard();
    await ask("DELETE", "/api/sessions", { cookie: await logIn() });
    const { data } = (await (await ask("GET", "/api/audit", { cookie: await logIn() })).json()) as { data: object[] };
    expect(data).toEqual([
      expect.objectContaining({ who: "owner", operation: "dashboard.sessions.delete", ids: {}, status: 200 }),
    ]);
  });

  it("has an act whose client did not wait for the answer", async () => {
    const reached = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<Response>();
    const BRIDGE = {
      fetch: () => {
        reached.resolve();
        return answered.promise;
      },
    };
    const { ask, logIn, kept } = dashboard({ BRIDGE });
    const cookie = await logIn();
    await Promise.all(kept.splice(0));
    const left = ask("POST", "/api/bridge/calls/wh_1.0/retry", { cookie, body: {} });
    await reached.promise;
    expect(kept).toHaveLength(1);
    answered.resolve(Response.json({ ok: true }));
    // The Worker lives until this is done, whether or not somebody reads the answer.
    await kept[0];
    const entries = await runInDurableObject(door(), (_, { storage }) =>
      storage.sql.exec("SELECT operation, status FROM audit").toArray(),
    );
    expect(entries).toEqual([{ operation: "bridge.calls.retry", status: 200 }]);
    await left;
  });

  it("is read in pages", async () => {
    const { ask, logIn } = dashboard();
    const cookie = await logIn();
    for (let n = 0; n < 60; n += 1) await ask("POST", `/api/bridge/calls/wh_${n}.0/retry`, { cookie, body: {} });
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const answer = await ask("GET", `/api/audit?cursor=${cursor}`, { cookie });
      const { data, next } = (await answer.json()) as { data: { ids: { callId: string } }[]; next: string | null };
      seen.push(...data.map(({ ids }) => ids.callId));
      cursor = next;
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => `wh_${59 - n}.0`));
  });
});
