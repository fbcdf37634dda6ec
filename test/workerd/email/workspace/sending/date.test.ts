import { beforeEach, describe, expect, it, vi } from "vitest";
import { Inbox } from "../../../../../src/email/objects/inbox.ts";
import type { Mail } from "../../../../../src/email/types/mail-handover.ts";
import { advance, createTeam, isolated, runAlarm, type Team } from "../../bench.ts";

isolated();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const mail = { transactionalId: "tpl_welcome", email: "ada@example.com", dataVariables: { name: "Ada" } };

let team: Team;
beforeEach(async () => {
  team = await createTeam({ samples: true });
});

const accepted = async (deferred: number): Promise<Mail[]> => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const got: Mail[] = [];
  const capture = Inbox.prototype.capture;
  vi.spyOn(Inbox.prototype, "capture").mockImplementation(async function (this: Inbox, taken) {
    got.push(taken);
    return got.length <= deferred ? { outcome: "deferred", message: "busy" } : capture.call(this, taken);
  });
  await team.post("/transactional", mail);
  await vi.waitFor(() => expect(got).toHaveLength(1));
  await waiting(deferred > 0 ? "queued" : "sent");
  return got;
};

const waiting = (state: string) =>
  vi.waitFor(async () => expect(await team.rows("SELECT state FROM sends")).toEqual([{ state }]));

const retried = async (ms: number, state: string): Promise<void> => {
  advance(ms);
  await team.run("UPDATE sends SET due = ?", Date.now());
  await runAlarm(team.stub);
  await waiting(state);
};

describe("the Date of a mail", () => {
  it("is the time of its first attempt, not of the request", async () => {
    const got = await accepted(0);
    expect(Math.abs((got[0]?.date ?? 0) - Date.now())).toBeLessThan(MINUTE);
    await team.run("UPDATE sends SET state = 'queued', dated_at = NULL, variables = '{}'");
    await retried(7 * HOUR, "sent");
    expect((got[1]?.date ?? 0) - (got[0]?.date ?? 0)).toBeGreaterThanOrEqual(7 * HOUR);
  });

  it("stays for retries within an hour, so that they are the same mail", async () => {
    const got = await accepted(2);
    await retried(20 * MINUTE, "queued");
    await retried(30 * MINUTE, "sent");
    expect(got).toHaveLength(3);
    expect(got.slice(1)).toEqual([got[0], got[0]]);
  });

  it("is new for a retry that is more than an hour later; nothing else of the mail is", async () => {
    const got = await accepted(1);
    await retried(7 * HOUR, "sent");
    const [first, second] = got;
    expect((second?.date ?? 0) - (first?.date ?? 0)).toBeGreaterThanOrEqual(7 * HOUR);
    expect({ ...second, date: 0 }).toEqual({ ...first, date: 0 });
  });
});
