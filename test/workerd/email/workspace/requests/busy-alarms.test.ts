import { expect, it } from "vitest";
import { advance, createTeam, isolated, runAlarm } from "../../bench.ts";
import { act, addCampaign } from "../campaigns/bench.ts";
import { addContacts } from "../campaigns/ready-campaign.ts";

isolated();

const DAY = 86_400_000;

it("chores run once a second while alarms with slices follow each other, and in the first one after them", async () => {
  const team = await createTeam();
  await addContacts(team, 40_000);
  const id = await addCampaign(team);
  const addOldKey = () =>
    team.run(
      `INSERT INTO idempotency (day, operation, key, at) VALUES (${Math.floor(Date.now() / DAY) - 9}, 'x', 'k', 0)`,
    );
  const hasOldKey = async () => (await team.rows("SELECT 1 FROM idempotency WHERE operation = 'x'")).length === 1;
  const state = async () => (await team.get(`/campaigns/${id}`)).json.delivery.state;
  await act(team, id);
  await addOldKey();
  await runAlarm(team.stub);
  expect([await state(), await hasOldKey()]).toEqual(["snapshot", false]);
  await addOldKey();
  await runAlarm(team.stub);
  expect([await state(), await hasOldKey()]).toEqual(["snapshot", true]);
  advance(1_000);
  await runAlarm(team.stub);
  expect([await state(), await hasOldKey()]).toEqual(["snapshot", false]);
});
