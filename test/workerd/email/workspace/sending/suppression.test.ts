import { runDurableObjectAlarm } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { advance, createTeam, isolated, type Team } from "../../bench.ts";

isolated();

const DAY = 86_400_000;
const email = "ada@example.com";
let team: Team;
let id: string;
beforeEach(async () => {
  team = await createTeam({ samples: true });
  id = (await team.post("/contacts/create", { email: "Ada@Example.com", userId: "u1" })).json.id;
});

const suppress = () => team.admin("POST", "/suppressions", { email });
const check = async (who: Record<string, string> = { email }) =>
  team.get(`/contacts/suppression?${new URLSearchParams(who)}`);
const remove = async (who: Record<string, string> = { email }) =>
  team.remove(`/contacts/suppression?${new URLSearchParams(who)}`);

describe("a suppression", () => {
  it.each([{ email: "ADA@example.COM" }, { userId: "u1" }])("is shown and removed by %j", async (who) => {
    const contact = { id, email: "Ada@Example.com", userId: "u1" };
    const quota = (remaining: number) => ({ limit: 100, remaining });
    expect((await check(who)).json).toEqual({ contact, isSuppressed: false, removalQuota: quota(100) });
    await suppress();
    expect((await check(who)).json).toEqual({ contact, isSuppressed: true, removalQuota: quota(100) });
    const { status, json } = await remove(who);
    expect([status, json]).toEqual([
      200,
      { success: true, message: "The contact is no longer suppressed.", removalQuota: quota(99) },
    ]);
    expect((await check(who)).json).toEqual({ contact, isSuppressed: false, removalQuota: quota(99) });
  });

  it("stops mail while it exists", async () => {
    const mail = { transactionalId: "tpl_welcome", email, dataVariables: { name: "Ada" } };
    await suppress();
    await team.post("/transactional", mail);
    await remove();
    await team.post("/transactional", mail);
    const states = await team.rows("SELECT state = 'not_sent' AS held FROM sends ORDER BY n");
    expect(states).toEqual([{ held: 1 }, { held: 0 }]);
  });

  it("keeps its reason when the address is suppressed again", async () => {
    await team.run("INSERT INTO suppressions (email_key, reason, at) VALUES (?, 'complaint', 5)", email);
    expect((await suppress()).status).toBe(200);
    expect(await team.rows("SELECT email_key, reason, at FROM suppressions")).toEqual([
      { email_key: email, reason: "complaint", at: 5 },
    ]);
  });

  it("does not exist for a contact without an address", async () => {
    await team.put("/contacts/update", { userId: "u2" });
    expect((await check({ userId: "u2" })).json).toMatchObject({ isSuppressed: false, contact: { email: null } });
    expect((await remove({ userId: "u2" })).json).toMatchObject({ code: "not_suppressed", path: "userId" });
  });

  it("stays after its contact is deleted", async () => {
    await suppress();
    await team.post("/contacts/delete", { email });
    expect((await check()).status).toBe(404);
    await team.post("/contacts/create", { email });
    expect((await check()).json.isSuppressed).toBe(true);
  });
});

describe("removing", () => {
  const cases: [number, string, string, Record<string, string>][] = [
    [400, "not_suppressed", "email", { email }],
    [400, "not_suppressed", "userId", { userId: "u1" }],
    [404, "contact_not_found", "email", { email: "nobody@example.com" }],
    [404, "contact_not_found", "userId", { userId: "u9" }],
    [400, "invalid_request", "email", {}],
    [400, "invalid_request", "email", { email, userId: "u1" }],
    [400, "invalid_request", "email", { email: "ada" }],
    [400, "invalid_request", "email", { userId: "" }],
  ];
  it.each(cases)("is refused with %i %s at %s: %j", async (status, code, path, who) => {
    await team.admin("POST", "/suppressions", { email: "nobody@example.com" });
    const before = await team.everything();
    const answer = await remove(who);
    expect([answer.status, answer.json.code, answer.json.path]).toEqual([status, code, path]);
    if (code !== "not_suppressed") expect((await check(who)).json.code).toBe(code);
    expect(await team.everything()).toBe(before);
  });

  it("is limited to 100 in any 30 days", async () => {
    const removeOne = async () => {
      await suppress();
      return remove();
    };
    for (let i = 99; i >= 60; i--) expect((await removeOne()).json.removalQuota.remaining).toBe(i);
    vi.setSystemTime(Date.now() + 20 * DAY);
    for (let i = 59; i >= 0; i--) expect((await removeOne()).json.removalQuota.remaining).toBe(i);

    const refused = await removeOne();
    expect([refused.status, refused.json.code]).toEqual([400, "suppression_quota_used"]);
    const [first] = await team.rows("SELECT min(at) AS at FROM suppression_removals");
    const free = Number(first?.at) + 30 * DAY;
    expect(refused.json.message).toContain(new Date(free).toISOString());
    expect((await check()).json).toMatchObject({ isSuppressed: true, removalQuota: { limit: 100, remaining: 0 } });

    vi.setSystemTime(free - 101);
    expect((await remove()).json.code).toBe("suppression_quota_used");
    vi.setSystemTime(free - 100);
    expect((await remove()).json).toMatchObject({ success: true, removalQuota: { remaining: 0 } });
  });

  it("deletes its row after 30 days", async () => {
    await suppress();
    await remove();
    advance(30 * DAY - 1);
    await runDurableObjectAlarm(team.stub);
    expect(await team.rows("SELECT count(*) AS n FROM suppression_removals")).toEqual([{ n: 1 }]);
    advance(1);
    expect(await runDurableObjectAlarm(team.stub)).toBe(true);
    expect(await team.rows("SELECT count(*) AS n FROM suppression_removals")).toEqual([{ n: 0 }]);
  });
});
