import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Inbox } from "../../../../../src/email/objects/inbox.ts";
import type { Handover } from "../../../../../src/email/types/mail-handover.ts";
import { Workspace } from "../../../../../src/email/workspace/object.ts";
import { claimSends, settle } from "../../../../../src/email/workspace/sending/claims.ts";
import { digest } from "../../../../../src/lib/util/hmac.ts";
import { advance, bindings, createTeam, isolated, request, runAlarm, type Team } from "../../bench.ts";
import { arrangeDomain } from "../../examples.ts";

isolated();

const HOUR = 3_600_000;
const mail = { transactionalId: "tpl_welcome", email: "ada@example.com", dataVariables: { name: "Ada" } };

let team: Team;
beforeEach(async () => {
  team = await createTeam({ samples: true });
});

type Row = { state: string; attempts: number; due: number | null; error: string | null; variables: string | null };
const row = async () =>
  (await team.rows("SELECT state, attempts, due, error, variables FROM sends"))[0] as unknown as Row;
const settled = (...states: string[]) =>
  vi.waitFor(async () => {
    const found = await row();
    expect(states).toContain(found.state);
    return found;
  });
/** Mails of this team in the inbox, which another team's mail may reach late. */
const captured = async () => {
  const own = new Set((await team.rows("SELECT id FROM sends")).map(({ id }) => id));
  const { mails } = (await request("GET", "/inbox.json")).json as { mails: { id: string }[] };
  return mails.filter(({ id }) => own.has(id));
};
const capture = () => vi.spyOn(Inbox.prototype, "capture");
const quiet = () => vi.spyOn(console, "log").mockImplementation(() => {});

const sent = { state: "sent", attempts: 1, due: null, error: null, variables: null };

describe("an accepted mail", () => {
  it("is delivered at once, exactly once, and its values are then erased", async () => {
    const spy = capture();
    await team.post("/transactional", { ...mail, dataVariables: { name: "Very Private" } });
    expect(await settled("sent")).toEqual(sent);
    expect(spy).toHaveBeenCalledTimes(1);
    expect(await team.everything()).not.toContain("Very Private");
    expect(await captured()).toHaveLength(1);
    await runAlarm(team.stub);
    expect(spy).toHaveBeenCalledTimes(1);
  });

  it("fails after a day without delivery, and its values are erased: yesterday's sign-in link is useless", async () => {
    quiet();
    const spy = capture().mockImplementation(() => new Promise(() => {}));
    await team.post("/transactional", { ...mail, dataVariables: { name: "Very Private" } });
    await vi.waitFor(() => expect(spy).toHaveBeenCalledOnce());
    await team.run("UPDATE sends SET state = 'queued', attempts = 0, due = ?", Date.now() + 1);
    spy.mockClear();
    advance(25 * HOUR);
    await runAlarm(team.stub);
    expect(await row()).toMatchObject({
      state: "failed",
      due: null,
      variables: null,
      error: "no sender took it in time",
    });
    expect(spy).not.toHaveBeenCalled();
  });

  it("with a list nested too deep for an RPC is sent or refused like any other", async () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const send = (values: string) =>
      team.post(
        "/transactional",
        `{"transactionalId":"tpl_welcome","email":"a@example.com","dataVariables":${values}}`,
      );
    expect((await send(`{"name":"Ada","other":${deep}}`)).status).toBe(200);
    expect((await send(`{"name":${deep}}`)).json).toMatchObject({
      code: "invalid_request",
      path: "dataVariables.name",
    });
  });

  it("does not make its caller wait for the sender", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const original = Inbox.prototype.capture;
    capture().mockImplementation(async function (this: Inbox, taken) {
      await held;
      return original.call(this, taken);
    });
    expect((await team.post("/transactional", mail)).status).toBe(200);
    expect(await row()).toMatchObject({ state: "sending", attempts: 1 });
    release();
    expect(await settled("sent")).toEqual(sent);
  });
});

describe("a sender that fails", () => {
  it("gets the mail again later, and the mail leaves once", async () => {
    quiet();
    const spy = capture().mockResolvedValueOnce({ outcome: "deferred", message: "busy" });
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    await team.post("/transactional", mail);
    const failed = await settled("queued");
    expect(failed).toMatchObject({ attempts: 1, error: "busy", variables: expect.any(String) });
    // Each look moves the clock a little.
    const wait = (failed.due ?? 0) - Date.now();
    expect(wait).toBeLessThanOrEqual(1_000);
    expect(wait).toBeGreaterThan(500);

    await runAlarm(team.stub);
    expect(spy).toHaveBeenCalledTimes(1);
    advance(1_000);
    await runAlarm(team.stub);
    expect(await row()).toEqual({ ...sent, attempts: 2 });
    expect(await captured()).toHaveLength(1);
  });

  it("gets the same mail again after an unknown outcome, and the inbox keeps one", async () => {
    quiet();
    const original = Inbox.prototype.capture;
    const ids: (string | undefined)[] = [];
    capture().mockImplementation(async function (this: Inbox, taken) {
      ids.push(taken.messageId);
      const result = await original.call(this, taken);
      return ids.length === 1 ? { outcome: "unknown", message: "the connection broke after it was taken" } : result;
    });
    await team.post("/transactional", mail);
    await settled("queued");
    advance(HOUR);
    await runAlarm(team.stub);
    expect(await row()).toEqual({ ...sent, attempts: 2 });
    expect(new Set(ids).size).toBe(1);
    expect(ids).toHaveLength(2);
    expect(await captured()).toHaveLength(1);
  });

  it("does not get the mail again when it says so", async () => {
    quiet();
    capture().mockResolvedValue({ outcome: "refused", about: "content", message: "too large" });
    await team.post("/transactional", mail);
    expect(await settled("failed")).toEqual({ ...sent, state: "failed", error: "too large" });
  });

  it("is given up after 24 h, with growing pauses between attempts", async () => {
    quiet();
    vi.spyOn(Math, "random").mockReturnValue(0.9);
    const spy = capture().mockResolvedValue({ outcome: "deferred", message: "busy" });
    await team.post("/transactional", mail);
    const start = Date.now();
    let found = await settled("queued");
    while (found.state === "queued") {
      vi.setSystemTime(found.due ?? 0);
      await runAlarm(team.stub);
      found = await row();
    }
    expect(found).toMatchObject({ state: "failed", error: "busy", variables: null, due: null });
    expect(Date.now() - start).toBeGreaterThan(22 * HOUR);
    expect(Date.now() - start).toBeLessThan(24 * HOUR);
    expect(spy.mock.calls.length).toBeLessThan(50);
  });

  it("affects its own mail only", async () => {
    quiet();
    const original = Inbox.prototype.capture;
    capture().mockImplementation(async function (this: Inbox, taken) {
      if (taken.to[0]?.address === "bad@example.com") return { outcome: "refused", about: "content", message: "no" };
      return original.call(this, taken);
    });
    await team.post("/transactional", { ...mail, email: "bad@example.com" });
    await team.post("/transactional", mail);
    await vi.waitFor(async () =>
      expect(await team.rows("SELECT state FROM sends ORDER BY n")).toEqual([{ state: "failed" }, { state: "sent" }]),
    );
  });

  it("never makes the alarm throw: a mail that cannot be composed fails alone", async () => {
    quiet();
    capture().mockResolvedValueOnce({ outcome: "deferred", message: "busy" });
    await team.post("/transactional", mail);
    await settled("queued");
    await team.run("UPDATE sends SET revision = 99");
    advance(HOUR);
    expect(await runAlarm(team.stub)).toBe(true);
    expect(await row()).toMatchObject({ state: "failed", variables: null });
  });
});

describe("a claim", () => {
  it("belongs to one attempt at a time, and a retry waits until it is due", async () => {
    const spy = capture().mockImplementation(() => new Promise(() => {}));
    await team.post("/transactional", mail);
    await vi.waitFor(() => expect(spy).toHaveBeenCalledOnce());
    await team.run("UPDATE sends SET state = 'queued', attempts = 0, due = ?", Date.now());
    await team.inside((sql) => {
      const start = Date.now();
      const { n } = sql.exec<{ n: number }>("SELECT n FROM sends").one();
      const claim = (now: number) => {
        const wanted = {
          mailClass: "transactional",
          mailer: "acme:transactional:0",
          limit: 1,
          copiesOf: () => [],
        } as const;
        return claimSends({ sql, now }, wanted).sends[0];
      };
      const clock = (now: number) => ({ sql, now, random: () => 0.5 });
      const first = claim(start);
      expect(first).toMatchObject({ n, attempt: 1 });
      expect(claim(start)).toBeUndefined();
      const result = (attempt: number, handover: Handover) => ({ n, attempt, sender: "test", handover });
      const due = settle(clock(start), result(1, { outcome: "deferred", message: "busy" })) ?? 0;
      expect(claim(due - 1)).toBeUndefined();
      const second = claim(due);
      expect(second).toMatchObject({ attempt: 2, messageId: first?.messageId });
      settle(clock(due), result(1, { outcome: "refused", about: "content", message: "late" }));
      expect(sql.exec("SELECT state FROM sends").one()).toEqual({ state: "sending" });
      settle(clock(due), result(1, { outcome: "accepted" }));
      expect(sql.exec("SELECT state, variables FROM sends").one()).toEqual({ state: "sent", variables: null });
      expect(claim(due + 10 * HOUR)).toBeUndefined();
    });
  });
});

it.each([0, 1])("an address suppressed while its mail waited for attempt 1 + %i gets no mail", async (attempts) => {
  const spy = capture().mockImplementation(() => new Promise(() => {}));
  await team.post("/transactional", { ...mail, dataVariables: { name: "Very Private" } });
  await vi.waitFor(() => expect(spy).toHaveBeenCalledOnce());
  await team.run("UPDATE sends SET state = 'queued', attempts = ?, due = ?", attempts, Date.now());
  await team.admin("POST", "/suppressions", { email: "ADA@example.com" });
  await team.inside((sql) => {
    const now = Date.now();
    const wanted = {
      mailClass: "transactional",
      mailer: "acme:transactional:0",
      limit: 50,
      copiesOf: () => [],
    } as const;
    expect(claimSends({ sql, now }, wanted).sends).toEqual([]);
  });
  expect(await row()).toEqual({ state: "not_sent", attempts, due: null, error: "suppressed", variables: null });
});

describe("a mail provider's answer", () => {
  it("decides when the mail is due again, up to an hour", async () => {
    quiet();
    for (const [asked, wait] of [
      [600_000, 600_000],
      [86_400_000, HOUR],
    ] as const) {
      capture().mockResolvedValueOnce({
        outcome: "deferred",
        throttled: "account",
        retryAfter: asked,
        message: "slow down",
      });
      await team.post("/transactional", mail);
      const found = await settled("queued");
      expect((found.due ?? 0) - Date.now()).toBeLessThanOrEqual(wait);
      expect((found.due ?? 0) - Date.now()).toBeGreaterThan(wait - 5_000);
      await team.run("DELETE FROM sends");
    }
  });

  it("about a copy is in the story of the mail, which was sent", async () => {
    const refusedCopies = [{ to: "boss@example.com", replyCode: 550, message: "no such user" }];
    capture().mockResolvedValueOnce({ outcome: "accepted", refusedCopies });
    await team.post("/transactional", mail);
    expect(await settled("sent")).toEqual(sent);
    const [event] = await team.rows(
      "SELECT value->>'kind' AS kind, value->'detail' AS detail FROM sends, json_each(sends.history)",
    );
    expect(event?.kind).toBe("copies_refused");
    expect(JSON.parse(String(event?.detail))).toMatchObject({ refusedCopies });
  });
});

describe("after a crash", () => {
  it("of the Mailer, a sender that knows the mail again gets it again", async () => {
    quiet();
    const spy = capture().mockImplementationOnce(() => new Promise(() => {}));
    await team.post("/transactional", mail);
    await vi.waitFor(() => expect(spy).toHaveBeenCalledOnce());
    const mailer = bindings.MAILER.getByName("acme:transactional:0");
    await expect(runInDurableObject(mailer, (_, state) => state.abort("crash"))).rejects.toThrow("crash");
    await vi.waitFor(async () => expect(await row()).toMatchObject({ state: "queued", attempts: 1 }));
    advance(5_000);
    await runAlarm(team.stub);
    expect(await row()).toEqual({ ...sent, attempts: 2 });
    expect(await captured()).toHaveLength(1);
  });

  it("between commit and claim, the next life of the Workspace sets the alarm and sends the mail", async () => {
    await team.post("/transactional", mail);
    await settled("sent");
    await team.run("UPDATE sends SET state = 'queued', due = created_at, variables = '{}', settled_at = NULL");
    await runInDurableObject(team.stub, (_, state) => state.storage.deleteAlarm());
    await evictDurableObject(team.stub);
    await team.rows("SELECT 1");
    expect(await runAlarm(team.stub)).toBe(true);
    expect(await settled("sent")).toEqual({ ...sent, attempts: 2 });
  });
});

it("survives an eviction between two attempts", async () => {
  quiet();
  capture().mockResolvedValueOnce({ outcome: "deferred", message: "busy" });
  await team.post("/transactional", mail);
  await settled("queued");
  await evictDurableObject(team.stub);
  advance(HOUR);
  await runAlarm(team.stub);
  expect(await row()).toEqual({ ...sent, attempts: 2 });
});

it("stays queued while no sender is configured, and leaves when there is one", async () => {
  const env = { ...bindings, INBOX: undefined };
  await arrangeDomain(team, "dom_1");
  await team.run("UPDATE domains SET state = 'verified'");
  await runInDurableObject(team.stub, async (_, state) => {
    const silent = new Workspace(state, env as never);
    const request = { operation: "transactional.send", input: mail };
    const reply = await silent.run({ origin: "https://mail.test", keyHash: await digest(team.key), request });
    expect(reply).toMatchObject({ status: 200 });
    advance(2 * 60_000);
    await silent.alarm();
    expect(await state.storage.getAlarm()).toBe(Date.now() + HOUR);
  });
  const { variables, ...queued } = await row();
  expect(queued).toMatchObject({ state: "queued", attempts: 0 });
  expect(JSON.parse(String(variables))).toMatchObject({ "data.name": "Ada", "data.company": "Acme" });
  expect(await captured()).toEqual([]);
  expect(await runAlarm(team.stub)).toBe(true);
  expect(await row()).toEqual(sent);
});

it("is deleted 30 days after it settled, as events are; unsettled mail stays", async () => {
  await team.post("/transactional", mail);
  await settled("sent");
  await team.post("/events/send", { userId: "u1", eventName: "seen" });
  await team.run(
    `INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, due, variables, created_at, preview)
       SELECT n + 1, id, class, revision, recipient, recipient_key, message_id, 'queued', 1, created_at + 1e10, '{}', created_at, 0 FROM sends`,
  );
  const counts = () =>
    team.rows("SELECT (SELECT count(*) FROM sends) AS sends, (SELECT count(*) FROM events) AS events");
  advance(30 * 24 * HOUR - 1_000);
  await runAlarm(team.stub);
  expect(await counts()).toEqual([{ sends: 2, events: 1 }]);
  advance(1_000);
  expect(await runAlarm(team.stub)).toBe(true);
  expect(await counts()).toEqual([{ sends: 1, events: 0 }]);
});
