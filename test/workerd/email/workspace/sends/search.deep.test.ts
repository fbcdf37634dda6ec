import { beforeEach, describe, expect, it } from "vitest";
import type { AdminInput } from "../../../../../src/email/types/workspace-rpc.ts";
import { SLICE, searchSends } from "../../../../../src/email/workspace/sends/search.ts";
import { createTeam, isolated, START, type Team } from "../../bench.ts";
import { contextOf, counted } from "../counted.ts";

isolated();

const MINUTE = 60_000;

let team: Team;
beforeEach(async () => {
  team = await createTeam({ samples: true });
});

const FILL = `
WITH RECURSIVE s (i) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT i + 1 FROM s WHERE i < ?2)
INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, created_at, settled_at, preview)
SELECT (${START} + i * ${MINUTE}) * 1000, 'snd_' || i, iif(i % 10 = 0, 'marketing', 'transactional'), 1,
  'person' || (i % 1000) || '@example.com', 'person' || (i % 1000) || '@example.com', '<' || i || '@test>',
  iif(i % 100 = 0, 'failed', 'sent'), 1, ${START} + i * ${MINUTE}, 1, 0
FROM s`;
const fill = (first: number, last: number) =>
  team.inside((sql) => {
    sql.exec(FILL, first, last);
  });

type Page = { data: { id: string; state: string; class: string; to: string }[]; next: string | null };
const search = async (query: Record<string, string>): Promise<Page & { searchedTo: string | null }> => {
  const { status, json, text } = await team.admin("GET", `/sends?${new URLSearchParams(query)}`);
  expect(status, text).toBe(200);
  return json;
};
const everything = async (query: Record<string, string>, between = async () => {}) => {
  const found: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const { data, next }: Page = await search(cursor === "" ? query : { ...query, cursor });
    found.push(...data.map(({ id }) => id.slice("snd_".length)));
    cursor = next;
    await between();
  }
  return found.map(Number);
};
const downFrom = (last: number, first: number, matches = (_: number) => true) =>
  Array.from({ length: last - first + 1 }, (_, i) => last - i).filter(matches);

describe("a search for sends", () => {
  it("shows the newest first, each once, while sends are added and deleted", async () => {
    await fill(1, 60);
    let next = 61;
    const found = await everything({ perPage: "10" }, async () => {
      await fill(next, next + 4);
      next += 5;
      await team.run("DELETE FROM sends WHERE id = 'snd_3'");
    });
    expect(found).toEqual(downFrom(60, 1, (i) => i !== 3));
  });

  it("combines address, state, class and time", async () => {
    await fill(1, 3_000);
    expect(await everything({ to: "Person7@Example.com" })).toEqual([2_007, 1_007, 7]);
    expect(await everything({ state: "failed", perPage: "10" })).toEqual(downFrom(3_000, 1, (i) => i % 100 === 0));
    expect(await everything({ class: "marketing", to: "person10@example.com" })).toEqual([2_010, 1_010, 10]);
    expect(await everything({ class: "transactional", to: "person10@example.com" })).toEqual([]);
    const at = (i: number) => new Date(START + i * MINUTE).toISOString();
    expect(await everything({ since: at(100), until: at(120) })).toEqual(downFrom(119, 100));
    expect(await everything({ since: `${START + 2_990 * MINUTE}`, state: "failed" })).toEqual([3_000]);
    expect(await everything({ since: "2090-01-03", until: "2090-01-03T12:00:00+00:30" })).toEqual(
      downFrom(12 * 60 + 24 * 60 + 690 - 1, 12 * 60 + 24 * 60),
    );
    expect(await everything({ state: "unknown" })).toEqual([]);
  });

  it("finds an old subject among the mails of a state, behind 10,000 others", async () => {
    await fill(1, SLICE + 100);
    await team.run("UPDATE sends SET revision = 2 WHERE created_at > ?", START + 100 * MINUTE);
    for (const [n, subject] of [
      [1, "Alpha {data.plan}"],
      [2, "Beta"],
    ] as const)
      await team.run(
        "UPDATE message_revisions SET compiled = json_set(compiled, '$.subject', json_array(?)) WHERE n = ?",
        subject,
        n,
      );
    expect(await everything({ state: "failed", subject: "alpha" })).toEqual([100]);
    expect((await everything({ state: "failed", subject: "beta" })).length).toBe(SLICE / 100);
  });

  it("finds the mail of a transactional email, a campaign and a workflow", async () => {
    const { json: email } = await team.post("/transactional", {
      transactionalId: "tpl_welcome",
      email: "a@example.com",
    });
    await team.post("/transactional", {
      transactionalId: "tpl_password_reset",
      email: "b@example.com",
      dataVariables: { link: "https://a.example.com", code: "1" },
    });
    expect(email.success).toBe(true);
    await fill(1, 30);
    await team.run("UPDATE sends SET origin = 'cmp_x' WHERE id IN ('snd_5', 'snd_25')");
    await team.run("UPDATE sends SET origin = 'wfl_x' WHERE id = 'snd_7'");
    await team.run("UPDATE sends SET revision = 0 WHERE id IN (SELECT id FROM sends WHERE recipient LIKE 'person%')");
    expect((await search({ template: "tpl_welcome" })).data.map(({ to }) => to)).toEqual(["a@example.com"]);
    expect((await search({ template: "tpl_password_reset" })).data.map(({ to }) => to)).toEqual(["b@example.com"]);
    expect(await everything({ campaign: "cmp_x" })).toEqual([25, 5]);
    expect(await everything({ campaign: "cmp_x", state: "failed" })).toEqual([]);
    expect(await everything({ workflow: "wfl_x", to: "person7@example.com" })).toEqual([7]);
    for (const query of [{ template: "tpl_none" }, { campaign: "cmp_x", workflow: "wfl_x" }])
      expect(await search(query)).toMatchObject({ data: [], next: null, searchedTo: null });
  });

  it("shows what a send is, and nothing of its values", async () => {
    await team.post("/transactional", {
      transactionalId: "tpl_welcome",
      email: "ada@example.com",
      dataVariables: { name: "Very Private" },
    });
    const { data, next, searchedTo } = await search({ to: "ada@example.com" });
    expect([next, searchedTo]).toEqual([null, null]);
    expect(data).toMatchObject([
      {
        class: "transactional",
        to: "ada@example.com",
        preview: false,
        template: { id: "tpl_welcome", name: "Welcome" },
        acceptedAt: expect.stringMatching(/^2090-/),
      },
    ]);
    expect(JSON.stringify(data)).not.toContain("Private");
  });

  it.each([
    [{ state: "arrived" }, "state", /must be one of queued, sending, sent, .*unknown/],
    [{ since: "yesterday" }, "since", /must be a date, such as 2026-01-31/],
    [{ since: "1700000000" }, "since", /Unix milliseconds/],
    [{ until: "2026-02-30" }, "until", /must be a date/],
    [{ since: "2026-02-01", until: "2026-01-01" }, "until", /must be later than since/],
    [{ to: "ada" }, "to", /to/],
    [{ class: "letters" }, "class", /"transactional" or "marketing"/],
    [{ cursor: "nonsense" }, "cursor", /not one that a list gave/],
    [{ perPage: "5" }, "perPage", /10 to 50/],
  ])("refuses %j", async (query, path, message) => {
    const { status, json } = await team.admin("GET", `/sends?${new URLSearchParams(query as Record<string, string>)}`);
    expect([status, json.code, json.path]).toEqual([400, "invalid_request", path]);
    expect(json.message).toMatch(message);
  });
});

it("reads an index or a bounded number of rows among 200 000 sends", async () => {
  const inputs: [input: Omit<AdminInput<"sends.list">, "team">, most: number][] = [
    // A page has 20 sends of 5 rows each: the send, its revision, message and template.
    [{}, 200],
    [{ to: "person7@example.com" }, 400],
    [{ to: "person7@example.com", state: "failed" }, 400],
    [{ since: START + 1_000 * MINUTE, until: START + 1_020 * MINUTE }, 400],
    [{ state: "sent" }, 200],
    [{ state: "failed" }, 200],
    [{ state: "delivered" }, SLICE + 2],
    [{ class: "marketing" }, 20 * 10 + 300],
  ];
  await fill(1, 200_000);
  const read = await team.inside((real) => {
    const { sql, take } = counted(real);
    return inputs.map(([input]) => {
      const answer = searchSends(contextOf(sql), { team: "acme", ...input });
      expect(answer).toHaveProperty("body");
      return take().read;
    });
  });
  for (const [i, [input, most]] of inputs.entries()) {
    expect(read[i], JSON.stringify(input)).toBeLessThanOrEqual(most);
    expect(read[i], JSON.stringify(input)).toBeGreaterThan(20);
  }
  const first = await search({ state: "delivered" });
  expect(first).toMatchObject({
    data: [],
    next: expect.any(String),
    searchedTo: new Date(START + (200_001 - SLICE) * MINUTE).toISOString(),
  });
});
