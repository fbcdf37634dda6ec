import { beforeEach, expect, it } from "vitest";
import { SLICE } from "../../../../../src/email/workspace/double-opt-in/pending.ts";
import { createTeam, handedOver, isolated, request, type Team } from "../../bench.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam({});
  await team.admin("POST", "", { doubleOptIn: true });
});

type Page = { data: { email: string }[]; next: string | null };
const list = async (query = ""): Promise<Page> => (await team.admin("GET", `/confirmations${query}`)).json;

it("lists pending contacts only, each with its newest confirmation mail", async () => {
  await team.admin("POST", "/suppressions", { email: "eve@example.com" });
  await team.post("/contacts/create", { email: "bob@example.com", subscribed: false });
  await team.post("/contacts/create", { email: "ada@example.com", userId: "u1" });
  const { id } = (await team.post("/contacts/create", { email: "eve@example.com" })).json;
  await handedOver();
  const again = await team.admin("POST", "/confirmations", { email: "ada@example.com" });
  await handedOver();
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const times = { createdAt: time, updatedAt: time };
  expect(await list()).toEqual({
    data: [
      {
        id,
        email: "eve@example.com",
        userId: null,
        ...times,
        asked: { sendId: expect.stringMatching(/^snd_/), state: "not_sent", at: time },
      },
      {
        id: expect.stringMatching(/^con_/),
        email: "ada@example.com",
        userId: "u1",
        ...times,
        asked: { sendId: again.json.id, state: "sent", at: time },
      },
    ],
    next: null,
  });
  await team.run("DELETE FROM sends");
  expect((await list()).data).toMatchObject([{ asked: null }, { asked: null }]);
});

it("gives each contact once over its pages, also when contacts are added meanwhile", async () => {
  const emails = Array.from({ length: 25 }, (_, i) => `c${i}@example.com`);
  for (const email of emails) await team.post("/contacts/create", { email });
  const seen: string[] = [];
  let query = "?perPage=10";
  for (const size of [10, 10, 5]) {
    const { data, next } = await list(query);
    expect([data.length, next === null]).toEqual([size, size === 5]);
    seen.push(...data.map(({ email }) => email));
    await team.post("/contacts/create", { email: `later${size}.${seen.length}@example.com` });
    query = `?perPage=10&cursor=${next}`;
  }
  expect(seen).toEqual(emails.reverse());
});

it("looks at a bounded number of contacts, and goes on where it stopped", async () => {
  await team.post("/contacts/create", { email: "first@example.com" });
  await team.run(
    `INSERT INTO contacts (id, email, email_key, user_id, data, created_at, updated_at)
     WITH RECURSIVE i(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM i WHERE v < ${SLICE})
     SELECT 'con_' || v, NULL, NULL, 'x' || v, (SELECT jsonb_set(data, '$.optInStatus', NULL) FROM contacts LIMIT 1), 0, 0 FROM i`,
  );
  const empty = await list();
  expect(empty).toEqual({ data: [], next: expect.any(String) });
  expect(await list(`?cursor=${empty.next}`)).toMatchObject({ data: [{ email: "first@example.com" }], next: null });
});

it("refuses a cursor of no list, a page of another size, another key and an unknown team", async () => {
  expect((await team.admin("GET", "/confirmations?cursor=x")).json).toEqual({
    success: false,
    code: "invalid_request",
    path: "cursor",
    message: "cursor: not one that a list gave. Leave it out for the first page.",
  });
  expect((await team.admin("GET", "/confirmations?perPage=5")).json).toMatchObject({ path: "perPage" });
  expect((await request("GET", "/admin/teams/acme/confirmations")).status).toBe(401);
  await team.post("/contacts/create", { email: "ada@example.com" });
  const other = await createTeam({ id: "globex" });
  expect((await other.admin("GET", "/confirmations")).json).toEqual({ data: [], next: null });
});
