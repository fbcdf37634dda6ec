import { HOUR_MS } from "../../lib/util/dates.ts";

/** Kinds of alerts. Some last until they are resolved (`LASTING`), the others are single occurrences. */
type AlertKind =
  | "call.dead"
  | "delivery.blocked"
  | "delivery.late"
  | "answers.foreign"
  | "source.silent"
  | "source.full"
  | "signatures.failing"
  | "journal.deleted"
  | "journal.full";

export type Alert = {
  kind: AlertKind;
  /** A source or a rule; empty where the kind has one subject only. Never a person. */
  subject: string;
  message: string;
  /** Ids, names and numbers. */
  data: Readonly<Record<string, string | number>>;
};

/** The state of one kind and subject. The names of its fields are stored. */
type Entry = Alert & {
  /** When the last notice was sent, Unix ms. */
  toldAt: number;
  /** What the last notice said. */
  told: "firing" | "resolved";
  /** Occurrences since the last notice. */
  count: number;
  /** Since when it lasts, Unix ms; absent for single occurrences and once it is resolved. */
  since?: number;
};

/** A notice that is not delivered yet. The body is fixed, so that every attempt sends the same. */
export type Pending = { id: string; at: number; body: string; tries: number; due: number };

/** The open alerts and the pending notices: one fact on disk. */
export type Alerts = { entries: Record<string, Entry>; pending: Pending[] };

/** A notice that has to be sent now. */
export type Notice = { alert: Alert; status: "firing" | "resolved"; count: number; since?: number };

/** Ms between two notices of one kind and subject. A silent source or a full journal often stays so for days. */
const INTERVAL: Readonly<Record<AlertKind, number>> = {
  "call.dead": HOUR_MS,
  "delivery.blocked": HOUR_MS,
  "delivery.late": HOUR_MS,
  "signatures.failing": HOUR_MS,
  "answers.foreign": HOUR_MS,
  "source.full": HOUR_MS,
  "source.silent": 24 * HOUR_MS,
  "journal.deleted": 24 * HOUR_MS,
  "journal.full": 24 * HOUR_MS,
};
const LASTING: ReadonlySet<AlertKind> = new Set([
  "delivery.blocked",
  "delivery.late",
  "source.silent",
  "source.full",
  "journal.full",
]);
/** Most entries; further subjects share one entry. */
const MAX_ENTRIES = 200;
const OTHERS = "(others)";

export const noAlerts = (): Alerts => ({ entries: {}, pending: [] });

const keyOf = ({ kind, subject }: Pick<Alert, "kind" | "subject">): string => `${kind} ${subject}`;

export const isFiring = ({ entries }: Alerts, kind: AlertKind, subject: string): boolean =>
  entries[keyOf({ kind, subject })]?.since !== undefined;

/** The subjects for which this kind lasts. */
export const firing = ({ entries }: Alerts, kind: AlertKind): string[] =>
  Object.values(entries).flatMap((entry) => (entry.kind === kind && entry.since !== undefined ? [entry.subject] : []));

/** Records an alert. Returns a notice unless one was sent within the interval; then the alert is counted only. */
export const raise = (alerts: Alerts, given: Alert, now: number): Notice | undefined => {
  const alert = hasRoom(alerts, given) ? given : { ...given, subject: OTHERS };
  const key = keyOf(alert);
  const known = alerts.entries[key];
  const since = LASTING.has(alert.kind) ? { since: known?.since ?? now } : {};
  const entry: Entry = { toldAt: 0, told: "firing", ...known, ...alert, ...since, count: (known?.count ?? 0) + 1 };
  alerts.entries[key] = entry;
  return known && isQuiet(known, now) ? undefined : noticeOf(entry, "firing", now);
};

/** Ends a lasting alert. Returns a notice only if the alert itself was announced. */
export const resolveAlert = (alerts: Alerts, kind: AlertKind, subject: string, now: number): Notice | undefined => {
  const entry = alerts.entries[keyOf({ kind, subject })];
  if (entry?.since === undefined) return undefined;
  const { since } = entry;
  delete entry.since;
  if (entry.told === "resolved") return undefined;
  // If it starts again within the interval, it is counted, and announced when the interval is over.
  return { ...noticeOf(entry, "resolved", now), since };
};

/**
 * Returns notices for alerts whose interval is over: those that occurred again, and those that still last. Deletes all
 * other entries whose interval is over.
 */
export const remind = (alerts: Alerts, now: number): Notice[] => {
  const notices: Notice[] = [];
  for (const [key, entry] of Object.entries(alerts.entries)) {
    if (isQuiet(entry, now)) continue;
    const repeats = LASTING.has(entry.kind) ? entry.since !== undefined : entry.count > 0;
    if (repeats) notices.push(noticeOf(entry, "firing", now));
    else delete alerts.entries[key];
  }
  return notices;
};

/** When `remind` may next return something, Unix ms. */
export const nextReminder = ({ entries }: Alerts): number =>
  Math.min(
    Number.POSITIVE_INFINITY,
    ...Object.values(entries)
      .filter(({ since, count }) => since !== undefined || count > 0)
      .map(({ kind, toldAt }) => toldAt + INTERVAL[kind]),
  );

const isQuiet = ({ kind, toldAt }: Entry, now: number): boolean => now >= toldAt && now - toldAt < INTERVAL[kind];

const noticeOf = (entry: Entry, status: Notice["status"], now: number): Notice => {
  const { kind, subject, message, data, count, since } = entry;
  entry.told = status;
  entry.toldAt = now;
  entry.count = 0;
  // The message may be the host's and name a person, so it is not kept longer than needed.
  if (entry.since === undefined) Object.assign(entry, { message: "", data: {} });
  return { alert: { kind, subject, message, data }, status, count, ...(since === undefined ? {} : { since }) };
};

const hasRoom = ({ entries }: Alerts, alert: Alert): boolean =>
  entries[keyOf(alert)] !== undefined || Object.keys(entries).length < MAX_ENTRIES;
