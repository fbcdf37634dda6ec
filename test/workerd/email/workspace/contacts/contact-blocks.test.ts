import { beforeEach, describe, expect, it } from "vitest";
import { FILL } from "../../../../../bench/fill.ts";
import {
  BLOCK,
  chores,
  contactsWith,
  eraseNames,
  MADE,
} from "../../../../../src/email/workspace/contacts/contact-blocks.ts";
import { insertContacts } from "../../../../../src/email/workspace/contacts/contact-rows.ts";
import { foldedWords } from "../../../../../src/lib/names/fold.ts";
import { advance, createTeam, isolated, runAlarm, type Team } from "../../bench.ts";
import { counted } from "../counted.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam({ createProperties: true });
});

const found = (sql: SqlStorage, q: string, before = Number.MAX_SAFE_INTEGER): number[] =>
  [...contactsWith(sql, foldedWords(q), before)].flatMap((looked) => looked.found.map(({ n }) => n));
const search = (q: string) => team.inside((sql) => found(sql, q));
const blocks = async () => (await team.rows("SELECT block, lines FROM contact_blocks ORDER BY block")) as Block[];
type Block = { block: number; lines: string };
const due = async () => (await team.rows("SELECT blocks_due AS due FROM team"))[0]?.due;
const fill = (contacts: number, first = 0) =>
  team.inside((sql) => {
    sql.exec(FILL, first, first + contacts - 1);
  });

/** Blocks that a request of the API changes. */
const written = async (work: () => Promise<unknown>): Promise<number> => {
  const before = await blocks();
  await work();
  const after = await blocks();
  const now = new Map(after.map(({ block, lines }) => [block, lines]));
  const was = new Map(before.map(({ block, lines }) => [block, lines]));
  return [...new Set([...now.keys(), ...was.keys()])].filter((block) => now.get(block) !== was.get(block)).length;
};

/** Adds contacts until the first block is complete, and makes it. */
const complete = async () => {
  const [{ n } = { n: 0 }] = (await team.rows("SELECT max(n) AS n FROM contacts")) as { n: number }[];
  await fill(BLOCK - n);
  await team.inside((sql) => chores[0]?.run(sql, 0, 1));
  expect(await blocks()).toHaveLength(1);
  expect(await due()).toBe(0);
};

const marks = async () => (await blocks()).map(({ lines }) => [...lines.matchAll(/[\ue000-\ue07f]/g)].length);

describe("the words of contacts", () => {
  it("follow new, renamed and deleted contacts, in a block and before it", async () => {
    await team.put("/contacts/update", { email: "Grace@Navy.example", userId: "U-1", firstName: "Grace" });
    await team.put("/contacts/update", { userId: "U-1", lastName: "Høpper" });
    await team.post("/contacts/create", { email: "ada@exämple.test" });
    expect(await blocks()).toEqual([]);
    for (const turn of ["before", "in a block"]) {
      expect(await search("hopper grace"), turn).toEqual([1]);
      expect(await search("navy.EX"), turn).toEqual([1]);
      expect(await search("u-1"), turn).toEqual([1]);
      expect(await search("xn--"), turn).toEqual([2]);
      expect(await search("exämple.test"), turn).toEqual([2]);
      if (turn === "before") await complete();
    }
    await team.put("/contacts/update", { userId: "U-1", email: "rear@admiral.test", lastName: null });
    for (const q of ["navy", "hopper"]) expect(await search(q), q).toEqual([]);
    expect(await search("admiral")).toEqual([1]);
    expect(await search(".test")).toEqual([2, 1]);
    await team.post("/contacts/delete", { email: "rear@admiral.test" });
    for (const q of ["admiral", "grace", "u-1"]) expect(await search(q), q).toEqual([]);
    expect((await blocks())[0]?.lines).not.toMatch(/admiral|grace|navy/);
    expect(await marks()).toEqual([BLOCK - 2]);
    expect(await due()).toBe(0);
  });

  it("of contacts that merge are those of the one that stays", async () => {
    await team.post("/contacts/create", { email: "ada@one.test", firstName: "Ada" });
    await team.put("/contacts/update", { userId: "u2", lastName: "Lovelace" });
    await complete();
    await team.put("/contacts/update", { email: "ada@one.test", userId: "u2" });
    const [{ n } = { n: 0 }] = (await team.rows("SELECT n FROM contacts WHERE user_id = 'u2'")) as { n: number }[];
    for (const q of ["ada lovelace", "u2 ada", "one.test"]) expect(await search(q), q).toEqual([n]);
    expect(await marks()).toEqual([BLOCK - 2]);
  });

  it("have no mark from a value, and a bounded length", async () => {
    const long = `\ue001${"x".repeat(400)}`;
    const names = { firstName: long, lastName: "ﷺ".repeat(400) };
    expect((await team.post("/contacts/create", { email: "ada@one.test", ...names })).status).toBe(200);
    await team.post("/contacts/create", { email: "bo@one.test" });
    await complete();
    expect(await search("one.test")).toEqual([2, 1]);
    expect(await search("xxx")).toEqual([1]);
    expect(await marks()).toEqual([BLOCK - 1]);
    const [{ lines } = { lines: "" }] = await blocks();
    expect(lines.indexOf("bo@one.test")).toBe(1_502);
  });

  it("are written with the last contact of a block, once for a renamed one, and never for another change", async () => {
    const rows = (query: string, ...values: (string | number)[]) =>
      team.inside((real) => {
        const { sql, take } = counted(real);
        sql.exec(query, ...values).toArray();
        return take().written;
      });
    const ada = (more: object) => () => team.put("/contacts/update", { email: "ada@one.test", ...more });
    expect(await written(() => team.post("/contacts/create", { email: "ada@one.test" }))).toBe(0);
    expect(await written(ada({ firstName: "Augusta" }))).toBe(0);
    await fill(BLOCK - 3);
    expect(await due()).toBe(0);
    expect(await written(() => team.post("/contacts/create", { email: "last@one.test" }))).toBe(1);
    expect(await due()).toBe(0);
    expect(await marks()).toEqual([BLOCK - 1]);
    expect(await written(() => team.post("/contacts/create", { email: "next@one.test" }))).toBe(0);
    expect(await search("one.test")).toEqual([BLOCK, BLOCK - 1, 1]);
    expect(await written(ada({ firstName: "Ada" }))).toBe(1);
    expect(await written(ada({ firstName: "Ada" }))).toBe(0);
    expect(await written(ada({ plan: "pro" }))).toBe(0);
    // The triggers write nothing for a change of no name.
    expect(await rows("UPDATE contacts SET data = jsonb_set(data, '$.userGroup', 'x') WHERE n = 1")).toBe(1);
  });

  it("of many new contacts are written with each block that they complete", async () => {
    const data = { firstName: null, lastName: null, source: "API", subscribed: true, userGroup: "", optInStatus: null };
    await team.inside((sql) => {
      const contacts = Array.from({ length: 3 * BLOCK }, (_, i) => ({
        id: `con_${i}`,
        email: `p${i}@many.test`,
        userId: null,
        data: { ...data, mailingLists: {}, properties: {} },
        createdAt: 1,
        updatedAt: 1,
      }));
      insertContacts(sql, contacts.slice(0, BLOCK + 9));
      insertContacts(sql, contacts.slice(BLOCK + 9));
    });
    expect(await marks()).toEqual([BLOCK - 1, BLOCK, BLOCK]);
    expect(await due()).toBe(0);
    expect(await search("many.test")).toEqual(Array.from({ length: 3 * BLOCK }, (_, i) => 3 * BLOCK - i));
  });

  it("of a deleted contact become blanks of the same length, and a block without contacts is deleted", async () => {
    await team.post("/contacts/create", { email: "ada@exämple.test", firstName: "Ådå" });
    await complete();
    const octets = () => team.rows("SELECT octet_length(lines) AS n FROM contact_blocks");
    const before = await octets();
    await team.post("/contacts/delete", { email: "ada@exämple.test" });
    expect(await octets()).toEqual(before);
    expect(await search("ada")).toEqual([]);
    await team.inside((sql) => {
      for (let n = 1; n < BLOCK; n++) eraseNames(sql, n);
    });
    expect(await blocks()).toEqual([]);
  });
});

describe("contacts that former code wrote", () => {
  it("are found before the chore has run, and while it runs", async () => {
    await fill(3 * BLOCK);
    expect(await blocks()).toEqual([]);
    const before = await search("example.com");
    expect(before).toHaveLength(3 * BLOCK);
    expect(await team.inside((sql) => found(sql, "example.com", BLOCK + 5))).toEqual(before.slice(-BLOCK - 4));
    await team.inside((sql) => chores[0]?.run(sql, 0, 1));
    expect(await blocks()).toHaveLength(3);
    expect(await search("example.com")).toEqual(before);
    expect(await team.inside((sql) => found(sql, "example.com", BLOCK + 5))).toEqual(before.slice(-BLOCK - 4));
    expect(await due()).toBe(0);
    await team.run("DELETE FROM contact_blocks WHERE block = 1");
    expect(await search("example.com")).toEqual(before);
  });

  it("get their words newest first, in bounded slices, one row for 128 contacts", async () => {
    const contacts = (MADE + 3) * BLOCK;
    await fill(contacts);
    await team.run("UPDATE team SET blocks_due = 9007199254740991");
    const slice = () =>
      team.inside((real) => {
        const { sql, take } = counted(real);
        void chores[0]?.run(sql, 0, 1);
        return take();
      });
    const first = await slice();
    expect(first.written).toBe(MADE + 1);
    expect(first.read).toBeLessThan(MADE * BLOCK * 1.2);
    expect((await blocks()).map(({ block }) => block)).toEqual(Array.from({ length: MADE }, (_, n) => n + 3));
    await slice();
    expect(await blocks()).toHaveLength(MADE + 3);
    expect(await due()).toBe(0);
    await runAlarm(team.stub);
    expect(await team.inside((sql) => chores[0]?.next(sql))).toBe(Number.POSITIVE_INFINITY);
  });

  it("get them at once where most of their numbers are of deleted contacts", async () => {
    await fill(2 * BLOCK);
    await team.run(`UPDATE contacts SET n = n + 100000000 WHERE n >= ${BLOCK}`);
    await team.run("UPDATE team SET blocks_due = 9007199254740991");
    await team.inside((sql) => chores[0]?.run(sql, 0, 1));
    expect(await due()).toBe(0);
    expect(await blocks()).toHaveLength(2);
    expect(await search("example.com")).toHaveLength(2 * BLOCK);
  });

  it("are told by the database: added, renamed or deleted, their block is made anew", async () => {
    for (const name of ["ada", "bo", "cy"]) await team.post("/contacts/create", { email: `${name}@one.test` });
    await complete();
    const again = async () => {
      expect(await blocks()).toEqual([]);
      expect(await due()).toBe(1);
      await team.inside((sql) => chores[0]?.run(sql, 0, 1));
      expect(await blocks()).toHaveLength(1);
      expect(await due()).toBe(0);
    };
    await team.run("UPDATE contacts SET data = jsonb_set(data, '$.lastName', 'Byron'), updated_at = 5 WHERE n = 1");
    expect(await search("byron")).toEqual([1]);
    await again();
    await team.run(
      "UPDATE contacts SET email = 'bob@one.test', email_key = 'bob@one.test', updated_at = 6 WHERE n = 2",
    );
    await again();
    expect(await search("bob")).toEqual([2]);
    await team.run("DELETE FROM contacts WHERE n = 3");
    await again();
    expect(await search("cy@")).toEqual([]);
    await fill(BLOCK - 1, BLOCK);
    expect(await due()).toBe(2);
    await team.inside((sql) => chores[0]?.run(sql, 0, 1));
    expect(await marks()).toEqual([BLOCK - 2, BLOCK]);
  });

  it("and code of now together leave no wrong words", async () => {
    const names = ["ada", "bo", "cy", "di"];
    await team.post("/contacts/create", { email: "ada@one.test" });
    await complete();
    for (const [turn, name] of names.entries()) {
      advance(1_000);
      await team.put("/contacts/update", { email: `${name}@one.test`, firstName: name });
      await team.run(
        "UPDATE contacts SET data = jsonb_set(data, '$.lastName', ?), updated_at = ? WHERE n = 1",
        `old${turn}`,
        turn,
      );
      await team.put("/contacts/update", { email: "ada@one.test", firstName: `new${turn}` });
      expect(await search(`new${turn} old${turn}`), name).toEqual([1]);
      expect(await search("one.test")).toHaveLength(turn + 1);
      if (turn % 2 === 0) await team.inside((sql) => chores[0]?.run(sql, 0, 1));
    }
    await team.inside((sql) => eraseNames(sql, 99_999));
    expect(await search("one.test")).toHaveLength(names.length);
  });
});

describe("a look for words", () => {
  it("reads a row for 128 contacts, however many match", async () => {
    await fill(40 * BLOCK);
    for (let n = 0; n < 4; n += 1) await team.inside((sql) => chores[0]?.run(sql, 0, 1));
    const read = (q: string) =>
      team.inside((real) => {
        const { sql, take } = counted(real);
        const looked = found(sql, q).length;
        return { looked, rows: take().read };
      });
    expect(await read("example.com")).toEqual({ looked: 40 * BLOCK, rows: expect.any(Number) });
    // 40 rows of blocks, and one contact that is in none.
    expect((await read("example.com")).rows).toBeLessThan(50);
    expect((await read("nobody")).rows).toBeLessThan(50);
    expect((await read("\u0301")).rows).toBe(0);
  });

  it("takes any text as words, not as a pattern", async () => {
    await team.post("/contacts/create", { email: "ada@example.com", firstName: "100%", lastName: "a_b*c" });
    for (const q of ["%", "_", "*", "100% a_b*c"]) expect(await search(q), q).toEqual([1]);
    for (const q of ["'", '"', "?", "%%", "a%e", "\ue001"]) expect(await search(q), q).toEqual([]);
  });
});
