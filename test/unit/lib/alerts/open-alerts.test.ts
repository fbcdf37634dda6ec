import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { alertHookOf } from "../../../../src/lib/alerts/hook.ts";
import { noticeBody, sendNotice, settleNotice } from "../../../../src/lib/alerts/notices.ts";
import {
  type Alert,
  nextReminder,
  noAlerts,
  raise,
  remind,
  resolveAlert,
} from "../../../../src/lib/alerts/open-alerts.ts";
import { kinds } from "../../../../src/outbox/monitor/alert-kinds.ts";

const HOUR = 3_600_000;
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const failed = (rule: string): Alert => ({ kind: "delivery.failed", subject: rule, message: "no", data: { rule } });
const blocked: Alert = { kind: "dispatch.blocked", subject: "", message: "refused", data: {} };

describe("alerts of one kind and subject", () => {
  it("cause one notice an hour, with the count of occurrences since", () => {
    const alerts = noAlerts();
    expect(raise(kinds, alerts, failed("a"), 1)).toMatchObject({ status: "firing", count: 1 });
    for (let n = 0; n < 5; n++) expect(raise(kinds, alerts, failed("a"), 1_000 + n)).toBeUndefined();
    expect(raise(kinds, alerts, failed("b"), 1_000)).toMatchObject({ count: 1 });
    expect(nextReminder(kinds, alerts)).toBe(1 + HOUR);
    expect(remind(kinds, alerts, HOUR)).toEqual([]);
    expect(remind(kinds, alerts, 1 + HOUR)).toMatchObject([{ alert: { subject: "a" }, count: 5 }]);
    expect(remind(kinds, alerts, 3 * HOUR)).toEqual([]);
    expect([alerts.entries, nextReminder(kinds, alerts)]).toEqual([{}, Number.POSITIVE_INFINITY]);
    expect(raise(kinds, alerts, failed("a"), 3 * HOUR + 1)).toMatchObject({ count: 1 });
  });

  it("that last cause a notice at the start, each hour and at the end; one that flaps causes two in ten minutes", () => {
    const alerts = noAlerts();
    expect(raise(kinds, alerts, blocked, 0)).toMatchObject({ status: "firing", since: 0 });
    expect(resolveAlert(alerts, "dispatch.blocked", "", 60_000)).toMatchObject({ status: "resolved", since: 0 });
    for (let n = 2; n < 10; n += 2) {
      expect(raise(kinds, alerts, blocked, n * 60_000)).toBeUndefined();
      expect(resolveAlert(alerts, "dispatch.blocked", "", (n + 1) * 60_000)).toBeUndefined();
    }
    expect(remind(kinds, alerts, 10 * 60_000)).toEqual([]);
    expect(raise(kinds, alerts, blocked, 10 * 60_000)).toBeUndefined();
    expect(nextReminder(kinds, alerts)).toBe(11 * 60_000);
    expect(remind(kinds, alerts, 11 * 60_000)).toMatchObject([{ status: "firing", since: 10 * 60_000, count: 5 }]);
    expect(resolveAlert(alerts, "dispatch.blocked", "", 2 * HOUR)).toMatchObject({ status: "resolved" });
    expect(remind(kinds, alerts, 9 * HOUR)).toEqual([]);
    expect(alerts.entries).toEqual({});
  });

  it.each(["source.silent", "journal.full", "dispatch.blocked"] as const)(
    "that ended and begins again is a new alert: %s",
    (kind) => {
      const alerts = noAlerts();
      const alert = { ...blocked, kind };
      raise(kinds, alerts, alert, 0);
      resolveAlert(alerts, kind, "", HOUR);
      expect(nextReminder(kinds, alerts)).toBe(Number.POSITIVE_INFINITY);
      expect(raise(kinds, alerts, alert, HOUR + 600_000)).toMatchObject({ status: "firing", since: HOUR + 600_000 });
      expect(raise(kinds, alerts, alert, HOUR + 601_000)).toBeUndefined();
      expect(remind(kinds, alerts, HOUR + 1_300_000)).toEqual([]);
      resolveAlert(alerts, kind, "", HOUR + 1_400_000);
      raise(kinds, alerts, alert, HOUR + 1_500_000);
      expect(resolveAlert(alerts, kind, "", HOUR + 1_600_000)).toBeUndefined();
      expect(nextReminder(kinds, alerts)).toBeGreaterThanOrEqual(2 * HOUR);
    },
  );

  it("keep their message and count after the notice, but for names of persons and at the end", () => {
    const alerts = noAlerts();
    const shown = ({ kind, subject }: Alert) => {
      const { message, told = 0, count = 0 } = alerts.entries[`${kind} ${subject}`] ?? {};
      return [message, told + count];
    };
    const personal = { ...failed("a"), message: "usr_42 ada@example.com is gone" };
    const wrong: Alert = { kind: "admin.refused", subject: "192.0.2.1", message: "20 wrong tokens", data: {} };
    for (const alert of [personal, wrong, blocked]) raise(kinds, alerts, alert, 1);
    expect([shown(personal), shown(wrong), shown(blocked)]).toEqual([
      ["# (address) is gone", 1],
      ["20 wrong tokens", 1],
      ["refused", 1],
    ]);
    raise(kinds, alerts, wrong, 2);
    expect(shown(wrong)).toEqual(["20 wrong tokens", 2]);
    remind(kinds, alerts, 1 + HOUR);
    expect([shown(wrong), shown(blocked)]).toEqual([
      ["20 wrong tokens", 1],
      ["refused", 1],
    ]);
    resolveAlert(alerts, "dispatch.blocked", "", 2 + HOUR);
    expect(shown(blocked)[0]).toBe("");
  });

  it("are bounded: further subjects share one entry", () => {
    const alerts = noAlerts();
    for (let n = 0; n < 500; n++) raise(kinds, alerts, failed(`rule ${n}`), n);
    expect(Object.keys(alerts.entries)).toHaveLength(201);
    expect(alerts.entries["delivery.failed (others)"]).toMatchObject({ count: 299 });
  });
});

describe("the webhook of an alert", () => {
  const hook = alertHookOf({ ALERT_WEBHOOK_URL: "https://alerts.test/hook", ALERT_WEBHOOK_SECRET: secret });
  if (!hook || "problem" in hook) throw new Error("no hook");
  const timeout = (ms: number) => AbortSignal.timeout(ms);

  it("is signed as a Standard Webhook: the official library accepts the secret and no other", async () => {
    const now = Date.now();
    const body = noticeBody({ alert: failed("receipt “β”"), status: "firing", count: 3 }, now);
    let seen: { url: string; init: RequestInit } | undefined;
    const fetch = async (url: string, init: RequestInit) => {
      seen = { url, init };
      return new Response(null, { status: 204 });
    };
    expect(
      await sendNotice(hook, { id: "alert_1", at: now, body, attemptCount: 0, due: now }, now, fetch, timeout),
    ).toBeUndefined();
    const headers = seen?.init.headers as Record<string, string>;
    expect([seen?.url, seen?.init.redirect, headers["webhook-id"]]).toEqual([
      "https://alerts.test/hook",
      "manual",
      "alert_1",
    ]);
    expect(new Webhook(secret).verify(String(seen?.init.body), headers)).toMatchObject({
      type: "delivery.failed",
      data: { status: "firing", count: 3, rule: "receipt “β”" },
    });
    expect(() => new Webhook("whsec_bm90IHRoaXMgb25l").verify(String(seen?.init.body), headers)).toThrow();
  });

  it.each([
    ["a status", async () => new Response(null, { status: 500 }), "status 500"],
    ["a redirect", async () => new Response(null, { status: 301, headers: { Location: "/" } }), "status 301"],
    ["no network", () => Promise.reject(new Error("secret-host.internal refused")), "could not be reached"],
    ["no answer", () => Promise.reject(new DOMException("", "TimeoutError")), "no answer in time"],
  ])("that meets %s is retried at growing intervals, and given up after a day", async (_, fetch, reason) => {
    const message = { id: "alert_1", at: 0, body: "{}", attemptCount: 0, due: 0 };
    expect(await sendNotice(hook, message, 0, fetch, timeout)).toBe(reason);
    const alerts = { ...noAlerts(), pending: [message] };
    const waits: number[] = [];
    for (let now = 0; alerts.pending.length > 0; now = message.due) {
      const givenUp = settleNotice(alerts, "alert_1", reason, now);
      expect(givenUp).toBe(alerts.pending.length === 0);
      waits.push(message.due - now);
    }
    expect(waits.slice(0, 3)).toEqual([10_000, 20_000, 40_000]);
    expect(Math.max(...waits)).toBe(HOUR);
    expect(waits.length).toBeLessThan(40);
  });

  it("needs a valid URL and a valid secret", () => {
    expect(alertHookOf({})).toBeUndefined();
    expect(alertHookOf({ ALERT_WEBHOOK_URL: " " })).toBeUndefined();
    const given = { ALERT_WEBHOOK_URL: "ftp://x", ALERT_WEBHOOK_SECRET: secret };
    expect(alertHookOf(given)).toEqual({ problem: "ALERT_WEBHOOK_URL is not a URL." });
    for (const wrong of ["", "whsec_", "whsec_no base64!"]) {
      expect(alertHookOf({ ALERT_WEBHOOK_URL: "https://a.test", ALERT_WEBHOOK_SECRET: wrong })).toEqual({
        problem: expect.stringContaining("ALERT_WEBHOOK_SECRET"),
      });
    }
  });
});
