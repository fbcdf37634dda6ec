import { parse } from "papaparse";
import { beforeEach, describe, expect, it } from "vitest";
import {
  listSuppressions,
  SUPPRESSIONS_SLICE,
} from "../../../../../../src/email/workspace/operator/people/suppressions.ts";
import { admin, createTeam, isolated, request, type Team } from "../../../bench.ts";
import { contextOf, counted } from "../../counted.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam();
});

const fill = (count: number) =>
  team.run(
    `WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ?)
     INSERT INTO suppressions (email_key, reason, at)
     SELECT printf('person%06d@example.com', i), iif(i % 3 = 0, 'complaint', 'bounce'), 1760000000000 FROM s`,
    count,
  );

type Page = { data: { email: string; reason: string; sendId: string | null }[]; next: string | null };
const list = async (query: Record<string, string> = {}): Promise<Page> => {
  const { status, json, text } = await team.admin("GET", `/suppressions?${new URLSearchParams(query)}`);
  expect(status, text).toBe(200);
  return json;
};
const everything = async (query: Record<string, string>) => {
  const found: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const { data, next }: Page = await list(cursor === "" ? query : { ...query, cursor });
    found.push(...data.map(({ email }) => email));
    cursor = next;
  }
  return found;
};

describe("suppressed addresses", () => {
  it("are listed in their order with the reason, page by page", async () => {
    await fill(35);
    await team.admin("POST", "/suppressions", { email: "Ada@Example.com" });
    const { data } = await list();
    expect(data[0]).toEqual({
      email: "ada@example.com",
      reason: "manual",
      meaning: "A person suppressed the address.",
      since: expect.any(String),
      cause: null,
      sendId: null,
    });
    const all = [
      "ada@example.com",
      ...Array.from({ length: 35 }, (_, i) => `person${`${i + 1}`.padStart(6, "0")}@example.com`),
    ];
    expect(await everything({ perPage: "10" })).toEqual(all);
    const complaints = all.filter((_, i) => i > 0 && i % 3 === 0);
    expect(await everything({ reason: "complaint", perPage: "10" })).toEqual(complaints);
    expect(await everything({ q: "PERSON00001" })).toEqual(all.slice(10, 20));
    expect(await everything({ q: "ada@example.com" })).toEqual(["ada@example.com"]);
    expect(await everything({ q: "%" })).toEqual([]);
  });

  it("name the mail that they were suppressed for, while it is kept", async () => {
    await fill(3);
    const mail = (n: number, person: number, state: string, at = 1_750_000_000_000 + n) =>
      team.run(
        `INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, created_at, settled_at, preview)
         VALUES (?, ?, 'transactional', 1, ?, ?, ?, ?, 1, ?, ?, 0)`,
        n,
        `snd_${n}`,
        `person${person}@example.com`,
        `person00000${person}@example.com`,
        `m${n}`,
        state,
        at,
        at,
      );
    await mail(1, 1, "bounced");
    await mail(2, 1, "bounced");
    await mail(3, 1, "delivered");
    await mail(4, 1, "bounced", 1_770_000_000_000);
    await mail(5, 2, "complained");
    await mail(6, 3, "complained");
    expect((await list()).data.map(({ sendId }) => sendId)).toEqual(["snd_2", null, "snd_6"]);
  });

  it("of erased persons are not shown", async () => {
    await team.admin("POST", "/suppressions", { email: "ada@example.com" });
    await team.admin("POST", "/erase", { emails: ["ada@example.com"] });
    expect(await team.rows("SELECT 1 FROM suppressions")).toHaveLength(1);
    expect(await list()).toEqual({ data: [], next: null });
    expect((await team.admin("DELETE", "/suppressions", { email: "Ada@example.com" })).json).toEqual({ success: true });
    expect(await team.rows("SELECT 1 FROM suppressions")).toEqual([]);
  });

  it("can be removed without a quota, of the own team only", async () => {
    const other = await createTeam({ id: "other" });
    await other.admin("POST", "/suppressions", { email: "person000001@example.com" });
    await fill(1);
    await team.post("/contacts/create", { email: "person000001@example.com" });
    const remove = (email: string) => team.admin("DELETE", "/suppressions", { email });
    expect((await remove("Person000001@Example.com")).json).toEqual({ success: true });
    const { json } = await team.get("/contacts/suppression?email=person000001@example.com");
    expect(json).toMatchObject({ isSuppressed: false, removalQuota: { limit: 100, remaining: 100 } });
    const again = await remove("person000001@example.com");
    expect([again.status, again.json.code, again.json.path]).toEqual([404, "not_found", "email"]);
    expect((await remove("x")).json).toMatchObject({ code: "invalid_request", path: "email" });
    expect(await other.rows("SELECT 1 FROM suppressions")).toHaveLength(1);
  });

  it("are looked at in slices, and a page of many reads few rows", async () => {
    await fill(SUPPRESSIONS_SLICE + 10);
    const none = await list({ reason: "manual" });
    expect(none).toEqual({ data: [], next: expect.any(String) });
    expect(await list({ reason: "manual", cursor: none.next ?? "" })).toEqual({ data: [], next: null });
    const rows = await team.inside((real) => {
      const { sql, take } = counted(real);
      listSuppressions(contextOf(sql), { team: "acme", q: "person01" });
      return take().read;
    });
    expect(rows).toBeLessThan(100);
  });

  it("refuse a wrong cursor, reason and beginning", async () => {
    for (const [query, path] of [
      [{ cursor: "x" }, "cursor"],
      [{ cursor: btoa("1") }, "cursor"],
      [{ reason: "spam" }, "reason"],
      [{ q: "x".repeat(255) }, "q"],
    ] as const) {
      const { status, json } = await team.admin("GET", `/suppressions?${new URLSearchParams(query)}`);
      expect([status, json.code, json.path]).toEqual([400, "invalid_request", path]);
    }
  });
});

describe("the file of suppressed addresses", () => {
  const PATH = "/admin/teams/acme/suppressions.csv";
  const csv = async (query = "") => {
    const { status, headers, text } = await admin("GET", PATH + query);
    expect(status, text).toBe(200);
    return { headers, rows: parse<string[]>(text, { skipEmptyLines: true }).data };
  };
  const SINCE = new Date(1760000000000).toISOString();

  it("has a head, a name, and each address once, in several pieces, without those of erased persons", async () => {
    await fill(25_001);
    await team.admin("POST", "/suppressions", { email: "ada@example.com" });
    await team.admin("POST", "/erase", { emails: ["ada@example.com"] });
    const { headers, rows } = await csv();
    expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("Content-Disposition")).toBe('attachment; filename="acme-suppressions.csv"');
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(rows.slice(0, 2)).toEqual([
      ["email", "reason", "since"],
      ["person000001@example.com", "bounce", SINCE],
    ]);
    expect(rows).toHaveLength(25_002);
    expect(new Set(rows.map(([email]) => email)).size).toBe(25_002);
  });

  it("takes the filters of the list, and has a head alone where nothing matches", async () => {
    await fill(30);
    expect((await csv("?reason=complaint&q=")).rows.slice(1).map(([, reason]) => reason)).toEqual(
      Array(10).fill("complaint"),
    );
    expect((await csv("?q=person00003")).rows.slice(1)).toEqual([["person000030@example.com", "complaint", SINCE]]);
    expect((await csv("?reason=manual")).rows).toEqual([["email", "reason", "since"]]);
  });

  it("has no cell that a spreadsheet runs", async () => {
    for (const key of ["=1+1@example.com", "+a@example.com", "-a@example.com", '"a,b"@example.com'])
      await team.run("INSERT INTO suppressions (email_key, reason, at) VALUES (?, 'manual', 1760000000000)", key);
    const { rows } = await csv();
    expect(rows.slice(1).map(([email]) => email)).toEqual([
      '"a,b"@example.com',
      "'+a@example.com",
      "'-a@example.com",
      "'=1+1@example.com",
    ]);
  });

  it("is refused as other requests are", async () => {
    expect((await request("GET", PATH)).json.code).toBe("missing_api_key");
    const key = { headers: { Authorization: `Bearer ${team.key}` } };
    expect((await request("GET", PATH, key)).status).toBe(401);
    const posted = await admin("POST", PATH, {});
    expect([posted.status, posted.headers.get("Allow")]).toEqual([405, "GET"]);
    const { status, json } = await admin("GET", `${PATH}?reason=spam`);
    expect([status, json.code, json.path]).toEqual([400, "invalid_request", "reason"]);
    expect((await admin("GET", "/admin/teams/ghost/suppressions.csv")).json.code).toBe("not_found");
    expect((await admin("GET", "/admin/teams/No!/suppressions.csv")).json.path).toBe("team");
  });
});

describe("suppressions are lifted together", () => {
  const WAVE = "550 5.1.1 <…>: user unknown";
  const at = (day: number) => Date.parse(`2026-03-0${day}T12:00:00Z`);
  const add = (email: string, reason: string, day: number, cause: string | null = null) =>
    team.run(
      "INSERT INTO suppressions (email_key, reason, at, cause) VALUES (?, ?, ?, ?)",
      email,
      reason,
      at(day),
      cause,
    );
  const lift = async (fields: object) => (await team.admin("POST", "/suppressions/lift", fields)).json;
  const left = async () => (await list({ perPage: "50" })).data.map(({ email }) => email);

  beforeEach(async () => {
    await add("a@gd.example", "bounce", 2, WAVE);
    await add("b@gd.example", "bounce", 2, WAVE);
    await add("c@gd.example", "bounce", 4, WAVE);
    await add("d@other.example", "bounce", 2, "550 no such domain");
    await add("e@gd.example", "complaint", 2);
    await add(`sha256:${"0".repeat(64)}`, "bounce", 2, WAVE);
  });

  it("by cause and time, after a count that removes none", async () => {
    const wave = { reason: "bounce", cause: "USER unknown", since: "2026-03-02", until: "2026-03-03" };
    expect(await lift({ ...wave, dryRun: true })).toEqual({ dryRun: true, lifted: 2, next: null });
    expect(await left()).toHaveLength(5);
    expect(await lift(wave)).toEqual({ dryRun: false, lifted: 2, next: null });
    expect(await left()).toEqual(["c@gd.example", "d@other.example", "e@gd.example"]);
    expect(await lift(wave)).toMatchObject({ lifted: 0 });
  });

  it("by destination, and never those of erased persons", async () => {
    expect(await lift({ destination: "gd.example" })).toMatchObject({ lifted: 4 });
    expect(await left()).toEqual(["d@other.example"]);
    expect(await lift({ reason: "bounce" })).toMatchObject({ lifted: 1 });
    expect(await team.rows("SELECT count(*) AS n FROM suppressions")).toEqual([{ n: 1 }]);
  });

  it("in slices, of a list of any size", async () => {
    await fill(4_500);
    let lifted = 0;
    let cursor: string | undefined;
    let answers = 0;
    do {
      const answer = await lift({ q: "person", reason: "complaint", cursor });
      lifted += answer.lifted;
      cursor = answer.next ?? undefined;
      answers += 1;
    } while (cursor !== undefined);
    expect([lifted, answers]).toEqual([1_500, 3]);
  });

  it("with a filter only: 400 names what is missing", async () => {
    const span = { since: "2026-02-01", until: "2026-01-01", dryRun: true };
    const turned = await team.admin("POST", "/suppressions/lift", span);
    expect([turned.status, turned.json.path, turned.json.message]).toEqual([
      400,
      "until",
      "until: must not be before since",
    ]);
    expect((await team.admin("POST", "/suppressions/lift", { ...span, until: span.since })).status).toBe(200);
    const { status, json } = await team.admin("POST", "/suppressions/lift", { dryRun: true });
    expect([status, json.code, json.path]).toEqual([400, "invalid_request", "cause"]);
    expect((await team.admin("POST", "/suppressions/lift", { cause: "x", cursor: "y" })).status).toBe(400);
    expect((await team.admin("POST", "/suppressions/lift", { since: "soon" })).status).toBe(400);
  });

  it("are listed with the same filters", async () => {
    expect(await everything({ cause: "user unknown", until: "2026-03-03" })).toEqual(["a@gd.example", "b@gd.example"]);
    expect((await list({ destination: "gd.example" })).data[0]).toMatchObject({ cause: WAVE });
  });
});
