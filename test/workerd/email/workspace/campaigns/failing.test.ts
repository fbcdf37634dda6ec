import { expect, it, vi } from "vitest";
import { admin, advance, createTeam, isolated, runAlarm } from "../../bench.ts";
import { act, addCampaign, addContacts, drive, recipientsOf } from "./bench.ts";

isolated();

const MINUTE = 60_000;

it("a campaign whose step fails says so, tries again after a minute only, does not stop others, and ends well", async () => {
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line) => lines.push(String(line)));
  const team = await createTeam();
  await addContacts(team, ["ada@example.com", "bo@example.com"]);
  const failing = await addCampaign(team);
  const other = await addCampaign(team);
  const row = await team.inside(
    (sql) => sql.exec<{ n: number }>("SELECT n FROM campaigns WHERE id = ?", failing).one().n,
  );
  await team.run(
    `CREATE TRIGGER fault BEFORE INSERT ON recipients WHEN NEW.campaign = ${row} BEGIN SELECT RAISE(ABORT, 'fault'); END`,
  );
  await act(team, failing);
  await act(team, other);
  await drive(team);
  const status = async (id: string) => (await admin("GET", `/admin/teams/acme/campaigns/${id}/status`)).json;
  expect((await status(other)).status).toBe("Sent");
  const shown = await status(failing);
  expect([shown.status, shown.progress.state]).toEqual(["Sending", "snapshot"]);
  expect(shown.waiting).toEqual([
    {
      code: "step_failed",
      message: expect.stringMatching(/^Its newest step failed, and is made again at .*: .*fault/),
    },
  ]);
  const failures = () => lines.filter((line) => line.includes("campaign_failed"));
  expect(failures()).toHaveLength(1);
  expect(JSON.parse(failures()[0] ?? "{}")).toMatchObject({ event: "campaign_failed", campaign: failing });
  const rung = (await team.inside((_, storage) => storage.getAlarm())) ?? 0;
  expect(rung - Date.now()).toBeGreaterThan(MINUTE / 2);
  expect(rung - Date.now()).toBeLessThanOrEqual(MINUTE);
  expect(await team.rows(`SELECT count(*) AS n FROM recipients WHERE campaign = ${row}`)).toEqual([{ n: 0 }]);

  advance(MINUTE);
  await runAlarm(team.stub);
  expect(failures()).toHaveLength(2);
  await team.run("DROP TRIGGER fault");
  advance(MINUTE);
  await drive(team);
  expect(await status(failing)).toMatchObject({ status: "Sent", waiting: [], progress: { sent: 2 } });
  expect(failures()).toHaveLength(2);
  const mails = await recipientsOf(team);
  const twice = ["ada@example.com", "ada@example.com", "bo@example.com", "bo@example.com"];
  expect(mails.map(({ email, reason }) => [email, reason])).toEqual(twice.map((email) => [email, null]));
});
