import { DurableObject } from "cloudflare:workers";
import { createTokenWatch, type WrongTokens } from "../../lib/admin-token/wrong-tokens.ts";
import {
  type AuditFilter,
  type AuditPage,
  type Entry,
  noteOnce,
  purgeAudit,
  readAudit,
} from "../../lib/audit/entries.ts";
import type { Reply } from "../../lib/contract/mount.ts";
import { pageOf } from "../../lib/contract/pagination.ts";
import { DAY_MS, isoOf, MINUTE_MS } from "../../lib/util/dates.ts";
import { saveValue } from "../../lib/util/kv.ts";
import { migrate, schemaVersion } from "../../lib/util/migrate.ts";
import { createCounter, gauge } from "../../lib/util/prometheus.ts";
import type { Env } from "../env.ts";
import type { DirectoryRpc, Listed } from "../types/directory-rpc.ts";
import type { Touched } from "../types/pulse.ts";
import { schema } from "./directory/schema.ts";
import { createTeamAlerts } from "./directory/team-alerts.ts";
import { enterActive, keepAlarm, newestTeams, teamsToTouch } from "./directory/watched-teams.ts";

const MOST_TEAMS_OF_DOMAIN = 3;
const PROBLEM_KEPT_MS = DAY_MS;
const MAX_PROBLEMS = 20;
/** Characters: a mail provider may answer with a page. */
const MAX_PROBLEM = 500;
/** Ms that a failed write is a problem. */
const FAILED_MS = 5 * MINUTE_MS;
/** Entries of the audit that a minute deletes at most, and reads. */
const PURGED = 100;

type Row = { n: number; id: string; name: string; created_at: number };

export class Directory extends DurableObject<Env> implements DirectoryRpc {
  readonly #alerts: ReturnType<typeof createTeamAlerts>;
  readonly #tokenWatch = createTokenWatch();
  readonly #wrongTokens = createCounter(
    "mailspan_email_admin_refusals_total",
    "Requests to /admin with a wrong ADMIN_TOKEN.",
    [],
  );
  /** The last row of the newest touch. In memory: a new turn starts at the first team. */
  #touchedTo = 0;
  /** Unix ms. */
  #writeFailedAt = 0;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    const { sql } = state.storage;
    migrate(state.storage, schema);
    this.#alerts = createTeamAlerts({ sql, env, now: () => Date.now(), waitUntil: (work) => state.waitUntil(work) });
  }

  async seen(team: Listed, now: number): Promise<void> {
    enterActive(this.ctx.storage.sql, team, now);
  }

  async toTouch(now: number, limit: number): Promise<string[]> {
    purgeAudit(this.ctx.storage.sql, now, PURGED);
    const where = { after: this.#touchedTo, limit, others: this.#alerts.teams() };
    const { teams, next } = teamsToTouch(this.ctx.storage.sql, now, where);
    this.#touchedTo = next;
    return teams;
  }

  async touched(touched: readonly Touched[], now: number): Promise<void> {
    const { sql } = this.ctx.storage;
    this.ctx.storage.transactionSync(() => {
      for (const one of touched) if ("pulse" in one) keepAlarm(sql, one.team, one.pulse?.alarm ?? null, now);
    });
    this.#alerts.learn(touched);
  }

  async dayRows(team: string, day: number, rows: number): Promise<number> {
    const { sql } = this.ctx.storage;
    sql.exec("DELETE FROM day_rows WHERE day < ?", day);
    sql.exec(
      `INSERT INTO day_rows (day, team, rows) VALUES (?, ?, ?)
       ON CONFLICT (day, team) DO UPDATE SET rows = max(rows, excluded.rows)`,
      day,
      team,
      rows,
    );
    return sql
      .exec<{ rows: number }>(
        "SELECT coalesce(sum(rows), 0) AS rows FROM day_rows WHERE day = ? AND team <> ?",
        day,
        team,
      )
      .one().rows;
  }

  async writeFailed(): Promise<void> {
    this.#writeFailedAt = Date.now();
  }

  async health(now: number): Promise<string[]> {
    const ago = now - this.#writeFailedAt;
    const failed = ago >= 0 && ago < FAILED_MS ? ["writes fail: the storage refused one in the last five minutes"] : [];
    return [...failed, ...this.#senderProblems(now), ...this.#alerts.problems()];
  }

  async pulse(now: number): Promise<{ schema: number; bytes: number }> {
    const { sql } = this.ctx.storage;
    saveValue(sql, "write", now);
    return { schema: schemaVersion(sql), bytes: sql.databaseSize };
  }

  async newest(now: number, limit: number): Promise<{ teams: string[]; active: number }> {
    return newestTeams(this.ctx.storage.sql, now, limit);
  }

  async wrongTokens(reports: readonly WrongTokens[]): Promise<void> {
    for (const { count } of reports) this.#wrongTokens.add([], count);
    for (const alert of this.#tokenWatch(reports)) this.#alerts.raise({ kind: "admin.refused", ...alert });
  }

  async noteAct(entry: Entry, request: string): Promise<void> {
    noteOnce(this.ctx.storage.sql, entry, request);
  }

  async audit(filter: AuditFilter, now: number): Promise<AuditPage> {
    return readAudit(this.ctx.storage.sql, filter, now);
  }

  async alerts() {
    return this.#alerts.list();
  }

  async metrics() {
    const bytes = this.ctx.storage.sql.databaseSize;
    return [
      this.#alerts.counter.metric(),
      this.#wrongTokens.metric(),
      gauge("mailspan_email_directory_bytes", "Size of the database of the list of teams.", [[{}, bytes]]),
    ];
  }

  async register({ id, name, createdAt }: Listed): Promise<void> {
    this.ctx.storage.sql.exec(
      `INSERT INTO teams (id, name, created_at) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name WHERE name != excluded.name`,
      id,
      name,
      createdAt,
    );
  }

  async keepDomains(team: string, names: readonly string[]): Promise<void> {
    const { sql } = this.ctx.storage;
    const all = JSON.stringify(names);
    sql.exec("DELETE FROM domains WHERE team = ? AND name NOT IN (SELECT value FROM json_each(?))", team, all);
    sql.exec("INSERT OR IGNORE INTO domains (name, team) SELECT value, ? FROM json_each(?)", team, all);
  }

  async teamsOf(domain: string): Promise<string[]> {
    return this.ctx.storage.sql
      .exec<{ team: string }>(`SELECT team FROM domains WHERE name = ? LIMIT ${MOST_TEAMS_OF_DOMAIN}`, domain)
      .toArray()
      .map(({ team }) => team);
  }

  async keepSenderProblems(team: string, problems: readonly string[], now: number): Promise<void> {
    const { sql } = this.ctx.storage;
    sql.exec("DELETE FROM sender_problems WHERE team = ? OR kept_until <= ?", team, now);
    for (const problem of problems.slice(0, MAX_PROBLEMS)) {
      sql.exec(
        "INSERT OR IGNORE INTO sender_problems (team, problem, kept_until) VALUES (?, ?, ?)",
        team,
        problem.slice(0, MAX_PROBLEM),
        now + PROBLEM_KEPT_MS,
      );
    }
  }

  #senderProblems(now: number): string[] {
    return this.ctx.storage.sql
      .exec<{ problem: string }>(
        "SELECT DISTINCT problem FROM sender_problems WHERE kept_until > ? LIMIT ?",
        now,
        MAX_PROBLEMS,
      )
      .toArray()
      .map(({ problem }) => problem);
  }

  async list(asked: { perPage?: number; cursor?: string }, origin: string): Promise<Reply> {
    const { sql } = this.ctx.storage;
    const { total } = sql.exec<{ total: number }>("SELECT count(*) AS total FROM teams").one();
    const rows = (before: number, count: number) =>
      sql.exec<Row>("SELECT * FROM teams WHERE n < ? ORDER BY n DESC LIMIT ?", before, count).toArray();
    const page = pageOf(`${origin}/admin/teams`, asked, total, rows, ({ id, name, created_at }) => ({
      id,
      name,
      createdAt: isoOf(created_at),
    }));
    return page.refusal ? { refusal: page.refusal } : { status: 200, body: page.body };
  }
}
