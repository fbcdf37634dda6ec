import { beforeEach, describe, expect, it, vi } from "vitest";
import { Inbox } from "../../../../../../src/email/objects/inbox.ts";
import type { Handover } from "../../../../../../src/email/types/mail-handover.ts";
import { advance, createTeam, handedOver, isolated, runAlarm, type Team } from "../../../bench.ts";

// A mail provider that knows the mailbox answers at once: no report follows.

isolated();

const DAY = 86_400_000;
const ADDRESS = "ada@example.com";

let team: Team;
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  team = await createTeam({ samples: true });
});

const suppressed = async () => team.rows("SELECT email_key, reason FROM suppressions");
const counts = async () => team.rows("SELECT email_key, count FROM soft_bounces");
const sentWith = async (handover: Handover) => {
  const spy = vi.spyOn(Inbox.prototype, "capture").mockResolvedValue(handover);
  await team.post("/transactional", { transactionalId: "tpl_welcome", email: ADDRESS, dataVariables: { name: "Ada" } });
  await handedOver();
  return spy;
};
const states = async () => (await team.rows("SELECT state FROM sends ORDER BY n")).map(({ state }) => state);

const full = { outcome: "refused", about: "mailbox", code: "5.2.2", message: "552 5.2.2 mailbox full" } as const;
const busy = { outcome: "deferred", about: "mailbox", code: "4.2.2", message: "452 4.2.2 mailbox full" } as const;

describe("a mailbox that the mail provider calls full", () => {
  it("is suppressed after five mails in a row over three days", async () => {
    for (let mail = 0; mail < 4; mail++) {
      await sentWith(full);
      advance(DAY);
    }
    expect(await suppressed()).toEqual([]);
    expect(await counts()).toEqual([{ email_key: ADDRESS, count: 4 }]);
    await sentWith(full);
    expect(await suppressed()).toEqual([{ email_key: ADDRESS, reason: "bounce" }]);
    await sentWith(full);
    expect(await states()).toEqual([...Array(5).fill("failed"), "not_sent"]);
  });

  it("counts once with a report about the same mail", async () => {
    await sentWith(full);
    const [{ n } = { n: 0 }] = (await team.rows("SELECT n FROM sends")) as { n: number }[];
    await team.stub.feedback("mail", [{ n, feedback: [{ kind: "soft", message: "552 5.2.2 mailbox full" }] }]);
    expect(await counts()).toEqual([{ email_key: ADDRESS, count: 1 }]);
  });

  it("counts when the last of its retries in 24 hours is refused for now", async () => {
    await sentWith(busy);
    expect(await counts()).toEqual([]);
    vi.spyOn(Math, "random").mockReturnValue(0.99);
    await team.run("UPDATE sends SET attempts = 20, due = created_at");
    advance(DAY - 60_000);
    await runAlarm(team.stub);
    await handedOver();
    expect(await states()).toEqual(["failed"]);
    expect(await counts()).toEqual([{ email_key: ADDRESS, count: 1 }]);
  });

  it("counts when no attempt follows until the end of the 24 hours", async () => {
    await sentWith(busy);
    advance(DAY + 1);
    await runAlarm(team.stub);
    expect(await states()).toEqual(["failed"]);
    expect(await counts()).toEqual([{ email_key: ADDRESS, count: 1 }]);
  });
});

describe("what is not the fault of the mailbox never counts", () => {
  it.each([
    { outcome: "refused", about: "content", message: "552 5.3.4 too large" },
    { outcome: "refused", about: "policy", message: "550 5.7.1 no" },
    { outcome: "refused", about: "sender", message: "550 5.1.8 no" },
    { outcome: "deferred", throttled: "account", message: "421 4.7.0 too many" },
    { outcome: "deferred", down: true, message: "no connection" },
  ] as const)("%j", async (handover) => {
    await sentWith(handover);
    advance(DAY + 1);
    await runAlarm(team.stub);
    expect(await states()).toEqual(["failed"]);
    expect(await counts()).toEqual([]);
    expect(await suppressed()).toEqual([]);
  });
});

describe("transactional mail that one destination refuses as to unknown mailboxes", () => {
  const unknown = { outcome: "refused", about: "recipient", message: "550 5.1.1 user unknown" } as const;
  const to = async (email: string, handover: Handover) => {
    vi.spyOn(Inbox.prototype, "capture").mockResolvedValue(handover);
    await team.post("/transactional", { transactionalId: "tpl_welcome", email, dataVariables: { name: "Ada" } });
    await handedOver();
  };

  it("suppresses no address from the fifth in a row on, and still leaves", async () => {
    for (let n = 1; n <= 4; n += 1) await to(`a${n}@gd.example`, unknown);
    expect(await suppressed()).toHaveLength(4);
    await to("a5@gd.example", unknown);
    await to("a6@gd.example", unknown);
    expect(await suppressed()).toEqual([]);
    await to("a7@gd.example", { outcome: "accepted" });
    expect(await states()).toEqual([...Array(6).fill("bounced"), "sent"]);
    const { data } = (await team.admin("GET", "/waves")).json;
    expect(data).toEqual([expect.objectContaining({ destination: "gd.example", mails: 6, campaigns: [] })]);
  });

  it("suppresses the addresses if another mail there was taken between them", async () => {
    for (let n = 1; n <= 9; n += 1) {
      await to(`a${n}@gd.example`, unknown);
      if (n % 3 === 0) await to(`b${n}@gd.example`, { outcome: "accepted" });
    }
    expect(await suppressed()).toHaveLength(9);
  });

  it("suppresses addresses of several destinations", async () => {
    for (let n = 1; n <= 8; n += 1) await to(`a@d${n}.example`, unknown);
    expect(await suppressed()).toHaveLength(8);
  });
});
