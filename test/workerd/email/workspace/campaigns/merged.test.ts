import { beforeEach, expect, it } from "vitest";
import { cancelCampaign } from "../../../../../src/email/workspace/campaigns/control.ts";
import { changeRow, contactByUserId } from "../../../../../src/email/workspace/contacts/contact-rows.ts";
import { advance, createTeam, isolated, type Team } from "../../bench.ts";
import { act, addCampaign, addContacts, claim, HANDOVERS, pumpSlices, recipientsOf, report, sumsOf } from "./bench.ts";

isolated();

const HOUR = 3_600_000;
const NONE = { queued: 0, inLedger: 0, sent: 0, skipped: 0, failed: 0, unknown: 0, cancelled: 0 };

let team: Team;
let id: string;
beforeEach(async () => {
  team = await createTeam();
  await team.put("/contacts/update", { userId: "u1", email: "u1@example.com" });
  id = await addCampaign(team);
  await act(team, id);
  await team.inside((_, storage) => pumpSlices(storage));
});

/** The recipient becomes part of a contact that was created after the campaign's last recipient. */
const mergeIntoNewer = async (): Promise<void> => {
  await team.inside((sql) => {
    const contact = contactByUserId(sql, "u1") ?? expect.fail("There is no contact.");
    changeRow(sql, contact, { ...contact, email: null });
  });
  await addContacts(team, ["new@example.com"]);
  expect((await team.put("/contacts/update", { email: "new@example.com", userId: "u1" })).status).toBe(200);
  const [row] = await team.rows(
    "SELECT contact > claimed_cursor AS isNewer FROM recipients JOIN campaigns ON campaigns.n = campaign",
  );
  expect(row).toEqual({ isNewer: 1 });
};

const deferAll = async (): Promise<void> => {
  await team.inside((sql) => report(sql, claim(sql), HANDOVERS.deferred));
  advance(HOUR);
};

it("a recipient whose mail waits is one still when it becomes part of a newer contact", async () => {
  await deferAll();
  await mergeIntoNewer();
  await team.inside(async (sql, storage) => {
    for (const mail of claim(sql)) report(sql, mail, HANDOVERS.accepted);
    await pumpSlices(storage);
    expect(sumsOf(sql, id)).toEqual({ ...NONE, sent: 1, recipients: 1, sum: 1 });
  });
  expect(await recipientsOf(team)).toEqual([{ email: "new@example.com", state: "sent", reason: null }]);
});

it("a recipient whose mail is in flight keeps its result when it becomes part of a newer contact and the campaign is cancelled", async () => {
  const mails = await team.inside((sql) => claim(sql));
  await mergeIntoNewer();
  await act(team, id, cancelCampaign);
  await team.inside(async (sql, storage) => {
    await pumpSlices(storage);
    expect(sumsOf(sql, id)).toEqual({ ...NONE, inLedger: 1, recipients: 1, sum: 1 });
    report(sql, mails, HANDOVERS.accepted);
    await pumpSlices(storage);
    expect(sumsOf(sql, id)).toEqual({ ...NONE, sent: 1, recipients: 1, sum: 1 });
  });
  expect(await recipientsOf(team)).toEqual([{ email: "new@example.com", state: "sent", reason: null }]);
});

it("a recipient that becomes part of a newer contact, and is deleted with it, counts as skipped", async () => {
  await deferAll();
  await mergeIntoNewer();
  await team.post("/contacts/delete", { email: "new@example.com" });
  await team.inside(async (sql, storage) => {
    expect(claim(sql)).toEqual([]);
    await pumpSlices(storage);
    expect(sumsOf(sql, id)).toEqual({ ...NONE, skipped: 1, recipients: 1, sum: 1 });
  });
  expect(await recipientsOf(team)).toEqual([]);
});
