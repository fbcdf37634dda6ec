/** What an alert is about. One that lasts is firing until it is resolved; the others happen. */
type AlertKind = "call.dead" | "delivery.blocked" | "delivery.late" | "source.silent" | "signatures.failing";

export type Alert = {
  kind: AlertKind;
  /** What of that kind: a source, a rule. Empty where there is but one. No person. */
  subject: string;
  message: string;
  /** Ids, names and numbers. */
  data: Readonly<Record<string, string | number>>;
};

/** What is known of one kind and subject. */
type Entry = Alert & {
  /** When it was told of last, Unix ms. */
  toldAt: number;
  told: "firing" | "resolved";
  /** How often it happened since. */
  count: number;
  /** Since when it lasts, Unix ms; absent where it does not, or no longer. */
  since?: number;
};

/** A message on its way. The body is fixed, so that every try of it says the same. */
export type Pending = { id: string; at: number; body: string; tries: number; due: number };

/** One fact on disk. */
export type Alerts = { entries: Record<string, Entry>; pending: Pending[] };

/** What is to be told now. */
export type Told = { alert: Alert; status: "firing" | "resolved"; count: number; since?: number };

const HOUR = 3_600_000;
/** Ms between two alerts of one kind and subject. A source that is silent stays so for days. */
const APART: Readonly<Record<AlertKind, number>> = {
  ...{ "call.dead": HOUR, "delivery.blocked": HOUR, "delivery.late": HOUR, "signatures.failing": HOUR },
  "source.silent": 24 * HOUR,
};
const LASTS: ReadonlySet<AlertKind> = new Set(["delivery.blocked", "delivery.late", "source.silent"]);
/** Kinds and subjects that are told apart; what is beyond goes by one name. */
const MOST_ENTRIES = 200;
const OTHERS = "(others)";

export const noAlerts = (): Alerts => ({ entries: {}, pending: [] });

const keyOf = ({ kind, subject }: Pick<Alert, "kind" | "subject">): string => `${kind} ${subject}`;

export const isFiring = ({ entries }: Alerts, kind: AlertKind, subject: string): boolean =>
  entries[keyOf({ kind, subject })]?.since !== undefined;

/** Something happened. Told at once, unless its like was within the hour: then it is counted. */
export const raise = (alerts: Alerts, given: Alert, now: number): Told | undefined => {
  const alert = fits(alerts, given) ? given : { ...given, subject: OTHERS };
  const key = keyOf(alert);
  const known = alerts.entries[key];
  const since = LASTS.has(alert.kind) ? { since: known?.since ?? now } : {};
  const entry: Entry = { toldAt: 0, told: "firing", ...known, ...alert, ...since, count: (known?.count ?? 0) + 1 };
  alerts.entries[key] = entry;
  return known && isQuiet(known, now) ? undefined : observe(entry, "firing", now);
};

/** What lasted is over. Told only where its beginning was. */
export const resolve = (alerts: Alerts, kind: AlertKind, subject: string, now: number): Told | undefined => {
  const entry = alerts.entries[keyOf({ kind, subject })];
  if (entry?.since === undefined) return undefined;
  const { since } = entry;
  delete entry.since;
  if (entry.told === "resolved") return undefined;
  // A new beginning within the hour is counted, and told of when the hour is over.
  return { ...observe(entry, "resolved", now), since };
};

/** The hour is over: what happened since, and what still lasts. Forgets what is neither. */
export const remind = (alerts: Alerts, now: number): Told[] => {
  const told: Told[] = [];
  for (const [key, entry] of Object.entries(alerts.entries)) {
    if (isQuiet(entry, now)) continue;
    const lasts = LASTS.has(entry.kind);
    if (lasts ? entry.since !== undefined : entry.count > 0) told.push(observe(entry, "firing", now));
    else delete alerts.entries[key];
  }
  return told;
};

/** When there may be something to remind of, Unix ms. */
export const nextReminder = ({ entries }: Alerts): number =>
  Math.min(
    Number.POSITIVE_INFINITY,
    ...Object.values(entries)
      .filter(({ since, count }) => since !== undefined || count > 0)
      .map(({ kind, toldAt }) => toldAt + APART[kind]),
  );

const isQuiet = ({ kind, toldAt }: Entry, now: number): boolean => now >= toldAt && now - toldAt < APART[kind];

const observe = (entry: Entry, status: Told["status"], now: number): Told => {
  const { kind, subject, message, data, count, since } = entry;
  entry.told = status;
  entry.toldAt = now;
  entry.count = 0;
  // The host's words may name a person, and what is over is not told again.
  if (entry.since === undefined) Object.assign(entry, { message: "", data: {} });
  return { alert: { kind, subject, message, data }, status, count, ...(since === undefined ? {} : { since }) };
};

const fits = ({ entries }: Alerts, alert: Alert): boolean =>
  entries[keyOf(alert)] !== undefined || Object.keys(entries).length < MOST_ENTRIES;
