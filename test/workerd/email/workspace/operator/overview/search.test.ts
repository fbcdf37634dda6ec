import { beforeEach, describe, expect, it } from "vitest";
import { FILL, nameOf } from "../../../../../../bench/fill.ts";
import { BLOCK, BLOCK_COST } from "../../../../../../src/email/workspace/contacts/contact-blocks.ts";
import {
  CONTACTS_COST,
  MAILS,
  searchEverything,
} from "../../../../../../src/email/workspace/operator/overview/search.ts";
import { admin, createTeam, isolated, type Team } from "../../../bench.ts";
import { counted } from "../../counted.ts";

isolated();

type Found = { kind: string; id: string; name: string; detail: string | null };
type Page = { data: Found[]; next: string | null; rowsRead: number };

let team: Team;
beforeEach(async () => {
  team = await createTeam({ samples: true });
});

const search = async (q: string, cursor?: string): Promise<Page> => {
  const query = new URLSearchParams({ q, ...(cursor === undefined ? {} : { cursor }) });
  const { status, json, text } = await team.admin("GET", `/search?${query}`);
  expect(status, text).toBe(200);
  return json;
};
const people = ({ data }: Page) => data.filter(({ kind }) => kind === "contact").map(({ name }) => name);

describe("a search through a team, request by request", () => {
  it("prefers beginnings of addresses, then words that begin so, then other parts", async () => {
    for (const [name, firstName] of [
      ["joanna", null],
      ["ann", null],
      ["zoe", "Ann"],
      ["zed", "Hannah"],
    ] as const)
      await team.post("/contacts/create", { email: `${name}@example.com`, firstName });
    expect(people(await search("ann"))).toEqual([
      "ann@example.com",
      "zoe@example.com",
      "zed@example.com",
      "joanna@example.com",
    ]);
    for (let n = 0; n < 9; n += 1) await team.post("/contacts/create", { email: `x${n}@ann.example` });
    const found = people(await search("ann"));
    expect(found).toHaveLength(6);
    expect(found[0]).toBe("ann@example.com");
    expect(found.slice(1).every((name) => name.endsWith("@ann.example"))).toBe(true);
  });

  it("goes on with a cursor until the end, and finds nobody twice", async () => {
    await team.inside((sql) => {
      sql.exec(FILL, 0, CONTACTS_COST + 100);
    });
    const oldest = `person${nameOf(0)}@example.com`;
    const [first] = [await search("erson0@")];
    expect(people(first)).toEqual([]);
    const second = await search("erson0@", first.next ?? "");
    expect(second).toMatchObject({ data: [{ kind: "contact", name: oldest }], next: null });
    let begun = await search("person0@");
    expect(people(begun)).toEqual([oldest]);
    expect(begun.rowsRead).toBeLessThan(CONTACTS_COST / 2);
    while (begun.next !== null) {
      begun = await search("person0@", begun.next);
      expect(begun.data).toEqual([]);
    }
    const common = await search("example.com");
    expect(people(common)).toHaveLength(5);
    expect(common.next).toBeNull();
    expect(common.rowsRead).toBeLessThan(1_000);
    for (const { rowsRead } of [first, second]) expect(rowsRead).toBeLessThan(CONTACTS_COST + MAILS + 2_000);
  });

  it("finds mails by words of the subject, newest first, and five at most", async () => {
    const send = (email: string) =>
      team.post("/transactional", { transactionalId: "tpl_welcome", email, dataVariables: { name: "Ada" } });
    for (let n = 0; n < 7; n += 1) expect((await send(`p${n}@example.com`)).status).toBe(200);
    const { data, next } = await search("TO welcomé");
    const mails = data.filter(({ kind }) => kind === "send");
    expect(mails.map(({ detail }) => detail?.split(":")[0])).toEqual([6, 5, 4, 3, 2].map((n) => `p${n}@example.com`));
    expect(next).toBeNull();
    const to = (await search("P3@example.com")).data.filter(({ kind }) => kind === "send");
    expect(to).toHaveLength(1);
    expect((await search("subject that no mail has")).data).toEqual([]);
  });

  it("looks at a bounded number of mails in one request", async () => {
    await team.post("/transactional", {
      transactionalId: "tpl_welcome",
      email: "first@example.com",
      dataVariables: { name: "Ada" },
    });
    await team.inside((sql) => {
      sql.exec(
        `WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ${MAILS})
         INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, created_at, preview)
         SELECT n + i, 'snd_x' || i, class, 0, recipient, 'x', message_id || i, state, attempts, created_at, 0 FROM sends, s`,
      );
    });
    const first = await search("to welcome");
    expect(first.data.filter(({ kind }) => kind === "send")).toEqual([]);
    const second = await search("to welcome", first.next ?? "");
    expect(second.data).toMatchObject([{ kind: "send", detail: expect.stringMatching(/^first@/) }]);
    expect(second.next).toBeNull();
  });

  it("reads one row more for each block of contacts", async () => {
    const rowsRead = (blocks: number) =>
      team.inside((real) => {
        real.exec("DELETE FROM contact_blocks");
        for (let block = 0; block < blocks; block += 1)
          real.exec("INSERT INTO contact_blocks (block, at, lines) VALUES (?, 0, '')", block);
        real.exec("DELETE FROM contacts");
        real.exec(FILL, 0, 0);
        real.exec("UPDATE contacts SET n = ?", blocks * BLOCK - 1);
        const { sql, take } = counted(real);
        searchEverything({ sql }, { team: "acme", q: "nobody" });
        return take().read;
      });
    const few = await rowsRead(10);
    const many = await rowsRead(1_010);
    expect(many - few).toBeGreaterThanOrEqual(990);
    expect(many - few).toBeLessThanOrEqual(1_010);
    const most = await rowsRead(3 * (CONTACTS_COST / BLOCK_COST));
    expect(most - few).toBeLessThanOrEqual(CONTACTS_COST / BLOCK_COST + 10);
  });

  it("refuses a cursor that it did not give", async () => {
    const rest = (contacts: unknown, sends: unknown) => btoa(JSON.stringify({ contacts, sends })).replaceAll("=", "");
    for (const cursor of [
      "x",
      "bnVsbA",
      rest(1, null),
      rest({ before: 1, left: 0 }, null),
      rest(null, undefined),
      rest({ before: "1", left: 1 }, null),
      rest({ before: 1, left: 99 }, null),
    ]) {
      const { status, json } = await team.admin("GET", `/search?${new URLSearchParams({ q: "a", cursor })}`);
      expect([status, json.code, json.path], cursor).toEqual([400, "invalid_request", "cursor"]);
    }
  });

  it("finds nothing of another team, also by its cursor", async () => {
    await team.post("/contacts/create", { email: "ada@example.com", firstName: "Ada" });
    await createTeam({ id: "other" });
    const cursor = btoa(JSON.stringify({ contacts: { before: 99, left: 5 }, sends: { before: 9e15, left: 5 } }));
    for (const query of ["q=ada", `q=ada&cursor=${cursor.replaceAll("=", "")}`]) {
      const { status, json } = await admin("GET", `/admin/teams/other/search?${query}`);
      expect([status, json.data], query).toEqual([200, []]);
    }
  });
});
