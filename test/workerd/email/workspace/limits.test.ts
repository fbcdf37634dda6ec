import { evictDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { refusalOf } from "../../../../src/email/delivery/senders/smtp/classify.ts";
import { createReplyReader, type Reply } from "../../../../src/email/delivery/senders/smtp/reply-reader.ts";
import type { Handover, MailClass } from "../../../../src/email/types/mail-handover.ts";
import type { Answer } from "../../../../src/email/types/mailer-rpc.ts";
import { senderProblems } from "../../../../src/email/workspace/limits/handlers.ts";
import { type Candidate, createLimits } from "../../../../src/email/workspace/limits/limits.ts";
import { runChores } from "../../../../src/email/workspace/requests/alarm.ts";
import { claimSends, settle } from "../../../../src/email/workspace/sending/claims.ts";
import { MailPump } from "../../../../src/email/workspace/sending/mail-pump.ts";
import { expireSends } from "../../../../src/email/workspace/sending/sends.ts";
import { noRecipients } from "../../../../src/email/workspace/sending/wanted-recipients.ts";
import { readPlan } from "../../../../src/lib/plan.ts";
import { advance, bindings, createTeam, isolated, request, START, type Team } from "../bench.ts";
import { counted } from "./counted.ts";

isolated();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ROUTE = "smtp.example:587";

let team: Team;
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  team = await createTeam({ samples: true });
});

const limitsOn = (sql: SqlStorage) =>
  createLimits({ sql, routeOf: () => ROUTE, onlyRoute: () => ROUTE, lanes: () => 12 });
type Limits = ReturnType<typeof limitsOn>;

const insert = (sql: SqlStorage, from: number, count: number, of: { domain?: string; mailClass?: MailClass } = {}) => {
  const { domain = "gmail.com", mailClass = "marketing" } = of;
  for (let n = from; n < from + count; n += 1) {
    const email = `p${n}@${domain}`;
    const contact = mailClass === "marketing" ? n : null;
    if (contact !== null)
      sql.exec(
        `INSERT INTO contacts (n, id, email, email_key, data, created_at, updated_at)
         VALUES (?1, 'con_' || ?1, ?2, ?2, jsonb('{"subscribed":true,"optInStatus":null,"mailingLists":{}}'), 0, 0)`,
        n,
        email,
      );
    sql.exec(
      `INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, due, variables, created_at, preview, contact, run)
       VALUES (?, ?, ?, 1, ?, ?, '<m@mail.acme.example>', 'queued', 0, ?, '{}', ?, 0, ?, 0)`,
      n,
      `snd_${n.toString(36)}_x`,
      mailClass,
      email,
      email,
      START,
      START,
      contact,
    );
  }
};
const claim = (sql: SqlStorage, limits: Limits, now: number, mailClass: MailClass = "marketing", limit = 50) =>
  claimSends(
    { sql, now },
    {
      mailClass,
      mailer: "m",
      limit,
      copiesOf: () => [],
      sieve: (mails: readonly Candidate[]) => limits.sieve(now, mailClass, mails),
    },
  ).sends;
const settleAll = (
  sql: SqlStorage,
  limits: Limits,
  now: number,
  sends: ReturnType<typeof claim>,
  handover: Handover,
) => {
  for (const { n, attempt } of sends)
    settle({ sql, now, random: () => 0 }, { n, attempt, sender: "smtp", handover }, (mail) =>
      limits.heard(now, { n, mailClass: "marketing", ...mail, handover }),
    );
};
const throttling: Handover = {
  outcome: "deferred",
  throttled: "domain",
  message: "421 4.7.28 unusual rate of mail from p1@gmail.com",
};
const down: Handover = { outcome: "deferred", down: true, message: "no route to host" };
const states = (sql: SqlStorage, column: string) =>
  Object.fromEntries(
    sql
      .exec<{ key: string; count: number }>(`SELECT ${column} AS key, count(*) AS count FROM sends GROUP BY 1`)
      .toArray()
      .map(({ key, count }) => [key, count]),
  );

describe("a ceiling", () => {
  it("puts off mail to the throttled provider once, and lets mail to others pass", async () => {
    await team.inside((real) => {
      const { sql, take } = counted(real);
      const limits = limitsOn(sql);
      insert(real, 1, 400);
      insert(real, 1_001, 60, { domain: "example.org" });
      settleAll(sql, limits, START, claim(sql, limits, START), throttling);
      take();
      const claimed = [1, 2, 3, 4].flatMap((s) => claim(sql, limits, START + s * 1_000));
      expect(claimed.filter(({ recipient }) => recipient.endsWith("@example.org"))).toHaveLength(60);
      expect(claimed.length).toBeLessThanOrEqual(64);
      // One row and its index entry for each mail that is put off or claimed.
      expect(take().written).toBeLessThanOrEqual(3 * 460);
      const before = claim(sql, limits, START + 5_000).length;
      expect(before).toBeLessThanOrEqual(2);
      expect(take().written).toBeLessThanOrEqual(10);
      expect(states(real, "may_leave_at IS NULL")).toMatchObject({ 0: expect.any(Number) });
    });
  });

  it("is listed in words without addresses, survives a restart and ends after six hours", async () => {
    await team.inside((sql) => {
      const limits = limitsOn(sql);
      insert(sql, 1, 40);
      settleAll(sql, limits, START, claim(sql, limits, START), throttling);
      expect(limitsOn(sql).isQuiet("marketing", START + HOUR)).toBe(false);
      expect(limitsOn(sql).isQuiet("transactional", START + HOUR)).toBe(true);
      expect(limitsOn(sql).isQuiet("marketing", START + 7 * HOUR)).toBe(true);
    });
    const { json } = await team.admin("GET", "/limits");
    expect(json).toEqual({
      ceilings: [
        {
          class: "marketing",
          kind: "domain",
          destination: "Google",
          perMinute: 1,
          inFlight: 6,
          since: "2090-01-01T12:00:00.000Z",
          throttledAt: "2090-01-01T12:00:00.000Z",
          endsAt: "2090-01-01T18:00:00.000Z",
          meaning:
            "Mail to Google is limited to 1 mail a minute, 6 at the same time, because the mail provider asked for fewer mails: 421 4.7.28 unusual rate of mail from …",
        },
      ],
      breakers: [],
      sending: [],
    });
    advance(7 * HOUR);
    expect((await team.admin("GET", "/limits")).json.ceilings).toEqual([]);
  });
});

describe("transactional mail of a team that sends little", () => {
  const heardOf = async (reply: string) => {
    const reader = createReplyReader();
    reader.feed(new TextEncoder().encode(`${reply}\r\n`));
    const handover = refusalOf("RCPT", reader.next() as Reply);
    return team.inside((sql) => {
      const limits = limitsOn(sql);
      insert(sql, 1, 9, { domain: "example.org", mailClass: "transactional" });
      const [first] = claim(sql, limits, START, "transactional", 1);
      settle(
        { sql, now: START, random: () => 0 },
        { n: 1, attempt: first?.attempt ?? 0, sender: "smtp", handover },
        (mail) => limits.heard(START, { n: 1, mailClass: "transactional", ...mail, handover }),
      );
      const claimed = [0, 1, 2, 3, 4, 5, 6].flatMap((tens) => {
        const now = START + 1_000 + tens * 10_000;
        const sends = claim(sql, limits, now, "transactional");
        for (const { n } of sends) limits.released(now, n);
        return sends.map(({ n }) => n);
      });
      return { claimed: new Set(claimed.filter((n) => n !== 1)).size, isQuiet: limits.isQuiet("transactional", START) };
    });
  };

  it.each([
    "451 4.3.0 Temporary lookup failure, please try again later",
    "452 4.2.2 Quota exceeded (mailbox for user is full)",
    "450 4.2.0 <p1@example.org>: Recipient address rejected: Greylisted",
    "450 4.2.1 The user you are trying to contact is receiving mail too quickly",
  ])("is not held back by a refusal of one recipient: %s", async (reply) => {
    expect(await heardOf(reply)).toEqual({ claimed: 8, isQuiet: true });
  });

  it("goes on with a few mails a minute when the mail provider throttles the account", async () => {
    const { claimed, isQuiet } = await heardOf("451 4.7.1 You have exceeded your hourly limit");
    expect(isQuiet).toBe(false);
    expect(claimed).toBeGreaterThanOrEqual(5);
  });
});

describe("a breaker", () => {
  it("opens after five failures, lets nothing through but a probe, and closes with an answer; it survives a restart", async () => {
    await team.inside((sql) => {
      const limits = limitsOn(sql);
      insert(sql, 1, 40);
      settleAll(sql, limits, START, claim(sql, limits, START, "marketing", 5), down);
      expect(limits.passage("marketing", START)).toBe("none");
      expect(limits.opensAt("transactional", START)).toBe(START + 30_000);
      const again = limitsOn(sql);
      expect(again.passage("transactional", START + 29_000)).toBe("none");
      expect(again.passage("marketing", START + 30_000)).toBe("one");
      const probe = claim(sql, again, START + 30_000, "marketing", 1);
      expect(probe).toHaveLength(1);
      expect(again.passage("marketing", START + 31_000)).toBe("none");
      settleAll(sql, again, START + 31_000, probe, { outcome: "refused", about: "recipient", message: "550 5.1.1" });
      expect(again.passage("marketing", START + 31_000)).toBe("all");
      expect(limitsOn(sql).isQuiet("marketing", START + 31_000)).toBe(true);
    });
  });

  it("does not delay a mail accepted while it was open longer than its probe, also when the object left memory", async () => {
    await team.inside(async (sql) => {
      let answer: (answer: Answer) => void = () => {};
      let now = START;
      const wakes: number[] = [];
      const claimed: number[] = [];
      const start = () =>
        new MailPump({
          sql,
          transaction: (work) => work(),
          team: () => "acme",
          mailers: () => 1,
          recipients: () => noRecipients,
          budget: readPlan({}),
          settled: () => {},
          sleep: () => new Promise(() => {}),
          isIdempotent: () => false,
          copiesOf: () => [],
          routeOf: () => ROUTE,
          onlyRoute: () => ROUTE,
          now: () => now,
          random: () => 0,
          wake: (at) => wakes.push(at),
          mailer: () => ({
            exchange: (_, { sends }) => {
              claimed.push(...sends.map(({ n }) => n));
              return new Promise((resolve) => {
                answer = resolve;
              });
            },
            recall: async () => [],
          }),
        });
      const pump = start();
      insert(sql, 1, 5, { mailClass: "transactional" });
      settleAll(sql, pump.limits, START, claim(sql, pump.limits, START, "transactional"), down);
      sql.exec("DELETE FROM sends");
      insert(sql, 10, 2, { mailClass: "transactional" });
      pump.run();
      expect([claimed, new Set(wakes)]).toEqual([[], new Set([START + 30_000])]);
      now += 30_000;
      const again = start();
      again.run();
      expect(claimed).toEqual([10]);
      const result = { n: 10, attempt: 1, sender: "smtp", handover: { outcome: "accepted" } } as const;
      answer({ results: [result], lost: [], never: [] });
      await vi.waitFor(() => expect(claimed).toEqual([10, 11]));
    });
  });

  it("is in the story of a mail that waits, and in the limits of the team", async () => {
    await team.inside((sql) => {
      const limits = limitsOn(sql);
      insert(sql, 1, 40);
      settleAll(sql, limits, START, claim(sql, limits, START, "marketing", 5), down);
    });
    const problem =
      "the mail provider smtp.example:587 has not answered since 2090-01-01 12:00 UTC; next attempt 2090-01-01 12:00 UTC. The last failure: no route to host";
    expect((await team.admin("GET", "/sends/snd_a_x")).json.meaning).toBe(`It waits: ${problem}.`);
    expect((await team.admin("GET", "/limits")).json.breakers).toMatchObject([
      { sender: ROUTE, since: "2090-01-01T12:00:00.000Z", nextAttemptAt: "2090-01-01T12:00:30.000Z" },
    ]);
  });
});

describe("an outcome that never touched the relay", () => {
  const local: Handover[] = [
    { outcome: "refused", about: "content", local: true, message: "The content of this mail is gone." },
    { outcome: "deferred", local: true, message: "The content of this mail could not be read: reset" },
    { outcome: "deferred", configuration: true, local: true, message: "The DKIM key cannot be decrypted." },
  ];
  it.each(local)("leaves an open breaker open, and its probe to the next mail: $message", async (handover) => {
    await team.inside((sql) => {
      const limits = limitsOn(sql);
      insert(sql, 1, 40);
      settleAll(sql, limits, START, claim(sql, limits, START, "marketing", 5), down);
      settleAll(sql, limits, START + 31_000, claim(sql, limits, START + 30_000, "marketing", 1), handover);
      expect(limits.passage("marketing", START + 31_000)).toBe("one");
      expect(limitsOn(sql).passage("marketing", START + 31_000)).toBe("one");
    });
  });

  it.each(local)("does not interrupt failures in a row: $message", async (handover) => {
    await team.inside((sql) => {
      const limits = limitsOn(sql);
      insert(sql, 1, 40);
      const attempt = (result: Handover, count: number) =>
        settleAll(sql, limits, START, claim(sql, limits, START, "marketing", count), result);
      attempt(down, 4);
      attempt(handover, 1);
      attempt(down, 1);
      expect(limits.passage("marketing", START)).toBe("none");
    });
  });
});

describe("a setting that keeps mail from leaving", () => {
  const wrong: Handover[] = [
    { outcome: "deferred", configuration: true, local: true, message: "The DKIM key of a domain cannot be decrypted." },
    { outcome: "deferred", configuration: true, message: "SES answered 403 InvalidClientTokenId: for ada@example.com" },
  ];
  const arranged = (sql: SqlStorage) => {
    insert(sql, 1, 200);
    sql.exec("UPDATE sends SET message_id = '<m@other.example>' WHERE n > 150");
  };

  it.each(wrong)("uses up no attempts, and mail from other domains leaves: $message", async (handover) => {
    await team.inside((sql) => {
      const limits = limitsOn(sql);
      arranged(sql);
      settleAll(sql, limits, START, claim(sql, limits, START, "marketing", 5), handover);
      expect(limits.isQuiet("marketing", START)).toBe(false);
      const claimed = [1, 2, 3, 4].flatMap((s) => claim(sql, limits, START + s * 1_000));
      expect(claimed.map(({ n }) => n).sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => 151 + i));
      settleAll(sql, limits, START + MINUTE, claimed, { outcome: "accepted" });
      const again = limitsOn(sql);
      const probe = claim(sql, again, START + 10 * MINUTE);
      expect(probe).toHaveLength(1);
      settleAll(sql, again, START + 11 * MINUTE, probe, { outcome: "accepted" });
      expect(limitsOn(sql).isQuiet("marketing", START + 11 * MINUTE)).toBe(true);
      const rest = [0, 1, 2, 3].flatMap((s) => claim(sql, again, START + HOUR + s * 1_000));
      expect(rest.length).toBe(149);
    });
  });

  it("is not fixed by a mail provider that is not reached", async () => {
    await team.inside((sql) => {
      const limits = limitsOn(sql);
      arranged(sql);
      settleAll(sql, limits, START, claim(sql, limits, START, "marketing", 5), wrong[0] as Handover);
      claim(sql, limits, START);
      settleAll(sql, limits, START + 31_000, claim(sql, limits, START + 2 * MINUTE, "marketing", 1), down);
      expect(limitsOn(sql).isQuiet("marketing", START + 2 * MINUTE)).toBe(false);
    });
  });

  it("is in the limits of the team and the story of its mail; GET /health does not name the domain", async () => {
    const reported: unknown[] = [];
    await team.inside((sql) => {
      const limits = createLimits({
        sql,
        routeOf: () => ROUTE,
        onlyRoute: () => ROUTE,
        lanes: () => 12,
        sendersChanged: () => reported.push(senderProblems(sql, START)),
      });
      arranged(sql);
      settleAll(sql, limits, START, claim(sql, limits, START, "marketing", 5), wrong[1] as Handover);
    });
    const since = "from leaving since 2090-01-01 12:00 UTC";
    expect(reported).toEqual([
      [`a setting keeps mail from a sending domain ${since}; GET /admin/teams/{team}/limits says which`],
    ]);
    const last = "The last failure: SES answered 403 InvalidClientTokenId: for …";
    const words = `setting keeps mail from mail.acme.example ${since}; next attempt 2090-01-01 12:00 UTC. ${last}`;
    expect((await team.admin("GET", "/limits")).json.breakers).toEqual([
      {
        sender: ROUTE,
        domain: "mail.acme.example",
        since: "2090-01-01T12:00:00.000Z",
        nextAttemptAt: "2090-01-01T12:00:30.000Z",
        meaning: `A ${words}`,
      },
    ]);
    expect((await team.admin("GET", "/sends/snd_a_x")).json.meaning).toBe(`It waits: a ${words}.`);
    advance(25 * HOUR);
    expect((await team.admin("GET", "/limits")).json.breakers).toEqual([]);
  });
});

it("GET /health names a mail provider that does not answer, until it does", async () => {
  const reasons = async (): Promise<string[]> => (await request("GET", "/health")).json.reasons;
  const problem = `the mail provider ${ROUTE} has not answered since 2090-01-01 12:00 UTC; next attempt 2090-01-01 12:00 UTC`;
  const before = await reasons();
  const { DIRECTORY } = bindings;
  await DIRECTORY.getByName("directory").keepSenderProblems("acme", [problem], START);
  await DIRECTORY.getByName("directory").keepSenderProblems("other", [problem], START);
  expect((await reasons()).filter((reason) => !before.includes(reason))).toEqual([problem]);
  await DIRECTORY.getByName("directory").keepSenderProblems("acme", [], START);
  expect(await reasons()).toContain(problem);
  await DIRECTORY.getByName("directory").keepSenderProblems("other", [], START);
  expect(await reasons()).toEqual(before);
});

it("a breaker that opens or closes, and a probe that fails, are reported", async () => {
  await team.inside((sql) => {
    let reported = 0;
    const limits = createLimits({
      sql,
      routeOf: () => ROUTE,
      onlyRoute: () => ROUTE,
      lanes: () => 12,
      sendersChanged: () => {
        reported += 1;
      },
    });
    insert(sql, 1, 10);
    settleAll(sql, limits, START, claim(sql, limits, START, "marketing", 5), down);
    expect(reported).toBe(1);
    const probe = claim(sql, limits, START + 30_000, "marketing", 1);
    settleAll(sql, limits, START + 30_000, probe, down);
    expect(reported).toBe(2);
    settleAll(sql, limits, START + HOUR, claim(sql, limits, START + HOUR, "marketing", 1), { outcome: "accepted" });
    expect(reported).toBe(3);
  });
});

describe("the warm-up of a new domain", () => {
  const add = async (more = {}) => (await team.admin("POST", "/domains", { name: "mail.acme.example", ...more })).json;

  it("caps marketing mail, which leaves on another day and does not fail before", async () => {
    const { id, warmup } = await add();
    expect(warmup).toEqual({ day: 1, cap: 500, marketing: 0, transactional: 0, capsTransactional: false });
    await team.inside((sql) => {
      const limits = limitsOn(sql);
      insert(sql, 1, 620);
      insert(sql, 2_001, 10, { mailClass: "transactional" });
      let left = 0;
      for (let s = 0; s < 40; s += 1) {
        const sends = claim(sql, limits, START + s * 1_000);
        left += sends.length;
        settleAll(sql, limits, START + s * 1_000, sends, { outcome: "accepted" });
      }
      expect(left).toBe(500);
      expect(claim(sql, limits, START + MINUTE, "transactional")).toHaveLength(10);
      expect(states(sql, "state")).toMatchObject({ sent: 500, queued: 120 });
      expireSends(sql, START + DAY + MINUTE, 500);
      expect(states(sql, "state")).toMatchObject({ queued: 120 });
      const next = [0, 1, 2, 3].flatMap((s) => claim(sql, limits, START + DAY + MINUTE + s * 1_000));
      expect(next).toHaveLength(120);
    });
    advance(MINUTE);
    await evictDurableObject(team.stub);
    expect((await team.admin("GET", `/domains/${id}`)).json.warmup).toMatchObject({
      day: 2,
      cap: 1_000,
      marketing: 120,
    });
  });

  it("keeps transactional mail waiting where the operator asks for it, and loses none of it", async () => {
    const { id } = await add();
    await team.admin("POST", `/domains/${id}`, { capsTransactional: true });
    await team.inside((sql) => {
      const limits = limitsOn(sql);
      const leave = (at: number) => {
        const left = Array.from({ length: 12 }, (_, s) => claim(sql, limits, at + s, "transactional")).flat();
        settleAll(sql, limits, at + MINUTE, left, { outcome: "accepted" });
        return left.length;
      };
      insert(sql, 1, 510, { mailClass: "transactional" });
      expect(leave(START)).toBe(500);
      expect(states(sql, "state")).toEqual({ sent: 500, queued: 10 });
      expireSends(sql, START + DAY + MINUTE, 500);
      expect(states(sql, "state")).toEqual({ sent: 500, queued: 10 });
      expect(leave(START + DAY + MINUTE)).toBe(10);
      expect(states(sql, "state")).toEqual({ sent: 510 });
    });
  });

  it("lets transactional mail that waited fail 24 hours after it may leave", async () => {
    const { id } = await add();
    await team.admin("POST", `/domains/${id}`, { capsTransactional: true });
    await team.inside((sql) => {
      insert(sql, 1, 510, { mailClass: "transactional" });
      const limits = limitsOn(sql);
      for (let s = 0; s < 12; s += 1) claim(sql, limits, START + s, "transactional");
      sql.exec("DELETE FROM sends WHERE state = 'sending'");
      expireSends(sql, START + 2 * DAY - MINUTE, 500);
      expect(states(sql, "state")).toEqual({ queued: 10 });
      expireSends(sql, START + 2 * DAY + MINUTE, 500);
      expect(states(sql, "state")).toEqual({ failed: 10 });
    });
  });

  it("says in a mail that waits why, and lets it leave at once when the domain is called warm", async () => {
    const { id } = await add();
    await team.inside((sql) => {
      insert(sql, 1, 560);
      const limits = limitsOn(sql);
      for (let s = 0; s < 15; s += 1) claim(sql, limits, START + s);
    });
    const waiting = async () =>
      (await team.rows(`SELECT id FROM sends WHERE state = 'queued' AND due > ${START + HOUR}`)) as { id: string }[];
    expect(await waiting()).toHaveLength(60);
    const shown = (await team.admin("GET", `/sends/${(await waiting())[0]?.id}`)).json;
    expect(shown.meaning).toBe(
      "It waits: the sending domain mail.acme.example is new, so at most 500 mails leave from it on this day.",
    );
    expect(Date.parse(shown.nextAttemptAt) - START).toBeGreaterThanOrEqual(DAY);
    expect((await team.admin("POST", `/domains/${id}`, { warmup: false })).json.warmup).toBeNull();
    expect(await waiting()).toHaveLength(0);
    expect((await team.admin("POST", `/domains/${id}`, { warmupDay: 5, capsTransactional: true })).json.warmup).toEqual(
      {
        day: 5,
        cap: 8_000,
        marketing: 0,
        transactional: 0,
        capsTransactional: true,
      },
    );
  });

  it("makes mails due again in slices, the oldest first, and leaves retries and other domains alone", async () => {
    const { id } = await add();
    const later = START + 3 * DAY;
    await team.inside((sql) => {
      for (const n of [1, 2, 3, 4, 6_000, 12_000]) insert(sql, n, 1);
      sql.exec("UPDATE sends SET due = ?, may_leave_at = ?", later, later);
      sql.exec("UPDATE sends SET attempts = 1 WHERE n = 2");
      sql.exec("UPDATE sends SET message_id = '<m@news.acme.example>' WHERE n = 3");
      sql.exec("UPDATE sends SET may_leave_at = NULL WHERE n = 4");
    });
    const released = async () =>
      ((await team.rows(`SELECT n FROM sends WHERE due < ${later} ORDER BY n`)) as { n: number }[]).map(({ n }) => n);
    await team.admin("POST", `/domains/${id}`, { warmup: false });
    expect(await released()).toEqual([1]);
    await evictDurableObject(team.stub);
    await team.inside((sql) => runChores(sql, START + MINUTE));
    expect(await released()).toEqual([1, 6_000]);
    await team.inside((sql) => runChores(sql, START + MINUTE));
    expect(await released()).toEqual([1, 6_000, 12_000]);
    expect(await team.rows("SELECT name FROM limits")).toEqual([]);
  });

  it("is off for a domain that is added as warm, and ends with its domain", async () => {
    const { id, warmup } = await add({ warmup: false });
    expect(warmup).toBeNull();
    await team.admin("POST", `/domains/${id}`, { warmup: true });
    expect(await team.rows("SELECT name FROM warmups")).toEqual([{ name: "mail.acme.example" }]);
    await team.admin("DELETE", `/domains/${id}`);
    expect(await team.rows("SELECT name FROM warmups")).toEqual([]);
  });

  it.each([
    [{}, "", /needs isDefault, warmup, warmupDay or capsTransactional/],
    [{ warmupDay: 14 }, "warmupDay", /from 1 to 13/],
    [{ warmupDay: 1.5 }, "warmupDay", /./],
    [{ warmup: "no" }, "warmup", /true or false/],
    [{ capsTransactional: 1 }, "capsTransactional", /true or false/],
  ])("refuses %j", async (body, path, message) => {
    const { id } = await add();
    const { status, json } = await team.admin("POST", `/domains/${id}`, body);
    expect(status).toBe(400);
    expect(json.code).toBe("invalid_request");
    if (path !== "") expect(json.path).toBe(path);
    expect(json.message).toMatch(message);
  });
});

it("another team's limits and domains are not found", async () => {
  const { id } = (await team.admin("POST", "/domains", { name: "mail.acme.example" })).json;
  const other = await createTeam({ id: "other" });
  expect((await other.admin("POST", `/domains/${id}`, { warmup: false })).status).toBe(404);
  expect((await other.admin("GET", "/limits")).json).toEqual({ ceilings: [], breakers: [], sending: [] });
});
