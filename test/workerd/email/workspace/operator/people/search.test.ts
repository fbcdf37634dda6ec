import { beforeEach, describe, expect, it } from "vitest";
import { FILL } from "../../../../../../bench/fill.ts";
import { chores } from "../../../../../../src/email/workspace/contacts/contact-blocks.ts";
import { SLICE, searchContacts } from "../../../../../../src/email/workspace/operator/people/search.ts";
import { createTeam, isolated, type Team } from "../../../bench.ts";
import { arrangeSend } from "../../../examples.ts";
import { contextOf, counted } from "../../counted.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam({ samples: true, createProperties: true });
});

type Found = { properties: object; lastMail: { id: string } | null };
type Page = {
  data: { email: string | null; userId: string | null }[];
  next: string | null;
  searchedTo: string | null;
  rowsRead: number;
};
const search = async (query: Record<string, string> = {}): Promise<Page> => {
  const { status, json, text } = await team.admin("GET", `/contacts?${new URLSearchParams(query)}`);
  expect(status, text).toBe(200);
  return json;
};
const everything = async (query: Record<string, string>) => {
  const found: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const { data, next }: Page = await search(cursor === "" ? query : { ...query, cursor });
    found.push(...data.map(({ email, userId }) => email ?? userId ?? ""));
    cursor = next;
  }
  return found;
};

const fill = (contacts: number) =>
  team.inside((sql) => {
    sql.exec(FILL, 0, contacts - 1);
  });

describe("a search for contacts", () => {
  it("shows the newest first, with what a list needs", async () => {
    const { json: list } = await team.admin("POST", "/lists", { name: "News" });
    const mailingLists = { [list.id]: true };
    await team.post("/contacts/create", { email: "Ada@Example.com", userId: "u1", firstName: "Ada", mailingLists });
    await team.put("/contacts/update", { userId: "u2", subscribed: false });
    await team.admin("POST", "/suppressions", { email: "ada@example.com" });
    const { data, next, searchedTo } = await search();
    expect([next, searchedTo]).toEqual([null, null]);
    const times = { createdAt: expect.any(String), updatedAt: expect.any(String) };
    expect(data).toEqual([
      {
        id: expect.any(String),
        email: null,
        userId: "u2",
        firstName: null,
        lastName: null,
        subscribed: false,
        optInStatus: null,
        mailingLists: [],
        suppressed: false,
        properties: {},
        lastMail: null,
        ...times,
      },
      {
        id: expect.any(String),
        email: "Ada@Example.com",
        userId: "u1",
        firstName: "Ada",
        lastName: null,
        subscribed: true,
        optInStatus: null,
        mailingLists: [list.id],
        suppressed: true,
        properties: {},
        lastMail: null,
        ...times,
      },
    ]);
  });

  it("has the properties that it is asked for, and the newest mail to each address", async () => {
    await team.post("/contacts/create", { email: "Ada@example.com", plan: "pro", seats: 3 });
    await team.post("/contacts/create", { email: "eve@example.com" });
    for (const id of ["snd_1_ada", "snd_2_ada", "snd_3_ada"]) await arrangeSend(team, id, "sent");
    await team.run("UPDATE sends SET preview = 1 WHERE n = 3");
    await team.run(
      "UPDATE sends SET revision = (SELECT r.n FROM message_revisions r JOIN email_messages m ON m.n = r.message JOIN templates t ON t.n = m.template WHERE t.id = 'tpl_welcome')",
    );
    const { data } = (await search({ properties: "plan,seats,source,none" })) as unknown as { data: Found[] };
    expect(data.map(({ properties }) => properties)).toEqual([
      { plan: null, seats: null, source: "API", none: null },
      { plan: "pro", seats: 3, source: "API", none: null },
    ]);
    expect(data.map(({ lastMail }) => lastMail?.id ?? null)).toEqual([null, "snd_2_ada"]);
    expect(data[1]?.lastMail).toMatchObject({
      template: { name: "Welcome" },
      subject: "Welcome to {data.company}",
    });
    for (const properties of ["a,,b", "a,b,c,d,e,f,g,h,i,j,k"])
      expect((await team.admin("GET", `/contacts?properties=${properties}`)).json.code).toBe("invalid_request");
  });

  it("finds parts of the name, the address and the user id, newest first", async () => {
    for (const [email, userId, firstName, lastName] of [
      ["ann@example.com", "z", "Søren", "O’Hara"],
      ["Anna@example.com", "ann-1", "Renée", "Van der Ann"],
      ["bob@acme.example", "USR-2", "JOHANNES", null],
      [undefined, "ann-3", null, "Żółć"],
      ["ann@exämple.com", "w", "李", "小龍"],
    ]) {
      await team.put("/contacts/update", { email, userId, firstName, lastName });
    }
    const cases: [q: string, found: string[]][] = [
      ["ANN", ["ann@exämple.com", "ann-3", "bob@acme.example", "Anna@example.com", "ann@example.com"]],
      ["soren", ["ann@example.com"]],
      ["SØREN o'hara", ["ann@example.com"]],
      ["hara søren", ["ann@example.com"]],
      ["renee", ["Anna@example.com"]],
      ["der ann", ["Anna@example.com"]],
      ["zolc", ["ann-3"]],
      ["小龍", ["ann@exämple.com"]],
      ["acme.example", ["bob@acme.example"]],
      ["@acme", ["bob@acme.example"]],
      ["usr-2", ["bob@acme.example"]],
      ["nn@ex", ["ann@exämple.com", "ann@example.com"]],
      ["exämple.com", ["ann@exämple.com", "Anna@example.com", "ann@example.com"]],
      ["ann nobody", []],
      ["%", []],
      ["ann@example.com'", []],
      ["\u0301", []],
    ];
    for (const [q, found] of cases) expect(await everything({ q }), q).toEqual(found);
  });

  it("combines list, subscription and suppression, with q and without", async () => {
    const { json: list } = await team.admin("POST", "/lists", { name: "News" });
    await fill(60);
    await team.run("UPDATE contacts SET data = jsonb_set(data, '$.subscribed', json('false')) WHERE n % 2 = 0");
    await team.run(
      "UPDATE contacts SET data = jsonb_set(data, ?, json('true')) WHERE n % 3 = 0",
      `$.mailingLists.${list.id}`,
    );
    await team.run(
      "INSERT INTO suppressions (email_key, reason, at) SELECT email_key, 'bounce', 1 FROM contacts WHERE n % 5 = 0",
    );
    const all = (await team.rows("SELECT n, email FROM contacts ORDER BY n DESC")) as { n: number; email: string }[];
    const those = (matches: (n: number) => boolean) => all.filter(({ n }) => matches(n)).map(({ email }) => email);
    const cases: [Record<string, string>, (n: number) => boolean][] = [
      [{ subscribed: "true" }, (n) => n % 2 === 1],
      [{ subscribed: "false", list: list.id }, (n) => n % 6 === 0],
      [{ suppressed: "true" }, (n) => n % 5 === 0],
      [{ suppressed: "false", list: list.id, subscribed: "true" }, (n) => n % 2 === 1 && n % 3 === 0 && n % 5 !== 0],
    ];
    for (const [query, matches] of cases) {
      expect(await everything({ ...query, perPage: "10" }), JSON.stringify(query)).toEqual(those(matches));
      const withPart = those(matches).filter((email) => email.includes("son1"));
      expect(await everything({ ...query, q: "son1", perPage: "10" })).toEqual(withPart);
    }
  });

  it("goes on where it was while contacts are added and deleted", async () => {
    await fill(40);
    const before = await everything({ q: "user_" });
    const [first, second] = [await search({ q: "user_", perPage: "10" }), before.slice(10, 20)];
    await team.run("DELETE FROM contacts WHERE email = ?", before[9] ?? "");
    await team.post("/contacts/create", { userId: "user_00", email: "zz@example.com" });
    const next = await search({ q: "user_", perPage: "10", cursor: first.next ?? "" });
    expect(next.data.map(({ email }) => email)).toEqual(second);
  });

  it("refuses a cursor that it did not give, a list that is not there, and filters that are not valid", async () => {
    const wrong: [Record<string, string>, string, string, number][] = [
      [{ cursor: "x", q: "person" }, "invalid_request", "cursor", 400],
      [{ cursor: "x" }, "invalid_request", "cursor", 400],
      [{ cursor: btoa('["n","1"]') }, "invalid_request", "cursor", 400],
      [{ subscribed: "yes" }, "invalid_request", "subscribed", 400],
      [{ suppressed: "1" }, "invalid_request", "suppressed", 400],
      [{ perPage: "9" }, "invalid_request", "perPage", 400],
      [{ q: "x".repeat(501) }, "invalid_request", "q", 400],
      [{ list: "lst_none" }, "mailing_list_not_found", "list", 404],
    ];
    for (const [query, code, path, expected] of wrong) {
      const { status, json } = await team.admin("GET", `/contacts?${new URLSearchParams(query)}`);
      expect([status, json.code, json.path], JSON.stringify(query)).toEqual([expected, code, path]);
    }
  });

  it("tells the rows that it read", async () => {
    await fill(30);
    for (const query of [{}, { q: "person" }, { q: "nobody" }]) {
      const { rowsRead } = await search(query);
      const rows = await team.inside((real) => {
        const { sql, take } = counted(real);
        searchContacts(contextOf(sql), { team: "acme", ...query });
        return take().read;
      });
      expect(rowsRead, JSON.stringify(query)).toBe(rows);
      expect(rowsRead).toBeGreaterThan(0);
    }
  });

  it("looks at a bounded number of contacts, and says so", async () => {
    await fill(SLICE + 500);
    const none = await search({ subscribed: "false" });
    expect(none).toMatchObject({ data: [], next: expect.any(String), searchedTo: expect.any(String) });
    expect(await search({ subscribed: "false", cursor: none.next ?? "" })).toEqual({
      data: [],
      next: null,
      searchedTo: null,
      rowsRead: expect.any(Number),
    });
    const rows = await team.inside((real) => {
      const { sql, take } = counted(real);
      const read = (query: object) => {
        searchContacts(contextOf(sql), { team: "acme", ...query });
        return take().read;
      };
      const withoutWords = read({ q: "nobody" });
      while (chores.some(({ next }) => next(sql) === 0)) for (const { run } of chores) void run(sql, 0, 1);
      take();
      return { page: read({}), withoutWords, words: read({ q: "nobody" }), scan: read({ subscribed: false }) };
    });
    expect(rows.page).toBeLessThan(300);
    expect(rows.withoutWords).toBeLessThanOrEqual(SLICE + 10);
    expect(rows.words).toBeLessThan(SLICE / 100);
    expect(rows.scan).toBeLessThanOrEqual(SLICE + 10);
  });
});
