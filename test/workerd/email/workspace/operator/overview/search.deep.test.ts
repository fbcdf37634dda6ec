import { describe, expect, it } from "vitest";
import { FILL, nameOf } from "../../../../../../bench/fill.ts";
import { BLOCK, chores } from "../../../../../../src/email/workspace/contacts/contact-blocks.ts";
import { searchEverything } from "../../../../../../src/email/workspace/operator/overview/search.ts";
import { admin, arranged, createTeam } from "../../../bench.ts";
import { arrange } from "../../../examples.ts";
import { counted } from "../../counted.ts";

const team = arranged(async () => {
  const made = await createTeam({ samples: true });
  await arrange(made);
  return made;
});

const search = async (q: string): Promise<{ kind: string; id: string; name: string; detail: string | null }[]> => {
  const { status, json, text } = await team().admin("GET", `/search?${new URLSearchParams({ q })}`);
  expect(status, text).toBe(200);
  return json.data;
};
const names = async (q: string) => (await search(q)).map(({ kind, name }) => `${kind} ${name}`);

describe("a search through a team", () => {
  it("finds a person by the beginning of the address or the user id first, and once", async () => {
    await team().put("/contacts/update", { email: "ada@example.com", firstName: "Ada", lastName: "Lovelace" });
    await team().put("/contacts/update", { userId: "user_7" });
    const ada = { kind: "contact", id: expect.any(String), name: "ada@example.com", detail: "Ada Lovelace, user_42" };
    expect(await search("ADA@")).toEqual([ada]);
    expect(await search("user_4")).toEqual([ada]);
    expect(await names("user_")).toEqual(["contact ada@example.com", "contact user_7"]);
    expect(await search("velace")).toEqual([ada]);
    expect(await search("lace@")).toEqual([]);
  });

  it("finds everything with a name by its beginning, by a word of it, and by its id", async () => {
    expect(await names("spr")).toEqual(["campaign Spring sale"]);
    expect(await names("SALE")).toEqual(["campaign Spring sale"]);
    expect(await names("pring")).toEqual(["campaign Spring sale"]);
    expect(await names("sale spring")).toEqual(["campaign Spring sale"]);
    expect(await names("winter")).toEqual([]);
    expect(await search("cmp_2")).toEqual([{ kind: "campaign", id: "cmp_2", name: "Spring sale", detail: null }]);
    expect(await names("new")).toEqual(["list News"]);
    expect(await names("trial n")).toEqual(["transactionalEmail Trial ending", "workflow Trial nurture"]);
    expect(await names("seg_")).toEqual(["segment seg_2", "segment seg_1"]);
    expect(await names("tpl_welcome")).toEqual(["transactionalEmail Welcome"]);
    await team().post("/contacts/properties", { name: "planName", type: "string" });
    expect(await search("plann")).toEqual([{ kind: "property", id: "planName", name: "Plan name", detail: null }]);
    expect(await names("lastn")).toEqual(["property lastName"]);
    await team().post("/campaigns", { name: "Über uns" });
    for (const q of ["ÜBER", "uber"]) expect(await names(q), q).toEqual(["campaign Über uns"]);
  });

  it("finds a mail by its id, its recipient and its subject", async () => {
    await team().post("/transactional", {
      transactionalId: "tpl_welcome",
      email: "ada@example.com",
      dataVariables: { name: "Ada" },
    });
    const [{ id }] = (await team().admin("GET", "/sends?to=ada@example.com")).json.data;
    const found = { kind: "send", id, name: expect.stringMatching(/Welcome/), detail: expect.stringMatching(/^ada@/) };
    expect(await search(id)).toEqual([found]);
    expect(await search("Ada@example.com")).toContainEqual(found);
    expect(await search("WELCOMÉ")).toContainEqual(found);
    expect(await search(`${id}x`)).toEqual([]);
    expect(await search("snd_")).toEqual([]);
  });

  it("gives five of each kind, and names that begin with it come first", async () => {
    for (let n = 0; n < 7; n += 1) await team().post("/campaigns", { name: `Old week ${n}` });
    await team().post("/campaigns", { name: "Weekly" });
    const found = await names("week");
    expect(found).toHaveLength(5);
    expect(found[0]).toBe("campaign Weekly");
    expect(await names("old week")).toHaveLength(5);
  });

  it("reads one row more for each 128 contacts", async () => {
    const rowsRead = (contacts: number) =>
      team().inside((real) => {
        real.exec("DELETE FROM contacts");
        real.exec(FILL, 0, contacts - 1);
        const { sql, take } = counted(real);
        for (const { run } of Array(20).fill(chores[0])) void run(sql, 0, 1);
        take();
        const found = searchEverything({ sql }, { team: "acme", q: `person${nameOf(1)}@` });
        expect(found).toMatchObject({ body: { data: [{ kind: "contact" }], rowsRead: expect.any(Number) } });
        return take().read;
      });
    const few = await rowsRead(200);
    expect(await rowsRead(20_000)).toBeLessThanOrEqual(few + 20 + 20_000 / BLOCK);
  });

  it("is refused without a text", async () => {
    for (const query of ["", "?q=", "?q=%20", `?q=${"x".repeat(501)}`]) {
      const { status, json } = await team().admin("GET", `/search${query}`);
      expect([status, json.code, json.path], query).toEqual([400, "invalid_request", "q"]);
    }
  });

  it("finds nothing of another team, and is 404 for one that does not exist", async () => {
    await createTeam({ id: "other" });
    expect((await admin("GET", "/admin/teams/other/search?q=ada@")).json.data).toEqual([]);
    const { status, json } = await admin("GET", "/admin/teams/ghost/search?q=ada@");
    expect([status, json.code, json.path]).toEqual([404, "not_found", "team"]);
  });
});
