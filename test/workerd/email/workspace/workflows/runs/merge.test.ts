import { beforeEach, describe, expect, it } from "vitest";
import { createRunPump } from "../../../../../../src/email/workspace/requests/slice-pump.ts";
import { advance, createTeam, isolated, type Team } from "../../../bench.ts";
import { contextOf } from "../../counted.ts";
import { addReady, edit, pay, type Ready } from "./bench.ts";

isolated();

const DAY = 86_400_000;
const email = "ada@example.com";
const userId = "u1";

let team: Team;
let workflow: Ready;

const start = async (changes: object = {}) => {
  await edit(team, workflow.id, `/nodes/${workflow.root}`, { payload: changes });
  expect((await team.admin("POST", `/workflows/${workflow.id}/start`)).status).toBe(200);
};

const pump = () =>
  team.inside(async (sql) => {
    const mail = { envelope: undefined, envelopeClasses: [], inboxOnly: ["marketing" as const], notes: [] };
    const context = () => ({ ...contextOf(sql), mail });
    await createRunPump({ context, transaction: (work) => work(), pause: async () => {}, follow: () => {} }).run(10);
  });

const enter = async (who: object) => {
  advance(1_100);
  expect((await team.post("/events/send", { ...who, eventName: "paid" })).status).toBe(200);
  await pump();
};
const join = async () => {
  advance(1_100);
  expect((await team.put("/contacts/update", { email, userId })).status).toBe(200);
};
const runs = () => team.rows("SELECT seq, wake IS NOT NULL AS active, ended FROM runs ORDER BY seq");

beforeEach(async () => {
  team = await createTeam();
  workflow = await addReady(team);
  await pay(team, "before@example.com");
});

describe("two contacts in a workflow that become one", () => {
  it("are in it once, where a contact enters once", async () => {
    await start({ reEligible: false });
    await enter({ userId });
    await enter({ email });
    await join();
    expect(await runs()).toEqual([
      { seq: 1, active: 1, ended: null },
      { seq: 2, active: 0, ended: "merged" },
    ]);
    await enter({ email });
    expect(await runs()).toHaveLength(2);
  });

  it("do not go through it again after one of them has", async () => {
    await start({ reEligible: false });
    await enter({ email });
    advance(2 * DAY);
    await pump();
    await enter({ userId });
    await join();
    expect((await runs()).map(({ ended }) => ended)).toEqual(["completed", "merged"]);
  });

  it("keep the passage of the one that was in it alone", async () => {
    await start({ reEligible: false });
    await enter({ userId });
    await enter({ email: "other@example.com" });
    await team.put("/contacts/update", { email });
    await join();
    expect(await runs()).toEqual([
      { seq: 1, active: 1, ended: null },
      { seq: 1, active: 1, ended: null },
    ]);
  });

  it("keep both passages where a contact enters again, and each of them gets its mail", async () => {
    const timer = { insertMode: "before", nodeTypeName: "TimerAction", toNodeId: workflow.email };
    await edit(team, workflow.id, "/nodes", timer);
    await start({ reEligible: true });
    await enter({ userId });
    advance(DAY);
    await pump();
    await enter({ email });
    await join();
    expect(await runs()).toEqual([
      { seq: 1, active: 1, ended: null },
      { seq: 2, active: 1, ended: null },
    ]);
    advance(DAY + 1_000);
    await pump();
    const mails = await team.rows(
      "SELECT s.run, s.state <> 'not_sent' AS leaves, s.error FROM sends s JOIN contacts c ON c.n = s.contact ORDER BY s.n",
    );
    expect(mails).toEqual([
      { run: 2, leaves: 0, error: "no_email" },
      { run: 1, leaves: 1, error: null },
    ]);
  });
});
