import { DAY_MS, isoOf } from "../../../lib/util/dates.ts";
import type { AggregateReport, AggregateRow, UnreadReport } from "../../types/dmarc-report.ts";
import { type Chore, firstTime } from "../core/chore.ts";
import { RETENTION_MS } from "../core/retention.ts";
import { sayLosses, sayReports } from "./dmarc-words.ts";
import { readDomains } from "./domain-rows.ts";

type Clock = { sql: SqlStorage; now: number };

/** Reports of a domain on a day, and rows of them: strangers know the address. */
const MOST_REPORTS = 100;
const MOST_ROWS = 100;
/** Source of the rows that are too many. */
const OTHERS = "others";
const MOST_SHOWN = 1_000;

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** Domain of the files that could not be read. */
const UNREAD = "";

/**
 * Adds a report to the days of the team's domains, or notes that one could not be read. False if it is known, too old, or
 * about no domain of the team.
 */
export const addReport = ({ sql, now }: Clock, report: AggregateReport | UnreadReport): boolean => {
  if ("unread" in report) return isNew(sql, { day: dayOf(now), domain: UNREAD, id: report.unread, isCut: false });
  const { id, begin, rows, isCut } = report;
  if (begin > now + DAY_MS || begin <= now - RETENTION_MS) return false;
  const day = dayOf(begin);
  const added = readDomains(sql).map(({ name }) => {
    const own = rows.filter(({ domain }) => domain === name);
    if (own.length === 0 || !isNew(sql, { day, domain: name, id, isCut })) return false;
    let left = MOST_ROWS - countOf(sql, "dmarc_days", day, name);
    for (const row of summed(own)) {
      addRow(sql, day, { ...row, source: left > 0 ? row.source : OTHERS });
      left -= 1;
    }
    return true;
  });
  return added.includes(true);
};

const countOf = (sql: SqlStorage, table: "dmarc_days" | "dmarc_reports", day: number, domain: string): number =>
  sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE day = ? AND domain = ?`, day, domain).one().n;

type Known = { day: number; domain: string; id: string; isCut: boolean };

const isNew = (sql: SqlStorage, { day, domain, id, isCut }: Known): boolean =>
  countOf(sql, "dmarc_reports", day, domain) < MOST_REPORTS &&
  sql.exec(
    "INSERT OR IGNORE INTO dmarc_reports (day, domain, id, cut) VALUES (?, ?, ?, ?)",
    day,
    domain,
    id,
    Number(isCut),
  ).rowsWritten > 0;

/** Most mails first, so that the rows with names are the large ones. */
const summed = (rows: readonly AggregateRow[]): AggregateRow[] => {
  const sums = new Map<string, AggregateRow>();
  for (const row of rows) {
    const key = [row.source, row.dkim, row.spf, row.disposition].join(" ");
    sums.set(key, { ...row, mails: row.mails + (sums.get(key)?.mails ?? 0) });
  }
  return [...sums.values()].sort((a, b) => b.mails - a.mails);
};

const addRow = (sql: SqlStorage, day: number, row: AggregateRow): void => {
  sql.exec(
    `INSERT INTO dmarc_days (day, domain, source, dkim, spf, disposition, mails) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET mails = mails + excluded.mails`,
    day,
    row.domain,
    row.source,
    Number(row.dkim),
    Number(row.spf),
    row.disposition,
    row.mails,
  );
};

type Row = {
  day: number;
  source: string;
  dkim: number;
  spf: number;
  disposition: AggregateRow["disposition"];
  mails: number;
};

/** Returns the days of a domain, newest first, and what fails in a sentence. */
export const shownReports = ({ sql, now }: Clock, domain: string) => {
  const rows = sql
    .exec<Row>(
      `SELECT day, source, dkim, spf, disposition, mails FROM dmarc_days WHERE day > ? AND domain = ?
       ORDER BY day DESC, mails DESC LIMIT ${MOST_SHOWN}`,
      dayOf(now - RETENTION_MS),
      domain,
    )
    .toArray()
    .map(({ day, dkim, spf, ...row }) => ({
      day: isoOf(day * DAY_MS).slice(0, 10),
      dkim: dkim === 1,
      spf: spf === 1,
      ...row,
    }));
  return { message: [sayReports(rows), ...sayLosses(lossesOf({ sql, now }, domain))].join(" "), days: rows };
};

/** Reports that are not read to their end, and the last file that could not be read. */
const lossesOf = ({ sql, now }: Clock, domain: string) => {
  const first = dayOf(now - RETENTION_MS);
  const { cut } = sql
    .exec<{ cut: number }>("SELECT total(cut) AS cut FROM dmarc_reports WHERE day > ? AND domain = ?", first, domain)
    .one();
  const [unread] = sql
    .exec<{ day: number; why: string }>(
      "SELECT day, id AS why FROM dmarc_reports WHERE day > ? AND domain = ? ORDER BY day DESC, id LIMIT 1",
      first,
      UNREAD,
    )
    .toArray();
  return { cut, unread: unread && { day: isoOf(unread.day * DAY_MS).slice(0, 10), why: unread.why } };
};

const nextEnd = (sql: SqlStorage, table: "dmarc_days" | "dmarc_reports"): number =>
  (firstTime(sql, `SELECT min(day) AS at FROM ${table}`) + 1) * DAY_MS + RETENTION_MS;

/** Deletes days after 30 days. */
export const reportChores: readonly Chore[] = [
  {
    next: (sql) => nextEnd(sql, "dmarc_days"),
    run: (sql, now, limit) => {
      const key = "day, domain, source, dkim, spf, disposition";
      sql.exec(
        `DELETE FROM dmarc_days WHERE (${key}) IN (SELECT ${key} FROM dmarc_days WHERE day < ? ORDER BY day LIMIT ?)`,
        dayOf(now - RETENTION_MS),
        limit,
      );
    },
  },
  {
    next: (sql) => nextEnd(sql, "dmarc_reports"),
    run: (sql, now, limit) => {
      sql.exec(
        `DELETE FROM dmarc_reports WHERE (day, domain, id) IN
           (SELECT day, domain, id FROM dmarc_reports WHERE day < ? ORDER BY day LIMIT ?)`,
        dayOf(now - RETENTION_MS),
        limit,
      );
    },
  },
];
