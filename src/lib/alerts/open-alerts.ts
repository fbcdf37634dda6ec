import { withoutNames } from "../names/without-names.ts";

/**
 * Kinds of alerts of a Worker. `every`: ms between two notices of one subject. `lasts`: it has an end. `names`: its
 * message may name a person.
 */
export type Kinds<Kind extends string = string> = Readonly<Record<Kind, { every: number; lasts?: true; names?: true }>>;

export type Alert<Kind extends string = string> = {
  kind: Kind;
  /** Such as a source, a rule or a team, or empty. Never a person. */
  subject: string;
  message: string;
  data: Readonly<Record<string, string | number>>;
};

/** The field names are stored. */
export type Entry = Alert & {
  /** Unix ms. */
  notifiedAt: number;
  notified: "firing" | "resolved";
  /** Occurrences after the notice. */
  count: number;
  /** Occurrences in the notice. */
  told?: number;
  /** Unix ms; absent for single occurrences and resolved alerts. */
  since?: number;
};

/** An undelivered notice. Every attempt sends the same body. */
export type Pending = { id: string; at: number; body: string; attemptCount: number; due: number };

export type Alerts = { entries: Record<string, Entry>; pending: Pending[] };

export type Notice = { alert: Alert; status: "firing" | "resolved"; count: number; since?: number };

/** Ms between the end of an alert and the notice of its next start, against flapping. The length is a guess. */
const AGAIN_MS = 600_000;

/** Further subjects share one entry. */
const MAX_ENTRIES = 200;
export const OTHERS = "(others)";

export const noAlerts = (): Alerts => ({ entries: {}, pending: [] });

const keyOf = ({ kind, subject }: Pick<Alert, "kind" | "subject">): string => `${kind} ${subject}`;

export const isFiring = ({ entries }: Alerts, kind: string, subject: string): boolean =>
  entries[keyOf({ kind, subject })]?.since !== undefined;

/** Lists the subjects with a lasting alert. */
export const firing = ({ entries }: Alerts, kind: string): string[] =>
  Object.values(entries).flatMap((entry) => (entry.kind === kind && entry.since !== undefined ? [entry.subject] : []));

/** Records an alert. Within the interval it is only counted, without a notice. One that ended and begins again is new. */
export const raise = (kinds: Kinds, alerts: Alerts, given: Alert, now: number): Notice | undefined => {
  const alert = hasRoom(alerts) || alerts.entries[keyOf(given)] ? given : { ...given, subject: OTHERS };
  const key = keyOf(alert);
  const known = alerts.entries[key];
  const since = kinds[alert.kind]?.lasts ? { since: known?.since ?? now } : {};
  const entry: Entry = {
    notifiedAt: 0,
    notified: "firing",
    ...known,
    ...alert,
    ...since,
    count: (known?.count ?? 0) + 1,
  };
  alerts.entries[key] = entry;
  return known && isQuiet(kinds, entry, now) ? undefined : noticeOf(kinds, entry, "firing", now);
};

/** Ends a lasting alert. Returns a notice only if the alert was announced. */
export const resolveAlert = (alerts: Alerts, kind: string, subject: string, now: number): Notice | undefined => {
  const entry = alerts.entries[keyOf({ kind, subject })];
  if (entry?.since === undefined) return undefined;
  const { since } = entry;
  delete entry.since;
  if (entry.notified === "resolved") return undefined;
  // A new start within AGAIN_MS is counted, and announced after it.
  return { ...noticeOf({}, entry, "resolved", now), since };
};

/** Returns notices for alerts past their interval; deletes expired entries. */
export const remind = (kinds: Kinds, alerts: Alerts, now: number): Notice[] => {
  const notices: Notice[] = [];
  for (const [key, entry] of Object.entries(alerts.entries)) {
    if (isQuiet(kinds, entry, now)) continue;
    const repeats = kinds[entry.kind]?.lasts ? entry.since !== undefined : entry.count > 0;
    if (repeats) notices.push(noticeOf(kinds, entry, "firing", now));
    else delete alerts.entries[key];
  }
  return notices;
};

/** Unix ms. */
export const nextReminder = (kinds: Kinds, { entries }: Alerts): number =>
  Math.min(
    Number.POSITIVE_INFINITY,
    ...Object.values(entries)
      .filter(({ since, count }) => since !== undefined || count > 0)
      .map((entry) => entry.notifiedAt + intervalOf(kinds, entry)),
  );

/** An unknown kind is of another version of the code. */
const everyOf = (kinds: Kinds, kind: string): number => kinds[kind]?.every ?? 0;

const intervalOf = (kinds: Kinds, { kind, notified, since }: Entry): number =>
  notified === "resolved" && since !== undefined ? Math.min(AGAIN_MS, everyOf(kinds, kind)) : everyOf(kinds, kind);

const isQuiet = (kinds: Kinds, entry: Entry, now: number): boolean =>
  now >= entry.notifiedAt && now - entry.notifiedAt < intervalOf(kinds, entry);

const noticeOf = (kinds: Kinds, entry: Entry, status: Notice["status"], now: number): Notice => {
  const { kind, subject, message, data, count, since } = entry;
  entry.notified = status;
  entry.notifiedAt = now;
  entry.count = 0;
  if (count > 0) entry.told = count;
  if (entry.since === undefined) Object.assign(entry, { message: keptOf(kinds, entry), data: {} });
  return { alert: { kind, subject, message, data }, status, count, ...(since === undefined ? {} : { since }) };
};

/** Message after the notice. An alert that ended has none. */
const keptOf = (kinds: Kinds, { kind, message, notified }: Entry): string => {
  if (notified === "resolved") return "";
  return kinds[kind]?.names ? withoutNames(message) : message;
};

/** True if another subject gets an entry of its own. */
export const hasRoom = ({ entries }: Alerts): boolean => Object.keys(entries).length < MAX_ENTRIES;
