import { randomId } from "../util/id.ts";
import { log } from "../util/log.ts";
import type { AlertHook } from "./hook.ts";
import { enqueueNotice, nextNotice, noticeBody, sendNotice, settleNotice } from "./notices.ts";
import {
  type Alert,
  type Alerts,
  type Entry,
  firing,
  hasRoom,
  isFiring,
  type Kinds,
  type Notice,
  nextReminder,
  noAlerts,
  raise,
  remind,
  resolveAlert,
} from "./open-alerts.ts";

/** Per event. Other work needs the rest of the free plan's 50 requests. */
const NOTICES = 3;

type Board = {
  now(): number;
  load(): Alerts | undefined;
  /** Undefined: there are none. */
  save(alerts: Alerts | undefined): void;
  hook(): AlertHook;
  fetch(url: string, init: RequestInit): Promise<Response>;
  timeout(ms: number): AbortSignal;
  waitUntil(work: Promise<void>): void;
  counted(kind: string, status: Notice["status"]): void;
  /** The board has work at this time, in Unix ms. */
  arm(at: number): void;
};

/** `since`: Unix ms while it lasts, else null. `notifiedAt`: Unix ms. `count`: of the last notice, and since. `pending`: notices that are not accepted yet. */
export type ShownAlerts = {
  alerts: (Pick<Entry, "kind" | "subject" | "notifiedAt" | "count" | "message"> & { since: number | null })[];
  pending: number;
};

/** Reports problems in the log and by signed webhook (ALERT_WEBHOOK_URL), once each, with their end. */
export const createAlertBoard = <Kind extends string>(kinds: Kinds<Kind>, board: Board) => {
  const alerts = board.load() ?? noAlerts();
  let isSending = false;

  const save = (): void => {
    const isEmpty = Object.keys(alerts.entries).length === 0 && alerts.pending.length === 0;
    board.save(isEmpty ? undefined : alerts);
  };

  const next = (): number => {
    const notice = isSending ? undefined : nextNotice(alerts)?.due;
    return Math.min(nextReminder(kinds, alerts), notice ?? Number.POSITIVE_INFINITY);
  };

  const deliver = async (): Promise<void> => {
    const hook = board.hook();
    if (isSending || !hook || "problem" in hook) return;
    isSending = true;
    try {
      for (let sent = 0; sent < NOTICES; sent++) {
        const notice = nextNotice(alerts);
        if (!notice || notice.due > board.now()) break;
        const failure = await sendNotice(hook, notice, board.now(), board.fetch, board.timeout);
        const givenUp = settleNotice(alerts, notice.id, failure, board.now());
        save();
        if (failure !== undefined) log("alert_not_delivered", { id: notice.id, reason: failure, givenUp });
      }
    } catch (error) {
      log("alerts_failed", { error: (error as Error).message });
    } finally {
      isSending = false;
      board.arm(next());
    }
  };

  const enqueue = (notice: Notice, now: number): void => {
    const dropped = enqueueNotice(alerts, randomId("alert"), noticeBody(notice, now), now);
    if (dropped) log("alert_not_delivered", { id: dropped.id, reason: "too many alerts are pending", givenUp: true });
  };

  const report = (notices: readonly Notice[]): void => {
    const hook = board.hook();
    for (const notice of notices) {
      const { alert, status, count } = notice;
      board.counted(alert.kind, status);
      // The message is left out: it may name a person.
      log("alert", { alert: alert.kind, status, subject: alert.subject, count });
      if (hook && "problem" in hook) log("alert_not_delivered", { reason: hook.problem });
      else if (hook) enqueue(notice, board.now());
    }
    save();
    board.waitUntil(deliver());
  };

  return {
    isFiring: (kind: Kind, subject: string): boolean => isFiring(alerts, kind, subject),
    firing: (kind: Kind): string[] => firing(alerts, kind),
    hasRoom: (): boolean => hasRoom(alerts),

    raise(alert: Alert<Kind>): void {
      const notice = raise(kinds, alerts, alert, board.now());
      if (notice) report([notice]);
      // Between notices the count is only in memory, to save rows.
      else board.arm(nextReminder(kinds, alerts));
    },

    resolve(kind: Kind, subject: string): void {
      if (!isFiring(alerts, kind, subject)) return;
      const notice = resolveAlert(alerts, kind, subject, board.now());
      if (notice) report([notice]);
      else save();
    },

    /** Repeats what lasts, and deletes what is long over. */
    remind(): void {
      const notices = remind(kinds, alerts, board.now());
      if (notices.length > 0) report(notices);
    },

    /** Newest notice first. */
    list(): ShownAlerts {
      const entries = Object.values(alerts.entries).sort((a, b) => b.notifiedAt - a.notifiedAt);
      const shown = entries.map(({ kind, subject, since, notifiedAt, count, told = 0, message }) => ({
        kind,
        subject,
        notifiedAt,
        count: told + count,
        message,
        since: since ?? null,
      }));
      return { alerts: shown, pending: alerts.pending.length };
    },

    /** A sentence that names no person, if the notices cannot be posted. */
    problem(): string | undefined {
      const hook = board.hook();
      if (hook && "problem" in hook) return hook.problem;
      const isFailing = alerts.pending.some(({ attemptCount }) => attemptCount >= 3);
      return isFailing ? "ALERT_WEBHOOK_URL does not accept the alerts." : undefined;
    },

    /** Unix ms. */
    next,
    deliver,
  };
};
