import { beforeEach, describe, expect, it } from "vitest";
import { advance, createTeam, isolated, runAlarm, type Team } from "../../../bench.ts";
import { addReady, edit, pay, type Ready } from "./bench.ts";

isolated();

let team: Team;
let workflow: Ready;
beforeEach(async () => {
  team = await createTeam();
  workflow = await addReady(team);
  await edit(team, workflow.id, `/nodes/${workflow.root}`, { payload: { reEligible: true } });
  await team.admin("POST", `/workflows/${workflow.id}/start`);
});

const remove = async (contact: string, id = workflow.id) => {
  const path = `/workflows/${id}/contacts/${encodeURIComponent(contact)}/remove`;
  const { status, json } = await team.admin("POST", path);
  return status === 200 ? json : [status, json.code, json.path];
};
const status = async () => (await team.admin("GET", `/workflows/${workflow.id}/status`)).json;
const enter = async (email: string, userId: string) => {
  await pay(team, email, { userId });
  await pay(team, email);
  await runAlarm(team.stub);
};

describe("removing a contact", () => {
  it.each([
    ["address", () => "ADA@example.com"],
    ["userId", () => "u/ada 1"],
    ["id", async () => (await team.find({ email: "ada@example.com" })).id as string],
  ])("by its %s ends all its runs, and no other", async (_, nameOf) => {
    await enter("ada@example.com", "u/ada 1");
    await enter("bo@example.com", "u2");
    expect(await remove(await nameOf())).toEqual({ removed: 2 });
    expect(await status()).toMatchObject({ entered: 4, active: 2, ended: { removed: 2 } });
    expect(await remove("ada@example.com")).toEqual({ removed: 0 });
    expect(await status()).toMatchObject({ entered: 4, active: 2, ended: { removed: 2 } });
    advance(2 * 86_400_000);
    await runAlarm(team.stub);
    expect(await status()).toMatchObject({ entered: 4, active: 0, ended: { removed: 2, completed: 2 } });
  });

  it("lets it enter again where the trigger is reEligible", async () => {
    await enter("ada@example.com", "u1");
    await remove("ada@example.com");
    await pay(team, "ada@example.com");
    expect(await status()).toMatchObject({ entered: 3, active: 1 });
  });

  it("reaches runs that are queued in a pause", async () => {
    await team.admin("POST", `/workflows/${workflow.id}/pause`);
    await enter("ada@example.com", "u1");
    expect(await remove("ada@example.com")).toEqual({ removed: 2 });
    await team.admin("POST", `/workflows/${workflow.id}/resume`);
    await runAlarm(team.stub);
    expect(await team.rows("SELECT * FROM sends")).toEqual([]);
  });

  it("is 404 for a contact or a workflow that the team does not have", async () => {
    const other = await createTeam({ id: "other" });
    const theirs = await addReady(other);
    await pay(other, "bo@example.com", { userId: "u2" });
    await enter("ada@example.com", "u1");
    const { id } = await other.find({ email: "bo@example.com" });
    for (const contact of ["bo@example.com", "u2", id, "con_none"])
      expect(await remove(contact)).toEqual([404, "contact_not_found", "contact"]);
    for (const one of [theirs.id, "wfl_none"])
      expect(await remove("ada@example.com", one)).toEqual([404, "workflow_not_found", "workflowId"]);
    expect(await remove("x".repeat(501))).toEqual([400, "invalid_request", "contact"]);
    expect((await status()).active).toBe(2);
  });
});
