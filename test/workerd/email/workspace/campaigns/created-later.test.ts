import { expect, it } from "vitest";
import { startCampaign } from "../../../../../src/email/workspace/campaigns/control.ts";
import { insertContacts } from "../../../../../src/email/workspace/contacts/contact-rows.ts";
import { createTeam, isolated, type Team } from "../../bench.ts";
import { act, addCampaign, addContacts, pumpSlices, recipientsOf } from "./bench.ts";

isolated();

const numbersOf = (team: Team) => team.rows("SELECT n, email FROM contacts ORDER BY n");

it("a contact that is created after the start gets no campaign, also where the newest contacts were deleted before", async () => {
  const team = await createTeam();
  await addContacts(team, ["a@x.com", "b@x.com", "c@x.com"]);
  const id = await addCampaign(team);
  await act(team, id, startCampaign);
  for (const email of ["c@x.com", "b@x.com"]) await team.post("/contacts/delete", { email });
  await addContacts(team, ["later@x.com"]);
  expect((await team.put("/contacts/update", { email: "upserted@x.com" })).status).toBe(200);
  await team.inside((_, storage) => pumpSlices(storage));
  expect((await recipientsOf(team)).map(({ email }) => email)).toEqual(["a@x.com"]);
  expect(await numbersOf(team)).toEqual([
    { n: 1, email: "a@x.com" },
    { n: 4, email: "later@x.com" },
    { n: 5, email: "upserted@x.com" },
  ]);
  const { json } = await team.admin("GET", `/campaigns/${id}/contacts/later%40x.com`);
  expect(json.code).toBe("created_later");
});

it("the numbers of contacts that are written together go on after those of deleted ones, in their order", async () => {
  const team = await createTeam();
  await addContacts(team, ["a@x.com", "b@x.com"]);
  await team.post("/contacts/delete", { email: "b@x.com" });
  const stored = await team.inside((sql) => {
    const one = (email: string) => ({
      id: `con_${email}`,
      email,
      userId: null,
      createdAt: 1,
      updatedAt: 1,
      data: { subscribed: true, optInStatus: null, mailingLists: {}, properties: {} } as never,
    });
    return insertContacts(sql, [one("z@x.com"), one("y@x.com")]).map(({ n, email }) => ({ n, email }));
  });
  expect(stored).toEqual([
    { n: 3, email: "z@x.com" },
    { n: 4, email: "y@x.com" },
  ]);
  expect(await numbersOf(team)).toEqual([{ n: 1, email: "a@x.com" }, ...stored]);
});

it("a deletion of another contact than the newest writes nothing about numbers", async () => {
  const team = await createTeam();
  await addContacts(team, ["a@x.com", "b@x.com"]);
  await team.post("/contacts/delete", { email: "a@x.com" });
  expect(await team.rows("SELECT last_contact FROM team")).toEqual([{ last_contact: 0 }]);
});
