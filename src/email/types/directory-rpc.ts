import type { WrongTokens } from "../../lib/admin-token/wrong-tokens.ts";
import type { ShownAlerts } from "../../lib/alerts/alert-board.ts";
import type { AuditFilter, AuditPage, Entry } from "../../lib/audit/entries.ts";
import type { Reply } from "../../lib/contract/mount.ts";
import type { Metric } from "../../lib/util/prometheus.ts";
import type { Touched } from "./pulse.ts";

/** `createdAt`: Unix ms. */
export type Listed = { id: string; name: string; createdAt: number };

export type DirectoryRpc = {
  register(team: Listed): Promise<void>;
  /** Replaces the sending domains of a team. */
  keepDomains(team: string, names: readonly string[]): Promise<void>;
  /** Returns the teams that send from a domain: at most three. */
  teamsOf(domain: string): Promise<string[]>;
  /** `now`: Unix ms. */
  keepSenderProblems(team: string, problems: readonly string[], now: number): Promise<void>;
  /** Enters an active team, with one row an hour at most. */
  seen(team: Listed, now: number): Promise<void>;
  /** Teams for the next touch: active in the last day, with a due alarm or with an alert. At most `limit`, in turns. */
  toTouch(now: number, limit: number): Promise<string[]>;
  /** Learns what the touched teams said: raises and ends alerts, and posts them. */
  touched(touched: readonly Touched[], now: number): Promise<void>;
  /** Keeps the rows that a team wrote on a day (UTC, days since 1970), and returns those of the others. */
  dayRows(team: string, day: number, rows: number): Promise<number>;
  /** A write failed somewhere in this Worker. Kept in memory for minutes. */
  writeFailed(): Promise<void>;
  /** Sentences that name no team or person. */
  health(now: number): Promise<string[]>;
  /** Tries a write, and returns the version of the tables and their bytes. */
  pulse(now: number): Promise<{ schema: number; bytes: number }>;
  /** Newest first. `active`: teams of the last 24 hours. */
  newest(now: number, limit: number): Promise<{ teams: string[]; active: number }>;
  /** Counts requests with a wrong ADMIN_TOKEN, and raises an alert for an address with many. */
  wrongTokens(reports: readonly WrongTokens[]): Promise<void>;
  /** Adds the entry of an act of an operator; a repetition of `request` changes nothing. */
  noteAct(entry: Entry, request: string): Promise<void>;
  /** Newest first. `now`: Unix ms. */
  audit(filter: AuditFilter, now: number): Promise<AuditPage>;
  alerts(): Promise<ShownAlerts>;
  /** Metrics of the Directory itself. */
  metrics(): Promise<Metric[]>;
  list(asked: { perPage?: number | undefined; cursor?: string | undefined }, origin: string): Promise<Reply>;
};

/** The v1 API never calls the Directory: an API key names its team. */
export const DIRECTORY_NAME = "directory";
