import type { Hit, TrackedMail, Visitor } from "../../types/tracking.ts";
import { ensureRow } from "../core/mailer-claims.ts";
import { bucketFor, moreIn } from "../core/message-times.ts";
import { readTeam } from "../team/team.ts";
import { countLink, withoutQuery } from "./links.ts";

/** The maximum count per kind of visitor. Later requests write nothing. */
export const MAX_COUNT = 100;
/** A request within this time after acceptance by the mail provider is from a scanner. */
const EARLY_MS = 5_000;
const BURST = 3;
const BURST_MS = 5_000;

type Clock = { sql: SqlStorage; now: number };
type Engagement = { opened_at: number | null; clicked_at: number | null };

export type FirstTime = "opened" | "clicked";

/**
 * Records an open or a click, unless tracking is off or the contact is deleted.
 *
 * @returns first-time events for `email.opened` and `email.clicked`
 */
export const recordHit = (clock: Clock, hit: Hit): FirstTime[] => {
  const { sql, now } = clock;
  ensureRow(sql, hit.mail.send);
  const engagement = engagementOf(sql, hit.mail);
  if (!engagement) return [];
  const sentAt = sentAtOf(sql, hit.mail.send);
  const isEarly = sentAt !== undefined && now < sentAt + EARLY_MS;
  const visitor = isEarly ? "scanner" : hit.visitor;
  if (sentAt !== undefined && !count(clock, hit, visitor)) return [];
  if (visitor === "human" && isBurst(clock, hit)) {
    undoBurst(clock, hit.mail, engagement);
    return [];
  }
  return visitor === "human" || visitor === "proxy" ? engage(clock, hit, engagement) : [];
};

const engagementOf = (sql: SqlStorage, { send, contact, message, run }: TrackedMail): Engagement | undefined =>
  readTeam(sql).tracking
    ? sql
        .exec<Engagement>(
          `SELECT opened_at, clicked_at FROM engagement JOIN contacts ON n = contact
           WHERE contact = ? AND message = ? AND run = ? AND send = ? AND untracked = 0`,
          contact,
          message,
          run,
          send,
        )
        .toArray()[0]
    : undefined;

/** Infinity before a report; undefined if the row is deleted. */
const sentAtOf = (sql: SqlStorage, send: number): number | undefined => {
  const row = sql.exec<{ at: number | null }>("SELECT settled_at AS at FROM sends WHERE n = ?", send).toArray()[0];
  return row && (row.at ?? Number.POSITIVE_INFINITY);
};

export const VISITORS: readonly Visitor[] = ["human", "proxy", "prefetch", "scanner"];

/** False at the maximum count; then nothing is written. */
const count = ({ sql, now }: Clock, { mail, link, place, url: whole }: Hit, kind: Visitor): boolean => {
  const url = withoutQuery(whole);
  const isAtPlace = kind === "human" && place !== undefined;
  const [counted] = sql
    .exec<{ many: number; places: string | null }>(
      `INSERT INTO send_hits (send, link, url, ${VISITORS.join(", ")}, ${kind}_at, places)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ${isAtPlace ? "json_object(?, 1)" : "NULL"})
       ON CONFLICT (send, link) DO UPDATE SET ${kind} = ${kind} + 1, ${kind}_at = coalesce(${kind}_at, excluded.${kind}_at),
         places = ${isAtPlace ? moreIn("places") : "places"}
       WHERE ${kind} < ${MAX_COUNT} RETURNING ${kind} AS many, places`,
      mail.send,
      link,
      url,
      ...VISITORS.map((visitor) => (visitor === kind ? 1 : 0)),
      now,
      ...(isAtPlace ? [`p${place}`, `p${place}`, `p${place}`, 1] : []),
    )
    .toArray();
  if (!counted) return false;
  if (kind === "prefetch" && totalOf(sql, mail, kind) === 1) add(sql, mail.message, "prefetched", 1);
  if (kind === "scanner" && totalOf(sql, mail, kind) === 1) add(sql, mail.message, "scanned", 1);
  const first = counted.many === 1 ? 1 : 0;
  if (link > 0 && kind === "human") {
    const here = placesIn(counted.places).filter((one) => isAtPlace && one.place === place);
    const places = here.map(({ clicks }) => ({ place: place ?? 0, clicks: 1, people: clicks === 1 ? 1 : 0 }));
    countLink(sql, mail, url, { clicks: 1, people: first, robots: 0 }, places);
  }
  if (link > 0 && kind === "scanner" && first) countLink(sql, mail, url, { clicks: 0, people: 0, robots: 1 });
  return true;
};

/** Clicks of people in one mail by place. */
const placesIn = (json: string | null): { place: number; clicks: number }[] =>
  Object.entries(JSON.parse(json ?? "{}") as Record<string, number>).map(([name, clicks]) => ({
    place: Number(name.slice(1)),
    clicks,
  }));

const totalOf = (sql: SqlStorage, { send }: TrackedMail, kind: Visitor): number =>
  sql.exec<{ total: number }>(`SELECT sum(${kind}) AS total FROM send_hits WHERE send = ?`, send).one().total;

type Column = "opened" | "clicked" | "prefetched" | "scanned";
const COLUMNS: readonly Column[] = ["opened", "clicked", "prefetched", "scanned"];

/** `at`: Unix ms of the first time, for `opened` and `clicked`. */
const add = (sql: SqlStorage, message: number, column: Column, many: number, at?: number): void => {
  const bucket = at === undefined ? undefined : bucketFor(sql, message, at);
  const times = bucket === undefined ? undefined : `${column}_times`;
  sql.exec(
    `INSERT INTO message_engagement (message, ${COLUMNS.join(", ")}${times ? `, ${times}` : ""})
     VALUES (?, ?, ?, ?, ?${times ? ", json_object(?, ?)" : ""})
     ON CONFLICT (message) DO UPDATE SET ${column} = ${column} + excluded.${column}${times ? `, ${times} = ${moreIn(times)}` : ""}`,
    message,
    ...COLUMNS.map((one) => (one === column ? many : 0)),
    ...(bucket === undefined ? [] : [bucket, many, bucket, bucket, many]),
  );
};

const isBurst = ({ sql, now }: Clock, { mail, link }: Hit): boolean =>
  link > 0 &&
  sql
    .exec<{ links: number }>(
      "SELECT count(*) AS links FROM send_hits WHERE send = ? AND link > 0 AND max(ifnull(human_at, 0), ifnull(scanner_at, 0)) > ?",
      mail.send,
      now - BURST_MS,
    )
    .one().links >= BURST;

/** The recent clicks become scanner clicks, and their effects are reverted. */
const undoBurst = ({ sql, now }: Clock, mail: TrackedMail, before: Engagement): void => {
  if (totalOf(sql, mail, "scanner") === 0) add(sql, mail.message, "scanned", 1);
  const burst = sql
    .exec<{ url: string; human: number; scanner: number; places: string | null }>(
      "SELECT url, human, scanner, places FROM send_hits WHERE send = ? AND link > 0 AND human_at > ?",
      mail.send,
      now - BURST_MS,
    )
    .toArray();
  for (const { url, human, scanner, places } of burst) {
    const back = placesIn(places).map(({ place, clicks }) => ({ place, clicks: -clicks, people: -1 }));
    countLink(sql, mail, url, { clicks: -human, people: -1, robots: scanner === 0 ? 1 : 0 }, back);
  }
  sql.exec(
    `UPDATE send_hits SET scanner = min(${MAX_COUNT}, scanner + human), scanner_at = coalesce(scanner_at, human_at), human = 0, human_at = NULL, places = NULL
     WHERE send = ? AND link > 0 AND human_at > ?`,
    mail.send,
    now - BURST_MS,
  );
  const after = sql
    .exec<Engagement>(
      `SELECT min(min(coalesce(human_at, proxy_at), coalesce(proxy_at, human_at))) AS opened_at,
         min(iif(link > 0, human_at, NULL)) AS clicked_at FROM send_hits WHERE send = ?`,
      mail.send,
    )
    .one();
  sql.exec(
    "UPDATE engagement SET opened_at = ?, clicked_at = ? WHERE contact = ? AND message = ? AND run = ?",
    after.opened_at,
    after.clicked_at,
    mail.contact,
    mail.message,
    mail.run,
  );
  if (before.opened_at !== null && after.opened_at === null) add(sql, mail.message, "opened", -1, before.opened_at);
  if (before.clicked_at !== null && after.clicked_at === null) add(sql, mail.message, "clicked", -1, before.clicked_at);
};

/** A click is also an open, because the mail program may not load pictures. */
const engage = ({ sql, now }: Clock, { mail, link }: Hit, before: Engagement): FirstTime[] => {
  const opened: FirstTime[] = before.opened_at === null ? ["opened"] : [];
  const clicked: FirstTime[] = link > 0 && before.clicked_at === null ? ["clicked"] : [];
  const first = [...opened, ...clicked];
  for (const what of first) {
    sql.exec(
      `UPDATE engagement SET ${what}_at = ? WHERE contact = ? AND message = ? AND run = ?`,
      now,
      mail.contact,
      mail.message,
      mail.run,
    );
    add(sql, mail.message, what, 1, now);
  }
  return first;
};
