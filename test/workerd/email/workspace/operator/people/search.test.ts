import { beforeEach, describe, expect, it } from "vitest";
import { FILL, nameOf } from "../../../../../../bench/fill.ts";
import { SLICE, searchContacts } from "../../../../../../src/email/workspace/operator/people/search.ts";
import { createTeam, isolated, type Team } from "../../../bench.ts";
import { contextOf, counted } from "../../counted.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam();
});

type Page = { data: { email: string | null; userId: string | null }[]; next: string | null; searchedTo: string | null };
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
        ...times,
      },
    ]);
  });

  it("finds the beginning of an address, then of a user id, each contact once", async () => {
    for (const [email, userId] of [
      ["ann@example.com", "z"],
      ["Anna@example.com", "ann-1"],
      ["bob@example.com", "ann-2"],
      [undefined, "ann-3"],
      ["carl@example.com", "Ann-4"],
      ["an@example.com", "x"],
      ["änne@example.com", "y"],
      ["ann@exämple.com", "w"],
    ]) {
      await team.put("/contacts/update", { email, userId });
    }
    expect(await everything({ q: "ANN" })).toEqual(["ann@example.com", "ann@exämple.com", "Anna@example.com"]);
    expect(await everything({ q: "ann" })).toEqual([
      "ann@example.com",
      "ann@exämple.com",
      "Anna@example.com",
      "bob@example.com",
      "ann-3",
    ]);
    expect(await everything({ q: "Änn" })).toEqual(["änne@example.com"]);
    expect(await everything({ q: "ann@exämple.com" })).toEqual(["ann@exämple.com"]);
    expect(await everything({ q: "%" })).toEqual([]);
    expect(await everything({ q: "ann@example.com'" })).toEqual([]);
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
      const byAddress = those(matches)
        .filter((email) => email.startsWith("person1"))
        .sort();
      expect(await everything({ ...query, q: "person1", perPage: "10" })).toEqual(byAddress);
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

  it("refuses a cursor of another search, a list that is not there, and filters that are not valid", async () => {
    await fill(30);
    const { next } = await search({ q: "person" });
    const { next: newest } = await search();
    const wrong: [Record<string, string>, string, string, number][] = [
      [{ cursor: next ?? "" }, "invalid_request", "cursor", 400],
      [{ cursor: newest ?? "", q: "person" }, "invalid_request", "cursor", 400],
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

  it("looks at a bounded number of contacts, and says so", async () => {
    await fill(SLICE + 500);
    const none = await search({ subscribed: "false" });
    expect(none).toMatchObject({ data: [], next: expect.any(String), searchedTo: expect.any(String) });
    expect(await search({ subscribed: "false", cursor: none.next ?? "" })).toEqual({
      data: [],
      next: null,
      searchedTo: null,
    });
    const rows = await team.inside((real) => {
      const { sql, take } = counted(real);
      const read = (query: object) => {
        searchContacts(contextOf(sql), { team: "acme", ...query });
        return take().read;
      };
      const page = read({});
      const deep = searchContacts(contextOf(sql), { team: "acme", q: "person9", perPage: 50 });
      const cursor = "body" in deep ? String((deep.body as Page).next) : "";
      take();
      return {
        page,
        deep: read({ q: "person9", cursor }),
        whole: read({ q: `person${nameOf(7)}@` }),
        scan: read({ subscribed: false }),
      };
    });
    expect(rows.page).toBeLessThan(300);
    expect(rows.deep).toBeLessThan(400);
    expect(rows.whole).toBeLessThan(10);
    expect(rows.scan).toBeLessThanOrEqual(SLICE + 10);
  });
});
