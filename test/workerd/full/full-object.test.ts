import { beforeEach, describe, expect, it } from "vitest";
import { advance, createTeam, isolated, request, runAlarm, type Team } from "../email/bench.ts";
import { leave, unlimited } from "./limit.ts";

isolated();

/** The first 127 have a row of words for search. */
const NUMBER = 140;
const ADA = "ada@example.com";

let team: Team;
let asked = 0;
beforeEach(async () => {
  team = await createTeam({ samples: true });
  await team.inside((_, storage) => unlimited(storage));
  for (let n = 1; n <= NUMBER; n++) {
    const { status } = await team.post("/contacts/create", { email: `p${n}@example.com`, firstName: "x".repeat(400) });
    expect(status).toBe(200);
  }
});

const create = () => {
  asked += 1;
  return team.post("/contacts/create", { email: `new${asked}@example.com`, firstName: "y".repeat(499) });
};
const send = (email: string) =>
  team.post("/transactional", { transactionalId: "tpl_welcome", email, dataVariables: { name: "Ada" } });
const count = async (from: string) => Number((await team.rows(`SELECT count(*) AS n FROM ${from}`))[0]?.n);

/** Takes the last pages, until nothing more fits. Returns how many contacts were accepted. */
const fill = async (): Promise<number> => {
  await team.inside((_, storage) => leave(storage, 0));
  for (let accepted = 0; accepted < 100; accepted++) {
    const { status, json } = await create();
    if (status === 200) continue;
    expect([status, json.code]).toEqual([507, "storage_full"]);
    return accepted;
  }
  throw new Error("It is never full.");
};

describe("a database without a free page", () => {
  it("refuses what does not fit with a code, again and again, and keeps what it accepted", async () => {
    const accepted = await fill();
    for (let n = 0; n < 3; n++) expect((await create()).json.code).toBe("storage_full");
    expect(await count("contacts")).toBe(NUMBER + accepted);
  });

  it("answers reads of program and operator", async () => {
    await fill();
    for (const path of ["/contacts/find?email=p1%40example.com", "/lists", "/transactional", "/campaigns"])
      expect([path, (await team.get(path)).status]).toEqual([path, 200]);
    for (const path of ["/usage", "/overview", "/lists/counts", "/sends", "/contacts"])
      expect([path, (await team.admin("GET", path)).status]).toEqual([path, 200]);
    expect((await request("GET", "/health")).status).toBe(200);
  });

  it("takes unsubscribes, deletions and erasures, and then has room again", async () => {
    await fill();
    for (let n = 1; n <= 5; n++)
      expect((await team.put("/contacts/update", { email: `p${n}@example.com`, subscribed: false })).status).toBe(200);
    expect(await count("contacts WHERE data->>'subscribed' = 0")).toBe(5);
    for (let n = 1; n <= 40; n++)
      expect((await team.post("/contacts/delete", { email: `p${n}@example.com` })).status).toBe(200);
    expect((await team.admin("POST", "/erase", { emails: ["p41@example.com"] })).status).toBe(200);
    expect(await count("contacts WHERE email LIKE 'p4_@example.com'")).toBe(8);
    expect((await create()).status).toBe(200);
  });

  it("sends every mail that it accepted once, at the latest when there is room", async () => {
    await fill();
    const accepted: string[] = [];
    for (let n = 0; n < 40; n++) {
      const email = `${n}${ADA}`;
      const { status, json } = await send(email);
      if (status === 200) accepted.push(email);
      else expect([status, json.code]).toEqual([507, "storage_full"]);
    }
    expect(accepted.length).toBeLessThan(40);
    await team.inside((_, storage) => unlimited(storage));
    for (let n = 0; n < 4; n++) {
      advance(60_000);
      await team.inside((_, storage) => storage.setAlarm(Date.now()));
      await runAlarm(team.stub);
    }
    const { mails } = (await request("GET", "/inbox.json?limit=100")).json as { mails: { to: string }[] };
    expect(mails.map(({ to }) => to).sort()).toEqual(accepted.sort());
    expect(await count("sends WHERE state = 'sent'")).toBe(accepted.length);
  });
});
